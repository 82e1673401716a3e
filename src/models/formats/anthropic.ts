/** Anthropic's Messages API: typed events; each block of an answer is opened, added to, and closed by its index. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCallPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { isRecord, writeArguments } from '../http/wire-format';
import {
  addCounts,
  argumentsObject,
  type Effort,
  effortOf,
  finishPart,
  functionsOf,
  imageData,
  isErrorResult,
  listField,
  memoryOf,
  recordField,
  resultText,
  textField,
  withoutLastThoughts,
} from './call-content';
import type { AnswerReader, StreamedFormat } from './streamed-format';

export const anthropic: StreamedFormat = {
  path: () => '/messages',
  body: anthropicBody,
  framing: 'events',
  reader: readAnthropic,
};

/** A call whose arguments are arriving. */
interface OpenCall {
  readonly id: string;
  readonly name: string;
  /** Whether the provider says that the model itself calls, which is sent back with the call. */
  readonly isDirect: boolean;
  input: string;
}

function readAnthropic(): AnswerReader {
  const blocks = new Map<unknown, OpenCall | 'thought'>();
  let message: Record<string, unknown> | undefined;
  let counts: Record<string, unknown> = {};
  let stopReason = '';
  return (event) => {
    if (!isRecord(event)) return [];
    switch (event.type) {
      case 'message_start':
        return begin(recordField(event.message));
      case 'content_block_start':
        return open(event.index, recordField(event.content_block));
      case 'content_block_delta':
        return add(event.index, recordField(event.delta));
      case 'content_block_stop':
        return close(event.index);
      case 'message_delta':
        count(event.usage);
        stopReason = textField(recordField(event.delta).stop_reason);
        return [];
      case 'message_stop':
        return [endOf(stopReason, counts)];
      case 'error':
        return [{ type: 'error', error: event }];
      default:
        return [];
    }
  };

  /** Ends without a reason, as an answer that was cut, if another message begins inside this one. */
  function begin(started: Record<string, unknown>): LanguageModelV4StreamPart[] {
    if (message !== undefined) return message.id === started.id ? [] : [endOf('', counts)];
    message = started;
    count(started.usage);
    return [];
  }

  /** Later counts replace earlier ones, unless they are null. */
  function count(usage: unknown): void {
    const known = Object.entries(recordField(usage)).filter(([, value]) => value !== null);
    counts = { ...counts, ...Object.fromEntries(known) };
  }

  /** Passes over tools that the provider runs itself and over its summary of the request, which are no part of the answer. */
  function open(
    index: unknown,
    { type, id, name, input, caller, data, text, thinking }: Record<string, unknown>,
  ): LanguageModelV4StreamPart[] {
    blocks.delete(index);
    switch (type) {
      case 'text':
        return textField(text) === '' ? [] : add(index, { type: 'text_delta', text });
      case 'thinking':
        return [
          ...think(index),
          ...(textField(thinking) === '' ? [] : add(index, { type: 'thinking_delta', thinking })),
        ];
      case 'redacted_thinking':
        return withText(data, (redactedData) => think(index, { anthropic: { redactedData } }));
      case 'tool_use': {
        if (typeof id !== 'string' || typeof name !== 'string') return [broken()];
        const given = Object.keys(recordField(input)).length > 0 ? writeArguments(input) : '';
        blocks.set(index, { id, name, isDirect: recordField(caller).type === 'direct', input: given });
        return [];
      }
      default:
        return [];
    }
  }

  function think(index: unknown, providerMetadata?: SharedV4ProviderMetadata): LanguageModelV4StreamPart[] {
    blocks.set(index, 'thought');
    return [{ type: 'reasoning-start', id: String(index), ...(providerMetadata && { providerMetadata }) }];
  }

  function add(index: unknown, delta: Record<string, unknown>): LanguageModelV4StreamPart[] {
    const block = blocks.get(index);
    const id = String(index);
    switch (delta.type) {
      case 'text_delta':
        return withText(delta.text, (text) => [{ type: 'text-delta', id, delta: text }]);
      case 'thinking_delta':
        return withText(delta.thinking, (text) => [{ type: 'reasoning-delta', id, delta: text }]);
      case 'signature_delta':
        return withText(delta.signature, (signature) =>
          block === 'thought'
            ? [{ type: 'reasoning-delta', id, delta: '', providerMetadata: { anthropic: { signature } } }]
            : [],
        );
      case 'input_json_delta':
        return withText(delta.partial_json, (json) => {
          if (typeof block === 'object') block.input += json;
          return [];
        });
      default:
        return [];
    }
  }

  function close(index: unknown): LanguageModelV4StreamPart[] {
    const block = blocks.get(index);
    blocks.delete(index);
    if (block === undefined) return [];
    if (block === 'thought') return [{ type: 'reasoning-end', id: String(index) }];
    const { id, name, isDirect, input } = block;
    const caller = isDirect && { providerMetadata: { anthropic: { caller: { type: 'direct' } } } };
    return [{ type: 'tool-call', toolCallId: id, toolName: name, input: input === '' ? '{}' : input, ...caller }];
  }
}

