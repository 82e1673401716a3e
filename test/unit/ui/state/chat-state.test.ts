/** @jest-environment jsdom */
/** What the open chat does with its draft, its queue, and its failures. */
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import type { Chat } from '../../../../src/core/chat/chat';
import type { ChatState, Outgoing } from '../../../../src/core/chat/chat-view-state';
import type { TranscriptItem } from '../../../../src/core/chat/transcript';
import { type Failure, fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import type { Mention } from '../../../../src/core/session/entry';
import { words } from '../../../../src/text';
import { OpenChatState } from '../../../../src/ui/state/chat-state';
import { readDraft } from '../../../../src/ui/state/draft';
import { scriptedModel } from '../../../support/scripted-model';
import { eventually } from '../../eventually';
import { openComposer } from '../chat/open-composer';

const refused: Failure = { kind: 'refused', words: 'No room.', remedy: '' };
const note = (label: string, more: Partial<Mention> = {}): Mention => ({
  ...{ kind: 'note', id: `${label}.md`, label },
  ...more,
});
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** A chat that records what is asked of it. */
function fakeChat(id: string) {
  const done: string[] = [];
  const outcomes = { choose: succeed(undefined) as Outcome<unknown>, send: succeed(undefined) as Outcome<unknown> };
  const current: ChatState = {
    ...{ items: [], live: null, running: false, summarising: false, queued: [], plan: null, damaged: 0 },
  };
  const queue: { readonly waiting: Outgoing[] } = { waiting: [] };
  const chat = {
    ...{ id, current, isIdle: true, goals: null, changes: null },
    choices: { model: 'p/one', selectedPrompt: null, selectedWorkspace: null, permission: 'review' },
    contextEvents: { inForce: null, items: () => [], undo: () => Promise.resolve(outcomes.choose) },
    subscribe: () => () => undefined,
    preview: () => Promise.resolve(fail(refused)),
    send: (text: string) => {
      done.push(`send ${text}`);
      return Promise.resolve(outcomes.send);
    },
    choose: (chosen: object) => {
      done.push(`choose ${JSON.stringify(chosen)}`);
      return Promise.resolve(outcomes.choose);
    },
    stop: () => queue.waiting.splice(0),
    withdraw: (message: Outgoing) => {
      done.push(`withdraw ${message.text}`);
      return message.text !== 'being sent';
    },
    sendNow: ({ text }: Outgoing) => done.push(`now ${text}`),
    moveQueued: ({ text }: Outgoing, by: number) => done.push(`move ${text} ${by}`),
    resend: () => done.push('resend'),
    answerQuestion: (question: string, isAllowed: boolean) => done.push(`answer ${question} ${isAllowed}`),
  };
  return { chat: chat as unknown as Chat, done, outcomes, queue };
}

const opened: OpenChatState[] = [];

async function open(...chats: readonly ReturnType<typeof fakeChat>[]) {
  const { model: donor } = await openComposer({ 'A.md': '', 'B.md': '' });
  const asked: string[] = [];
  const find = (id: string | null): Promise<Outcome<Chat>> => {
    const found = chats.find(({ chat }) => chat.id === id);
    return Promise.resolve(found === undefined ? fail(refused) : succeed(found.chat));
  };
  const models = {
    ...donor.ports.models,
    allowAsked: ({ words: said }: Failure) => asked.push(`allow ${said}`) > 0,
    callToolsInText: (name: string) => Promise.resolve(void asked.push(`in text ${name}`)),
  };
  const model = new OpenChatState(
    { ...donor.ports, models, chats: { ...donor.ports.chats, open: find } } as OpenChatState['ports'],
    window,
  );
  opened.push(model);
  await model.open(chats[0]?.chat.id ?? null);
  return { model, asked };
}

beforeEach(() => createTestApp({ bare: true }));
afterEach(async () => {
  for (const model of opened.splice(0)) model.close();
  await closeTestApps();
});
passTimeQuickly();

const message = (text: string, ...mentions: readonly Mention[]): Outgoing => ({ text, mentions }) as Outgoing;

describe('the queue', () => {
  it('is changed message by message, and what is edited comes before what was written since', async () => {
    const one = fakeChat('a');
    const { model } = await open(one);
    model.setText('Later.');
    model.changeQueue(message('First.'), 'now');
    model.changeQueue(message('First.'), 'up');
    model.changeQueue(message('First.'), 'down');
    model.changeQueue(message('First.'), 'remove');
    expect(model.text.value).toBe('Later.');
    model.changeQueue(message('See [[A]].', note('A')), 'edit');
    expect([model.text.value, model.mentions.value]).toEqual(['See [[A]].\n\nLater.', [note('A')]]);
    model.changeQueue(message('being sent'), 'edit');
    expect(model.text.value).toBe('See [[A]].\n\nLater.');
    expect(one.done).toEqual([
      ...['now First.', 'move First. -1', 'move First. 1', 'withdraw First.', 'withdraw See [[A]].'],
      'withdraw being sent',
    ]);
  });

  it('comes back into the draft when the answer is stopped', async () => {
    const one = fakeChat('a');
    const { model } = await open(one);
    model.setText('Later.');
    model.stop();
    expect(model.text.value).toBe('Later.');
    one.queue.waiting.push(message('One.'), message('Two.'));
    model.stop();
    expect(model.text.value).toBe('One.\n\nTwo.\n\nLater.');
  });

  it('is left alone without a chat', async () => {
    const { model, asked } = await open();
    model.changeQueue(message('First.'), 'now');
    model.stop();
    model.resend();
    await model.resendWith('p/two');
    await model.callToolsInText();
    await model.sendWithoutDraft('Hi', []);
    expect([asked, await model.choose({ model: 'p/two' })]).toEqual([[], false]);
    expect([model.chatId, model.next, model.openChat, model.choices]).toEqual([null, null, null, null]);
  });
});

describe('the draft', () => {
  it('loses the one mention that is removed, with its text', async () => {
    const { model } = await open(fakeChat('a'));
    const [a, b] = [note('A'), note('B')];
    model.setText('See [[A]] and [[B]].', [a, b]);
    model.removeMention(model.mentions.value[0]!);
    expect(model.mentions.value).toEqual([b]);
    expect(model.text.value).not.toContain('[[A]]');
    expect(model.text.value).toContain('[[B]]');
  });

  it('has one mention attached whole, and as its outline again', async () => {
    const { model } = await open(fakeChat('a'));
    model.setText('See [[A]] and [[B]].', [note('A'), note('B')]);
    model.attachWhole(model.mentions.value[1]!, true);
    expect(model.mentions.value).toEqual([note('A'), note('B', { form: 'whole' })]);
    model.attachWhole(model.mentions.value[1]!, false);
    expect(model.mentions.value).toEqual([note('A'), note('B')]);
  });

  it('has what is added to it on a line of its own', async () => {
    const { model } = await open(fakeChat('a'));
    model.addToDraft('[[A]]', [note('A')]);
    model.addToDraft('[[B]]', [note('B')]);
    expect([model.text.value, model.mentions.value]).toEqual(['[[A]]\n[[B]]', [note('A'), note('B')]]);
    model.setText('Look:  \n', []);
    model.addToDraft('[[B]]', [note('B')]);
    expect(model.text.value).toBe('Look:\n[[B]]');
  });

  it('is sent without the spaces around it, and only if it says something', async () => {
    const one = fakeChat('a');
    const { model } = await open(one);
    model.setText('  \n');
    expect(model.canSend).toBe(false);
    await model.send();
    model.setText('  Which oak?  ');
    expect(model.canSend).toBe(true);
    await model.send();
    expect([one.done, model.text.value]).toEqual([['send Which oak?'], '']);
  });

  it('comes back if it could not be stored, before what was written since, and can be sent again', async () => {
    const one = fakeChat('a');
    const { model } = await open(one);
    one.outcomes.send = fail(refused);
    model.setText('Which oak?');
    const sending = model.send();
    await Promise.resolve();
    await sending;
    expect([model.text.value, model.failure.value]).toEqual(['Which oak?', refused]);
    one.outcomes.send = succeed(undefined);
    model.againAfter(refused)?.();
    await settle();
    expect([model.text.value, model.failure.value, one.done.length]).toEqual(['', null, 2]);
  });
});

it('keeps what is typed while a long chat is being read for that chat, whichever is opened next', async () => {
  const chats = ['a', 'b'].map(fakeChat);
  const { model } = await open(...chats);
  let read = (): void => {};
  const find = async (id: string | null, showEnd?: (items: []) => Promise<void>): Promise<Outcome<Chat>> => {
    if (id === 'b') {
      await showEnd?.([]);
      await new Promise<void>((resolve) => (read = resolve));
    }
    return succeed(chats[id === 'b' ? 1 : 0]!.chat);
  };
  Object.assign(model.ports.chats, { open: find });
  void model.open('b');
  await settle();
  expect([model.chatId, model.shownId]).toEqual([null, 'b']);
  model.setText('Of the second.');
  await model.open('a');
  expect([model.chatId, model.text.value]).toEqual(['a', '']);
  const opening = model.open('b');
  await new Promise((resolve) => setTimeout(resolve, 200));
  read();
  await opening;
  expect([model.chatId, model.text.value]).toEqual(['b', 'Of the second.']);
});

/** Opens two chats, the first of which has not stored its message yet. */
async function sendUnstored() {
  const [one, two] = [fakeChat('a'), fakeChat('b')];
  let end = (_outcome: Outcome<unknown>): void => {};
  Object.assign(one.chat, { send: () => new Promise((resolve) => (end = resolve)) });
  const { model } = await open(one, two);
  model.setText('Which oak?');
  const sent = model.send();
  await settle();
  return { two, model, sent, end: (outcome: Outcome<unknown>) => end(outcome) };
}

describe('what is typed while the message before it is being stored', () => {
  async function sendSlowly() {
    const { model, sent, end } = await sendUnstored();
    model.setText('And which elm?');
    return { model, end: (outcome: Outcome<unknown>) => (end(outcome), sent) };
  }

  it('is the draft of its chat, although another one was opened meanwhile', async () => {
    const { model, end } = await sendSlowly();
    await model.open('b');
    await end(succeed(undefined));
    await model.open('a');
    expect(model.text.value).toBe('And which elm?');
  });

  it('follows the message that could not be stored', async () => {
    const { model, end } = await sendSlowly();
    await model.open('b');
    await end(fail(refused));
    await model.open('a');
    expect(model.text.value).toBe('Which oak?\n\nAnd which elm?');
  });

  it('comes back alone when its chat is opened again before that is stored', async () => {
    const { model, end } = await sendSlowly();
    await model.open('b');
    await model.open('a');
    expect(model.text.value).toBe('And which elm?');
    await end(succeed(undefined));
    expect(model.text.value).toBe('And which elm?');
  });
});

it('stores what is typed after two messages that are being stored at the same time', async () => {
  const [one, two] = [fakeChat('a'), fakeChat('b')];
  const ends: ((outcome: Outcome<unknown>) => void)[] = [];
  Object.assign(one.chat, { send: () => new Promise((resolve) => ends.push(resolve)) });
  const { model } = await open(one, two);
  const sendSlowly = async (text: string): Promise<{ readonly sent: Promise<void> }> => {
    model.setText(text);
    const sent = model.send();
    await settle();
    return { sent };
  };
  const [first, second] = [await sendSlowly('Which oak?'), await sendSlowly('Which elm?')];
  model.setText('Which ash?');
  // The second one waits for an answer, and is stored at once.
  ends[1]?.(succeed(undefined));
  await second.sent;
  await model.open('b');
  ends[0]?.(succeed(undefined));
  await first.sent;
  await model.open('a');
  expect(model.text.value).toBe('Which ash?');
});

it('shows the failure of a chat although a message of another one was stored since', async () => {
  const { two, model, sent, end } = await sendUnstored();
  await model.open('b');
  two.outcomes.choose = fail(refused);
  await model.choose({ model: 'p/two' });
  end(succeed(undefined));
  await sent;
  expect(model.failure.value).toBe(refused);
});

it('is stored, and counted, although the window that its view was opened in is closed', async () => {
  const one = fakeChat('a');
  const { model } = await open(one);
  const closed = { setTimeout: () => 1, clearTimeout: () => undefined } as unknown as Window;
  const moved = new OpenChatState(model.ports, closed);
  opened.push(moved);
  await moved.open('a');
  const counted = jest.spyOn(one.chat, 'preview');
  moved.setText('Typed there and here.');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await readDraft(moved, 'a')).toMatchObject({ text: 'Typed there and here.' });
  expect(counted).toHaveBeenCalled();
});

