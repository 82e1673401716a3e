/** Attached notes: the notes that stand in a prompt as markup, and the user's own words around it. */
import { tags } from '../../core/markup/markup';
import { unavailable } from '../../core/prompt/sections/notes';

export interface AttachedNote {
  readonly path: string;
  readonly text: string;
}

const noteElement = /^<note path="([^"<]*)">\n([^<]*)\n<\/note>/gm;

/** Notes in a prompt's text, in order. Bodies are escaped, so none holds a tag of its own. */
export function attachedNotesIn(text: string): AttachedNote[] {
  return Array.from(text.matchAll(noteElement), (match) => ({
    path: unescapeMarkup(match[1] ?? ''),
    text: unescapeMarkup(match[2] ?? ''),
  })).filter((note) => note.path !== '' && note.text.trim() !== '' && !note.text.startsWith(unavailable));
}

/** A message without the elements that were put around the user's words. */
export function withoutMarkup(text: string): string {
  let rest = text;
  for (const tag of tags) {
    rest = rest.replace(new RegExp(`^<${tag}(?: [^>]*)?>\\n[\\s\\S]*?\\n</${tag}>$`, 'gm'), '');
  }
  return rest.trim();
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#9;': '\t',
  '&#10;': '\n',
  '&#13;': '\r',
};

function unescapeMarkup(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#9|#10|#13);/g, (entity) => entities[entity] ?? entity);
}
