/** The whole interface of a chat inside its view, with the modals that it opens. */
import { computed, effect, type Signal, signal, untracked } from '@preact/signals';
import { type App, Platform } from 'obsidian';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ChatPlace } from '../../core/chat/chat-index';
import { titleOfOpen } from '../../core/chat/chat-title';
import { words } from '../../text';
import { ChatList } from '../chats/chat-list';
import { ChatListState } from '../chats/chat-list-state';
import { confirmAction } from '../components/dialogs';
import { IconButton, restoreLostFocus } from '../components/controls';
import { ContextBar } from '../context/context-bar';
import { ContextListModal } from '../context/context-list';
import { InspectorModal } from '../context/inspector';
import { editSummary } from '../context/summary';
import { DiagnosticsModal, showInterruptedWrites } from '../diagnostics/diagnostics';
import { GoalPanel } from '../goals/goal-panel';
import { ReviewBar } from '../review/review-card';
import { OpenChatState } from '../state/chat-state';
import type { ChatViewPorts } from '../state/ports';
import { ApprovalRequests } from './approval-request';
import { Composer } from './composer';
import { FindBar, type FindStart, goToQuestion } from './find-in-chat';
import {
  FailureNote,
  IndexNotice,
  InstructionsNotice,
  MissingChoices,
  ProblemNotice,
  SystemPromptNotice,
  ServerNotice,
  UntrustedNotice,
} from './notices';
import { Pickers } from './pickers';
import { Transcript } from './transcript';
import { Welcome } from './welcome';

/** What the interface needs of the view that contains it. */
export interface ChatHost {
  readonly app: App;
  readonly contentEl: HTMLElement;
  newChat(): Promise<void>;
  leaveChat(): Promise<void>;
  showChat(chat: string, place: ChatPlace | null): Promise<void>;
  startClean(): Promise<void>;
  /** Called with each chat that is open from now on. */
  chatOpened(chat: string): void;
  /** Shows the title of the open chat where Obsidian shows that of a view. */
  announceTitle(): void;
}

export class MountedChat {
  readonly model: OpenChatState;
  private readonly chats: ChatsPanel;
  private readonly finding = signal<FindStart | null>(null);
  private readonly release: () => void;

  constructor(
    private readonly view: ChatHost,
    readonly ports: ChatViewPorts,
  ) {
    const { app, contentEl } = view;
    const model = new OpenChatState(ports, contentEl.win);
    this.model = model;
    model.context.windows = {
      showList: () => this.showContext(),
      editSnapshot: (shown) => editSummary(app, shown),
    };
    const list = new ChatListState({
      index: ports.chatIndex,
      current: () => model.chatId,
      open: (chat, place) => void view.showChat(chat, place),
      openIn: (chat, place) => ports.openChatIn(chat, place),
      exportNote: ports.noteActs && ((chat) => void ports.noteActs?.export(chat)),
      confirm: (question) => confirmAction(app, question),
      closed: () => void view.leaveChat(),
    });
    this.chats = { list, isOpen: signal(false) };
    const title = computed(() => this.title);
    const openId = computed(() => (model.state.value === null ? null : model.chatId));
    // On mobile, the box would open the keyboard.
    const focused = Platform.isMobile ? '.docent-transcript' : '.docent-composer-input, .docent-read-only button';
    const draw = (): void =>
      render(
        <ChatRoot
          model={model}
          chats={this.chats}
          finding={this.finding}
          onNewChat={() => void view.newChat()}
          onStartClean={() => view.startClean()}
          onInspect={() => this.inspect()}
          onContext={() => this.showContext()}
          onDiagnose={() => this.showDiagnostics()}
        />,
        contentEl,
      );
    const releases: readonly (() => void)[] = [
      effect(() => {
        void model.preview.value;
        untracked(() => ports.planned?.());
      }),
      effect(() => {
        const { value: chat } = openId;
        if (chat !== null) untracked(() => view.chatOpened(chat));
      }),
      effect(() => {
        void title.value;
        untracked(() => view.announceTitle());
      }),
      // Whoever opens the list again looks for another chat.
      effect(() => {
        if (!this.chats.isOpen.value) untracked(() => list.showAll());
      }),
      // What leads to a place in the chat leads there from the list of chats too.
      effect(() => {
        if (model.place.value !== null) untracked(() => this.showChats(false));
      }),
      restoreLostFocus(contentEl, () => contentEl.querySelector<HTMLElement>(focused)),
      contentEl.onWindowMigrated((win) => {
        model.frames.moveTo(win);
        // What waits until it is in sight waits in the window in which it was drawn.
        render(null, contentEl);
        draw();
      }),
    ];
    this.release = () => releases.forEach((release) => release());
    draw();
  }

