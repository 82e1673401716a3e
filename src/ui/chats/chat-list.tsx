/** ChatList: stored chats with their search, for the chat view, a view of its own, and an empty chat. */
import { Platform } from 'obsidian';
import { Fragment, render } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatHit, ChatPlace, ChatSummary } from '../../core/chat/chat-index';
import { describeFailure } from '../../core/ports/failure';
import { words } from '../../text';
import { Icon, IconButton, isOfInputMethod } from '../components/controls';
import { type MenuLine, openMenu } from '../components/settings-and-menus';
import { type ChatListHost, ChatListState } from './chat-list-state';

/** Pixels from the end of the list at which more rows are drawn. */
const nearEnd = 200;

/** Draws a list of chats into an element; the returned function removes it. */
export function mountChatList(element: HTMLElement, host: ChatListHost): () => void {
  const state = new ChatListState(host);
  render(<ChatList state={state} />, element);
  return () => {
    state.close();
    render(null, element);
  };
}

export function ChatList({ state, onClose }: { readonly state: ChatListState; readonly onClose?: () => void }) {
  const say = words.chats;
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  // As it appears, or the focus would be taken from a row that the user is in by then. The keyboard of a phone
  // would cover the list.
  useLayoutEffect(() => {
    if (!Platform.isMobile) search.current?.focus();
  }, []);
  useEffect(() => state.show(), [state]);
  const onScroll = ({ currentTarget: element }: { readonly currentTarget: HTMLElement }): void => {
    if (element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd) state.showMore();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // An input method chooses by these keys among what it offers.
    if (isOfInputMethod(event)) return;
    if (event.key === 'Escape' && onClose !== undefined && state.renaming.value === null) {
      event.stopPropagation();
      onClose();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event, list.current, search.current);
  };
  return (
    <div class="docent-chats" onKeyDown={onKeyDown}>
      <div class="docent-chats-head">
        {onClose !== undefined && <IconButton icon="arrow-left" label={say.close} onClick={onClose} />}
        <input
          type="search"
          class="docent-chats-search"
          ref={search}
          placeholder={say.search}
          aria-label={say.search}
          value={state.query.value}
          onInput={({ currentTarget }) => state.setQuery(currentTarget.value)}
        />
      </div>
      <ListNotes state={state} />
      <div class="docent-chats-list" ref={list} onScroll={onScroll} role="list">
        <Rows state={state} />
        {state.query.value.trim() === '' && (state.deletedCount.value > 0 || state.showsDeleted.value) && (
          <button
            type="button"
            class="docent-chats-deleted"
            onClick={() => state.showDeleted(!state.showsDeleted.value)}
          >
            {state.showsDeleted.value ? say.all : say.deletedChats(state.deletedCount.value)}
          </button>
        )}
      </div>
    </div>
  );
}

/** What the list says above its rows: an undo, an error, how far the reading is, how much was found. */
function ListNotes({ state }: { readonly state: ChatListState }) {
  const say = words.chats;
  const { value: deleted } = state.deleted;
  const failure = state.failure.value ?? state.unlisted.value;
  const { value: progress } = state.progress;
  const isSearch = state.query.value.trim() !== '';
  const { value: hits } = state.found;
  const isSearching = hits === null || (hits.length === 0 && progress !== null);
  return (
    <div class="docent-chats-notes" role="status">
      {deleted !== null && (
        <div class="docent-chats-undo">
          <span>{say.deleted(titleOf(deleted))}</span>{' '}
          <button type="button" onClick={() => void state.restore(deleted)}>
            {say.undo}
          </button>
        </div>
      )}
      {failure !== null && <div class="docent-failure-remedy">{describeFailure(failure)}</div>}
      {progress !== null && <div>{say.reading(progress.read, progress.all)}</div>}
      {isSearch && <div>{isSearching ? say.searching : hits.length === 0 ? say.noHits : say.found(hits.length)}</div>}
      {!isSearch && progress === null && state.listed.value.length === 0 && (
        <div>{state.showsDeleted.value ? say.noneDeleted : say.none}</div>
      )}
    </div>
  );
}

function Rows({ state }: { readonly state: ChatListState }) {
  const { value: hits } = state.found;
  const { value: count } = state.rows;
  if (state.query.value.trim() !== '' && hits !== null) {
    return (
      <>
        {hits.slice(0, count).map((hit) => (
          <Row key={hit.chat.id} chat={hit.chat} hit={hit} state={state} />
        ))}
      </>
    );
  }
  return (
    <>
      {state.listed.value.slice(0, count).map((chat) => (
        <Row key={chat.id} chat={chat} hit={null} state={state} />
      ))}
    </>
  );
}

interface RowProps {
  readonly chat: ChatSummary;
  readonly hit: ChatHit | null;
  readonly state: ChatListState;
}

