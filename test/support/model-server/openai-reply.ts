/** A step in the words of OpenAI's chat completions: as a stream of chunks, as one object, as an error. */
import {
  encodeArguments,
  splitText,
  usageOf,
  type ModelRequest,
  type ScriptedUsage,
  type ScriptStep,
  type StreamEvent,
} from './script';

interface OpenaiBody {
  model?: string;
  stream_options?: { include_usage?: boolean };
}

const argumentPieceLength = 12;
/** Fixed, so that two runs give the same bytes. */
const created = 1_760_000_000;

export function openaiEvents(step: ScriptStep, request: ModelRequest): StreamEvent[] {
  const { model = 'scripted', stream_options: streamOptions } = (request.body ?? {}) as OpenaiBody;
  const frame = { id: replyId(request), object: 'chat.completion.chunk', created, model };
  const chunk = (delta: object, finish: string | null = null): StreamEvent => ({
    data: { ...frame, choices: [{ index: 0, delta, finish_reason: finish }] },
  });
  const events = [chunk({ role: 'assistant', content: '' })];
  for (const piece of splitText(step.reasoning ?? '')) events.push(chunk({ reasoning_content: piece }));
  for (const piece of splitText(step.text ?? '')) events.push(chunk({ content: piece }));
  toolCalls(step, request).forEach((call, index) => {
    const { name, arguments: encoded } = call.function;
    events.push(chunk({ tool_calls: [{ ...call, index, function: { name, arguments: '' } }] }));
    for (let start = 0; start < encoded.length; start += argumentPieceLength) {
      const piece = encoded.slice(start, start + argumentPieceLength);
      events.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  });
  if (step.errorEvent !== undefined) return [...events, { data: step.errorEvent }];
  events.push(chunk({}, finishReason(step)));
  const usage = usageOf(step, request);
  if (usage && streamOptions?.include_usage) events.push({ data: { ...frame, choices: [], usage: encode(usage) } });
  return [...events, { data: '[DONE]' }];
}

export function openaiObject(step: ScriptStep, request: ModelRequest): object {
  const { model = 'scripted' } = (request.body ?? {}) as OpenaiBody;
  const usage = usageOf(step, request);
  const calls = toolCalls(step, request);
  const message = {
    role: 'assistant',
    content: step.text ?? null,
    ...(step.reasoning !== undefined && { reasoning_content: step.reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    id: replyId(request),
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, finish_reason: finishReason(step) }],
    ...(usage && { usage: encode(usage) }),
  };
}

export function openaiError(status: number, message: string): object {
  const type = status === 429 ? 'rate_limit_exceeded' : status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message, type, param: null, code: null } };
}

export const openaiModels = {
  object: 'list',
  data: [{ id: 'scripted', object: 'model', created, owned_by: 'workbench' }],
};

const replyId = (request: ModelRequest): string => `chatcmpl-scripted-${request.index}`;

function finishReason(step: ScriptStep): string {
  return step.finishReason ?? (step.toolCalls?.length ? 'tool_calls' : 'stop');
}

function toolCalls(step: ScriptStep, request: ModelRequest) {
  return (step.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `call_${request.index}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: encodeArguments(call) },
  }));
}

function encode(usage: ScriptedUsage): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}
