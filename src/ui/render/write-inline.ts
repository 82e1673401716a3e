/** Writes inline tokens as text and allowed elements, images and embeds among them. */
import type { Token, Tokens } from 'marked';
import { startOf, startWithEllipsis } from '../../core/base/cut';
import { words } from '../../text';
import { appendCharacters, appendElement, type Drawing, type InlinePlace, type WriteLabel } from './drawing';
import { decodeEntities } from './entities';
import { whenSeen, writeMath, writeSourceNote } from './late-drawing';
import { judgeLink, looksExternal } from './link-gate';
import { decodePath, writeExternalLink, writeNoteLink, writeTag } from './links';
import { type FootnoteToken, INLINE_NESTING_LIMIT, type MathToken, type WikilinkToken } from './tokenize';

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
      return writeWords(parent, decodeEntities(String(token.text)), drawing, place);
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
      return writeMath(parent, token as MathToken, drawing);
    case 'footnote-reference':
      return writeFootnoteReference(parent, token as FootnoteToken, drawing, place);
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

/** Returns what Obsidian shows for a link that has no text of its own. */
function shownTarget(target: string): string {
  return target.replace(/^#/, '').replaceAll('#', ' > ');
}

function writeWikilink(parent: HTMLElement, token: WikilinkToken, drawing: Drawing, { insideLink }: InlinePlace): void {
  const label = decodeEntities(token.alias) || shownTarget(decodeEntities(token.target));
  if (insideLink) return appendCharacters(parent, label);
  const target = decodeEntities(token.target);
  if (token.embed) return writeEmbed(parent, target, decodeEntities(token.alias), drawing);
  writeNoteLink(parent, target, (element) => appendCharacters(element, label), drawing);
}

/** A tag as Obsidian reads it: not only digits, and apart from the word before it. */
const TAG =
  /(^|\s)#(?!\p{N}+(?![\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]))([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]{1,200})/gu;

/** Writes plain text, and the tags in it. */
function writeWords(parent: HTMLElement, text: string, drawing: Drawing, { insideLink }: InlinePlace): void {
  if (drawing.context.openSearch === undefined || insideLink || !text.includes('#'))
    return appendCharacters(parent, text);
  let from = 0;
  for (const { index, 0: whole, 1: before = '', 2: name = '' } of text.matchAll(TAG)) {
    if (index === 0 && before === '' && !followsSpace(parent)) continue;
    appendCharacters(parent, text.slice(from, index) + before);
    writeTag(parent, `#${name}`, drawing);
    from = index + whole.length;
  }
  appendCharacters(parent, text.slice(from));
}

/** Whether what is written next begins a word. */
function followsSpace({ lastChild, localName }: Element): boolean {
  if (lastChild === null) return /^(?:p|li|td|th|h[1-6]|div)$/.test(localName);
  return lastChild.nodeName === 'BR' || (lastChild.nodeType === 3 && /\s$/.test(lastChild.textContent ?? ''));
}

/** Writes the number of a footnote; its text is at the foot of the block, or where the model wrote it. */
function writeFootnoteReference(
  parent: HTMLElement,
  { label, text }: FootnoteToken,
  drawing: Drawing,
  { insideLink }: InlinePlace,
): void {
  if (insideLink) return appendCharacters(parent, text ?? `[${label}]`);
  const isInline = text !== undefined;
  if (isInline) drawing.footnotes.push(text);
  const shown = isInline ? '*'.repeat(Math.min(drawing.footnotes.length, 5)) : label;
  const sign = appendElement(parent, 'sup', { class: 'docent-footnote-reference' });
  if (isInline) return appendCharacters(sign, shown);
  const button = appendElement(sign, 'a', {
    class: 'footnote-link docent-link',
    role: 'link',
    tabindex: '0',
    'data-footnote': label,
    'aria-label': words.render.footnote(label),
  });
  appendCharacters(button, shown);
}

// Images and embeds: of the vault as such, of other places as a box with the address. Nothing remote is loaded.

const IMAGE_FILE = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;
/** Addresses of Obsidian itself; on mobile, a vault file has an address on localhost. */
const LOCAL_RESOURCE = /^(?:app|capacitor|blob):|^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\//i;
/** Bytes of an image that is shown without being asked for. */
const IMAGE_LIMIT = 10_000_000;
/** Characters of an embedded note that are drawn, and how deep notes are embedded in notes. */
const NOTE_LIMIT = 40_000;
const DEPTH_LIMIT = 3;

/** Writes `![label](destination)`. */
function writeImage(parent: HTMLElement, token: Tokens.Image, drawing: Drawing, place: InlinePlace): void {
  const destination = decodeEntities(token.href);
  const label = decodeEntities(token.text);
  if (looksExternal(destination)) return writeRemoteImage(parent, destination, label, drawing, place);
  const linkText = decodePath(destination);
  if (place.insideLink) return appendCharacters(parent, label || linkText);
  writeEmbed(parent, linkText, label, drawing);
}

/** Writes what `![[target|alias]]` names: a link while the block grows, then the image or the note. */
function writeEmbed(parent: HTMLElement, target: string, alias: string, drawing: Drawing): void {
  const { context, afterwards } = drawing;
  const path = context.resolveLink(target);
  const writeLink = (at: HTMLElement, label: string): void =>
    writeNoteLink(at, target, (element) => appendCharacters(element, label), drawing);
  const [, label = '', width, height] = /^(.*?)(?:(?:^|\|)(\d{1,4})(?:x(\d{1,4}))?)?$/.exec(alias) ?? [];
  if (path === null) return writeLink(parent, label || shownTarget(target));
  const holder = appendElement(parent, 'span', { class: 'docent-embed' });
  writeLink(holder, label || shownTarget(target));
  if (IMAGE_FILE.test(path)) {
    afterwards.push(() => showImage(holder, { path, label, width, height }, drawing));
  } else if (path.endsWith('.md') && context.readNote !== undefined) {
    afterwards.push(() => showNote(holder, path, target, drawing));
  }
}

interface ShownImage {
  readonly path: string;
  readonly label: string;
  readonly width: string | undefined;
  readonly height: string | undefined;
}

function showImage(holder: HTMLElement, { path, label, width, height }: ShownImage, { context }: Drawing): void {
  const source = context.resolveImage?.(path) ?? null;
  if (source === null || !LOCAL_RESOURCE.test(source)) return;
  const say = words.render;
  const size = context.sizeOf?.(path);
  if (size === null) return writeSourceNote(holder, say.imageMissing(path));
  const show = (): void => {
    holder.empty();
    const image = appendElement(holder, 'img', {
      class: 'docent-image',
      alt: label || path,
      title: path,
      role: 'link',
      tabindex: '0',
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
    });
    image.addEventListener('error', () => {
      holder.empty();
      writeSourceNote(holder, say.imageFailed(path));
    });
    image.addEventListener('click', () => context.openNote(path, false));
    image.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      context.openNote(path, false);
    });
    image.setAttribute('src', source);
  };
  const isLarge = size !== undefined && size > IMAGE_LIMIT;
  if (isLarge) writeRequest(holder, say.showLargeImage(Math.round(size / 1e6)), show);
  else if (context.tainted) writeRequest(holder, say.showImage, show);
  else show();
}