/** Reports a value of another kind, because a text without it could be read as another text. */
function withText(value: unknown, read: (text: string) => LanguageModelV4StreamPart[]): LanguageModelV4StreamPart[] {
  return typeof value === 'string' ? read(value) : [broken()];
}

function broken(): LanguageModelV4StreamPart {
  return { type: 'error', error: new Error('A field of an event has a value of another kind.') };
}

function endOf(stopReason: string, counts: Record<string, unknown>): LanguageModelV4StreamPart {
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = counts;
  const input = addCounts(countOf(counts, 'input_tokens'), read, written);
  return finishPart(reasonOf(stopReason), { input, output: countOf(counts, 'output_tokens'), raw: counts });
}

/**
 * Returns a count for the whole answer. One that the provider made in several rounds, such as after a summary of the
 * request, counts its last round alone, unless another model took over.
 */
function countOf(counts: Record<string, unknown>, field: string): unknown {
  const rounds = listField(counts.iterations);
  const own = rounds.filter(({ type }) => type === 'message' || type === 'compaction');
  const isWhole = own.length === 0 || rounds.some(({ type }) => type === 'fallback_message');
  return isWhole ? counts[field] : addCounts(0, ...own.map((round) => round[field]));
}

function reasonOf(raw: string): LanguageModelV4FinishReason {
  if (/^(?:end_turn|stop_sequence|pause_turn)$/.test(raw)) return { unified: 'stop', raw };
  if (/^(?:max_tokens|model_context_window_exceeded)$/.test(raw)) return { unified: 'length', raw };
  if (raw === 'tool_use') return { unified: 'tool-calls', raw };
  return { unified: raw === 'refusal' ? 'content-filter' : 'other', raw };
}

/** What the API takes from a kind of model. */
interface Kind {
  /** Tokens: the longest answer, thoughts included. */
  readonly limit: number;
  /** Whether a request for more is cut to the limit, which is only a guess for other models. */
  readonly isKnown: boolean;
  /** Whether the model decides how long it thinks; others are given a number of tokens. */
  readonly isAdaptive: boolean;
  readonly takesTemperature: boolean;
  /** How the model is asked to think as little as possible. */
  readonly minThinking: 'disabled' | 'between_tools' | 'low effort';
}

const adaptive: Kind = {
  limit: 128_000,
  isKnown: true,
  isAdaptive: true,
  takesTemperature: false,
  minThinking: 'disabled',
};
const budgeted = (limit: number): Kind => ({ ...adaptive, limit, isAdaptive: false, takesTemperature: true });
const unknown = { isKnown: false };

/** By parts of their names; the first that matches counts. A new model of the family takes what the newest ones take. */
const kinds: readonly (readonly [name: RegExp, kind: Kind])[] = [
  [/claude-sonnet-5-5/, { ...adaptive, minThinking: 'between_tools' }],
  [/claude-(?:opus-5-5|fable-5)/, { ...adaptive, minThinking: 'low effort' }],
  [/claude-(?:haiku-5-5|opus-5|sonnet-5|opus-4-[78])/, adaptive],
  [/claude-(?:opus|sonnet)-4-6/, { ...adaptive, takesTemperature: true }],
  [/claude-(?:opus|sonnet|haiku)-4-5|claude-sonnet-4[-@]/, budgeted(64_000)],
  [/claude-opus-4[-@]/, budgeted(32_000)],
  [/claude-3-haiku/, budgeted(4_096)],
  [/claude-(?!(?:instant(?:-|$)|v?2(?=$|[-.:])|3(?=$|[-.])))/, { ...adaptive, ...unknown }],
];
const others: Kind = { ...budgeted(4_096), ...unknown };

/** Encodes a call as the body of Anthropic's Messages API. */
function anthropicBody(call: LanguageModelV4CallOptions, modelName: string): Record<string, unknown> {
  const { prompt, temperature } = call;
  const kind = kinds.find(([name]) => name.test(modelName))?.[1] ?? others;
  const { thinking, effort, budget = 0 } = thinkingOf(effortOf(call), kind);
  const limit = (call.maxOutputTokens ?? kind.limit) + budget;
  const takesTemperature = kind.takesTemperature && (thinking === undefined || thinking.type === 'disabled');
  const system = prompt.flatMap((message) =>
    message.role === 'system' ? [{ type: 'text', text: message.content, ...markOf(message) }] : [],
  );
  const tools = functionsOf(call).map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  return {
    model: modelName,
    max_tokens: kind.isKnown ? Math.min(limit, kind.limit) : limit,
    ...(temperature !== undefined && takesTemperature && { temperature: Math.min(1, Math.max(0, temperature)) }),
    ...(thinking !== undefined && { thinking }),
    ...(effort !== undefined && { output_config: { effort } }),
    ...(system.length > 0 && { system }),
    messages: messagesOf(prompt),
    ...(tools.length > 0 && { tools }),
    stream: true,
  };
}

