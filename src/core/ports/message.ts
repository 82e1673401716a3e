/** Messages of the user, the assistant, and tools, in the neutral form that every provider encodes. */
import type { Outcome } from './failure';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** An image from the vault or pasted into the chat (R218). Its bytes are read only when a request is encoded. */
export interface ImagePart {
  readonly type: 'image';
  /** Text sent before the image. */
  readonly label: string;
  /** Sent instead of the image to a model that doesn't support images. */
  readonly text: string;
  /** Sent instead of the image if its file is missing. */
  readonly missingText: string;
  /** Sent instead of the image to a model that takes fewer images in one request. */
  readonly olderText: string;
  /** The path of the image, or the name it was given. */
  readonly name: string;
  readonly image: ImageReference;
  /** Tokens that the image itself uses in the context window. */
  readonly tokens: number;
}

interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** Opaque data of the provider that must be sent back with the part, such as a signature. */
  readonly providerData?: unknown;
}

export interface ToolCallPart {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  /** The arguments exactly as the model wrote them: JSON text that only the tool runner parses. */
  readonly argumentsText: string;
  /** Opaque data of the provider that must be sent back with the call, such as a signature. */
  readonly providerData?: unknown;
  /**
   * The text as which a model without native tools wrote this call, and those after it; empty for a call that is in the
   * text of an earlier one. Absent for a native call.
   */
  readonly written?: string;
  /** What the model said of its work with such a call; shown with it, and nothing depends on it (R156). */
  readonly notes?: CallNotes;
}

/** The conversation so far, what the model works towards, and limits to respect, in the model's words. */
export interface CallNotes {
  readonly memory?: string;
  readonly goal?: string;
  readonly constraints?: string;
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
  /** Whether it carries the results of tool calls, for a model without native tools, and nothing of the user's. */
  readonly carriesResults?: true;
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

/** Why a model stopped; 'unknown' if the provider gave no known reason. */
export type StopReason = 'complete' | 'tool-calls' | 'length' | 'refusal' | 'unknown';

/** Token counts as the provider reported them; Docent never computes them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** US dollars, computed from the list prices at the time of the report; absent where prices were unknown. */
  readonly cost?: number;
  /** The model, if it is not the one of the answer that asked for it, as of a subagent. */
  readonly model?: string;
  /** Whether it was taken over from another chat, where it counts. */
  readonly copied?: true;
}

export function textOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
}

export function toolCallsOf(parts: readonly AssistantPart[]): ToolCallPart[] {
  return parts.filter((part): part is ToolCallPart => part.type === 'tool-call');
}

/** Returns an id of a call that no other one has, and takes it: two calls with one id could not both be answered. */
export function unusedId(id: string, taken: Set<string>): string {
  let candidate = id;
  for (let count = taken.size + 1; taken.has(candidate); count++) candidate = `${id}-${count}`;
  taken.add(candidate);
  return candidate;
}

/** The formats that all providers accept, by file extension. */
const imageTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
} as const;

export type ImageType = (typeof imageTypes)[keyof typeof imageTypes];

/** Describes an image that goes with a message and leads to its bytes (R218). */
export interface ImageReference {
  /** SHA-256 of the bytes that are sent, as lowercase hex. */
  readonly digest: string;
  readonly mediaType: ImageType;
  /** Pixels, as sent. */
  readonly width: number;
  readonly height: number;
  /** Size of the bytes that are sent. */
  readonly bytes: number;
  /** The conversation whose log folder contains the bytes. */
  readonly conversation: string;
  /** Whether the image was cleared to free tokens, so that only its text is sent; never stored. */
  readonly isCleared?: true;
}

export const imageLimits = {
  /** Pixels. Models scale larger images down before processing them. */
  maxSideLength: 1_568,
  /** Tokens per image; providers scale down anything that would use more. */
  maxTokens: 1_600,
  /** Per message. */
  maxImages: 8,
  /** Bytes per file. */
  maxFile: 30_000_000,
  /** Pixels per file: decoding more than this can crash Obsidian on mobile. */
  maxPixels: 110_000_000,
} as const;

const pixelsPerToken = 750;

/** Returns the tokens that an image of this size uses, by the formula that providers publish. */
export function imageTokens(width: number, height: number): number {
  return Math.min(imageLimits.maxTokens, Math.ceil((width * height) / pixelsPerToken));
}

/** Returns the size in whole pixels at which an image is sent: its own, or the largest that models make use of. */
export function sizeToSend(width: number, height: number): { readonly width: number; readonly height: number } {
  const { maxSideLength, maxTokens } = imageLimits;
  const bySide = maxSideLength / Math.max(width, height);
  const byArea = Math.sqrt((maxTokens * pixelsPerToken) / (width * height));
  const scale = Math.min(1, bySide, byArea);
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

/** Whether the image was pasted into the chat, and is not a file of the vault. */
export function isPastedImage({ id, image }: { readonly id: string; readonly image?: ImageReference }): boolean {
  return image !== undefined && id === image.digest;
}

/** Whether the file extension is that of a format that can be sent. */
export function isImagePath(path: string): boolean {
  return Object.hasOwn(imageTypes, /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '');
}

/** The media types that the file picker accepts. */
export const imageTypesTaken: readonly ImageType[] = [...new Set(Object.values(imageTypes))];

/** Stores the bytes of images, one file each, next to the log of their conversation. */
export interface ImageFiles {
  /** Does nothing if the file exists: its name is derived from its content. */
  readonly write: (image: ImageReference, bytes: Uint8Array) => Promise<Outcome<void>>;
  /** Resolves to null if the file is missing or was altered. */
  readonly read: (image: ImageReference) => Promise<Uint8Array | null>;
  /** Deletes the file if it exists. Never throws. */
  readonly remove: (image: ImageReference) => Promise<void>;
}

export interface ImageBytes {
  readonly mediaType: ImageType;
  readonly bytes: Uint8Array;
}

/** An image that was redrawn: upright pixels alone, without location, time, or other metadata. */
export interface DrawnImage extends ImageBytes {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Rejects if the image cannot be drawn. */
export type DrawImage = (
  image: ImageBytes,
  fit: (width: number, height: number) => { readonly width: number; readonly height: number },
) => Promise<DrawnImage>;
