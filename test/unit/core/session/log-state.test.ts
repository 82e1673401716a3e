/** What later entries of a log change: summaries, forms, the reference texts, and what was spent. */
import { activeEntries } from '../../../../src/core/session/branches';
import { copyEntries, entriesBeforeTaint, entriesUpTo } from '../../../../src/core/session/copy-entries';
import {
  type Addition,
  type EntryBody,
  type FormChange,
  type SessionEntry,
  type Snapshot,
  snapshotParts,
} from '../../../../src/core/session/entry';
import {
  contextFilesIn,
  coveredBy,
  coveredIn,
  findChatStart,
  foldChosenForms,
  foldForms,
  foldReference,
  isPinnedItem,
  isSummarized,
  lastRebuild,
  noteOf,
  renameTarget,
  spentIn,
  summaryInForce,
  targetOf,
} from '../../../../src/core/session/log-state';
import { MemoryLog, SessionLog, withFurther } from '../../../../src/core/session/session-log';
import { encodeEntry } from '../../../../src/core/session/log-format';
import { answer, entry, result, toolCall, user } from '../../../support/entries';
import { digest, logPorts, memoryStore, noSpace } from '../../../support/memory-ports';

const snapshot = (text: string): Snapshot => ({ overall_goal: text }) as Snapshot;
const summary = (text: string): EntryBody => ({
  ...{ kind: 'summary', snapshot: snapshot(text), covers: [], by: 'model', trigger: 'manual', focus: '' },
  ...{ before: 2, after: 1, removed: 1, kept: 1, paths: [], skills: [] },
});
const undone = ({ id }: SessionEntry): SessionEntry => entry({ kind: 'summary-undone', summary: id });
const edited = ({ id }: SessionEntry, text: string): SessionEntry =>
  entry({ kind: 'summary-edited', summary: id, snapshot: snapshot(text) });
const reference = (head: string): SessionEntry => entry({ kind: 'reference-sent', head, reason: 'start', items: [] });
const zone = (told?: Readonly<Record<string, string>>): SessionEntry =>
  entry({ kind: 'turn-zone', before: [], after: [], mode: 'assistant', editor: null, ...(told ? { told } : {}) });
const forms = (...changes: readonly (readonly [string, FormChange['form']])[]): SessionEntry =>
  entry({ kind: 'context-forms', by: 'user', forms: changes.map(([target, form]) => ({ target, form })) });

describe('the summary in force', () => {
  const [first, second, third] = ['one', 'two', 'three'].map((text) => entry(summary(text))) as [
    SessionEntry,
    SessionEntry,
    SessionEntry,
  ];
  const asked = entry(user('q'));

  it.each<[string, readonly SessionEntry[], string | undefined]>([
    ['none', [asked], undefined],
    ['the newest', [first, asked, second], 'two'],
    ['the one before, if the newest was undone', [first, second, undone(second)], 'one'],
    ['none, if all were undone', [first, second, undone(second), undone(first)], undefined],
    [
      'the first, if the two after it were undone, the older one first',
      [first, second, third, undone(second), undone(third)],
      'one',
    ],
    ['the newest, if an older one was undone', [first, second, undone(first)], 'two'],
    ['one in the words of the user', [first, edited(first, 'own')], 'own'],
    ['one in the newest words of the user', [first, edited(first, 'own'), edited(first, 'newer')], 'newer'],
    ['one whose edit comes before it in the log', [edited(first, 'own'), first], 'own'],
    ['none, if it was edited after it was undone', [first, undone(first), edited(first, 'own')], undefined],
  ])('is %s', (_which, log, expected) => {
    expect(summaryInForce(log)?.snapshot.overall_goal).toBe(expected);
  });

  it('has come since the reference texts only if it is newer', () => {
    expect(isSummarized([])).toBe(false);
    expect(isSummarized([first])).toBe(true);
    expect(isSummarized([reference('h')])).toBe(false);
    expect(isSummarized([first, reference('h')])).toBe(false);
    expect(isSummarized([reference('h'), first])).toBe(true);
    expect(isSummarized([reference('h'), first, undone(first)])).toBe(false);
  });

  it('lets the first message be written again', () => {
    const start = { date: 'd', isoDate: 'i', week: 1, time: 't', app: {} };
    const began = entry({ kind: 'chat-began', start });
    expect(findChatStart([first])).toBeNull();
    expect(findChatStart([began])).toEqual(start);
    expect(findChatStart([began, first])).toBeNull();
    expect(findChatStart([first, began])).toEqual(start);
  });
});