function showNote(holder: HTMLElement, path: string, linkText: string, { context, drawInside }: Drawing): void {
  const say = words.render;
  const outside = context.embeddedIn ?? [];
  if (outside.includes(path)) return writeSourceNote(holder, say.embedsItself);
  if (outside.length >= DEPTH_LIMIT) return;
  const show = async (): Promise<void> => {
    const text = (await context.readNote?.(path, linkText)) ?? null;
    if (text === null) return writeSourceNote(holder, say.embedFailed);
    const box = appendElement(holder, 'div', { class: 'docent-embedded-note', tabindex: '0' });
    // The rest of the context stays as it is, and what it knows of the chat stays current.
    const inside = Object.create(context, { embeddedIn: { value: [...outside, path] } }) as typeof context;
    drawInside(box, startOf(text, NOTE_LIMIT), inside);
    if (text.length > NOTE_LIMIT) writeSourceNote(box, say.embedCut);
    holder.classList.add('is-open');
  };
  if (context.tainted) writeRequest(holder, say.showNote, () => void show());
  else whenSeen(holder, show);
}

/** Writes a button that does what it says once. */
function writeRequest(holder: HTMLElement, label: string, act: () => void): void {
  const button = appendElement(holder, 'button', { class: 'docent-embed-request', type: 'button' });
  appendCharacters(button, label);
  button.addEventListener('click', (event) => {
    event.stopPropagation();
    button.detach();
    act();
  });
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
    return appendCharacters(box.lastElementChild ?? box, startWithEllipsis(decision.shown, 200));
  }
  appendCharacters(caption, words.render.remoteImage(decision.host, label));
  const writeAddress = (element: HTMLElement): void => appendCharacters(element, decision.shown);
  const address = appendElement(box, 'span', { class: 'docent-remote-image-address' });
  if (place.insideLink) writeAddress(address);
  else writeExternalLink(address, destination, writeAddress, drawing);
}