describe('the draft of a chat that is open twice', () => {
  const stored = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));
  async function openTwice() {
    const one = fakeChat('a');
    const { model } = await open(one, fakeChat('b'));
    const other = new OpenChatState(model.ports, window);
    opened.push(other);
    await other.open('a');
    return { model, other };
  }

  it('stays as it was typed in one view when the other one is closed', async () => {
    const { model, other } = await openTwice();
    model.setText('Which oak?');
    await stored();
    other.close();
    await other.open('a');
    expect(other.text.value).toBe('Which oak?');
  });

  it('is the same in both views, whichever it is typed in, and goes from both when it is sent', async () => {
    const { model, other } = await openTwice();
    model.setText('See [[A]].', [note('A')]);
    await stored();
    expect([other.text.value, other.mentions.value]).toEqual(['See [[A]].', [note('A')]]);
    other.setText('See [[A]] there.');
    await stored();
    expect([model.text.value, model.mentions.value]).toEqual(['See [[A]] there.', [note('A')]]);
    await other.send();
    expect([model.text.value, other.text.value]).toEqual(['', '']);
    await stored();
    expect(await readDraft(model, 'a')).toEqual({ text: '', mentions: [] });
  });

  it('is not replaced where something is being typed, nor in another chat', async () => {
    const { model, other } = await openTwice();
    model.setText('Which oak?');
    await new Promise((resolve) => setTimeout(resolve, 100));
    other.setText('Which elm?');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(other.text.value).toBe('Which elm?');
    await other.open('b');
    model.setText('Which ash?');
    await stored();
    expect(other.text.value).toBe('');
  });

  it('is sent in one view, and does not come back from the other', async () => {
    const { model } = await openTwice();
    model.setText('Which oak?');
    await stored();
    const other = new OpenChatState(model.ports, window);
    opened.push(other);
    await other.open('a');
    await model.send();
    await other.open('b');
    await other.open('a');
    expect(other.text.value).toBe('');
  });
});

