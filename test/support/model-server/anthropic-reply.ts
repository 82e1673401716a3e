/** A step in the words of Anthropic's Messages: as a stream of events, as one object, as an error. */
import {
  encodeArguments,
  splitText,
  usageOf,
  type ModelRequest,
  type ScriptedUsage,
  type ScriptStep,
  type StreamEvent,
} from './script';

interface ContentBlock {
  opening: object;
  deltas: object[];
  whole: object;
}

const argumentPieceLength = 12;

export function anthropicEvents(step: ScriptStep, request: ModelRequest): StreamEvent[] {
  const usage = usageOf(step, request);
  const message = { ...frame(request), content: [], stop_reason: null, stop_sequence: null };
  const events = [event('message_start', { message: { ...message, ...(usage && { usage: encode(usage, 1) }) } })];
  contentBlocks(step, request).forEach((block, index) => {
    events.push(event('content_block_start', { index, content_block: block.opening }));
    if (index === 0) events.push(event('ping'));
    for (const delta of block.deltas) events.push(event('content_block_delta', { index, delta }));
    events.push(event('content_block_stop', { index }));
  });
  if (step.errorEvent !== undefined) return [...events, { name: 'error', data: step.errorEvent }];
  const end = { delta: { stop_reason: stopReason(step), stop_sequence: null }, ...(usage && { usage: encode(usage) }) };
  return [...events, event('message_delta', end), event('message_stop')];
}

export function anthropicObject(step: ScriptStep, request: ModelRequest): object {
  const usage = usageOf(step, request);
  return {
    ...frame(request),
    content: contentBlocks(step, request).map((block) => block.whole),
    stop_reason: stopReason(step),
    stop_sequence: null,
    ...(usage && { usage: encode(usage) }),
  };
}

const errorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export function anthropicError(status: number, message: string): object {
  return { type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } };
}

export const anthropicModels = {
  data: [{ type: 'model', id: 'scripted', display_name: 'Scripted', created_at: '2025-01-01T00:00:00Z' }],
  has_more: false,
  first_id: 'scripted',
  last_id: 'scripted',
};

const event = (type: string, fields: object = {}): StreamEvent => ({ name: type, data: { type, ...fields } });

function frame(request: ModelRequest): object {
  const { model = 'scripted' } = (request.body ?? {}) as { model?: string };
  return { id: `msg_scripted_${request.index}`, type: 'message', role: 'assistant', model };
}

function stopReason(step: ScriptStep): string {
  return step.finishReason ?? (step.toolCalls?.length ? 'tool_use' : 'end_turn');
}

function contentBlocks(step: ScriptStep, request: ModelRequest): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  if (step.reasoning !== undefined) {
    const signature = `signature-${request.index}`;
    blocks.push({
      opening: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...splitText(step.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature },
      ],
      whole: { type: 'thinking', thinking: step.reasoning, signature },
    });
  }
  if (step.text !== undefined) {
    blocks.push({
      opening: { type: 'text', text: '' },
      deltas: splitText(step.text).map((text) => ({ type: 'text_delta', text })),
      whole: { type: 'text', text: step.text },
    });
  }
  (step.toolCalls ?? []).forEach((call, index) => {
    const use = { type: 'tool_use', id: call.id ?? `toolu_${request.index}_${index}`, name: call.name };
    const encoded = encodeArguments(call);
    const deltas = [];
    for (let start = 0; start < encoded.length; start += argumentPieceLength) {
      deltas.push({ type: 'input_json_delta', partial_json: encoded.slice(start, start + argumentPieceLength) });
    }
    blocks.push({ opening: { ...use, input: {} }, deltas, whole: { ...use, input: parseOrEmpty(encoded) } });
  });
  return blocks;
}

function parseOrEmpty(encoded: string): unknown {
  try {
    return JSON.parse(encoded);
  } catch {
    return {};
  }
}

function encode(usage: ScriptedUsage, outputSoFar = usage.output): object {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite ?? 0,
    cache_read_input_tokens: usage.cacheRead ?? 0,
    output_tokens: outputSoFar,
  };
}
