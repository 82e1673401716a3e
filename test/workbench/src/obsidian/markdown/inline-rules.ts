/** The inline syntax that Obsidian adds to Markdown, as markdown-it rules. */
import type { MarkdownIt, StateInline } from 'markdown-it';

type InlineState = StateInline;
type InlineRule = (state: InlineState, silent: boolean) => boolean;

export interface WikilinkMeta {
  embed: boolean;
  target: string;
  alias: string | null;
}

/** A type, not an interface, so that it passes as markdown-it's open record. */
export type FootnoteEnv = {
  /** Order of first reference; the definition is inline Markdown. */
  footnoteOrder?: string[];
  footnotes?: Map<string, string>;
};

function rest(state: InlineState): string {
  return state.src.slice(state.pos, state.posMax);
}

const wikilink: InlineRule = (state, silent) => {
  const first = state.src[state.pos];
  if (first !== '[' && first !== '!') return false;
  const match = /^(!?)\[\[([^[\]|\n]+)(?:\|([^[\]\n]*))?\]\]/.exec(rest(state));
  if (!match) return false;
  if (!silent) {
    const token = state.push('wikilink', '', 0);
    const meta: WikilinkMeta = { embed: match[1] === '!', target: (match[2] ?? '').trim(), alias: match[3] ?? null };
    token.meta = { ...meta };
  }
  state.pos += match[0].length;
  return true;
};

function wrap(name: string, tag: string, pattern: RegExp): InlineRule {
  return (state, silent) => {
    if (state.src[state.pos] !== '=') return false;
    const match = pattern.exec(rest(state));
    if (!match) return false;
    if (!silent) {
      state.push(`${name}_open`, tag, 1);
      const end = state.posMax;
      const start = state.pos;
      state.pos = start + 2;
      state.posMax = start + match[0].length - 2;
      state.md.inline.tokenize(state);
      state.posMax = end;
      state.pos = start;
      state.push(`${name}_close`, tag, -1);
    }
    state.pos += match[0].length;
    return true;
  };
}

const tag: InlineRule = (state, silent) => {
  if (state.src[state.pos] !== '#') return false;
  const before = state.src[state.pos - 1];
  if (before !== undefined && !/\s/.test(before)) return false;
  const match = /^#[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]+/u.exec(rest(state));
  if (!match || /^#\d+$/.test(match[0])) return false;
  if (!silent) state.push('hashtag', '', 0).content = match[0];
  state.pos += match[0].length;
  return true;
};

const comment: InlineRule = (state) => {
  if (!state.src.startsWith('%%', state.pos)) return false;
  const end = state.src.indexOf('%%', state.pos + 2);
  if (end < 0) return false;
  state.pos = end + 2;
  return true;
};

const math: InlineRule = (state, silent) => {
  if (state.src[state.pos] !== '$') return false;
  const match =
    /^\$\$([\s\S]+?)\$\$/.exec(rest(state)) ?? /^\$(?![\s$])((?:\\.|[^$\\\n])*?[^\s\\$])\$(?!\d)/.exec(rest(state));
  if (!match) return false;
  if (!silent) {
    const token = state.push('math', '', 0);
    token.content = match[1] ?? '';
    token.meta = { display: match[0].startsWith('$$') };
  }
  state.pos += match[0].length;
  return true;
};

const footnote: InlineRule = (state, silent) => {
  const inline = /^\^\[((?:[^[\]]|\[[^\]]*\])+)\]/.exec(rest(state));
  const reference = inline ? null : /^\[\^([^\]\s]+)\]/.exec(rest(state));
  const match = inline ?? reference;
  if (!match) return false;
  const env = state.env as FootnoteEnv;
  const definitions = (env.footnotes ??= new Map());
  const id = inline ? `inline-${definitions.size + 1}` : (match[1] ?? '');
  if (!inline && !definitions.has(id)) return false;
  if (!silent) {
    if (inline) definitions.set(id, match[1] ?? '');
    const references = (env.footnoteOrder ??= []);
    if (!references.includes(id)) references.push(id);
    state.push('footnote_ref', '', 0).meta = { number: references.indexOf(id) + 1 };
  }
  state.pos += match[0].length;
  return true;
};

/** Block identifiers at the end of a line are addresses, not text. */
const blockId: InlineRule = (state) => {
  if (state.src[state.pos] !== '^' || !/\s/.test(state.src[state.pos - 1] ?? ' ')) return false;
  const match = /^\^[A-Za-z0-9-]+[ \t]*(?=\n|$)/.exec(rest(state));
  if (!match) return false;
  state.pos += match[0].length;
  return true;
};

export function addInlineRules(md: MarkdownIt): void {
  const { ruler } = md.inline;
  ruler.before('link', 'wikilink', wikilink);
  ruler.before('link', 'footnote_ref', footnote);
  ruler.before('emphasis', 'highlight', wrap('mark', 'mark', /^==(?=\S)[^\n]*?\S==/));
  ruler.before('text', 'hashtag', tag);
  ruler.before('text', 'comment', comment);
  ruler.before('escape', 'math', math);
  ruler.before('text', 'block_id', blockId);
}
