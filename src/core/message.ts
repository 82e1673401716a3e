/** Message: what user, assistant and tools said, in the neutral form that every provider encodes. */
import type { ImageReference } from './image';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A picture of the vault, or one that was pasted (R218). Its bytes are read when a request is encoded, never before. */
export interface ImagePart {
  readonly type: 'image';
  /** Stands before it. */
  readonly label: string;
  /** What stands in its place for a model that takes no pictures, and when its file is gone. */
  readonly text: string;
  readonly gone: string;
  /** Its path, or the name that it was given. */
  readonly name: string;
  readonly image: ImageReference;
  /** What the picture itself takes of the window. */
  readonly tokens: number;
}

export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** Opaque data of the provider that must be sent back with the part, such as a signature. */
  readonly providerData?: unknown;
}

export interface ToolCallPart {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  /** The arguments exactly as the model wrote them: JSON text, parsed only by the tool runner. */
  readonly argumentsText: string;
  /** Opaque data of the provider that must be sent back with the call, such as a signature. */
  readonly providerData?: unknown;
}

export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

export interface UserMessage {
  readonly role: 'user';
  readonly parts: readonly (TextPart | ImagePart)[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly parts: readonly AssistantPart[];
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly parts: readonly ToolResultPart[];
}

export type Message = UserMessage | AssistantMessage | ToolMessage;

/** Why a model stopped; 'unknown' when the provider gave no reason we know. */
export type StopReason = 'complete' | 'tool-calls' | 'length' | 'refusal' | 'unknown';

/** Token counts as the provider reported them; never computed by us. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** Dollars at the list prices of the day on which it was reported, where they were known; worked out by us. */
  readonly cost?: number;
}

export function textOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
}

export function toolCallsOf(parts: readonly AssistantPart[]): ToolCallPart[] {
  return parts.filter((part): part is ToolCallPart => part.type === 'tool-call');
}
