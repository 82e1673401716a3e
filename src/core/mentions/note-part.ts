/** A link into a note, as typed: `Note#part`. */
import type { Vault } from '../ports/vault';
import type { MentionContext } from './mention-source';
import { newestNotes } from './note';

export interface NotePart {
  /** Null when no note was named: `#part` alone. */
  readonly path: string | null;
  /** What was typed after the sign. */
  readonly part: string;
}

/** Null when the text has no sign, or names a note that is not there. */
export function readNotePart(context: MentionContext, typed: string): NotePart | null {
  const sign = typed.indexOf('#');
  if (sign < 0) return null;
  const part = typed.slice(sign + 1);
  const note = typed.slice(0, sign).trim();
  if (note === '') return { path: null, part };
  const path = context.vault.resolveLink(note, context.activeNote ?? '') ?? beginningWith(context.vault, note);
  return path === undefined ? null : { path, part };
}

const last = new WeakMap<object, { readonly note: string; readonly path: string | undefined }>();

/** The newest note whose name begins so; remembered, since typing on after the sign asks for it at each key. */
function beginningWith(vault: Vault, note: string): string | undefined {
  const notes = newestNotes(vault);
  const known = last.get(notes);
  if (known?.note === note) return known.path;
  const start = note.toLowerCase();
  const path = notes.find(({ mention, name }) => (name ?? mention.label).toLowerCase().startsWith(start))?.mention.id;
  last.set(notes, { note, path });
  return path;
}

/** Splits the id of a heading or a block, `path#part`. */
export function splitPart(id: string): { readonly path: string; readonly part: string } {
  const match = /^(.*?\.md)#(.*)$/is.exec(id);
  return { path: match?.[1] ?? id, part: match?.[2] ?? '' };
}
