/** A text as an editor holds it: with plain line ends and without a byte order mark, neither of which is a change to save. */
export function asEdited(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}