  /** Starts what must cost nothing before a chat view opens, and reports writes that a crash interrupted. */
  async start(): Promise<void> {
    await this.ports.viewOpened();
    if (this.ports.cutOff !== undefined) showInterruptedWrites(this.ports.cutOff);
  }

  close(): void {
    this.release();
    this.model.close();
    this.ports.planned?.();
    this.chats.list.close();
    render(null, this.view.contentEl);
  }

  /** Title of the open chat; empty if it has none yet. */
  get title(): string {
    return titleOfChat(this.model, this.chats.list);
  }

  showChats(shows: boolean): void {
    this.chats.isOpen.value = shows;
  }

  /** Opens the bar that finds words in the chat. */
  find(): void {
    this.showChats(false);
    this.finding.value ??= { words: '', message: null };
    this.view.contentEl.querySelector<HTMLInputElement>('.docent-find input')?.select();
  }

  /** Shows a place of the chat; what was found there is marked, and found again in the rest of the chat. */
  async showPlace(place: ChatPlace): Promise<void> {
    this.finding.value = null;
    await this.model.showPlace(place);
    if (place.found !== undefined) this.finding.value = { words: place.found, message: place.message };
  }

  goToQuestion(by: -1 | 1): void {
    this.showChats(false);
    goToQuestion(this.model, this.view.contentEl, by);
  }

  goToEnd(): void {
    this.model.place.value = 'end';
  }

  inspect(): void {
    new InspectorModal(this.view.app, this.model, () => this.ports.openInspector?.()).open();
  }

  showContext(): void {
    new ContextListModal(this.view.app, this.model, () => this.inspect()).open();
  }

  showDiagnostics(): void {
    new DiagnosticsModal(this.view.app, this.ports, () => this.model.next).open();
  }
}

/** The list of chats, which takes the place of the chat while it is open. */
interface ChatsPanel {
  readonly list: ChatListState;
  readonly isOpen: Signal<boolean>;
}

/** Returns the title of the open chat; whoever draws it draws it again when another chat is opened. */
function titleOfChat(model: OpenChatState, list: ChatListState): string {
  const listed = list.chats.value.find(({ id }) => id === model.shownId) ?? null;
  return titleOfOpen(model.state.value, listed);
}

interface ChatRootProps {
  readonly model: OpenChatState;
  /** Absent where no chats are listed. */
  readonly chats?: ChatsPanel;
  /** What the bar that finds words in the chat begins with, if it is open; absent where there is none. */
  readonly finding?: Signal<FindStart | null>;
  readonly onNewChat: () => void;
  readonly onStartClean: () => Promise<void>;
  readonly onInspect: () => void;
  /** Shows the context of the next request. */
  readonly onContext: () => void;
  readonly onDiagnose: () => void;
}

/** ChatRoot: the whole interface of a chat, from its action bar to the composer. */
export function ChatRoot({
  model,
  chats,
  finding,
  onNewChat,
  onStartClean,
  onInspect,
  onContext,
  onDiagnose,
}: ChatRootProps) {
  const [goalOpen, setGoalOpen] = useState(false);
  const toggleGoal = (): void => {
    // The list of chats takes the place of the goal.
    const isCovered = chats?.isOpen.value === true;
    if (isCovered) chats.isOpen.value = false;
    setGoalOpen(isCovered || !goalOpen);
  };
  const title = chats === undefined ? '' : titleOfChat(model, chats.list);
  return (
    <div class="docent-pane">
      <div class="docent-toolbar">
        <span class="docent-toolbar-title" dir="auto" title={title || undefined}>
          {title || words.chatView.title}
        </span>
        {chats !== undefined && (
          <IconButton
            icon="history"
            label={words.commandNames['show-chats']}
            onClick={() => (chats.isOpen.value = !chats.isOpen.value)}
          />
        )}
        <IconButton icon="target" label={words.goals.panel} onClick={toggleGoal} />
        <IconButton icon="scan-text" label={words.chatView.inspect} onClick={onInspect} />
        <IconButton icon="settings" label={words.chatView.openSettings} onClick={() => model.ports.openSettings()} />
        <IconButton icon="square-pen" label={words.chatView.newChat} onClick={onNewChat} />
      </div>
      {chats?.isOpen.value === true ? (
        <ChatList state={chats.list} onClose={() => (chats.isOpen.value = false)} />
      ) : (
        <OpenChatBody
          {...{ model, finding, onNewChat, onStartClean, onInspect, onContext, onDiagnose, goalOpen, toggleGoal }}
          list={chats?.list}
        />
      )}
    </div>
  );
}

