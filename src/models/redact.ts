/** Takes keys out of text that may be shown, stored or logged, in every spelling a server may echo them in. */

const mark = '•••';
/** Shorter values are words like any other and would blot out half the text. */
const shortestSecret = 4;
/** Keys of others, such as one that a gateway put in its own error text. */
const keyShape = /\b(?:sk|pk|rk|gsk|xai)[-_][\w*-]{8,}/g;

export function redact(text: string, secret: string | null): string {
  let clean = text;
  for (const spelling of secret === null ? [] : spellings(secret)) clean = clean.split(spelling).join(mark);
  return clean.replace(keyShape, mark);
}

/** Longest first, so that no remainder of a longer spelling stays behind. */
function spellings(secret: string): string[] {
  const value = secret.trim();
  if (value.length < shortestSecret) return [];
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(value)));
  const bare = base64.replace(/=+$/, '');
  const all = [
    value,
    encodeURIComponent(value),
    encodeURIComponent(value).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    base64,
    bare,
    bare.replace(/\+/g, '-').replace(/\//g, '_'),
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(value).slice(1, -1).replace(/\//g, '\\/'),
  ];
  return [...new Set(all)].sort((one, other) => other.length - one.length);
}
