/** Encodes a step for OpenAI's Responses API: typed events, with each output item sent in full once it is done. */
import {
  encodeArguments,
  splitText,
  usageOf,
  type ModelRequest,
  type ScriptedToolCall,
  type ScriptedUsage,
  type ScriptStep,
  type StreamEvent,
} from './script';

export function responsesEvents(step: ScriptStep, request: ModelRequest): StreamEvent[] {
  let number = 0;
  const event = (type: string, fields: object): StreamEvent => ({
    name: type,
    data: { type, sequence_number: number++, ...fields },
  });
  const events = [event('response.created', { response: { ...frame(request), status: 'in_progress', output: [] } })];
  outputItems(step, request).forEach((item, index) => {
    events.push(event('response.output_item.added', { output_index: index, item: item.opening }));
    for (const { type, ...fields } of item.deltas) events.push(event(type, { output_index: index, ...fields }));
    events.push(event('response.output_item.done', { output_index: index, item: item.whole }));
  });
  if (step.errorEvent !== undefined) return [...events, { name: 'error', data: step.errorEvent }];
  const type = isIncomplete(step) ? 'response.incomplete' : 'response.completed';
  return [...events, event(type, { response: ending(step, request) })];
}

export function responsesObject(step: ScriptStep, request: ModelRequest): object {
  return { ...ending(step, request), output: outputItems(step, request).map(({ whole }) => whole) };
}

interface OutputItem {
  opening: object;
  deltas: ({ type: string } & Record<string, unknown>)[];
  whole: object;
}

function outputItems(step: ScriptStep, request: ModelRequest): OutputItem[] {
  const items: OutputItem[] = [];
  if (step.reasoning !== undefined) {
    const id = `rs_${request.index}`;
    const of = { item_id: id, summary_index: 0 };
    items.push({
      opening: { id, type: 'reasoning', summary: [] },
      deltas: [
        { type: 'response.reasoning_summary_part.added', ...of, part: { type: 'summary_text', text: '' } },
        ...splitText(step.reasoning).map((delta) => ({
          type: 'response.reasoning_summary_text.delta',
          ...of,
          delta,
        })),
      ],
      whole: {
        id,
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: step.reasoning }],
        encrypted_content: `sealed-${request.index}`,
      },
    });
  }
  if (step.text !== undefined) {
    const id = `msg_${request.index}`;
    const message = { id, type: 'message', role: 'assistant' };
    const refuses = step.finishReason === 'refusal';
    const part = refuses ? { type: 'refusal', refusal: step.text } : { type: 'output_text', text: step.text };
    const type = refuses ? 'response.refusal.delta' : 'response.output_text.delta';
    items.push({
      opening: { ...message, status: 'in_progress', content: [] },
      deltas: splitText(step.text).map((delta) => ({ type, item_id: id, content_index: 0, delta })),
      whole: { ...message, status: 'completed', content: [part] },
    });
  }
  (step.toolCalls ?? []).forEach((call, index) => items.push(callItem(call, index, request)));
  return items;
}

function callItem(call: ScriptedToolCall, index: number, request: ModelRequest): OutputItem {
  const item = {
    id: `fc_${request.index}_${index}`,
    type: 'function_call',
    call_id: call.id ?? `call_${request.index}_${index}`,
    name: call.name,
  };
  const encoded = encodeArguments(call);
  const pieces = encoded.match(/[\s\S]{1,12}/g) ?? [];
  return {
    opening: { ...item, arguments: '' },
    deltas: pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', item_id: item.id, delta })),
    whole: { ...item, arguments: encoded, status: 'completed' },
  };
}

function frame(request: ModelRequest): object {
  const { model = 'scripted' } = (request.body ?? {}) as { model?: string };
  return { id: `resp_${request.index}`, object: 'response', created_at: 1_760_000_000, model };
}

const isIncomplete = (step: ScriptStep): boolean => step.finishReason !== undefined && step.finishReason !== 'refusal';

function ending(step: ScriptStep, request: ModelRequest): object {
  const usage = usageOf(step, request);
  return {
    ...frame(request),
    status: isIncomplete(step) ? 'incomplete' : 'completed',
    incomplete_details: isIncomplete(step) ? { reason: step.finishReason } : null,
    ...(usage && { usage: encode(usage) }),
  };
}

function encode(usage: ScriptedUsage): object {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: usage.input + usage.output,
  };
}
