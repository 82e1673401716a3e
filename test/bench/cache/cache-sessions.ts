/**
 * The sessions that the cache is measured on: what a user asks and changes, and what the agent looks up during each
 * turn.
 */
import type { Mention } from '../../../src/core/session/entry';
import type { FakeVault } from '../../support/fake-vault';

export interface LookUp {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface SessionTurn {
  readonly question: string;
  readonly mentions: readonly Mention[];
  /** Rounds of calls before the answer. */
  readonly rounds: readonly (readonly LookUp[])[];
  readonly answer: string;
  /** What the user does in the vault before asking. */
  readonly change?: (vault: FakeVault) => void;
  /** Custom instructions that every chat is sent from this turn on, as after a change of the settings. */
  readonly instructions?: string;
}

export interface Session {
  readonly name: 'reading' | 'editing' | 'agent' | 'mixed';
  readonly turns: readonly SessionTurn[];
}

/** The same numbers in every run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x100000000;
  };
}

const words = 'tide keel bolt note plan list since under after winter count stone letter garden engine north'.split(
  ' ',
);

export function makeSessions(vault: FakeVault): Session[] {
  const notes = vault.files().filter(({ kind, size }) => kind === 'note' && size < 12_000);
  if (notes.length === 0) throw new Error('The vault holds no note that could be read.');
  return [
    { name: 'reading', turns: makeTurns(40, 1, { looks: 1, changes: 0, creates: 0, mentions: 0.4 }) },
    { name: 'editing', turns: makeTurns(40, 2, { looks: 1, changes: 1, creates: 0.05, mentions: 0.7 }) },
    { name: 'agent', turns: makeTurns(20, 3, { looks: 6, changes: 0, creates: 0, mentions: 0.2 }) },
    { name: 'mixed', turns: withNewRules(makeTurns(60, 4, { looks: 2, changes: 0.4, creates: 0.15, mentions: 0.4 })) },
  ];

  function makeTurns(
    count: number,
    seed: number,
    habits: { readonly looks: number; readonly changes: number; readonly creates: number; readonly mentions: number },
  ): SessionTurn[] {
    const next = chance(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
    const say = (length: number): string => Array.from({ length }, () => pick(words)).join(' ');
    return Array.from({ length: count }, (_, index): SessionTurn => {
      const { path } = pick(notes);
      const isChanged = next() < habits.changes;
      const isCreated = next() < habits.creates;
      const line = `\n\n## Turn ${index + 1}\n\n${say(30)}.\n`;
      return {
        question: `${say(12)}?`,
        mentions: next() < habits.mentions ? [{ kind: 'note', id: path, label: path }] : [],
        rounds: Array.from({ length: Math.ceil(next() * habits.looks) }, () =>
          Array.from({ length: next() < 0.3 ? 3 : 1 }, () => lookUp(pick(notes).path)),
        ),
        answer: `${say(120)}.`,
        change: (changed) => {
          if (isChanged) changed.put(path, textOf(changed, path) + line);
          if (isCreated) changed.put(`Inbox/New ${seed}-${index}.md`, `# New ${index}${line}`);
        },
      };
    });

    function lookUp(path: string): LookUp {
      const kind = next();
      if (kind < 0.6) return { name: 'read_note', input: { path } };
      if (kind < 0.85) return { name: 'search_notes', input: { query: say(2) } };
      return { name: 'list_folder', input: { path: path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '' } };
    }
  }
}

const texts = new WeakMap<FakeVault, Map<string, string>>();

/** Returns the text as it was last written in this session, or a placeholder of the same size as the file. */
function textOf(vault: FakeVault, path: string): string {
  const known = texts.get(vault) ?? new Map<string, string>();
  texts.set(vault, known);
  const text = `${known.get(path) ?? `# ${path}\n\n${'Words that stood here before. '.repeat(60)}`}\n`;
  known.set(path, text);
  return text;
}

/** Halfway the user writes other instructions: the one change that a session pays for. */
function withNewRules(turns: readonly SessionTurn[]): SessionTurn[] {
  const half = Math.floor(turns.length / 2);
  return turns.map((turn, index) => (index === half ? { ...turn, instructions: 'Answer in British spelling.' } : turn));
}
