/** Removes secrets from text: exact ones in every encoding in which they could appear, and what looks like a key. */

import { lazy } from './lazy';

const mark = '[redacted]';

/** Secrets shorter than this are not keys; replacing them would garble ordinary words. */
const minSecretLength = 6;
/** Characters of a part of a secret that give it away. */
const minPart = 14;

/**
 * Returns the text without any of the secrets: raw, in any case, reversed, in escapes of URLs, JSON, and HTML, in
 * hexadecimal digits, in Base64 at each of its three alignments; and without longer parts of them.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const wanted = wantedOf(secrets);
  let clean = text;
  for (const form of wanted.forms) clean = clean.split(form).join(mark);
  return redactReadings(clean, wanted);
}

/** What is looked for in a text. */
interface Wanted {
  /** Exactly as they are, longest first for each secret. */
  readonly forms: readonly string[];
  /** In a reading: parts of secrets that give them away, and secrets that are shorter than such a part. */
  readonly parts: ReadonlySet<string>;
  readonly wholes: ReadonlySet<string>;
  /** The lengths of the parts. */
  readonly lengths: readonly number[];
}

/** What was made of the last lists of secrets, because that takes far longer than to look for it in a short text. */
const lastWanted = new Map<string, Wanted>();
const maxWanted = 8;

function wantedOf(secrets: readonly string[]): Wanted {
  const key = JSON.stringify(secrets);
  const known = lastWanted.get(key);
  if (known !== undefined) return known;
  const [oldest] = lastWanted.keys();
  if (oldest !== undefined && lastWanted.size >= maxWanted) lastWanted.delete(oldest);
  const wanted = findWanted(secrets.filter(({ length }) => length >= minSecretLength));
  lastWanted.set(key, wanted);
  return wanted;
}

/** Returns the text without anything that has the shape of a key or a token, anybody's. */
export function redactKeys(text: string): string {
  return text.replace(keyShapes(), (_key, before = '', other = '') => `${before}${other}${mark}`);
}

/** Characters that are written by an escape, which ends in letters or digits: so a key may follow those. */
const escaped = '%(?:25){0,3}[0-9A-Fa-f]{2}|\\\\(?:[bfnrt]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})';

/** A signed web token has three parts; an encrypted one has five, of which the second may be empty. */
const furtherParts = '(?:\\.[\\w-]*)?(?:\\.[\\w-]+){0,2}';

/** The shapes of keys that providers and services give out; each quantifier is bounded or followed by nothing. */
const keyShapes = lazy(
  () =>
    new RegExp(
      [
        // What follows an underscore is more often a name, such as that of a primary key.
        `(\\b|${escaped})(?:sk|pk|rk|gsk|xai|pplx|nvapi|glpat|xox[abeoprs]|whsec|tgp_v1|r8)[-_][\\w*-]{8,}`,
        `(\\b|_|${escaped})(?:${[
          'AIza[\\w-]{30,}',
          'ya29\\.[\\w-]{20,}',
          'gh[pousr]_\\w{20,}',
          '(?:github_pat|hf|npm|dop_v1|shpat|dckr_pat)_[\\w-]{20,}',
          '(?:AKIA|ASIA)[0-9A-Z]{16}\\b',
          `eyJ[\\w-]{8,4000}\\.(?:[\\w-]{8,}${furtherParts}|\\.[\\w-]{8,}${furtherParts})`,
          'SG\\.[\\w-]{16,100}\\.[\\w-]{16,100}',
        ].join('|')})`,
        // Two parts that begin as JSON does are a web token after any letter.
        `eyJ[\\w-]{8,4000}\\.eyJ[\\w-]{8,}${furtherParts}`,
        '-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,8000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?',
      ].join('|'),
      'g',
    ),
);

/**
 * Returns spellings of a key that servers use when they quote it, in addition to those `redact` knows: escaped slashes,
 * lowercase percent codes, Base64 without padding.
 */
