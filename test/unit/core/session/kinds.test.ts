/** What the kinds of entries are to a log: held if they cannot be stored, part of every branch, deleted with a message. */
import { ActivePath } from '../../../../src/core/session/branches';
import {
  type EntryBody,
  messageKinds,
  resourceId,
  type SessionEntry,
  splitResourceId,
  todoStates,
} from '../../../../src/core/session/entry';
import { SessionLog } from '../../../../src/core/session/session-log';
import { answer, entry, result, user } from '../../../support/entries';
import { logPorts, memoryStore, noSpace } from '../../../support/memory-ports';

const failure = { kind: 'network', words: 'w', remedy: 'r' } as const;
const settled: EntryBody & { readonly kind: 'changes-settled' } = {
  ...{ kind: 'changes-settled', changeset: 'c', by: 'user', approved: {}, applied: [], results: [], failed: [] },
  ...{ waiting: [], reason: '', told: '' },
};
const undone: EntryBody & { readonly kind: 'changes-undone' } = {
  ...{ kind: 'changes-undone', changeset: 'c', redo: false, pairs: [], failed: [], told: '' },
};
const staged: EntryBody = { kind: 'changes-staged', changeset: 'c', changes: [], dropped: [] };
const zone = { kind: 'turn-zone', before: [], after: [], mode: 'assistant', editor: null } as const;
const hooked = { kind: 'hook-context', additions: [], reports: ['r'] } as const;
const began = { kind: 'chat-began', start: { date: 'd', isoDate: 'i', week: 1, time: 't', app: {} } } as const;
const forms = (by: 'user' | 'window') => ({ kind: 'context-forms', forms: [], by }) as const;
const goal = { kind: 'goal', event: { type: 'paused', goal: 'g' }, origin: 'user' } as const;
const usage = { inputTokens: 1, outputTokens: 1 };

const bodies: readonly (readonly [body: EntryBody, isHeld: boolean, isOfAllBranches: boolean])[] = [
  [user('q'), false, false],
  [answer('a'), true, false],
  [result('k'), true, false],
  [{ kind: 'failure', failure }, true, false],
  [staged, true, true],
  [settled, true, false],
  [undone, true, false],
  [{ kind: 'request-beside', model: 'm', usage }, true, false],
  [{ kind: 'tainted', source: 's' }, true, false],
  [zone, false, false],
  [hooked, false, false],
  [began, false, false],
  [forms('user'), false, true],
  [forms('window'), false, false],
  [goal, false, false],
  [{ kind: 'title', title: 't' }, false, true],
  [{ kind: 'chat-list', pinned: true }, false, true],
  [{ kind: 'forked', chat: 'c', message: 'm' }, false, true],
  [{ kind: 'log-restored', lines: 1 }, false, true],
  [{ kind: 'choices', choices: {} }, false, true],
];
const cases = bodies.map(([body, ...rest]) => [body.kind, body, ...rest] as const);

it.each(cases)('an entry of the kind %s that cannot be stored', async (_kind, body, isHeld) => {
  const store = memoryStore();
  const log = SessionLog.start('c1', logPorts(store));
  await log.append(user('first'));
  const { append } = store;
  store.append = () => Promise.resolve({ ok: false, failure: noSpace });
  expect(await log.append(body)).toEqual({ ok: false, failure: noSpace });
  expect(log.entries.map(({ kind }) => kind)).toEqual(['user', ...(isHeld ? [body.kind] : [])]);
  store.append = append;
  expect((await log.append({ kind: 'title', title: 'Next' })).ok).toBe(true);
  expect((await log.append({ kind: 'title', title: 'Last' })).ok).toBe(true);
  const again = await SessionLog.open('c1', logPorts(store));
  const kinds = ['user', ...(isHeld ? [body.kind] : []), 'title', 'title'];
  expect(again.ok && again.value.entries.map(({ kind }) => kind)).toEqual(kinds);
  expect(log.entries.map(({ kind }) => kind)).toEqual(kinds);
});

