/** Removes exact secrets from text, in every encoding in which they could appear. */

const mark = '[redacted]';

/** Secrets shorter than this are not keys; replacing them would garble ordinary words. */
const minSecretLength = 6;

/**
 * Returns the text without any of the secrets: raw, URL-encoded, JSON-escaped, or in Base64 at each of its three
 * alignments.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < minSecretLength) continue;
    for (const form of formsOf(secret)) clean = clean.split(form).join(mark);
  }
  return clean;
}

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
