/** @jest-environment jsdom */
/** The list of stored chats: what it shows while the user searches, renames, deletes, and moves in it by keys. */
import { Platform } from 'obsidian';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import type { ChatHit, ChatIndex, ChatSummary } from '../../../../src/core/chat/chat-index';
import { type Failure, fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import { words } from '../../../../src/text';
import { ChatList, factsOf, mountChatList } from '../../../../src/ui/chats/chat-list';
import { type ChatListHost, ChatListState, forksBelow } from '../../../../src/ui/chats/chat-list-state';

const say = words.chats;
const chat = (id: string, more: Partial<ChatSummary> = {}): ChatSummary => ({
  ...{ id, title: `Chat ${id}`, isNamed: false, started: 0, changed: 0, messages: 1, model: '', goal: '', spent: 0 },
  ...{ usage: [], size: 1, isPinned: false, isDeleted: false, forkOf: '', problem: '', damaged: 0, unknown: 0 },
  ...more,
});
const hit = (found: ChatSummary): ChatHit => ({ chat: found, place: null, passage: '', found: null, marks: [] });

let root: HTMLElement;
let state: ChatListState;
let done: string[];
let chats: ChatSummary[];
/** What the next change of a chat ends with. */
let outcome: Outcome<unknown>;
/** Ends the searches that run, oldest first. */
let finishes: (() => void)[];

/** Changes a chat as the index does: its summary is another object. */
function change(id: string, part: Partial<ChatSummary>): Promise<Outcome<unknown>> {
  done.push(`change ${id} ${JSON.stringify(part)}`);
  if (!outcome.ok) return Promise.resolve(outcome);
  chats = chats.map((each) => (each.id === id ? { ...each, ...part } : each));
  listeners.forEach((listener) => listener());
  return Promise.resolve(outcome);
}
const listeners = new Set<() => void>();

/** An index over the chats above, of which a search waits to be finished and finds titles with the query. */
const index = {
  get chats() {
    return chats;
  },
  progress: null as ChatIndex['progress'],
  failure: null,
  find: (id: string) => chats.find((each) => each.id === id) ?? null,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  show: () => () => undefined,
  rename: (id: string, title: string) => change(id, { title }),
  pin: (id: string, isPinned: boolean) => change(id, { isPinned }),
  setDeleted: (id: string, isDeleted: boolean) => change(id, { isDeleted }),
  trash: (id: string) => Promise.resolve(succeed(void done.push(`trash ${id}`))),
  search: (query: string) => {
    const found = chats.filter(({ title, isDeleted }) => title.includes(query) && !isDeleted).map(hit);
    return new Promise<ChatHit[]>((resolve) => finishes.push(() => resolve(found)));
  },
};

function show(listed: readonly ChatSummary[], more: Partial<ChatListHost> = {}, onClose?: () => void): void {
  chats = [...listed];
  state = new ChatListState({
    index: index as never,
    current: () => 'a',
    open: (id) => void done.push(`open ${id}`),
    openIn: (id, place) => void done.push(`open ${id} in a ${place}`),
    confirm: () => Promise.resolve(true),
    closed: (id) => void done.push(`closed ${id}`),
    ...more,
  });
  act(() => render(<ChatList state={state} {...(onClose && { onClose })} />, root));
}

const settle = (milliseconds = 10): Promise<void> =>
  act(() => new Promise((resolve) => setTimeout(resolve, milliseconds)));
const titles = (): string[] => [...root.querySelectorAll('.docent-chats-title')].map(({ textContent }) => textContent);
const rows = (): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('.docent-chats-open')];
const box = (): HTMLInputElement => root.querySelector<HTMLInputElement>('.docent-chats-search')!;
const notes = (): string => root.querySelector('.docent-chats-notes')?.textContent ?? '';

/** Types a query, and lets its search begin. */
async function search(query: string): Promise<void> {
  box().value = query;
  act(() => void box().dispatchEvent(new InputEvent('input', { bubbles: true })));
  await settle(220);
}
async function finish(): Promise<void> {
  finishes.shift()?.();
  await settle();
}
function press(key: string, more: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  act(() => void document.activeElement?.dispatchEvent(event));
  return event.defaultPrevented;
}

