/** Chat: the one live object a pane holds. It owns the log, the running turn and the queue; many may run side by side. */
import type { ChatPorts, ChatState, Outgoing } from './chat-ports';
import { ContextManager } from './context/context-manager';
import { type Failure, type Outcome, succeed } from './failure';
import type { Mention } from './mentions/mention';
import type { RequestPlan } from './request/request-plan';
import type { ChatChoices, EntryBody } from './session/entry';
import { foldMessages, withoutLastAttempt } from './session/fold-messages';
import type { SessionLog } from './session/session-log';
import { addEntry, addUnsaved, foldTranscript } from './session/transcript';
import { advanceAnswer } from './turn/advance-answer';
import { Checkpoint, recoverCheckpoint } from './turn/checkpoint';
import { runTurn, unexpectedFailure } from './turn/run-turn';
import type { TurnEvent } from './turn/turn-event';
import { orAborted } from './turn/until-aborted';

export class Chat {
  private state: ChatState;
  private readonly listeners = new Set<(state: ChatState) => void>();
  private abort: AbortController | null = null;
  private checkpoint: Checkpoint | null = null;
  private readonly queue: Outgoing[] = [];
  private readonly context: ContextManager;

  private constructor(
    private readonly log: SessionLog,
    private readonly ports: ChatPorts,
  ) {
    this.context = new ContextManager(log, ports);
    const items = foldTranscript(log.entries);
    this.state = { items, live: null, running: false, queued: [], plan: null, damaged: log.damaged };
  }

  /** Opens a chat over its log; text that a crash cut off is put back first. */
  static async open(log: SessionLog, ports: ChatPorts): Promise<Chat> {
    await recoverCheckpoint(log, ports.device);
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
    return this.context.choices;
  }

  choose(choices: ChatChoices): Promise<Outcome<unknown>> {
    return this.record({ kind: 'choices', choices });
  }

  /**
   * Stores the message, then answers it; while an answer is under way the message waits in the queue.
   * Ok as soon as the message is safe on disk or queued; on failure nothing was sent.
   */
  async send(text: string, mentions: readonly Mention[]): Promise<Outcome<unknown>> {
    if (this.state.running) {
      this.queue.push({ text, mentions });
      this.showQueue();
      return succeed(undefined);
    }
    const signal = this.begin();
    const stored = await this.record({ kind: 'user', text, mentions });
    if (stored.ok) void this.answer(mentions, signal);
    else this.update({ running: false });
    return stored;
  }

  /** Answers the last message again, as after a crash or a failure. */
  resend(): void {
    const last = this.state.items.filter((item) => item.type === 'user').at(-1);
    if (!this.state.running && last !== undefined) void this.answer(last.mentions, this.begin());
  }

  /** Ends the running turn at once; what was shown is kept. Queued messages are given back to the caller. */
  stop(): readonly Outgoing[] {
    const waiting = this.queue.splice(0);
    this.showQueue();
    this.abort?.abort();
    return waiting;
  }

  /** Stops for good, as when the plugin unloads: the text so far is on the device before this returns. */
  close(): void {
    this.checkpoint?.save();
    this.listeners.clear();
    this.stop();
  }

  /** The request that this message would make, without sending anything. */
  async preview(text: string, mentions: readonly Mention[], signal: AbortSignal): Promise<Outcome<RequestPlan>> {
    const model = this.ports.model(this.choices.model);
    if (!model.ok) return model;
    const turn = await this.context.prepare(model.value.description, mentions, signal);
    return succeed(turn.preview(foldMessages(this.log.entries), text));
  }

  private begin(): AbortSignal {
    this.abort = new AbortController();
    this.update({ running: true });
    return this.abort.signal;
  }

  private async answer(mentions: readonly Mention[], signal: AbortSignal): Promise<void> {
    try {
      await this.runTurn(mentions, signal);
    } catch (thrown) {
      await this.fail(unexpectedFailure(thrown));
    }
    this.abort = null;
    this.checkpoint = null;
    this.update({ live: null, running: false });
    const next = this.queue.shift();
    if (next === undefined) return;
    this.showQueue();
    const stored = await this.send(next.text, next.mentions);
    if (stored.ok) return;
    this.queue.unshift(next);
    this.showQueue();
    await this.fail(stored.failure);
  }

  private async runTurn(mentions: readonly Mention[], signal: AbortSignal): Promise<void> {
    const model = this.ports.model(this.choices.model);
    if (!model.ok) return this.fail(model.failure);
    const { description } = model.value;
    const checkpoint = new Checkpoint(this.id, description.id, this.ports.device, this.ports.clock);
    this.checkpoint = checkpoint;
    await orAborted(this.ports.flush(), signal);
    const prepared = await orAborted(this.context.prepare(description, mentions, signal), signal);
    if (prepared === undefined) return;
    const zone = this.context.zoneOf(prepared);
    const kept = zone === null ? succeed(undefined) : await this.record(zone);
    if (!kept.ok) return this.fail(kept.failure);
    const turn = runTurn({
      model: model.value,
      tools: this.ports.tools,
      vault: this.ports.vault,
      place: { skillFolders: this.context.skillFolders },
      plan: () => prepared.plan(withoutLastAttempt(foldMessages(this.log.entries))),
      record: (body) => this.keep(body),
      signal,
    });
    for await (const event of turn) {
      checkpoint.observe(event);
      this.show(event, description.id);
    }
  }

  /** Entries replace what was shown live as soon as they are stored, so the live answer starts afresh after each. */
  private show(event: TurnEvent, model: string): void {
    if (event.type === 'request-planned') this.update({ plan: this.context.adopt(event.plan) });
    if (event.type === 'failure') this.ports.note(`${event.failure.kind}: ${event.failure.words}`);
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

  /** Records what a turn said; when the disk refuses it, it is shown all the same, and the refusal with it. */
  private async keep(body: EntryBody): Promise<Outcome<unknown>> {
    const stored = await this.record(body);
    if (stored.ok) return stored;
    const items = addUnsaved(this.state.items, [body, { kind: 'failure', failure: stored.failure }]);
    this.update({ items, live: null });
    return stored;
  }

  private async fail(failure: Failure): Promise<void> {
    this.ports.note(`${failure.kind}: ${failure.words}`);
    await this.keep({ kind: 'failure', failure });
  }

  private showQueue(): void {
    this.update({ queued: this.queue.map(({ text }) => text) });
  }

  private update(change: Partial<ChatState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener(this.state);
  }
}
