/** The observable state of a chat, and the ports that a chat needs. */
import { subscribeTo } from '../base/async';
import { startOf } from '../base/cut';
import { words } from '../../text';
import type { MovesSince } from '../context/chat-choices';
import type { AttachedImages } from '../images/attached-images';
import type { PluginEvents } from '../hooks/context-events';
import { makeVisible } from '../markup/escapes';
import { oneLine } from '../markup/prose';
import { type Clock, type DeviceStorage, type UnsavedTexts, unsavedOf } from '../ports/device';
import type { Outcome } from '../ports/failure';
import type { Usage } from '../ports/message';
import type { Model } from '../ports/model';
import type { ApprovalRequest, McpProgress } from '../ports/network';
import { type RequestPlan, withoutChat } from '../ports/request-plan';
import type { MessageVersions } from '../session/branches';
import type { Mention, SessionEntry } from '../session/entry';
import { spentIn } from '../session/log-state';
import type { SessionLog } from '../session/session-log';
import type { QuestionPorts } from '../turn/approve-calls';
import type { TurnPorts } from '../turn/turn-input';
import type { Review } from '../writing/review/review';
import { givenTitle } from './chat-title';
import type { AnswerItem, Transcript, TranscriptItem, UserItem } from './transcript';

export interface ChatPorts extends TurnPorts {
  /** Stores the images of a message; without it, the model gets a text note for each image. */
  readonly images?: Pick<AttachedImages, 'settle'> & Partial<Pick<AttachedImages, 'copy'>>;
  readonly clock: Clock;
  readonly device: DeviceStorage;
  /** Where the text of a running answer is stored; without it, in the device storage. */
  readonly unsaved?: UnsavedTexts;
  /** Ends approval requests after a timeout; without it they wait until they are answered or the turn is stopped. */
  readonly after?: QuestionPorts['after'];
  /** Returns what a message that was sent names, under the names that it has now; without it, nothing was renamed. */
  readonly namedNow?: (message: UserItem) => readonly Mention[];
  /** Returns what was moved since a time; without it, nothing was. */
  readonly movesSince?: MovesSince;
  /** Reports the events of chats to other plugins; without it nobody hears of them. */
  readonly events?: Pick<PluginEvents, 'announce'>;
}

export interface ChatState {
  /** The title that it was given; empty for none, absent until the chat is read. */
  readonly title?: string;
  readonly items: readonly TranscriptItem[];
  /** The answer being streamed; null between answers. */
  readonly live: AnswerItem | null;
  /** What there are several versions of, by the id of the message; see MessageVersions. */
  readonly versions?: ReadonlyMap<string, MessageVersions>;
  /** Whether nothing can be added to the chat here, as when a newer version of Docent wrote a part of it. */
  readonly isReadOnly?: boolean;
  /** Whether its files were moved to the trash while it was open; it is read-only then. */
  readonly isTrashed?: boolean;
  readonly running: boolean;
  /** Whether older messages are being summarised. */
  readonly summarising: boolean;
  /** The messages that wait for the end of the answer, in the order in which they are sent. */
  readonly queued: readonly Outgoing[];
  /** The last request planned in this session; null before the first one. */
  readonly plan: RequestPlan | null;
  /** The requests sent in this session, oldest first. */
  readonly requests?: readonly SentRequest[];
  /** The reviews of this chat in order; the pending one comes last. */
  readonly reviews?: readonly Review[];
  /** Tool calls that would leave the device and wait for the user's approval, oldest first. */
  readonly questions?: readonly ApprovalRequest[];
  /** By the id of a running call, how far it has come, in words. */
  readonly progress?: ReadonlyMap<string, string>;
  /** Where the untrusted text that the chat has read comes from; null while it has read none. */
  readonly taint?: string | null;
  /** Set while a refused request waits for its automatic retry. */
  readonly waiting?: { readonly words: string; readonly milliseconds: number } | null;
  /** A sentence about the connection or the price; the turn continues. */
  readonly notice?: string | null;
  /** What storing the newest entry has led to; another object for each entry. */
  readonly stored?: Outcome<SessionEntry>;
  /** Dollars spent by the chat's requests, as far as their prices are known. */
  readonly spent?: number;
  /** Lines of the log that could not be read when the chat was opened. */
  readonly damaged: number;
  /** Whether only the end of the chat is read yet, so that nothing but its items is known. */
  readonly isReading?: boolean;
}

/** What is shown of the entries of a chat. */
export function shownOf(
  { all, entries, branches }: SessionLog,
  { items }: Transcript,
): Pick<ChatState, 'title' | 'items' | 'versions' | 'spent'> {
  return { title: givenTitle(entries), items, versions: branches.versions, spent: spentIn(all) };
}

/** What is known of a chat when it is opened. */
export function initialState(log: SessionLog, transcript: Transcript): ChatState {
  const { damaged, isReadOnly } = log;
  return {
    ...shownOf(log, transcript),
    isReadOnly,
    live: null,
    running: false,
    summarising: false,
    queued: [],
    plan: null,
    damaged,
  };
}

