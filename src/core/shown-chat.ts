/** ShownChat: the state that panes see of a chat, kept up with its log; what the disk refuses is shown all the same. */
import type { ChatState } from './chat-ports';
import type { Failure, Outcome } from './ports/failure';
import { spentIn } from './ports/model';
import type { EntryBody, SessionEntry } from './session/entry';
import type { SessionLog } from './session/session-log';
import { addEntry, addUnsaved, foldTranscript } from './session/transcript';
import { advanceAnswer } from './turn/advance-answer';
import type { TurnEvent } from './turn/turn-input';

export abstract class ShownChat {
  protected state: ChatState;
  protected readonly listeners = new Set<(state: ChatState) => void>();

  protected constructor(
    protected readonly log: SessionLog,
    private readonly note: (words: string) => void,
  ) {
    const items = foldTranscript(log.entries);
    const { damaged } = log;
    const spent = spentIn(log.entries);
    this.state = { items, live: null, running: false, summarising: false, queued: [], plan: null, spent, damaged };
  }

  get current(): ChatState {
    return this.state;
  }

  /** Calls the listener at every change until the returned function is called. */
  subscribe(listener: (state: ChatState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  protected update(change: Partial<ChatState>): void {
    const isNew = change.running === true && !this.state.running;
    this.state = { ...this.state, ...(isNew && { notice: null }), ...change };
    for (const listener of this.listeners) listener(this.state);
  }

  /** Entries replace what was shown live as soon as they are stored, so the live answer starts afresh after each. */
  protected showLive(event: TurnEvent, model: string): void {
    if (event.type === 'notice') return this.update({ notice: event.words });
    if (event.type === 'waiting') return this.update({ waiting: event });
    if (this.state.waiting) this.update({ waiting: null });
    if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') return;
    const live = this.state.live ?? { type: 'answer', id: 'live', parts: [], end: null, model };
    this.update({ live: advanceAnswer(live, event) });
  }

  protected readonly record = async (body: EntryBody): Promise<Outcome<SessionEntry>> => {
    const stored = await this.log.append(body);
    if (!stored.ok) return stored;
    const items = addEntry(this.state.items, stored.value);
    const spent = spentIn(this.log.entries);
    this.update(body.kind === 'assistant' ? { items, spent, live: null } : { items, spent });
    return stored;
  };

  /** Records what a turn said; when the disk refuses it, it is shown all the same, and the refusal with it. */
  protected readonly keep = async (body: EntryBody): Promise<Outcome<unknown>> => {
    const stored = await this.record(body);
    if (stored.ok) return stored;
    const items = addUnsaved(this.state.items, [body, { kind: 'failure', failure: stored.failure }]);
    this.update({ items, live: null });
    return stored;
  };

  protected async fail(failure: Failure): Promise<void> {
    this.note(`${failure.kind}: ${failure.words}`);
    await this.keep({ kind: 'failure', failure });
  }
}
