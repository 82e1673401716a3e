/** Texts in the headers of requests: those that no header can carry are sent as base64. */

const plainHeader = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Returns a text as a header carries it. */
export function headerText(text: string): string {
  if (plainHeader.test(text)) return text;
  const characters = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(characters.join(''))}?=`;
}
