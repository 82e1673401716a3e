/** Takes keys out of what a server said: the one that was sent, and what looks like the key of anybody else. */
import { redact as redactSecrets } from '../core/diagnostics/redact';

/** A gateway may quote a key of its own in its error text. */
const keyShape = /\b(?:sk|pk|rk|gsk|xai)[-_][\w*-]{8,}/g;

export function redact(text: string, secret: string | null): string {
  return redactSecrets(text, secret === null ? [] : spellings(secret)).replace(keyShape, '[redacted]');
}

/** What servers make of a key before the usual encodings: escaped slashes, small hexadecimal digits, Base64 for URLs. */
function spellings(secret: string): string[] {
  const small = encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const forUrls = btoa(secret).replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_');
  return [secret, secret.replace(/\//g, '\\/'), small, forUrls];
}
