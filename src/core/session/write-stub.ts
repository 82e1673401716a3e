/** Stubs: what is sent in place of a tool result or a note that is not sent whole; each says how to get the rest (R243). */
import { noteNotShown, outlineNote, outlineText, wholeStart } from '../markup/budget';
import { endOf } from '../markup/markup';
import type { EntryHeader, SessionEntry } from './entry';
import type { ContextForm } from './log-state';

export type ResultEntry = EntryHeader & SessionEntry & { readonly kind: 'tool-result' };

/** Characters of a masked result that are shown at its beginning and at its end. */
const previewLength = 150;
/** With less than this in the middle a preview saves nothing. */
const leastHidden = 300;

/** The result as it is sent in this form; the whole text stays in the log. */
export function writeResult(entry: ResultEntry, form: ContextForm | undefined): string {
  switch (form) {
    case 'masked':
    case 'dropped':
      return stubOf(entry, form);
    case 'outline':
      return `${outlineText(entry.text)}\n${recallLine(entry, 'Only the outline is shown')}`;
    default:
      return cappedText(entry);
  }
}

function cappedText(entry: ResultEntry): string {
  const { text, shown } = entry;
  if (shown === undefined || shown.head + shown.tail >= text.length) return text;
  const tail = endOf(text, shown.tail);
  const left = text.length - shown.head - tail.length;
  const notice = recallLine(entry, `${left} characters are left out here`);
  return `${text.slice(0, shown.head)}\n${notice}\n${tail}`;
}

function stubOf(entry: ResultEntry, form: 'masked' | 'dropped'): string {
  const { text } = entry;
  const line = recallLine(entry, `This result of ${text.length} characters was taken out to save room`);
  if (form === 'dropped' || text.length < 2 * previewLength + leastHidden) return line;
  return `${wholeStart(text.slice(0, previewLength))}\n${line}\n${wholeEnd(endOf(text, previewLength))}`;
}

/** The handle is the id of the entry, so that it is found as long as the log is. */
function recallLine({ id }: EntryHeader, what: string): string {
  return `[${what}; recall_output with handle "${id}" gives it back.]`;
}

const answerOutlined = '[Only the outline of this answer is shown.]';

/** The answer with its calls and the outlines of its texts; the same object where that saves nothing. */
export function outlineAnswer<Answer extends SessionEntry & { readonly kind: 'assistant' }>(entry: Answer): Answer {
  const parts = entry.parts.map((part) => {
    if (part.type !== 'text') return part;
    const text = `${outlineText(part.text)}\n${answerOutlined}`;
    return text.length < part.text.length ? { ...part, text } : part;
  });
  return parts.every((part, index) => part === entry.parts[index]) ? entry : { ...entry, parts };
}

/** Notes as the section wrote them: bodies are escaped, so the end of one is the first end tag. */
const writtenNote = /<note path="([^"]*)"([^>]*)>\n([\s\S]*?)\n<\/note>/g;

/** Paths, as written, of the notes in a section's text. */
export function notesIn(text: string): { readonly path: string; readonly body: string }[] {
  return [...text.matchAll(writtenNote)].map(([, path = '', , body = '']) => ({ path, body }));
}

/** The section's text with some of its notes reduced to an outline or left out. */
export function reshapeNotes(text: string, formOf: (path: string) => ContextForm | undefined): string {
  return text.replace(writtenNote, (whole, path: string, rest: string, body: string) => {
    const form = formOf(path);
    if (form !== 'outline' && form !== 'dropped') return whole;
    const kept = form === 'outline' ? outlineNote(body) : noteNotShown;
    return `<note path="${path}"${rest}>\n${kept}\n</note>`;
  });
}

/** Without half of a pair at its start. */
function wholeEnd(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}
