/** Markdown to tokens: the one place that knows the tokenizer library, with its behaviour pinned. */
import { Hooks, Lexer, Tokenizer } from 'marked';
import type { Token, Tokens } from 'marked';
import { isTooDense } from './bounds';
import { maskOpaqueText, obsidianSyntax } from './obsidian-syntax';

export interface Definition {
  readonly href: string;
  readonly title: string;
}

export interface TokenizedBlock {
  readonly tokens: readonly Token[];
  /** Reference definitions of this block, by normalized label. */
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Tokens of inline text; labels that it may refer to are added to `labels`. */
  readonly inline: (text: string) => Token[];
  /** Normalized labels between brackets in the inline text seen so far. */
  readonly labels: ReadonlySet<string>;
}

/** HTML is text, footnotes are not link definitions. */
class TextTokenizer extends Tokenizer {
  override html(): undefined {
    return undefined;
  }

  override tag(source: string): Tokens.Tag | undefined {
    const raw = this.rules.inline.tag.exec(source)?.[0];
    if (raw === undefined) return undefined;
    return { type: 'html', raw, text: raw, block: false, inLink: false, inRawBlock: false };
  }

  override def(source: string): Tokens.Def | undefined {
    const token = super.def(source);
    return token?.tag.startsWith('^') ? undefined : token;
  }
}

class OpaqueText extends Hooks {
  override emStrongMask(source: string): string {
    return maskOpaqueText(source);
  }
}

/** Tokenizes one block; `known` are the definitions of the blocks before it, which win over its own. */
export function tokenizeBlock(source: string, known: ReadonlyMap<string, Definition>): TokenizedBlock {
  const lexer = new Lexer({
    gfm: true,
    breaks: true,
    tokenizer: new TextTokenizer(),
    hooks: new OpaqueText(),
    extensions: obsidianSyntax,
  });
  const tokens = lexer.blockTokens(source, lexer.tokens);
  // Inline text is tokenized by the writer as it gets there; the lexer's own queue would do it a second time.
  lexer.inlineQueue = [];
  const definitions = new Map<string, Definition>();
  for (const [label, { href, title }] of Object.entries(lexer.tokens.links)) {
    definitions.set(label, { href, title: title ?? '' });
  }
  for (const [label, definition] of known) lexer.tokens.links[label] = definition;

  const labels = new Set<string>();
  const inline = (text: string): Token[] => {
    collectLabels(text, labels);
    return tokenizeInline(lexer, text);
  };
  return { tokens, definitions, inline, labels };
}

/** Dense text is taken line by line, and a line that is still too dense as it stands. */
function tokenizeInline(lexer: Lexer, text: string): Token[] {
  if (!isTooDense(text)) return lexer.inlineTokens(text);
  if (!text.includes('\n')) return [{ type: 'escape', raw: text, text }];
  return text.split('\n').flatMap((line, index) => {
    const tokens = tokenizeInline(lexer, line);
    return index === 0 ? tokens : [{ type: 'br', raw: '\n' }, ...tokens];
  });
}

function collectLabels(text: string, labels: Set<string>): void {
  if (!text.includes('[')) return;
  for (const [, label] of text.matchAll(/\[((?:\\[\s\S]|[^[\]\\]){1,999})\]/g)) {
    if (label !== undefined) labels.add(normalizeLabel(label));
  }
}

function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase();
}
