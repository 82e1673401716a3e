/** @jest-environment jsdom */
/** What the chat view keeps separate for each chat, and what it protects from being lost. */
import { signal } from '@preact/signals';
import { type ComponentChild, type ComponentProps, render } from 'preact';
import { act } from 'preact/test-utils';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import type { Chat } from '../../../../src/core/chat/chat';
import type { ChatState } from '../../../../src/core/chat/chat-view-state';
import type { CheckResult } from '../../../../src/core/diagnostics/check';
import type { AnswerItem, TranscriptItem } from '../../../../src/core/chat/transcript';
import { fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import type { ApprovalRequest } from '../../../../src/core/ports/network';
import { words } from '../../../../src/text';
import { ChatRoot } from '../../../../src/ui/chat/mounted-chat';
import { IndexNotice, InstructionsNotice, ProblemNotice, UntrustedNotice } from '../../../../src/ui/chat/notices';
import { type ChatListHost, ChatListState } from '../../../../src/ui/chats/chat-list-state';
import { OpenChatState } from '../../../../src/ui/state/chat-state';
import { goalBench } from '../../../support/goals';
import { noSpace } from '../../../support/memory-ports';
import { drawInApps, openComposer } from './open-composer';

const question = { type: 'user', id: 'u', text: 'Which?', mentions: [] } as const;
const formatToolResult = (view: object): AnswerItem => ({
  type: 'answer',
  id: 'a',
  end: 'complete',
  model: 'test',
  parts: [
    {
      type: 'tool-call',
      callId: 'c',
      name: 'ask_user',
      argumentsText: '{}',
      result: { text: '', isError: false, sources: [], view: view as never },
    },
  ],
});

interface FakeChat {
  readonly chat: Chat;
  readonly done: string[];
  sends: (text: string) => Promise<Outcome<unknown>>;
  chooses: Outcome<unknown> | Promise<Outcome<unknown>>;
  /** Asks the user before calls, from now on. */
  asks: (...questions: ApprovalRequest[]) => void;
}

function fakeChat(id: string, choices: object, ...items: readonly TranscriptItem[]): FakeChat {
  const done: string[] = [];
  const current: ChatState = {
    items,
    live: null,
    running: false,
    summarising: false,
    queued: [],
    plan: null,
    damaged: 0,
  };
  const chat = {
    id,
    choices,
    current,
    goals: null,
    changes: null,
    contextEvents: { inForce: null, items: () => [] },
    subscribe: (listener: (state: ChatState) => void) => {
      fake.asks = (...questions) => listener({ ...current, running: true, questions });
      return () => undefined;
    },
    answerQuestion: (asked: string, isAllowed: boolean) => void done.push(`answer ${asked} ${isAllowed}`),
    preview: () => Promise.resolve(fail(noSpace)),
    send: (text: string) => {
      done.push(`send ${text}`);
      return fake.sends(text);
    },
    choose: (chosen: object) => {
      done.push(`choose ${JSON.stringify(chosen)}`);
      return Promise.resolve(fake.chooses);
    },
  };
  const fake: FakeChat = {
    chat: chat as unknown as Chat,
    done,
    sends: () => Promise.resolve(succeed(undefined)),
    chooses: succeed(undefined),
    asks: () => undefined,
  };
  return fake;
}

let root: HTMLElement;
const settle = (): Promise<void> => act(() => new Promise((resolve) => setTimeout(resolve, 20)));
const buttons = (name: string): HTMLButtonElement[] =>
  [...root.querySelectorAll('button')].filter(({ textContent }) => textContent === name);

/** Opens a chat view over these chats, found by their ids. */
async function openChatView(
  make: (choices: object) => readonly FakeChat[],
  more: Partial<ComponentProps<typeof ChatRoot>> = {},
) {
  const { model: donor } = await openComposer({});
  const chats = make(donor.choices ?? {});
  const open = (id: string | null): Promise<Outcome<Chat>> => {
    const found = chats.find(({ chat }) => chat.id === id);
    return Promise.resolve(found === undefined ? fail(noSpace) : succeed(found.chat));
  };
  const ports = { ...donor.ports, chats: { ...donor.ports.chats, open } };
  const model = new OpenChatState(ports, window);
  await model.open(chats[0]?.chat.id ?? null);
  root = document.body.createDiv();
  const nothing = (): void => {};
  act(() =>
    render(
      <ChatRoot
        model={model}
        onNewChat={nothing}
        onStartClean={() => Promise.resolve()}
        onInspect={nothing}
        onContext={nothing}
        onDiagnose={nothing}
        {...more}
      />,
      root,
    ),
  );
  await settle();
  return { model, chats };
}

drawInApps(() => root);
passTimeQuickly();

it('says of a chat of which no line can be read that it is there, and does not welcome to a new one', async () => {
  await openChatView((choices) => {
    const damaged = fakeChat('a', choices);
    Object.assign(damaged.chat, { current: { ...damaged.chat.current, damaged: 2 } });
    return [damaged];
  });
  expect(root.querySelector('.docent-damaged')?.textContent).toBe(words.chatView.damagedLines(2));
  expect(root.querySelector('.docent-welcome')).toBeNull();
});

const asked = formatToolResult({ kind: 'question', question: 'Which?', options: ['Oak', 'Teak'], several: true });
const plan = formatToolResult({ kind: 'plan', path: null });

it('keeps what was chosen or unfolded in one chat out of the next', async () => {
  const { model } = await openChatView((choices) => [
    fakeChat('one', choices, question, asked),
    fakeChat('two', choices, question, asked),
  ]);
  act(() => root.querySelector<HTMLElement>('.docent-run-line')?.click());
  act(() => buttons('Oak')[0]?.click());
  await settle();
  expect(root.querySelectorAll('.docent-run.is-open, .is-chosen')).toHaveLength(2);
  await act(() => model.open('two'));
  await settle();
  expect(root.querySelectorAll('.docent-run.is-open, .is-chosen')).toHaveLength(0);
});

it('sends one answer to a question, however many options are pressed while it is stored', async () => {
  const one = formatToolResult({ kind: 'question', question: 'Which?', options: ['Oak', 'Teak'], several: false });
  const { chats } = await openChatView((choices) => [fakeChat('one', choices, question, one)]);
  let stored = (_outcome: Outcome<unknown>): void => {};
  chats[0]!.sends = () => new Promise((resolve) => (stored = resolve));
  act(() => buttons('Oak')[0]?.click());
  act(() => buttons('Teak')[0]?.click());
  await settle();
  expect(chats[0]?.done).toEqual(['send Oak']);
  stored(fail(noSpace));
  await settle();
  act(() => buttons('Teak')[0]?.click());
  await settle();
  expect(chats[0]?.done).toEqual(['send Oak', 'send Teak']);
});

it('lets a question be answered when older messages were summarised behind it', async () => {
  const contextEvent = { type: 'relief', id: 'r', text: 'Older messages were left as they are.' } as const;
  const { chats } = await openChatView((choices) => [fakeChat('one', choices, question, asked, contextEvent)]);
  act(() => buttons('Teak')[0]?.click());
  await settle();
  act(() => buttons(words.asking.answer)[0]?.click());
  await settle();
  expect(chats[0]?.done).toEqual(['send Teak']);
});

it('does not call a plan approved when the mode in which it is carried out could not be chosen', async () => {
  const { model, chats } = await openChatView((choices) => [fakeChat('one', choices, question, plan)]);
  const [chat] = chats;
  if (chat === undefined) throw new Error('There is no chat.');
  chat.chooses = fail(noSpace);
  act(() => buttons(words.asking.approvePlan)[0]?.click());
  await settle();
  expect(chat.done).toEqual(['choose {"permission":"review"}']);
  expect(model.failure.value).toEqual(noSpace);
});

it('approves a plan once, however often the button is pressed while the mode is being chosen', async () => {
  const { chats } = await openChatView((choices) => [fakeChat('one', choices, question, plan)]);
  const [chat] = chats;
  if (chat === undefined) throw new Error('There is no chat.');
  act(() => buttons(words.asking.approvePlan)[0]?.click());
  act(() => buttons(words.asking.approvePlan)[0]?.click());
  await settle();
  expect(chat.done).toEqual(['choose {"permission":"review"}', `send ${words.asking.planApproved}`]);
});

it('sends what was pressed in a chat to that chat although another one is opened meanwhile', async () => {
  const { model, chats } = await openChatView((choices) => [
    fakeChat('one', choices, question, plan),
    fakeChat('two', choices, question, plan),
  ]);
  let answer = (_isAllowed: boolean): void => {};
  const confirm = jest.spyOn(model.ports.prompts, 'confirm');
  confirm.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const fields = { pinned: [], permission: 'auto-edit' };
  jest.spyOn(model.ports, 'askingNote').mockImplementation((path) => ({ path, name: path, fields: fields as never }));
  const mention = { kind: 'prompt', id: 'Tidy.md', label: 'Tidy' } as const;
  const sent = model.sendWithoutDraft('/Tidy', [mention, { ...mention, id: 'Sort.md' }]);
  await settle();
  await model.open('two');
  answer(true);
  await sent;
  const allowed = 'choose {"permission":"auto-edit"}';
  expect(chats[0]?.done).toEqual([allowed, allowed, 'send /Tidy']);
  expect(chats[1]?.done).toEqual([]);
});

it('stores what a prompt may do in the chat as it was read again while the user was asked', async () => {
  const { model, chats } = await openChatView((choices) => [fakeChat('one', choices)]);
  const again = fakeChat('one', model.choices ?? {});
  let answer = (_isAllowed: boolean): void => {};
  jest.spyOn(model.ports.prompts, 'confirm').mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const fields = { pinned: [], permission: 'auto-edit' };
  jest.spyOn(model.ports, 'askingNote').mockImplementation((path) => ({ path, name: path, fields: fields as never }));
  const sent = model.sendWithoutDraft('/Tidy', [{ kind: 'prompt', id: 'Tidy.md', label: 'Tidy' }]);
  await settle();
  Object.assign(model.ports.chats, { open: () => Promise.resolve(succeed(again.chat)) });
  await model.open('one');
  answer(true);
  await sent;
  expect([chats[0]?.done, again.done]).toEqual([[], ['choose {"permission":"auto-edit"}', 'send /Tidy']]);
});

it('sends a prompt to the chat in which it was run although another one is opened meanwhile', async () => {
  const { model, chats } = await openChatView((choices) => [fakeChat('one', choices), fakeChat('two', choices)]);
  const { openChat } = model;
  await model.open('two');
  await openChat?.send('/Tidy', []);
  expect([chats[0]?.done, chats[1]?.done]).toEqual([['send /Tidy'], []]);
});

it('plans the request of the draft with what is written after a prompt', async () => {
  const { model, chats } = await openChatView((choices) => [fakeChat('one', choices)]);
  const preview = jest.spyOn(chats[0]!.chat, 'preview');
  model.setText('/Tidy the shed', [{ kind: 'prompt', id: 'Tidy.md', label: 'Tidy' }]);
  await model.openChat?.plan(new AbortController().signal);
  expect(preview.mock.lastCall?.[1]).toEqual([expect.objectContaining({ id: 'Tidy.md', arguments: 'the shed' })]);
});

it('leaves the open chat and its draft in view when another one cannot be opened', async () => {
  const { model, chats } = await openChatView((choices) => [fakeChat('one', choices), fakeChat('two', choices)]);
  model.setText('Half a question');
  await act(() => model.open('lost'));
  expect(root.querySelector('.docent-failure')?.textContent).toContain(noSpace.words);
  expect([model.chatId, model.text.value]).toEqual(['one', 'Half a question']);
  await act(() => model.open('two'));
  expect(model.text.value).toBe('');
  await act(() => model.open('one'));
  await act(() => model.send());
  expect([chats[0]?.done, chats[1]?.done]).toEqual([['send Half a question'], []]);
});

it('approves the plan of the chat in which it was approved although another one is opened meanwhile', async () => {
  const { model, chats } = await openChatView((choices) => [
    fakeChat('one', choices, question, plan),
    fakeChat('two', choices, question, plan),
  ]);
  const [chat] = chats;
  if (chat === undefined) throw new Error('There is no chat.');
  let store = (_outcome: Outcome<unknown>): void => {};
  chat.chooses = new Promise((resolve) => (store = resolve));
  act(() => buttons(words.asking.approvePlan)[0]?.click());
  await model.open('two');
  store(succeed(undefined));
  await settle();
  expect(chats[1]?.done).toEqual([]);
  expect(chat.done).toEqual(['choose {"permission":"review"}', `send ${words.asking.planApproved}`]);
});

it('stores what is chosen in a search in the chat in which the search began although another one is opened meanwhile', async () => {
  const { model, chats } = await openChatView((choices) => [fakeChat('one', choices), fakeChat('two', choices)]);
  let choose = (_path: string | null): void => {};
  jest.spyOn(model.ports.prompts, 'chooseNote').mockReturnValue(new Promise((resolve) => (choose = resolve)));
  const menuLine = (title: string): HTMLElement | undefined =>
    [...document.querySelectorAll<HTMLElement>('.menu-item')].find(({ textContent }) => textContent.includes(title));
  act(() => root.querySelector<HTMLElement>('.docent-picker.is-more')?.click());
  act(() => menuLine(words.prompts.pickNotes)?.click());
  act(() => menuLine(words.prompts.addNote)?.click());
  await act(() => model.open('two'));
  chats[0]!.chooses = fail(noSpace);
  choose('Later.md');
  await settle();
  const chosen = 'choose {"contextNotes":["Later.md"]}';
  expect([chats[0]?.done, chats[1]?.done]).toEqual([[chosen], []]);
  // The second try is in that chat too.
  expect(buttons(words.chatView.tryAgain)).toEqual([]);
  await act(() => model.open('one'));
  act(() => buttons(words.chatView.tryAgain)[0]?.click());
  await settle();
  expect([chats[0]?.done, chats[1]?.done]).toEqual([[chosen, chosen], []]);
});

it('shows in its own chat why a message could not be stored, and says it where another one is in view', async () => {
  const { model, chats } = await openChatView((choices) => [fakeChat('one', choices), fakeChat('two', choices)]);
  const reported = jest.spyOn(model.ports, 'report');
  let end = (_outcome: Outcome<unknown>): void => {};
  chats[0]!.sends = () => new Promise((resolve) => (end = resolve));
  model.setText('First.');
  const sent = model.send();
  await settle();
  await act(() => model.open('two'));
  model.setText('Not ready.');
  end(fail(noSpace));
  await sent;
  await settle();
  expect(reported.mock.lastCall?.[0]).toContain(noSpace.words);
  expect(root.querySelector('.docent-failure')).toBeNull();
  // A message that is stored in the other chat leaves it.
  await act(() => model.send());
  await act(() => model.open('one'));
  expect(root.querySelector('.docent-failure')?.textContent).toContain(noSpace.words);
  chats[0]!.sends = () => Promise.resolve(succeed(undefined));
  act(() => buttons(words.chatView.tryAgain)[0]?.click());
  await settle();
  expect(chats.map(({ done }) => done)).toEqual([['send First.', 'send First.'], ['send Not ready.']]);
  expect(root.querySelector('.docent-failure')).toBeNull();
});

it('puts an unanswered message into the new chat, and not into one that was opened since', async () => {
  const { model } = await openChatView((choices) => [fakeChat('one', choices, question), fakeChat('two', choices)]);
  const { open } = model.ports.chats;
  const fresh = fakeChat('new', model.choices ?? {});
  let finish = (): void => {};
  const read = new Promise<void>((resolve) => (finish = resolve));
  Object.assign(model.ports.chats, {
    open: (id: string | null) => (id === null ? read.then(() => succeed(fresh.chat)) : open(id)),
  });
  const started = model.startOver();
  await act(() => model.open('two'));
  finish();
  await act(() => started);
  expect([model.chatId, model.text.value]).toEqual(['two', '']);
  await act(() => model.open('one'));
  await act(() => model.startOver());
  expect([model.chatId, model.text.value]).toEqual(['new', question.text]);
});

it('puts a message that was not kept before what was written since, or into the draft of its own chat', async () => {
  const { model, chats } = await openChatView((choices) => [fakeChat('one', choices), fakeChat('two', choices)]);
  const [chat] = chats;
  if (chat === undefined) throw new Error('There is no chat.');
  let end = (_outcome: Outcome<unknown>): void => {};
  chat.sends = () => new Promise((resolve) => (end = resolve));
  model.setText('First.');
  const first = model.send();
  await settle();
  model.setText('Second.');
  end(fail(noSpace));
  await first;
  expect(model.text.value).toBe('First.\n\nSecond.');
  model.setText('Third.');
  const third = model.send();
  await settle();
  await model.open('two');
  end(fail(noSpace));
  await third;
  expect(model.text.value).toBe('');
  await model.open('one');
  expect(model.text.value).toBe('Third.');
});

it('shows how far the search index is, until it is done', async () => {
  const { model } = await openChatView((choices) => [fakeChat('one', choices)]);
  const shown = (): string | undefined => root.querySelector('.docent-indexing')?.textContent;
  expect(shown()).toBeUndefined();
  let progress: { ready: number; total: number } | null = { ready: 2_000, total: 10_000 };
  const listeners = new Set<() => void>();
  const searchIndex = {
    get progress() {
      return progress;
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const indexed = { ...model.ports, searchIndex };
  const other = { ports: indexed } as unknown as OpenChatState;
  act(() => render(<IndexNotice model={other} />, root));
  expect(shown()).toBe('Indexing notes for search: 2,000 of 10,000');
  progress = null;
  act(() => listeners.forEach((listener) => listener()));
  expect(shown()).toBeUndefined();
  act(() => render(null, root));
  expect(listeners.size).toBe(0);
});

it('starts one clean chat, however often the button is pressed while the chat is copied', async () => {
  root = document.body.createDiv();
  const model = { state: signal({ taint: 'Clippings/Page.md' }) } as unknown as OpenChatState;
  const starts: (() => void)[] = [];
  const start = (): Promise<void> => new Promise((resolve) => starts.push(resolve));
  act(() => render(<UntrustedNotice model={model} onStartClean={start} />, root));
  expect(buttons(words.keeping.startClean)).toEqual([]);
  act(() => root.querySelector('button')?.click());
  act(() => buttons(words.keeping.startClean)[0]?.click());
  act(() => buttons(words.keeping.startClean)[0]?.click());
  expect(starts).toHaveLength(1);
  starts[0]?.();
  await settle();
  act(() => buttons(words.keeping.startClean)[0]?.click());
  expect(starts).toHaveLength(2);
});

it('shows the chat that was asked for last, and nothing once it is closed', async () => {
  const { model } = await openChatView((choices) => [fakeChat('one', choices), fakeChat('two', choices)]);
  const { open } = model.ports.chats;
  const opens = jest.spyOn(model.ports.chats, 'open');
  const slowly = async (id: string | null): Promise<Outcome<Chat>> => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return open(id);
  };
  opens.mockImplementationOnce(slowly);
  const late = model.open('two');
  await model.open('one');
  await late;
  expect(model.chatId).toBe('one');
  opens.mockImplementationOnce(open).mockImplementationOnce(slowly);
  const early = model.open('one');
  void model.open('two');
  await early;
  expect(model.chatId).toBe('two');
  opens.mockImplementationOnce(slowly);
  const opening = model.open('two');
  model.close();
  await opening;
  expect(model.chatId).toBeNull();
});

it('sends what was written while the rest of a long chat was read, to that chat, once it is read', async () => {
  const { model, chats } = await openChatView((choices) => [fakeChat('one', choices), fakeChat('two', choices)]);
  let finish = (): void => {};
  const read = new Promise<void>((resolve) => (finish = resolve));
  Object.assign(model.ports.chats, {
    open: async (_id: string, showEnd: (items: readonly TranscriptItem[]) => Promise<void>) => {
      await showEnd([question]);
      await read;
      return succeed(chats[1]!.chat);
    },
  });
  const opening = model.open('two');
  await settle();
  expect(root.querySelector('.docent-user')?.textContent).toContain(question.text);
  // Nothing is waited for while there is nothing to send.
  const empty = model.send();
  expect(model.state.value?.notice).not.toBe(words.chatView.sendsOnceRead);
  act(() => model.setText('And the keel?'));
  const sending = model.send();
  await settle();
  expect(model.state.value?.notice).toBe(words.chatView.sendsOnceRead);
  expect([chats[0]?.done, chats[1]?.done, model.text.value]).toEqual([[], [], 'And the keel?']);
  finish();
  await act(async () => {
    await opening;
    await Promise.all([empty, sending]);
  });
  expect([chats[0]?.done, chats[1]?.done, model.text.value]).toEqual([[], ['send And the keel?'], '']);
});

it('asks before a call above the box, and tells the chat the answer', async () => {
  const { chats } = await openChatView((choices) => [fakeChat('one', choices, question)]);
  const call: ApprovalRequest = {
    ...{ id: 'call', title: 'list_days', server: 'calendar', url: 'https://calendar.example' },
    ...{ argumentsText: '{"day":"Monday"}', passages: [], taint: null },
  };
  act(() => chats[0]?.asks(call));
  const asked = root.querySelector('.docent-network-question');
  expect(asked?.textContent).toContain('Send to calendar?');
  const box = root.querySelector('.docent-composer-input');
  expect(box !== null && asked?.compareDocumentPosition(box)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await act(() => new Promise((resolve) => setTimeout(resolve, 520)));
  act(() => buttons(words.serverSettings.question.send)[0]?.click());
  expect(chats[0]?.done).toEqual(['answer call true']);
});

it('shows a chat that a newer version wrote in part without a box to write in, and without what changes it', async () => {
  const { model } = await openChatView((choices) => [fakeChat('one', choices, question, plan)]);
  expect(root.querySelector('.docent-composer-input')).not.toBeNull();
  const labels = (): string[] =>
    [...root.querySelectorAll('.docent-message-actions button')].map((each) => each.ariaLabel ?? '');
  expect(labels()).toContain(words.branches.edit);
  const readOnly = fakeChat('two', model.choices ?? {}, { ...question, id: 'other' }, plan);
  Object.assign(readOnly.chat.current, { isReadOnly: true });
  Object.assign(model.ports.chats, { open: () => Promise.resolve(succeed(readOnly.chat)) });
  await act(() => model.open('two'));
  await settle();
  expect(root.querySelector('.docent-composer-input')).toBeNull();
  expect(root.querySelector('.docent-read-only')?.textContent).toContain(words.branches.readOnly);
  expect(labels()).toEqual([words.chatView.copyMessage]);
  model.close();
});

describe('a line above the box', () => {
  const line = (): [string, string] => [
    root.querySelector('.docent-needs-look')?.className ?? '',
    root.querySelector('.docent-needs-look-words')?.textContent ?? '',
  ];
  const pressLine = (): void => void act(() => root.querySelector('button')?.click());
  const draw = (line: ComponentChild): void => {
    root = document.body.createDiv();
    act(() => render(line, root));
  };

  it('names the first problem of what the next request uses, and leads to all of them', async () => {
    const { model: donor } = await openComposer({});
    const shown = async (...results: readonly CheckResult[]): Promise<[string, string]> => {
      const check = () => Promise.resolve([{ id: 'notes', label: 'Notes', results }]);
      const other = new OpenChatState({ ...donor.ports, check }, window);
      draw(<ProblemNotice model={other} onOpen={() => opened.push('all')} />);
      await act(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
      const seen = line();
      other.close();
      return seen;
    };
    const opened: string[] = [];
    const say = words.diagnostics;
    const problem = { level: 'warning', words: 'Too long.', path: 'In/Keel.md', inUse: true } as const;
    const other = { level: 'error', words: 'No key.', inUse: true } as const;
    expect(await shown()).toEqual(['', '']);
    expect(await shown({ ...problem, inUse: false })).toEqual(['', '']);
    expect(await shown(problem, other)).toEqual(['docent-needs-look is-error', `${say.hasProblem(1, 1)}No key.`]);
    expect(await shown(problem)).toEqual(['docent-needs-look is-warning', `${say.hasProblem(1, 0)}Keel.md: Too long.`]);
    expect(root.querySelector('button')?.ariaLabel).toBe(say.needsLookAt(say.hasProblem(1, 0), 'Keel.md', 'Too long.'));
    pressLine();
    expect(opened).toEqual(['all']);
  });

  it('looks again once the next request is planned for another model, also with the same window', async () => {
    const { model: donor } = await openComposer({});
    const results: CheckResult[] = [];
    const check = () => Promise.resolve([{ id: 'model', label: 'Model', results: [...results] }]);
    const other = new OpenChatState({ ...donor.ports, check }, window);
    const plan = async (modelId: string): Promise<string> => {
      await act(async () => {
        other.preview.value = { modelId, totals: { window: 8_000 } } as never;
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      });
      return line()[1];
    };
    draw(<ProblemNotice model={other} onOpen={() => undefined} />);
    expect(await plan('scripted/one')).toBe('');
    results.push({ level: 'warning', words: 'You set a context window.', inUse: true });
    expect(await plan('scripted/two')).toContain('You set a context window.');
    other.close();
  });

  it('asks about instruction files that wait, and not about those that the user declined', () => {
    const done: string[] = [];
    const show = (...files: readonly { path: string; isDeclined?: boolean; isChanged?: boolean }[]): string => {
      const waiting = files.map((file) => ({ isDeclined: false, isChanged: false, ...file }));
      const instructions = {
        files: { waiting: () => waiting, subscribe: () => () => undefined },
        review: (all: boolean) => done.push(`review ${all}`),
      };
      draw(<InstructionsNotice model={{ ports: { instructions } } as unknown as OpenChatState} />);
      return line()[1];
    };
    const say = words.instructions;
    expect(show()).toBe('');
    expect(show({ path: 'AGENTS.md', isDeclined: true })).toBe('');
    expect(show({ path: 'In/AGENTS.md' })).toBe(say.notice(1, 'AGENTS.md') + say.review);
    expect(show({ path: 'In/AGENTS.md', isChanged: true })).toBe(say.noticeChanged('AGENTS.md') + say.review);
    const skill = { path: 'Docent/skills/tide/SKILL.md', isChanged: true };
    expect(show(skill, { path: 'AGENTS.md' })).toBe(say.notice(2, 'tide/SKILL.md') + say.review);
    pressLine();
    expect(done).toEqual(['review false']);
  });
});

it('names what the chat has chosen and cannot have any more, and takes it out of the choices when asked', async () => {
  const { model, chats } = await openChatView((choices) => [
    fakeChat(
      'one',
      { ...choices, selectedWorkspace: 'Docent/workspaces/Boat.md', contextNotes: ['Lost.md', 'Away.md'] },
      question,
    ),
  ]);
  const say = words.prompts;
  const lines = (): (string | undefined)[] =>
    [...root.querySelectorAll('.docent-gone-words')].map(({ textContent }) => textContent);
  expect(lines()).toEqual([
    say.missingChoice.workspace('Boat', ''),
    say.missingChoice.note('Lost'),
    say.missingChoice.note('Away'),
  ]);
  // What was only saved again is not called missing while its text is compared.
  const compare = (compared: string): void => {
    const files = {
      isBeingCompared: (path: string) => path === compared,
      waiting: () => [],
      subscribe: () => () => {},
    };
    Object.assign(model.ports, { instructions: { files } });
    act(() => void (model.state.value = model.state.value && { ...model.state.value }));
  };
  compare('Docent/workspaces/Boat.md');
  expect(lines()).toEqual([say.missingChoice.note('Lost'), say.missingChoice.note('Away')]);
  compare('');
  for (const name of ['Boat', 'Lost']) {
    act(() => root.querySelector<HTMLElement>(`[aria-label="${say.letGoLabel(name)}"]`)?.click());
    await settle();
  }
  expect(chats[0]?.done).toEqual(['choose {"selectedWorkspace":null}', 'choose {"contextNotes":["Away.md"]}']);
  model.close();
});

it('unfolds what follows from text of others, and folds it again', async () => {
  root = document.body.createDiv();
  const model = { state: signal({ taint: 'Clippings/Page.md' }) } as unknown as OpenChatState;
  act(() => render(<UntrustedNotice model={model} onStartClean={() => Promise.resolve()} />, root));
  const head = (): HTMLElement | null => root.querySelector('[aria-expanded]');
  const shown = (): (string | null | undefined)[] => [
    head()?.getAttribute('aria-expanded'),
    root.querySelector('p')?.textContent,
  ];
  expect([head()?.textContent, shown()]).toEqual([words.keeping.tainted('Clippings/Page.md'), ['false', undefined]]);
  act(() => head()?.click());
  expect(shown()).toEqual(['true', words.keeping.taintedDesc('Clippings/Page.md')]);
  act(() => head()?.click());
  expect(shown()).toEqual(['false', undefined]);
  act(() =>
    render(
      <UntrustedNotice
        model={{ state: signal({}) } as unknown as OpenChatState}
        onStartClean={() => Promise.resolve()}
      />,
      root,
    ),
  );
  expect(root.childElementCount).toBe(0);
});

it('folds what follows from text of others again in another chat', async () => {
  const { model } = await openChatView((choices) => {
    const chats = [fakeChat('one', choices, question), fakeChat('two', choices, { ...question, id: 'other' })];
    for (const { chat } of chats) Object.assign(chat.current, { taint: 'Clippings/Page.md' });
    return chats;
  });
  const head = (): HTMLElement | null => root.querySelector('.docent-taint [aria-expanded]');
  act(() => head()?.click());
  expect(head()?.getAttribute('aria-expanded')).toBe('true');
  await act(() => model.open('two'));
  await settle();
  expect(head()?.getAttribute('aria-expanded')).toBe('false');
});

it('closes the bar that finds words in a chat without any, and so leaves the focus in the box once there are', async () => {
  const finding = signal<{ words: string; message: null } | null>({ words: 'keel', message: null });
  const bar = (): Element | null => root.querySelector('.docent-find');
  const { model } = await openChatView(
    (choices) => [fakeChat('one', choices, question), fakeChat('empty', choices), fakeChat('two', choices, question)],
    { finding },
  );
  expect(bar()).not.toBeNull();
  await act(() => model.open('empty'));
  await settle();
  expect(finding.value).toBeNull();
  await act(() => model.open('two'));
  await settle();
  expect(bar()).toBeNull();
});

it('shows the goal over the list of chats too', async () => {
  const isOpen = signal(true);
  const { goals } = goalBench();
  const { chatIndex } = (await openComposer({})).model.ports;
  const list = new ChatListState({ index: chatIndex, current: () => 'one' } as unknown as ChatListHost);
  await openChatView(
    (choices) => {
      const fake = fakeChat('one', choices, question);
      Object.assign(fake.chat, { goals });
      return [fake];
    },
    { chats: { list, isOpen } },
  );
  const press = (): void => root.querySelector<HTMLElement>(`[aria-label="${words.goals.panel}"]`)?.click();
  const shown = (): readonly boolean[] =>
    ['.docent-chats', '.docent-goal.is-open'].map((part) => root.querySelector(part) !== null);
  expect(shown()).toEqual([true, false]);
  act(press);
  expect(shown()).toEqual([false, true]);
  expect(document.activeElement?.ariaLabel).toBe(words.goals.addHint);
  act(press);
  expect(shown()).toEqual([false, false]);
  act(press);
  act(() => void (isOpen.value = true));
  act(press);
  expect(shown()).toEqual([false, true]);
  list.close();
});
