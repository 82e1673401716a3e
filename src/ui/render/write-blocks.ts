/** Writes block tokens as allowed elements. */
import type { Token, Tokens } from 'marked';
import { words } from '../../text';
import { appendCharacters, appendElement, type Drawing, type RenderContext } from './drawing';
import {
  type Definitions,
  type MathToken,
  NESTING_LIMIT,
  nestsTooDeep,
  noDefinitions,
  type TokenizedBlock,
  TooMuchWork,
  tokenizeBlock,
} from './tokenize';
import { decodeEntities, writeMath, writeText } from './write-inline';

export interface DrawnBlock {
  readonly source: string;
  readonly nodes: readonly Node[];
  readonly definitions: Definitions;
  /** Labels between brackets that no known definition matches; a later definition may turn them into links. */
  readonly openLabels: readonly string[];
  /** Runs what waits until the block cannot change any more. */
  readonly settle: () => void;
}

/** Draws one block at the end of an element, as Markdown where that is safe and as plain text elsewhere. */
export function drawBlock(target: HTMLElement, source: string, known: Definitions, context: RenderContext): DrawnBlock {
  const block = tokenizeSafely(source, known);
  const afterwards: (() => void)[] = [];
  // Each node added inside the page has the text direction of what is around it worked out again.
  const drawn = target.cloneNode() as HTMLElement;
  if (block) writeBlocks(drawn, block.tokens, { context, inline: block.inline, afterwards });
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
  const isCode = /^ {0,3}(?:`{3}|~{3})/.test(source);
  if (!isCode && nestsTooDeep(source)) return null;
  try {
    return tokenizeBlock(source, known);
  } catch (thrown) {
    if (thrown instanceof TooMuchWork) return null;
    throw thrown;
  }
}

const CALLOUT = /^\[!([A-Za-z0-9_-]{1,32})(?:\|[^\]\n]{0,64})?\][+-]?[ \t]*([^\n]*)(?:\n([\s\S]*))?$/;

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
      return void writePlainText(parent, token.raw);
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

const NOTE_SHOWN_MS = 1_500;

/** Writes a code block: its language, a copy button, and its text. Code is never run. */
function writeCode(parent: HTMLElement, code: string, info: string, { context, afterwards }: Drawing): void {
  const language = languageOf(info);
  const box = appendElement(parent, 'div', { class: 'docent-code', dir: 'ltr' });
  const header = appendElement(box, 'div', { class: 'docent-code-header' });
  appendCharacters(appendElement(header, 'span', { class: 'docent-code-language' }), language);
  writeCopyButton(header, code);
  const element = appendElement(
    appendElement(box, 'pre'),
    'code',
    language === '' ? {} : { class: `language-${language}` },
  );
  appendCharacters(element, code);
  if (language !== '') afterwards.push(() => context.highlight?.(code, language, element));
}

/** Returns the first word of the info string if it reads like a language name. */
function languageOf(info: string): string {
  return /^\{?\.?([A-Za-z0-9_+#.-]{1,32})(?=[\s}:,]|$)/.exec(info)?.[1]?.toLowerCase() ?? '';
}

function writeCopyButton(parent: HTMLElement, code: string): void {
  const button = appendElement(parent, 'button', {
    class: 'docent-copy-code clickable-icon',
    type: 'button',
    'aria-label': words.render.copyCode,
  });
  appendCharacters(button, words.render.copy);
  button.addEventListener('click', (event) => {
    event.stopPropagation();
    void copyText(button, code);
  });
}

async function copyText(button: HTMLElement, text: string): Promise<void> {
  const view = button.ownerDocument.defaultView;
  try {
    if (!view) throw new Error('The button is in no window.');
    await view.navigator.clipboard.writeText(text);
    button.textContent = words.render.copied;
  } catch {
    // The system may deny access to the clipboard; the text remains selectable.
    button.textContent = words.render.copyFailed;
  }
  view?.setTimeout(() => (button.textContent = words.render.copy), NOTE_SHOWN_MS);
}
