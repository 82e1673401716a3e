import { type BlockStore, IndexUpkeep } from '../../../../src/core/search/index-upkeep';
import { passageIndexFor } from '../../../../src/core/search/passage-index';
import { searchVault } from '../../../../src/core/search/search-vault';
import type { DiskVault } from '../../../../src/core/ports/vault';
import { words } from '../../../../src/text';
import { filterHidden, type HiddenRules } from '../../../../src/core/writing/guard/fence';
import { type FakeVault, fakeVault } from '../../../support/fake-vault';

interface FakeStore extends BlockStore {
  readonly blocks: Map<number, unknown>;
  /** All that is stored, as text. */
  text(): string;
}

function fakeStore(fault: () => 'none' | 'full' | 'refused' = () => 'none'): FakeStore {
  const blocks = new Map<number, unknown>();
  let last = 0;
  return {
    blocks,
    text: () => JSON.stringify([...blocks.values()]),
    keys: () => Promise.resolve(fault() === 'refused' ? [] : [...blocks.keys()].reverse()),
    read: (keys) => Promise.resolve(keys.map((key) => structuredClone(blocks.get(key)))),
    write: (added, removed) => {
      if (fault() !== 'refused') for (const key of removed) blocks.delete(key);
      if (fault() !== 'none') return Promise.resolve('QuotaExceededError');
      return Promise.resolve(
        added.map((block) => {
          last += 1;
          blocks.set(last, structuredClone(block));
          return last;
        }),
      );
    },
  };
}

/** A session of the app over a vault: a vault object of its own, and timers that the test lets run out. */
function session(vault: DiskVault, store: BlockStore, whenIdle = (act: () => void) => act()) {
  const own: DiskVault = Object.assign(Object.create(vault) as DiskVault, {
    files: () => vault.files(),
    read: (path: string, signal?: AbortSignal) => vault.read(path, signal),
  });
  const waits = new Set<() => void>();
  const reports: string[] = [];
  const upkeep = new IndexUpkeep({
    vault: own,
    store,
    report: (text) => reports.push(text),
    after: (_, act) => {
      waits.add(act);
      return () => void waits.delete(act);
    },
    whenIdle: (act) => {
      const timer = setImmediate(() => whenIdle(act));
      return () => clearImmediate(timer);
    },
  });
  return {
    upkeep,
    index: passageIndexFor(own),
    waits,
    reports,
    ask: (question: string) =>
      searchVault(
        own,
        passageIndexFor(own),
        question,
        { entries: own.files().filter(({ kind }) => kind === 'note'), limit: 5 },
        new AbortController().signal,
      ),
    runOut: () => [...waits].forEach((act) => act()),
  };
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000; turn += 1) {
    if (holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('It never held.');
}
const many = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`Folder ${n % 3}/Note ${n}.md`, `# N${n}\n\nThe keel ${n}.`]),
  );
const settled = ({ upkeep, index }: ReturnType<typeof session>, notes: number): Promise<void> =>
  until(() => upkeep.progress === null && index.noteCount === notes && index.blocks.every(({ key }) => key !== null));

/** Builds the index of a vault and stores it. */
async function build(vault: FakeVault, store: BlockStore, notes = vault.files().length): Promise<void> {
  const first = session(vault, store);
  first.upkeep.start();
  await settled(first, notes);
  first.upkeep.close();
}

