/** Writes block tokens as allowed elements. */
import type { Token, Tokens } from 'marked';
import { appendCharacters, appendElement } from './allow-list';
import { NESTING_LIMIT } from './bounds';
import { decodeEntities } from './entities';
import type { MathToken } from './obsidian-syntax';
import { writeCode } from './write-code';
import { writeText } from './write-inline';
import type { Drawing } from './drawing';
import { writeMath } from './write-math';

const CALLOUT = /^\[!([A-Za-z0-9_-]{1,32})(?:\|[^\]\n]{0,64})?\][+-]?[ \t]*([^\n]*)(?:\n([\s\S]*))?$/;

export function writeBlocks(parent: HTMLElement, tokens: readonly Token[], drawing: Drawing, depth = 0): void {
  for (const token of tokens) writeBlock(parent, token, drawing, depth);
}

/** Text as it stands, with its line breaks. */
export function writePlainText(parent: HTMLElement, text: string): void {
  appendCharacters(appendElement(parent, 'p', { class: 'docent-plain-text', dir: 'auto' }), text);
}

function writeBlock(parent: HTMLElement, token: Tokens.Generic, drawing: Drawing, depth: number): void {
  if (depth > NESTING_LIMIT) return writePlainText(parent, token.raw);
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return;
    case 'paragraph':
      return writeText(appendElement(parent, 'p', { dir: 'auto' }), String(token.text), drawing);
    case 'text':
      return writeText(depth === 0 ? appendElement(parent, 'p', { dir: 'auto' }) : parent, String(token.text), drawing);
    case 'heading':
      return writeText(
        appendElement(parent, headingTag(Number(token.depth)), { dir: 'auto' }),
        String(token.text),
        drawing,
      );
    case 'code':
      return writeCode(parent, String(token.text), decodeEntities(String(token.lang ?? '')), drawing);
    case 'hr':
      return void appendElement(parent, 'hr');
    case 'blockquote':
      return writeQuote(parent, token as Tokens.Blockquote, drawing, depth);
    case 'list':
      return writeList(parent, token as Tokens.List, drawing, depth);
    case 'table':
      return writeTable(parent, token as Tokens.Table, drawing);
    case 'math':
      return writeMath(appendElement(parent, 'p'), token as MathToken, drawing.context);
    default:
      return writePlainText(parent, token.raw);
  }
}

function headingTag(depth: number): 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' {
  return (['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const)[depth - 1] ?? 'h6';
}

function writeQuote(parent: HTMLElement, token: Tokens.Blockquote, drawing: Drawing, depth: number): void {
  const first = token.tokens[0];
  const callout = first?.type === 'paragraph' ? CALLOUT.exec((first as Tokens.Paragraph).text) : null;
  if (!callout)
    return writeBlocks(appendElement(parent, 'blockquote', { dir: 'auto' }), token.tokens, drawing, depth + 1);
  const [, kind = '', title = '', rest = ''] = callout;
  const quote = appendElement(parent, 'blockquote', {
    class: 'docent-callout',
    'data-callout': kind.toLowerCase(),
    dir: 'auto',
  });
  const heading = appendElement(quote, 'p', { class: 'docent-callout-title', dir: 'auto' });
  writeText(heading, title || kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase(), drawing);
  if (rest.trim() !== '') writeText(appendElement(quote, 'p', { dir: 'auto' }), rest, drawing);
  writeBlocks(quote, token.tokens.slice(1), drawing, depth + 1);
}

function writeList(parent: HTMLElement, token: Tokens.List, drawing: Drawing, depth: number): void {
  const start = token.ordered && token.start !== '' && token.start !== 1 ? { start: String(token.start) } : {};
  const list = appendElement(parent, token.ordered ? 'ol' : 'ul', start);
  for (const item of token.items) writeListItem(list, item, drawing, depth);
}

function writeListItem(list: HTMLElement, item: Tokens.ListItem, drawing: Drawing, depth: number): void {
  const state = item.checked ? ' is-checked' : '';
  const element = appendElement(list, 'li', {
    dir: 'auto',
    ...(item.task ? { class: `task-list-item${state}` } : {}),
  });
  if (!item.task) return writeBlocks(element, item.tokens, drawing, depth + 1);
  appendElement(element, 'input', {
    type: 'checkbox',
    class: 'task-list-item-checkbox',
    disabled: '',
    ...(item.checked ? { checked: '' } : {}),
  });
  const [first, ...rest] = item.tokens.filter(({ type }) => type !== 'checkbox') as Tokens.Generic[];
  if (!first) return;
  const words = { ...first, text: String(first.text ?? '').replace(/^\[[ xX]\][ \t]+/, '') };
  const holdsMark = first.type === 'paragraph' || first.type === 'text';
  writeBlocks(element, [holdsMark ? words : first, ...rest], drawing, depth + 1);
}

function writeTable(parent: HTMLElement, token: Tokens.Table, drawing: Drawing): void {
  const box = appendElement(parent, 'div', { class: 'docent-table' });
  const table = appendElement(box, 'table');
  const writeRow = (section: HTMLElement, cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): void => {
    const row = appendElement(section, 'tr');
    for (const cell of cells) {
      const align = cell.align ? { align: cell.align } : {};
      writeText(appendElement(row, tag, { dir: 'auto', ...align }), cell.text, drawing);
    }
  };
  writeRow(appendElement(table, 'thead'), token.header, 'th');
  if (token.rows.length === 0) return;
  const body = appendElement(table, 'tbody');
  for (const row of token.rows) writeRow(body, row, 'td');
}
