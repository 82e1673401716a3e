/**
 * The one pure assembler behind every system prompt: renders sections and gathered facts to placed blocks and joins
 * them (R026).
 */
import { isEqual } from '../base/equality';
import type { Written } from '../markup/escapes';
import { type Content, type Element, element, write } from '../markup/markup';
import { collapseBlankLines } from '../markup/prose';
import type { Tokenizer } from '../ports/model';
import type { Block, BlockItem, Place } from '../ports/request-plan';
import { type FactsOf, factsFor, type GatheredFacts, type Needs, type Section, type SectionItem } from './section';

/** A block before a layout has placed it. */
export type RenderedBlock = Omit<Block, 'place'>;

export interface Composed {
  readonly section: Section;
  readonly block: RenderedBlock;
  /** Returns the section's shorter form; null if it has none. */
  brief(): RenderedBlock | null;
  /** Returns a form of about this many tokens; null if there is none. */
  trimmed(tokens: number): RenderedBlock | null;
}

/** Decides where blocks are placed, how they are joined, and which of their forms fit. */
export interface Layout {
  /** Returns the sections in the order of their blocks. */
  order(sections: readonly Section[]): readonly Section[];
  place(section: Section): Place;
  /** Returns the separator of two adjacent blocks in the system prompt. */
  readonly joiner: (before: Block, after: Block) => string;
  /** Chooses the form of each block; a dropped block has no text. */
  fit(composed: readonly Composed[]): readonly { readonly section: Section; readonly block: RenderedBlock }[];
}

export interface Assembly {
  readonly sections: readonly Section[];
  readonly facts: GatheredFacts;
  readonly tokenizer: Tokenizer;
  readonly layout: Layout;
}

export interface AssembledPrompt {
  /** All blocks in order, including dropped ones. */
  readonly blocks: readonly Block[];
  /** Byte for byte as sent; empty if no section has text. */
  readonly system: string;
}

/** Returns an equal prompt for equal input, and the same object while its blocks are the same. */
export function assemblePrompt({ sections, facts, tokenizer, layout }: Assembly): AssembledPrompt {
  const composed = composeSections(layout.order(sections), facts, tokenizer);
  const blocks = layout.fit(composed).map(({ section, block }) => {
    const place = layout.place(section);
    return section.composition === true ? withoutBlankLines(block, place, tokenizer) : placed(block, place);
  });
  const known = assembled.get(layout.joiner) ?? [];
  const found = known.find(({ blocks: before }) => isSameList(before, blocks));
  if (found !== undefined) return found;
  const prompt = { blocks, system: joinSystem(blocks, layout.joiner) };
  assembled.set(layout.joiner, [prompt, ...known].slice(0, retainedPrompts));
  return prompt;
}

/** Prompts cached per joiner: for a chat, a second chat, and the draft of a message. */
const retainedPrompts = 3;
const assembled = new WeakMap<Layout['joiner'], readonly AssembledPrompt[]>();

function isSameList(before: readonly Block[], after: readonly Block[]): boolean {
  return before.length === after.length && before.every((block, index) => block === after[index]);
}

const placedBlocks = new WeakMap<RenderedBlock, Block>();

/** Returns the same object for the same block while it has the same place. */
function placed(block: RenderedBlock, place: Place): Block {
  const known = placedBlocks.get(block);
  if (known?.place === place) return known;
  const next = { ...block, place };
  placedBlocks.set(block, next);
  return next;
}

/** Collapses blank lines in Docent's own texts only; text from notes is sent as written (R017). */
function withoutBlankLines(block: RenderedBlock, place: Place, tokenizer: Tokenizer): Block {
  const known = placedBlocks.get(block);
  // The count of a shorter text may have been an estimate.
  if (known?.place === place && (known.text === block.text || known.tokens === tokenizer.count(known.text)))
    return known;
  const text = collapseBlankLines(block.text);
  if (text === block.text) return placed(block, place);
  const next = { ...block, text, tokens: tokenizer.count(text), place };
  placedBlocks.set(block, next);
  return next;
}

/** Renders the sections that have text, in the given order, each in its full form. */
export function composeSections(sections: readonly Section[], facts: GatheredFacts, tokenizer: Tokenizer): Composed[] {
  const composed: Composed[] = [];
  for (const section of sections) {
    const own = factsFor(section, facts);
    if (!section.when(own)) continue;
    const block = remember(section, own, tokenizer, () => {
      const written = new Map<Element, Written>();
      const items = section.items?.(own)?.map((item) => renderItem(item, written));
      const full = render(section, own, section.full(own), 'full', tokenizer, written);
      return items === undefined ? full : { ...full, items };
    });
    composed.push({
      section,
      block,
      trimmed: (tokens) =>
        rememberTrimmed(block, tokens, tokenizer, () => {
          const content = section.shorten?.(own, tokens, tokenizer);
          if (content == null) return null;
          const shorter = render(section, own, content, 'trimmed', tokenizer);
          return withItems(shorter, section.shortenItems?.(own, tokens, tokenizer));
        }),
      brief: () => (section.brief === undefined ? null : render(section, own, section.brief(own), 'brief', tokenizer)),
    });
  }
  return composed;
}

