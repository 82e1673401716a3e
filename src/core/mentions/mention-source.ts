/** The MentionSource contract: what typing a trigger offers. One file a source; several may share a trigger. */
import type { ChatCommand } from '../commands/command';
import type { RegisteredPrompt } from '../library/prompt-registry';
import type { Vault } from '../ports/vault';
import type { Mention } from '../session/entry';
import type { Tool } from '../tools/tool';
import type { Candidate } from './candidate';

export type Trigger = '[[' | '/' | '@' | '#';

/** What sources know of the world. */
export interface MentionContext {
  readonly vault: Vault;
  /** Vault folder of the user's prompts and workspaces. */
  readonly agentFolder: string;
  readonly tools: readonly Tool[];
  /** The prompts that are registered, notes or not; the same list while nothing changes. */
  readonly prompts: readonly RegisteredPrompt[];
  readonly commands: readonly ChatCommand[];
  /** Path of the note in front. */
  readonly activeNote: string | null;
}

export interface Offer {
  /** Best first for an empty query; the same array while nothing changed. */
  readonly candidates: readonly Candidate[];
  /** The part of what was typed that candidates are matched against. */
  readonly query: string;
  /** Lines shown at most. */
  readonly lines: number;
}

export interface MentionSource {
  readonly id: Mention['kind'] | 'command' | 'run-prompt';
  /** The characters that open the list. */
  readonly trigger: Trigger;
  /** What there is to offer after the trigger and this text; null when the text asks for something else. */
  offer(context: MentionContext, typed: string): Offer | null;
  /**
   * Does a few milliseconds of the work behind `offer`, and returns whether more is left. Until it is done, the offer
   * of a large vault is the one before the vault's last change.
   */
  prepare?(context: MentionContext, typed: string): boolean | Promise<boolean>;
}

/** Lines of a list that is searched rather than read through. */
export const usualLines = 12;
/** Lines of a list that is short by itself. */
export const allLines = 50;
