/** What a server's results say: texts, structured content, images, resources, and the messages of prompts. */
import { startOf } from '../core/base/cut';
import { canonicalJson } from '../core/base/equality';
import { imageTypesTaken } from '../core/ports/message';
import type { McpAnswer, McpImage } from '../core/ports/network';
import { words } from '../text';
import { limits } from './mcp-ports';
import { isRecord, type PlainRecord } from './read-messages';

const maxLabelLength = 200;

/**
 * Formats the parts of a tool result: texts as they are, images apart, and everything else in words. Structured content
 * is added unless a text is the same JSON: servers may put the rows there and only a sentence into the text.
 * @param result what the library accepted as a tool result
 */
export function formatToolResult({ content, structuredContent, isError }: PlainRecord): McpAnswer {
  const images = openImages();
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.filter(isRecord).map((part) => textOf(part, images));
  const said = texts.filter((text) => text.trim() !== '');
  if (isContent(structuredContent)) {
    const canonical = canonicalJson(structuredContent);
    if (!said.some((text) => isSameJson(text, canonical))) said.push(JSON.stringify(structuredContent));
  }
  return answerOf(said, images, isError === true);
}

/** Formats the contents of a resource, each with its address. */
export function formatResource({ contents }: PlainRecord): McpAnswer {
  const images = openImages();
  const parts: readonly unknown[] = Array.isArray(contents) ? contents : [];
  return answerOf(
    parts.filter(isRecord).map((part) => textOfResource(part, images)),
    images,
    false,
  );
}

/**
 * Formats the messages of a prompt; with a message that the model is to have written, each says whose it is. Empty if
 * there would be only notes about what was left out.
 */
export function formatPrompt({ messages }: PlainRecord): string {
  const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const said = all
    .filter(isRecord)
    .flatMap(({ role, content }) =>
      isRecord(content) ? [{ role, type: labelOf(content.type), text: textOf(content, null) }] : [],
    )
    .filter(({ text }) => text.trim() !== '');
  if (!said.some(({ type }) => /^(?:text|resource)/.test(type))) return '';
  const isTalk = said.some(({ role }) => role === 'assistant');
  const { userSays, assistantSays } = words.remote;
  return said
    .map(({ role, text }) => (isTalk ? `${role === 'assistant' ? assistantSays : userSays}\n${text}` : text))
    .join('\n\n');
}

function answerOf(texts: readonly string[], { kept, more }: Images, isError: boolean): McpAnswer {
  const said = more === 0 ? texts : [...texts.filter((text) => text !== ''), words.remote.moreImages(more)];
  return { text: said.join('\n\n'), isError, ...(kept.length > 0 && { images: kept }) };
}

/** The images of an answer, up to the limit, and the number of the others. */
interface Images {
  readonly kept: McpImage[];
  more: number;
}

function openImages(): Images {
  return { kept: [], more: 0 };
}

function isContent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isSameJson(text: string, canonical: string): boolean {
  if (!/^\s*[[{"\dtfn-]/.test(text)) return false;
  try {
    return canonicalJson(JSON.parse(text)) === canonical;
  } catch {
    return false;
  }
}

/** @param images null where no image can be sent */
function textOf(part: PlainRecord, images: Images | null): string {
  const { type, text, uri, name, resource, data, mimeType } = part;
  if (type === 'text') return typeof text === 'string' ? text : '';
  if (type === 'resource' && isRecord(resource)) return textOfResource(resource, images);
  if (type === 'resource_link') return words.remote.link(labelOf(name), labelOf(uri));
  if (typeof data !== 'string') return words.remote.unknownPart(labelOf(type));
  const left = words.remote.partLeftOut(labelOf(type), labelOf(mimeType), kilobytesOf(data));
  return type === 'image' ? keepImage(data, mimeType, images, left) : left;
}

function textOfResource({ uri, text, blob, mimeType }: PlainRecord, images: Images | null): string {
  if (typeof text === 'string') return `${labelOf(uri)}\n${text}`;
  const data = typeof blob === 'string' ? blob : '';
  const left = words.remote.partLeftOut(labelOf(uri), labelOf(mimeType), data === '' ? 0 : kilobytesOf(data));
  const kept = keepImage(data, mimeType, images, left);
  return kept === left || kept === '' ? kept : `${labelOf(uri)}\n${kept}`;
}

/** Keeps an image of a type that models take, and returns what replaces it in the text; nothing beyond the limit. */
function keepImage(data: string, mimeType: unknown, images: Images | null, otherwise: string): string {
  const named = labelOf(mimeType).toLowerCase().replace(/;.*/, '').replace(/jpg$/, 'jpeg');
  const mediaType = imageTypesTaken.find((type) => type === named);
  if (mediaType === undefined || images === null) return otherwise;
  if (images.kept.length >= limits.images) {
    images.more += 1;
    return '';
  }
  const bytes = bytesOf(data);
  if (bytes === null) return otherwise;
  images.kept.push({ mediaType, bytes });
  return words.remote.imageNamed(images.kept.length, mediaType, kilobytesOf(data));
}

/**
 * Returns a result as the library takes it. The library refuses a whole answer for one null in place of a missing member,
 * and for the bytes of one part with line breaks, without padding, with the letters for addresses, or in the form of an
 * address.
 */
export function asStrict(result: PlainRecord): PlainRecord {
  const members = Object.entries(result).filter(([name, value]) => value !== null || asGiven.includes(name));
  return Object.fromEntries(members.map(([name, value]) => [name, strictMember(name, value)]));
}

/** Data and schemas, in which a null is a value. */
const asGiven = ['structuredContent', 'inputSchema', 'outputSchema'];

function strictMember(name: string, value: unknown): unknown {
  if (asGiven.includes(name)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => (isRecord(item) ? asStrict(item) : item));
  if (isRecord(value)) return asStrict(value);
  return typeof value === 'string' && /^(?:data|blob)$/.test(name) ? plainBase64(value) : value;
}

function plainBase64(data: string): string {
  const plain = data
    .replace(/^data:[^,]*,|[\s=]+/g, '')
    .replace(/-/g, '+')
    .replace(/_/g, '/');
  return plain.padEnd(Math.ceil(plain.length / 4) * 4, '=');
}

function bytesOf(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Returns a short single line, because it appears inside Docent's own words. */
function labelOf(value: unknown): string {
  return typeof value === 'string' ? startOf(value.replace(/\s+/g, ' ').trim(), maxLabelLength) : '';
}

function kilobytesOf(base64: string): number {
  return Math.max(1, Math.round((base64.length * 3) / 4 / 1024));
}