describe('the stored index', () => {
  it('is built when idle, with its progress, and read again without reading a note', async () => {
    const vault = fakeVault({ ...many(300), 'Picture.png': new Uint8Array([1]) });
    const store = fakeStore();
    const first = session(vault, store);
    const shown: string[] = [];
    first.upkeep.subscribe(() => {
      const { progress } = first.upkeep;
      shown.push(progress === null ? 'done' : `${progress.ready}/${progress.total}`);
    });
    first.upkeep.start();
    await settled(first, 300);
    expect([shown[0], shown[1], shown.at(-1)]).toEqual(['0/300', '32/300', 'done']);
    first.upkeep.close();
    const reads = vault.reads.length;
    const second = session(vault, store);
    second.upkeep.start();
    expect((await second.ask('zirconium')).notes).toBe(300);
    expect((await second.ask('n17 keel')).passages[0]?.path).toBe('Folder 2/Note 17.md');
    await settled(second, 300);
    const quoted = new Set(vault.reads.slice(reads));
    expect(quoted.size).toBeLessThanOrEqual(60);
    expect(second.index.blocks.map(({ key }) => key).sort()).toEqual([...store.blocks.keys()].sort());
    second.upkeep.close();
  });

  it('reads after a start what changed since, and nothing else', async () => {
    const vault = fakeVault(many(200));
    const store = fakeStore();
    await build(vault, store);
    vault.put('Folder 1/Note 1.md', 'Zirconium.');
    vault.put('New.md', 'Hafnium.');
    vault.remove('Folder 2/Note 2.md');
    const reads = vault.reads.length;
    const second = session(vault, store);
    second.upkeep.start();
    await settled(second, 200);
    expect(vault.reads.slice(reads).sort()).toEqual(['Folder 1/Note 1.md', 'New.md']);
    expect(store.text()).not.toContain('Note 2.md');
    expect((await second.ask('zirconium')).passages.map(({ path }) => path)).toEqual(['Folder 1/Note 1.md']);
    expect((await second.ask('n2')).passages).toEqual([]);
    second.upkeep.close();
  });

  it('waits with changed notes until nothing has changed for a while', async () => {
    const vault = fakeVault(many(5));
    const store = fakeStore();
    const only = session(vault, store);
    only.upkeep.start();
    await settled(only, 5);
    vault.put('Folder 0/Note 0.md', 'Zirconium.');
    only.upkeep.changed();
    only.upkeep.changed();
    expect(only.waits.size).toBe(1);
    const reads = vault.reads.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(vault.reads.length).toBe(reads);
    only.runOut();
    await until(() => store.text().includes('zirconium'));
    expect(vault.reads.slice(reads)).toEqual(['Folder 0/Note 0.md']);
    only.upkeep.close();
  });

  it('does not try again what it could not read until it changes', async () => {
    const vault = fakeVault({ ...many(3), 'Broken.md': new Uint8Array([0, 1]) });
    const only = session(vault, fakeStore());
    only.upkeep.start();
    await settled(only, 3);
    only.upkeep.changed();
    only.runOut();
    await new Promise((resolve) => setTimeout(resolve, 0));
    await settled(only, 3);
    expect(vault.reads.filter((path) => path === 'Broken.md')).toHaveLength(1);
    only.upkeep.close();
  });

  it('leaves nothing running once it is closed', async () => {
    const vault = fakeVault(many(300));
    const only = session(vault, fakeStore());
    only.upkeep.start();
    await until(() => only.upkeep.progress !== null);
    only.upkeep.close();
    only.upkeep.changed();
    const { length } = vault.reads;
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect([vault.reads.length - length < 33, only.waits.size]).toEqual([true, 0]);
  });
});

