/** Fits blocks into token budgets by zone and tier: in full, trimmed, in brief form, or dropped, with the reason. */
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

/**
 * The share of the usable tokens for the texts of one zone, by tier: small models get more for the conversation itself.
 */
export const zoneShares: Readonly<Record<'reference' | 'turn', Readonly<Record<Tier, number>>>> = {
  reference: { 1: 0.25, 2: 0.25, 3: 0.3, 4: 0.3, 5: 0.4 },
  turn: { 1: 0.3, 2: 0.35, 3: 0.4, 4: 0.45, 5: 0.5 },
};

/** Texts shorter than this carry no information. */
const minTokens = 24;

/**
 * Fits the blocks of each zone into its share. Lower priorities shrink first: trimmed if the section supports it, else
 * in brief form, else dropped. Pure; a larger `room` never shortens a block.
 * @param room tokens of the context window without the reserve for the answer
 */
export function fitZones(composed: readonly Composed[], fitted: readonly Fitted[], room: number, tier: Tier): Fitted[] {
  const chosen = new Map(fitted.map(({ section, block }) => [section, block]));
  for (const zone of ['reference', 'turn'] as const) {
    const members = composed
      .filter(({ section }) => section.zone === zone)
      .sort((a, b) => b.section.priority - a.section.priority);
    const budget = Math.floor(room * zoneShares[zone][tier]);
    const reason = `${zone === 'turn' ? 'what goes with a message' : 'the reference'} has ${budget} tokens here`;
    let left = budget;
    for (const each of members) {
      const block = chosen.get(each.section) ?? each.block;
      if (block.tokens <= left) {
        left -= block.tokens;
        continue;
      }
      const forms = [left >= minTokens ? each.trimmed(left) : null, each.brief()];
      const form = forms.find((one) => one !== null && one.tokens <= left);
      const used = form ?? { ...block, text: '', tokens: 0, outcome: 'dropped' as const };
      const { items: _items, ...plain } = used;
      chosen.set(each.section, { ...plain, reason });
      left -= used.tokens;
    }
  }
  return fitted.map(({ section, block }) => ({ section, block: chosen.get(section) ?? block }));
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
