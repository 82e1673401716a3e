/**
 * Decodes the parts of a language model stream to ModelEvents, and distinguishes the end of an answer from the end of
 * its bytes.
 */
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { type StopReason, type ToolCallPart, unusedId, type Usage } from '../core/ports/message';
import type { ModelEvent } from '../core/ports/model';
import { unreadCall } from './http/model-failure';
import { isRecord, parseJson, writeArguments } from './http/wire-format';

export type StreamEnd =
  | { readonly type: 'finished' }
  /** The stream ended without the provider's terminal event. */
  | { readonly type: 'cut' }
  | { readonly type: 'error'; readonly error: unknown };

export interface ReasoningSource {
  /** The provider row's id. */
  readonly provider: string;
  readonly model: string;
}

/** ReasoningData: which model a reasoning part came from, and what that provider needs back with it. */
interface ReasoningData extends ReasoningSource {
  /** Signatures and similar data, exactly as received. */
  readonly metadata?: SharedV4ProviderMetadata;
}

/** Returns whether stored data came from this provider and model; only then may the part be sent back. */
export function isReasoningOf(data: unknown, source: ReasoningSource): data is ReasoningData {
  return isRecord(data) && data.provider === source.provider && data.model === source.model;
}

/**
 * Yields text and reasoning at once. Tool calls wait for the terminal event, because until then their arguments may be
 * a prefix that happens to parse. Calls cut off by the length limit or a refusal are dropped.
 * @param isAboutThoughts whether the answer may be about the tags of thoughts, which are then a part of its text
 */
export async function* decodeStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  source: ReasoningSource,
  isAboutThoughts = false,
): AsyncGenerator<ModelEvent, StreamEnd> {
  const reader = stream.getReader();
  try {
    return yield* decodeParts(reader, source, new ThoughtInText(isAboutThoughts ? 'text' : 'start'));
  } finally {
    // Frees the connection when the consumer stopped early; after the end there is nothing to free.
    reader.cancel().catch(() => undefined);
  }
}

async function* decodeParts(
  reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
  source: ReasoningSource,
  thoughts: ThoughtInText,
): AsyncGenerator<ModelEvent, StreamEnd> {
  const answer: OpenAnswer = { source, calls: [], ids: new Set(), reasoning: new Map(), said: { count: 0, last: '' } };
  const show = function* (events: Iterable<ModelEvent>): Generator<ModelEvent> {
    for (const event of events) {
      countSaid(answer.said, event);
      yield event;
    }
  };
  for (;;) {
    const { done, value: part } = await reader.read();
    if (done || part.type === 'finish' || part.type === 'error') yield* show(thoughts.end());
    if (done) return { type: 'cut' };
    switch (part.type) {
      case 'finish':
        return yield* finish(answer, part);
      case 'error':
        return { type: 'error', error: part.error };
      case 'tool-call':
        answer.calls.push(...unfold(part).map((call) => ({ call: callOf(call, answer), place: answer.said.count })));
        break;
      default:
        for (const event of decodeDelta(answer, part)) yield* show(thoughts.take(event));
    }
  }
}

interface PlacedCall {
  readonly call: ToolCallPart;
  /** How many texts and thoughts came before it: providers that seal thoughts refuse them in another order. */
  readonly place: number;
}

interface Said {
  /** Texts and thoughts, as many as the answer will have parts of them. */
  count: number;
  last: 'text' | 'thought' | 'ended thought' | '';
}

function countSaid(said: Said, { type }: ModelEvent): void {
  const next = type === 'text-delta' ? 'text' : 'thought';
  if (said.last !== next) said.count += 1;
  said.last = type === 'reasoning-end' ? 'ended thought' : next;
}

interface OpenAnswer {
  readonly source: ReasoningSource;
  readonly calls: PlacedCall[];
  readonly said: Said;
  /** Of the calls. */
  readonly ids: Set<string>;
  readonly reasoning: Map<string, SharedV4ProviderMetadata | undefined>;
}

function* decodeDelta({ source, reasoning }: OpenAnswer, part: LanguageModelV4StreamPart): Generator<ModelEvent> {
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
    default:
      break;
  }
}