describe('a failed answer', () => {
  it('is asked for again by another model only once that is chosen', async () => {
    const one = fakeChat('a');
    const { model } = await open(one);
    one.outcomes.choose = fail(refused);
    await model.resendWith('p/two');
    expect([one.done, model.failure.value]).toEqual([['choose {"model":"p/two"}'], refused]);
    one.outcomes.choose = succeed(undefined);
    await model.resendWith('p/two');
    expect([one.done.slice(1), model.failure.value]).toEqual([['choose {"model":"p/two"}', 'resend'], null]);
  });

  it('is asked for again with calls as text, or once its address is allowed', async () => {
    const one = fakeChat('a');
    const { model, asked } = await open(one);
    await model.callToolsInText();
    model.allowSending(refused);
    await model.goOn();
    expect(asked).toEqual(['in text p/one', 'allow No room.']);
    expect(one.done).toEqual(['resend', 'resend', `send ${words.chatView.goOnMessage}`]);
  });

  it('is shown until an act succeeds; one that the user broke off is no failure', async () => {
    const one = fakeChat('a');
    const { model } = await open(one);
    one.outcomes.choose = fail(refused);
    await model.context.undo('s');
    expect(model.failure.value).toBe(refused);
    one.outcomes.choose = fail({ ...refused, kind: 'aborted' });
    await model.context.undo('s');
    expect(model.failure.value).toBeNull();
    one.outcomes.choose = fail(refused);
    await model.context.undo('s');
    one.outcomes.choose = succeed(undefined);
    await model.context.undo('s');
    expect(model.failure.value).toBeNull();
    expect(model.showOutcome(fail(refused))).toBe(false);
    expect([model.againAfter(refused), model.showOutcome(succeed(1)), model.failure.value]).toEqual([
      ...[undefined, true, null],
    ]);
  });

  it('leads to the chat that was asked for once it can be opened', async () => {
    const one = fakeChat('a');
    const { model } = await open(one);
    await model.open('b');
    expect([model.failure.value, model.chatId]).toEqual([refused, 'a']);
    await model.open('a');
    expect([model.failure.value, model.chatId, model.shownId]).toEqual([null, 'a', 'a']);
  });
});