describe('what a summary replaces', () => {
  const asked = ['a', 'b', 'c', 'd'].map((text) => entry(user(text)));
  const idsOf = (...at: number[]): string[] => at.map((each) => asked[each]!.id);
  const over = (covers: readonly string[], continues?: string): SessionEntry =>
    entry({ ...summary('some'), covers, ...(continues === undefined ? {} : { continues }) } as EntryBody);
  const first = over(idsOf(0));
  const second = over(idsOf(1), first.id);
  const third = over(idsOf(2, 3), second.id);

  it('is what it names, with that of the summaries which it continues', () => {
    expect([...coveredIn(asked)]).toEqual([]);
    expect([...coveredIn([...asked, first])]).toEqual(idsOf(0));
    expect([...coveredIn([...asked, first, second])]).toEqual(idsOf(0, 1));
    expect([...coveredIn([...asked, first, second, third, edited(third, 'else')])]).toEqual(idsOf(0, 1, 2, 3));
    expect([...coveredBy([...asked, first], { covers: idsOf(2), continues: first.id })]).toEqual(idsOf(0, 2));
  });

  it('ends with it when it is undone, and stays where one before it was', () => {
    expect([...coveredIn([...asked, first, second, undone(second)])]).toEqual(idsOf(0));
    expect([...coveredIn([...asked, first, second, third, undone(second)])]).toEqual(idsOf(0, 1, 2, 3));
  });

  it('is all that it names in a chat of before, which the next one continues', () => {
    const whole = over(idsOf(0, 1));
    expect([...coveredIn([...asked, whole, over(idsOf(2), whole.id)])]).toEqual(idsOf(0, 1, 2));
  });

  it('is what is known of summaries that are missing, or that continue one another', () => {
    expect([...coveredIn([...asked, second])]).toEqual(idsOf(1));
    const [one, other] = [over(idsOf(0)), over(idsOf(1))];
    const circle = [one, other].map((each, at) => ({ ...each, continues: [other, one][at]!.id })) as SessionEntry[];
    expect([...coveredIn([...asked, ...circle])].sort()).toEqual(idsOf(0, 1).sort());
  });
});

describe('the reference texts as sent', () => {
  it('come with the changes since, and with the number of turns', () => {
    const asked = [entry(user('a')), entry(user('b')), entry(user('c'))] as const;
    const log = [asked[0], zone({ lost: '0' }), reference('h'), asked[1], zone({ a: '1', b: '2' }), zone(), asked[2]];
    expect(foldReference(log.slice(0, 2))).toBeNull();
    expect(foldReference(log)).toMatchObject({
      head: 'h',
      turns: 2,
      told: new Map(Object.entries({ a: '1', b: '2' })),
    });
    const later = [...log, zone({ a: '3' })];
    expect(foldReference(later)?.told).toEqual(new Map(Object.entries({ a: '3', b: '2' })));
    const dropped = [...later, forms([targetOf.exchange(asked[2].id), 'dropped'])];
    expect(foldReference(dropped)?.told).toEqual(new Map(Object.entries({ a: '1', b: '2' })));
    const masked = [...later, forms([targetOf.exchange(asked[2].id), 'masked'])];
    expect(foldReference(masked)?.told.get('a')).toBe('3');
    expect(foldReference([...later, reference('i')])).toMatchObject({ head: 'i', turns: 0, told: new Map() });
  });
});

