/** What a chat asks of the world, and what it shows of itself. */
import type { Outcome } from './failure';
import type { Mention } from './mentions/mention';
import type { Clock, DeviceStorage, Model } from './ports';
import type { SentRequest } from './sent-requests';
import type { RequestPlan } from './request/request-plan';
import type { AnswerItem, TranscriptItem } from './session/transcript';
import type { TurnPorts } from './turn/open-turn';

export interface ChatPorts extends TurnPorts {
  readonly clock: Clock;
  readonly device: DeviceStorage;
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
