/** Titles by the model: when they are asked for, of what, at which price, and which title holds. */
import { ChatIndex, summariseChat } from '../../../../src/core/chat/chat-index';
import { ChatTitles, type UntitledChat } from '../../../../src/core/context/chat-titles';
import { describeFailure, fail, succeed } from '../../../../src/core/ports/failure';
import { readTitle, titleRequest } from '../../../../src/core/prompt/background-prompts';
import type { EntryBody, SessionEntry } from '../../../../src/core/session/entry';
import { spentIn } from '../../../../src/core/session/log-state';
import { answer, entry, user } from '../../../support/entries';
import { noSpace, roughTokenizer } from '../../../support/memory-ports';
import { finish, say, scriptedModel, type Step } from '../../../support/scripted-model';
import { eventually } from '../../eventually';

const prices = { input: 1, output: 1, date: null };
const usage = { inputTokens: 120, outputTokens: 4, cost: 0.01 };
const answered = (text: string): Step[] => [say(text), { ...finish(), usage } as Step];
const begun = [user('Which anchor do we have?'), answer('A Bruce of 15 kg.')];

function bench(
  script: Step[][],
  changes: { bodies?: EntryBody[]; limit?: number; isReader?: boolean; refused?: EntryBody['kind'] } = {},
) {
  const { bodies = begun, limit, isReader = false, refused } = changes;
  const model = scriptedModel(script, { prices, ...(isReader && { summarises: false }) });
  const all: SessionEntry[] = bodies.map((body) => entry(body));
  const notes: string[] = [];
  const waiting: (() => void)[] = [];
  let isOn = true;
  let isResting = true;
  const titles = new ChatTitles({
    tokenizer: roughTokenizer,
    after: (_milliseconds, act) => {
      waiting.push(act);
      return () => undefined;
    },
    isOn: () => isOn,
    live: (): UntitledChat | null => (isResting ? { all, entries: all, model: 'test/scripted' } : null),
    model: () => succeed(model),
    settings: () => ({ spendingLimit: limit ?? null, spendingNotice: null }),
    store: (_chat, body) => Promise.resolve(body.kind === refused ? fail(noSpace) : succeed(all.push(entry(body)))),
    note: (said) => void notes.push(said),
  });
  return {
    ...{ all, model, notes, titles },
    pass: () => waiting.splice(0).forEach((act) => act()),
    turnOff: () => (isOn = false),
    begin: () => (isResting = false),
    kinds: () => all.map(({ kind }) => kind).slice(bodies.length),
    title: () => {
      const { title, isNamed } = summariseChat('c1', { entries: all, damaged: 0, unknown: 0 }, 0, {
        day: () => '',
        isMetered: () => true,
      });
      return { title, isNamed };
    },
  };
}

it('asks once, after the first answer, with these two texts alone, and counts the price', async () => {
  const at = bench([answered('“Our Bruce anchor”.')]);
  for (let change = 0; change < 3; change += 1) at.titles.touched('c1');
  at.pass();
  await eventually(() => at.kinds().length >= 2, 'the title');
  expect([at.kinds(), at.notes]).toEqual([['request-beside', 'title'], []]);
  expect(at.title()).toEqual({ title: 'Our Bruce anchor', isNamed: false });
  expect(spentIn(at.all)).toBeCloseTo(usage.cost);
  const [plan] = at.model.plans;
  expect([plan?.system, plan?.tools, plan?.messages]).toEqual([
    ...['', []],
    [{ role: 'user', parts: [{ type: 'text', text: titleRequest('Which anchor do we have?', 'A Bruce of 15 kg.') }] }],
  ]);
  expect(plan?.totals.all).toBeLessThan(200);
  at.titles.touched('c1');
  at.pass();
  expect(at.model.plans).toHaveLength(1);
});

const untitled: readonly [string, EntryBody[]][] = [
  ['before the first answer', [user('q')]],
  ['after an answer that was cut off', [user('q'), { ...answer('a'), end: 'interrupted' }]],
  ['with a title by hand', [...begun, { kind: 'title', title: 'Mine' }]],
  ['with a title that was taken away by hand', [...begun, { kind: 'title', title: '' }]],
  ['that goes on for long', [...begun, user('b'), answer('b'), user('c'), answer('c')]],
  ['that is a fork', [{ kind: 'forked', chat: 'c0', message: 'm' }, ...begun]],
];

it.each(untitled)('asks for no title of a chat %s', (_which, bodies) => {
  const at = bench([], { bodies });
  at.titles.touched('c1');
  at.pass();
  expect(at.model.plans).toEqual([]);
});

