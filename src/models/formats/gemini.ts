/** Gemini's streamGenerateContent: one whole response object an event, the last one with a reason. */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { AnswerReader, StreamedFormat } from '../streamed-format';
import { isRecord } from '../wire-format';
import { addCounts, finishPart, listField, recordField, textField } from './call-content';
import { geminiBody } from './gemini-request';

export const gemini: StreamedFormat = {
  path: (modelName) => `/models/${encodeURIComponent(modelName)}:streamGenerateContent?alt=sse`,
  body: geminiBody,
  framing: 'events',
  reader: readGemini,
};

const thoughts = 'thoughts';

function readGemini(): AnswerReader {
  let isThinking = false;
  let calls = 0;
  return (event) => {
    if (!isRecord(event)) return [];
    if (event.error !== undefined) return [{ type: 'error', error: event }];
    const candidate = listField(event.candidates)[0] ?? {};
    const parts = listField(recordField(candidate.content).parts).flatMap((part) => readPart(part, event));
    const reason = candidate.finishReason ?? recordField(event.promptFeedback).blockReason;
    if (typeof reason !== 'string' || reason === '') return parts;
    const counts = recordField(event.usageMetadata);
    const input = counts.promptTokenCount;
    // An answer without a word has no count of its own.
    const output = addCounts(
      counts.candidatesTokenCount ?? (input === undefined ? undefined : 0),
      counts.thoughtsTokenCount,
    );
    return [...parts, ...endThoughts(), finishPart(reasonOf(reason), { input, output, raw: event.usageMetadata })];
  };

  function readPart(part: Record<string, unknown>, event: Record<string, unknown>): LanguageModelV4StreamPart[] {
    if (part.thought === true) {
      const start = isThinking ? [] : [{ type: 'reasoning-start' as const, id: thoughts }];
      isThinking = true;
      return [...start, { type: 'reasoning-delta', id: thoughts, delta: textField(part.text) }];
    }
    const over = endThoughts();
    if (isRecord(part.functionCall)) return [...over, callOf(part.functionCall, part.thoughtSignature, event)];
    return typeof part.text === 'string' ? [...over, { type: 'text-delta', id: 'text', delta: part.text }] : over;
  }

  function endThoughts(): LanguageModelV4StreamPart[] {
    if (!isThinking) return [];
    isThinking = false;
    return [{ type: 'reasoning-end', id: thoughts }];
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
      input: JSON.stringify(args ?? {}),
      ...(typeof signature === 'string' && { providerMetadata: { gemini: { thoughtSignature: signature } } }),
    };
  }
}

const refusals = /^(SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII|IMAGE_\w+)$/;
/** The model wrote a call that cannot be read; nothing of it can be used. */
const broken = /^(MALFORMED_\w+|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS|MISSING_THOUGHT_SIGNATURE)$/;

function reasonOf(raw: string): LanguageModelV4FinishReason {
  if (raw === 'STOP') return { unified: 'stop', raw };
  if (raw === 'MAX_TOKENS') return { unified: 'length', raw };
  if (refusals.test(raw)) return { unified: 'content-filter', raw };
  return { unified: broken.test(raw) ? 'error' : 'other', raw };
}