interface BodyProps extends Omit<ChatRootProps, 'chats' | 'finding'> {
  readonly finding: Signal<FindStart | null> | undefined;
  readonly list: ChatListState | undefined;
  readonly goalOpen: boolean;
  readonly toggleGoal: () => void;
}

/** The open chat: its goal, its messages, and what is below them. */
function OpenChatBody({
  model,
  finding,
  list,
  onNewChat,
  onStartClean,
  onInspect,
  onContext,
  onDiagnose,
  goalOpen,
  toggleGoal,
}: BodyProps) {
  const state = model.state.value;
  const failure = model.failure.value;
  // One of which no line can be read is not new.
  const isEmpty = state !== null && state.items.length === 0 && !state.running && state.damaged === 0;
  return (
    <>
      {state === null && failure === null && <div class="docent-loading">{words.chatView.loading}</div>}
      {state !== null && (
        <GoalPanel key={model.chatId} model={model} damaged={state.damaged} open={goalOpen} onToggle={toggleGoal} />
      )}
      {finding !== undefined && <Finding model={model} finding={finding} isEmpty={isEmpty} />}
      {isEmpty ? (
        <Welcome model={model} chats={list} />
      ) : (
        state !== null && <Transcript key={model.shownId} model={model} state={state} />
      )}
      <div class="docent-foot">
        <ReviewBar model={model} />
        {failure !== null && (
          <FailureNote failure={failure} model={model} onDismiss={() => (model.failure.value = null)} />
        )}
        <ApprovalRequests key={model.chatId} model={model} />
        <UntrustedNotice key={model.chatId} model={model} onStartClean={onStartClean} />
        <SystemPromptNotice model={model} />
        <ProblemNotice model={model} onOpen={onDiagnose} />
        <ServerNotice model={model} />
        <IndexNotice model={model} />
        <InstructionsNotice model={model} />
        <ContextBar
          plan={model.preview.value}
          settings={model.ports.settings()}
          summarising={state?.summarising === true}
          onOpen={onContext}
        />
        <MissingChoices model={model} />
        {state?.isReadOnly === true ? (
          <ReadOnlyNote model={model} isTrashed={state.isTrashed === true} onNewChat={onNewChat} />
        ) : (
          <>
            <Composer model={model} onNewChat={onNewChat} onInspect={onInspect} />
            <Pickers model={model} />
          </>
        )}
      </div>
    </>
  );
}

interface ReadOnlyNoteProps {
  readonly model: OpenChatState;
  readonly isTrashed: boolean;
  readonly onNewChat: () => void;
}

/** ReadOnlyNote: why nothing can be added to the chat, in place of its message box. */
function ReadOnlyNote({ model, isTrashed, onNewChat }: ReadOnlyNoteProps) {
  const say = words.branches;
  const goOn = async (): Promise<void> => {
    const [text, mentions] = [model.text.value, model.mentions.value];
    model.setText('', []);
    onNewChat();
    await model.opening;
    if (text !== '' || mentions.length > 0) model.addToDraft(text, mentions);
  };
  return (
    <div class="docent-read-only" role="status">
      <div>
        {isTrashed ? say.trashed : say.readOnly}{' '}
        {!isTrashed ? say.readOnlyRemedy : model.canSend ? say.trashedDraft : say.trashedRemedy}
      </div>
      {isTrashed && (
        <div class="docent-failure-actions">
          <button type="button" onClick={() => void goOn()}>
            {words.chatView.newChat}
          </button>
        </div>
      )}
    </div>
  );
}

interface FindingProps {
  readonly model: OpenChatState;
  readonly finding: Signal<FindStart | null>;
  /** Whether the chat has no message to find words in. */
  readonly isEmpty: boolean;
}

/** Finding: the bar that finds words in the chat, which closes in an empty one. */
function Finding({ model, finding, isEmpty }: FindingProps) {
  const { value: start } = finding;
  const isIdle = isEmpty && start !== null;
  useEffect(() => {
    // It would come back with the first message, and take the focus from the message box.
    if (isIdle) finding.value = null;
  }, [isIdle]);
  if (start === null || isEmpty) return null;
  return (
    <FindBar
      key={`${start.message} ${start.words}`}
      model={model}
      start={start}
      onClose={() => (finding.value = null)}
    />
  );
}