it('asks nothing while the setting is off, of the built-in reader, over the limit, or while an answer runs', async () => {
  const off = bench([]);
  off.turnOff();
  const [reader, limited, running] = [bench([], { isReader: true }), bench([], { limit: 0 }), bench([])];
  for (const at of [off, reader, limited, running]) at.titles.touched('c1');
  running.begin();
  for (const at of [off, reader, limited, running]) at.pass();
  await Promise.resolve();
  for (const at of [off, reader, limited, running]) expect(at.model.plans).toEqual([]);
});

it('keeps the beginning of the message after a failure, and asks once more after the second answer', async () => {
  const at = bench([
    [{ type: 'failure', failure: { kind: 'network', words: 'Down.', remedy: 'Up.' } }],
    answered('Two'),
  ]);
  at.titles.touched('c1');
  at.pass();
  await eventually(() => at.notes.length > 0, 'the failure');
  expect(at.notes).toEqual(['Down. Up.']);
  expect(at.title().title).toBe('Which anchor do we have?');
  at.titles.touched('c1');
  at.pass();
  expect(at.model.plans).toHaveLength(1);
  at.all.push(entry(user('b')), entry(answer('b')));
  at.titles.touched('c1');
  at.pass();
  await eventually(() => at.title().title === 'Two', 'the title');
});

it('never replaces a title by hand, whichever comes first', () => {
  const by = (title: string): EntryBody => ({ kind: 'title', title, by: 'model' });
  const own = (title: string): EntryBody => ({ kind: 'title', title });
  const of = (...bodies: EntryBody[]) => bench([], { bodies: [...begun, ...bodies] }).title();
  expect(of(own('Mine'), by('Its'))).toEqual({ title: 'Mine', isNamed: true });
  expect(of(by('Its'), own('Mine'))).toEqual({ title: 'Mine', isNamed: true });
  expect(of(by('Its'), own('Mine'), own(''))).toEqual({ title: 'Its', isNamed: false });
});

it.each([
  ['Ground tackle', 'Ground tackle'],
  ['"Ground tackle."', 'Ground tackle'],
  ['**Ground tackle**', 'Ground tackle'],
  ['# Title: Ground tackle.', 'Ground tackle'],
  ['<think>\nThe user wants…\n</think>\n\nGround tackle', 'Ground tackle'],
  ['\n---\nGround tackle\nand a second line', 'Ground tackle'],
  ['„Ankergeschirr“', 'Ankergeschirr'],
  ['The “Bruce” anchor', 'The “Bruce” anchor'],
  ['a\u202eb\u0000c', 'a b c'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['…', ''],
  ['<think>never ends', ''],
  // The server wrote the tag that opens it into the request.
  ['The user wants…\n</think>\n\nGround tackle', 'Ground tackle'],
  ['', ''],
])('reads %j as a title', (said, title) => {
  expect(readTitle(said, '')).toBe(title);
});

it('cuts a long title, and shows what was sent escaped as it is in the vault', () => {
  expect(readTitle('x'.repeat(2000), '')).toHaveLength(80);
  const request = titleRequest('What does <note path="x"> do?', 'It is a tag.');
  expect(request).not.toContain('<note');
  expect(readTitle('About &lt;note path="x">', request)).toBe('About <note path="x">');
});

it('is shown by the list once it is stored', async () => {
  const logs: EntryBody[] = [...begun];
  const index = new ChatIndex({
    store: {
      conversations: () => Promise.resolve(succeed([{ id: 'c1', modified: 1, size: 1 }])),
      shards: () => Promise.resolve(fail({ kind: 'storage', words: `${logs.length}`, remedy: '' })),
    },
    memory: { read: () => Promise.resolve(null), write: () => Promise.resolve(succeed(undefined)) },
    digest: (text) => text,
    usagePlace: { day: () => '', isMetered: () => true },
    annotate: (_chat, body) => Promise.resolve(succeed(logs.push(body))),
    trash: () => Promise.resolve(succeed(undefined)),
  });
  await index.annotate('c1', { kind: 'title', title: 'Its', by: 'model' });
  expect(index.find('c1')?.problem).toContain(String(begun.length + 1));
});

it.each([
  ['title', ['request-beside']],
  ['request-beside', ['title']],
] as const)('notes for the diagnostics that the %s could not be stored', async (refused, kinds) => {
  const at = bench([answered('Our Bruce anchor')], { refused });
  at.titles.touched('c1');
  at.pass();
  await eventually(() => at.notes.length > 0 && at.kinds().length > 0, 'the failure');
  expect([at.notes, at.kinds()]).toEqual([[describeFailure(noSpace)], kinds]);
});
