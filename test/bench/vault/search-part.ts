/**
 * Measures a question asked after a start: with nothing stored, and with the index of the session before. The vault is in
 * memory, the store copies what it is given as a database does, and both count as the search's own time.
 */
import { type BlockStore, IndexUpkeep } from '../../../src/core/search/index-upkeep';
import { passageIndexFor } from '../../../src/core/search/passage-index';
import { type SearchOutcome, searchVault } from '../../../src/core/search/search-vault';
import { type FakeVault, fakeVault } from '../../support/fake-vault';
import { searchNaively } from '../baselines/naive-search';

/** Processor time in milliseconds. */
export interface SearchFigures {
  readonly search_notes: number;
  /** With nothing stored, until all notes are searched. */
  readonly first_search_ms: number;
  /** With the stored index, which is read first. */
  readonly second_search_ms: number;
  /** Notes that it read to index them. */
  readonly second_search_reads: number;
  /** Notes that it read to quote them. */
  readonly second_search_quoted: number;
  /** Every note read, and its words counted. */
  readonly baseline_search_ms: number;
}

const question = 'How does the ra5x of the keel work with ra2sx?';

export async function measureSearch(notes: number, progress: (words: string) => void): Promise<SearchFigures> {
  progress(`making ${notes} notes to search`);
  const files = makeNotes(notes);
  const store = createMemoryStore();
  progress('asking the first question');
  const first = openSession(files, store);
  const first_search_ms = await first.cost(async () => {
    while ((await first.ask(question)).waiting > 0);
  });
  await first.stored();
  progress('asking it after a restart');
  const second = openSession(files, store);
  let found: SearchOutcome | null = null;
  const second_search_ms = await second.cost(async () => {
    second.upkeep.start();
    found = await second.ask(question);
  });
  const quoted = new Set(second.vault.reads);
  const third = openSession(files, store);
  third.upkeep.start();
  // It quotes nothing, so that all that it reads is read to be indexed.
  await third.ask('zirconium hafnium');
  const second_search_reads = third.vault.reads.length;
  for (const each of [first, second, third]) each.upkeep.close();
  const naive = openSession(files, store);
  const baseline_search_ms = await naive.cost(() => searchNaively(naive.vault, question));
  if (found === null || second_search_ms === 0) throw new Error('Nothing was measured.');
  return {
    ...{ search_notes: notes, first_search_ms, second_search_ms, second_search_reads },
    ...{ second_search_quoted: quoted.size, baseline_search_ms },
  };
}

/** Makes notes of four sections and 400 words; of the words some are in most notes, most in few. */
export function makeNotes(count: number): Readonly<Record<string, string>> {
  let seed = 7;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const word = (): string => `r${Math.floor(random() ** 3 * 40_000).toString(36)}x`;
  const words = (length: number): string => Array.from({ length }, word).join(' ');
  const section = (): string => `## ${words(2)}\n\n${Array.from({ length: 8 }, () => `${words(12)}.`).join('\n')}\n`;
  return Object.fromEntries(
    Array.from({ length: count }, (_, note) => [
      `Folder ${note % 50}/Note ${note}.md`,
      `# ${words(2)}\n\nThe keel.\n\n${Array.from({ length: 4 }, section).join('\n')}`,
    ]),
  );
}

export function createMemoryStore(): BlockStore {
  const blocks = new Map<number, unknown>();
  let last = 0;
  return {
    keys: () => Promise.resolve([...blocks.keys()]),
    read: (keys) => Promise.resolve(keys.map((key) => structuredClone(blocks.get(key)))),
    write: (added, removed) => {
      for (const key of removed) blocks.delete(key);
      const keys = added.map((block) => {
        last += 1;
        blocks.set(last, structuredClone(block));
        return last;
      });
      return Promise.resolve(keys);
    },
  };
}

/** A session of the app over notes that have not changed since the one before. */
export function openSession(files: Readonly<Record<string, string>>, store: BlockStore) {
  const stored: FakeVault = fakeVault(files);
  const entries = stored.files().map((entry, at) => ({ ...entry, modified: at + 1 }));
  const vault = Object.assign(stored, { files: () => entries });
  const upkeep = new IndexUpkeep({
    ...{ vault, store, report: () => undefined },
    after: () => () => undefined,
    whenIdle: (act) => {
      const timer = setImmediate(act);
      return () => clearImmediate(timer);
    },
  });
  const index = passageIndexFor(vault);
  return {
    ...{ vault, upkeep },
    ask: (asked: string): Promise<SearchOutcome> =>
      searchVault(vault, index, asked, { entries, limit: 8 }, new AbortController().signal),
    /** Resolves when all of the index is stored. */
    stored: async (): Promise<void> => {
      upkeep.start();
      const isStored = (): boolean =>
        index.noteCount === entries.length && index.blocks.every(({ key }) => key !== null);
      while (!isStored()) await new Promise((resolve) => setImmediate(resolve));
    },
    cost: async (run: () => unknown): Promise<number> => {
      const start = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    },
  };
}
