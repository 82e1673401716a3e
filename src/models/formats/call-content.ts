/** Shared code of Docent's own formats: the parts of a call, and the parts and counts of an answer. */
import type {
  JSONObject,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4FinishReason,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { isRecord } from '../http/wire-format';

/** Reasoning effort; undefined means the provider's default. */
export type Effort = Exclude<LanguageModelV4CallOptions['reasoning'], 'provider-default' | undefined>;

export function effortOf({ reasoning }: LanguageModelV4CallOptions): Effort | undefined {
  return reasoning === 'provider-default' ? undefined : reasoning;
}

export function functionsOf({ tools = [] }: LanguageModelV4CallOptions): readonly LanguageModelV4FunctionTool[] {
  return tools.filter((tool) => tool.type === 'function');
}

export function resultText({ output }: LanguageModelV4ToolResultPart): string {
  return output.type === 'text' || output.type === 'error-text' ? output.value : JSON.stringify(output);
}

export function isErrorResult({ output }: LanguageModelV4ToolResultPart): boolean {
  return output.type === 'error-text';
}

/** Returns an image as Base64; empty for one stored elsewhere, which the encoder of the plan never makes. */
export function imageData({ data }: LanguageModelV4FilePart): string {
  if (data.type !== 'data') return '';
  return typeof data.data === 'string' ? data.data : toBase64(data.data);
}

/** Bytes converted per call, because a function cannot take as many arguments as an image has bytes. */
const pieceLength = 8_192;

function toBase64(bytes: Uint8Array): string {
  let characters = '';
  for (let at = 0; at < bytes.length; at += pieceLength) {
    characters += String.fromCharCode(...bytes.subarray(at, at + pieceLength));
  }
  return btoa(characters);
}

/** Returns the arguments of a call in the history; the encoder of the plan passes only JSON objects. */
export function argumentsObject(input: unknown): Record<string, unknown> {
  const value: unknown = typeof input === 'string' ? JSON.parse(input) : input;
  return isRecord(value) ? value : {};
}

/** Returns what a provider attached to a part and needs back. */
export function memoryOf(options: unknown, provider: string, field: string): string | undefined {
  const own = isRecord(options) ? options[provider] : undefined;
  const value = isRecord(own) ? own[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Returns the last part of an answer; counts that the provider did not report are undefined. */
export function finishPart(
  finishReason: LanguageModelV4FinishReason,
  counts: { readonly input: unknown; readonly output: unknown; readonly raw: unknown },
): LanguageModelV4StreamPart {
  const { input, output, raw } = counts;
  return {
    type: 'finish',
    finishReason,
    usage: {
      inputTokens: { total: countOf(input), noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: countOf(output), text: undefined, reasoning: undefined },
      ...(isRecord(raw) && { raw: raw as JSONObject }),
    },
  };
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Returns the sum, or undefined if the first count was not reported. */
export function addCounts(first: unknown, ...others: readonly unknown[]): number | undefined {
  if (typeof first !== 'number') return undefined;
  return others.reduce<number>((sum, value) => sum + (countOf(value) ?? 0), first);
}

export const textField = (value: unknown): string => (typeof value === 'string' ? value : '');
export const recordField = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
export const listField = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/**
 * Leaves out thoughts at the end of an earlier answer: what followed them was cut off, and a thought without it is
 * refused.
 */
export function withoutLastThoughts<Block>(blocks: readonly Block[], isThought: (block: Block) => boolean): Block[] {
  let end = blocks.length;
  while (blocks.slice(end - 1, end).some(isThought)) end -= 1;
  return blocks.slice(0, end);
}

/** Writes the thoughts of an answer as one run of parts, which must be ended before any other part. */
export function openThoughts() {
  const id = 'thoughts';
  let isOpen = false;
  return {
    add(delta: string): LanguageModelV4StreamPart[] {
      const start = isOpen ? [] : [{ type: 'reasoning-start' as const, id }];
      isOpen = true;
      return [...start, { type: 'reasoning-delta', id, delta }];
    },
    /** Returns nothing if no thought is open. */
    end(): LanguageModelV4StreamPart[] {
      if (!isOpen) return [];
      isOpen = false;
      return [{ type: 'reasoning-end', id }];
    },
  };
}
