/** @jest-environment node */
import fc from 'fast-check';
import { joinerFor } from '../../../src/models/http/join-events';
import { parseJson } from '../../../src/models/http/wire-format';

const encoder = new TextEncoder();

interface Sent {
  /** All that was said: the text, each character of the thoughts after a mark, and any other event as it is. */
  readonly said: string;
  readonly events: number;
}

/** Reads server-sent events as the library does. */
function readSent(bytes: readonly Uint8Array[]): Sent {
  const decoder = new TextDecoder('utf-8');
  const text = bytes.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
  const events = text.split('\n\n').filter((event) => event.trim() !== '');
  return { said: events.map((event) => pieceOf(event) ?? `<${event}>`).join(''), events: events.length };
}

interface Chunk {
  readonly choices?: readonly { readonly finish_reason: unknown; readonly delta: Record<string, unknown> }[];
}

function pieceOf(event: string): string | null {
  const { choices = [] } = (parseJson(event.replace(/^data: /, '')) ?? {}) as Chunk;
  const [choice] = choices;
  if (choice === undefined || choice.finish_reason !== null || Object.keys(choice.delta).length !== 1) return null;
  const { content, reasoning_content: thoughts } = choice.delta;
  if (typeof thoughts === 'string') return [...thoughts].map((character) => `~${character}`).join('');
  return typeof content === 'string' ? content : null;
}

const frame = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm' };
const chat = (delta: object, more: object = {}, finish: string | null = null): string =>
  `data: ${JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
const piece = (content: string): string => chat({ content });
const others = [
  chat({ role: 'assistant', content: '' }),
  chat({ reasoning_content: 'hm' }),
  chat({ content: 'a', reasoning_content: 'b' }),
  chat({ content: 'c', tool_calls: [{ index: 0, id: 'x' }] }),
  chat({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
  chat({ content: 'last' }, {}, 'stop'),
  chat({}, { usage: { prompt_tokens: 1, completion_tokens: 2 } }),
  `data: {"choices":[],"usage":{"prompt_tokens":1}}\n\n`,
  `data: {"error":{"message":"no"}}\n\n`,
  ': ping\n\n',
  'data: {"broken"\n\n',
  'data: [DONE]\n\n',
  'id: 5\ndata: {}\n\n',
];

const joined = (chunks: readonly Uint8Array[]): Uint8Array[] => {
  const join = joinerFor('openai-compatible');
  return chunks.map((chunk) => join?.(chunk) ?? chunk);
};

it('makes one event of the pieces of text in a chunk', () => {
  const text = ['The ', '**keel**', '\n', ' “is” ', 'sound 🔩'];
  const chunk = encoder.encode(text.map(piece).join(''));
  expect(readSent(joined([chunk]))).toEqual({ said: text.join(''), events: 1 });
});

it('leaves a chunk with one piece as it is', () => {
  const chunk = encoder.encode(piece('The keel'));
  expect(joined([chunk])[0]).toBe(chunk);
});

it('says the same however the bytes are cut into chunks', () => {
  const event = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).map(piece) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );
  const cuts = fc.array(fc.nat({ max: 4_000 }), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), cuts, (events, places) => {
      const bytes = encoder.encode(events.join(''));
      const ends = [...new Set([...places.filter((place) => place < bytes.length), bytes.length])].sort(
        (a, b) => a - b,
      );
      const chunks = ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
      expect(readSent(joined(chunks)).said).toBe(readSent(chunks).said);
    }),
    { numRuns: 400 },
  );
});

it('leaves events whose lines end in another way, and bytes that are no text, as they are', () => {
  const join = joinerFor('openai-compatible');
  const windows = encoder.encode(`${chat({ content: 'a' })}${chat({ content: 'b' })}`.replaceAll('\n', '\r\n'));
  const broken = Uint8Array.from([0xff, ...encoder.encode(chat({ content: 'a' })), 10, 10]);
  for (const chunk of [windows, broken]) expect(join?.(chunk)).toBe(chunk);
});

it('has no joiner for formats that are read without a library', () => {
  expect([joinerFor('anthropic'), joinerFor('ollama')]).toEqual([undefined, undefined]);
});
