/** What making room asks of the chat that it serves. */
import type { GoalBook } from '../../goals/goal-manager';
import type { StateNotes } from '../../ports/device';
import type { Outcome } from '../../ports/failure';
import type { Model, ModelDescription, Tokenizer } from '../../ports/model';
import type { Vault } from '../../ports/vault';
import type { NoteCache } from '../../prompt/facts/attached-notes';
import type { EntryBody, Mention, SessionEntry } from '../../session/entry';
import type { Settings } from '../../settings/settings';
import type { PreparedTurn } from '../prepare-turn';

export interface CompressionEvent {
  readonly conversationId: string;
  readonly trigger: 'automatic' | 'manual';
  readonly tokens: number;
  readonly messages: number;
}

export interface ReliefPorts {
  readonly vault: Vault;
  readonly tokenizer: Tokenizer;
  readonly notes: Pick<NoteCache, 'read'>;
  readonly hooks: { preCompress(event: CompressionEvent, signal: AbortSignal): Promise<readonly string[]> };
  /** Where states are saved; without it none is. */
  readonly states?: StateNotes;
  agentFolder(): string;
  settings(): Settings;
  model(id: string): Outcome<Model>;
  note(words: string): void;
}

export interface ReliefChat {
  readonly log: { readonly conversation: string; readonly entries: readonly SessionEntry[] };
  readonly context: {
    prepare(model: ModelDescription, mentions: readonly Mention[], signal: AbortSignal): Promise<PreparedTurn>;
    repin(): unknown;
    forgetSent(): unknown;
  };
  readonly goals: GoalBook;
  readonly ports: ReliefPorts;
  record(body: EntryBody): Promise<Outcome<SessionEntry>>;
  /** Told when a summary begins to be written, and when that is over. */
  tell(summarising: boolean): void;
}
