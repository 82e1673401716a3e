/** The one pure assembler: sections and gathered facts become placed blocks and the system prompt that they make (R026). */
import { isEqual } from '../base/equality';
import { type Content, element, write } from '../markup/markup';
import { collapseBlankLines } from '../markup/prose';
import type { Tokenizer } from '../ports/model';
import type { Block, BlockItem, Place } from '../ports/request-plan';
import { type FactsOf, factsFor, type GatheredFacts, type Needs, type Section, type SectionItem } from './section';

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
const retainedPrompts = 3;
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
  joined.set(joiner, [{ pieces, text }, ...known].slice(0, retainedPrompts));
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

// Renders sections to blocks: the one pure assembler behind every system prompt.

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
const retainedBlocks = 3;
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
  bySection.set(section, [newest, ...known.filter((each) => each !== found)].slice(0, retainedBlocks));
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