it('keeps the draft of each chat, and what is typed before the first is open', async () => {
  const [one, two] = [fakeChat('a'), fakeChat('b')];
  const { model } = await open(one, two);
  model.setText('Of the first.');
  await model.open('b');
  expect(model.text.value).toBe('');
  model.setText('Of the second.');
  await model.open('a');
  expect(model.text.value).toBe('Of the first.');
  await model.open('a');
  await model.open('b');
  expect(model.text.value).toBe('Of the second.');
});

it('shows the end of a long chat while the rest is read, as one at rest of which nothing is missing', async () => {
  const [one, two] = [fakeChat('a'), fakeChat('b')];
  const { model } = await open(one, two);
  const items: readonly TranscriptItem[] = [{ type: 'user', id: 'u', text: 'Which oak?', mentions: [] }];
  let read = (): void => {};
  const find = async (
    _id: string | null,
    showEnd?: (items: readonly TranscriptItem[]) => Promise<void>,
  ): Promise<Outcome<Chat>> => {
    const reading = new Promise<void>((resolve) => (read = resolve));
    await showEnd?.(items);
    await reading;
    return succeed(two.chat);
  };
  const reported: string[] = [];
  Object.assign(model.ports.chats, { open: find });
  Object.assign(model.ports, { report: (said: string) => reported.push(said) });
  const opening = model.open('b');
  await settle();
  const { live: _live, ...atRest } = one.chat.current;
  expect(model.state.value).toEqual({ ...atRest, items, isReading: true });
  expect([model.live.value, model.preview.value, model.place.value]).toEqual([null, null, null]);
  // Why an image cannot be sent may be known before all is read.
  model.showOutcome(fail(refused), undefined, 'b');
  expect([model.failure.value, reported]).toEqual([refused, []]);
  read();
  await opening;
  expect(model.failure.value).toEqual(refused);
  expect([model.state.value, model.chatId]).toEqual([two.chat.current, 'b']);
});