describe('hidden notes', () => {
  const rulesOf = (keptFolders: readonly string[], keptTags: readonly string[] = []): HiddenRules => ({
    ...{ excluded: [], ownFolders: [], keptFolders, keptTags },
  });
  const files = {
    ...many(10),
    'Diary/Today.md': 'Zirconium.',
    'Tagged.md': '---\ntags: [secret]\n---\nHafnium.',
    'Marked.md': '---\ndocent: false\n---\nOsmium.',
  };

  it('are never stored', async () => {
    const store = fakeStore();
    const rules = rulesOf(['Diary'], ['secret']);
    const only = session(
      filterHidden(fakeVault(files), () => rules),
      store,
    );
    only.upkeep.start();
    await settled(only, 10);
    expect(store.text()).not.toMatch(/diary|zirconium|tagged|hafnium|secret|osmium|marked/i);
    expect(store.text()).toContain('keel');
    only.upkeep.close();
  });

  it('leave the store as soon as the settings hide them', async () => {
    const store = fakeStore();
    let rules = rulesOf([]);
    const only = session(
      filterHidden(fakeVault(files), () => rules),
      store,
    );
    only.upkeep.start();
    await settled(only, 12);
    expect(store.text()).toMatch(/zirconium.*hafnium|hafnium.*zirconium/i);
    rules = rulesOf(['Diary'], ['secret']);
    only.upkeep.look();
    await until(() => !/diary|zirconium|hafnium|secret/i.test(store.text()));
    await settled(only, 10);
    expect((await only.ask('zirconium')).absent).toEqual(['zirconium']);
    only.upkeep.close();
  });

  it('leave it at the next start where they were hidden since, from a full store too', async () => {
    const store = fakeStore(() => (isFull ? 'full' : 'none'));
    let isFull = false;
    const vault = fakeVault(files);
    await build(vault, store);
    isFull = true;
    const rules = rulesOf(['Diary'], ['secret']);
    const second = session(
      filterHidden(vault, () => rules),
      store,
    );
    second.upkeep.start();
    await until(() => second.index.noteCount === 10 && !/diary|zirconium|hafnium/i.test(store.text()));
    second.upkeep.close();
  });
});

describe('a store that fails', () => {
  it.each(['full', 'refused'] as const)('leaves an index in memory: %s', async (fault) => {
    const vault = fakeVault(many(200));
    const store = fakeStore(() => fault);
    const only = session(vault, store);
    only.upkeep.start();
    await until(() => only.index.noteCount === 200 && only.upkeep.progress === null);
    const reads = vault.reads.length;
    expect((await only.ask('zirconium')).notes).toBe(200);
    expect([vault.reads.length, store.blocks.size]).toEqual([reads, 0]);
    vault.put('New.md', 'New.');
    only.upkeep.changed();
    only.runOut();
    await until(() => only.index.noteCount === 201 && only.upkeep.progress === null);
    expect(only.reports).toEqual([words.tools.searchNotStored('QuotaExceededError')]);
    only.upkeep.close();
  });

  it('is no matter where there are few notes', async () => {
    const only = session(
      fakeVault(many(20)),
      fakeStore(() => 'refused'),
    );
    only.upkeep.start();
    await until(() => only.index.noteCount === 20);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(only.reports).toEqual([]);
    only.upkeep.close();
  });

  it('is made again where it is damaged', async () => {
    const vault = fakeVault(many(300));
    const store = fakeStore();
    await build(vault, store);
    const [first = 0, second = 0] = store.blocks.keys();
    store.blocks.set(first, { garbage: true });
    store.blocks.set(second, 'text');
    const reads = vault.reads.length;
    const next = session(vault, store);
    next.upkeep.start();
    await settled(next, 300);
    expect(vault.reads.length - reads).toBe(256);
    expect([store.blocks.has(first), store.blocks.has(second)]).toEqual([false, false]);
    next.upkeep.close();
    const third = session(vault, store);
    third.upkeep.start();
    await settled(third, 300);
    expect(vault.reads.length - reads).toBe(256);
    third.upkeep.close();
  });

  it('holds what two windows wrote, and each note once after the next start', async () => {
    const vault = fakeVault(many(150));
    const store = fakeStore();
    const [one, other] = [session(vault, store), session(vault, store)];
    one.upkeep.start();
    other.upkeep.start();
    await Promise.all([settled(one, 150), settled(other, 150)]);
    expect(store.blocks.size).toBe(4);
    for (const each of [one, other]) each.upkeep.close();
    const reads = vault.reads.length;
    const next = session(vault, store);
    next.upkeep.start();
    await settled(next, 150);
    await until(() => store.blocks.size === 2);
    expect(vault.reads.length).toBe(reads);
    expect((await next.ask('n149')).passages).toHaveLength(1);
    next.upkeep.close();
  });
});
