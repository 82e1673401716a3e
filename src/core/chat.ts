/** Chat: the one live object a pane holds. It owns the log, the running turn and the queue; many may run side by side. */
import { words } from '../text';
import { prepareTurn, type PromptPorts } from './context/prepare-turn';
import { turnContextOf } from './context/turn-context';
import { type Failure, messageOf, type Outcome, succeed } from './failure';
import type { Mention } from './mentions/mention';
import type { AssistantPart, Message } from './message';
import type { Clock, DeviceStorage, Model } from './ports';
import type { RequestPlan } from './request/request-plan';
import type { ChatChoices, EntryBody } from './session/entry';
import { foldChoices } from './session/fold-choices';
import { foldMessages } from './session/fold-messages';
import type { SessionLog } from './session/session-log';
import { addEntry, type AnswerItem, foldTranscript, type TranscriptItem } from './session/transcript';
import type { Settings } from './settings/settings';
import { addDelta } from './turn/add-delta';
import { advanceAnswer } from './turn/advance-answer';
import { Checkpoint, recoverCheckpoint } from './turn/checkpoint';
import { runTurn } from './turn/run-turn';
import type { TurnEvent } from './turn/turn-event';

export interface ChatPorts extends PromptPorts {
  readonly clock: Clock;
  readonly device: DeviceStorage;
  settings(): Settings;
  /** The model of this id, or why it cannot be used. */
  model(id: string): Outcome<Model>;
}

export interface ChatState {
  readonly items: readonly TranscriptItem[];
  /** The answer under way. */
  readonly live: AnswerItem | null;
  readonly running: boolean;
  readonly queued: readonly string[];
  /** The last request that was planned in this session. */
  readonly plan: RequestPlan | null;
}

interface Outgoing {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

export class Chat {
  private state: ChatState;
  private readonly listeners = new Set<(state: ChatState) => void>();
  private abort: AbortController | null = null;
  private readonly queue: Outgoing[] = [];

  private constructor(
    private readonly log: SessionLog,
    private readonly ports: ChatPorts,
  ) {
    this.state = { items: foldTranscript(log.entries), live: null, running: false, queued: [], plan: null };
  }

  /** Opens a chat over its log; text that a crash cut off is put back first. */
  static async open(log: SessionLog, ports: ChatPorts): Promise<Chat> {
    const cut = recoverCheckpoint(log.conversation, ports.device);
    if (cut !== null && (await log.append(cut)).ok) ports.device.set(`checkpoint-${log.conversation}`, null);
    return new Chat(log, ports);
  }

  get id(): string {
    return this.log.conversation;
  }

  get current(): ChatState {
    return this.state;
  }

