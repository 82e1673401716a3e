/** Kept marks: what a note says of itself that keeps it from the agent, a property or a tag. */
import { propertiesBlockOf } from '../markdown/properties';

/** `docent: false` in its properties keeps a note from the agent. */
export const keptProperty = 'docent';

export interface NoteMarks {
  readonly properties: Readonly<Record<string, unknown>>;
  /** With the leading `#`. */
  readonly tags: readonly string[];
}

export type TextMarks = Pick<NoteMarks, 'tags'>;

/** @param tags of the settings, with or without `#` */
export function isMarkedKept(marks: NoteMarks | undefined, tags: readonly string[] = []): boolean {
  if (marks === undefined) return false;
  return isNo(marks.properties[keptProperty]) || (tags.length > 0 && hasTag(marks, tags));
}

const propertyLine = new RegExp(`^${keptProperty}[ \\t]*:[ \\t]*["']?(?:false|no|off)["']?[ \\t]*(?:#.*)?\\r?$`, 'im');

/** The same by the text alone; a block of properties that cannot be read counts as it is written. */
export function textIsMarkedKept(
  text: string,
  tags: readonly string[] = [],
  marksOf?: (text: string) => TextMarks,
): boolean {
  const block = propertiesBlockOf(text);
  if (block === 'unclosed' && propertyLine.test(text)) return true;
  if (block !== null && block !== 'unclosed' && propertyLine.test(text.slice(block.start, block.end))) return true;
  if (marksOf === undefined || tags.length === 0) return false;
  const folded = text.toLowerCase();
  return tags.some((tag) => folded.includes(foldTag(tag))) && hasTag(marksOf(text), tags);
}

/** A tag as it is compared: without `#`, in small letters. */
function foldTag(tag: string): string {
  return tag
    .trim()
    .replace(/^#+|\/+$/g, '')
    .toLowerCase();
}

function hasTag(marks: TextMarks, tags: readonly string[]): boolean {
  const kept = tags.map(foldTag).filter((tag) => tag !== '');
  return marks.tags.map(foldTag).some((own) => kept.some((tag) => own === tag || own.startsWith(`${tag}/`)));
}

/** Text counts as well, since a property may have been made as text. */
function isNo(value: unknown): boolean {
  return value === false || (typeof value === 'string' && /^\s*(?:false|no|off)\s*$/i.test(value));
}
