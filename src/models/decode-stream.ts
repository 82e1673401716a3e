/** Decodes the parts of a language model stream into ModelEvents, and tells an end of the answer from an end of bytes. */
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { StopReason, ToolCallPart, Usage } from '../core/ports/message';
import type { ModelEvent } from '../core/ports/model';
import { isRecord } from './http/wire-format';

export type StreamEnd =
  | { readonly type: 'finished' }
  /** The provider's terminal event never came. */
  | { readonly type: 'cut' }
  | { readonly type: 'error'; readonly error: unknown };

/**
 * Text and reasoning pass at once. Tool calls wait for the terminal event: until then their arguments may be a prefix
 * that happens to parse. What a stop by length or refusal cut off does not pass at all.
 */
export async function* decodeStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  source: ReasoningSource,
): AsyncGenerator<ModelEvent, StreamEnd> {
  const reader = stream.getReader();
  try {
    return yield* decodeParts(reader, source);
  } finally {
    // Frees the connection when the reader stopped early; after the end there is nothing to free.
    reader.cancel().catch(() => undefined);
  }
}

async function* decodeParts(
  reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
  source: ReasoningSource,
): AsyncGenerator<ModelEvent, StreamEnd> {
  const calls: ToolCallPart[] = [];
  const reasoning = new Map<string, SharedV4ProviderMetadata | undefined>();
  for (;;) {
    const { done, value: part } = await reader.read();
    if (done) return { type: 'cut' };
    switch (part.type) {
      case 'text-delta':
        if (part.delta !== '') yield { type: 'text-delta', text: part.delta };
        break;
      case 'reasoning-start':
      case 'reasoning-delta':
        reasoning.set(part.id, mergeMetadata(reasoning.get(part.id), part.providerMetadata));
        if (part.type === 'reasoning-delta' && part.delta !== '') yield { type: 'reasoning-delta', text: part.delta };
        break;
      case 'reasoning-end': {
        const metadata = mergeMetadata(reasoning.get(part.id), part.providerMetadata);
        reasoning.delete(part.id);
        const providerData: ReasoningData = { ...source, ...(metadata && { metadata }) };
        yield { type: 'reasoning-end', providerData };
        break;
      }
      case 'tool-call':
        if (part.providerExecuted !== true) calls.push(callOf(part, calls, source));
        break;
      case 'finish': {
        const reason = decodeReason(part.finishReason);
        if (reason === null) return { type: 'cut' };
        const passing = passingCalls(calls, reason);
        for (const call of passing) yield { type: 'tool-call', call };
        const usage = decodeUsage(part.usage);
        // Some servers say "stop" behind their calls.
        const shown = passing.length > 0 && reason !== 'length' ? 'tool-calls' : reason;
        yield { type: 'finish', reason: shown, ...(usage && { usage }) };
        return { type: 'finished' };
      }
      case 'error':
        return { type: 'error', error: part.error };
      default:
        break;
    }
  }
}

function callOf(
  { toolCallId, toolName, input, providerMetadata }: LanguageModelV4ToolCall,
  calls: readonly ToolCallPart[],
  source: ReasoningSource,
): ToolCallPart {
  const providerData: ReasoningData | undefined = providerMetadata && { ...source, metadata: providerMetadata };
  return {
    type: 'tool-call',
    id: unusedId(toolCallId, calls),
    name: toolName,
    argumentsText: input,
    ...(providerData && { providerData }),
  };
}

