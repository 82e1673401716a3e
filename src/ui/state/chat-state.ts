/** The state of one open chat, as signals, with its unsent message; views read it and call its methods. */
import { batch, signal } from '@preact/signals';
import type { Chat } from '../../core/chat/chat';
import type { ChatPlace } from '../../core/chat/chat-index';
import type { ChatState, Outgoing } from '../../core/chat/chat-view-state';
import type { AnswerItem, TranscriptItem } from '../../core/chat/transcript';
import type { CleanStart } from '../../core/chat/open-chats';
import type { NextChoices } from '../../core/diagnostics/check';
import type { GoalManager } from '../../core/goals/goal-manager';
import { mentionsInText, withArguments, withoutMention } from '../../core/mentions/mention-text';
import { unsavedOf, type UnsavedTexts } from '../../core/ports/device';
import { type Failure, type Outcome, succeed } from '../../core/ports/failure';
import type { RequestPlan } from '../../core/ports/request-plan';
import type { ChatChoices, Mention } from '../../core/session/entry';
import type { Further } from '../../core/turn/approve-calls';
import { words } from '../../text';
import { AskingNotes } from './asking-notes';
import { ContextState } from './context-state';
import { type Draft, DraftImages, DraftStore, emptyDraft, joinDrafts, leaveUnread, readDrafts } from './draft';
import { differsOnlyInLive, LiveFrames, waitFor } from './live-frames';
import type { OpenChat, ChatViewPorts } from './ports';
import { Failures, MessageActs } from './message-acts';
import { ReviewState } from './review-state';

/** Milliseconds without typing after which the next request is counted again. */
const previewAfter = 400;
/** Milliseconds in which the end of a long chat is drawn before the rest of it is read. */
const untilDrawn = 120;
/** Maximum milliseconds until a draft is saved on the device (S4). */
const draftAfter = 250;

/** All of a chat's state but the answer being streamed, which changes with every few characters. */
export type SettledState = Omit<ChatState, 'live'>;

const unread: SettledState = {
  ...{ items: [], running: false, summarising: false, queued: [], plan: null, damaged: 0, isReading: true },
};

export class OpenChatState {
  readonly state = signal<SettledState | null>(null);
  /** The answer being streamed, some frames late; null between answers. */
  readonly live = signal<AnswerItem | null>(null);
  readonly text = signal('');
  readonly mentions = signal<readonly Mention[]>([]);
  /** The request that sending now would make. */
  readonly preview = signal<RequestPlan | null>(null);
  /** What the transcript is to show: a message, an item by its place, or the end; null once it does. */
  readonly place = signal<ChatPlace | number | 'end' | null>(null);
  private readonly failures = new Failures(this);
  /** Why the chat could not be opened, or a message not be saved. */
  readonly failure = this.failures.shown;
  readonly images = new DraftImages(this);
  readonly context = new ContextState(
    () => this.chat,
    (outcome, { id }) => {
      this.showOutcome(!outcome.ok && outcome.failure.kind === 'aborted' ? succeed(null) : outcome, undefined, id);
      this.schedulePreview();
    },
  );
  readonly messages = new MessageActs(this, () => this.chat);
  readonly review = new ReviewState(this.state, () => this.chat?.changes ?? null, waitFor);
  private chat: Chat | null = null;
  /** The id of the chat of which only the end is shown. */
  private reading: string | null = null;
  private release: (() => void)[] = [];
  /** Counts the chats that were to be opened, so that only the newest is shown. */
  private asked = 0;
  opening: Promise<void> = Promise.resolve();
  private previewing: AbortController | null = null;
  /** What was shown as the next request when it was sent, until it is planned; then by the request that was sent. */
  private announcing: RequestPlan | null = null;
  private readonly announced = new WeakMap<RequestPlan, RequestPlan>();
  private previewTimer = 0;
  /** Set while the draft is not stored as it is. */
  draftTimer = 0;
  readonly frames: LiveFrames;
  private readonly asking: AskingNotes;
  readonly unsaved: UnsavedTexts;
  private readonly drafts: DraftStore;

