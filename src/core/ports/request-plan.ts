/**
 * RequestPlan: the one description of a request, shared by providers, the inspector, the goldens, and the prompt
 * command.
 */
import type { Failure } from './failure';
import type { Message } from './message';

/** The form in which a block is sent; `repeated` if the conversation already contains its text. */
export type BlockOutcome = 'full' | 'brief' | 'trimmed' | 'dropped' | 'repeated';

export interface Block {
  readonly section: string;
  readonly zone: Zone;
  readonly place: Place;
  /** As sent, including markup; empty if dropped. */
  readonly text: string;
  readonly tokens: number;
  readonly outcome: BlockOutcome;
  /** Why the block is not in its full form. */
  readonly reason?: string;
  /** Number of invisible or forbidden characters that were made visible in it. */
  readonly madeVisible: number;
  /** Number of invisible characters in it that scripts need, sent as they are; none unless given. */
  readonly invisible?: number;
  /**
   * The item of the section that this block contains, if the section is sent as items: `map:` a folder, `file:` a note.
   */
  readonly item?: string;
  /** How long the block has been unchanged, L0 the longest; `active` for recent changes. */
  readonly tier?: 'L0' | 'L1' | 'L2' | 'L3' | 'active';
  /** The items in which the block may be sent. */
  readonly items?: readonly BlockItem[];
}

/** An item of a section that keeps its position in requests as long as it is unchanged. */
export interface BlockItem {
  readonly key: string;
  readonly text: string;
  readonly madeVisible: number;
  readonly invisible?: number;
  /** Newest change of its sources, milliseconds since the epoch; items that changed longest ago come first. */
  readonly modified: number;
  /** The part of the item that depends on one file alone, by path. */
  readonly lines?: Readonly<Record<string, string>>;
  /** Returns what that part would be in the item's other forms, while the file is the same. */
  readonly otherLines?: () => Readonly<Record<string, readonly string[]>>;
}

/** A position up to which the provider is asked to cache the request. */
export interface Breakpoint {
  /** The system prompt, or the index of a message. */
  readonly after: 'system' | number;
  /** Index of the part of that message; the last part if absent. */
  readonly part?: number;
  /** What ends at this position. */
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
  /** Tokens reserved for the answer. */
  readonly reserve: number;
  /** Tokens in the model's context window. */
  readonly window: number;
  /** False if the counts are estimates. */
  readonly exact: boolean;
}

/** The conversation that plans of requests outside all chats name. */
export const withoutChat = 'once';

/** What a background request is for. */
export type RequestPurpose = 'summary' | 'rewrite' | 'commit';

export interface RequestPlan {
  readonly conversationId: string;
  readonly modelId: string;
  readonly blocks: readonly Block[];
  /** The system prompt, byte for byte as sent; empty if no section has text. */
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
  readonly totals: RequestTotals;
  /** The positions up to which the provider is asked to cache; none without caching (K7). */
  readonly breakpoints?: readonly Breakpoint[];
  /** Maximum tokens of the answer. */
  readonly maxOutputTokens: number;
  /** The temperature that a hook requested; the provider's default if absent. */
  readonly temperature?: number;
  /** What the request is for; an answer in its chat, or of its subagent, if absent. */
  readonly purpose?: RequestPurpose;
  /** Why the request must not be sent: part of it is not as the user requested. */
  readonly blocked?: Failure;
}

/**
 * How often a section's text changes, which decides its position in a request: fixed for the chat, changing with the
 * vault, part of the history, or written once with this turn.
 */
export type Zone = 'instructions' | 'reference' | 'history' | 'turn';

/**
 * Where a block is in a request: in the system prompt, in a message of its tier, in the first message of the chat, or
 * around the user's message.
 */
export type Place = 'system' | 'reference' | 'first-message' | 'before-message' | 'after-message';
