/** Turns Markdown into one HTML string per top-level block, each with the lines it came from. */
import createMarkdownIt, { type MarkdownIt } from 'markdown-it';
import { addBlockRules } from './block-rules';
import { addInlineRules, type FootnoteEnv, type WikilinkMeta } from './inline-rules';

export interface RenderedBlock {
  html: string;
  /** The tag of the block's element: p, h1, ul, pre, table, blockquote, hr … */
  tag: string;
  lineStart: number;
  lineEnd: number;
}

let parser: MarkdownIt | null = null;

function getParser(): MarkdownIt {
  if (parser) return parser;
  const md = new createMarkdownIt({ html: true, linkify: true, breaks: true });
  // The sanitizer decides which addresses a link may have.
  md.validateLink = () => true;
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  addInlineRules(md);
  addBlockRules(md);
  const { rules } = md.renderer;
  const escape = md.utils.escapeHtml;
  rules['wikilink'] = (tokens, index) => drawWikilink(tokens[index]?.meta as unknown as WikilinkMeta, escape);
  rules['hashtag'] = (tokens, index) => {
    const text = escape(tokens[index]?.content ?? '');
    return `<a href="${text}" class="tag" target="_blank" rel="noopener nofollow">${text}</a>`;
  };
  rules['math'] = (tokens, index) => {
    const token = tokens[index];
    const display = (token?.meta as { display: boolean }).display;
    const text = escape(token?.content ?? '');
    const kind = display ? 'math-block' : 'math-inline';
    return `<span class="math ${kind} is-loaded"><code>${text}</code></span>`;
  };
  rules['footnote_ref'] = (tokens, index) => {
    const { number } = tokens[index]?.meta as { number: number };
    return `<sup class="footnote-ref" data-footnote-id="fnref-${number}"><a href="#fn-${number}" class="footnote-link" target="_blank" rel="noopener nofollow">[${number}]</a></sup>`;
  };
  parser = md;
  return md;
}

function drawWikilink({ embed, target, alias }: WikilinkMeta, escape: (text: string) => string): string {
  const link = escape(target);
  if (embed) {
    const label = escape(alias ?? target.replace('#', ' > '));
    return `<span alt="${label}" src="${link}" class="internal-embed">${label}</span>`;
  }
  const shown = alias ?? target.replace(/^#/, '').replace(/#\^?/g, ' > ');
  const title = alias === null ? '' : ` aria-label="${link}" data-tooltip-position="top"`;
  return `<a data-href="${link}" href="${link}" class="internal-link" target="_blank" rel="noopener nofollow"${title}>${escape(shown)}</a>`;
}

/** `text` is the note without its frontmatter. */
export function parseMarkdown(text: string): RenderedBlock[] {
  const md = getParser();
  const env: FootnoteEnv = {};
  const definitions = /^\[\^([^\]\s]+)\]:/gm;
  // A reference may precede its definition, so the names are collected first.
  for (const match of text.matchAll(definitions)) (env.footnotes ??= new Map()).set(match[1] ?? '', '');
  const tokens = md.parse(text, env);
  const blocks: RenderedBlock[] = [];
  for (let start = 0; start < tokens.length;) {
    let depth = 0;
    let end = start;
    do {
      depth += tokens[end]?.nesting ?? 0;
      end += 1;
    } while (depth > 0 && end < tokens.length);
    const first = tokens[start];
    const part = tokens.slice(start, end);
    blocks.push({
      html: md.renderer.render(part, md.options, env),
      tag: first?.tag === 'code' ? 'pre' : first?.tag || 'p',
      lineStart: first?.map?.[0] ?? 0,
      lineEnd: Math.max(0, (first?.map?.[1] ?? 1) - 1),
    });
    start = end;
  }
  const footnotes = drawFootnotes(md, env);
  if (footnotes) blocks.push({ html: footnotes, tag: 'section', lineStart: 0, lineEnd: 0 });
  return blocks;
}

function drawFootnotes(md: MarkdownIt, env: FootnoteEnv): string | null {
  const references = env.footnoteOrder ?? [];
  if (references.length === 0) return null;
  const items = references.map((id, index) => {
    const body = md.renderInline(env.footnotes?.get(id) ?? '', {});
    const number = index + 1;
    return `<li data-footnote-id="fn-${number}" id="fn-${number}"><p dir="auto">${body} <a href="#fnref-${number}" class="footnote-backref footnote-link">↩︎</a></p></li>`;
  });
  return `<section class="footnotes"><hr><ol>${items.join('')}</ol></section>`;
}
