/** Our own recordings, by format. */
import type { WireFormat } from '../../../../src/models/providers/provider';
import { anthropic } from './anthropic';
import { gemini } from './gemini';
import { ollama } from './ollama';
import { openaiCompatible } from './openai-compatible';
import type { Recordings } from './recording';
import { responses } from './responses';

export { cases, type Case, type Recording } from './recording';

export const recordings: Readonly<Record<WireFormat, Recordings>> = {
  anthropic,
  'openai-compatible': openaiCompatible,
  responses,
  gemini,
  ollama,
};

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
