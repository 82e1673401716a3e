/** Chat: the live object of a chat view, with the log, the running turn and the queue; several can run at once. */
import { words } from '../../text';
import { createWorkBudget, raceAbort, subscribeTo, takeStepsWithin, yieldToEventLoop } from '../base/async';
import { grantAutoEdit } from '../context/chat-choices';
import { ContextReducer, type SummaryDraft, type SummaryInstructions } from '../context/compaction/context-reducer';
import { ContextManager } from '../context/context-manager';
import { choicesOf } from '../context/turn-context';
import { GoalManager } from '../goals/goal-manager';
import { closeTurn } from '../goals/goal-markers';
import { escapeText, SentEscapes } from '../markup/escapes';
import { type Failure, fail, type Outcome, succeed, unexpectedFailure } from '../ports/failure';
import { unsavedOf } from '../ports/device';
import type { Model } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import { type ChatChoices, type EntryBody, heldKinds, type Mention, type SessionEntry } from '../session/entry';
import type { VersionPart } from '../session/branches';
import type { SessionLog } from '../session/session-log';
import { ApprovalRequests, type Further } from '../turn/approve-calls';
import { openChanges } from '../turn/open-chat-changes';
import { openTurn } from '../turn/open-turn';
import { runTurn } from '../turn/run-turn';
import type { TurnEnd, TurnEvent } from '../turn/turn-input';
import type { ChatChanges } from '../writing/chat-changes';
import type { ChatAnnotation } from './chat-index';
import {
  addReport,
  addRequest,
  CallProgress,
  type ChatPorts,
  type ChatState,
  initialState,
  modelFor,
  type Outgoing,
  shownOf,
  writeQueue,
} from './chat-view-state';
import { Checkpoint, recoverCheckpoint } from './checkpoint';
import { advanceAnswer, hasImage, Transcript } from './transcript';

/** How often one turn is opened again for a smaller context window, so that no server can keep it from ending. */
const maxNarrowings = 5;

export class Chat {
  readonly id: string;
  readonly goals: GoalManager;
  readonly context: ContextManager;
  readonly contextEvents: ContextReducer;
  /** The changes that the agent proposed, and the user's actions on them; null where nothing can be written. */
  readonly changes: ChatChanges | null;
  private readonly ports: ChatPorts;
  private readonly questions: ApprovalRequests;
  private readonly sent: SentEscapes;
  private readonly progress: CallProgress;
  private state: ChatState;
  private readonly listeners = new Set<(state: ChatState) => void>();
  private readonly queue: Outgoing[] = [];
  private hasStoredQueue = false;
  private abort: AbortController | null = null;
  private checkpoint: Checkpoint | null = null;
  /** The entries that the transcript follows: those of the branch in view. */
  private followed: readonly SessionEntry[];
  /** Called after an act that began before this chat was opened again, since the other one does not know of it. */
  private superseded: (() => void) | null = null;
  /** Whether an image is sent with a message, in any branch, deleted or not. */
  readonly hasImage = (digest: string): boolean => hasImage(this.log.all, digest);

  private constructor(
    private readonly log: SessionLog,
    private readonly given: ChatPorts,
    private transcript = new Transcript(),
    decisions?: ChatChanges['decisions'],
  ) {
    this.id = log.conversation;
    this.followed = log.entries;
    this.transcript.follow(log.entries);
    this.state = initialState(log, this.transcript);
    this.sent = new SentEscapes(log.all.flatMap((entry) => (entry.kind === 'assistant' ? (entry.escapes ?? []) : [])));
    this.goals = new GoalManager(log, this.record);
    const isRunning = (): boolean => this.state.running;
    const show = (shown: Pick<ChatState, 'reviews' | 'taint'>): void => this.update(shown);
    const owner = { log, record: this.record, goals: this.goals, isRunning, show, decisions };
    ({ changes: this.changes, ports: this.ports } = openChanges(given, owner));
    this.questions = new ApprovalRequests({
      clock: given.clock,
      after: given.after,
      show: (questions) => this.update({ questions }),
    });
    this.progress = new CallProgress((progress) => this.update({ progress }), given.after);
    this.context = new ContextManager(log, this.ports);
    this.contextEvents = new ContextReducer({
      log,
      context: this.context,
      goals: this.goals,
      ports: this.ports,
      record: this.record,
      describe: (summarising) => this.update({ summarising }),
    });
  }