  /** Calls the listener at every change until the returned function is called. */
  subscribe(listener: (state: ChatState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What this chat has chosen, over what the settings say. */
  get choices(): Required<ChatChoices> {
    return foldChoices(this.log.entries, this.ports.settings());
  }

  choose(choices: ChatChoices): Promise<Outcome<unknown>> {
    return this.record({ kind: 'choices', choices });
  }

  /**
   * Stores the message, then answers it; while an answer is under way the message waits in the queue.
   * Ok as soon as the message is safe on disk or queued; on failure nothing was sent.
   */
  async send(text: string, mentions: readonly Mention[]): Promise<Outcome<void>> {
    if (this.state.running) {
      this.queue.push({ text, mentions });
      this.update({ queued: this.queue.map((message) => message.text) });
      return succeed(undefined);
    }
    this.update({ running: true });
    const stored = await this.record({ kind: 'user', text, mentions });
    if (!stored.ok) {
      this.update({ running: false });
      return stored;
    }
    void this.answer(mentions);
    return succeed(undefined);
  }

  /** Answers the last message again, as after a crash or a failure. */
  resend(): void {
    const last = this.state.items.filter((item) => item.type === 'user').at(-1);
    if (this.state.running || last === undefined) return;
    this.update({ running: true });
    void this.answer(last.mentions);
  }

  /** Ends the running turn at once; what was shown is kept. Queued messages are given back to the caller. */
  stop(): readonly Outgoing[] {
    const waiting = this.queue.splice(0);
    this.update({ queued: [] });
    this.abort?.abort();
    return waiting;
  }

  /** The request that this message would make, without sending anything. */
  async preview(text: string, mentions: readonly Mention[], signal: AbortSignal): Promise<Outcome<RequestPlan>> {
    const model = this.ports.model(this.choices.model);
    if (!model.ok) return model;
    const plan = await this.planner(model.value, mentions, signal);
    const next: Message[] = text === '' ? [] : [{ role: 'user', parts: [{ type: 'text', text }] }];
    return succeed(plan([...foldMessages(this.log.entries), ...next]));
  }

  private async answer(mentions: readonly Mention[]): Promise<void> {
    const abort = new AbortController();
    this.abort = abort;
    try {
      await this.runTurn(mentions, abort.signal);
    } catch (thrown) {
      const remedy = words.failures.unexpectedRemedy;
      await this.fail({ kind: 'protocol', words: words.failures.unexpected(messageOf(thrown)), remedy });
    }
    this.abort = null;
    this.update({ live: null, running: false });
    const next = this.queue.shift();
    if (next === undefined) return;
    this.update({ queued: this.queue.map((message) => message.text) });
    const stored = await this.send(next.text, next.mentions);
    if (!stored.ok) await this.fail(stored.failure);
  }

  private async runTurn(mentions: readonly Mention[], signal: AbortSignal): Promise<void> {
    const model = this.ports.model(this.choices.model);
    if (!model.ok) return this.fail(model.failure);
    const plan = await this.planner(model.value, mentions, signal);
    const modelId = model.value.description.id;
    const checkpoint = new Checkpoint(this.id, this.ports.device, this.ports.clock);
    let parts: readonly AssistantPart[] = [];
    const turn = runTurn({
      model: model.value,
      tools: this.ports.tools,
      vault: this.ports.vault,
      plan: () => plan(foldMessages(this.log.entries)),
      record: (body) => this.record(body),
      signal,
    });
    for await (const event of turn) {
      if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
        parts = addDelta(parts, event);
        checkpoint.advance(parts, modelId, event.text.length);
      }
      if (event.type === 'answer-ended') {
        parts = [];
        checkpoint.clear();
      }
      this.show(event, modelId);
    }
  }

  /** Entries replace what was shown live as soon as they are stored, so the live answer starts afresh after each. */
  private show(event: TurnEvent, model: string): void {
    if (event.type === 'request-planned') return this.update({ plan: event.plan });
    if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') return;
    const live = this.state.live ?? { type: 'answer', id: 'live', parts: [], end: null, model };
    this.update({ live: advanceAnswer(live, event) });
  }

  private async record(body: EntryBody): Promise<Outcome<unknown>> {
    const stored = await this.log.append(body);
    if (!stored.ok) return stored;
    const items = addEntry(this.state.items, stored.value);
    this.update(body.kind === 'assistant' ? { items, live: null } : { items });
    return stored;
  }

  private async fail(failure: Failure): Promise<void> {
    const stored = await this.record({ kind: 'failure', failure });
    if (stored.ok) return;
    const item: TranscriptItem = { type: 'failure', id: `unsaved-${this.state.items.length}`, failure };
    this.update({ items: [...this.state.items, item] });
  }

  private async planner({ description }: Model, mentions: readonly Mention[], signal: AbortSignal) {
    const { ports, choices } = this;
    const settings = ports.settings();
    const state = { conversationId: this.id, choices, settings, tools: ports.tools, mentions, lastPlan: this.state.plan };
    return prepareTurn(ports, description, turnContextOf(state, description), signal);
  }

  private update(change: Partial<ChatState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener(this.state);
  }
}