beforeEach(() => {
  createTestApp({ bare: true });
  [done, finishes, outcome, index.progress] = [[], [], succeed(undefined), null];
  root = document.body.createDiv();
});
afterEach(async () => {
  act(() => render(null, root));
  state.close();
  expect(listeners.size).toBe(0);
  root.remove();
  await closeTestApps();
});
passTimeQuickly();

it('shows among what was found a title that was changed and a chat that was pinned since', async () => {
  show([chat('a'), chat('b', { title: 'Oak' }), chat('c', { title: 'Oak too' })]);
  await search('Oak');
  await finish();
  expect(titles()).toEqual(['Oak', 'Oak too']);
  // A line may be too short for its title.
  expect([...root.querySelectorAll<HTMLElement>('.docent-chats-title')].map(({ title }) => title)).toEqual(titles());
  await act(() => state.rename('b', 'Elm'));
  expect(titles()).toEqual(['Elm', 'Oak too']);
  await act(() => state.pin(chats[1]!));
  expect(root.querySelectorAll('.docent-chats-pin')).toHaveLength(1);
});

it('takes a deleted chat out of what was found, and puts it back with the undo', async () => {
  show([chat('a'), chat('b', { title: 'Oak' }), chat('c', { title: 'Oak too' })]);
  await search('Oak');
  await finish();
  act(() => rows()[0]?.focus());
  press('Delete');
  await settle();
  expect(titles()).toEqual(['Oak too']);
  expect(notes()).toContain(say.found(1));
  act(() => root.querySelector<HTMLElement>('.docent-chats-undo button')?.click());
  await settle();
  expect(titles()).toEqual(['Oak', 'Oak too']);
  expect(root.querySelector('.docent-chats-undo')).toBeNull();
});

it('is in the search as it appears, and takes the focus from no row that the user goes to before it is painted', async () => {
  show([chat('a'), chat('b')]);
  render(null, root);
  render(<ChatList state={state} />, root);
  expect(document.activeElement).toBe(root.querySelector('input'));
  root.querySelector<HTMLElement>('.docent-chats-open')!.focus();
  await settle(100);
  expect(document.activeElement).toBe(root.querySelector('.docent-chats-open'));
});

it('leaves the keys of an input method that composes in the search to it', () => {
  const close = jest.fn();
  show([chat('a'), chat('b')], {}, close);
  box().focus();
  for (const key of ['ArrowDown', 'ArrowUp', 'Escape']) expect(press(key, { isComposing: true })).toBe(false);
  expect(document.activeElement).toBe(box());
  expect(close).not.toHaveBeenCalled();
  press('ArrowDown');
  expect(document.activeElement).toBe(rows()[0]);
  press('Escape');
  expect(close).toHaveBeenCalledTimes(1);
});

it('moves between the search and the rows by the arrow keys, and stays at both ends', () => {
  show([chat('a'), chat('b')]);
  box().focus();
  press('ArrowDown');
  press('ArrowDown');
  expect(document.activeElement).toBe(rows()[1]);
  press('ArrowDown');
  expect(document.activeElement).toBe(rows()[1]);
  press('ArrowUp');
  press('ArrowUp');
  press('ArrowUp');
  expect(document.activeElement).toBe(box());
});

it('shows what the newest query finds, whichever search ends last', async () => {
  show([chat('a', { title: 'Oak' }), chat('b', { title: 'Elm' })]);
  await search('Oak');
  expect(notes()).toContain(say.searching);
  await search('Elm');
  const [first, second] = finishes.splice(0);
  second?.();
  await settle();
  first?.();
  await settle();
  expect(titles()).toEqual(['Elm']);
  await search('Yew');
  await finish();
  expect(notes()).toContain(say.noHits);
  await search('');
  expect(titles()).toEqual(['Oak', 'Elm']);
});

it('searches again once chats have been read that were not known before', async () => {
  show([chat('a')]);
  index.progress = { read: 100, all: 200 };
  listeners.forEach((listener) => act(listener));
  await search('Oak');
  await finish();
  expect(notes()).toContain(say.searching);
  expect(notes()).not.toContain(say.noHits);
  chats = [...chats, chat('b', { title: 'Oak' })];
  index.progress = null;
  listeners.forEach((listener) => act(listener));
  await settle(220);
  await finish();
  expect([titles(), notes()]).toEqual([['Oak'], say.found(1)]);
  // What changes in chats that were searched begins no search.
  await act(() => state.pin(chats[0]!));
  await settle(220);
  expect(finishes).toEqual([]);
});

