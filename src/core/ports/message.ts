/** Message: what user, assistant and tools said, in the neutral form that every provider encodes. */
import type { Outcome } from './failure';

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

// Image: what is known of a picture that goes with a message, how large it is sent, and what it costs (R218).

/** The formats that all providers take, by the ends of file names. */
const imageTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
} as const;

export type ImageType = (typeof imageTypes)[keyof typeof imageTypes];

/** What is told in place of the pixels of a picture, and leads to them. */
export interface ImageReference {
  /** SHA-256 of the bytes that are sent, as lowercase hex. */
  readonly digest: string;
  readonly mediaType: ImageType;
  /** Pixels, as sent. */
  readonly width: number;
  readonly height: number;
  /** Of the bytes that are sent. */
  readonly bytes: number;
  /** The conversation beside whose log the bytes lie. */
  readonly conversation: string;
  /** Whether it was put aside to save room, and is told in words; never stored. */
  readonly aside?: true;
}

export const imageLimits = {
  /** Pixels. Models make larger pictures smaller before they look at them. */
  maxSideLength: 1_568,
  /** Tokens of one picture; what would take more is made smaller by the provider in any case. */
  maxTokens: 1_600,
  /** Of one message. */
  maxImages: 8,
  /** Bytes of a file. */
  maxFile: 30_000_000,
  /** Pixels of a file: unpacking more than this can end the app on a phone. */
  maxPixels: 110_000_000,
} as const;

const pixelsPerToken = 750;

/** Tokens that a picture of this size takes of a window, by the formula that providers publish. */
export function imageTokens(width: number, height: number): number {
  return Math.min(imageLimits.maxTokens, Math.ceil((width * height) / pixelsPerToken));
}

/** The size, in whole pixels, in which a picture of this size is sent: its own, or the largest that is of use. */
export function sizeToSend(width: number, height: number): { readonly width: number; readonly height: number } {
  const { maxSideLength, maxTokens } = imageLimits;
  const bySide = maxSideLength / Math.max(width, height);
  const byArea = Math.sqrt((maxTokens * pixelsPerToken) / (width * height));
  const scale = Math.min(1, bySide, byArea);
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

/** Whether a picture is no file of the vault that the user keeps, but one that was handed to the chat. */
export function isPastedImage({ id, image }: { readonly id: string; readonly image?: ImageReference }): boolean {
  return image !== undefined && id === image.digest;
}

/** Whether the file is of a format that can be sent, by its name. */
export function isImagePath(path: string): boolean {
  return Object.hasOwn(imageTypes, /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '');
}

/** For the choice of files on the device. */
export const imageTypesTaken: readonly ImageType[] = [...new Set(Object.values(imageTypes))];

/** Where the bytes of pictures lie: a file each, beside the log of a conversation. */
export interface ImageFiles {
  /** Keeps what is there already: the name of a file tells its content. */
  readonly write: (image: ImageReference, bytes: Uint8Array) => Promise<Outcome<void>>;
  /** Null when the file is gone, or is not as it was written. */
  readonly read: (image: ImageReference) => Promise<Uint8Array | null>;
  /** Takes the file away, where it is still there. Never throws. */
  readonly remove: (image: ImageReference) => Promise<void>;
}

export interface ImageBytes {
  readonly mediaType: ImageType;
  readonly bytes: Uint8Array;
}

/** A picture that was drawn anew: pixels alone, upright, without place, time and whatever else a file tells. */
export interface DrawnImage extends ImageBytes {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Rejects when the picture cannot be drawn. */
export type DrawImage = (
  image: ImageBytes,
  fit: (width: number, height: number) => { readonly width: number; readonly height: number },
) => Promise<DrawnImage>;
