/** RequestPlan: the one description of a request that providers, the inspector, the goldens and the prompt command read. */
import type { Message } from '../message';
import type { Place, Zone } from '../prompt/zone';

export type BlockOutcome = 'full' | 'brief' | 'trimmed' | 'dropped';

export interface Block {
  readonly section: string;
  readonly zone: Zone;
  readonly place: Place;
  /** As sent, markup included; empty when dropped. */
  readonly text: string;
  readonly tokens: number;
  readonly outcome: BlockOutcome;
  /** Why it is not in its full form. */
  readonly reason?: string;
  /** Invisible or forbidden characters that were made visible in it. */
  readonly madeVisible: number;
}

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, draft 7. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface RequestTotals {
  readonly instructions: number;
  readonly reference: number;
  readonly history: number;
  readonly turn: number;
  readonly tools: number;
  readonly all: number;
  /** Tokens kept free for the answer. */
  readonly reserve: number;
  /** Tokens the model can hold. */
  readonly window: number;
  /** False when the counts are estimates. */
  readonly exact: boolean;
}

export interface RequestPlan {
  readonly conversationId: string;
  readonly modelId: string;
  readonly profile: 'flat' | 'tiered';
  readonly blocks: readonly Block[];
  /** The system prompt, byte for byte as sent; empty when there is nothing to say. */
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
  readonly totals: RequestTotals;
  /** Tokens the answer may have. */
  readonly maxOutputTokens: number;
}