function* finish(
  { calls, source, said }: OpenAnswer,
  part: LanguageModelV4StreamPart & { type: 'finish' },
): Generator<ModelEvent, StreamEnd> {
  const reason = decodeReason(part.finishReason);
  const { docent, openaiCompatible } = part.providerMetadata ?? {};
  if (reason === null) {
    if (docent?.error !== undefined) return { type: 'error', error: docent };
    const { raw = '' } = part.finishReason;
    return unreadCall.test(raw) ? { type: 'error', error: { code: raw } } : { type: 'cut' };
  }
  if (openaiCompatible !== undefined) {
    yield { type: 'reasoning-end', providerData: { ...source, metadata: { openaiCompatible } } };
  }
  const passing = passingCalls(calls, reason);
  for (const { call, place } of passing) {
    yield { type: 'tool-call', call, ...(place < said.count && { place }) };
  }
  const usage = decodeUsage(part.usage);
  // Some servers report "stop" after tool calls.
  const shown = passing.length > 0 && reason !== 'length' ? 'tool-calls' : reason;
  yield { type: 'finish', reason: shown, ...(usage && { usage }) };
  return { type: 'finished' };
}

function callOf(
  { toolCallId, toolName, input, providerMetadata }: LanguageModelV4ToolCall,
  { ids, source }: OpenAnswer,
): ToolCallPart {
  const providerData: ReasoningData | undefined = providerMetadata && { ...source, metadata: providerMetadata };
  return {
    type: 'tool-call',
    id: unusedId(toolCallId, ids),
    name: toolName,
    argumentsText: withoutQuotes(input),
    ...(providerData && { providerData }),
  };
}

/** Returns arguments that are an object in a JSON text, as some models write them twice, as that object. */
function withoutQuotes(argumentsText: string): string {
  const text = argumentsText.trimStart().startsWith('"') ? parseJson(argumentsText) : undefined;
  return typeof text === 'string' && isRecord(parseJson(text)) ? text : argumentsText;
}

