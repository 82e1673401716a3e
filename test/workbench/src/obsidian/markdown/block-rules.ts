/** The block syntax that Obsidian adds to Markdown: comments, display math and footnote definitions. */
import type { MarkdownIt, StateBlock } from 'markdown-it';
import type { FootnoteEnv } from './inline-rules';

type BlockState = StateBlock;
type BlockRule = (state: BlockState, startLine: number, endLine: number, silent: boolean) => boolean;

function getLine(state: BlockState, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

function findFence(state: BlockState, start: number, end: number, fence: string): number | null {
  for (let line = start; line < end; line += 1) if (getLine(state, line).includes(fence)) return line;
  return null;
}

const comment: BlockRule = (state, startLine, endLine, silent) => {
  const first = getLine(state, startLine);
  if (!first.startsWith('%%') || first.indexOf('%%', 2) >= 0) return false;
  const close = findFence(state, startLine + 1, endLine, '%%');
  if (silent) return true;
  state.line = close === null ? endLine : close + 1;
  return true;
};

const math: BlockRule = (state, startLine, endLine, silent) => {
  const first = getLine(state, startLine);
  if (!first.startsWith('$$')) return false;
  const oneLine = /^\$\$(.+)\$\$\s*$/.exec(first);
  const close = oneLine ? startLine : findFence(state, startLine + 1, endLine, '$$');
  if (close === null) return false;
  if (silent) return true;
  const token = state.push('math', '', 0);
  token.meta = { display: true };
  token.map = [startLine, close + 1];
  const lines: string[] = [first.slice(2)];
  for (let line = startLine + 1; line <= close; line += 1) lines.push(getLine(state, line).replace('$$', ''));
  token.content = oneLine ? (oneLine[1] ?? '') : lines.join('\n').trim();
  state.line = close + 1;
  return true;
};

const footnoteDefinition: BlockRule = (state, startLine, endLine, silent) => {
  const match = /^\[\^([^\]\s]+)\]:[ \t]*(.*)$/.exec(getLine(state, startLine));
  if (!match) return false;
  if (silent) return true;
  const lines = [match[2] ?? ''];
  let line = startLine + 1;
  while (line < endLine && !state.isEmpty(line) && (state.sCount[line] ?? 0) >= 2) {
    lines.push(getLine(state, line));
    line += 1;
  }
  const env = state.env as FootnoteEnv;
  (env.footnotes ??= new Map()).set(match[1] ?? '', lines.join('\n'));
  state.line = line;
  return true;
};

export function addBlockRules(md: MarkdownIt): void {
  const alt = ['paragraph', 'reference', 'blockquote', 'list'];
  md.block.ruler.before('fence', 'comment_block', comment, { alt });
  md.block.ruler.before('fence', 'math_block', math, { alt });
  md.block.ruler.before('reference', 'footnote_definition', footnoteDefinition, { alt });
}
