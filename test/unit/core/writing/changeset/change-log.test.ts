/** @jest-environment jsdom */
/** What the log of a chat says of changes that two devices propose, review, and settle. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import type { SessionEntry } from '../../../../../src/core/session/entry';
import { encodeEntry } from '../../../../../src/core/session/log-format';
import { foldChanges } from '../../../../../src/core/writing/changeset/change-log';
import { entry } from '../../../../support/entries';
import { digest } from '../../../../support/memory-ports';
import { call, finish, type Step, say } from '../../../../support/scripted-model';
import { type WritingChat, writingChat } from '../../../../support/writing-chat';
import { mergeShards } from '../../../../support/merge-shards';

afterEach(closeTestApps);

const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const done: Step[] = [say('Done.'), finish()];

/** The log of a chat that applied two changes, and then proposed another one. */
async function entriesOfTwoTurns(): Promise<readonly SessionEntry[]> {
  const bench = await writingChat(
    { files: { 'Plan.md': 'First line.\n' } },
    calls(call('r', 'read_note', { path: 'Plan.md' })),
    calls(
      call('e', 'edit_note', { path: 'Plan.md', oldText: 'First line.', newText: 'First words.' }),
      call('n', 'create_note', { path: 'New', text: 'New.\n' }),
    ),
    done,
    calls(call('l', 'create_note', { path: 'Late', text: 'Late.\n' })),
    done,
  );
  await bench.ask('Go.');
  await bench.chat.changes?.apply();
  await bench.ask('One more.');
  const shards = [...bench.store.logs.values()].flatMap((logs) => [...logs].map(([name, text]) => ({ name, text })));
  return mergeShards(shards, digest).entries;
}

it('counts once what two devices settled, and keeps what waits by then', async () => {
  const entries = await entriesOfTwoTurns();
  const settled = entries.filter(({ kind }) => kind === 'changes-settled');
  expect(settled).toHaveLength(1);
  const once = foldChanges(entries, digest);
  expect(once.settled.map(({ applied }) => applied.length)).toEqual([2]);
  expect(once.pending?.changes.map(({ to }) => to)).toEqual(['Late.md']);
  const place = entries.findIndex(({ kind }) => kind === 'changes-settled') + 1;
  const doubled = foldChanges([...entries.slice(0, place), ...settled, ...entries.slice(place)], digest);
  expect(doubled).toEqual(once);
  expect(foldChanges([...entries, ...settled], digest)).toEqual(once);
});

it('takes the settlement that can be undone, whichever came first', async () => {
  const entries = await entriesOfTwoTurns();
  const place = entries.findIndex(({ kind }) => kind === 'changes-settled');
  const real = entries[place];
  if (real?.kind !== 'changes-settled') throw new Error('Nothing was settled.');
  const seen = { ...real, results: real.results.map((result) => ({ ...result, operations: [] })) };
  const tips = (given: readonly SessionEntry[]): number[] =>
    foldChanges(given, digest).settled.flatMap(({ applied }) => applied.map((each) => each.tips.length));
  const [before, after] = [entries.slice(0, place), entries.slice(place + 1)];
  expect(tips([...before, seen, ...after])).toEqual([0, 0]);
  expect(tips([...before, seen, real, ...after])).toEqual([1, 1]);
  expect(tips([...before, real, seen, ...after])).toEqual([1, 1]);
});

