/** Fits blocks into token budgets by kind and tier: in full, trimmed, in brief form, or dropped, with the reason. */
import { fairShares } from '../markup/budget';
import type { Tokenizer } from '../ports/model';
import { type Composed, type Layout, measureForms, type RenderedBlock } from '../prompt/assemble-prompt';
import type { ProvidedPrompt } from '../prompt/provide-prompt';
import type { Section } from '../prompt/section';
import type { Tier } from '../settings/mode';

/**
 * Where each block goes: what changes from turn to turn comes after the history, so that each request only adds to the
 * one before (K1, K6).
 */
export const requestLayout: Omit<Layout, 'fit'> = {
  order: (sections) => sections,
  place: ({ zone, place }) => place ?? (zone === 'turn' ? 'before-message' : 'system'),
  joiner: () => '\n\n',
};

interface Fitted {
  readonly section: Section;
  readonly block: RenderedBlock;
}

type Share = 'own' | 'lists' | 'reference' | 'turn';

/**
 * The share of the usable tokens for sections of one kind, by tier: small models get more for the conversation itself.
 */
export const shares: Readonly<Record<Share, Readonly<Record<Tier, number>>>> = {
  own: { 1: 0.09, 2: 0.12, 3: 0.2, 4: 0.25, 5: 0.4 },
  lists: { 1: 0.07, 2: 0.05, 3: 0.12, 4: 0.15, 5: 0.2 },
  reference: { 1: 0.2, 2: 0.25, 3: 0.3, 4: 0.3, 5: 0.4 },
  turn: { 1: 0.25, 2: 0.3, 3: 0.4, 4: 0.45, 5: 0.5 },
};

const shareNames: Readonly<Record<Share, string>> = {
  own: 'your own instructions have',
  lists: 'lists of the vault have',
  reference: 'the reference has',
  turn: 'what goes with a message has',
};

function shareOf({ share, zone }: Section): Share | null {
  return share ?? (zone === 'reference' || zone === 'turn' ? zone : null);
}

/** Texts shorter than this carry no information. */
const minTokens = 24;

/**
 * Fits the blocks of each kind into its share. Lower priorities shrink first: trimmed if the section supports it, else
 * in brief form, else dropped; of the user's own instructions, all shrink alike. Pure; a larger `room` never shortens a
 * block.
 * @param room tokens of the context window without the reserve for the answer
 */
export function fitShares(
  composed: readonly Composed[],
  fitted: readonly Fitted[],
  room: number,
  tier: Tier,
): Fitted[] {
  const chosen = new Map(fitted.map(({ section, block }) => [section, block]));
  for (const share of ['own', 'lists', 'reference', 'turn'] as const) {
    const members = composed
      .filter(({ section }) => shareOf(section) === share)
      .sort((a, b) => b.section.priority - a.section.priority);
    const budget = Math.floor(room * shares[share][tier]);
    const sizes = members.map((each) => (chosen.get(each.section) ?? each.block).tokens);
    const limits = share === 'own' ? fairShares(sizes, budget) : null;
    let left = budget;
    members.forEach((each, index) => {
      const block = chosen.get(each.section) ?? each.block;
      const limit = limits?.[index] ?? left;
      const used = block.tokens <= limit ? block : shortenTo(each, block, limit);
      if (used !== block) chosen.set(each.section, { ...used, reason: `${shareNames[share]} ${budget} tokens here` });
      left -= used.tokens;
    });
  }
  return fitted.map(({ section, block }) => ({ section, block: chosen.get(section) ?? block }));
}

/** Returns the trimmed form within the limit; null if there is none. */
function trimTo(each: Composed, limit: number): RenderedBlock | null {
  if (limit < minTokens) return null;
  const first = each.trimmed(limit);
  if (first === null || first.tokens <= limit) return first;
  // The counts of its parts say too little: where they are estimates, or for what is written around them.
  const second = each.trimmed(limit - 2 * (first.tokens - limit));
  return second !== null && second.tokens <= limit ? second : null;
}

/** Returns the first form within the limit: trimmed, brief, or empty. */
function shortenTo(each: Composed, block: RenderedBlock, limit: number): RenderedBlock {
  const form = trimTo(each, limit) ?? [each.brief()].find((one) => one !== null && one.tokens <= limit);
  const { items: _items, ...dropped } = { ...block, text: '', tokens: 0, outcome: 'dropped' as const };
  return form ?? dropped;
}

// Fits the composition, which surrounds the template: brief forms first, then dropped sections, lowest priority first
// (K26).

/** Tokens for all composed instructions together, by tier. */
export const compositionBudgets: Readonly<Record<Tier, number>> = { 1: 150, 2: 150, 3: 400, 4: 1100, 5: 1100 };

/**
 * Fits composed sections into the budget; other sections pass through. Pure; a smaller budget never gives more text.
 */
export function fitComposition(composed: readonly Composed[], budget: number): Fitted[] {
  const chosen = new Map<Composed, RenderedBlock>(composed.map((each) => [each, each.block]));
  const counted = composed.filter(({ section }) => section.composition === true);
  const order = [...counted].sort((a, b) => a.section.priority - b.section.priority);
  const total = (): number => counted.reduce((sum, each) => sum + (chosen.get(each)?.tokens ?? 0), 0);
  for (const each of order) {
    if (total() <= budget) break;
    const brief = each.brief();
    if (brief !== null) chosen.set(each, { ...brief, reason: overBudget(budget) });
  }
  for (const each of order) {
    if (total() <= budget) break;
    chosen.set(each, { ...each.block, text: '', tokens: 0, outcome: 'dropped', reason: overBudget(budget) });
  }
  return composed.map((each) => ({ section: each.section, block: chosen.get(each) ?? each.block }));
}

function overBudget(budget: number): string {
  return `the composition has ${budget} tokens at this tier`;
}

// The tokens of each section in its full and its brief form, for choosing between them.

export interface SectionSize {
  readonly full: number;
  /** Null for a section that has no brief form. */
  readonly brief: number | null;
}

/** Returns the sizes of the sections that have text, by id. */
export function sectionSizes(prompt: ProvidedPrompt, tokenizer: Tokenizer): ReadonlyMap<string, SectionSize> {
  return measureForms({ ...prompt, tokenizer });
}
