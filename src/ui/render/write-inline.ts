/** Writes inline tokens as text and allowed elements. */
import type { Token, Tokens } from 'marked';
import { appendCharacters, appendElement } from './allow-list';
import { INLINE_NESTING_LIMIT } from './bounds';
import type { Drawing, InlinePlace } from './drawing';
import { decodeEntities } from './entities';
import type { MathToken, WikilinkToken } from './obsidian-syntax';
import { writeMarkdownLink, writeWikilink } from './write-link';
import { writeImage } from './write-image';
import { writeMath } from './write-math';

const OUTERMOST: InlinePlace = { depth: 0, insideLink: false };

export function writeText(parent: HTMLElement, text: string, drawing: Drawing): void {
  writeInline(parent, drawing.inline(text), drawing, OUTERMOST);
}

export function writeInline(
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
      return writeMarkdownLink(parent, token as Tokens.Link, drawing, place, writeInline);
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
