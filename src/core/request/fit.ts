/** Fits what a turn adds to its share of the window: in full, shortened fairly, briefly, or not at all, with the reason. */
import type { Composed } from '../prompt/assemble-prompt';
import type { Tier } from '../settings/mode';
import type { Fitted } from './fit-composition';

/** Share of the room that the texts of one zone may take, by tier: small models get more of the talk itself. */
export const zoneShares: Readonly<Record<'reference' | 'turn', Readonly<Record<Tier, number>>>> = {
  reference: { 1: 0.25, 2: 0.25, 3: 0.3, 4: 0.3, 5: 0.4 },
  turn: { 1: 0.3, 2: 0.35, 3: 0.4, 4: 0.45, 5: 0.5 },
};

/** Texts shorter than this say nothing any more. */
const leastTokens = 24;

/**
 * Pure; more room never makes any of them shorter. The least important of a zone give way first: shortened where their
 * section can be, else in brief, else left out.
 * @param room tokens of the window without what is kept for the answer
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
      const forms = [left >= leastTokens ? each.trimmed(left) : null, each.brief()];
      const form = forms.find((one) => one !== null && one.tokens <= left);
      const used = form ?? { ...block, text: '', tokens: 0, outcome: 'dropped' as const };
      const { items: _items, ...plain } = used;
      chosen.set(each.section, { ...plain, reason });
      left -= used.tokens;
    }
  }
  return fitted.map(({ section, block }) => ({ section, block: chosen.get(section) ?? block }));
}
