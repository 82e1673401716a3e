/** A step in the words of Gemini's streamGenerateContent: each event a response object, the last one with a reason. */
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

export function geminiEvents(step: ScriptStep, request: ModelRequest): StreamEvent[] {
  const frame = { modelVersion: 'scripted', responseId: `scripted-${request.index}` };
  const event = (parts: object[], more: object = {}): StreamEvent => ({
    data: { candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }], ...frame },
  });
  const events = [
    ...splitText(step.reasoning ?? '').map((text) => event([{ text, thought: true }])),
    ...splitText(step.text ?? '').map((text) => event([{ text }])),
    ...(step.toolCalls ?? []).map((call, index) => event([callPart(call, index, request)])),
  ];
  if (step.errorEvent !== undefined) return [...events, { data: step.errorEvent }];
  const usage = usageOf(step, request);
  const last = event([{ text: '' }], { finishReason: step.finishReason ?? 'STOP' });
  return [...events, { data: { ...(last.data as object), ...(usage && { usageMetadata: encode(usage) }) } }];
}

/** As a single response, when it is not asked to stream. */
export function geminiObject(step: ScriptStep, request: ModelRequest): object {
  const usage = usageOf(step, request);
  const parts = [
    ...(step.text === undefined ? [] : [{ text: step.text }]),
    ...(step.toolCalls ?? []).map((call, index) => callPart(call, index, request)),
  ];
  const candidate = { content: { parts, role: 'model' }, finishReason: step.finishReason ?? 'STOP', index: 0 };
  return { candidates: [candidate], ...(usage && { usageMetadata: encode(usage) }) };
}

const statuses: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

export function geminiError(status: number, message: string): object {
  return { error: { code: status, message, status: statuses[status] ?? 'INTERNAL' } };
}

export const geminiModels = {
  models: [
    { name: 'models/scripted', inputTokenLimit: 65536, supportedGenerationMethods: ['generateContent'] },
    { name: 'models/scripted-vectors', inputTokenLimit: 2048, supportedGenerationMethods: ['embedContent'] },
  ],
};

/** Only the first call of an answer is signed, as the service does it. */
function callPart(call: ScriptedToolCall, index: number, request: ModelRequest): object {
  const functionCall = { name: call.name, args: parseOrText(encodeArguments(call)), ...(call.id && { id: call.id }) };
  return { functionCall, ...(index === 0 && { thoughtSignature: `signature-${request.index}` }) };
}

function parseOrText(encoded: string): unknown {
  try {
    return JSON.parse(encoded);
  } catch {
    return encoded;
  }
}

function encode(usage: ScriptedUsage): object {
  return {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
    totalTokenCount: usage.input + usage.output,
    ...(usage.reasoning !== undefined && { thoughtsTokenCount: usage.reasoning }),
    ...(usage.cacheRead !== undefined && { cachedContentTokenCount: usage.cacheRead }),
  };
}