it('plans the next request again once nobody types, and for no chat that is left', async () => {
  const one = fakeChat('a');
  const asked: { readonly text: string; readonly signal: AbortSignal }[] = [];
  const ends: ((outcome: Outcome<RequestPlan>) => void)[] = [];
  const preview = (text: string, _mentions: unknown, signal: AbortSignal): Promise<Outcome<RequestPlan>> => {
    asked.push({ text, signal });
    return new Promise((resolve) => ends.push(resolve));
  };
  Object.assign(one.chat, { preview });
  const { model } = await open(one, fakeChat('b'));
  const plan = { conversationId: 'a' } as RequestPlan;
  await eventually(() => asked.length === 1, 'the first plan');
  for (const text of ['W', 'Wh', 'Which oak?']) model.setText(text);
  await eventually(() => asked.length === 2, 'the second plan');
  expect(asked.map(({ text, signal }) => [text, signal.aborted])).toEqual([
    ['', true],
    ['Which oak?', false],
  ]);
  ends[0]?.(succeed({ ...plan, conversationId: 'old' }));
  ends[1]?.(succeed(plan));
  await settle();
  expect(model.preview.value).toEqual(plan);
  model.setText('Which elm?');
  await eventually(() => asked.length === 3, 'the third plan');
  await model.open('b');
  expect(asked[2]?.signal.aborted).toBe(true);
  ends[2]?.(succeed({ ...plan, conversationId: 'late' }));
  await settle();
  expect(model.preview.value?.conversationId).not.toBe('late');
});

it('sends a message to its chat as it is with what another device has added, and looks at no other chat', async () => {
  const one = fakeChat('a');
  const { model } = await open(one, fakeChat('b'));
  const look = (chats: readonly string[]): Promise<void> => {
    one.done.push(`look at ${chats.join()}`);
    return Promise.resolve();
  };
  Object.assign(model.ports.chats, { look });
  model.setText('Oak?');
  await model.send();
  expect(one.done).toEqual(['look at a', 'send Oak?']);
});

it('plans the next request again when another view of the chat has stored something in it', async () => {
  const { model: donor } = await openComposer({ 'A.md': '' }, scriptedModel([]));
  const shared = await donor.ports.chats.open('c1');
  const chats = { ...donor.ports.chats, open: () => Promise.resolve(shared) };
  const [one, other] = [0, 1].map(() => new OpenChatState({ ...donor.ports, chats }, window)) as [
    OpenChatState,
    OpenChatState,
  ];
  opened.push(one, other);
  await one.open('c1');
  await other.open('c1');
  await eventually(() => other.preview.value !== null, 'the first plan');
  const before = other.preview.value?.system;
  await one.choose({ tier: 1 });
  await eventually(() => one.preview.value?.system !== before, 'the plan of the view that chose');
  await eventually(() => other.preview.value?.system === one.preview.value?.system, 'the plan of the other view');
});

