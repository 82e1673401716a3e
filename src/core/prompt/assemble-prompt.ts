/** The one pure assembler: sections and gathered facts become placed blocks and the system prompt that they make (R026). */
import type { Tokenizer } from '../ports';
import type { Block } from '../request/request-plan';
import { collapseBlankLines } from './collapse-blank-lines';
import { type Composed, composeSections, flatJoiner, inFlatOrder, join, type RenderedBlock } from './compose-blocks';
import type { GatheredFacts } from './gather-facts';
import type { Section } from './section';
import type { Place } from './zone';

/** Where blocks stand, how they are joined, and which of their forms fit. */
export interface Layout {
  /** Sections in the order in which their blocks stand. */
  order(sections: readonly Section[]): readonly Section[];
  place(section: Section): Place;
  /** What stands between two neighbours of the system prompt. */
  joiner(before: Block, after: Block): string;
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
  return { blocks, system: joinSystem(blocks, (before, after) => layout.joiner(before, after)) };
}

/** The system prompt that these blocks make. */
export function joinSystem(blocks: readonly Block[], joiner: Layout['joiner']): string {
  return join(
    blocks.filter(({ place, text }) => place === 'system' && text !== ''),
    joiner,
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
