/** What requests cost where the provider keeps their beginnings, in prices of an uncached token. */
import type { Body, ProviderName } from './cache-bodies';

/**
 * Assumed prices of a token that is read from the cache and of one that is written to it. Older models of OpenAI write
 * to the cache for free.
 */
const prices: Readonly<Record<ProviderName, { readonly read: number; readonly write: number }>> = {
  anthropic: { read: 0.1, write: 1.25 },
  openai: { read: 0.1, write: 1.25 },
};
const minimum = 1_024;
const bytesPerToken = 4;

/** Bytes that two requests have in common from their first on. */
export function commonBytes(before: Body, after: Body): number {
  let bytes = 0;
  for (const [index, piece] of before.pieces.entries()) {
    const other = after.pieces[index];
    if (other === piece) {
      bytes += Buffer.byteLength(piece);
      continue;
    }
    let same = 0;
    while (other !== undefined && same < piece.length && piece[same] === other[same]) same += 1;
    return bytes + Buffer.byteLength(piece.slice(0, same));
  }
  return bytes;
}

export function bytesOf({ pieces }: Body, until = pieces.length): number {
  return pieces.slice(0, until).reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
}

/** Adds up the cost of the requests while tracking which beginnings the provider has cached so far. */
export function costOf(bodies: readonly Body[], provider: ProviderName): number {
  const { read, write } = prices[provider];
  const cached = new Set<string>();
  let units = 0;
  let last: Body | null = null;
  for (const body of bodies) {
    const all = bytesOf(body) / bytesPerToken;
    if (provider === 'openai') {
      const common = last === null ? 0 : commonBytes(last, body) / bytesPerToken;
      const hit = common < minimum ? 0 : Math.floor(common / 128) * 128;
      units += hit * read + (all - hit) * write;
    } else {
      const marks = body.marks.filter((mark) => bytesOf(body, mark) / bytesPerToken >= minimum);
      const found = marks.filter((mark) => cached.has(keyOf(body, mark)));
      // A marker finds what an earlier one of the same place or up to 20 parts before it has put by.
      const behind = marks.flatMap((mark) =>
        Array.from({ length: 20 }, (_, back) => mark - back).filter((at) => at > 0 && cached.has(keyOf(body, at))),
      );
      const hit = bytesOf(body, Math.max(0, ...found, ...behind)) / bytesPerToken;
      const end = bytesOf(body, Math.max(0, ...marks)) / bytesPerToken;
      const written = Math.max(0, end - hit);
      units += hit * read + written * write + (all - hit - written);
      for (const mark of marks) cached.add(keyOf(body, mark));
    }
    last = body;
  }
  return units;
}

const keys = new WeakMap<Body, string[]>();

/** A name for the beginning of a request up to a piece. */
function keyOf(body: Body, until: number): string {
  const known = keys.get(body) ?? [];
  keys.set(body, known);
  for (let index = known.length; index <= until; index += 1) {
    known[index] = index === 0 ? '' : hash(`${known[index - 1]}|${body.pieces[index - 1]}`);
  }
  return known[until] ?? '';
}

function hash(text: string): string {
  let first = 0x811c9dc5;
  let second = 0x1000193;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x85ebca6b);
  }
  return `${first >>> 0}:${second >>> 0}`;
}