it('undoes an edit once that was settled alone before the move of its note was, and then with it', async () => {
  const bench = await writingChat(
    { files: { 'Plan.md': 'First line.\n' } },
    calls(call('r', 'read_note', { path: 'Plan.md' })),
    calls(
      call('e', 'edit_note', { path: 'Plan.md', oldText: 'First line.', newText: 'First words.' }),
      call('m', 'move_note', { path: 'Plan.md', newPath: 'Passage.md' }),
    ),
    done,
  );
  await bench.ask('Go.');
  const before = await bench.tree();
  await bench.chat.changes?.apply();
  const shards = bench.store.logs.get('c1') ?? new Map<string, string>();
  const { entries } = await mergeShards(
    [...shards].map(([name, text]) => ({ name, text })),
    digest,
  );
  const real = entries.find((each) => each.kind === 'changes-settled');
  if (real?.kind !== 'changes-settled') throw new Error('Nothing was settled.');
  // What another device, or the next start, finds in the journal while the move is still under way.
  const part = {
    ...{ ...real, id: 'part', writer: 'w2' },
    applied: real.applied.map((change) => ({ ...change, to: change.from })),
    results: real.results.map((result) => ({ ...result, operations: result.operations.slice(0, 1) })),
  };
  for (const order of [
    [part, real],
    [real, part],
  ] as const) {
    const others = entries.filter((each) => each !== real);
    const tips = foldChanges([...others, ...order], digest).settled.map(({ applied }) =>
      applied.map((each) => each.tips),
    );
    expect(tips).toEqual([[real.results[0]?.operations.map((operation) => ({ operation, undone: false }))]]);
  }
  shards.set('w2', encodeEntry(part, digest));
  const again = await bench.reopen();
  const [review] = again.chat.current.reviews ?? [];
  expect(await again.chat.changes?.undo(review?.id ?? '')).toEqual({ ok: true, value: undefined });
  expect(await again.tree()).toEqual(before);
});

/** A chat in which two devices each made a proposal while neither had the other's, opened once both logs are there. */
async function proposedOnTwo(files: Record<string, string>, ...each: readonly Step[][]): Promise<WritingChat> {
  const read = Object.keys(files).map((path, index) => call(`r${index}`, 'read_note', { path }));
  const [first = [], second = []] = each.map((steps) => [calls(...read), calls(...steps), done]);
  const one = await writingChat({ files }, ...first);
  await one.ask('One.');
  const other = await (await writingChat({ files })).reopen(...second);
  await other.ask('Two.');
  for (const [name, text] of one.store.logs.get('c1') ?? []) other.store.logs.get('c1')?.set(name, text);
  return other.reopen();
}

const create = (id: string, path: string): Step => call(id, 'create_note', { path, text: `${path}.\n` });
const edit = (id: string, oldText: string, newText: string): Step =>
  call(id, 'edit_note', { path: 'Plan.md', oldText, newText });
const shownIn = ({ chat }: WritingChat) =>
  chat.current.reviews?.map(({ state, changes }) => [state, ...changes.map(({ change }) => change.to)]);

it('shows, applies and undoes what two devices proposed without each other', async () => {
  const bench = await proposedOnTwo({ 'Plan.md': 'Plan.\n' }, [create('a', 'A'), create('b', 'B')], [create('c', 'C')]);
  expect(shownIn(bench)).toEqual([['waiting', 'A.md', 'B.md', 'C.md']]);
  const { chat } = bench;
  const b = chat.current.reviews?.[0]?.changes[1]?.change.id ?? '';
  chat.changes?.decide(b, 'all', false);
  expect(await chat.changes?.apply()).toEqual({ ok: true, value: undefined });
  expect(Object.keys(await bench.tree())).toEqual(['A.md', 'C.md', 'Plan.md']);
  const again = await bench.reopen();
  expect(shownIn(again)).toEqual([
    ['applied', 'A.md', 'B.md'],
    ['applied', 'C.md'],
  ]);
  const writer = await again.writing.ports.writer();
  const [first, second] = again.chat.current.reviews ?? [];
  // By its changeset, a device finds what another one has written.
  expect(writer.ok && writer.value.journal.operations().map((each) => each.call.changeset)).toEqual([
    first?.id,
    second?.id,
  ]);
  expect(await again.chat.changes?.undo(first?.id ?? '')).toEqual({ ok: true, value: undefined });
  expect(Object.keys(await again.tree())).toEqual(['C.md', 'Plan.md']);
});

