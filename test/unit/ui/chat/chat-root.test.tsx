/** @jest-environment jsdom */
/** What the chat view keeps separate for each chat, and what it protects from being lost. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { Chat } from '../../../../src/core/chat/chat';
import type { ChatState } from '../../../../src/core/chat/chat-view-state';
import type { AnswerItem, TranscriptItem } from '../../../../src/core/chat/transcript';
import { fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import type { ApprovalRequest } from '../../../../src/core/ports/network';
import { words } from '../../../../src/text';
import { ChatRoot } from '../../../../src/ui/chat/mounted-chat';
import { IndexNotice } from '../../../../src/ui/chat/notices';
import { OpenChatState } from '../../../../src/ui/state/chat-state';
import { noSpace } from '../../../support/memory-ports';
import { openComposer } from './open-composer';

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
  chooses: Outcome<unknown>;
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
async function openChatView(make: (choices: object) => readonly FakeChat[]) {
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
        onStartClean={nothing}
        onInspect={nothing}
        onContext={nothing}
        onDiagnose={nothing}
      />,
      root,
    ),
  );
  await settle();
  return { model, chats };
}

beforeEach(() => createTestApp());
afterEach(async () => {
  act(() => render(null, root));
  await closeTestApps();
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