export function spellingsOf(key: string): string[] {
  const small = encodeURIComponent(key).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const forUrls = btoa(key).replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_');
  return [key, key.replace(/\//g, '\\/'), small, forUrls];
}

function formsOf(secret: string): string[] {
  const base64 = base64Forms(secret);
  const urlSafe = base64.map((form) => form.replace(/\+/g, '-').replace(/\//g, '_'));
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64, ...urlSafe];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

// Readings: the text in lower case with its escapes decoded, in which secrets and their longer parts are looked for.

interface Reading {
  readonly text: string;
  /** Where each character begins in the original text, and where the last one ends. */
  readonly offsets: readonly number[] | null;
}

/** Runs without blanks, long enough for a secret. */
const runs = /\S{6,}/g;

function redactReadings(text: string, wanted: Wanted): string {
  if (wanted.parts.size + wanted.wholes.size === 0) return text;
  const clean = escapes.test(text) ? redactOnce(text, decode, wanted) : text;
  return redactOnce(clean, plain, wanted);
}

function findWanted(secrets: readonly string[]): Wanted {
  const parts = new Set<string>();
  const wholes = new Set<string>();
  for (const secret of secrets) {
    const small = secret.toLowerCase();
    for (const each of [small, [...small].reverse().join('')]) {
      if (each.length < minPart) wholes.add(each);
      for (let at = 0; at + minPart <= each.length; at += 1) parts.add(each.slice(at, at + minPart));
    }
    const digits = [...new TextEncoder().encode(secret)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    for (let at = 0; at + 2 * minPart <= digits.length; at += 2) parts.add(digits.slice(at, at + 2 * minPart));
    if (secret.length < minPart) wholes.add(digits);
  }
  const lengths = [...new Set([...parts].map(({ length }) => length))];
  return { forms: secrets.flatMap(formsOf), parts, wholes, lengths };
}

function redactOnce(
  text: string,
  read: (text: string) => Reading,
  { parts, wholes, lengths }: Omit<Wanted, 'forms'>,
): string {
  const reading = read(text);
  let clean = '';
  let done = 0;
  const remove = (from: number, to: number): void => {
    const [start, end] = reading.offsets === null ? [from, to] : [reading.offsets[from] ?? 0, reading.offsets[to] ?? 0];
    if (end <= done) return;
    clean += start > done ? text.slice(done, start) + mark : clean.endsWith(mark) ? '' : mark;
    done = end;
  };
  for (const { 0: run, index } of reading.text.matchAll(runs)) {
    for (const whole of wholes) {
      for (let at = run.indexOf(whole); at !== -1; at = run.indexOf(whole, at + whole.length)) {
        remove(index + at, index + at + whole.length);
      }
    }
    for (let at = 0; at + minPart <= run.length; at += 1) {
      const length = lengths.find((each) => parts.has(run.slice(at, at + each)));
      if (length !== undefined) remove(index + at, index + at + length);
    }
  }
  return clean + text.slice(done);
}

function plain(text: string): Reading {
  return { text: inLowerCase(text), offsets: null };
}

/** Returns the text in lower case, each character where it was: only one becomes longer. */
function inLowerCase(text: string): string {
  return text.replace(/\u0130/g, 'i').toLowerCase();
}

const escapes = /%[0-9a-f]{2}|&#(?:x[0-9a-f]{1,6}|\d{1,7});?|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}/i;
const eachEscape = lazy(() => new RegExp(escapes.source, 'gi'));

function decode(text: string): Reading {
  const offsets: number[] = [];
  let decoded = '';
  let done = 0;
  const add = (character: string, at: number): void => {
    decoded += character;
    for (let unit = 0; unit < character.length; unit += 1) offsets.push(at);
  };
  const copy = (to: number): void => {
    for (let at = done; at < to; at += 1) add(text.charAt(at), at);
  };
  for (const { 0: escape, index } of text.matchAll(eachEscape())) {
    copy(index);
    const code = codeOf(escape);
    add(code <= 0x10ffff ? String.fromCodePoint(code) : escape, index);
    done = index + escape.length;
  }
  copy(text.length);
  offsets.push(text.length);
  return { text: inLowerCase(decoded), offsets };
}

function codeOf(escape: string): number {
  const decimal = /^&#(\d+)/.exec(escape)?.[1];
  return decimal === undefined ? parseInt(escape.replace(/^(?:%|&#x|\\[ux])/i, ''), 16) : Number(decimal);
}

/**
 * Returns the Base64 characters that depend on the secret alone, for each offset at which it may start in a longer
 * text.
 */
function base64Forms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  return [0, 1, 2].map((offset) => {
    const encoded = encodeBase64([...new Uint8Array(offset), ...bytes]);
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    return encoded.slice(first, last);
  });
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function encodeBase64(bytes: readonly number[]): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  let text = '';
  for (let at = 0; at < bits.length; at += 6)
    text += alphabet[parseInt(bits.slice(at, at + 6).padEnd(6, '0'), 2)] ?? '';
  return text;
}
