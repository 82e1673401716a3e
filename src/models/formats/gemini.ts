/** Gemini's streamGenerateContent: one complete response object per event, the last one with a finish reason. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
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
  openThoughts,
  recordField,
  resultText,
  textField,
} from './call-content';
import type { AnswerReader, StreamedFormat } from './streamed-format';

export const gemini: StreamedFormat = {
  path: (modelName) => `/models/${encodeURIComponent(modelName)}:streamGenerateContent?alt=sse`,
  body: geminiBody,
  framing: 'events',
  reader: readGemini,
};

function readGemini(): AnswerReader {
  const thoughts = openThoughts();
  let calls = 0;
  let counts: unknown;
  let isOver = false;
  let streamed: { readonly call: Record<string, unknown>; readonly args: Arguments; signature: unknown } | undefined;
  return (event) => {
    if (event === undefined) return isOver ? end('STOP') : [];
    if (!isRecord(event)) return [];
    if (event.error !== undefined) return [{ type: 'error', error: event }];
    counts = event.usageMetadata ?? counts;
    const candidate = listField(event.candidates)[0] ?? {};
    const parts = listField(recordField(candidate.content).parts).flatMap((part) => readPart(part, event));
    const reason = candidate.finishReason ?? recordField(event.promptFeedback).blockReason;
    if (typeof reason !== 'string' || reason === '') return parts;
    // Gateways say so in every event, or in one before the first text.
    isOver ||= reason === 'STOP';
    return reason === 'STOP' ? parts : [...parts, ...end(reason)];
  };

  function end(reason: string): LanguageModelV4StreamPart[] {
    const { promptTokenCount: input, candidatesTokenCount, thoughtsTokenCount } = recordField(counts);
    // An answer without text has no count of its own.
    const output = addCounts(candidatesTokenCount ?? (input === undefined ? undefined : 0), thoughtsTokenCount);
    return [...thoughts.end(), finishPart(reasonOf(reason), { input, output, raw: counts })];
  }

  function readPart(part: Record<string, unknown>, event: Record<string, unknown>): LanguageModelV4StreamPart[] {
    if (part.thought === true) return thoughts.add(textField(part.text));
    const over = thoughts.end();
    if (isRecord(part.functionCall)) return [...over, ...readCall(part.functionCall, part.thoughtSignature, event)];
    return [
      ...over,
      ...(typeof part.text === 'string' ? [{ type: 'text-delta' as const, id: 'text', delta: part.text }] : []),
      ...signatureOf(part),
    ];
  }

  /** Reads a call, whose arguments some servers send piece by piece though nobody asked for that. */
  function readCall(
    call: Record<string, unknown>,
    signature: unknown,
    event: Record<string, unknown>,
  ): LanguageModelV4StreamPart[] {
    const { partialArgs, willContinue } = call;
    if (streamed === undefined && partialArgs === undefined && willContinue !== true) {
      return [callOf(call, signature, event)];
    }
    streamed ??= { call, args: Object.create(null) as Arguments, signature };
    streamed.signature ??= signature;
    for (const piece of listField(partialArgs)) addArgument(streamed.args, piece);
    if (willContinue === true) return [];
    const whole = { ...streamed.call, args: streamed.args };
    const part = callOf(whole, streamed.signature, event);
    streamed = undefined;
    return [part];
  }

  function callOf(
    { id, name, args }: Record<string, unknown>,
    signature: unknown,
    { responseId }: Record<string, unknown>,
  ): LanguageModelV4StreamPart {
    calls += 1;
    return {
      type: 'tool-call',
      toolCallId: textField(id) || `${textField(responseId) || 'call'}-${calls}`,
      toolName: textField(name),
      input: writeArguments(args),
      ...(typeof signature === 'string' && { providerMetadata: { gemini: { thoughtSignature: signature } } }),
    };
  }
}

/** Returns the signature of a text, which comes with its last piece or in a part of its own. */
function signatureOf({ thoughtSignature }: Record<string, unknown>): LanguageModelV4StreamPart[] {
  if (typeof thoughtSignature !== 'string') return [];
  return [{ type: 'reasoning-end', id: 'signature', providerMetadata: { gemini: { thoughtSignature } } }];
}

type Arguments = Record<string, unknown>;
const steps = /\.([^.[]+)|\[(\d+)\]|\['([^']*)'\]/g;

/** Adds one piece at its JSON path, such as `$.a[0].b`; pieces of a text follow one another. */
function addArgument(args: Arguments, piece: Record<string, unknown>): void {
  const { stringValue, numberValue, boolValue } = piece;
  const path = [...textField(piece.jsonPath).matchAll(steps)].map(([, name, index, quoted]) =>
    index === undefined ? (name ?? quoted ?? '') : Number(index),
  );
  let at: unknown = args;
  for (const [depth, key] of path.entries()) {
    // An index beyond the end, or a name in a list, is no place that a piece can follow.
    if (Array.isArray(at) ? typeof key !== 'number' || key > at.length : typeof key === 'number') return;
    const holder = at as Arguments;
    const next = path[depth + 1];
    if (next !== undefined) {
      if (typeof holder[key] !== 'object' || holder[key] === null) {
        holder[key] = typeof next === 'number' ? [] : Object.create(null);
      }
    } else if (typeof stringValue === 'string') {
      holder[key] = textField(holder[key]) + stringValue;
    } else holder[key] = numberValue ?? boolValue ?? null;
    at = holder[key];
  }
}

