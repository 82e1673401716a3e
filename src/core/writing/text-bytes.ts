/** Text and bytes: strict UTF-8 both ways, with the byte order mark kept apart from the text. */
import { words } from '../../text';
import { fail, type Outcome, succeed } from '../ports/failure';

export interface DecodedText {
  /** Without the byte order mark. */
  readonly text: string;
  readonly mark: boolean;
}

export const byteOrderMark = '\ufeff';

/** Text that gives the very same bytes back, or a refusal: what is not UTF-8 throughout is never rewritten (F37). */
export function decodeText(path: string, bytes: Uint8Array): Outcome<DecodedText> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return succeed(splitMark(text));
  } catch {
    // Refused below, as is what holds a NUL.
  }
  return fail({
    kind: 'not-text',
    words: words.writing.notPlainText(path),
    remedy: words.writing.notPlainTextRemedy,
  });
}

export function encodeText({ text, mark }: DecodedText): Uint8Array {
  return new TextEncoder().encode((mark ? byteOrderMark : '') + text);
}

export function splitMark(text: string): DecodedText {
  const mark = text.startsWith(byteOrderMark);
  return { text: mark ? text.slice(1) : text, mark };
}

const unwritable = /\0|[\ud800-\udfff]/u;

/** Whether a text survives on disk: no half characters, which would become others, and no NUL. */
export function isWritable(text: string): boolean {
  return !unwritable.test(text);
}
