/** @jest-environment jsdom */
import { type App, Platform, type WorkspaceLeaf } from 'obsidian';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { Chat } from '../../../../src/core/chat/chat';
import type { UnsavedTexts } from '../../../../src/core/ports/device';
import { fail, succeed } from '../../../../src/core/ports/failure';
import { ChatView, findView, openChatView } from '../../../../src/ui/chat/chat-view';
import { noSpace } from '../../../support/memory-ports';
import { words } from '../../../../src/text';
import { finish, say, scriptedModel } from '../../../support/scripted-model';
import { openComposer } from './open-composer';

afterEach(closeTestApps);

const view = (): ChatView => Object.create(ChatView.prototype) as ChatView;

it('finds the pane that is in use, since commands apply and reject what waits there', () => {
  const [first, second] = [view(), view()];
  const appWith = (active: ChatView | null): App =>
    ({
      workspace: {
        getLeavesOfType: () => [{ view: {} }, { view: first }, { view: second }],
        getActiveViewOfType: () => active,
      },
    }) as unknown as App;
  expect(findView(appWith(second))).toBe(second);
  expect(findView(appWith(null))).toBe(first);
});

it('shows the view that is in use for a command, and not another one that is open', async () => {
  const leafOf = (shown: ChatView): WorkspaceLeaf => {
    const leaf = { view: shown, loadIfDeferred: () => Promise.resolve() } as unknown as WorkspaceLeaf;
    Object.assign(shown, { leaf, mounted: Promise.resolve() });
    return leaf;
  };
  const [first, second] = [view(), view()];
  const [leaf] = [first, second].map(leafOf);
  const appWith = (active: ChatView | null): App =>
    ({
      workspace: {
        getActiveViewOfType: () => active,
        ensureSideLeaf: () => Promise.resolve(leaf),
        revealLeaf: () => Promise.resolve(),
      },
    }) as unknown as App;
  expect(await openChatView(appWith(second))).toBe(second);
  expect(await openChatView(appWith(null))).toBe(first);
});

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

it('makes the message the draft of the chat without untrusted text although another one is opened meanwhile', async () => {
  const app = await createTestApp();
  const { model: donor } = await openComposer({});
  const { open } = donor.ports.chats;
  let finish = (): void => {};
  let waiting: Promise<void> = Promise.resolve();
  const chats = {
    open: (id: string | null) => (id === 'clean' ? waiting.then(() => open(id)) : open(id)),
    startClean: () => Promise.resolve(succeed({ conversation: 'clean', request: 'Sum it up.' })),
  };
  const leaf = app.workspace.getLeaf('tab') as unknown as WorkspaceLeaf;
  const shown = new ChatView(leaf, () => Promise.resolve({ ...donor.ports, chats }));
  await leaf.open(shown);
  await shown.untilOpen();
  await shown.showChat('one', null);
  await shown.startClean();
  expect([shown.chatId, shown.model?.text.value]).toEqual(['clean', 'Sum it up.']);
  shown.model?.setText('');
  await shown.showChat('one', null);

  waiting = new Promise((resolve) => (finish = resolve));
  const started = shown.startClean();
  await settle();
  await shown.showChat('two', null);
  finish();
  await started;
  expect([shown.chatId, shown.model?.text.value]).toEqual(['two', '']);
  await shown.showChat('clean', null);
  expect(shown.model?.text.value).toBe('Sum it up.');
  leaf.detach();
});

/** Texts that were not saved, as a device holds them. */
function unsavedOf(texts: Map<string, string | null>): UnsavedTexts {
  return {
    read: (key) => Promise.resolve(texts.get(key) ?? null),
    write: (key, text) => {
      texts.set(key, text);
      return Promise.resolve(succeed(undefined));
    },
  };
}

