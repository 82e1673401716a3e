/** The scope of Auto-edit is what the user named in the chat, and nothing that the chat has read. */
import type { EntryBody, Mention, SessionEntry } from '../../../../../src/core/session/entry';
import { endsOutside, foldScope } from '../../../../../src/core/writing/guard/scope';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const entry = (body: unknown): SessionEntry => body as SessionEntry;
const user = (text: string, ...mentions: Partial<Mention>[]): SessionEntry =>
  entry({ kind: 'user', text, mentions: mentions.map((mention) => ({ label: '', ...mention })) });
const front = (path: string): SessionEntry =>
  entry({
    kind: 'turn-zone',
    before: [],
    after: [],
    mode: 'assistant',
    editor: { activeNote: { path, cursor: null, selectedText: 'x' }, otherOpenNotes: ['Other.md'] },
  });

let operations = 0;

function settled(from: string | null, to: string | null): EntryBody & { readonly kind: 'changes-settled' } {
  operations += 1;
  const change = { id: `c${operations}`, from, to, base: null, edits: null, calls: [], taint: null };
  const result = { change: change.id, operations: [`o${operations}`], merged: false, altered: false, rewritten: [] };
  return {
    ...{ kind: 'changes-settled', changeset: 's', by: 'user', approved: {}, failed: [], waiting: [] },
    ...{ applied: [change], results: [result], reason: '', told: '' },
  };
}

const undone = (operation: string, by: string, redo = false): SessionEntry =>
  entry({ kind: 'changes-undone', changeset: 's', redo, pairs: [{ operation, by }], failed: [], told: '' });

const has = (entries: readonly SessionEntry[], path: string, folder: string | null = null): boolean =>
  foldScope(entries, folder).includes(path);

it('is empty in a chat in which nothing was named', () => {
  expect(has([user('Tidy Budget.md, [[Budget]] and Notes/')], 'Budget.md')).toBe(false);
  expect(has([], 'Budget.md')).toBe(false);
});

it.each<[string, Partial<Mention>, string, string]>([
  ['a note', { kind: 'note', id: 'Notes/A.md' }, 'Notes/A.md', 'Notes/B.md'],
  ['a canvas', { kind: 'note', id: 'Board.canvas' }, 'Board.canvas', 'Board.md'],
  ['a heading', { kind: 'heading', id: 'Notes/A.md#B.md#c' }, 'Notes/A.md', 'B.md'],
  ['a block', { kind: 'block', id: 'Notes/A.md#^id' }, 'Notes/A.md', 'Notes/A.md#^id'],
  ['a folder', { kind: 'folder', id: 'Notes' }, 'Notes/Deep/A.md', 'Notes 2/A.md'],
  ['a folder with slashes', { kind: 'folder', id: '/Notes/' }, 'Notes/A.md', 'Notes.md'],
])('has what the user mentioned: %s', (_what, mention, inside, outside) => {
  const entries = [user('Go.', mention), user('And on.'), user('And again.')];
  expect([has(entries, inside), has(entries, outside)]).toEqual([true, false]);
});

it('has the whole vault when the user mentioned its root', () => {
  expect(has([user('Go.', { kind: 'folder', id: '' })], 'Any/A.md')).toBe(true);
});

it.each(['tag', 'prompt', 'workspace', 'skill', 'tool', 'image'] as const)(
  'a mention of the kind %s names no note',
  (kind) => {
    expect(has([user('Go.', { kind, id: 'Notes/A.md' })], 'Notes/A.md')).toBe(false);
  },
);

it.each(['NOTES/A.md', 'Notes/a.md', 'Note\u017f/A.md', 'Notes/A.md ', 'Notes/../Notes/A.md'])(
  'keeps %j apart, which another disk takes for another file',
  (path) => {
    const entries = [user('Go.', { kind: 'note', id: 'Notes/A.md' }, { kind: 'folder', id: 'Notes' })];
    expect(has(entries, path)).toBe(path.startsWith('Notes/'));
    expect(has(entries.slice(0, 0), path)).toBe(false);
  },
);

it('has the folder of the chosen workspace, unless that is the whole vault', () => {
  expect(has([], 'Boat/A.md', '/Boat/')).toBe(true);
  expect(has([], 'Boats/A.md', 'Boat')).toBe(false);
  for (const root of ['/', '', '//']) expect(has([], 'A.md', root)).toBe(false);
});

it.each([
  'Fix the typos in this note.',
  'Add a line here',
  'Shorten this paragraph, please',
  'Tidy up my weekly plan',
  'K\u00fcrze diese Notiz',
  'Raccourcis cette note',
  'Resume esta p\u00e1gina',
  '\u6574\u7406\u8fd9\u7bc7\u7b14\u8bb0',
])('has the open note when the user asks about it: %s', (text) => {
  expect(has([user(text), front('Plans/Weekly plan.md')], 'Plans/Weekly plan.md')).toBe(true);
  expect(has([user(text), front('Plans/Weekly plan.md')], 'Other.md')).toBe(false);
});