interface Thinking {
  readonly thinking?: { readonly type: string; readonly [field: string]: unknown };
  readonly effort?: string;
  /** Tokens of thoughts, besides those of the answer. */
  readonly budget?: number;
}

const minBudget = 1_024;
/** Thoughts as shares of the longest answer. */
const shares: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: 0.02,
  low: 0.1,
  medium: 0.3,
  high: 0.6,
  xhigh: 0.9,
  max: 0.95,
};

function thinkingOf(effort: Effort | undefined, { limit, isAdaptive, minThinking }: Kind): Thinking {
  if (effort === undefined) return {};
  if (effort === 'none') return minThinking === 'low effort' ? { effort: 'low' } : { thinking: { type: minThinking } };
  if (isAdaptive) {
    // Thoughts are not shown unless a summary is asked for.
    return { thinking: { type: 'adaptive', display: 'summarized' }, effort: effort === 'minimal' ? 'low' : effort };
  }
  const budget = Math.min(limit, Math.max(minBudget, Math.round(limit * shares[effort])));
  return { thinking: { type: 'enabled', budget_tokens: budget }, budget };
}

type Block = Record<string, unknown>;

/** Joins what one side says in a row; results are said by the user. */
function messagesOf(prompt: LanguageModelV4Prompt): { role: string; content: Block[] }[] {
  const messages: { role: string; content: Block[] }[] = [];
  for (const message of prompt) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(message);
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  }
  return messages.map(({ role, content }) => ({ role, content: callsLast(withoutLastThoughts(content, isThought)) }));
}

function blocksOf(message: LanguageModelV4Message): Block[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return message.content.map((part) =>
        part.type === 'text'
          ? { type: 'text', text: part.text, ...markOf(part) }
          : {
              type: 'image',
              source: { type: 'base64', media_type: part.mediaType, data: imageData(part) },
              ...markOf(part),
            },
      );
    case 'assistant':
      return message.content.flatMap((part): Block[] => {
        if (part.type === 'text') return [{ type: 'text', text: part.text, ...markOf(part) }];
        if (part.type === 'reasoning') return thoughtOf(part);
        return part.type === 'tool-call' ? [callOf(part)] : [];
      });
    case 'tool':
      return message.content.flatMap((part): Block[] => {
        if (part.type !== 'tool-result') return [];
        return [
          {
            type: 'tool_result',
            tool_use_id: part.toolCallId,
            content: resultText(part),
            ...(isErrorResult(part) && { is_error: true }),
            ...markOf(part),
          },
        ];
      });
  }
}

/** Sends a thought back only as it was signed or sealed; any other is refused. */
function thoughtOf({ text, providerOptions }: LanguageModelV4ReasoningPart): Block[] {
  const signature = memoryOf(providerOptions, 'anthropic', 'signature');
  const data = memoryOf(providerOptions, 'anthropic', 'redactedData');
  if (signature !== undefined) return [{ type: 'thinking', thinking: text, signature }];
  return data === undefined ? [] : [{ type: 'redacted_thinking', data }];
}

function callOf(part: LanguageModelV4ToolCallPart): Block {
  const caller = recordField(ownOptions(part).caller).type === 'direct' && { caller: { type: 'direct' } };
  const { toolCallId: id, toolName: name } = part;
  return { type: 'tool_use', id, name, input: argumentsObject(part.input), ...caller, ...markOf(part) };
}

type Marked = Pick<LanguageModelV4Message, 'providerOptions'>;

const ownOptions = ({ providerOptions }: Marked): Record<string, unknown> => recordField(providerOptions?.anthropic);

/** Returns the mark after which the provider caches the request, if the part has one. */
function markOf(part: Marked): Block {
  const mark = ownOptions(part).cacheControl;
  return mark === undefined ? {} : { cache_control: mark };
}

const isThought = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking';

/** Puts calls behind the texts around them, because results must follow at once; no block may leave its thought. */
function callsLast(content: readonly Block[]): Block[] {
  const ordered: Block[] = [];
  const calls: Block[] = [];
  for (const block of content) {
    if (block.type === 'tool_use') {
      calls.push(block);
      continue;
    }
    if (isThought(block)) ordered.push(...calls.splice(0));
    ordered.push(block);
  }
  return [...ordered, ...calls];
}
