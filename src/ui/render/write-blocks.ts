/** Writes block tokens as allowed elements. */
import type { Token, Tokens } from 'marked';
import { startWithEllipsis } from '../../core/base/cut';
import { words } from '../../text';
import { appendCharacters, appendElement, type Drawing, type RenderContext } from './drawing';
import { decodeEntities } from './entities';
import { writeMath } from './late-drawing';
import {
  CELL_LIMIT,
  countOf,
  type Definitions,
  type FootnoteTextToken,
  type MathToken,
  NESTING_LIMIT,
  nestsTooDeep,
  noDefinitions,
  type TokenizedBlock,
  TooMuchWork,
  tokenizeBlock,
} from './tokenize';
import { writeCode, writeSource } from './write-code';
import { writeText } from './write-inline';

export interface DrawnBlock {
  readonly source: string;
  readonly nodes: readonly Node[];
  readonly definitions: Definitions;
  /** Labels between brackets that no known definition matches; a later definition may turn them into links. */
  readonly openLabels: readonly string[];
  /** Runs what waits until the block cannot change any more. */
  readonly settle: () => void;
}

/** What the blocks of one text share. */
export interface SharedByBlocks {
  readonly context: RenderContext;
  readonly drawInside: Drawing['drawInside'];
}

/** Draws one block at the end of an element, as Markdown where that is safe and as plain text elsewhere. */
export function drawBlock(target: HTMLElement, source: string, known: Definitions, shared: SharedByBlocks): DrawnBlock {
  const isLong = isLongTable(source);
  const block = isLong ? null : tokenizeSafely(source, known);
  const afterwards: (() => void)[] = [];
  const footnotes: string[] = [];
  // Each node added inside the page has the text direction of what is around it worked out again.
  const drawn = target.cloneNode() as HTMLElement;
  if (block) {
    const drawing: Drawing = { ...shared, inline: block.inline, afterwards, footnotes };
    writeBlocks(drawn, block.tokens, drawing);
    // The text of a footnote may have footnotes, each of them shorter, so there is an end.
    for (let at = 0; at < footnotes.length; at += 1) writeInlineFootnote(drawn, footnotes[at] ?? '', drawing);
  } else if (isLong) writeSource(drawn, source, words.render.tableTooLong);
  else writePlainText(drawn, source);
  const nodes = Array.from(drawn.childNodes);
  for (const node of nodes) target.append(node);
  return {
    source,
    nodes,
    definitions: block?.definitions ?? noDefinitions(),
    openLabels: [...(block?.labels ?? [])].filter((label) => !(label in known)),
    settle: () => afterwards.splice(0).forEach((act) => act()),
  };
}

function tokenizeSafely(source: string, known: Definitions): TokenizedBlock | null {
  const isCode = /^ {0,3}(?:`{3,}[^`\n]*(?:\n|$)|~{3})/.test(source);
  if (!isCode && nestsTooDeep(source)) return null;
  try {
    return tokenizeBlock(source, known);
  } catch (thrown) {
    // What nests in a way that was not counted, as below code in the same block, may overflow the stack.
    if (thrown instanceof TooMuchWork || thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** Lines of a table that is drawn as one. */
const TABLE_LIMIT = 1_000;

/** Whether a block is a table with too many rows or cells, as its first lines show. */
function isLongTable(source: string): boolean {
  const header = source.indexOf('\n');
  const delimiters = source.slice(header + 1, source.indexOf('\n', header + 1));
  if (!source.slice(0, header).includes('|') || !delimiters.includes('-') || !/^[\s|:-]*$/.test(delimiters))
    return false;
  const limit = Math.min(TABLE_LIMIT, CELL_LIMIT / countOf('|', source.slice(0, header)));
  let lines = 0;
  for (let at = source.indexOf('\n'); at !== -1 && lines <= limit; at = source.indexOf('\n', at + 1)) lines += 1;
  return lines > limit;
}

const CALLOUT = /^\[!([A-Za-z0-9_-]{1,32})(?:\|([^\]\n]{0,64}))?\]([+-]?)[ \t]*([^\n]*)(?:\n([\s\S]*))?$/;

function writeBlocks(parent: HTMLElement, tokens: readonly Token[], drawing: Drawing, depth = 0): void {
  for (const token of tokens) writeBlock(parent, token, drawing, depth);
}

/** Writes text unformatted, with its line breaks. */
export function writePlainText(parent: HTMLElement, text: string): HTMLElement {
  const paragraph = appendElement(parent, 'p', { class: 'docent-plain-text', dir: 'auto' });
  appendCharacters(paragraph, text);
  return paragraph;
}

function writeBlock(parent: HTMLElement, token: Tokens.Generic, drawing: Drawing, depth: number): void {
  if (depth > NESTING_LIMIT) return void writePlainText(parent, token.raw);
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return;
    case 'paragraph':
      return writeParagraph(parent, String(token.text), drawing);
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
      return writeMath(appendElement(parent, 'p'), token as MathToken, drawing);
    case 'footnote':
      return writeFootnote(parent, token as FootnoteTextToken, drawing, depth);
    default:
      return void writePlainText(parent, token.raw);
  }
}