it('leaves the title as it is when it was only looked at', async () => {
  show([chat('a', { title: 'Which boat is blue?' })]);
  for (const end of [() => press('Enter'), () => act(() => rows()[0]?.focus() ?? box().focus())]) {
    act(() => rows()[0]?.focus());
    press('F2');
    act(() => root.querySelector<HTMLInputElement>('.docent-chats-rename')?.focus());
    end();
    await settle();
    expect(root.querySelector('.docent-chats-rename')).toBeNull();
  }
  expect(done).toEqual([]);
});

it('renames by F2, keeps the title at Escape, and keeps Enter for an input method that composes', async () => {
  show([chat('a'), chat('b')]);
  act(() => rows()[1]?.focus());
  press('F2');
  const title = root.querySelector<HTMLInputElement>('.docent-chats-rename')!;
  expect(title.value).toBe('Chat b');
  title.focus();
  title.value = 'Elm';
  press('Enter', { isComposing: true });
  press('Enter', { keyCode: 229 });
  expect(done).toEqual([]);
  press('Enter');
  await settle();
  expect(done).toEqual(['change b {"title":"Elm"}']);
  expect(titles()).toEqual(['Chat a', 'Elm']);
  act(() => rows()[0]?.focus());
  press('F2');
  root.querySelector<HTMLInputElement>('.docent-chats-rename')?.focus();
  press('Escape');
  await settle();
  expect(done).toHaveLength(1);
});

it('leaves the chat in view when it is deleted, and says why it was not', async () => {
  show([chat('a'), chat('b')]);
  const failure: Failure = { kind: 'refused', words: 'No room.', remedy: '' };
  outcome = fail(failure);
  await act(() => state.delete(chats[0]!));
  expect(titles()).toEqual(['Chat a', 'Chat b']);
  expect(notes()).toContain('No room.');
  outcome = succeed(undefined);
  await act(() => state.delete(chats[0]!));
  expect(done).toContain('closed a');
  expect(notes()).not.toContain('No room.');
  expect(titles()).toEqual(['Chat b']);
  act(() => root.querySelector<HTMLElement>('.docent-chats-deleted')?.click());
  expect(titles()).toEqual(['Chat a']);
});

it('draws ten thousand chats a screen at a time', () => {
  show(Array.from({ length: 10_000 }, (_, at) => chat(`${at}`)));
  expect(rows()).toHaveLength(60);
  act(() => void root.querySelector('.docent-chats-list')?.dispatchEvent(new Event('scroll')));
  expect(rows()).toHaveLength(120);
});

it('opens a chat here, or in a tab of its own with the key for it', () => {
  show([chat('a')]);
  act(() => rows()[0]?.click());
  act(() => void rows()[0]?.dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true })));
  expect(done).toEqual(['open a', 'open a in a tab']);
});

it('lists forks below the chat that they began with, however damaged logs say that they did', () => {
  const ids = (listed: readonly ChatSummary[]): string =>
    forksBelow(listed)
      .map(({ id }) => id)
      .join(' ');
  const fork = (id: string, forkOf: string): ChatSummary => chat(id, { forkOf });
  expect(ids([fork('c', 'a'), chat('b'), fork('d', 'c'), chat('a'), fork('e', 'a'), fork('f', 'gone')])).toBe(
    'b a c d e f',
  );
  expect(ids([fork('a', 'b'), fork('b', 'a'), fork('c', 'c')])).toBe('a b c');
  // One that is pinned stays before all that are not.
  const pinned = (id: string, forkOf: string): ChatSummary => chat(id, { forkOf, isPinned: true });
  expect(ids([pinned('c', 'a'), chat('b'), fork('d', 'c'), chat('a'), fork('e', 'a')])).toBe('c d b a e');
  expect(ids([pinned('c', 'a'), pinned('b', ''), pinned('a', ''), chat('e')])).toBe('b a c e');
});

