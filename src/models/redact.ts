/** Takes keys out of what a server said: the one that was sent, and what looks like the key of anybody else. */
import { redact as redactSecrets, spellingsOf } from '../core/base/redact';

/** A gateway may quote a key of its own in its error text. */
const keyShape = /\b(?:sk|pk|rk|gsk|xai)[-_][\w*-]{8,}/g;

export function redact(text: string, secret: string | null): string {
  return redactSecrets(text, secret === null ? [] : spellingsOf(secret)).replace(keyShape, '[redacted]');
}