const reasons: Partial<Record<LanguageModelV4FinishReason['unified'], StopReason>> = {
  stop: 'complete',
  length: 'length',
  'content-filter': 'refusal',
  'tool-calls': 'tool-calls',
};
/** Reasons that servers report in other words than the usual ones. */
const otherWords = new Map<string, StopReason>([
  ['eos', 'complete'],
  ['end', 'complete'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['refusal', 'refusal'],
  ['safety', 'refusal'],
]);
/** Reasons with which a server breaks off its own answer. */
const brokenOff = new Set(['error', 'abort', 'aborted', 'cancelled', 'insufficient_system_resource']);

/** Returns null if the provider never gave a reason: then the library noticed the end of the bytes. */
function decodeReason({ unified, raw }: LanguageModelV4FinishReason): StopReason | null {
  if (raw === undefined || raw === '' || unified === 'error' || unified === 'interrupted') return null;
  const word = raw.toLowerCase();
  if (brokenOff.has(word)) return null;
  return reasons[unified] ?? otherWords.get(word) ?? 'unknown';
}

function passingCalls(calls: readonly PlacedCall[], reason: StopReason): readonly PlacedCall[] {
  if (reason === 'refusal') return [];
  return reason === 'length' ? calls.filter(({ call }) => isWholeObject(call.argumentsText)) : calls;
}

/** Returns false for an empty object, which a library may have made of arguments that never arrived. */
function isWholeObject(argumentsText: string): boolean {
  try {
    const parsed: unknown = JSON.parse(argumentsText);
    return isRecord(parsed) && Object.keys(parsed).length > 0;
  } catch {
    return false;
  }
}

/** Returns the calls inside a wrapper that models write around parallel ones; a call as it is if it is no wrapper. */
function unfold(call: LanguageModelV4ToolCall): readonly LanguageModelV4ToolCall[] {
  if (!/^(?:functions\.)?multi_tool_use[._]?parallel$/.test(call.toolName)) return [call];
  const wrapper = parseJson(call.input);
  const uses = isRecord(wrapper) && Array.isArray(wrapper.tool_uses) ? wrapper.tool_uses.filter(isRecord) : [];
  const inner = uses.flatMap(({ recipient_name: name, parameters = {} }, at) =>
    typeof name === 'string'
      ? [
          {
            ...call,
            toolCallId: at === 0 ? call.toolCallId : `${call.toolCallId}-${at + 1}`,
            toolName: name.replace(/^functions\./, ''),
            input: writeArguments(parameters),
          },
        ]
      : [],
  );
  return inner.length === 0 ? [call] : inner;
}

/** Paths in the provider's own usage report. */
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

/** Decodes token counts; a count that the provider did not report stays undefined. */
export function decodeUsage(usage: LanguageModelV4Usage): Usage | undefined {
  const { inputTokens, outputTokens, raw } = usage;
  if (!isCount(inputTokens.total) || !isCount(outputTokens.total)) return undefined;
  const total = inputTokens.total;
  const within = (part: number | undefined): number | undefined =>
    part !== undefined && part <= total ? part : undefined;
  const cacheReadTokens = within(reported(raw, cacheReadPaths));
  const cacheWriteTokens = within(reported(raw, cacheWritePaths));
  const reasoningTokens = reported(raw, reasoningPaths);
  // xAI counts thoughts apart from the answer, but not from the sum.
  const whole = total + outputTokens.total + (reasoningTokens ?? 0);
  return {
    inputTokens: total,
    outputTokens: reported(raw, ['total_tokens']) === whole ? whole - total : outputTokens.total,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

/**
 * The maximum believable count; no request is longer, so a higher count is a mistake of the provider, as is a negative
 * one.
 */
const maxTokens = 100_000_000;

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxTokens;
}

/** Reads from the raw report, because the libraries put 0 where a provider reported nothing. */
function reported(raw: unknown, paths: readonly string[]): number | undefined {
  for (const path of paths) {
    const value = path.split('.').reduce<unknown>((at, field) => (isRecord(at) ? at[field] : undefined), raw);
    if (isCount(value)) return value;
  }
  return undefined;
}

/** Merges metadata of a part; later pieces win, because a signature arrives in the last one. */
export function mergeMetadata(
  before: SharedV4ProviderMetadata | undefined,
  added: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (added === undefined) return before;
  const merged = { ...before };
  for (const [key, value] of Object.entries(added)) merged[key] = { ...merged[key], ...value };
  return merged;
}

// Thoughts that a model writes into the text of its answer, because its server does not separate them.

const thoughtTags = ['<think>', '<thinking>'];

/**
 * ThoughtInText: separates a thought from the text that it begins, as models write it whose server does not do so. What
 * may be a part of a mark waits for the next piece.
 */
class ThoughtInText {
  private pending = '';
  private endTag = '';

  constructor(private place: 'start' | 'thought' | 'behind' | 'text') {}

  take(event: ModelEvent): readonly ModelEvent[] {
    if (event.type === 'text-delta') return this.read(this.pending + event.text);
    // A model that thinks elsewhere means what it writes.
    const before = this.place === 'start' ? this.end() : [];
    if (this.place === 'start') this.place = 'text';
    return [...before, event];
  }

  /** Returns what waits. */
  end(): readonly ModelEvent[] {
    const { pending, place } = this;
    this.pending = '';
    if (pending === '') return [];
    return [place === 'thought' ? thoughtOf(pending) : textOf(pending)];
  }

  private read(text: string): readonly ModelEvent[] {
    this.pending = '';
    switch (this.place) {
      case 'start':
        return this.begin(text);
      case 'thought':
        return this.think(text);
      case 'behind':
        return this.speak(text.trimStart());
      case 'text':
        return [textOf(text)];
    }
  }

  private begin(text: string): readonly ModelEvent[] {
    const start = text.trimStart();
    const tag = thoughtTags.find((each) => start.startsWith(each));
    if (tag !== undefined) {
      this.place = 'thought';
      this.endTag = tag.replace('<', '</');
      return this.think(start.slice(tag.length));
    }
    if (thoughtTags.some((each) => each.startsWith(start))) {
      this.pending = text;
      return [];
    }
    this.place = 'text';
    return [textOf(text)];
  }

  private think(text: string): readonly ModelEvent[] {
    const { endTag } = this;
    const end = text.indexOf(endTag);
    if (end >= 0) {
      this.place = 'behind';
      return [...thoughtsIn(text.slice(0, end)), ...this.speak(text.slice(end + endTag.length).trimStart())];
    }
    let held = Math.min(text.length, endTag.length - 1);
    while (!endTag.startsWith(text.slice(text.length - held))) held -= 1;
    this.pending = text.slice(text.length - held);
    return thoughtsIn(text.slice(0, text.length - held));
  }

  /** The blanks between the thought and the text belong to neither. */
  private speak(text: string): readonly ModelEvent[] {
    if (text === '') return [];
    this.place = 'text';
    return [textOf(text)];
  }
}

const textOf = (text: string): ModelEvent => ({ type: 'text-delta', text });
const thoughtOf = (text: string): ModelEvent => ({ type: 'reasoning-delta', text });
const thoughtsIn = (text: string): readonly ModelEvent[] => (text === '' ? [] : [thoughtOf(text)]);
