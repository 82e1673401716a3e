/** MentionTokens: what the text that a mention stands for takes of a window, as chips show it. */
import type { Mention } from '../session/entry';

export interface MentionCount {
  readonly tokens: number;
  /** False for an estimate, which is shown with a tilde. */
  readonly exact: boolean;
}

export interface MentionTokens {
  /** What can be said at once, without reading; null for what has no text of its own, and for parts of notes. */
  known(mention: Mention, modelId: string): MentionCount | null;
  /** Reads and counts in the background; null for what cannot be read. */
  count(mention: Mention, modelId: string, signal: AbortSignal): Promise<MentionCount | null>;
}