/** A message that is being sent or queued. */
export interface Outgoing {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

/** The key under which `writeQueue` stores messages. */
export function queueKeyOf(chat: string): string {
  return `queue-${chat}`;
}

/**
 * Stores the messages that wait for the end of an answer as a list of Outgoing, each with the time in milliseconds since
 * the epoch, by which it is known what was moved since.
 */
export function writeQueue(
  ports: Pick<ChatPorts, 'unsaved' | 'device' | 'clock'>,
  chat: string,
  messages: readonly Outgoing[],
): void {
  const at = ports.clock.now();
  const stored = messages.map((message) => ({ ...message, at }));
  void unsavedOf(ports).write(queueKeyOf(chat), stored.length === 0 ? null : JSON.stringify(stored));
}

/** Returns the model that the chat chose, or the one from settings if the chosen one is missing (design 5). */
export function modelFor(id: string, ports: Pick<ChatPorts, 'model' | 'settings'>): Outcome<Model> {
  const chosen = ports.model(id);
  const usual = ports.settings().model;
  if (chosen.ok || id === usual) return chosen;
  const instead = ports.model(usual);
  return instead.ok ? instead : chosen;
}

/** A request that a chat sent in this session, with the usage that its provider reported. */
export interface SentRequest {
  readonly plan: RequestPlan;
  /** Null until the provider reports it, and if it never does. */
  readonly usage: Usage | null;
}

/** The maximum number of requests held; older ones are dropped, since the log has their messages. */
const maxRequests = 40;

export function addRequest(requests: readonly SentRequest[], plan: RequestPlan): readonly SentRequest[] {
  return [...requests, { plan, usage: null }].slice(-maxRequests);
}

/** Attaches the usage to the newest request. */
export function addReport(requests: readonly SentRequest[], usage: Usage | undefined): readonly SentRequest[] {
  const last = requests.at(-1);
  return last === undefined || usage === undefined ? requests : [...requests.slice(0, -1), { ...last, usage }];
}

/** The most characters of a server's words on its progress. */
const maxProgressLength = 120;

/** Milliseconds for which what is shown stays: a server may report without pause. */
const progressMilliseconds = 100;

/** CallProgress: how far the calls of a step have come, as their servers say, shown at most ten times a second. */
export class CallProgress {
  private said: ReadonlyMap<string, string> = new Map();
  private isNew = false;
  private isResting = false;

  /** @param after without it, each report is shown */
  constructor(
    private readonly show: (said: ReadonlyMap<string, string>) => void,
    private readonly after: ChatPorts['after'],
  ) {}

  readonly hear = (callId: string, progress: McpProgress): void => {
    const said = sayProgress(progress);
    if (this.said.get(callId) === said) return;
    this.said = new Map([...this.said, [callId, said]]);
    this.isNew = true;
    if (!this.isResting) this.showNew();
  };

  /** Forgets the calls when the next answer begins. */
  clear(): void {
    this.isNew = false;
    if (this.said.size > 0) this.show((this.said = new Map()));
  }

  private showNew(): void {
    if (!this.isNew) return;
    this.isNew = false;
    this.show(this.said);
    if (this.after === undefined) return;
    this.isResting = true;
    this.after(progressMilliseconds, () => {
      this.isResting = false;
      this.showNew();
    });
  }
}

/** Says how far a call has come, on one line and with invisible characters made visible. */
function sayProgress({ progress, total, message = '' }: McpProgress): string {
  const shown = (value: number): string => String(Math.round(value * 100) / 100);
  const said = startOf(oneLine(makeVisible(message).text), maxProgressLength);
  return words.servers.progress(shown(progress), total === undefined ? null : shown(total), said);
}

/** The maximum number of requests of all chats, and outside them, that are held. */
const maxSent = 60;

/** The requests that were sent since the plugin was loaded: of chats, of their subagents, and in the background. */
export class SentRequests {
  private requests: readonly SentRequest[] = [];
  private readonly listeners = new Set<() => void>();

  /** Returns what a chat sent, with its subagents and its summaries, and what was sent outside all chats; oldest first. */
  of(chat: string | null): readonly SentRequest[] {
    return this.requests.filter(({ plan: { conversationId: id } }) => {
      return id === withoutChat || (chat !== null && (id === chat || id.startsWith(`${chat}/`)));
    });
  }

  /** Calls the listener after every change until the returned function is called. */
  subscribe(listener: () => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  /** Returns a model that records its requests here. */
  watch(model: Model): Model {
    const update = (requests: readonly SentRequest[]): void => {
      this.requests = requests;
      for (const listener of this.listeners) listener();
    };
    const add = (plan: RequestPlan): void => update([...this.requests, { plan, usage: null }].slice(-maxSent));
    const report = (plan: RequestPlan, usage: Usage): void =>
      update(this.requests.map((each) => (each.plan === plan ? { plan, usage } : each)));
    return {
      get description() {
        return model.description;
      },
      async *stream(plan, signal) {
        add(plan);
        for await (const event of model.stream(plan, signal)) {
          if (event.type === 'finish' && event.usage !== undefined) report(plan, event.usage);
          yield event;
        }
      },
    };
  }
}