it('adds up what was spent, and takes usage without a price for nothing', () => {
  const usage = { inputTokens: 1, outputTokens: 2 };
  const paid = (cost: number) => ({ ...usage, cost });
  expect(spentIn([entry(answer('a'))])).toBe(0);
  const log = [
    entry({ ...answer('a'), usage: paid(2) }),
    entry({ ...answer('b'), usage }),
    entry({ ...result('k'), usage: paid(4) } as EntryBody),
    entry({ kind: 'request-beside', model: 'm', usage: paid(8) }),
  ];
  expect(spentIn(log)).toBe(14);
});

it('finds the newest rewrite of the system prompt', () => {
  const rebuilt = (tier: 1 | 2): SessionEntry =>
    entry({
      ...{ kind: 'prompt-rebuilt', sections: [], reasons: [], model: 'm', tier, mode: 'assistant' },
      ...{ headMode: 'assistant', automatic: true, window: null, head: {} },
    });
  expect(lastRebuild([entry(user('q'))])).toBeNull();
  expect(lastRebuild([rebuilt(1), rebuilt(2), entry(user('q'))])?.tier).toBe(2);
});

it('finds the context files of folders that were sent, and nothing else that was added', () => {
  const added = (...additions: readonly Addition[]): SessionEntry => entry({ ...result('k'), additions } as EntryBody);
  const file = (source: string): Addition => ({ kind: 'context-file', source, text: 't' });
  const others: readonly Addition[] = ['hook', 'resource'].map(
    (kind) => ({ kind, source: 's', text: 't' }) as Addition,
  );
  const hooked = entry({ kind: 'hook-context', additions: [file('Hook')], reports: [] });
  const log = [added(file('A'), ...others, file('B')), entry(result('k')), hooked, entry(user('q')), added(file('C'))];
  expect(contextFilesIn(log).map(({ source }) => source)).toEqual(['A', 'B', 'C']);
});

describe('forms', () => {
  const [section, note] = [targetOf.section('vault'), targetOf.pinnedNote('A: b.md')];

  it('are the newest of each part', () => {
    const log = [forms([section, 'outline'], [note, 'pinned']), forms([section, 'whole'])];
    expect(foldForms(log)).toEqual(new Map(Object.entries({ [section]: 'whole', [note]: 'pinned' })));
  });

  it('are listed by the section or the note for which the user chose one', () => {
    const both = forms([section, 'outline'], [note, 'pinned'], [targetOf.result('e1'), 'pinned']);
    expect(foldChosenForms([both])).toEqual({ sections: { vault: 'outline' }, notes: { 'A: b.md': 'pinned' } });
    const others = (['whole', 'masked', 'dropped'] as const).map((form) => forms([section, form], [note, form]));
    for (const each of others) expect(foldChosenForms([both, each])).toEqual({ sections: {}, notes: {} });
  });

  it.each([
    [targetOf.result('e1'), 'result:E1', false, null],
    [targetOf.exchange('e1'), 'exchange:E1', false, null],
    [targetOf.round('e1'), 'round:E1', false, null],
    [targetOf.note('e1', 'A: b\n.md'), 'note:E1:A: b\n.md', false, 'A: b\n.md'],
    [targetOf.image('e1', 'd'), 'image:E1:d', false, null],
    [targetOf.section('e1'), 'section:e1', true, null],
    [targetOf.pinnedNote('e1'), 'standing:e1', true, null],
  ])('of %j name an entry, or a part of the prompt', (target, renamed, isPinned, path) => {
    expect(renameTarget(target, (id) => id.toUpperCase())).toBe(renamed);
    expect([isPinnedItem(target), noteOf(target)]).toEqual([isPinned, path]);
  });
});