it('opens a fork again at the next start, and not the chat that it was made from', async () => {
  const app = await createTestApp();
  const { model: donor } = await openComposer({});
  const stored = new Map<string, string | null>();
  const unsaved = unsavedOf(stored);
  const { open } = donor.ports.chats;
  let isLost = false;
  const chats = {
    ...donor.ports.chats,
    open: (id: string | null) => (isLost ? Promise.resolve(fail(noSpace)) : open(id)),
    fork: () => Promise.resolve(succeed('fork')),
  };
  const ports = { ...donor.ports, chats, unsaved };
  const newView = async (): Promise<ChatView> => {
    const leaf = app.workspace.getLeaf('tab') as unknown as WorkspaceLeaf;
    const shown = new ChatView(leaf, () => Promise.resolve(ports));
    await leaf.open(shown);
    await shown.untilOpen();
    return shown;
  };
  const shown = await newView();
  await shown.showChat('one', null);
  expect(stored.get('open-chat')).toBe('one');
  const { view: id } = shown.getState();
  await shown.messages?.fork('u');
  expect([shown.chatId, stored.get('open-chat'), stored.get(`open-chat-${String(id)}`)]).toEqual([
    ...['fork', 'fork', 'fork'],
  ]);
  const next = await newView();
  expect(next.chatId).toBe('fork');
  // A chat that cannot be read is not tried again at the next start.
  isLost = true;
  await next.showChat('lost', null);
  expect([next.chatId, stored.get('open-chat')]).toEqual(['fork', 'fork']);
  for (const { leaf } of [shown, next]) leaf.detach();
});

/** An index of chats of which the last one was deleted. */
function indexOf(ids: readonly string[]): object {
  const chats = ids.map((id, at) => ({
    ...{
      id,
      title: `Chat ${id}`,
      isNamed: true,
      started: 0,
      changed: 0,
      messages: 1,
      model: '',
      goal: '',
      spent: 0,
    },
    ...{ usage: [], size: 1, isPinned: false, isDeleted: at === ids.length - 1, forkOf: '', problem: '' },
    ...{ damaged: 0, unknown: 0 },
  }));
  const none = (): void => undefined;
  return {
    ...{ chats, progress: null, failure: null, find: () => null, subscribe: () => none, show: () => none },
    search: () => Promise.resolve([]),
  };
}

