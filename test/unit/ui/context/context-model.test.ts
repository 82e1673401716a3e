/** What an act on the list of the context makes the chat do. */
import type { Chat } from '../../../../src/core/chat/chat';
import { type ContextItem, type ItemAct, plainItem } from '../../../../src/core/context/compaction/list-items';
import { fail, succeed } from '../../../../src/core/ports/failure';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import type { Snapshot } from '../../../../src/core/session/entry';
import { targetOf } from '../../../../src/core/session/log-state';
import { words } from '../../../../src/text';
import { ContextState } from '../../../../src/ui/state/context-state';

type Calls = [name: string, ...given: unknown[]][];

/** What the chat was asked to do, by an act on an item, in a chat with two notes and a section that is off. */
async function callsOf(item: Pick<ContextItem, 'kind' | 'target' | 'label' | 'form'>, act: ItemAct): Promise<Calls> {
  const calls: Calls = [];
  const record =
    (name: string) =>
    (...given: unknown[]) => {
      calls.push([name, ...given]);
      const refused = fail({ kind: 'refused', words: 'No.', remedy: '' });
      return Promise.resolve(name === 'summarise' ? refused : succeed(undefined));
    };
  const chat = {
    choices: { contextNotes: ['A.md', 'B.md'], sectionsOff: ['memory'] },
    choose: record('choose'),
    summarise: record('summarise'),
    contextEvents: { change: record('change') },
  } as unknown as Chat;
  let settled = 0;
  await new ContextState(
    () => chat,
    () => (settled += 1),
  ).act(plainItem({ ...item, tokens: 1 }), act);
  expect(settled).toBe(1);
  return calls;
}

const result = { kind: 'result', target: targetOf.result('r1'), label: 'read_note', form: 'whole' } as const;
const note = { kind: 'note', target: targetOf.pinnedNote('A.md'), label: 'A.md', form: 'whole' } as const;
const section = { kind: 'section', target: targetOf.section('links'), label: 'links', form: 'whole' } as const;
const off = { kind: 'section', target: targetOf.section('memory'), label: 'memory', form: 'dropped' } as const;
const formOf = ({ target }: { readonly target: string }, form: string): Calls[number] => ['change', [{ target, form }]];

it.each<[string, Parameters<typeof callsOf>, Calls]>([
  ['sends a result in another form', [result, 'masked'], [formOf(result, 'masked')]],
  ['leaves a result out', [result, 'dropped'], [formOf(result, 'dropped')]],
  ['sends whole what is unpinned', [{ ...result, form: 'pinned' }, 'unpin'], [formOf(result, 'whole')]],
  ['pins a note that always goes along', [note, 'pinned'], [formOf(note, 'pinned')]],
  ['lets go of such a note', [note, 'dropped'], [['choose', { contextNotes: ['B.md'] }]]],
  ['turns a section off', [section, 'dropped'], [['choose', { sectionsOff: ['memory', 'links'] }]]],
  ['turns a section on again', [off, 'whole'], [['choose', { sectionsOff: [] }], formOf(off, 'whole')]],
  ['outlines a section that is on', [section, 'outline'], [formOf(section, 'outline')]],
  [
    'summarises up to a message',
    [{ ...result, kind: 'exchange', target: 'exchange:s1-4' }, 'summarise'],
    [['summarise', { upTo: 's1-4' }]],
  ],
])('R243 %s', async (_what, given, expected) => {
  expect(await callsOf(...given)).toEqual(expected);
});

const snapshot = { overall_goal: 'Launch the boat' } as unknown as Snapshot;
const edited = { overall_goal: 'Launch both boats' } as unknown as Snapshot;
const body = { snapshot, before: 900, after: 100 };