describe('a log that is continued', () => {
  it('is folded with one more entry, and stays as it is', () => {
    const log = [entry({ ...answer('a'), usage: { inputTokens: 1, outputTokens: 1, cost: 1 } }), entry(summary('one'))];
    expect(spentIn(log)).toBe(1);
    const longer = withFurther(log, { ...summary('two'), usage: { cost: 2 } } as EntryBody);
    expect(longer).toHaveLength(3);
    expect(longer[2]).toMatchObject({ id: log[1]!.id, lamport: log[1]!.lamport, writer: 'w', conversation: 'c1' });
    expect([spentIn(longer), summaryInForce(longer)?.snapshot.overall_goal]).toEqual([3, 'two']);
    expect([spentIn(log), summaryInForce(log)?.snapshot.overall_goal, log.length]).toEqual([1, 'one', 2]);
    // One that was continued and has grown since is folded by itself.
    log.push(entry(summary('own')));
    expect(summaryInForce(log)?.snapshot.overall_goal).toBe('own');
    expect(summaryInForce(longer)?.snapshot.overall_goal).toBe('two');
    log.length = 1;
    expect(summaryInForce(log)).toBeNull();
  });

  it('is the same without another entry, and if it is empty', () => {
    const log = [entry(user('q'))];
    expect(withFurther(log, undefined)).toBe(log);
    const empty: readonly SessionEntry[] = [];
    expect(withFurther(empty, user('q'))).toBe(empty);
  });

  it('is numbered in memory as on disk', () => {
    const log = new MemoryLog('c2');
    log.append(user('a'));
    log.append(answer('b'));
    expect(log.entries.map(({ id, lamport, conversation, kind }) => [id, lamport, conversation, kind])).toEqual([
      ['1', 1, 'c2', 'user'],
      ['2', 2, 'c2', 'assistant'],
    ]);
  });
});

