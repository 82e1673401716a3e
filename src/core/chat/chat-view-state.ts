/** What a chat asks of the world, and what it shows of itself. */
import type { AttachedImages } from '../images/attached-images';
import type { Clock, DeviceStorage } from '../ports/device';
import type { Failure, Outcome } from '../ports/failure';
import type { Usage } from '../ports/message';
import { type Model, spentIn } from '../ports/model';
import type { ApprovalRequest } from '../ports/network';
import type { RequestPlan } from '../ports/request-plan';
import type { EntryBody, Mention, SessionEntry } from '../session/entry';
import type { SessionLog } from '../session/session-log';
import type { QuestionPorts } from '../turn/approve-calls';
import type { TurnEvent, TurnPorts } from '../turn/turn-input';
import type { Review } from '../writing/review/review';
import {
  type AnswerItem,
  addEntry,
  addUnsaved,
  advanceAnswer,
  foldTranscript,
  type TranscriptItem,
} from './transcript';

export interface ChatPorts extends TurnPorts {
  /** Keeps what is sent of pictures; without it they are told of in words. */
  readonly images?: Pick<AttachedImages, 'settle'>;
  readonly clock: Clock;
  readonly device: DeviceStorage;
  /** Ends questions that nobody answers; without it they wait until they are answered or the turn is stopped. */
  readonly after?: QuestionPorts['after'];
}

export interface ChatState {
  readonly items: readonly TranscriptItem[];
  /** The answer under way. */
  readonly live: AnswerItem | null;
  readonly running: boolean;
  /** Whether older messages are being summarised. */
  readonly summarising: boolean;
  readonly queued: readonly string[];
  /** The last request that was planned in this session. */
  readonly plan: RequestPlan | null;
  /** Those that were sent in this session, the oldest first. */
  readonly requests?: readonly SentRequest[];
  /** The changes of this chat, in the order of their reviews; the one that waits comes last. */
  readonly reviews?: readonly Review[];
  /** Calls that would leave the device and wait for the user's word, the oldest first. */
  readonly questions?: readonly ApprovalRequest[];
  /** Whose text, other than the user's, the chat holds; null for nobody's. */
  readonly taint?: string | null;
  /** The request will be sent again by itself after that long. */
  readonly waiting?: { readonly words: string; readonly milliseconds: number } | null;
  /** What the user should know of the turn, of its connection or its price; the turn goes on. */
  readonly notice?: string | null;
  /** Dollars that its requests have cost, as far as they have a price. */
  readonly spent?: number;
  /** Lines of the log that could not be read when the chat was opened. */
  readonly damaged: number;
}

/** A message on its way. */
export interface Outgoing {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

/** The model of a chat: the one that it chose, or that of the settings when the chosen one is gone (design 5). */
export function modelFor(id: string, ports: Pick<ChatPorts, 'model' | 'settings'>): Outcome<Model> {
  const chosen = ports.model(id);
  const usual = ports.settings().model;
  if (chosen.ok || id === usual) return chosen;
  const instead = ports.model(usual);
  return instead.ok ? instead : chosen;
}

/** ShownChat: the state that panes see of a chat, kept up with its log; what the disk refuses is shown all the same. */
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

// The requests of a chat in this session as they were sent, each with what its provider reported of it.

export interface SentRequest {
  readonly plan: RequestPlan;
  /** Null until the provider has reported it, and when it never does. */
  readonly usage: Usage | null;
}

/** Older ones are forgotten; the log has what was said in them. */
const most = 40;

export function addRequest(requests: readonly SentRequest[], plan: RequestPlan): readonly SentRequest[] {
  return [...requests, { plan, usage: null }].slice(-most);
}

/** Puts a report with the newest request. */
export function addReport(requests: readonly SentRequest[], usage: Usage | undefined): readonly SentRequest[] {
  const last = requests.at(-1);
  return last === undefined || usage === undefined ? requests : [...requests.slice(0, -1), { ...last, usage }];
}