/** Links to notes alone in a paragraph: where what is quoted above them comes from. */
const CITATION = /^(?:\s*(?:\[\[[^[\]\n]+\]\]|\[[^[\]\n]+\]\((?![a-z]+:)[^()\s]+\)))+\s*$/i;

function writeParagraph(parent: HTMLElement, text: string, drawing: Drawing): void {
  const attributes = CITATION.test(text) ? { class: 'docent-citation' } : {};
  writeText(appendElement(parent, 'p', { dir: 'auto', ...attributes }), text, drawing);
}

function headingTag(depth: number): 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' {
  return (['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const)[depth - 1] ?? 'h6';
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Returns the direction of a box whose words are in elements with directions of their own, which `auto` leaves out. */
function directionOf(text: string): 'rtl' | 'auto' {
  const [letter = ''] = /\p{L}/u.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'auto';
}

function writeQuote(parent: HTMLElement, token: Tokens.Blockquote, drawing: Drawing, depth: number): void {
  const first = token.tokens[0];
  const callout = first?.type === 'paragraph' ? CALLOUT.exec((first as Tokens.Paragraph).text) : null;
  if (!callout)
    return writeBlocks(
      appendElement(parent, 'blockquote', { dir: directionOf(token.text) }),
      token.tokens,
      drawing,
      depth + 1,
    );
  writeCallout(parent, token, callout, drawing, depth);
}

function writeCallout(
  parent: HTMLElement,
  token: Tokens.Blockquote,
  [, name = '', metadata = '', fold = '', title = '', rest = '']: RegExpExecArray,
  drawing: Drawing,
  depth: number,
): void {
  const kind = name.toLowerCase();
  const box = appendElement(parent, 'div', {
    class: `callout docent-callout${fold === '-' ? ' is-collapsed' : ''}`,
    'data-callout': kind,
    'data-callout-metadata': metadata,
    'data-callout-fold': fold,
    dir: directionOf(title || token.text.replace(/^\[![^\]]*\]/, '')),
  });
  const heading = appendElement(box, 'div', { class: 'callout-title', dir: 'auto' });
  const icon = appendElement(heading, 'div', { class: 'callout-icon', 'aria-hidden': 'true' });
  drawing.context.showIcon?.(icon, calloutIcon(kind));
  const shown = title || `${name.charAt(0).toUpperCase()}${kind.slice(1)}`;
  writeText(appendElement(heading, 'div', { class: 'callout-title-inner' }), shown, drawing);
  const blocks = token.tokens.slice(1).filter(({ type }) => type !== 'space');
  const text = rest.trim();
  if (text === '' && blocks.length === 0) return;
  const content = appendElement(box, 'div', { class: 'callout-content' });
  if (text !== '') writeText(appendElement(content, 'p', { dir: 'auto' }), rest, drawing);
  writeBlocks(content, blocks, drawing, depth + 1);
  if (fold !== '') makeFoldable(box, heading, drawing);
}

/** Obsidian's kinds of callouts with their icons; the first name of each is that of its look. */
const CALLOUT_ICONS: readonly (readonly [icon: string, ...kinds: string[]])[] = [
  ['lucide-pencil', 'note'],
  ['lucide-clipboard-list', 'abstract', 'summary', 'tldr'],
  ['lucide-info', 'info'],
  ['lucide-check-circle-2', 'todo'],
  ['lucide-flame', 'tip', 'hint', 'important'],
  ['lucide-check', 'success', 'check', 'done'],
  ['lucide-help-circle', 'question', 'help', 'faq'],
  ['lucide-alert-triangle', 'warning', 'caution', 'attention'],
  ['lucide-x', 'failure', 'fail', 'missing'],
  ['lucide-zap', 'danger', 'error'],
  ['lucide-bug', 'bug'],
  ['lucide-list', 'example'],
  ['lucide-quote', 'quote', 'cite'],
];

function calloutIcon(kind: string): string {
  return CALLOUT_ICONS.find(([, ...kinds]) => kinds.includes(kind))?.[0] ?? 'lucide-pencil';
}

function makeFoldable(box: HTMLElement, heading: HTMLElement, { context }: Drawing): void {
  const chevron = appendElement(heading, 'div', { class: 'callout-fold', 'aria-hidden': 'true' });
  context.showIcon?.(chevron, 'lucide-chevron-down');
  heading.setAttrs({ role: 'button', tabindex: '0' });
  const show = (isCollapsed: boolean): void => {
    box.classList.toggle('is-collapsed', isCollapsed);
    chevron.classList.toggle('is-collapsed', isCollapsed);
    heading.setAttribute('aria-expanded', String(!isCollapsed));
  };
  show(box.classList.contains('is-collapsed'));
  const turn = (): void => show(!box.classList.contains('is-collapsed'));
  // A link in the title opens what it leads to, and stops its own events.
  heading.addEventListener('click', turn);
  heading.addEventListener('keydown', (event) => {
    if (event.target !== heading || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    turn();
  });
}

/** Writes the text of a footnote where the model wrote it. */
function writeFootnote(parent: HTMLElement, token: FootnoteTextToken, drawing: Drawing, depth: number): void {
  const { label } = token;
  const foot = appendElement(parent, 'div', {
    class: 'docent-footnote',
    'data-footnote': label,
    dir: directionOf(token.tokens.map(({ raw }) => raw).join('')),
    tabindex: '-1',
  });
  appendCharacters(appendElement(foot, 'span', { class: 'docent-footnote-mark' }), label);
  writeBlocks(appendElement(foot, 'div', { class: 'docent-footnote-text' }), token.tokens, drawing, depth + 1);
}

function writeInlineFootnote(parent: HTMLElement, text: string, drawing: Drawing): void {
  const foot = appendElement(parent, 'div', { class: 'docent-footnote is-inline', dir: 'auto' });
  appendCharacters(appendElement(foot, 'span', { class: 'docent-footnote-mark' }), '*');
  writeText(appendElement(foot, 'div', { class: 'docent-footnote-text' }), text, drawing);
}

function writeList(parent: HTMLElement, token: Tokens.List, drawing: Drawing, depth: number): void {
  const start = token.ordered && token.start !== '' && token.start !== 1 ? { start: String(token.start) } : {};
  const list = appendElement(parent, token.ordered ? 'ol' : 'ul', start);
  for (const item of token.items) writeListItem(list, item, drawing, depth);
}

function writeListItem(list: HTMLElement, item: Tokens.ListItem, drawing: Drawing, depth: number): void {
  const state = item.checked ? ' is-checked' : '';
  const element = appendElement(list, 'li', {
    dir: directionOf(item.text),
    ...(item.task ? { class: `task-list-item${state}` } : {}),
  });
  if (!item.task) return writeBlocks(element, item.tokens, drawing, depth + 1);
  const box = appendElement(element, 'input', {
    type: 'checkbox',
    class: 'task-list-item-checkbox',
    disabled: '',
    ...(item.checked ? { checked: '' } : {}),
  });
  const [first, ...rest] = item.tokens.filter(({ type }) => type !== 'checkbox') as Tokens.Generic[];
  const holdsMark = first?.type === 'paragraph' || first?.type === 'text';
  // The tokenizer leaves the mark in the text of a loose list alone.
  const mark = item.loose ? /^\[[ xX]\][ \t]+/ : '';
  const text = holdsMark ? String(first?.text ?? '').replace(mark, '') : '';
  box.setAttribute('aria-label', startWithEllipsis(text, 200) || words.render.task);
  if (first) writeBlocks(element, [holdsMark ? { ...first, text } : first, ...rest], drawing, depth + 1);
}

function writeTable(parent: HTMLElement, token: Tokens.Table, drawing: Drawing): void {
  // A box that scrolls can be reached and scrolled by keys. A label would be a tooltip over all of the table.
  const isRightToLeft = directionOf(token.header.map(({ text }) => text).join(' ')) === 'rtl';
  const direction = isRightToLeft ? { dir: 'rtl' } : {};
  const box = appendElement(parent, 'div', { class: 'docent-table', tabindex: '0', ...direction });
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
