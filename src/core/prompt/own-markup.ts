/** Tags that the user wrote into instructions: kept when they make a well-formed fragment that uses none of ours (design 5). */

/** A piece of a text: a tag with nothing around it, or what stands between tags. */
export interface MarkupPiece {
  readonly isTag: boolean;
  readonly text: string;
}

export type OwnTags =
  /** Nothing in the text is a tag. */
  | { readonly kind: 'none' }
  | { readonly kind: 'kept'; readonly pieces: readonly MarkupPiece[] }
  /** All of the text is to be escaped. */
  | { readonly kind: 'escaped'; readonly reason: 'malformed' | 'reserved'; readonly tag: string };

/** Tags, and whatever begins like one. */
const candidate = /<\/?[A-Za-z_][^<>]*>?/g;
const openingTag = /^<([A-Za-z_][\w.-]*)((?:\s+[A-Za-z_][\w.-]*="[^"<>]*"|\s+[A-Za-z_][\w.-]*='[^'<>]*')*)\s*(\/?)>$/;
const closingTag = /^<\/([A-Za-z_][\w.-]*)\s*>$/;
const attributeName = /([A-Za-z_][\w.-]*)=(?:"[^"]*"|'[^']*')/g;

/** @param reserved names that only Docent's own sections bear */
export function readOwnTags(text: string, reserved: readonly string[]): OwnTags {
  const pieces: MarkupPiece[] = [];
  const open: string[] = [];
  let broken: string | null = null;
  let end = 0;
  for (const match of text.matchAll(candidate)) {
    const tag = match[0];
    const opening = openingTag.exec(tag);
    const closing = closingTag.exec(tag);
    const name = opening?.[1] ?? closing?.[1];
    if (name === undefined) {
      broken ??= tag;
      continue;
    }
    if (reserved.includes(name.toLowerCase())) return { kind: 'escaped', reason: 'reserved', tag: name };
    if (opening !== null) {
      if (repeatsAttribute(opening[2] ?? '')) broken ??= tag;
      if (opening[3] === '') open.push(name);
    } else if (open.pop() !== name) broken ??= tag;
    pieces.push({ isTag: false, text: text.slice(end, match.index) }, { isTag: true, text: tag });
    end = match.index + tag.length;
  }
  if (pieces.length === 0) return { kind: 'none' };
  const left = open.at(-1);
  if (broken !== null || left !== undefined) {
    return { kind: 'escaped', reason: 'malformed', tag: broken ?? `<${left ?? ''}>` };
  }
  return { kind: 'kept', pieces: [...pieces, { isTag: false, text: text.slice(end) }] };
}

function repeatsAttribute(attributes: string): boolean {
  const names = Array.from(attributes.matchAll(attributeName), ([, name]) => name);
  return new Set(names).size < names.length;
}
