/** Cuts texts between characters: half of a surrogate pair is no text, and servers refuse a request with one. */

/** Returns at most so many UTF-16 code units from the start of a text. */
export function startOf(text: string, length: number): string {
  return wholeStart(text.slice(0, Math.max(0, length)));
}

/** Returns the same, with an ellipsis in place of what is left out. */
export function startWithEllipsis(text: string, length: number): string {
  return text.length > length ? `${startOf(text, length)}…` : text;
}

/** Returns at most so many UTF-16 code units from the end of a text. */
export function endOf(text: string, length: number): string {
  return wholeEnd(length <= 0 ? '' : text.slice(-length));
}

/** Drops a lone high surrogate at the end. */
function wholeStart(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** Drops a lone low surrogate at the start. */
function wholeEnd(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}

/** Bytes of UTF-8 that a UTF-16 code unit takes at most. */
const maxUnitBytes = 3;

/** Returns the length of a text in bytes of UTF-8, without encoding it: each text of a prompt is asked about. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // A pair takes four bytes, and half of one three, as the sign that replaces it.
    bytes += unit < 0x800 ? 1 : 2;
    if (isPair(unit, text.charCodeAt(at + 1))) at += 1;
  }
  return bytes;
}

function isPair(unit: number, next: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000;
}

/** Returns as many characters from the start of a text as fit in so many bytes of UTF-8. */
export function headWithin(text: string, bytes: number): string {
  const room = new Uint8Array(Math.max(0, Math.min(bytes, text.length * maxUnitBytes)));
  return text.slice(0, new TextEncoder().encodeInto(text, room).read);
}

/** Marks on one letter beyond those that any script needs, which are drawn over the lines around it. */
const heapedMarks = /(\p{M}{8})(\p{M}+)/gu;

/** @param instead returns what replaces the marks that are too many on a letter */
export function withoutHeapedMarks(text: string, instead: (marks: string) => string = () => ''): string {
  return text.replace(heapedMarks, (_all, some: string, rest: string) => some + instead(rest));
}