  /** Starts a chat over a new log. */
  static start(log: SessionLog, ports: ChatPorts): Chat {
    return new Chat(log, ports);
  }

  /** Opens a chat over its log; first restores text that a crash cut off. */
  static async open(log: SessionLog, ports: ChatPorts): Promise<Chat> {
    await recoverCheckpoint(log, unsavedOf(ports));
    const transcript = new Transcript();
    await takeStepsWithin(transcript.read(log.entries), createWorkBudget(new AbortController().signal));
    await yieldToEventLoop();
    return new Chat(log, ports, transcript);
  }

  /**
   * Closes this chat and opens it again over its log, to which entries of another device were added.
   * @param strayed called if something that had begun here was stored since
   */
  reopen(strayed: () => void): Chat {
    const { plan, requests = [] } = this.state;
    this.close();
    this.superseded = strayed;
    const next = new Chat(this.log, this.given, undefined, this.changes?.decisions);
    next.update({ plan, requests });
    return next;
  }

  /** Whether nothing is running, waits to be sent, or is being written. */
  get isIdle(): boolean {
    const { running, reviews = [] } = this.state;
    return !running && this.queue.length === 0 && !reviews.some(({ state }) => state === 'applying');
  }

  /** What views see of the chat; a new object after every change. */
  get current(): ChatState {
    return this.state;
  }

