/** The one pure assembler: sections and gathered facts become placed blocks and the system prompt that they make (R026). */
import { isEqual } from '../base/equality';
import { collapseBlankLines } from '../markup/prose';
import type { Tokenizer } from '../ports/model';
import type { Block, Place } from '../ports/request-plan';
import { type Composed, composeSections, flatJoiner, inFlatOrder, type RenderedBlock } from './compose-blocks';
import type { GatheredFacts } from './gather-facts';
import type { Section } from './section';

/** Where blocks stand, how they are joined, and which of their forms fit. */
export interface Layout {
  /** Sections in the order in which their blocks stand. */
  order(sections: readonly Section[]): readonly Section[];
  place(section: Section): Place;
  /** What stands between two neighbours of the system prompt. */
  readonly joiner: (before: Block, after: Block) => string;
  /** The form of each block that is used; one that is dropped has no text. */
  fit(composed: readonly Composed[]): readonly { readonly section: Section; readonly block: RenderedBlock }[];
}

export interface Assembly {
  readonly sections: readonly Section[];
  readonly facts: GatheredFacts;
  readonly tokenizer: Tokenizer;
  readonly layout: Layout;
}

export interface AssembledPrompt {
  /** All blocks, dropped ones too, in their order. */
  readonly blocks: readonly Block[];
  /** Byte for byte as it is sent; empty when there is nothing to say. */
  readonly system: string;
}

/** Equal input gives an equal prompt. */
export function assemblePrompt({ sections, facts, tokenizer, layout }: Assembly): AssembledPrompt {
  const composed = composeSections(layout.order(sections), facts, tokenizer);
  const blocks = layout.fit(composed).map(({ section, block }) => ({
    ...(section.composition === true ? withoutBlankLines(block, tokenizer) : block),
    place: layout.place(section),
  }));
  return { blocks, system: joinSystem(blocks, layout.joiner) };
}

/** Prompts kept of each way to join: for a chat, another beside it, and the draft of a message. */
const keptPrompts = 3;
const joined = new WeakMap<
  Layout['joiner'],
  readonly { readonly pieces: readonly string[]; readonly text: string }[]
>();

/** The system prompt that these blocks make; that of the same texts again is the same string. */
export function joinSystem(blocks: readonly Block[], joiner: Layout['joiner']): string {
  const standing = blocks.filter(({ place, text }) => place === 'system' && text !== '');
  const pieces = standing.flatMap((block, index) => {
    const before = standing[index - 1];
    return before === undefined ? [block.text] : [joiner(before, block), block.text];
  });
  const known = joined.get(joiner) ?? [];
  const found = known.find((each) => isEqual(each.pieces, pieces));
  if (found !== undefined) return found.text;
  const text = pieces.join('');
  joined.set(joiner, [{ pieces, text }, ...known].slice(0, keptPrompts));
  return text;
}

/** Tokens of each section that has something to say, in its full form and in its brief one where it has one. */
export function measureForms({
  sections,
  facts,
  tokenizer,
}: Omit<Assembly, 'layout'>): ReadonlyMap<string, { readonly full: number; readonly brief: number | null }> {
  const composed = composeSections(sections, facts, tokenizer);
  return new Map(
    composed.map((each) => [each.section.id, { full: each.block.tokens, brief: each.brief()?.tokens ?? null }]),
  );
}

/** Only in our own texts: what stands in notes is told as it is written (R017). */
function withoutBlankLines(block: RenderedBlock, tokenizer: Tokenizer): RenderedBlock {
  const text = collapseBlankLines(block.text);
  return text === block.text ? block : { ...block, text, tokens: tokenizer.count(text) };
}

/** Everything in one system string, each block in its full form. */
export const wholeFlatLayout: Layout = {
  order: inFlatOrder,
  place: () => 'system',
  joiner: flatJoiner,
  fit: (composed) => composed,
};
