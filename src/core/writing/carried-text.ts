/** Carried text: what was read that an address or an argument would take out of the vault, plain or encoded (rules 6.9). */

/** Characters in a row that are no accident. */
const shortest = 24;
/** Every passage of that length holds one whole block of this one, wherever the blocks begin. */
const block = shortest / 2;
/** Characters of each that are looked through, places where a block is looked at, passages of each that are told. */
const longest = 16_000;
const mostPlaces = 50;
const mostPassages = 5;

export interface KnownText {
  /** What the conversation has read. */
  readonly read: readonly string[];
  /** The user's own words, which may leave. */
  readonly own: readonly string[];
}

/** The passages, in small letters and without line breaks, each once. */
export function carriedText(outgoing: readonly string[], { read, own }: KnownText): string[] {
  const [texts, said] = [read.map(fold), own.map(fold)];
  return [...new Set(outgoing.flatMap((each) => passagesIn(each, texts, said)))];
}

function passagesIn(outgoing: string, texts: readonly string[], said: readonly string[]): string[] {
  const found = new Set<string>();
  for (const form of formsOf(outgoing.slice(0, longest))) {
    for (let at = 0; at + block <= form.length; at += block) {
      for (const text of texts) {
        for (const passage of passagesAt(form, at, text)) {
          if (!said.some((words) => words.includes(passage))) found.add(passage);
        }
      }
    }
  }
  return [...found].slice(0, mostPassages);
}

/** All that the block at this place and its neighbours have in common with a text. */
function passagesAt(form: string, at: number, text: string): string[] {
  const wanted = form.slice(at, at + block);
  const passages: string[] = [];
  let place = text.indexOf(wanted);
  for (let count = 0; place !== -1 && count < mostPlaces; count += 1) {
    let head = 0;
    while (head < at && head < place && form[at - head - 1] === text[place - head - 1]) head += 1;
    let end = block;
    while (at + end < form.length && place + end < text.length && form[at + end] === text[place + end]) end += 1;
    if (head + end >= shortest) passages.push(form.slice(at - head, at + end).trim());
    place = text.indexOf(wanted, place + 1);
  }
  return passages;
}

/** As it stands, and with what is encoded in it made readable. */
function formsOf(text: string): ReadonlySet<string> {
  const plain = decodePercent(text);
  const encoded = [...plain.matchAll(/[A-Za-z0-9+/_-]{16,}/g)].flatMap(([run]) => [readHex(run), readBase64(run)]);
  return new Set([text, plain, decodePercent(plain), ...encoded].map(fold).filter((form) => form.length >= shortest));
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[\s+]+/g, ' ');
}

/** What is no valid code stays as it stands. */
function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

function readHex(run: string): string {
  const pairs = /^(?:[0-9a-f]{2})+$/i.test(run) ? (run.match(/../g) ?? []) : [];
  return new TextDecoder().decode(Uint8Array.from(pairs, (pair) => parseInt(pair, 16)));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function readBase64(run: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const sign of run.replace(/-/g, '+').replace(/_/g, '/')) {
    held = ((held << 6) | alphabet.indexOf(sign)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