describe('the menu of a chat', () => {
  const lines = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.menu-item')];
  /** Opens the menu of a row, chooses a line of it, and returns the lines, with none between those that it parts. */
  async function choose(row: number, title?: string): Promise<string[]> {
    act(() => root.querySelectorAll<HTMLElement>('.docent-chats-row > .docent-icon-button')[row]?.click());
    const titles = [...document.querySelectorAll('.menu-item, .menu-separator')].map(({ textContent }) => textContent);
    const line = lines().find(({ textContent }) => textContent === title);
    act(() => (line === undefined ? document.body.click() : line.click()));
    for (const menu of document.querySelectorAll('.menu')) menu.remove();
    await settle();
    return titles;
  }
  const usual = [say.openTab, say.openWindow, '', say.rename, say.pin, '', say.delete];

  it('has what can be done with it, and notes where they can be written', async () => {
    show([chat('a'), chat('b', { isPinned: true })]);
    expect(await choose(0)).toEqual(usual);
    expect(await choose(1)).toEqual(usual.map((line) => (line === say.pin ? say.unpin : line)));
    await choose(1, say.openTab);
    await choose(1, say.openWindow);
    await choose(1, say.unpin);
    await choose(0, say.delete);
    expect(done).toEqual([
      'open b in a tab',
      'open b in a window',
      'change b {"isPinned":false}',
      'change a {"isDeleted":true}',
      'closed a',
    ]);
    await choose(0, say.rename);
    expect(root.querySelector<HTMLInputElement>('.docent-chats-rename')?.value).toBe('Chat b');
  });

  it('exports a chat where the host makes notes of chats', async () => {
    show([chat('a')], { exportNote: (id) => void done.push(`export ${id}`) });
    expect(await choose(0, words.chatNotes.export)).toEqual([
      ...[say.openTab, say.openWindow, '', say.rename, say.pin, words.chatNotes.export, '', say.delete],
    ]);
    expect(done).toEqual(['export a']);
  });

  it('opens no window on the phone', async () => {
    const platform = jest.replaceProperty(Platform, 'isMobile', true);
    show([chat('a')]);
    expect(await choose(0)).toEqual(usual.filter((line) => line !== say.openWindow));
    // Its keyboard would cover the list.
    expect(document.activeElement).toBe(document.body);
    platform.restore();
  });

  it('restores a deleted chat, and moves it to the trash only after the user was asked', async () => {
    const asked: unknown[] = [];
    let isSure = false;
    const confirm = (question: object): Promise<boolean> => Promise.resolve(asked.push(question) > 0 && isSure);
    show([chat('a'), chat('b', { isDeleted: true })], { confirm });
    expect(titles()).toEqual(['Chat a']);
    const deleted = (): HTMLElement | null => root.querySelector<HTMLElement>('.docent-chats-deleted');
    expect(deleted()?.textContent).toBe(say.deletedChats(1));
    act(() => deleted()?.click());
    expect([titles(), deleted()?.textContent]).toEqual([['Chat b'], say.all]);
    rows()[0]?.focus();
    press('Delete');
    expect(await choose(0, say.trash)).toEqual([say.restore, say.trash]);
    expect([asked, done]).toEqual([[{ title: say.trashTitle, text: say.trashText('Chat b'), action: say.trash }], []]);
    isSure = true;
    await choose(0, say.trash);
    await choose(0, say.restore);
    expect(done).toEqual(['trash b', 'change b {"isDeleted":false}']);
    expect([titles(), notes()]).toEqual([[], say.noneDeleted]);
    act(() => deleted()?.click());
    expect([titles(), deleted()]).toEqual([['Chat a', 'Chat b'], null]);
  });
});

it('has a chat in view left once its files are in the trash', async () => {
  show([chat('a', { isDeleted: true })]);
  await act(() => state.trash(chats[0]!, 'Chat a'));
  expect(done).toEqual(['trash a', 'closed a']);
});