describe('a copy of a chat', () => {
  const choices = entry({ kind: 'choices', choices: { mode: 'planning' } });
  const left = entry({ kind: 'context-forms', forms: [], by: 'user' });
  const cut = entry({ kind: 'context-forms', forms: [], by: 'window' });
  const tainted = entry({ kind: 'tainted', source: 's' });
  const settled = entry({
    ...{ kind: 'changes-settled', changeset: 'c', by: 'user', approved: {}, applied: [], results: [], failed: [] },
    ...{ waiting: [], reason: '', told: '' },
  });
  const reverted = entry({ kind: 'changes-undone', changeset: 'c', redo: false, pairs: [], failed: [], told: '' });
  const staged = entry({ kind: 'changes-staged', changeset: 'c', changes: [], dropped: [] });
  const [a, b, c] = ['a', 'b', 'c'].map((text) => [entry(user(text)), entry(answer(text))] as const) as [
    readonly [SessionEntry, SessionEntry],
    readonly [SessionEntry, SessionEntry],
    readonly [SessionEntry, SessionEntry],
  ];

  it('before untrusted text takes what was said before its turn, and the choices since', () => {
    const log = [choices, ...a, b[0], tainted, left, cut, b[1], ...c, choices];
    expect(entriesBeforeTaint(log)).toEqual({ entries: [choices, ...a, left, choices], request: 'b' });
    expect(entriesBeforeTaint([tainted, ...a, left])).toEqual({ entries: [left], request: '' });
    expect(entriesBeforeTaint([a[0], tainted, a[1]])).toEqual({ entries: [], request: 'a' });
  });

  it('before untrusted text is all that can be taken, if there was none', () => {
    const others = [staged, settled, reverted, reference('h'), entry({ kind: 'chat-list', pinned: true })];
    expect(entriesBeforeTaint([...a, ...others, cut, choices])).toEqual({ entries: [...a, cut, choices], request: '' });
  });

  it('up to an answer goes to the next message, and takes what the user left out since', () => {
    const log = [...a, cut, ...b, tainted, settled, reverted, staged, left, ...c, left, cut, choices];
    expect(entriesUpTo(log, a[0].id)).toEqual([...a, cut, left, left]);
    expect(entriesUpTo(log, b[0].id)).toEqual([...a, cut, ...b, tainted, left, left]);
    const whole = [...a, cut, ...b, tainted, left, ...c, left, cut, choices];
    expect(entriesUpTo(log, c[0].id)).toEqual(whole);
    expect(entriesUpTo(log, 'unknown')).toEqual(whole);
  });

  it('up to an answer takes what the user has made of its summaries since, and of no later ones', () => {
    const [one, two] = [entry(summary('one')), entry(summary('two'))];
    const own = [edited(one, 'own'), undone(one)];
    const log = [...a, one, ...b, two, ...own, ...c, edited(two, 'own'), undone(two)];
    expect(entriesUpTo(log, a[0].id)).toEqual([...a, one, ...own]);
  });

  const staging = (changeset: string, id: string, branch = '', taint: string | null = null): SessionEntry => {
    const change = { id, from: null, to: `${id}.md`, base: null, edits: null, calls: [], taint };
    return entry(
      { kind: 'changes-staged', changeset, changes: [change], dropped: [] },
      branch === '' ? {} : { branch },
    );
  };
  const rejecting = (...rejected: string[]): SessionEntry =>
    entry({ ...settled, changeset: 'late', told: 'No.', rejected } as EntryBody);

  it('up to an answer takes what became of its changes, also with those of another device, and of no others', () => {
    const [both, other] = [rejecting('one', 'two'), rejecting('two')];
    const log = [...a, staging('early', 'one'), ...b, staging('late', 'two'), both, ...c, other];
    expect(entriesUpTo(log, a[0].id)).toEqual([...a, both]);
  });

  it('has no word of changes that were made with untrusted text in view, unless it has that text as well', () => {
    const [own, both, other] = [rejecting('one'), rejecting('one', 'two'), rejecting('two')];
    const staged = [staging('early', 'one'), staging('late', 'two', '', 's')];
    const log = [...a, staged[0]!, ...b, tainted, staged[1]!, own, both, other, ...c];
    expect(entriesUpTo(log, a[0].id)).toEqual([...a, own]);
    expect(entriesUpTo(log, b[0].id)).toEqual([...a, ...b, tainted, own, both, other]);
    // What taints the chat may be in another branch.
    expect(entriesBeforeTaint([...staged, ...a, own, both, other]).entries).toEqual([...a, own]);
    expect(entriesBeforeTaint([...staged, ...a, own, both, ...b, tainted]).entries).toEqual([...a, own]);
  });

  it('shows in each branch what became of the changes that it proposed, also with those of another device', () => {
    const edit = entry({ kind: 'user', text: 'd', mentions: [], instead: b[0].id });
    const chosen = entry({ kind: 'branch-chosen', chosen: '' });
    const [both, other] = [rejecting('one', 'two'), rejecting('two')];
    const log = [...a, ...b, staging('early', 'one'), edit, staging('late', 'two', edit.id), both, other];
    expect(activeEntries(log).filter(({ kind }) => kind === 'changes-settled')).toEqual([both, other]);
    expect(activeEntries([...log, chosen]).filter(({ kind }) => kind === 'changes-settled')).toEqual([both]);
  });

  it('costs nothing, and begins no branch', async () => {
    const log = SessionLog.start('c2', logPorts(memoryStore()));
    const usage = { inputTokens: 1, outputTokens: 2, cost: 3 };
    const original = [
      entry({ kind: 'user', text: 'q', mentions: [], instead: 'x' }, { branch: 'y', turn: 'x' }),
      entry({ ...answer('a', toolCall('k')), usage }),
      entry(summary('one')),
      entry(answer('b')),
    ];
    const covered = original.slice(0, 2).map(({ id }) => id);
    original[2] = { ...original[2], covers: [...covered, 'elsewhere'] } as SessionEntry;
    original.push(edited(original[2], 'own'), undone(original[2]));
    original.push({ ...entry(summary('two')), continues: original[2].id } as SessionEntry);
    expect(await copyEntries(original, log)).toEqual({ ok: true, value: undefined });
    const ids = log.entries.map(({ id }) => id);
    expect(log.entries[0]).not.toHaveProperty('instead');
    expect(log.entries[0]).not.toHaveProperty('branch');
    expect(log.entries[0]).not.toHaveProperty('turn');
    expect(log.entries[1]).toMatchObject({ usage: { inputTokens: 1, outputTokens: 2, copied: true } });
    expect(spentIn(log.entries)).toBe(0);
    expect(log.entries[2]).toMatchObject({ covers: [ids[0], ids[1], 'elsewhere'] });
    expect(log.entries[3]).not.toHaveProperty('usage');
    expect(log.entries.slice(4)).toMatchObject([{ summary: ids[2] }, { summary: ids[2] }, { continues: ids[2] }]);
  });

  it('writes a long chat in few steps, in its order, each with an id of its own', async () => {
    const store = memoryStore();
    const log = SessionLog.start('c2', logPorts(store));
    await log.append({ kind: 'forked', chat: 'c1', message: 'x' });
    const original = Array.from({ length: 5_000 }, (_, at) => [entry(user(`q${at}`)), entry(answer(`a${at}`))]).flat();
    const parts = Object.fromEntries(Object.keys(snapshotParts).map((part) => [part, 'All of it.']));
    const covers = original.map(({ id }) => id);
    original.push({ ...entry(summary('all')), snapshot: parts, covers } as unknown as SessionEntry);
    expect(await copyEntries(original, log)).toEqual({ ok: true, value: undefined });
    expect(store.appends).toBeLessThan(100);
    const reopened = await SessionLog.open('c2', logPorts(store, { session: 's2' }));
    if (!reopened.ok) throw new Error(reopened.failure.words);
    const [, ...copies] = reopened.value.entries;
    const textOf = (each: SessionEntry): unknown => (each.kind === 'user' ? each.text : each.kind);
    expect(copies.map(textOf)).toEqual(original.map(textOf));
    expect(log.entries).toEqual(reopened.value.entries);
    const ids = copies.map(({ id }) => id);
    expect(new Set(ids).size).toBe(10_001);
    expect(copies.at(-1)).toMatchObject({ covers: ids.slice(0, -1) });
    expect(copies.map(({ lamport }) => lamport)).toEqual(copies.map((_, at) => at + 2));
    const next = await log.append(user('next'));
    expect(next).toMatchObject({ ok: true, value: { lamport: 10_003 } });
  });

  it('stores long entries in steps, and stops at the first that cannot be stored', async () => {
    const store = memoryStore();
    const log = SessionLog.start('c2', logPorts(store));
    const original = Array.from({ length: 6 }, (_, at) => entry(user(`${at} ${'x'.repeat(200_000)}`)));
    store.fault = (append) => (append < 3 ? 'full' : 'torn');
    expect(await copyEntries(original, log)).toEqual({ ok: false, failure: noSpace });
    expect(store.appends).toBe(3);
    const stored = log.entries.length;
    expect(stored).toBeGreaterThanOrEqual(2);
    expect(store.linesOf('c2').length).toBe(stored + 1);
    // What follows goes on a line of its own, and what was stored can be read.
    store.fault = () => 'full';
    expect((await log.append(user('after'))).ok).toBe(true);
    const reopened = await SessionLog.open('c2', logPorts(store, { session: 's2' }));
    expect(reopened).toMatchObject({ ok: true, value: { damaged: 1 } });
    if (reopened.ok) expect(reopened.value.entries).toEqual(log.entries);
  });

  it('writes no copies into a log that a newer version wrote', async () => {
    const store = memoryStore();
    const newer = entry({ kind: 'from-the-future', more: 1 } as unknown as EntryBody);
    store.logs.set('c2', new Map([['b', encodeEntry(newer, digest)]]));
    const log = await SessionLog.open('c2', logPorts(store));
    if (!log.ok) throw new Error(log.failure.words);
    expect(log.value.isReadOnly).toBe(true);
    expect((await copyEntries([...a], log.value)).ok).toBe(false);
    expect(store.appends).toBe(0);
  });
});
