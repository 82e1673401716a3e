/** A step in the words of Ollama's chat: one JSON object a line, the last one marked as done. */
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

export function ollamaEvents(step: ScriptStep, request: ModelRequest): StreamEvent[] {
  const line = (message: object): StreamEvent => ({
    data: { ...frame(request), message: { role: 'assistant', ...message }, done: false },
  });
  const events = [
    ...splitText(step.reasoning ?? '').map((thinking) => line({ content: '', thinking })),
    ...splitText(step.text ?? '').map((content) => line({ content })),
    ...(step.toolCalls ?? []).map((call) => line({ content: '', tool_calls: [callOf(call)] })),
  ];
  if (step.errorEvent !== undefined) return [...events, { data: step.errorEvent }];
  const end = { ...frame(request), message: { role: 'assistant', content: '' }, ...ending(step, request) };
  return [...events, { data: end }];
}

export function ollamaObject(step: ScriptStep, request: ModelRequest): object {
  const calls = (step.toolCalls ?? []).map(callOf);
  const message = { role: 'assistant', content: step.text ?? '', ...(calls.length > 0 && { tool_calls: calls }) };
  return { ...frame(request), message, ...ending(step, request) };
}

export function ollamaError(_status: number, message: string): object {
  return { error: message };
}

export const ollamaModels = { models: [{ name: 'scripted', model: 'scripted', size: 1, details: {} }] };

function frame(request: ModelRequest): object {
  const { model = 'scripted' } = (request.body ?? {}) as { model?: string };
  return { model, created_at: `2025-10-09T08:53:${String(20 + (request.index % 40))}Z` };
}

function ending(step: ScriptStep, request: ModelRequest): object {
  const usage = usageOf(step, request);
  return { done: true, done_reason: step.finishReason ?? 'stop', ...(usage && encode(usage)) };
}

/** The service hands arguments on as an object; what is none would be the model's own mistake. */
function callOf(call: ScriptedToolCall): object {
  const encoded = encodeArguments(call);
  let given: unknown = encoded;
  try {
    given = JSON.parse(encoded);
  } catch {
    // Broken arguments stay a text.
  }
  return { function: { name: call.name, arguments: given }, ...(call.id && { id: call.id }) };
}

function encode(usage: ScriptedUsage): object {
  return { prompt_eval_count: usage.input, eval_count: usage.output };
}