  /** @param window in which answers are drawn */
  constructor(
    readonly ports: ChatViewPorts,
    window: Window,
  ) {
    this.asking = new AskingNotes(ports, () => this.chat);
    this.unsaved = unsavedOf(ports);
    this.drafts = new DraftStore(this.unsaved, this.failure);
    this.frames = new LiveFrames(window, () => (this.live.value = this.chat?.current.live ?? null));
  }

  get chatId(): string | null {
    return this.chat?.id ?? null;
  }

  /** The id of the chat in view, also while it is being read. */
  get shownId(): string | null {
    return this.chatId ?? this.reading;
  }

  /** Shows in its chat why an act of the user failed, and how to try it again if that is given. */
  showOutcome(outcome: Outcome<unknown>, again?: () => void, chatId = this.chatId): boolean {
    return this.failures.show(outcome, again, chatId);
  }

  /** Returns what tries again what ended with this failure; undefined if nothing can. */
  againAfter(failure: Failure): (() => void) | undefined {
    return this.failures.againAfter(failure);
  }

  /** Scrolls to a message or its answer, in the branch that has it. */
  async showPlace(place: ChatPlace): Promise<void> {
    await this.messages.find(place);
    this.place.value = place;
  }

  /** The choices and mentions of the next request; null until a chat is open. */
  get next(): NextChoices | null {
    return this.chat === null ? null : { ...this.chat.choices, mentions: this.mentions.value };
  }

  /** The open chat as other parts of Docent see it; null until one is open. */
  get openChat(): OpenChat | null {
    const { chat, asking } = this;
    if (chat === null) return null;
    return {
      get choices() {
        return asking.newest(chat).choices;
      },
      choose: (choices) => this.choose(choices, chat),
      send: (text, mentions) => this.sendWithoutDraft(text, mentions, undefined, chat),
      plan: (signal) => chat.preview(this.text.value, this.attached, signal),
    };
  }

  /** The choices of the open chat. */
  get choices(): Required<ChatChoices> | null {
    return this.chat?.choices ?? null;
  }

  /** Stores choices in the chat that is open now; resolves to false if that failed, and shows the failure. */
  async choose(choices: ChatChoices, asked = this.chat): Promise<boolean> {
    if (asked === null) return false;
    const chosen = await this.asking.newest(asked).choose(choices);
    this.showOutcome(chosen, () => void this.choose(choices, asked), asked.id);
    if (chosen.ok && choices.mode === 'user') await this.ports.ownPrompt.startOwnMode();
    if (chosen.ok) await this.asking.follow([choices.selectedPrompt, choices.selectedWorkspace], asked);
    this.schedulePreview();
    return chosen.ok;
  }

  /** The goals of the open chat. */
  get goals(): GoalManager | null {
    return this.chat?.goals ?? null;
  }

  /** Applies the user's change to the goals, and shows why it failed if it did. */
  async changeGoals(change: (goals: GoalManager) => Promise<Outcome<unknown>>, goals = this.goals): Promise<void> {
    if (goals === null) return;
    const chatId = goals === this.goals ? this.chatId : null;
    const changed = await change(goals);
    this.showOutcome(changed, () => void this.changeGoals(change, goals), chatId);
    this.schedulePreview();
  }

  /**
   * Opens a chat, or a new one for null; a turn that runs in the previous chat continues. Resolves once the chat that
   * was requested last is open.
   */
  open(id: string | null): Promise<void> {
    if (id !== this.reading) leaveUnread(this);
    this.opening = this.show(id, (this.asked += 1));
    return this.opening;
  }

