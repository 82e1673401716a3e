/** Renders sections to blocks: the one pure assembler behind every system prompt. */
import { isEqual } from '../base/equality';
import { type Content, element, write } from '../markup/markup';
import type { Tokenizer } from '../ports/model';
import type { Block, BlockItem } from '../ports/request-plan';
import { factsFor, type GatheredFacts } from './gather-facts';
import type { FactsOf, Needs, Section, SectionItem } from './section';

/** A block before a profile has said where it stands. */
export type RenderedBlock = Omit<Block, 'place'>;

export interface Composed {
  readonly section: Section;
  readonly block: RenderedBlock;
  /** The section's shorter form; null when it has none. */
  brief(): RenderedBlock | null;
  /** A form of about so many tokens; null when it has none. */
  trimmed(tokens: number): RenderedBlock | null;
}

/** The sections that have something to say, in the order given, each in its full form. */
export function composeSections(sections: readonly Section[], facts: GatheredFacts, tokenizer: Tokenizer): Composed[] {
  const composed: Composed[] = [];
  for (const section of sections) {
    const own = factsFor(section, facts);
    if (!section.when(own)) continue;
    const block = remember(section, own, tokenizer, () => render(section, own, section.full(own), 'full', tokenizer));
    composed.push({
      section,
      block,
      trimmed: (tokens) => {
        const content = section.shorten?.(own, tokens, tokenizer);
        return content == null ? null : render(section, own, content, 'trimmed', tokenizer);
      },
      brief: () => (section.brief === undefined ? null : render(section, own, section.brief(own), 'brief', tokenizer)),
    });
  }
  return composed;
}

/** Blocks of the sections that have something to say, in the order given. */
export function composeBlocks(
  sections: readonly Section[],
  facts: GatheredFacts,
  tokenizer: Tokenizer,
): RenderedBlock[] {
  return composeSections(sections, facts, tokenizer).map(({ block }) => block);
}

function render(
  section: Section,
  own: FactsOf<Needs>,
  content: Content,
  outcome: 'full' | 'brief' | 'trimmed',
  tokenizer: Tokenizer,
): RenderedBlock {
  const { text, madeVisible } = write(
    section.tag === undefined ? content : [element(section.tag, section.attributes?.(own) ?? {}, ...content)],
  );
  const items = outcome === 'full' ? section.items?.(own) : null;
  return {
    section: section.id,
    zone: section.zone,
    text,
    tokens: tokenizer.count(text),
    outcome,
    madeVisible,
    ...(items == null ? {} : { items: items.map(renderItem) }),
  };
}

function renderItem({ key, content, modified = 0, lines }: SectionItem): BlockItem {
  const { text, madeVisible } = write(content);
  return { key, text, madeVisible, modified, ...(lines === undefined ? {} : { lines }) };
}

interface Rendered {
  readonly own: FactsOf<Needs>;
  readonly block: RenderedBlock;
}

/** Blocks kept of each section: for a chat, another beside it, and the draft of a message. */
const keptBlocks = 3;
const rendered = new WeakMap<Tokenizer, WeakMap<Section, readonly Rendered[]>>();

/** Sections are pure, so equal facts give the block that they gave before, as the same object. */
function remember(
  section: Section,
  own: FactsOf<Needs>,
  tokenizer: Tokenizer,
  make: () => RenderedBlock,
): RenderedBlock {
  const bySection = rendered.get(tokenizer) ?? new WeakMap<Section, readonly Rendered[]>();
  rendered.set(tokenizer, bySection);
  const known = bySection.get(section) ?? [];
  const found = known.find((each) => isEqual(each.own, own));
  const newest = found === undefined ? { own, block: make() } : countAgain(found, tokenizer);
  if (newest === known[0]) return newest.block;
  bySection.set(section, [newest, ...known.filter((each) => each !== found)].slice(0, keptBlocks));
  return newest.block;
}

/** What was an estimate at first may be known exactly by now. */
function countAgain(known: Rendered, tokenizer: Tokenizer): Rendered {
  const tokens = tokenizer.count(known.block.text);
  return tokens === known.block.tokens ? known : { ...known, block: { ...known.block, tokens } };
}

type Joined = Pick<Block, 'text' | 'zone'>;

/** The flat profile's system prompt. */
export function joinFlat(blocks: readonly Joined[]): string {
  return join(blocks, flatJoiner);
}

/** One newline between sections (R022), a blank line inside the instructions (R048, K32). */
export function flatJoiner(before: Joined, after: Joined): string {
  return before.zone === 'instructions' && after.zone === 'instructions' ? '\n\n' : '\n';
}

/** Texts one after the other, with what stands between two neighbours. */
export function join<B extends Pick<Block, 'text'>>(
  blocks: readonly B[],
  joiner: (before: B, after: B) => string,
): string {
  return blocks.reduce((text, block, index) => {
    const before = blocks[index - 1];
    return before === undefined ? block.text : text + joiner(before, block) + block.text;
  }, '');
}

/** Sections in the order of the flat profile (R144). */
export function inFlatOrder(sections: readonly Section[]): Section[] {
  return [...sections].sort((a, b) => a.flatOrder - b.flatOrder);
}
