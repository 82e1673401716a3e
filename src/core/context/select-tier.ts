/** Which tier a chat gets: the user's choice, else the one it is pinned to, else what model and device can bear (R105, K3). */
import type { ModelDescription } from '../ports/model';
import type { DeviceFacts } from '../prompt/world';
import type { PromptRebuilt } from '../session/entry';
import type { Tier } from '../settings/mode';
import { tierForWindow } from './tier-for-window';

/** The highest tier that is chosen by itself, by the device: a phone has less patience and a dearer line. */
const ceilings: Readonly<Record<DeviceFacts['platform'], Tier>> = { desktop: 5, mobile: 4 };

export interface TierQuestion {
  readonly choice: Tier | 'auto';
  /** What the chat was pinned to when its prompt was last written; null for a new chat, and to pin it anew. */
  readonly pinned: Pick<PromptRebuilt, 'tier' | 'automatic' | 'model' | 'window'> | null;
  readonly model: Pick<ModelDescription, 'id' | 'contextWindow'>;
  /** The window that the user has set; null for what is known of the model. */
  readonly window: number | null;
  readonly platform: DeviceFacts['platform'];
}

/**
 * A tier that was chosen by itself stays as long as the user chooses no other, keeps the model and leaves its window
 * alone, whatever becomes known of the model meanwhile (R096).
 */
export function selectTier({ choice, pinned, model, window, platform }: TierQuestion): Tier {
  if (choice !== 'auto') return choice;
  const holds = pinned !== null && pinned.automatic && pinned.model === model.id && pinned.window === window;
  return holds ? pinned.tier : effectiveTier(model, platform);
}

/** The tier of the window that is really there, under the ceiling of the device. */
export function effectiveTier(
  { contextWindow }: Pick<ModelDescription, 'contextWindow'>,
  platform: DeviceFacts['platform'],
): Tier {
  const actual = tierForWindow(contextWindow);
  return actual < ceilings[platform] ? actual : ceilings[platform];
}