/** A message with two answers, of which the first one is in view in the first branch. */
function branched(body: EntryBody) {
  const asked = entry(user('q'), { id: 'q' });
  const first = [asked, entry(answer('one'))];
  const again = entry({ kind: 'branch', message: 'q' }, { id: 'b' });
  const inBranch = [entry(answer('two'), { branch: 'b' }), entry(body, { id: 'own', branch: 'b' })];
  return [...first, again, ...inBranch];
}

it.each(cases)(
  'an entry of the kind %s that was written in another branch',
  (_kind, body, _isHeld, isOfAllBranches) => {
    const all = branched(body);
    const has = (branch: string): boolean => new ActivePath(all, branch).entries.some(({ id }) => id === 'own');
    expect([has('b'), has('')]).toEqual([true, isOfAllBranches]);
    // In the order in which the log grows.
    const grown: SessionEntry[] = all.slice(0, -1);
    const path = new ActivePath(grown, '');
    grown.push(all.at(-1)!);
    expect(path.with(all.at(-1)!).entries.some(({ id }) => id === 'own')).toBe(isOfAllBranches);
  },
);

it('has what became of changes in the branch that proposed them, wherever the user was then', () => {
  const has = (outcome: EntryBody, branch: string, view: string): boolean => {
    const all = [...branched(staged), entry(outcome, { id: 'outcome', ...(branch === '' ? {} : { branch }) })];
    return new ActivePath(all, view).entries.some(({ id }) => id === 'outcome');
  };
  for (const outcome of [settled, undone]) {
    expect([has(outcome, '', 'b'), has(outcome, '', '')]).toEqual([true, false]);
    expect([has(outcome, 'b', 'b'), has(outcome, 'b', '')]).toEqual([true, false]);
    const other = { ...outcome, changeset: 'unknown' };
    expect([has(other, '', 'b'), has(other, 'b', 'b')]).toEqual([false, true]);
  }
});

it.each<[string, EntryBody, boolean]>([
  ['a result', result('k'), false],
  ['a failure', { kind: 'failure', failure }, false],
  ['what hooks added', hooked, false],
  ['what was sent around it', zone, false],
  ['what the first message says', began, false],
  ['a goal', goal, true],
  ['an outcome', settled, true],
  ['a title', { kind: 'title', title: 't' }, true],
])('leaves out with a deleted message its answer and %s, but not what it has done', (_what, body, stays) => {
  const [asked, said, own] = [entry(user('q'), { id: 'q' }), entry(answer('a')), entry(body, { id: 'own' })];
  const mark = (deleted: boolean) => entry({ kind: 'message-deleted', message: 'q', deleted });
  const next = entry(user('next'));
  const shown = (...all: SessionEntry[]): string[] => new ActivePath(all).entries.map(({ id }) => id);
  const deleted = mark(true);
  expect(shown(asked, said, own, next, deleted)).toEqual([deleted.id, ...(stays ? ['own'] : []), next.id]);
  expect(shown(asked, said, own, next, deleted, mark(false))).toEqual(['q', said.id, 'own', next.id]);
});

it('says which kinds are messages, and what a task can be', () => {
  expect([...messageKinds]).toEqual([
    ...['user', 'assistant', 'tool-result', 'hook-context', 'turn-zone', 'changes-settled', 'changes-undone'],
  ]);
  expect(todoStates).toEqual(['open', 'doing', 'done']);
});

it.each([
  ['docs', 'mcp://page one'],
  ['docs', ''],
  ['', 'mcp://page'],
])('stores a resource of the server %j at %j so that both are found again', (server, uri) => {
  expect(splitResourceId(resourceId({ server, uri }))).toEqual({ server, uri });
});

it('takes an id without a server for an address', () => {
  expect(splitResourceId('mcp://page')).toEqual({ server: '', uri: 'mcp://page' });
});