function Row({ chat, hit, state }: RowProps) {
  const say = words.chats;
  const title = titleOf(chat);
  const isCurrent = state.current.value === chat.id;
  const origin = state.host.index.find(chat.forkOf);
  const place: ChatPlace | null = hit === null ? null : placeOfHit(hit);
  const open = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey) state.host.openIn(chat.id, 'tab');
    else state.host.open(chat.id, place);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'F2') state.renaming.value = chat.id;
    else if (event.key === 'Delete' && !chat.isDeleted) void state.delete(chat);
  };
  if (state.renaming.value === chat.id) return <Renaming chat={chat} state={state} />;
  return (
    <div
      class={`docent-chats-row${isCurrent ? ' is-current' : ''}${origin === null ? '' : ' is-fork'}`}
      role="listitem"
    >
      <button
        type="button"
        class="docent-chats-open"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={open}
        onKeyDown={onKeyDown}
      >
        <span class="docent-chats-title" dir="auto" title={title}>
          {chat.isPinned && <Icon icon="pin" class="docent-chats-pin" />}
          {title}
        </span>
        {hit !== null && hit.passage !== '' && <Passage hit={hit} />}
        <span class="docent-chats-facts">
          {factsOf(chat)}
          {origin !== null && ` · ${words.branches.forkOf(titleOf(origin))}`}
        </span>
      </button>
      <IconButton
        icon="more-vertical"
        label={say.more(title)}
        onClick={({ currentTarget }) => openMenu(currentTarget as HTMLElement, actionsOf(chat, title, state))}
      />
    </div>
  );
}

function placeOfHit({ place, passage, found }: ChatHit): ChatPlace | null {
  return place === null || found === null ? place : { ...place, found: passage.slice(found.start, found.end) };
}

function Passage({ hit: { passage, marks } }: { readonly hit: ChatHit }) {
  return (
    <span class="docent-chats-passage" dir="auto">
      {marks.map(({ start, end }, index) => (
        <Fragment key={start}>
          {passage.slice(marks[index - 1]?.end ?? 0, start)}
          <mark>{passage.slice(start, end)}</mark>
        </Fragment>
      ))}
      {passage.slice(marks.at(-1)?.end ?? 0)}
    </span>
  );
}

function Renaming({ chat, state }: { readonly chat: ChatSummary; readonly state: ChatListState }) {
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  // Before anything else can give the focus to the box, whose text would not be selected then.
  useLayoutEffect(() => input.current?.select(), []);
  const end = (save: boolean): void => {
    if (isDone.current) return;
    isDone.current = true;
    const title = input.current?.value ?? chat.title;
    // A title that was only looked at is not one by hand, which would hold for good.
    if (save && title !== chat.title) void state.rename(chat.id, title);
    else state.renaming.value = null;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (!isOfInputMethod(event)) end(event.key === 'Enter');
  };
  return (
    <div class="docent-chats-row" role="listitem">
      <input
        type="text"
        class="docent-chats-rename"
        ref={input}
        aria-label={words.chats.newTitle}
        defaultValue={chat.title}
        onKeyDown={onKeyDown}
        onBlur={() => end(true)}
      />
    </div>
  );
}

function actionsOf(chat: ChatSummary, title: string, state: ChatListState): MenuLine[] {
  const say = words.chats;
  const { host } = state;
  if (chat.isDeleted) {
    return [
      { title: say.restore, icon: 'undo-2', run: () => void state.restore(chat) },
      { title: say.trash, icon: 'trash-2', run: () => void state.trash(chat, title) },
    ];
  }
  return [
    { title: say.openTab, icon: 'file-plus', section: 'open', run: () => host.openIn(chat.id, 'tab') },
    ...(Platform.isMobile
      ? []
      : [
          {
            title: say.openWindow,
            icon: 'picture-in-picture-2',
            section: 'open',
            run: () => host.openIn(chat.id, 'window'),
          },
        ]),
    { title: say.rename, icon: 'pencil-line', section: 'chat', run: () => void (state.renaming.value = chat.id) },
    {
      ...{ title: chat.isPinned ? say.unpin : say.pin, icon: chat.isPinned ? 'pin-off' : 'pin' },
      ...{ section: 'chat', run: () => void state.pin(chat) },
    },
    ...(host.exportNote === undefined
      ? []
      : [{ title: words.chatNotes.export, icon: 'file-down', section: 'chat', run: () => host.exportNote?.(chat.id) }]),
    { title: say.delete, icon: 'trash-2', section: 'danger', run: () => void state.delete(chat) },
  ];
}

export function titleOf({ title }: Pick<ChatSummary, 'title'>): string {
  return title === '' ? words.chats.untitled : title;
}

/** The second line of a row: when, how much, by which model, for how much, and what is wrong with it. */
export function factsOf({ changed, messages, model, spent, goal, problem, damaged, unknown }: ChatSummary): string {
  const say = words.chats;
  return [
    say.day(changed, Date.now()),
    ...(messages === 0 ? [] : [say.messages(messages)]),
    ...(model === '' ? [] : [model.slice(model.indexOf('/') + 1)]),
    ...(spent === 0 ? [] : [words.spending.dollars(spent)]),
    ...(goal === '' ? [] : [say.goal(goal)]),
    ...(problem === '' ? [] : [problem]),
    ...(damaged === 0 ? [] : [say.damaged(damaged)]),
    ...(unknown === 0 ? [] : [say.newer]),
  ].join(' · ');
}

/** Moves the focus between the search and the rows. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null, search: HTMLInputElement | null): void {
  const rows = Array.from(list?.querySelectorAll<HTMLElement>('.docent-chats-open') ?? []);
  const at = rows.findIndex((row) => row === row.doc.activeElement);
  const isSearch = search !== null && search === search.doc.activeElement;
  if (at < 0 && !isSearch) return;
  event.preventDefault();
  const next = event.key === 'ArrowDown' ? at + 1 : at - 1;
  if (next < 0) search?.focus();
  else rows[Math.min(next, rows.length - 1)]?.focus();
}