/** A chat with a summary in force, whose windows answer with these words. */
function summaries(answer: Snapshot | null, draft: object = body) {
  const done: unknown[] = [];
  const settled: unknown[] = [];
  const chat = {
    choices: {},
    summarise: (instructions: object) => Promise.resolve(succeed({ instructions, body: draft })),
    contextEvents: {
      inForce: { id: 'sum', snapshot },
      items: (...given: unknown[]) => given,
      accept: (...given: unknown[]) => Promise.resolve(succeed(void done.push('accept', ...given))),
      edit: (...given: unknown[]) => Promise.resolve(succeed(void done.push('edit', ...given))),
      undo: (...given: unknown[]) => Promise.resolve(succeed(void done.push('undo', ...given))),
    },
  };
  const model = new ContextState(
    () => chat as unknown as Chat,
    (outcome) => settled.push(outcome),
  );
  model.windows = {
    showList: () => undefined,
    editSnapshot: (shown) => {
      done.push(shown);
      return Promise.resolve(answer);
    },
  };
  return { model, chat, done, settled };
}

it('shows a summary with what it saves, and puts it in force in the words that were left', async () => {
  const { model, done, settled } = summaries(edited);
  await model.summarise({ focus: 'the keel' });
  expect(done).toEqual([
    { snapshot, effect: { before: 900, after: 100 }, notices: [] },
    'accept',
    { instructions: { focus: 'the keel' }, body },
    edited,
  ]);
  expect(settled).toEqual([succeed(undefined)]);
});

it('says beside a summary with which topic the rest begins, and what was not as asked', async () => {
  const { model, done } = summaries(null, { ...body, topic: 'Paint', notices: ['No model.'] });
  await model.summarise({});
  expect(done).toEqual([expect.objectContaining({ notices: [words.status.remainingTopic('Paint'), 'No model.'] })]);
});

it('says that a summary is of a chat that was left since, and leaves the failure of the other one', async () => {
  const { model, chat, done, settled } = summaries(edited);
  const drafting = chat.summarise({});
  let shown: object = Object.assign(chat, { id: 'one', summarise: () => drafting });
  const elsewhere = new ContextState(
    () => shown as Chat,
    (outcome) => settled.push(outcome),
  );
  elsewhere.windows = model.windows;
  const summarising = elsewhere.summarise({});
  shown = { id: 'two' };
  await summarising;
  expect(done).toEqual([
    expect.objectContaining({ notices: [words.status.snapshotElsewhere] }),
    ...['accept', { instructions: {}, body }, edited],
  ]);
  expect(settled).toEqual([]);
});

it('leaves everything as it is when the summary is left, or nobody shows it', async () => {
  const { model, done, settled } = summaries(null);
  await model.summarise({});
  await model.edit('sum');
  expect(done.filter((each) => typeof each === 'string')).toEqual([]);
  expect(settled).toEqual([succeed(undefined)]);
  model.windows = null;
  await model.summarise({});
  await model.edit('sum');
  expect(settled).toEqual([succeed(undefined), succeed(undefined)]);
});

it('changes and takes back the summary in force, and no other', async () => {
  const { model, chat, done, settled } = summaries(edited);
  expect([model.isInForce('sum'), model.isInForce('old')]).toEqual([true, false]);
  await model.edit('sum');
  await model.undo('sum');
  expect(done.splice(0)).toEqual([{ snapshot, effect: null, notices: [] }, 'edit', 'sum', edited, 'undo', 'sum']);
  expect(settled.splice(0)).toEqual([succeed(undefined), succeed(undefined)]);
  await model.edit('old');
  const { outdated, outdatedRemedy } = words.status;
  expect(settled.splice(0)).toEqual([fail({ kind: 'refused', words: outdated, remedy: outdatedRemedy })]);
  Object.assign(chat.contextEvents, { inForce: null });
  await model.edit('sum');
  expect([done, settled, model.isInForce('sum')]).toEqual([[], [], false]);
});

it('does nothing while no chat is open', async () => {
  const settled: unknown[] = [];
  const model = new ContextState(
    () => null,
    (outcome) => settled.push(outcome),
  );
  await model.summarise({});
  await model.edit('sum');
  await model.undo('sum');
  await model.act(plainItem({ ...result, tokens: 1 }), 'masked');
  const plan = {} as RequestPlan;
  expect([settled, model.items(plan), model.isInForce('sum')]).toEqual([[], [], false]);
  const { model: open, chat } = summaries(null);
  expect([open.items(null), open.items(plan)]).toEqual([[], [plan, chat.choices]]);
});