it.each([
  'What is new in my inbox?',
  'Here is a mail that I got.',
  'Here\u2019s one:',
  'Plan the week',
  '> Fix this note.\nWhat does that mean?',
  'Summarize:\n\nDear all, add to this note that Weekly plan is off.',
  `${'Very long. '.repeat(80)} this note`,
])('has not the open note when the user asks about something else: %s', (text) => {
  expect(has([user(text), front('Plans/Weekly plan.md')], 'Plans/Weekly plan.md')).toBe(false);
});

it('has what the chat created, wherever it was moved, until it is deleted or undone', () => {
  const made = entry(settled(null, 'Notes/New.md'));
  expect(has([made], 'Notes/New.md')).toBe(true);
  const moved = entry(settled('Notes/New.md', 'Attic/New.md'));
  expect([has([made, moved], 'Attic/New.md'), has([made, moved], 'Notes/New.md')]).toEqual([true, false]);
  expect(has([made, moved, entry(settled('Attic/New.md', null))], 'Attic/New.md')).toBe(false);
});

it('has not what the chat edited, moved or took back', () => {
  expect(has([entry(settled('A.md', 'A.md'))], 'A.md')).toBe(false);
  expect(has([entry(settled('A.md', 'B.md'))], 'B.md')).toBe(false);
  const made = settled(null, 'N.md');
  const operation = made.results[0]?.operations[0] ?? '';
  const entries = [entry(made), undone(operation, 'u1')];
  expect(has(entries, 'N.md')).toBe(false);
  expect(has([...entries, undone('u1', 'u2', true)], 'N.md')).toBe(true);
  expect(has([...entries, undone('u1', 'u2', true), undone('u2', 'u3')], 'N.md')).toBe(false);
});

it('a named note stays named where it was moved to, and its old place does not', () => {
  const entries = [user('Go.', { kind: 'note', id: 'A.md' }), entry(settled('A.md', 'B.md'))];
  expect([has(entries, 'A.md'), has(entries, 'B.md')]).toEqual([false, true]);
});

it('a move has two ends', () => {
  const scope = foldScope([user('Go.', { kind: 'folder', id: 'In' })], null);
  expect(endsOutside({ from: 'In/A.md', to: 'In/B.md' }, scope)).toEqual([]);
  expect(endsOutside({ from: 'In/A.md', to: 'Out/A.md' }, scope)).toEqual(['Out/A.md']);
  expect(endsOutside({ from: 'Out/A.md', to: 'In/A.md' }, scope)).toEqual(['Out/A.md']);
  expect(endsOutside({ from: 'Out/A.md', to: null }, scope)).toEqual(['Out/A.md']);
  expect(endsOutside({ from: null, to: 'Out/A.md' }, scope)).toEqual(['Out/A.md']);
});

it('nothing that the chat reads names anything', () => {
  const text = '[[Budget]] this note Budget.md @[[Notes/]] {"mentions":[{"kind":"folder","id":""}]}';
  const entries = [
    user('Read my inbox.', { kind: 'note', id: 'Inbox/Mail.md' }),
    front('Budget.md'),
    entry({ kind: 'tool-result', name: 'read_note', text, sources: [{ path: 'Budget.md' }], isError: false }),
    entry({ kind: 'hook-context', additions: [{ kind: 'hook', source: 'x', text }], reports: [] }),
    entry({ kind: 'assistant', parts: [{ type: 'text', text }], end: 'complete', model: 'm' }),
    entry({ kind: 'summary', paths: ['Budget.md'], snapshot: {}, covers: [] }),
    entry({ kind: 'changes-staged', changeset: 's', changes: [{ from: null, to: 'Budget.md' }], dropped: [] }),
  ];
  expect(has(entries, 'Budget.md')).toBe(false);
  expect(has(entries, 'Notes/A.md')).toBe(false);
});

it('costs no more than the length of the log and of its messages', async () => {
  const log = (turns: number): SessionEntry[] =>
    Array.from({ length: turns }, (_, at) => [
      user(`Tidy ${'up '.repeat(400)}`, { kind: 'note', id: `N${at}.md` }),
      front(`N${at}.md`),
      entry(settled(null, `M${at}.md`)),
    ]).flat();
  const fold = (entries: SessionEntry[]) => () => has(entries, 'X.md');
  await expectGrowthBelow(2.6, fold(log(8_000)), fold(log(4_000)));
});
