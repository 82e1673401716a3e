/** Renders sections to blocks: the one pure assembler behind every system prompt. */
import type { Tokenizer } from '../ports';
import type { Block } from '../request/request-plan';
import { factsFor, type GatheredFacts } from './gather-facts';
import { element, write } from './markup';
import type { Section } from './section';

/** Blocks of the sections that have something to say, in the order given. */
export function composeBlocks(sections: readonly Section[], facts: GatheredFacts, tokenizer: Tokenizer): Block[] {
  const blocks: Block[] = [];
  for (const section of sections) {
    const own = factsFor(section, facts);
    if (!section.when(own)) continue;
    const content = section.full(own);
    const { text, madeVisible } = write(
      section.tag === undefined ? content : [element(section.tag, section.attributes?.(own) ?? {}, ...content)],
    );
    blocks.push({
      section: section.id,
      zone: section.zone,
      text,
      tokens: tokenizer.count(text),
      outcome: 'full',
      madeVisible,
    });
  }
  return blocks;
}

/** The flat profile's system prompt: one string, sections separated by one newline (R022). */
export function joinFlat(blocks: readonly Block[]): string {
  return blocks.map((block) => block.text).join('\n');
}

/** Sections in the order of the flat profile (R144). */
export function inFlatOrder(sections: readonly Section[]): Section[] {
  return [...sections].sort((a, b) => a.flatOrder - b.flatOrder);
}
