/** Writes inline tokens as text and allowed elements. */
import type { Token, Tokens } from 'marked';
import { activeCommand } from '../../core/writing/guard/active-markdown';
import { words } from '../../text';
import {
  appendCharacters,
  appendElement,
  type Drawing,
  type InlinePlace,
  type RenderContext,
  type WriteLabel,
} from './drawing';
import { judgeLink, looksExternal } from './link-gate';
import { decodePath, writeExternalLink, writeNoteLink } from './links';
import { INLINE_NESTING_LIMIT, type MathToken, type WikilinkToken } from './tokenize';

const OUTERMOST: InlinePlace = { depth: 0, insideLink: false };

export function writeText(parent: HTMLElement, text: string, drawing: Drawing): void {
  writeInline(parent, drawing.inline(text), drawing, OUTERMOST);
}

function writeInline(
  parent: HTMLElement,
  tokens: readonly Token[],
  drawing: Drawing,
  place: InlinePlace = OUTERMOST,
): void {
  for (const token of tokens) writeToken(parent, token, drawing, place);
}

function writeToken(parent: HTMLElement, token: Tokens.Generic, drawing: Drawing, place: InlinePlace): void {
  const wrap = (tag: 'strong' | 'em' | 'del' | 'mark'): void => {
    if (place.depth >= INLINE_NESTING_LIMIT) return appendCharacters(parent, token.raw);
    writeInline(appendElement(parent, tag), token.tokens ?? [], drawing, { ...place, depth: place.depth + 1 });
  };
  switch (token.type) {
    case 'text':
      return appendCharacters(parent, decodeEntities(String(token.text)));
    case 'escape':
      return appendCharacters(parent, String(token.text));
    case 'strong':
    case 'em':
    case 'del':
      return wrap(token.type);
    case 'highlight':
      return wrap('mark');
    case 'codespan':
      return appendCharacters(appendElement(parent, 'code'), String(token.text));
    case 'br':
      return void appendElement(parent, 'br');
    case 'link':
      return writeMarkdownLink(parent, token as Tokens.Link, drawing, place);
    case 'wikilink':
      return writeWikilink(parent, token as WikilinkToken, drawing, place);
    case 'image':
      return writeImage(parent, token as Tokens.Image, drawing, place);
    case 'math':
      return writeMath(parent, token as MathToken, drawing.context);
    case 'html':
      if (/^<br\s*\/?>$/i.test(token.raw)) return void appendElement(parent, 'br');
      return appendCharacters(parent, token.raw);
    default:
      return appendCharacters(parent, token.raw);
  }
}

function writeMarkdownLink(parent: HTMLElement, token: Tokens.Link, drawing: Drawing, place: InlinePlace): void {
  const inside: InlinePlace = { depth: place.depth + 1, insideLink: true };
  if (place.insideLink) return writeInline(parent, token.tokens, drawing, inside);
  const destination = token.autolink ? token.href : decodeEntities(token.href);
  const writeLabel: WriteLabel = (element) => {
    writeInline(element, token.tokens, drawing, inside);
    if (element.textContent.trim() === '') appendCharacters(element, destination);
  };
  if (looksExternal(destination)) writeExternalLink(parent, destination, writeLabel, drawing);
  else writeNoteLink(parent, decodePath(destination), writeLabel, drawing);
}

function writeWikilink(parent: HTMLElement, token: WikilinkToken, drawing: Drawing, { insideLink }: InlinePlace): void {
  const label = decodeEntities(token.alias || token.target);
  if (insideLink) return appendCharacters(parent, label);
  const target = decodeEntities(token.target);
  if (token.embed && writeVaultImage(parent, target, label, drawing)) return;
  writeNoteLink(parent, target, (element) => appendCharacters(element, label), drawing);
}

const IMAGE_FILE = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;
/** Addresses of Obsidian itself; on mobile, a vault file has an address on localhost. */
const LOCAL_RESOURCE = /^(?:app|capacitor|blob):|^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\//i;

/** Writes images: those of the vault as images, remote ones as a box with their address. Loads nothing remote. */
function writeImage(parent: HTMLElement, token: Tokens.Image, drawing: Drawing, place: InlinePlace): void {
  const destination = decodeEntities(token.href);
  const label = decodeEntities(token.text);
  if (looksExternal(destination)) return writeRemoteImage(parent, destination, label, drawing, place);
  const linkText = decodePath(destination);
  if (writeVaultImage(parent, linkText, label, drawing)) return;
  if (place.insideLink) return appendCharacters(parent, label || linkText);
  writeNoteLink(parent, linkText, (element) => appendCharacters(element, label || linkText), drawing);
}

/** Returns false and writes nothing if the link text resolves to no image that can be shown. */
function writeVaultImage(parent: HTMLElement, linkText: string, label: string, { context }: Drawing): boolean {
  const path = context.resolveLink(linkText);
  if (path === null || !IMAGE_FILE.test(path)) return false;
  const source = context.resolveImage?.(path) ?? null;
  if (source === null || !LOCAL_RESOURCE.test(source)) return false;
  appendElement(parent, 'img', { class: 'docent-image', src: source, alt: label || path, title: path });
  return true;
}

function writeRemoteImage(
  parent: HTMLElement,
  destination: string,
  label: string,
  drawing: Drawing,
  place: InlinePlace,
): void {
  const decision = judgeLink(destination, { visibleText: '' });
  const box = appendElement(parent, 'span', { class: 'docent-remote-image' });
  const caption = appendElement(box, 'span', { class: 'docent-remote-image-caption' });
  if (decision.verdict === 'refuse') {
    appendCharacters(caption, label || words.render.imageRefused);
    appendElement(box, 'span', { class: 'docent-remote-image-address', title: words.render.refused[decision.reason] });
    return appendCharacters(box.lastElementChild ?? box, decision.shown.slice(0, 200));
  }
  appendCharacters(caption, words.render.remoteImage(decision.host, label));
  const writeAddress = (element: HTMLElement): void => appendCharacters(element, decision.shown);
  const address = appendElement(box, 'span', { class: 'docent-remote-image-address' });
  if (place.insideLink) writeAddress(address);
  else writeExternalLink(address, destination, writeAddress, drawing);
}

/** Writes a formula through Obsidian's own typesetting, or its source as code if a command of it does more. */
export function writeMath(parent: HTMLElement, { source, display }: MathToken, context: RenderContext): void {
  const isActive = activeCommand.test(source) || source.includes('^^');
  const drawn = isActive ? null : (context.renderMath?.(source, display) ?? null);
  const holder = appendElement(parent, 'span', { class: `docent-math${display ? ' is-display' : ''}` });
  if (drawn) holder.appendChild(drawn);
  else appendCharacters(appendElement(holder, 'code'), source);
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  divide: '÷',
  plusmn: '±',
  deg: '°',
  sect: '§',
  para: '¶',
  euro: '€',
  pound: '£',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  harr: '↔',
  rArr: '⇒',
  lArr: '⇐',
  le: '≤',
  ge: '≥',
  ne: '≠',
  asymp: '≈',
  infin: '∞',
  sum: '∑',
  radic: '√',
  check: '✓',
  colon: ':',
  sol: '/',
  lpar: '(',
  rpar: ')',
  period: '.',
  Tab: '\t',
  NewLine: '\n',
};

/** Decodes the character references of Markdown text, once; an unknown reference stays as it is written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/g,
    (whole, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
      return characterOf(decimal !== undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hexadecimal ?? '', 16));
    },
  );
}

function characterOf(code: number): string {
  const impossible = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return impossible ? '\ufffd' : String.fromCodePoint(code);
}