describe('an open view', () => {
  /** A view over chats in which a question was asked, and the ids of the chats that were opened in it. */
  async function openView(stored: Readonly<Record<string, string>> = {}, more: object = {}) {
    const app = await createTestApp();
    const model = scriptedModel([[say('Oak.'), finish()]]);
    const { model: donor } = await openComposer({}, model);
    await donor.open('one');
    donor.setText('Which wood?');
    await donor.send();
    await settle();
    const texts = new Map<string, string | null>(Object.entries(stored));
    const unsaved = unsavedOf(texts);
    const asked: (string | null)[] = [];
    const opened: Chat[] = [];
    const chats = {
      ...donor.ports.chats,
      open: async (id: string | null) => {
        asked.push(id);
        const known = opened.find((chat) => chat.id === id);
        const open = known === undefined ? await donor.ports.chats.open(id) : succeed(known);
        if (open.ok && known === undefined) opened.push(open.value);
        return open;
      },
    };
    const leaf = app.workspace.getLeaf('tab') as unknown as WorkspaceLeaf;
    const shown = new ChatView(leaf, () => Promise.resolve({ ...donor.ports, chats, unsaved, ...more }));
    return { app, leaf, shown, asked, opened, texts };
  }
  const drawn = (shown: ChatView, selector: string): HTMLElement | null => shown.contentEl.querySelector(selector);
  const modals = (): string[] => Array.from(document.querySelectorAll('.modal-title')).map((each) => each.textContent);

  it('has a name and an icon before it has a chat, and nothing that an act could be done with', async () => {
    const { shown } = await openView();
    expect([shown.getViewType(), shown.getDisplayText(), shown.getIcon()]).toEqual([
      ...['docent-chat', words.chatView.title, 'message-circle'],
    ]);
    expect([shown.chatId, shown.review, shown.messages, shown.model, shown.openedChat]).toEqual([
      ...[null, null, null, null, null],
    ]);
    expect(shown.getState()).toEqual({ chat: null });
    expect([shown.find(), shown.goToQuestion(1)]).toEqual([false, false]);
    await shown.startClean();
    expect(shown.contentEl.innerHTML).toBe('');
  });

  it('opens the chat that was open at the last start, or the one that was asked for before it was ready', async () => {
    const { leaf, shown, asked } = await openView({ 'open-chat': 'one' });
    await leaf.open(shown);
    await shown.untilOpen();
    expect([asked, shown.chatId, shown.contentEl.hasClass('docent-view')]).toEqual([['one'], 'one', true]);
    expect([shown.review === null, shown.messages === null, shown.openedChat === null]).toEqual([false, false, false]);
    const header = drawn(shown, '.docent-toolbar-title');
    expect([header?.textContent, header?.title]).toEqual([shown.getDisplayText(), shown.getDisplayText()]);
    expect(shown.getDisplayText()).toBe('Which wood?');
    leaf.detach();
    const other = await openView({ 'open-chat': 'one' });
    await other.shown.setState({ chat: 'two' }, { history: false });
    await other.leaf.open(other.shown);
    await other.shown.untilOpen();
    expect([other.asked, other.shown.chatId]).toEqual([['two'], 'two']);
    other.leaf.detach();
  });

  it('opens the chat of a stored layout, or the one that its view had open later', async () => {
    const { leaf, shown, asked, texts } = await openView({ 'open-chat-a': 'one' });
    await leaf.open(shown);
    await shown.untilOpen();
    await shown.setState({ chat: 'two' }, { history: false });
    await shown.setState({ chat: 'two' }, { history: false });
    await shown.setState(null, { history: false });
    await shown.setState({ chat: 3 }, { history: false });
    expect([asked, shown.chatId]).toEqual([[null, 'two'], 'two']);
    const { view: own } = shown.getState();
    expect(texts.get(`open-chat-${String(own)}`)).toBe('two');
    await shown.setState({ chat: 'two', view: 'a' }, { history: false });
    expect([asked.at(-1), shown.getState()]).toEqual(['one', { chat: 'one', view: 'a' }]);
    // By the name that it had before, nothing is looked for any more.
    expect([texts.get(`open-chat-${String(own)}`), texts.get('open-chat-a')]).toEqual([null, 'one']);
    // Going back in the history asks for a chat as it was.
    await shown.setState({ chat: 'two', view: 'a' }, { history: false });
    expect([asked.at(-1), shown.chatId, texts.get('open-chat-a')]).toEqual(['two', 'two', 'two']);
    await shown.onClose();
    expect([texts.get('open-chat-a'), texts.get('open-chat'), shown.model]).toEqual([null, 'two', null]);
    leaf.detach();
  });

  it('has the title that its chat is given, also where the list of chats has not heard of it', async () => {
    const { leaf, shown, opened } = await openView({ 'open-chat': 'one' }, { chatIndex: indexOf([]) });
    await leaf.open(shown);
    await shown.untilOpen();
    const titles = async (): Promise<unknown[]> => {
      await settle();
      return [shown.getDisplayText(), drawn(shown, '.docent-toolbar-title')?.textContent];
    };
    expect(await titles()).toEqual(['Which wood?', 'Which wood?']);
    await opened[0]?.annotate({ kind: 'title', title: 'Wood', by: 'model' });
    expect(await titles()).toEqual(['Wood', 'Wood']);
    await opened[0]?.annotate({ kind: 'title', title: 'Oak' });
    expect(await titles()).toEqual(['Oak', 'Oak']);
    await opened[0]?.annotate({ kind: 'title', title: '' });
    expect(await titles()).toEqual(['Wood', 'Wood']);
    leaf.detach();
  });

  it('opens no other chat before the one of its state, which Obsidian sets right after it has opened the view', async () => {
    const { leaf, shown, asked, texts } = await openView({ 'open-chat': 'one', 'open-chat-a': 'three' });
    await leaf.open(shown);
    await shown.setState({ chat: 'two', view: 'a' }, { history: false });
    await shown.untilOpen();
    expect([asked, shown.getState()]).toEqual([['three'], { chat: 'three', view: 'a' }]);
    expect([texts.get('open-chat'), texts.get('open-chat-a')]).toEqual(['three', 'three']);
    leaf.detach();
    const empty = await openView({ 'open-chat': 'one' });
    await empty.leaf.open(empty.shown);
    await empty.shown.setState({}, { history: false });
    await empty.shown.untilOpen();
    expect([empty.asked, empty.shown.chatId]).toEqual([['one'], 'one']);
    empty.leaf.detach();
    const fresh = await openView({ 'open-chat': 'one' });
    await fresh.leaf.open(fresh.shown);
    await fresh.shown.newChat();
    await fresh.shown.untilOpen();
    await settle();
    expect(fresh.asked).toEqual([null]);
    fresh.leaf.detach();
  });

  it('finds words and goes from question to question by its own keys', async () => {
    const { leaf, shown } = await openView({ 'open-chat': 'one' });
    await leaf.open(shown);
    await shown.untilOpen();
    await settle();
    const { scope } = shown as unknown as { scope: { handle(event: KeyboardEvent): unknown } };
    const press = (init: KeyboardEventInit): unknown => scope.handle(new KeyboardEvent('keydown', init));
    shown.showChats();
    await settle();
    expect(drawn(shown, '.docent-chats')).not.toBeNull();
    expect(press({ key: 'f', ctrlKey: true })).toBe(false);
    await settle();
    expect([drawn(shown, '.docent-chats'), drawn(shown, '.docent-find') === null]).toEqual([null, false]);
    const went: unknown[] = [];
    const stop = shown.model?.place.subscribe((place) => went.push(place));
    expect(press({ key: 'ArrowDown', altKey: true, shiftKey: true })).toBe(false);
    expect(went.at(-1)).toBe('end');
    expect(press({ key: 'ArrowUp', altKey: true, shiftKey: true })).toBe(false);
    expect(went.at(-1)).toBe(0);
    shown.goToEnd();
    expect(went.at(-1)).toBe('end');
    stop?.();
    leaf.detach();
  });

  it('begins a new chat in place of the list, with the cursor in its box, or behind the list', async () => {
    const { leaf, shown, asked } = await openView({ 'open-chat': 'one' });
    await leaf.open(shown);
    await shown.untilOpen();
    shown.showChats();
    await settle();
    await shown.newChat();
    await settle();
    expect([drawn(shown, '.docent-chats'), asked.at(-1)]).toEqual([null, null]);
    shown.readyComposer();
    expect(document.activeElement).toBe(drawn(shown, '.docent-composer-input'));
    shown.showChats();
    await shown.leaveChat();
    await settle();
    expect([drawn(shown, '.docent-chats') === null, asked.at(-1)]).toEqual([false, null]);
    await shown.showChat('two', null);
    await settle();
    expect([drawn(shown, '.docent-chats'), shown.chatId]).toEqual([null, 'two']);
    await shown.addToDraft('Keel', []);
    expect(shown.model?.text.value).toBe('Keel');
    expect(document.activeElement).toBe(drawn(shown, '.docent-composer-input'));
    leaf.detach();
  });

  it('shows all chats and an empty search once the list is opened again, but not as it moves to another window', async () => {
    const { app, leaf, shown } = await openView({ 'open-chat': 'one' }, { chatIndex: indexOf(['one', 'two']) });
    await leaf.open(shown);
    await shown.untilOpen();
    const search = (): HTMLInputElement => drawn(shown, '.docent-chats-search') as HTMLInputElement;
    const listed = (): string[] =>
      [...shown.contentEl.querySelectorAll('.docent-chats-title')].map((each) => each.textContent);
    shown.showChats();
    await settle();
    expect(listed()).toEqual(['Chat one']);
    drawn(shown, '.docent-chats-deleted')?.click();
    await settle();
    expect(listed()).toEqual(['Chat two']);
    search().value = 'keel';
    search().dispatchEvent(new InputEvent('input', { bubbles: true }));
    app.workspace.moveLeafToPopout(leaf as never);
    await settle();
    expect(search().value).toBe('keel');
    await shown.showChat('one', null);
    shown.showChats();
    await settle();
    expect([search().value, listed()]).toEqual(['', ['Chat one']]);
    leaf.detach();
  });

  it.each([
    ['the end', (shown: ChatView) => shown.goToEnd(), '.docent-transcript'],
    ['a question', (shown: ChatView) => shown.goToQuestion(-1), '.docent-transcript'],
    ['the box of a message', (shown: ChatView) => shown.messages?.startEdit('u'), '.docent-transcript'],
    [
      'the text of the last message',
      (shown: ChatView) => shown.messages?.startEdit(shown.messages.lastMessage?.id ?? ''),
      '.docent-editor-input:focus',
    ],
    ['a draft', (shown: ChatView) => shown.addToDraft('Keel', []), '.docent-composer-input:focus'],
  ])('leads from the list of chats to %s in the chat', async (_, go, seen) => {
    // The test's browser scrolls nothing.
    Object.assign(HTMLElement.prototype, { scrollTo: () => undefined });
    const { leaf, shown } = await openView({ 'open-chat': 'one' });
    await leaf.open(shown);
    await shown.untilOpen();
    shown.showChats();
    await settle();
    await go(shown);
    await settle();
    expect([drawn(shown, '.docent-chats'), drawn(shown, seen) === null]).toEqual([null, false]);
    leaf.detach();
  });

  it('says that the files of its chat are in the trash, and takes what is in its box into a new chat', async () => {
    const { leaf, shown, asked, opened, texts } = await openView({ 'open-chat': 'one' });
    await leaf.open(shown);
    await shown.untilOpen();
    await settle();
    const said = (): string => drawn(shown, '.docent-read-only')?.textContent ?? '';
    const { trashed, trashedDraft, trashedRemedy } = words.branches;
    await shown.addToDraft('And the keel?', []);
    opened[0]?.showTrashed();
    await settle();
    expect([drawn(shown, '.docent-composer-input'), said()]).toEqual([
      ...[null, `${trashed} ${trashedDraft}${words.chatView.newChat}`],
    ]);
    expect(shown.messages?.canChange).toBe(false);
    // The box had the focus.
    expect(document.activeElement).toBe(drawn(shown, '.docent-read-only button'));
    drawn(shown, '.docent-read-only button')?.click();
    await settle();
    expect([said(), asked.at(-1), shown.model?.text.value]).toEqual(['', null, 'And the keel?']);
    expect(document.activeElement).toBe(drawn(shown, '.docent-composer-input'));
    await shown.showChat('one', null);
    await settle();
    expect([said(), texts.get('draft-one') ?? null]).toEqual([
      ...[`${trashed} ${trashedRemedy}${words.chatView.newChat}`, null],
    ]);
    leaf.detach();
  });

  it('takes the cursor on a phone only for what is to be written', async () => {
    const { leaf, shown } = await openView({ 'open-chat': 'one' });
    const platform = jest.replaceProperty(Platform, 'isMobile', true);
    await leaf.open(shown);
    await shown.untilOpen();
    shown.readyComposer();
    await shown.showChat('two', null);
    await settle();
    expect(document.activeElement).not.toBe(drawn(shown, '.docent-composer-input'));
    await shown.newChat();
    await settle();
    expect(document.activeElement).toBe(drawn(shown, '.docent-composer-input'));
    platform.restore();
    leaf.detach();
  });

  it('is drawn again in the window that it is moved to, with what was typed', async () => {
    const { app, leaf, shown } = await openView({ 'open-chat': 'one' });
    await leaf.open(shown);
    await shown.untilOpen();
    shown.model?.setText('And which varnish?');
    const box = drawn(shown, '.docent-composer-input');
    app.workspace.moveLeafToPopout(leaf as never);
    await settle();
    const { win } = shown.contentEl;
    expect(win).not.toBe(window);
    const moved = drawn(shown, '.docent-composer-input') as HTMLTextAreaElement | null;
    expect([moved === box, moved?.value]).toEqual([false, 'And which varnish?']);
    leaf.detach();
  });

  it.each([
    [false, '.docent-composer-input'],
    // There, the box would open the keyboard.
    [true, '.docent-transcript'],
  ])('has the focus of a control that is not there any more (on the phone: %s) in %s', async (isMobile, selector) => {
    const { leaf, shown } = await openView({ 'open-chat': 'one' });
    const platform = jest.replaceProperty(Platform, 'isMobile', isMobile);
    await leaf.open(shown);
    await shown.untilOpen();
    await settle();
    if (shown.model !== null) shown.model.failure.value = { kind: 'refused', words: 'No.', remedy: '' };
    await settle();
    const dismiss = [...shown.contentEl.querySelectorAll<HTMLElement>('.docent-foot > .docent-failure button')].at(-1);
    dismiss?.focus();
    expect(document.activeElement).toBe(dismiss);
    dismiss?.click();
    await settle();
    expect(drawn(shown, '.docent-foot > .docent-failure')).toBeNull();
    expect(document.activeElement?.className.split(' ')).toContain(selector.slice(1));
    platform.restore();
    leaf.detach();
  });

  it('shows a place of its chat with what was found there, and forgets that at another place', async () => {
    const { leaf, shown, opened } = await openView({ 'open-chat': 'one' });
    await leaf.open(shown);
    await shown.untilOpen();
    await settle();
    const [question] = opened[0]?.current.items ?? [];
    const place = { message: question?.id ?? '', isAnswer: false };
    const found = (): string | undefined => drawn(shown, '.docent-find')?.querySelector('input')?.value;
    shown.showChats();
    await settle();
    drawn(shown, `.docent-chats button[aria-label="${words.chats.close}"]`)?.click();
    await settle();
    expect(drawn(shown, '.docent-chats')).toBeNull();
    const went: unknown[] = [];
    const stop = shown.model?.place.subscribe((each) => each !== null && went.push(each));
    await shown.showChat('one', { ...place, found: 'wood' });
    await settle();
    expect([found(), went]).toEqual(['wood', [{ ...place, found: 'wood' }]]);
    await shown.showChat('one', place);
    await settle();
    expect([found(), went.slice(1)]).toEqual([undefined, [place]]);
    stop?.();
    leaf.detach();
  });

  it('stops and summarises the chat that is open', async () => {
    const { leaf, shown } = await openView({ 'open-chat': 'one' });
    await leaf.open(shown);
    await shown.untilOpen();
    const model = shown.model as NonNullable<typeof shown.model>;
    const stop = jest.spyOn(model, 'stop');
    const summarise = jest.spyOn(model.context, 'summarise').mockResolvedValue(undefined as never);
    shown.stop();
    shown.summarise();
    expect([stop.mock.calls, summarise.mock.calls]).toEqual([[[]], [[{}]]]);
    leaf.detach();
  });

  it('opens at the next start no chat that could not be opened', async () => {
    const refused = { kind: 'not-found', words: 'No such chat.', remedy: '' } as const;
    const { leaf, shown, texts } = await openView(
      { 'open-chat': 'gone' },
      { chats: { open: () => Promise.resolve(fail(refused)) } },
    );
    await leaf.open(shown);
    await shown.untilOpen();
    expect([shown.chatId, texts.get('open-chat')]).toEqual([null, null]);
    leaf.detach();
  });

  it('opens the windows of its chat', async () => {
    const { leaf, shown } = await openView({ 'open-chat': 'one' });
    await leaf.open(shown);
    await shown.untilOpen();
    const opened: string[][] = [];
    for (const open of ['inspect', 'showContext', 'showDiagnostics'] as const) {
      shown[open]();
      await settle();
      opened.push(modals());
      document.querySelector<HTMLElement>('.modal-close-button')?.click();
    }
    expect(opened).toEqual([[words.inspector.title], [words.status.list], [words.diagnostics.title]]);
    leaf.detach();
  });
});
