/** Writes inline tokens as text and allowed elements. */
import type { Token, Tokens } from 'marked';
import { words } from '../../text';
import { appendCharacters, appendElement, type Drawing, type InlinePlace, type WriteLabel } from './drawing';
import { decodeEntities } from './entities';
import { writeMath } from './late-drawing';
import { looksExternal } from './link-gate';
import { decodePath, writeExternalLink, writeNoteLink, writeTag } from './links';
import { type FootnoteToken, INLINE_NESTING_LIMIT, type MathToken, type WikilinkToken } from './tokenize';
import { writeEmbed, writeImage } from './write-embed';

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

function writeWikilink(parent: HTMLElement, token: WikilinkToken, drawing: Drawing, { insideLink }: InlinePlace): void {
  const label = decodeEntities(token.alias || token.target);
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