it('marks the chat in view, the passage that was found, and what a fork began with', async () => {
  const [a, b] = [chat('a'), chat('b', { title: '', forkOf: 'a' })];
  show([a, b, chat('c', { forkOf: 'lost' })]);
  const classes = [...root.querySelectorAll('.docent-chats-row')].map(({ className }) => className);
  expect(classes).toEqual(['docent-chats-row is-current', 'docent-chats-row is-fork', 'docent-chats-row']);
  expect(rows().map(({ ariaCurrent }) => ariaCurrent)).toEqual(['true', null, null]);
  expect([titles()[1], rows()[1]?.textContent.endsWith(` · ${words.branches.forkOf('Chat a')}`)]).toEqual([
    ...[say.untitled, true],
  ]);
  const place = { message: 'u', isAnswer: false };
  const found = jest.spyOn(index, 'search').mockImplementation(() => {
    const [oak, keel] = [
      { start: 4, end: 7 },
      { start: 8, end: 12 },
    ];
    const passage = { chat: a, place, passage: 'The oak keel', found: oak, marks: [oak, keel] };
    return Promise.resolve([passage, { ...passage, chat: b, place: null, passage: '', found: null, marks: [] }]);
  });
  const opened: unknown[] = [];
  state.host.open = (id, at) => void opened.push([id, at]);
  await search('oak');
  expect(notes()).toBe(say.found(2));
  expect([...root.querySelectorAll('.docent-chats-passage')].map(({ innerHTML }) => innerHTML)).toEqual([
    'The <mark>oak</mark> <mark>keel</mark>',
  ]);
  for (const row of rows()) act(() => row.click());
  expect(opened).toEqual([
    ['a', { ...place, found: 'oak' }],
    ['b', null],
  ]);
  found.mockRestore();
  await search('  ');
  expect([titles().length, notes()]).toEqual([3, '']);
});

it('says of a chat what is known of it, and nothing else', () => {
  const [day] = factsOf(chat('a', { messages: 0 })).split(' · ');
  expect(factsOf(chat('a', { messages: 0 }))).toBe(day);
  const all = { messages: 3, model: 'anthropic/opus', spent: 0.5, goal: 'active', problem: 'Lost.' } as const;
  expect(factsOf(chat('a', { ...all, damaged: 2, unknown: 1 }))).toBe(
    [
      ...[day, say.messages(3), 'opus', words.spending.dollars(0.5), say.goal('active'), 'Lost.'],
      ...[say.damaged(2), say.newer],
    ].join(' · '),
  );
});

it('is closed by its button and by Escape, except while a chat is renamed', () => {
  show([chat('a')], {}, () => void done.push('close'));
  expect(document.activeElement).toBe(box());
  act(() => root.querySelector<HTMLElement>('.docent-chats-head button')?.click());
  rows()[0]?.focus();
  press('F2');
  root.querySelector<HTMLElement>('.docent-chats-rename')?.focus();
  press('Escape');
  expect(done).toEqual(['close']);
  box().focus();
  press('x');
  press('Escape');
  expect(done).toEqual(['close', 'close']);
});

it('draws more rows when the reader nears the last ones', () => {
  show(Array.from({ length: 200 }, (_, at) => chat(`${at}`)));
  const list = root.querySelector<HTMLElement>('.docent-chats-list')!;
  for (const [name, value] of Object.entries({ scrollHeight: 1_000, clientHeight: 300 }))
    Object.defineProperty(list, name, { value });
  const scrollTo = (top: number): number => {
    list.scrollTop = top;
    act(() => void list.dispatchEvent(new Event('scroll')));
    return rows().length;
  };
  expect([scrollTo(0), scrollTo(500), scrollTo(501), scrollTo(501), scrollTo(700)]).toEqual([60, 60, 120, 180, 200]);
});

it('follows the chats in a view of its own until it is removed', () => {
  chats = [chat('a')];
  show([chat('a')]);
  const own = document.body.createDiv();
  let remove = (): void => {};
  act(() => void (remove = mountChatList(own, state.host)));
  expect(own.querySelectorAll('.docent-chats-row')).toHaveLength(1);
  chats = [chat('a'), chat('b')];
  act(() => listeners.forEach((listener) => listener()));
  expect(own.querySelectorAll('.docent-chats-row')).toHaveLength(2);
  act(() => remove());
  expect([own.innerHTML, listeners.size]).toEqual(['', 1]);
});
