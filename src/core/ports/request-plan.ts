/** RequestPlan: the one description of a request that providers, the inspector, the goldens and the prompt command read. */
import type { Failure } from './failure';
import type { Message } from './message';

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
  /** The part of the section that this is, where a section stands in parts: `map:` a folder, `file:` a note. */
  readonly item?: string;
  /** How long it stood still, L0 the longest; `active` for what changed of late. */
  readonly tier?: 'L0' | 'L1' | 'L2' | 'L3' | 'active';
  /** The parts that it may be sent in. */
  readonly items?: readonly BlockItem[];
}

/** A part of a section that keeps its place in a request for as long as it stays the same. */
export interface BlockItem {
  readonly key: string;
  readonly text: string;
  readonly madeVisible: number;
  /** Newest change of what it is made from, in milliseconds since the epoch; what is coldest is put first. */
  readonly modified: number;
  /** What it says of each file, by path, as far as that file alone decides it. */
  readonly lines?: Readonly<Record<string, string>>;
}

/** A place up to which a provider is asked to keep the request. */
export interface Breakpoint {
  /** The system prompt, or the message of this index. */
  readonly after: 'system' | number;
  /** Index of the part of that message; its last one when absent. */
  readonly part?: number;
  /** What ends there. */
  readonly ends: 'L0' | 'L2' | 'L3' | 'step' | 'turn';
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
  /** Where the provider is asked to keep what stands before; none without caching (K7). */
  readonly breakpoints?: readonly Breakpoint[];
  /** Tokens the answer may have. */
  readonly maxOutputTokens: number;
  /** What a hook asked for; the provider's own when there is none. */
  readonly temperature?: number;
  /** Why it must not be sent: something in it is not as the user asked. */
  readonly blocked?: Failure;
}

// How often a section's text changes; it decides where the section stands in a request.

/** Fixed for the chat, changing with the vault, part of the conversation, or written once with this turn. */
export type Zone = 'instructions' | 'reference' | 'history' | 'turn';

/**
 * Where in a request a block stands: in the system prompt, in a message of its tier, in the message that opens the
 * conversation, or around the user's message.
 */
export type Place = 'system' | 'reference' | 'first-message' | 'before-message' | 'after-message';
