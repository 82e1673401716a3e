/** Takes the key that a server was sent out of whatever it answers, in every form in which it could come back. */
import { redact, spellingsOf } from '../core/base/redact';

/** @returns null where there is nothing to take out */
export type RedactKey = ((text: string) => string) | null;

export function redactorOf(key: string | null): RedactKey {
  if (key === null) return null;
  const spellings = spellingsOf(key);
  // No spelling is shorter than the key itself.
  return (text) => (text.length < key.length ? text : redact(text, spellings));
}
