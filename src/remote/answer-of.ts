/** Makes the text of an answer out of the parts of a tool result; what is no text is told of in words. */
import type { McpAnswer } from '../core/ports/network';
import { words } from '../text';
import { isRecord, type PlainRecord } from './plain-json';

const longestLabel = 200;

/** @param result what the library took for a tool result */
export function answerOf(result: PlainRecord): McpAnswer {
  const { content, structuredContent, isError } = result;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts
    .filter(isRecord)
    .map(textOf)
    .filter((text) => text.trim() !== '');
  const hasText = parts.some((part) => isRecord(part) && part.type === 'text' && labelOf(part.text) !== '');
  if (!hasText && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  return { text: texts.join('\n\n'), isError: isError === true };
}

function textOf(part: PlainRecord): string {
  const { type, text, uri, name, resource, data, mimeType } = part;
  if (type === 'text') return typeof text === 'string' ? text : '';
  if (type === 'resource' && isRecord(resource)) return textOfResource(resource);
  if (type === 'resource_link') return words.remote.link(labelOf(name), labelOf(uri));
  if (typeof data === 'string') return words.remote.partLeftOut(labelOf(type), labelOf(mimeType), kilobytesOf(data));
  return words.remote.unknownPart(labelOf(type));
}

function textOfResource({ uri, text, blob, mimeType }: PlainRecord): string {
  if (typeof text === 'string') return `${labelOf(uri)}\n${text}`;
  const size = typeof blob === 'string' ? kilobytesOf(blob) : 0;
  return words.remote.partLeftOut(labelOf(uri), labelOf(mimeType), size);
}

/** On one line and short, since it stands inside our own words. */
function labelOf(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, longestLabel) : '';
}

function kilobytesOf(base64: string): number {
  return Math.max(1, Math.round((base64.length * 3) / 4 / 1024));
}
