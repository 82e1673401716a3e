/** What a chat asks of the world, and what it shows of itself. */
import type { PromptPorts } from './context/prepare-turn';
import type { Outcome } from './failure';
import type { Mention } from './mentions/mention';
import type { Clock, DeviceStorage, Model } from './ports';
import type { RequestPlan } from './request/request-plan';
import type { AnswerItem, TranscriptItem } from './session/transcript';
import type { Settings } from './settings/settings';

export interface ChatPorts extends PromptPorts {
  readonly clock: Clock;
  readonly device: DeviceStorage;
  settings(): Settings;
  /** The model of this id, or why it cannot be used. */
  model(id: string): Outcome<Model>;
  /** Saves what was typed into open notes, so that a turn reads what the user sees. */
  flush(): Promise<void>;
  /** Notes an event for the diagnostics. */
  note(words: string): void;
}

export interface ChatState {
  readonly items: readonly TranscriptItem[];
  /** The answer under way. */
  readonly live: AnswerItem | null;
  readonly running: boolean;
  readonly queued: readonly string[];
  /** The last request that was planned in this session. */
  readonly plan: RequestPlan | null;
  /** Lines of the log that could not be read when the chat was opened. */
  readonly damaged: number;
}

/** A message on its way. */
export interface Outgoing {
  readonly text: string;
  readonly mentions: readonly Mention[];
}