/** Returns the blocks of the sections that have text, in the given order. */
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
  known?: ReadonlyMap<Element, Written>,
): RenderedBlock {
  const { text, madeVisible, invisible } = write(
    section.tag === undefined ? content : [element(section.tag, section.attributes?.(own) ?? {}, ...content)],
    known,
  );
  return {
    section: section.id,
    zone: section.zone,
    text,
    tokens: tokenizer.count(text),
    outcome,
    madeVisible,
    ...(invisible === 0 ? {} : { invisible }),
  };
}

function withItems(block: RenderedBlock, items: readonly SectionItem[] | null | undefined): RenderedBlock {
  return items == null ? block : { ...block, items: items.map((item) => renderItem(item)) };
}

/** @param written gets the element that is the item, for the section to show it as it is */
function renderItem(
  { key, content, modified = 0, lines, otherLines }: SectionItem,
  written?: Map<Element, Written>,
): BlockItem {
  const whole = write(content);
  const { text, madeVisible, invisible } = whole;
  const [only] = content;
  if (content.length === 1 && typeof only === 'object' && 'tag' in only) written?.set(only, whole);
  const counts = { madeVisible, ...(invisible === 0 ? {} : { invisible }) };
  const perFile = { ...(lines === undefined ? {} : { lines }), ...(otherLines === undefined ? {} : { otherLines }) };
  return { key, text, ...counts, modified, ...perFile };
}

interface Rendered {
  readonly own: FactsOf<Needs>;
  readonly block: RenderedBlock;
}

/** Blocks cached per section: for a chat, a second chat, and the draft of a message. */
const retainedBlocks = 3;

const rendered = new WeakMap<Tokenizer, WeakMap<Section, readonly Rendered[]>>();

/** Returns the cached block for equal facts, as the same object, since sections are pure. */
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

/** The last trimmed forms of a block, by their tokens. */
const trimmedForms = new WeakMap<RenderedBlock, ReadonlyMap<number, RenderedBlock | null>>();

/** Returns the cached form of a cached block: shortening many notes takes longer than all else of a prompt. */
function rememberTrimmed(
  block: RenderedBlock,
  tokens: number,
  tokenizer: Tokenizer,
  make: () => RenderedBlock | null,
): RenderedBlock | null {
  const known = trimmedForms.get(block) ?? new Map<number, RenderedBlock | null>();
  const found = known.get(tokens);
  if (found !== undefined) return found;
  const form = make();
  // What was measured with estimates is measured again.
  if (tokenizer.exact) trimmedForms.set(block, new Map([...known, [tokens, form] as const].slice(-retainedBlocks)));
  return form;
}

/** Updates a count that was an estimate and may be exact by now. */
function countAgain(known: Rendered, tokenizer: Tokenizer): Rendered {
  const tokens = tokenizer.count(known.block.text);
  return tokens === known.block.tokens ? known : { ...known, block: { ...known.block, tokens } };
}

const joined = new WeakMap<
  Layout['joiner'],
  readonly { readonly pieces: readonly string[]; readonly text: string }[]
>();

/** Joins blocks to the system prompt. Returns the same string for the same texts. */
export function joinSystem(blocks: readonly Block[], joiner: Layout['joiner']): string {
  const sent = blocks.filter(({ place, text }) => place === 'system' && text !== '');
  const pieces = sent.flatMap((block, index) => {
    const before = sent[index - 1];
    return before === undefined ? [block.text] : [joiner(before, block), block.text];
  });
  const known = joined.get(joiner) ?? [];
  const found = known.find((each) => isEqual(each.pieces, pieces));
  if (found !== undefined) return found.text;
  const text = pieces.join('');
  joined.set(joiner, [{ pieces, text }, ...known].slice(0, retainedPrompts));
  return text;
}

/** Returns the sections in the order of a prompt without a history (R144). */
export function inBuildOrder(sections: readonly Section[]): Section[] {
  return [...sections].sort((a, b) => a.buildOrder - b.buildOrder);
}

type Joined = Pick<Block, 'text' | 'zone'>;

/** Returns one newline between sections (R022) and a blank line within the instructions (R048, K32). */
export function buildJoiner(before: Joined, after: Joined): string {
  return before.zone === 'instructions' && after.zone === 'instructions' ? '\n\n' : '\n';
}

/** One system string with every block in its full form. */
export const buildLayout: Layout = {
  order: inBuildOrder,
  place: () => 'system',
  joiner: buildJoiner,
  fit: (composed) => composed,
};

/** Returns the tokens of each section that has text, in its full form and, if it has one, its brief form. */
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
