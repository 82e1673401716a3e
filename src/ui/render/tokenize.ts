/** Markdown to tokens: the one place that knows the tokenizer library, with its behaviour pinned. */
import { Hooks, Lexer, Tokenizer } from 'marked';
import type { Links, Token, Tokens } from 'marked';
import { BLOCK_WORK_LIMIT, isTooDense } from './bounds';
import { maskOpaqueText, obsidianSyntax } from './obsidian-syntax';

/** Reference definitions by normalized label; without a prototype, since labels are free text. */
export type Definitions = Links;

export interface TokenizedBlock {
  readonly tokens: readonly Token[];
  /** Those that this block itself makes. */
  readonly definitions: Definitions;
  /** Tokens of inline text; labels that it may refer to are added to `labels`. */
  readonly inline: (text: string) => Token[];
  /** Normalized labels between brackets in the inline text seen so far. */
  readonly labels: ReadonlySet<string>;
}

const QUOTE_START = /^ {0,3}>/;

/** Thrown for a block that would take the tokenizer more than linear time. */
export class TooMuchWork extends Error {}

/** HTML is text, footnotes are not link definitions, and the work done is counted. */
class TextTokenizer extends Tokenizer {
  private work = 0;

  /** The first question the block lexer asks about what is left of its source, so it counts each of its steps. */
  override space(source: string): Tokens.Space | undefined {
    this.work += source.length;
    if (this.work > BLOCK_WORK_LIMIT) throw new TooMuchWork();
    return super.space(source);
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    if (!QUOTE_START.test(source)) return undefined;
    // A quote is read again from each line that continues it without a marker.
    const [paragraph = ''] = source.split(/\n[ \t]*\n/, 1);
    const lines = paragraph.split('\n');
    const lazy = lines.filter((line) => !QUOTE_START.test(line)).length;
    this.work += lines.length * lazy;
    return super.blockquote(source);
  }

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
export function tokenizeBlock(source: string, known: Definitions): TokenizedBlock {
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
  const definitions = lexer.tokens.links;
  const hasOwn = Object.keys(definitions).length > 0;
  lexer.tokens.links = hasOwn ? Object.assign(noDefinitions(), definitions, known) : known;

  const labels = new Set<string>();
  const inline = (text: string): Token[] => {
    collectLabels(text, labels);
    return tokenizeInline(lexer, text);
  };
  return { tokens, definitions, inline, labels };
}

export function noDefinitions(): Definitions {
  return Object.create(null) as Definitions;
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
