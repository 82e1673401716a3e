/** Encodes a call as the body of Gemini's streamGenerateContent. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import {
  argumentsObject,
  effortOf,
  functionsOf,
  imageData,
  isErrorResult,
  memoryOf,
  resultText,
  type Effort,
} from './call-content';

/** Gemini checks that calls of the newer models come back signed; this word stands where another model made the call. */
const unsigned = 'skip_thought_signature_validator';
const signs = /gemini-(?:[3-9]|\d\d)/;
const thinks = /gemini-(?:2\.5|[3-9]|\d\d)/;

type Part = Record<string, unknown>;

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

function contentsOf(prompt: LanguageModelV4Prompt, modelName: string): { role: string; parts: Part[] }[] {
  return prompt.flatMap((message) => {
    const parts = partsOf(message, modelName);
    return parts.length === 0 ? [] : [{ role: message.role === 'assistant' ? 'model' : 'user', parts }];
  });
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
      return message.content.flatMap((part): Part[] => {
        if (part.type === 'text') return [{ text: part.text }];
        if (part.type !== 'tool-call') return [];
        const signature = memoryOf(part.providerOptions, 'gemini', 'thoughtSignature');
        // Only the first call of an answer is signed.
        const stand = signature ?? (signs.test(modelName) && isFirstCall(message, part) ? unsigned : undefined);
        return [
          {
            functionCall: { id: part.toolCallId, name: part.toolName, args: argumentsObject(part.input) },
            ...(stand !== undefined && { thoughtSignature: stand }),
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

/** Levels since version 3, most of whose models know none below 'low'; tokens before. */
function thinkingOf(effort: Effort | undefined, modelName: string): Record<string, unknown> {
  if (effort === undefined) return { includeThoughts: true };
  if (!signs.test(modelName)) return { includeThoughts: effort !== 'none', thinkingBudget: budgets[effort] };
  const isLow = effort === 'none' || effort === 'minimal';
  const level = isLow ? 'low' : effort === 'xhigh' || effort === 'max' ? 'high' : effort;
  return { includeThoughts: true, thinkingLevel: level };
}