it('applies what two devices proposed for one note, also where it was moved', async () => {
  const files = { 'Plan.md': 'First.\n\n\nSecond.\n\n\nThird.\n' };
  const bench = await proposedOnTwo(files, [edit('a', 'First', 'Primo')], [edit('b', 'Third', 'Terzo')]);
  expect(shownIn(bench)).toEqual([['waiting', 'Plan.md', 'Plan.md']]);
  const file = bench.app.vault.getFileByPath('Plan.md');
  await bench.app.vault.rename(file!, 'Scheme.md');
  const moved = JSON.stringify([['waiting', 'Scheme.md', 'Scheme.md']]);
  while (JSON.stringify(shownIn(bench)) !== moved) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await bench.chat.changes?.apply()).toEqual({ ok: true, value: undefined });
  expect(await bench.read('Scheme.md')).toBe('Primo.\n\n\nSecond.\n\n\nTerzo.\n');
  expect(shownIn(await bench.reopen())?.flat()).not.toContain('waiting');
});

it('lets nothing wait again that only followed its note where it was not known that it was rejected', async () => {
  const bench = await writingChat(
    { files: { 'Plan.md': 'First.\n' } },
    calls(call('r', 'read_note', { path: 'Plan.md' })),
    calls(edit('a', 'First', 'Primo')),
    done,
  );
  await bench.ask('Go.');
  await bench.chat.changes?.rejectAll('No.');
  const shards = [...(bench.store.logs.get('c1') ?? [])].map(([name, text]) => ({ name, text }));
  const { entries } = mergeShards(shards, digest);
  const staged = entries.find((entry) => entry.kind === 'changes-staged');
  if (staged?.kind !== 'changes-staged') throw new Error('Nothing was proposed.');
  const waitsAfter = (more: object): number | undefined => {
    const changes = staged.changes.map((change) => ({ ...change, ...more }));
    return foldChanges([...entries, { ...staged, changes }], digest).pending?.changes.length;
  };
  const followed = { from: 'Scheme.md', to: 'Scheme.md', movedFrom: 'Plan.md' };
  expect(waitsAfter(followed)).toBeUndefined();
  // What was edited there since then is another text.
  expect(waitsAfter({ ...followed, edits: [{ start: 0, end: 5, text: 'Prime' }] })).toBe(1);
});

it('lets no part wait again that was rejected, or taken back, of a change that only followed its note', async () => {
  const bench = await writingChat(
    { files: { 'Plan.md': 'First.\n\n\nSecond.\n' } },
    calls(call('r', 'read_note', { path: 'Plan.md' })),
    calls(edit('a', 'First', 'Primo'), edit('b', 'Second', 'Secondo')),
    done,
  );
  await bench.ask('Go.');
  const id = bench.chat.current.reviews?.[0]?.changes[0]?.change.id ?? '';
  bench.chat.changes?.decide(id, { hunk: 1 }, false, 'Not this one.');
  await bench.chat.changes?.apply();
  const shards = [...(bench.store.logs.get('c1') ?? [])].map(([name, text]) => ({ name, text }));
  const { entries } = mergeShards(shards, digest);
  const staged = entries.filter((each) => each.kind === 'changes-staged').at(-1);
  if (staged === undefined) throw new Error('Nothing was proposed.');
  const moved = { from: 'Scheme.md', to: 'Scheme.md', movedFrom: 'Plan.md' };
  const followed = { ...staged, changes: staged.changes.map((change) => ({ ...change, ...moved })) };
  const takenBack = { ...staged, changes: [], dropped: [id] };
  const waits = (...more: SessionEntry[]) =>
    foldChanges([...entries.slice(0, entries.indexOf(staged) + 1), ...more], digest).pending?.changes.length;
  expect(waits(...entries.slice(entries.indexOf(staged) + 1), followed)).toBeUndefined();
  expect(waits(takenBack, followed)).toBeUndefined();
  // What is proposed again waits, and is followed.
  expect(waits(takenBack, staged, followed)).toBe(1);
  // What the user makes a new note of is proposed by them.
  const made = { ...followed, changes: followed.changes.map((change) => ({ ...change, from: null, base: null })) };
  expect(waits(takenBack, made)).toBe(1);
});