  private async show(id: string | null, asked: number): Promise<void> {
    const opened = await this.ports.chats.open(id, (items) => this.showEnd(id, items, asked));
    // Another chat may have been requested since, or the view may have been closed.
    const isSame = opened.ok && opened.value.id === this.chatId;
    const read = opened.ok && !isSame && id !== null ? await readDrafts(this, opened.value) : emptyDraft;
    if (asked !== this.asked) return this.opening;
    const stored = this.drafts.typedAfter(id) ?? read;
    // What is typed before the first chat is open belongs to it.
    const draft = isSame ? this.draft : this.chat === null ? joinDrafts([stored, this.draft]) : stored;
    if (!opened.ok) {
      if (this.reading !== null) this.state.value = null;
      this.reading = null;
      return void this.showOutcome(opened, () => void this.open(id));
    }
    this.leave();
    const chat = opened.value;
    this.chat = chat;
    this.reading = null;
    batch(() => {
      this.failures.opened(chat.id);
      this.place.value = null;
      this.messages.editing.value = null;
      this.state.value = chat.current;
      this.live.value = chat.current.live;
      this.text.value = draft.text;
      this.mentions.value = draft.mentions;
    });
    this.images.look();
    this.saveDraft();
    this.listen(chat);
  }

  /** Shows the end of a chat before the rest is read; what is typed from now on belongs to that chat. */
  private async showEnd(id: string | null, items: readonly TranscriptItem[], asked: number): Promise<void> {
    if (asked !== this.asked) return;
    const typed = this.chat === null ? this.draft : emptyDraft;
    this.leave();
    this.reading = id;
    batch(() => {
      this.failure.value = null;
      this.live.value = null;
      this.preview.value = null;
      this.state.value = { ...unread, items };
      this.text.value = typed.text;
      this.mentions.value = typed.mentions;
    });
    await new Promise<void>((resolve) => waitFor(untilDrawn, resolve));
  }

  private listen(chat: Chat): void {
    let seen = chat.current;
    this.release = [
      chat.subscribe((state) => {
        const isGrowth = seen.live !== null && state.live !== null && differsOnlyInLive(seen, state);
        seen = state;
        if (isGrowth) this.frames.schedule();
        else this.showState(state);
      }),
      this.ports.onChange(() => this.schedulePreview()),
      this.drafts.share(this, () => this.schedulePreview()),
      this.ports.chats.onReopened?.((reopened) => this.showReopened(reopened)) ?? ((): void => {}),
    ];
    this.schedulePreview();
  }

  /** Returns what was shown as the next request before this one was sent; null if nothing was. */
  plannedFor(plan: RequestPlan): RequestPlan | null {
    return this.announced.get(plan) ?? null;
  }

  private showState(state: ChatState): void {
    const newest = state.requests?.at(-1)?.plan;
    if (this.announcing !== null && newest !== undefined && newest !== this.state.value?.requests?.at(-1)?.plan) {
      this.announced.set(newest, this.announcing);
      this.announcing = null;
    }
    // Another view may have chosen or changed what the next request depends on.
    const { plan, running, stored } = this.state.value ?? unread;
    const isOther = state.plan !== plan || state.running !== running || state.stored !== stored;
    this.frames.cancel();
    batch(() => {
      this.live.value = state.live;
      this.state.value = state;
    });
    if (isOther) this.schedulePreview();
  }

  /** Shows the chat as it is once entries of another device were added; the draft stays. */
  private showReopened(chat: Chat): void {
    if (chat.id !== this.chat?.id) return;
    for (const release of this.release.splice(0)) release();
    this.chat = chat;
    this.showState(chat.current);
    this.listen(chat);
  }

  /** Opens a new chat, with the message that this one could not answer as its draft. */
  async startOver(): Promise<void> {
    const items = this.state.value?.items ?? [];
    const unanswered = items.filter(({ type }) => type === 'user' || type === 'answer').at(-1);
    const opening = this.open(null);
    await opening;
    if (opening !== this.opening || this.text.value !== '') return;
    if (unanswered?.type === 'user') this.setText(unanswered.text, unanswered.mentions);
  }

  /** Starts a new chat with the entries before the untrusted text; null if that failed, and shows the failure. */
  async startClean(): Promise<CleanStart | null> {
    if (this.chat === null) return null;
    const started = await this.ports.chats.startClean(this.chat.id);
    return this.showOutcome(started) && started.ok ? started.value : null;
  }

