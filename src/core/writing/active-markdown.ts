/** Active content of Markdown. Errs towards finding: a passage inside a displayed code block counts as well. */
import { decodeEntities } from '../markdown/links';
import type { ActiveItem } from './active-content';
import { runnerOf, safeLanguages } from './code-languages';

export function activeInMarkdown(text: string): ActiveItem[] {
  return [...codeBlocks(text), ...inlineCode(text), ...templates(text), ...html(text), ...destinations(text)];
}

/** Behind any quote marks, list markers and indentation, with backticks or tildes. */
const opening = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t>]+)*(`{3,}|~{3,})[ \t]*([^\r\n]*)$/;

function codeBlocks(text: string): ActiveItem[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index): ActiveItem[] => {
    const [, fence = '', info = ''] = opening.exec(line.replace(/\r$/, '')) ?? [];
    if (fence === '') return [];
    const language = (/[^\s`~{}.,:]+/.exec(info)?.[0] ?? '').toLowerCase();
    const passage = bodyBehind(lines, index, fence);
    if (safeLanguages.has(language) && !isRiskyInside(language, passage)) return [];
    return [{ kind: 'code-block', runner: runnerOf(language), passage: `${info.trim()}\n${passage}` }];
  });
}

function bodyBehind(lines: readonly string[], opened: number, fence: string): string {
  const closing = new RegExp(`^[ \\t>]*\\${fence.charAt(0)}{${fence.length},}[ \\t]*\\r?$`);
  const end = lines.findIndex((line, index) => index > opened && closing.test(line));
  return lines.slice(opened + 1, end === -1 ? undefined : end).join('\n');
}

function isRiskyInside(language: string, body: string): boolean {
  if (language === 'tasks') return /by\s+function/i.test(body);
  if (language === 'mermaid') return /https?:|click|img|href|script/i.test(body);
  return language === 'base' && /\b(?:html|image)\s*\(/i.test(body);
}

function inlineCode(text: string): ActiveItem[] {
  // One backtick on each side is the end of any longer run, and to look for runs takes the square of their length.
  return [...text.matchAll(/`[ \t]*(\$?=(?!=)|dv:|js:)[^`\n]+`/g)].map(([passage, prefix = '']) => ({
    kind: 'inline-code',
    runner: /^\$?=|^dv/.test(prefix) ? 'Dataview' : 'JS Engine',
    passage,
  }));
}

function templates(text: string): ActiveItem[] {
  return [...text.matchAll(/<%[^\n]*/g)].map(([passage]) => ({ kind: 'template', runner: 'Templater', passage }));
}

const heavyTag =
  /<\s*\/?\s*(iframe|webview|object|embed|script|style|link|meta|base|form|frame|applet|portal)\b[^>]*/gi;
const loadingAttribute =
  /<[a-z][^\s/>"']*[\s/"'][^>]{0,2000}?(?:src|srcset|poster|data|background|style|href|action|on[a-z]+)\s*=[^>]{0,2000}/gi;

function html(text: string): ActiveItem[] {
  const heavy = [...text.matchAll(heavyTag)].map(([passage, tag = '']): ActiveItem => ({
    kind: 'html',
    runner: tag.toLowerCase(),
    passage,
  }));
  const loading = [...text.matchAll(loadingAttribute)]
    .filter(([passage]) => !isPlainLink(passage))
    .map(([passage]): ActiveItem => ({
      kind: 'html',
      runner: (/[a-z][a-z0-9-]*/i.exec(passage)?.[0] ?? '').toLowerCase(),
      passage,
    }));
  return [...heavy, ...loading];
}

/** An `<a>` to the web or inside the vault that does nothing else. */
function isPlainLink(tag: string): boolean {
  if (!/^<a\s/i.test(tag) || /\s(?:on[a-z]+|style|src)\s*=/i.test(tag)) return false;
  const address = /href\s*=\s*["']?([^"'\s>]*)/i.exec(tag)?.[1] ?? '';
  return schemeOf(address) === null || isOpenScheme(address);
}

/** Every place that something is loaded from or leads to. */
function destinations(text: string): ActiveItem[] {
  const definitions = new Map<string, string>();
  for (const [, label = '', address = ''] of text.matchAll(/^[ \t>]*\[(?!\^)([^\]\n]+)\]:[ \t]*<?([^\s>]+)/gm)) {
    definitions.set(label.toLowerCase().trim(), address);
  }
  const items: ActiveItem[] = [];
  for (let at = text.indexOf(']'); at !== -1; at = text.indexOf(']', at + 1)) {
    const open = openingBracket(text, at);
    if (open === -1) continue;
    const isImage = text.charAt(open - 1) === '!';
    const label = text.slice(open + 1, at);
    const address = addressBehind(text, at, label, definitions);
    if (address === null) continue;
    const passage = `${isImage ? '!' : ''}[${label}] ${address}`;
    const scheme = schemeOf(address);
    if (isImage && (isOpenScheme(address) || address.startsWith('//'))) {
      items.push({ kind: 'remote-image', runner: hostOf(address), passage });
    } else if (scheme !== null && !isOpenScheme(address)) items.push({ kind: 'scheme', runner: scheme, passage });
  }
  for (const [passage, scheme = ''] of text.matchAll(/\b([a-z][a-z0-9+.-]{1,30}):\/\/[^\s)\]>"'`]*/gi)) {
    if (!isOpenScheme(passage)) items.push({ kind: 'scheme', runner: scheme.toLowerCase(), passage });
  }
  return items;
}

/** Where the bracket that closes here was opened; -1 when it was not, or too far away to be a label. */
function openingBracket(text: string, closing: number): number {
  let depth = 0;
  for (let at = closing - 1; at >= 0 && closing - at < 1_000; at -= 1) {
    const character = text.charAt(at);
    if (character === ']') depth += 1;
    if (character === '[') {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return -1;
}

function addressBehind(
  text: string,
  closing: number,
  label: string,
  definitions: ReadonlyMap<string, string>,
): string | null {
  const behind = text.slice(closing + 1, closing + 2_000);
  const inline = /^\(\s*<?\s*([^\s>)]*)/.exec(behind)?.[1];
  if (inline !== undefined) return plainAddress(inline);
  const named = /^\[([^\]\n]*)\]/.exec(behind)?.[1] ?? '';
  const defined = definitions.get((named === '' ? label : named).toLowerCase().trim());
  return defined === undefined ? null : plainAddress(defined);
}

/** As the app will read it: without escapes, entities and the white space that a browser drops. */
function plainAddress(written: string): string {
  return decodeEntities(written.replace(/\\([!-/:-@[-`{-~])/g, '$1')).replace(/[\t\n\r]/g, '');
}

function schemeOf(address: string): string | null {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase() ?? null;
}

function isOpenScheme(address: string): boolean {
  return /^(?:https?|mailto):/i.test(address);
}

function hostOf(address: string): string {
  return /^(?:https?:)?\/\/(?:[^/@]*@)?([^/:?#]*)/i.exec(address)?.[1]?.toLowerCase() ?? '';
}