it('lets neither a change nor its move alone wait again, of which the text was applied and the move rejected', async () => {
  const bench = await writingChat(
    { files: { 'Plan.md': 'First.\n' } },
    calls(call('r', 'read_note', { path: 'Plan.md' })),
    calls(edit('a', 'First', 'Primo'), call('m', 'move_note', { path: 'Plan.md', newPath: 'Passage.md' })),
    done,
  );
  await bench.ask('Go.');
  await bench.app.vault.create('Passage.md', 'In the way.\n');
  await bench.chat.changes?.apply();
  expect(shownIn(bench)?.flat()).toContain('waiting');
  await bench.chat.changes?.rejectAll('No.');
  const shards = [...(bench.store.logs.get('c1') ?? [])].map(([name, text]) => ({ name, text }));
  const { entries } = mergeShards(shards, digest);
  const staged = entries.find((each) => each.kind === 'changes-staged');
  const settled = entries.find((each) => each.kind === 'changes-settled');
  if (staged?.kind !== 'changes-staged' || settled?.kind !== 'changes-settled') throw new Error('Nothing was applied.');
  expect(settled.waiting).toHaveLength(1);
  for (const proposed of [staged.changes, settled.waiting]) {
    const changes = proposed.map((change) => ({ ...change, from: 'Scheme.md', movedFrom: 'Plan.md' }));
    expect(foldChanges([...entries, { ...staged, changes }], digest).pending).toBeNull();
  }
});

it('takes as long for each change that was taken back, however many were', async () => {
  const change = (id: string) => ({ id, from: null, to: `${id}.md`, base: null, edits: null, calls: [], taint: null });
  const body = { kind: 'changes-settled', by: 'user', reason: '', told: '' } as const;
  const none = { approved: {}, applied: [], results: [], failed: [], rejected: [] };
  const fold = (count: number): (() => unknown) => {
    const ids = Array.from({ length: count }, (_, at) => `c${at}`);
    const changeset = 's1';
    const waiting = ids.map(change);
    const entries = [
      ...ids.map((id) => entry({ kind: 'changes-staged', changeset, changes: [], dropped: [id] })),
      entry({ ...body, ...none, changeset, waiting }),
    ];
    return () => expect(foldChanges(entries, digest).pending).toBeNull();
  };
  await expectGrowthBelow(8, fold(24_000), fold(6_000));
});

it('keeps what the user has decided while entries of another device have the chat opened again', async () => {
  const files = { 'Plan.md': 'First.\n\n\nSecond.\n\n\nThird.\n' };
  const bench = await writingChat(
    { files },
    calls(call('r', 'read_note', { path: 'Plan.md' })),
    calls(edit('a', 'First', 'Primo'), edit('b', 'Third', 'Terzo')),
    done,
  );
  await bench.ask('Go.');
  const id = bench.chat.current.reviews?.[0]?.changes[0]?.change.id ?? '';
  bench.chat.changes?.decide(id, { hunk: 0 }, false, 'Not this one.');
  bench.chat.changes?.grant(id, true);
  const again = bench.chat.reopen(() => undefined);
  expect(again.current.reviews?.[0]?.changes[0]?.granted).toBe(true);
  expect(again.current.reviews?.[0]?.changes[0]?.decision).toMatchObject({ hunks: [1], reason: 'Not this one.' });
  await again.changes?.apply();
  expect(await bench.read('Plan.md')).toBe('First.\n\n\nSecond.\n\n\nTerzo.\n');
});
