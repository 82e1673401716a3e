/** Our own recordings, by format. */
import type { WireFormat } from '../../../../src/models/providers/provider';
import { anthropic, moreAnthropic } from './anthropic';
import { gemini, moreGemini } from './gemini';
import { ollama } from './ollama';
import { openaiCompatible } from './openai-compatible';
import type { Recording, Recordings } from './recording';
import { moreResponses, responses } from './responses';

export { cases, type Recording } from './recording';

export const recordings: Readonly<Record<WireFormat, Recordings>> = {
  anthropic,
  'openai-compatible': openaiCompatible,
  responses,
  gemini,
  ollama,
};

/** Recordings of what only one format can say. */
export const moreRecordings: readonly (readonly [WireFormat, string, Recording])[] = (
  [
    ['anthropic', moreAnthropic],
    ['responses', moreResponses],
    ['gemini', moreGemini],
  ] as const
).flatMap(([format, more]) => Object.entries(more).map(([name, recording]) => [format, name, recording] as const));

/** The events as they go over the line. */
export function framed(format: WireFormat, events: readonly unknown[]): string {
  return events.map((event) => frame(format, event)).join('');
}

function frame(format: WireFormat, event: unknown): string {
  const data = typeof event === 'string' ? event : JSON.stringify(event);
  if (format === 'ollama') return `${data}\n`;
  if (data.startsWith(':')) return `${data}\n\n`;
  const type =
    format === 'anthropic' || format === 'responses' ? (JSON.parse(data) as { type?: string }).type : undefined;
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`;
}
