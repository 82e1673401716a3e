/** Addresses in text, in every spelling that Markdown, HTML, and YAML decode. Everything here takes linear time. */
import { decodeEntities } from '../../markdown/links';

/**
 * Returns a text as readers decode it: without escapes and character references, and without the tabs and line ends
 * inside the scheme of a web address, which browsers drop.
 */
export function decodeSpelling(text: string): string {
  const plain = text.includes('&') ? decodeEntities(text.replace(looseReference, '$1;')) : text;
  const whole = plain.replace(splitScheme, (scheme) => scheme.replace(/[\t\n\r]/g, ''));
  return whole.includes('\\') ? whole.replace(/\\([!-/:-@[-`{-~])/g, '$1') : whole;
}

const splitScheme = /h[\t\n\r]*t[\t\n\r]*t[\t\n\r]*p[\t\n\r]*(?:s[\t\n\r]*)?:(?:\t+|[\t\n\r]+(?=[\\/]))?/gi;

/** A numeric character reference as HTML accepts it: with leading zeros, and without its semicolon. */
const looseReference = /(&#(?:x0*[0-9a-f]{1,6}(?![0-9a-f;])|0*\d{1,7}(?![\d;])))/gi;

/** Returns a text without the escapes that YAML knows between double quotes, folded lines included. */
export function decodeYamlEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    // In lower case, the mark of a code point is followed by four digits, in upper case by eight.
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|\r?\n[ \t]*|([^\r\n]))/g,
    (_whole, byte?: string, unit?: string, point?: string, other?: string) => {
      const code = parseInt(byte ?? unit ?? point ?? '', 16);
      if (Number.isNaN(code)) return other === undefined ? '' : (yamlNames[other] ?? other);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}

const yamlNames: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\n', N: '\n', L: '\n', P: '\n', _: ' ' };

/** Returns the decoded address that begins at an offset, after blanks, quote marks, and an opening angle bracket. */
export function addressAt(text: string, offset: number): string {
  let start = offset;
  while (start < text.length && skipped.includes(text.charAt(start))) start += 1;
  let end = start;
  while (end < text.length && !stops.includes(text.charAt(end))) end += 1;
  return start === end ? '' : decodeAddress(text.slice(start, end));
}

const skipped = ' \t\n<>';
const stops = ' \n<>"\'`)]';

/** Returns an address as a browser reads it, which also drops tabs, line ends, and control characters before it. */
export function decodeAddress(written: string): string {
  const address = decodeSpelling(written).replace(/[\t\n\r]/g, '');
  let start = 0;
  while (address.charCodeAt(start) <= 0x20) start += 1;
  return address.slice(start);
}

export function schemeOf(address: string): string | null {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase() ?? null;
}

/** Whether an address has a scheme that only opens a page or a message. */
export function isOpenScheme(address: string): boolean {
  return /^(?:https?|mailto):/i.test(address);
}

/** Whether an image at this address is loaded from outside the vault. */
export function isRemote(address: string): boolean {
  return isOpenScheme(address) || /^[\\/]{2}/.test(address);
}

export function hostOf(address: string): string {
  const [, host = ''] =
    /^(?:https?:[\\/]*|[\\/]{2}|(?=www\.))(?:[^/?#\\\s]*@)?([^/:?#\\)\]>"'`|\s]*)/i.exec(address) ?? [];
  return host.toLowerCase();
}

const web = /(?:https?:|(?:^|[^a-z0-9_])www\.)[^\s<>"'`|]{1,4096}/gi;

/** Returns the web addresses in a text, decoded, each once, without the punctuation that follows them. */
export function webAddressesIn(text: string): string[] {
  const found = [text, decodeSpelling(text)].flatMap((view, index) =>
    index === 1 && view === text ? [] : inView(view),
  );
  return [...new Set(found)];
}

function inView(text: string): string[] {
  return (text.match(web) ?? []).map((found) => trimEnd(/^[hw]/i.test(found) ? found : found.slice(1)));
}

const closing = '.,;:!?*_~)]}\\';

function trimEnd(address: string): string {
  let end = address.length;
  while (end > 0 && closing.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

/** Decodes percent escapes; invalid ones stay unchanged. */
export function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