it('shows why a change of the goals failed, tries it again, and plans the next request once it holds', async () => {
  const one = fakeChat('a');
  const two = fakeChat('b');
  const goals = { name: 'of the first' };
  Object.assign(one.chat, { goals });
  const { model } = await open(one, two);
  const plan = jest.spyOn(one.chat, 'preview');
  const given: unknown[] = [];
  let outcome: Outcome<unknown> = fail(refused);
  const change = (to: unknown): Promise<Outcome<unknown>> => {
    given.push(to);
    return Promise.resolve(outcome);
  };
  await eventually(() => plan.mock.calls.length === 1, 'the first plan');
  await model.changeGoals(change);
  expect([given, model.failure.value]).toEqual([[goals], refused]);
  await eventually(() => plan.mock.calls.length === 2, 'the second plan');
  outcome = succeed(undefined);
  model.againAfter(refused)?.();
  await settle();
  expect([given, model.failure.value]).toEqual([[goals, goals], null]);
  outcome = fail(refused);
  await model.open('b');
  await model.changeGoals(change);
  expect(given).toHaveLength(2);
  const { goals: none } = model;
  await model.changeGoals(change, goals as unknown as NonNullable<typeof none>);
  expect([given.length, model.failure.value]).toEqual([3, null]);
});

it('makes the first templates of the user’s own mode only once the chat is in that mode', async () => {
  const one = fakeChat('a');
  const { model } = await open(one);
  const started = jest.spyOn(model.ports.ownPrompt, 'startOwnMode');
  await model.choose({ mode: 'assistant' });
  one.outcomes.choose = fail(refused);
  await model.choose({ mode: 'user' });
  expect(started).not.toHaveBeenCalled();
  one.outcomes.choose = succeed(undefined);
  await model.choose({ mode: 'user' });
  expect(started).toHaveBeenCalledTimes(1);
});

it('finds the branch of a place before it is scrolled to', async () => {
  const one = fakeChat('a');
  const { model } = await open(one);
  const place = { message: 'u7', isAnswer: true };
  Object.assign(one.chat, {
    showEntry: (entry: string) =>
      Promise.resolve(one.done.push(`find ${entry} with ${JSON.stringify(model.place.value)}`)),
  });
  await model.showPlace(place);
  expect([one.done, model.place.value]).toEqual([['find u7 with null'], place]);
});

it('goes on with the chat as it was read again, and with no other one', async () => {
  const one = fakeChat('a');
  let reopen = (_chat: Chat): void => {};
  let listening = 0;
  const subscribe = () => {
    listening += 1;
    return () => void (listening -= 1);
  };
  Object.assign(one.chat, { subscribe });
  const { model } = await open(one);
  Object.assign(model.ports.chats, { onReopened: (listener: typeof reopen) => ((reopen = listener), () => undefined) });
  await model.open('a');
  expect(listening).toBe(1);
  model.setText('Half a thought');
  const [again, other] = [fakeChat('a'), fakeChat('b')];
  const items = [{ type: 'user', id: 'u1', text: 'Of the phone.', mentions: [] }] as unknown as TranscriptItem[];
  for (const { chat } of [again, other]) Object.assign(chat, { current: { ...chat.current, items }, subscribe });
  reopen(other.chat);
  expect([model.state.value?.items, listening]).toEqual([[], 1]);
  reopen(again.chat);
  expect([model.state.value?.items, listening, model.text.value]).toEqual([items, 1, 'Half a thought']);
  await model.choose({ model: 'p/two' });
  expect([one.done, again.done]).toEqual([[], ['choose {"model":"p/two"}']]);
});

it('shows no end of a chat of which the rest cannot be read', async () => {
  const { model } = await open(fakeChat('a'));
  const items = [{ type: 'user', id: 'u1', text: 'The end.', mentions: [] }] as unknown as TranscriptItem[];
  Object.assign(model.ports.chats, {
    open: async (_id: string, showEnd: (items: readonly TranscriptItem[]) => Promise<void>) => {
      await showEnd(items);
      return fail(refused);
    },
  });
  const opening = model.open('b');
  await settle();
  expect(model.state.value?.items).toEqual(items);
  await opening;
  expect([model.state.value, model.shownId]).toEqual([null, null]);
});

it.each([
  [['user'], 'Which oak?'],
  [['answer', 'user', 'notice'], 'Which oak?'],
  [['user', 'answer', 'notice'], ''],
])('starts over after %j with the draft %j', async (types, draft) => {
  const [one, two] = [fakeChat('a'), fakeChat('b')];
  const items = types.map((type) => ({ type, id: type, text: 'Which oak?', mentions: [] }));
  Object.assign(one.chat, { current: { ...one.chat.current, items } });
  const { model } = await open(one);
  Object.assign(model.ports.chats, { open: () => Promise.resolve(succeed(two.chat)) });
  await model.startOver();
  expect([model.chatId, model.text.value]).toEqual(['b', draft]);
});