  /** Calls the listener on every change until the returned function is called. */
  subscribe(listener: (state: ChatState) => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  /** The chat's own choices, with defaults from settings. */
  get choices(): Required<ChatChoices> {
    return choicesOf(this.log, this.ports);
  }

  /** Stores an entry about the chat as a whole. */
  annotate(body: ChatAnnotation): Promise<Outcome<unknown>> {
    return this.record(body);
  }

  choose(choices: ChatChoices): Promise<Outcome<unknown>> {
    grantAutoEdit(this.ports.device, this.id, choices);
    return this.record({ kind: 'choices', choices });
  }

  /**
   * Stores the message, then answers it; while an answer is running, queues the message instead.
   * Resolves to ok once the message is on disk or queued; after a failure nothing was sent.
   * @param instead the message that this one replaces, in a branch of its own; refused while an answer is running
   */
  async send(text: string, mentions: readonly Mention[], instead?: string): Promise<Outcome<unknown>> {
    const refusal = instead === undefined ? null : this.refusalToAnswer();
    if (refusal !== null) return fail(refusal);
    if (this.state.running) {
      this.queue.push({ text, mentions });
      this.showQueue();
      return succeed(undefined);
    }
    const place = instead === undefined ? {} : { instead };
    return this.startTurn(async (signal) => {
      const settled = (await this.ports.images?.settle(mentions, this.id)) ?? mentions;
      const stored = await this.record({ kind: 'user', text, mentions: settled, ...place });
      if (stored.ok) void this.answer(stored.value.id, settled, signal);
      return stored;
    });
  }

  /** Answers a message again, in a branch of its own; resolves to ok once that is on disk. */
  async answerAgain(message: string): Promise<Outcome<unknown>> {
    const asked = this.state.items.find(({ id, type }) => type === 'user' && id === message);
    const refusal = this.refusalToAnswer();
    if (refusal !== null || asked?.type !== 'user') return refusal === null ? succeed(undefined) : fail(refusal);
    return this.startTurn(async (signal) => {
      const begun = await this.record({ kind: 'branch', message });
      if (begun.ok) void this.answer(message, this.ports.namedNow?.(asked) ?? asked.mentions, signal);
      return begun;
    });
  }

  /** Puts another version of a message or of its answer in view, by its number. */
  showVersion(message: string, part: VersionPart, number: number): Promise<Outcome<unknown>> {
    return this.chooseBranch(this.log.branches.branchOfVersion(message, part, number));
  }

  /** Puts a branch in view that has the entry: a message, or a part of an answer. */
  showEntry(id: string): Promise<Outcome<unknown>> {
    return this.chooseBranch(this.log.branches.branchOfEntry(id));
  }

  /** Deletes a message with its answer, or an answer by the id of its item; or restores it. */
  async deleteMessage(message: string, deleted: boolean): Promise<Outcome<unknown>> {
    return this.state.running ? fail(busy()) : this.record({ kind: 'message-deleted', message, deleted });
  }

  private async chooseBranch(chosen: string | null): Promise<Outcome<unknown>> {
    if (chosen === null || chosen === this.log.branches.active) return succeed(undefined);
    return this.state.running ? fail(busy()) : this.record({ kind: 'branch-chosen', chosen });
  }

  /** Returns why no branch can be answered now: proposed changes would be added to those of the other branch. */
  private refusalToAnswer(): Failure | null {
    if (this.state.running) return busy();
    if ((this.changes?.pendingReview ?? null) === null) return null;
    return { kind: 'refused', words: words.branches.reviewWaits, remedy: words.branches.reviewWaitsRemedy };
  }

  /** Begins a turn; ends it again if its first entry cannot be stored. */
  private async startTurn(act: (signal: AbortSignal) => Promise<Outcome<unknown>>): Promise<Outcome<unknown>> {
    const signal = this.begin();
    const begun = await act(signal).catch((thrown: unknown) => fail(unexpectedFailure(thrown)));
    if (!begun.ok) this.update({ running: false });
    return begun;
  }

  /** Answers the last message again, as after a crash or a failure. */
  resend(): void {
    const last = this.state.items.filter((item) => item.type === 'user').at(-1);
    if (!this.state.running && last !== undefined)
      void this.answer(last.id, this.ports.namedNow?.(last) ?? last.mentions, this.begin());
  }

  /**
   * Stops the running turn at once; the text shown so far stays in the chat.
   * @returns the queued messages
   */
  stop(): readonly Outgoing[] {
    const waiting = this.queue.splice(0);
    this.showQueue();
    this.abort?.abort();
    return waiting;
  }

  /** Takes a message out of the queue; returns false if it is no longer in it, because it is being sent. */
  withdraw(message: Outgoing): boolean {
    const at = this.queue.indexOf(message);
    if (at >= 0) this.queue.splice(at, 1);
    this.showQueue();
    return at >= 0;
  }

  /** Moves a message in the queue by so many places, as far as there are. */
  moveQueued(message: Outgoing, by: number): void {
    const to = this.queue.indexOf(message) + by;
    if (to < 0 || to >= this.queue.length || !this.withdraw(message)) return;
    this.queue.splice(to, 0, message);
    this.showQueue();
  }

  /** Puts others in place of messages in the queue; the function returns one that stays as it is. */
  replaceQueued(replace: (message: Outgoing) => Outgoing): void {
    const replaced = this.queue.map(replace);
    if (replaced.every((message, at) => message === this.queue[at])) return;
    this.queue.splice(0, replaced.length, ...replaced);
    this.showQueue();
  }

  /** Stops the running turn and goes on with this message from the queue; the others wait on. */
  sendNow(message: Outgoing): void {
    if (!this.withdraw(message)) return;
    this.queue.unshift(message);
    this.showQueue();
    // Messages are left in the queue of a chat at rest if the one before them could not be stored.
    if (this.state.running) this.abort?.abort();
    else void this.sendNext();
  }

  /** Records the user's answer to an approval request; see ChatState.questions. */
  answerQuestion(id: string, isAllowed: boolean, further?: Further): void {
    this.questions.answer(id, isAllowed, further);
  }

  /** Stops for good, as on unload: the text so far is saved on the device before this returns. */
  close(): void {
    this.checkpoint?.save();
    this.listeners.clear();
    this.context.close();
    this.questions.close();
    // Messages that wait stay stored for the next session.
    this.hasStoredQueue = false;
    this.stop();
  }

  /** Says that its files are in the trash, so that nothing can be added to it. */
  showTrashed(): void {
    this.update({ isReadOnly: true, isTrashed: true });
  }

  /** Plans the request that this message would make, without sending it. */
  async preview(text: string, mentions: readonly Mention[], signal: AbortSignal): Promise<Outcome<RequestPlan>> {
    const model = modelFor(this.choices.model, this.ports);
    if (!model.ok) return model;
    const turn = await this.context.prepare(model.value.description, mentions, signal, text);
    return succeed(await turn.preview(this.log.entries, escapeText(text)));
  }

  /** Drafts a summary of older messages for the user to review; it has no effect before it is accepted. */
  async summarise(instructions: SummaryInstructions): Promise<Outcome<SummaryDraft>> {
    const model = modelFor(this.choices.model, this.ports);
    if (!model.ok) return model;
    if (this.state.running) return fail(busy());
    const signal = this.begin();
    const drafting = raceAbort(this.contextEvents.draft(model.value, instructions, signal), signal);
    const drafted = await drafting.catch((thrown: unknown) => fail<SummaryDraft>(unexpectedFailure(thrown)));
    await this.rest();
    return drafted ?? fail({ kind: 'aborted', words: words.status.refused.stopped, remedy: '' });
  }

  private begin(): AbortSignal {
    this.abort = new AbortController();
    this.update({ running: true });
    return this.abort.signal;
  }

  /** Runs the turn that answers a message; returns the chat to rest even if the turn throws. */
  private async answer(message: string, mentions: readonly Mention[], signal: AbortSignal): Promise<void> {
    this.log.answering(message);
    try {
      await this.runTurn(message, mentions, signal).catch((thrown: unknown) => this.fail(unexpectedFailure(thrown)));
    } finally {
      await this.rest();
    }
  }

  /** Marks the chat as idle, then sends the next queued message. */
  private async rest(): Promise<void> {
    this.abort = null;
    this.checkpoint = null;
    this.log.answering(null);
    this.update({ live: null, running: false, summarising: false });
    await this.sendNext();
  }

  private async sendNext(): Promise<void> {
    const next = this.queue.shift();
    if (next === undefined) return;
    this.update({ queued: [...this.queue] });
    this.storeQueue([next]);
    const stored = await this.send(next.text, next.mentions);
    if (stored.ok) return this.storeQueue();
    this.queue.unshift(next);
    this.showQueue();
    await this.fail(stored.failure);
  }

  private async runTurn(turn: string, mentions: readonly Mention[], signal: AbortSignal): Promise<void> {
    const model = modelFor(this.choices.model, this.ports);
    if (!model.ok) return this.fail(model.failure);
    const { description } = model.value;
    const { clock, after } = this.ports;
    const answer = { conversation: this.id, turn, branch: this.log.branches.active, model: description.id };
    const checkpoint = (this.checkpoint = new Checkpoint(answer, {
      ...{ unsaved: unsavedOf(this.ports), clock, sent: this.sent },
      ...(after === undefined ? {} : { after }),
      failed: ({ words: said, remedy }) => this.update({ notice: `${said} ${remedy}` }),
    }));
    const { log, goals, contextEvents: reducer } = this;
    const ended = await this.runAttempts(model.value, mentions, checkpoint, signal);
    if (ended === null) return;
    const closed = await closeTurn(goals, log.entries);
    if (!closed.ok) await this.fail(closed.failure);
    if (ended.end !== 'complete' || signal.aborted) return;
    const freed = await raceAbort(reducer.after(ended.model, signal), signal);
    if (freed?.ok === false) await this.fail(freed.failure);
  }

  /**
   * Runs the turn, and again each time that the model turns out to hold less. Returns null if it could not be opened;
   * the failure is then shown.
   */
  private async runAttempts(
    first: Model,
    mentions: readonly Mention[],
    checkpoint: Checkpoint,
    signal: AbortSignal,
  ): Promise<{ readonly end: TurnEnd; readonly model: Model } | null> {
    const { log, context, ports, goals, contextEvents: reducer, changes, questions, sent, record, keep } = this;
    const { hear: callProgressed } = this.progress;
    const chat = { log, context, ports, goals, reducer, changes, questions, callProgressed, sent, record, keep };
    let model = first;
    let refused: RequestPlan | null = null;
    for (let attempt = 0; ; attempt += 1) {
      const turn = await openTurn({ ...chat, model, mentions, refused, signal });
      if (turn?.ok === false) await this.fail(turn.failure);
      if (turn?.ok !== true) return null;
      const mayNarrow = attempt < maxNarrowings;
      const input = mayNarrow ? turn.value : { ...turn.value, narrow: () => null };
      let end: TurnEnd = 'failed';
      for await (const event of runTurn(input)) {
        if (event.type === 'turn-ended') end = event.end;
        checkpoint.observe(event);
        this.show(event, model.description.id);
      }
      if (end !== 'narrowed') return { end, model };
      refused = this.state.plan;
      context.forgetSent();
      this.update({ live: null });
      const smaller = modelFor(model.description.id, ports);
      if (smaller.ok) model = smaller.value;
    }
  }

  private show(event: TurnEvent, model: string): void {
    const { requests = [] } = this.state;
    if (event.type === 'request-planned') {
      this.progress.clear();
      this.update({ plan: this.context.adopt(event.plan), requests: addRequest(requests, event.plan) });
    }
    if (event.type === 'answer-ended') this.update({ requests: addReport(requests, event.usage) });
    if (event.type === 'answer-ended' && event.usage !== undefined) this.context.learn(event.usage);
    if (event.type === 'hook-reported') this.ports.note(event.words);
    if (event.type === 'failure') this.ports.note(`${event.failure.kind}: ${event.failure.words}`);
    this.showLive(event, model);
  }

  /** Shows the streaming answer. A stored entry replaces it, so it starts empty again after each entry. */
  private showLive(event: TurnEvent, model: string): void {
    if (event.type === 'notice') return this.update({ notice: event.words });
    if (event.type === 'waiting') return this.update({ waiting: event });
    if (this.state.waiting) this.update({ waiting: null });
    if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') return;
    const live = this.state.live ?? { type: 'answer', id: 'live', parts: [], end: null, model };
    this.update({ live: advanceAnswer(live, event) });
  }

  private showQueue(): void {
    this.update({ queued: [...this.queue] });
    this.storeQueue();
  }

  /** Stores the messages that wait, including the one that is being stored, so that a crash loses none of them. */
  private storeQueue(next: readonly Outgoing[] = []): void {
    const waiting = [...next, ...this.queue];
    if (waiting.length === 0 && !this.hasStoredQueue) return;
    this.hasStoredQueue = waiting.length > 0;
    writeQueue(this.ports, this.id, waiting);
  }

  private update(change: Partial<ChatState>): void {
    const isNew = change.running === true && !this.state.running;
    this.state = { ...this.state, ...(isNew && { notice: null }), ...change };
    for (const listener of this.listeners) listener(this.state);
  }

  /** Stores an entry and shows it; a stored answer replaces the streaming one. */
  private readonly record = async (body: EntryBody): Promise<Outcome<SessionEntry>> => {
    const stored = await this.log.append(body);
    // The log may hold what could not be stored, and store it with the next entry.
    const isMore = this.follow();
    const shown = { ...shownOf(this.log, this.transcript), stored };
    if (!stored.ok) {
      if (isMore) this.update(shown);
      return stored;
    }
    this.update(body.kind === 'assistant' ? { ...shown, live: null } : shown);
    this.superseded?.();
    return stored;
  };

  /** Shows what the log has more; all of it again if another branch is in view, or a message was deleted. */
  private follow(): boolean {
    const { entries } = this.log;
    if (entries !== this.followed) {
      this.transcript = new Transcript();
      this.context.forgetSent(true);
    }
    this.followed = entries;
    return this.transcript.follow(entries);
  }

  /** Stores an entry. If storing fails, shows the entry and the failure anyway. */
  private readonly keep = async (body: EntryBody): Promise<Outcome<unknown>> => {
    const stored = await this.record(body);
    if (stored.ok) return stored;
    if (!heldKinds.has(body.kind)) this.transcript.addUnsaved(body);
    this.transcript.addUnsaved({ kind: 'failure', failure: stored.failure });
    this.update({ items: this.transcript.items, live: null });
    return stored;
  };

  private async fail(failure: Failure): Promise<void> {
    this.ports.note(`${failure.kind}: ${failure.words}`);
    await this.keep({ kind: 'failure', failure });
  }
}

function busy(): Failure {
  return { kind: 'refused', words: words.status.busy, remedy: words.status.busyRemedy };
}