  /** Stops listening; the chat itself continues. */
  close(): void {
    leaveUnread(this);
    this.asked += 1;
    this.opening = Promise.resolve();
    this.leave();
    this.text.value = '';
    this.mentions.value = [];
  }

  private leave(): void {
    for (const release of this.release.splice(0)) release();
    this.saveDraft();
    window.clearTimeout(this.previewTimer);
    this.frames.cancel();
    this.previewing?.abort();
    this.chat = null;
  }

  setText(text: string, mentions: readonly Mention[] = this.mentions.value): void {
    batch(() => {
      this.text.value = text;
      this.mentions.value = mentionsInText(mentions, text);
    });
    this.images.look();
    // Further typing does not delay the save, or a long message would be saved only at its end.
    if (this.draftTimer === 0) this.draftTimer = window.setTimeout(() => this.saveDraft(), draftAfter);
    this.schedulePreview();
  }

  removeMention(mention: Mention): void {
    const text = withoutMention(this.text.value, mention, this.mentions.value);
    const mentions = this.mentions.value.filter((each) => each !== mention);
    this.setText(text, mentions);
    this.images.drop(mention);
  }

  /** Attaches a long note whole, or as its outline again. */
  attachWhole(mention: Mention, isWhole: boolean): void {
    const { form: _form, ...outlined } = mention;
    const chosen: Mention = isWhole ? { ...mention, form: 'whole' } : outlined;
    this.setText(
      this.text.value,
      this.mentions.value.map((each) => (each === mention ? chosen : each)),
    );
  }

  /** Whether there is anything to send: an image needs no text. */
  get canSend(): boolean {
    return this.text.value.trim() !== '' || this.mentions.value.some(({ apart }) => apart === true);
  }

  /** Sends the draft; the text leaves the box only once it is saved. */
  async send(): Promise<void> {
    if (this.chat !== null || (await this.isOpened())) await this.sendDraft();
  }

  private async sendDraft(): Promise<void> {
    const { chatId } = this;
    await this.images.idle();
    const asked = this.chatToSend(chatId);
    if (asked === null || this.asking.isConfirming) return;
    if (!(await this.asking.confirmEmptyPrompts(asked, this.attached))) return;
    if (this.chatToSend(chatId) === null) return;
    await this.asking.followPrompts(this.mentions.value, asked);
    const chat = this.chatToSend(chatId);
    if (chat === null) return;
    const { draft } = this;
    const text = draft.text.trim();
    // Until the message is on disk, its draft is what a crash leaves of it.
    const release = this.drafts.hold(chat.id);
    this.setText('', []);
    this.saveDraft();
    // A message follows what another device has added; one that is queued does so in its turn.
    if (chat.isIdle) {
      this.announcing = this.preview.value;
      await this.ports.chats.look?.([chat.id]);
    }
    const sent = await this.asking.newest(chat).send(text, withArguments(text, draft.mentions));
    const after = release();
    const isShown = chatId === this.chatId;
    this.showOutcome(sent, () => void this.send(), chatId);
    if (isShown && !sent.ok) this.putBack([draft]);
    this.storeDraft(chat.id, isShown ? this.draft : sent.ok ? after : joinDrafts([draft, after]));
  }

  /** Waits for the chat that is being opened, and says so; false if the box holds another message then. */
  private async isOpened(): Promise<boolean> {
    const [text, shown] = [this.text.value, this.state.value];
    if (shown !== null && this.canSend) this.state.value = { ...shown, notice: words.chatView.sendsOnceRead };
    await this.opening;
    return this.text.value === text;
  }

  /** The chat in view if it still is the one with this id, since another chat has its own draft. */
  private chatToSend(id: string | null): Chat | null {
    return this.chatId === id && this.canSend ? this.chat : null;
  }

