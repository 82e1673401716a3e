/** Takes the key that a server was sent out of whatever it answers, in every form in which it could come back. */
import { redact } from '../core/diagnostics/redact';

/** @returns null where there is nothing to take out */
export type RedactKey = ((text: string) => string) | null;

export function redactorOf(key: string | null): RedactKey {
  if (key === null) return null;
  const spellings = spellingsOf(key);
  // No spelling is shorter than the key itself.
  return (text) => (text.length < key.length ? text : redact(text, spellings));
}

/** What servers make of a key before the usual encodings: escaped slashes, small hexadecimal digits, Base64 for URLs. */
function spellingsOf(key: string): string[] {
  const small = encodeURIComponent(key).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const forUrls = btoa(key).replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_');
  return [key, key.replace(/\//g, '\\/'), small, forUrls];
}
