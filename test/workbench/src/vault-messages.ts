/**
 * What the page and the server say to one another about the vault: messages of a line of JSON and the bytes that belong
 * to it. What is ready at the same time is one frame of the socket, since a frame is work for four processes.
 */

export interface Message {
  /** Its `size`, the number of bytes, is added. */
  head: object;
  body: Uint8Array;
}

const newline = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeMessages(messages: readonly Message[]): Uint8Array<ArrayBuffer> {
  const parts = messages.flatMap(({ head, body }) => [
    encoder.encode(`${JSON.stringify({ ...head, size: body.length })}\n`),
    body,
  ]);
  const frame = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let end = 0;
  for (const part of parts) {
    frame.set(part, end);
    end += part.length;
  }
  return frame;
}

/**
 * The bodies are parts of the frame.
 * @throws for a frame of another form
 */
export function decodeMessages(frame: Uint8Array): Message[] {
  const messages: Message[] = [];
  for (let start = 0; start < frame.length;) {
    const headEnd = frame.indexOf(newline, start);
    if (headEnd < 0) throw new Error('A message has no end of its line.');
    const head: unknown = JSON.parse(decoder.decode(frame.subarray(start, headEnd)));
    const size = typeof head === 'object' && head !== null && 'size' in head ? head.size : undefined;
    if (typeof size !== 'number' || !(size >= 0) || headEnd + 1 + size > frame.length)
      throw new Error('A message has another size than it says.');
    start = headEnd + 1 + size;
    messages.push({ head: head as object, body: frame.subarray(headEnd + 1, start) });
  }
  return messages;
}