const reasons: Partial<Record<LanguageModelV4FinishReason['unified'], StopReason>> = {
  stop: 'complete',
  length: 'length',
  'content-filter': 'refusal',
  'tool-calls': 'tool-calls',
};
/** What servers call it when they do not use the usual words. */
const otherWords = new Map<string, StopReason>([
  ['eos', 'complete'],
  ['end', 'complete'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['refusal', 'refusal'],
  ['safety', 'refusal'],
]);
/** The server itself broke off. */
const brokenOff = new Set(['error', 'abort', 'aborted', 'cancelled', 'insufficient_system_resource']);

/** Null when the provider never said why: then it was the library that noticed the end of the bytes. */
function decodeReason({ unified, raw }: LanguageModelV4FinishReason): StopReason | null {
  if (raw === undefined || raw === '' || unified === 'error' || unified === 'interrupted') return null;
  const word = raw.toLowerCase();
  if (brokenOff.has(word)) return null;
  return reasons[unified] ?? otherWords.get(word) ?? 'unknown';
}

function passingCalls(calls: readonly ToolCallPart[], reason: StopReason): readonly ToolCallPart[] {
  if (reason === 'refusal') return [];
  return reason === 'length' ? calls.filter((call) => isWholeObject(call.argumentsText)) : calls;
}

/** An empty object may be what a library made of arguments that never came. */
function isWholeObject(argumentsText: string): boolean {
  try {
    const parsed: unknown = JSON.parse(argumentsText);
    return isRecord(parsed) && Object.keys(parsed).length > 0;
  } catch {
    return false;
  }
}

/** Two calls of one id could not both be answered. */
function unusedId(id: string, calls: readonly ToolCallPart[]): string {
  let candidate = id;
  for (let count = 2; calls.some((call) => call.id === candidate); count++) candidate = `${id}-${count}`;
  return candidate;
}

/** Paths in the provider's own words. */
const cacheReadPaths = [
  'cache_read_input_tokens',
  'prompt_tokens_details.cached_tokens',
  'input_tokens_details.cached_tokens',
  'prompt_cache_hit_tokens',
  'cachedContentTokenCount',
];
const cacheWritePaths = [
  'cache_creation_input_tokens',
  'prompt_tokens_details.cache_write_tokens',
  'input_tokens_details.cache_write_tokens',
];
const reasoningPaths = [
  'completion_tokens_details.reasoning_tokens',
  'output_tokens_details.thinking_tokens',
  'output_tokens_details.reasoning_tokens',
  'thoughtsTokenCount',
];

/** Decodes token counts; a number that the provider did not report stays unreported. */
export function decodeUsage(usage: LanguageModelV4Usage): Usage | undefined {
  const { inputTokens, outputTokens, raw } = usage;
  if (!isCount(inputTokens.total) || !isCount(outputTokens.total)) return undefined;
  const total = inputTokens.total;
  const within = (part: number | undefined): number | undefined =>
    part !== undefined && part <= total ? part : undefined;
  const cacheReadTokens = within(reported(raw, cacheReadPaths));
  const cacheWriteTokens = within(reported(raw, cacheWritePaths));
  const reasoningTokens = reported(raw, reasoningPaths);
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

/** No request is longer than this; more is a fault of who counts, as is less than nothing. */
const maxTokens = 100_000_000;

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxTokens;
}

/** The libraries put 0 where a provider said nothing; the raw report tells the difference. */
function reported(raw: unknown, paths: readonly string[]): number | undefined {
  for (const path of paths) {
    const value = path.split('.').reduce<unknown>((at, field) => (isRecord(at) ? at[field] : undefined), raw);
    if (isCount(value)) return value;
  }
  return undefined;
}

export interface ReasoningSource {
  /** Row id. */
  readonly provider: string;
  readonly model: string;
}

/** ReasoningData: whose thoughts a reasoning part holds, and what that provider wants back with them. */
interface ReasoningData extends ReasoningSource {
  /** Signatures and the like, exactly as received. */
  readonly metadata?: SharedV4ProviderMetadata;
}

/** Whether stored data came from this provider and model; only then may the part be sent back. */
export function isReasoningOf(data: unknown, source: ReasoningSource): data is ReasoningData {
  return isRecord(data) && data.provider === source.provider && data.model === source.model;
}

/** Later pieces win; a signature comes in the last one. */
function mergeMetadata(
  before: SharedV4ProviderMetadata | undefined,
  added: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (added === undefined) return before;
  const merged = { ...before };
  for (const [key, value] of Object.entries(added)) merged[key] = { ...merged[key], ...value };
  return merged;
}
