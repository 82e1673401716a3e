/** What a chat asks of the world, and what it shows of itself. */
import type { AttachedImages } from './images/attached-images';
import type { Clock, DeviceStorage } from './ports/device';
import type { Outcome } from './ports/failure';
import type { Model } from './ports/model';
import type { NetworkQuestion } from './ports/network';
import type { RequestPlan } from './ports/request-plan';
import type { SentRequest } from './sent-requests';
import type { Mention } from './session/entry';
import type { AnswerItem, TranscriptItem } from './session/transcript';
import type { QuestionPorts } from './turn/approve-calls';
import type { TurnPorts } from './turn/turn-input';
import type { Review } from './writing/review/review';

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
  readonly questions?: readonly NetworkQuestion[];
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