  /**
   * Sends a message without touching the draft, to the chat that is open now, whichever is open once it is sent.
   * @param choices stored in the chat before; nothing is sent if that fails
   */
  async sendWithoutDraft(
    text: string,
    mentions: readonly Mention[],
    choices?: ChatChoices,
    asked = this.chat,
  ): Promise<void> {
    if (asked === null || (choices !== undefined && !(await this.choose(choices)))) return;
    await this.asking.followPrompts(mentions, asked);
    const sent = await this.asking.newest(asked).send(text, withArguments(text, mentions));
    this.showOutcome(sent, () => void this.sendWithoutDraft(text, mentions, undefined, asked), asked.id);
  }

  /** Appends text to the draft, on a line of its own. */
  addToDraft(text: string, mentions: readonly Mention[]): void {
    const before = this.text.value.trimEnd();
    this.setText(before === '' ? text : `${before}\n${text}`, [...this.mentions.value, ...mentions]);
  }

  /** Stops the answer; queued messages return to the draft. */
  stop(): void {
    const waiting = this.chat?.stop() ?? [];
    if (waiting.length > 0) this.putBack(waiting);
  }

  /** Does something with a message that waits; nothing if it is being sent by now. */
  changeQueue(message: Outgoing, act: 'edit' | 'remove' | 'up' | 'down' | 'now'): void {
    const { chat } = this;
    if (chat === null) return;
    if (act === 'now') chat.sendNow(message);
    else if (act === 'up' || act === 'down') chat.moveQueued(message, act === 'up' ? -1 : 1);
    else if (chat.withdraw(message) && act === 'edit') this.putBack([message]);
  }

  /** Puts unsent messages before what was written since. */
  private putBack(unsent: readonly Draft[]): void {
    const { text, mentions } = joinDrafts([...unsent, this.draft]);
    this.setText(text, mentions);
  }

  /** Allows a call that would leave the device, or refuses it. */
  answerQuestion(id: string, isAllowed: boolean, further?: Further): void {
    this.chat?.answerQuestion(id, isAllowed, further);
  }

  readonly resend = (): void => this.chat?.resend();

  /** Answers the last message again by another model, with which the chat then goes on. */
  async resendWith(model: string): Promise<void> {
    const { chat } = this;
    if (chat !== null && (await this.choose({ model }))) this.asking.newest(chat).resend();
  }

  /** Asks the model to go on from what it has answered so far. */
  goOn(): Promise<void> {
    return this.sendWithoutDraft(words.chatView.goOnMessage, []);
  }

  /** Allows what a failure asks, and sends the last message again; if something else is asked by now, that is shown. */
  allowSending(failure: Failure): void {
    this.ports.models.allowAsked(failure);
    this.resend();
  }

  /** Lets the model of this chat write its tool calls as text, and sends the last message again. */
  async callToolsInText(): Promise<void> {
    const { chat } = this;
    if (chat === null) return;
    await this.ports.models.callToolsInText(chat.choices.model);
    this.asking.newest(chat).resend();
  }

  /** The draft's mentions as they would be sent. */
  private get attached(): readonly Mention[] {
    return withArguments(this.text.value, this.mentions.value);
  }

  private get draft(): Draft {
    return { text: this.text.value, mentions: this.mentions.value };
  }

  private saveDraft(): void {
    window.clearTimeout(this.draftTimer);
    // Another view of the chat may have stored its own draft since this one was.
    if (this.chatId === null || this.draftTimer === 0) return;
    this.draftTimer = 0;
    this.storeDraft(this.chatId, this.draft);
  }

  /** Stores the draft of a chat that need not be in view, and shows why it cannot if it cannot. */
  storeDraft(chatId: string, draft: Draft): void {
    this.drafts.store(chatId, draft);
  }

  private schedulePreview(): void {
    window.clearTimeout(this.previewTimer);
    this.previewTimer = window.setTimeout(() => void this.countNext(), previewAfter);
  }

  private async countNext(): Promise<void> {
    const { chat } = this;
    if (chat === null) return;
    this.previewing?.abort();
    const abort = new AbortController();
    this.previewing = abort;
    const plan = await chat.preview(this.text.value, this.attached, abort.signal);
    if (!abort.signal.aborted && this.chat === chat) this.preview.value = plan.ok ? plan.value : null;
  }
}
