/** Turns HTML into Markdown, for pasted and fetched pages. */
import { sanitizeHTMLToDom } from './sanitize';

const BLOCKS = new Set([
  'P',
  'DIV',
  'SECTION',
  'ARTICLE',
  'MAIN',
  'HEADER',
  'FOOTER',
  'FIGURE',
  'DL',
  'DD',
  'DT',
  'FORM',
  'ASIDE',
  'NAV',
]);
const DROPPED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'IFRAME']);

export function htmlToMarkdown(html: string | HTMLElement | Document | DocumentFragment): string {
  const root: Node = typeof html === 'string' ? sanitizeHTMLToDom(html) : 'body' in html ? html.body : html;
  return convertChildren(root)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function convertChildren(node: Node): string {
  return Array.from(node.childNodes).map(convert).join('');
}

function convert(node: Node): string {
  if (node.nodeType === 3) return (node.textContent ?? '').replace(/\s+/g, ' ');
  if (node.nodeType !== 1) return '';
  const el = node as HTMLElement;
  const name = el.tagName;
  if (DROPPED.has(name)) return '';
  const inner = (): string => convertChildren(el);
  if (/^H[1-6]$/.test(name)) return `\n\n${'#'.repeat(Number(name[1]))} ${inner().trim()}\n\n`;
  if (BLOCKS.has(name)) return `\n\n${inner().trim()}\n\n`;
  switch (name) {
    case 'BR':
      return '\n';
    case 'HR':
      return '\n\n---\n\n';
    case 'STRONG':
    case 'B':
      return wrap(inner(), '**');
    case 'EM':
    case 'I':
      return wrap(inner(), '*');
    case 'DEL':
    case 'S':
      return wrap(inner(), '~~');
    case 'MARK':
      return wrap(inner(), '==');
    case 'CODE':
      return wrap(el.textContent ?? '', '`');
    case 'PRE':
      return `\n\n${convertCode(el)}\n\n`;
    case 'A':
      return convertLink(el, inner());
    case 'IMG':
      return `![${el.getAttribute('alt') ?? ''}](${el.getAttribute('src') ?? ''})`;
    case 'UL':
    case 'OL':
      return `\n\n${convertList(el)}\n\n`;
    case 'BLOCKQUOTE':
      return `\n\n${inner().trim().replace(/^/gm, '> ')}\n\n`;
    case 'TABLE':
      return `\n\n${convertTable(el)}\n\n`;
    default:
      return inner();
  }
}

function wrap(text: string, mark: string): string {
  const trimmed = text.trim();
  if (!trimmed) return text;
  const [before = '', after = ''] = [/^\s*/.exec(text)?.[0], /\s*$/.exec(text)?.[0]];
  return `${before}${mark}${trimmed}${mark}${after}`;
}

function convertCode(pre: HTMLElement): string {
  const language = /language-(\S+)/.exec(pre.querySelector('code')?.className ?? '')?.[1] ?? '';
  return `\`\`\`${language}\n${(pre.textContent ?? '').replace(/\n$/, '')}\n\`\`\``;
}

function convertLink(a: HTMLElement, text: string): string {
  const href = a.getAttribute('href');
  if (!href) return text;
  return text.trim() ? `[${text.trim()}](${href})` : '';
}

function convertList(list: HTMLElement): string {
  let number = Number(list.getAttribute('start') ?? 1);
  const items = Array.from(list.children).filter((child) => child.tagName === 'LI');
  return items
    .map((item) => {
      const mark = list.tagName === 'OL' ? `${number++}. ` : '- ';
      const text = convertChildren(item)
        .trim()
        .replace(/\n{2,}/g, '\n');
      return mark + text.replace(/\n/g, `\n${' '.repeat(mark.length)}`);
    })
    .join('\n');
}

function convertTable(table: HTMLElement): string {
  const rows = Array.from(table.querySelectorAll('tr')).map((row) =>
    Array.from(row.children).map((cell) => convertChildren(cell).trim().replace(/\|/g, '\\|').replace(/\n+/g, ' ')),
  );
  const [head, ...body] = rows;
  if (!head) return '';
  const draw = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return [draw(head), draw(head.map(() => '---')), ...body.map(draw)].join('\n');
}
