/** Keeps the composition beside the template small: brief forms, then nothing, the least important first (K26). */
import type { Composed, RenderedBlock } from '../prompt/assemble-prompt';
import type { Section } from '../prompt/section';
import type { Tier } from '../settings/mode';

/** Tokens for all composed instructions together, by tier. */
export const compositionBudgets: Readonly<Record<Tier, number>> = { 1: 150, 2: 150, 3: 400, 4: 1100, 5: 1100 };

export interface Fitted {
  readonly section: Section;
  readonly block: RenderedBlock;
}

/** Pure; a smaller budget never gives a longer composition. Sections that do not count are passed on as they are. */
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