const refusals = /^(SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII|IMAGE_\w+)$/;
/** Reasons for a call that the model wrote wrong; nothing of it is usable. */
const broken = /^(MALFORMED_\w+|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS|MISSING_THOUGHT_SIGNATURE)$/;

function reasonOf(raw: string): LanguageModelV4FinishReason {
  if (raw === 'STOP') return { unified: 'stop', raw };
  if (raw === 'MAX_TOKENS') return { unified: 'length', raw };
  if (refusals.test(raw)) return { unified: 'content-filter', raw };
  return { unified: broken.test(raw) ? 'error' : 'other', raw };
}

/**
 * Replaces the signature of calls that another model made, because Gemini checks that calls of newer models are signed.
 */
const unsigned = 'skip_thought_signature_validator';
/** Names without a number, such as `gemini-flash-latest`, are those of the newest models. */
const signs = /gemini-(?:[3-9]|\d\d|[a-z-]*latest)/;
const thinks = /gemini-(?:2\.5|[3-9]|\d\d|[a-z-]*latest)/;

type Part = Record<string, unknown>;

/** Encodes a call as the body of Gemini's streamGenerateContent. */
export function geminiBody(call: LanguageModelV4CallOptions, modelName: string): Record<string, unknown> {
  const { prompt, maxOutputTokens, temperature } = call;
  const functions = functionsOf(call).map(({ name, description, inputSchema }) => ({
    name,
    description,
    parametersJsonSchema: inputSchema,
  }));
  const system = prompt.flatMap((message) => (message.role === 'system' ? [{ text: message.content }] : []));
  return {
    ...(system.length > 0 && { systemInstruction: { parts: system } }),
    ...(functions.length > 0 && { tools: [{ functionDeclarations: functions }] }),
    contents: contentsOf(prompt, modelName),
    generationConfig: {
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(temperature !== undefined && { temperature }),
      ...(thinks.test(modelName) && { thinkingConfig: thinkingOf(effortOf(call), modelName) }),
    },
  };
}

/** Joins what the model said in a row, as when an answer was cut off: a call must follow what the user said. */
function contentsOf(prompt: LanguageModelV4Prompt, modelName: string): { role: string; parts: Part[] }[] {
  const contents: { role: string; parts: Part[] }[] = [];
  for (const message of prompt) {
    const parts = partsOf(message, modelName);
    const role = message.role === 'assistant' ? 'model' : 'user';
    const last = contents.at(-1);
    if (role === 'model' && last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) contents.push({ role, parts });
  }
  return contents;
}

function partsOf(message: LanguageModelV4Message, modelName: string): Part[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return message.content.map((part) =>
        part.type === 'text'
          ? { text: part.text }
          : { inlineData: { mimeType: part.mediaType, data: imageData(part) } },
      );
    case 'assistant':
      return message.content.flatMap((part, at, parts): Part[] => {
        if (part.type === 'text') return [{ text: part.text, ...signedBy(parts[at + 1]) }];
        if (part.type !== 'tool-call') return [];
        const signature = memoryOf(part.providerOptions, 'gemini', 'thoughtSignature');
        // Only the first call of an answer is signed.
        const signed = signature ?? (signs.test(modelName) && isFirstCall(message, part) ? unsigned : undefined);
        return [
          {
            functionCall: { id: part.toolCallId, name: part.toolName, args: argumentsObject(part.input) },
            ...(signed !== undefined && { thoughtSignature: signed }),
          },
        ];
      });
    case 'tool':
      return message.content.flatMap((part): Part[] => {
        if (part.type !== 'tool-result') return [];
        const text = resultText(part);
        const response = isErrorResult(part) ? { error: text } : { result: text };
        return [{ functionResponse: { id: part.toolCallId, name: part.toolName, response } }];
      });
  }
}

/** Returns the signature that came after a text. */
function signedBy(part: (LanguageModelV4Message & { role: 'assistant' })['content'][number] | undefined): Part {
  const signature =
    part?.type === 'reasoning' ? memoryOf(part.providerOptions, 'gemini', 'thoughtSignature') : undefined;
  return signature === undefined ? {} : { thoughtSignature: signature };
}

function isFirstCall(message: LanguageModelV4Message & { role: 'assistant' }, part: unknown): boolean {
  return message.content.find(({ type }) => type === 'tool-call') === part;
}

const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 512,
  low: 1_024,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
  max: 24_576,
};

/** Returns levels from version 3 on, where most models support none below 'low'; before that, token budgets. */
function thinkingOf(effort: Effort | undefined, modelName: string): Record<string, unknown> {
  if (effort === undefined) return { includeThoughts: true };
  if (!signs.test(modelName)) return { includeThoughts: effort !== 'none', thinkingBudget: budgets[effort] };
  const isLow = effort === 'none' || effort === 'minimal';
  const level = isLow ? 'low' : effort === 'xhigh' || effort === 'max' ? 'high' : effort;
  return { includeThoughts: true, thinkingLevel: level };
}
