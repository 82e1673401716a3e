/** The sections outside the template stay within the budget of their tier. */
import fc from 'fast-check';
import type { Composed } from '../../../../src/core/prompt/assemble-prompt';
import { section } from '../../../../src/core/prompt/section';
import { compositionBudgets, fitComposition } from '../../../../src/core/request/fit';

function composed(id: string, priority: number, tokens: number, brief: number | null, counts = true): Composed {
  const block = {
    section: id,
    zone: 'instructions' as const,
    text: `${id} full`,
    tokens,
    outcome: 'full' as const,
    madeVisible: 0,
  };
  return {
    section: section({
      id,
      zone: 'instructions',
      buildOrder: 1,
      priority,
      trim: 'never',
      composition: counts,
      needs: {},
      when: () => true,
      full: () => [`${id} full`],
    }),
    block,
    trimmed: () => null,
    brief: () => (brief === null ? null : { ...block, text: `${id} brief`, tokens: brief, outcome: 'brief' }),
  };
}

const outcomes = (list: readonly Composed[], budget: number) =>
  fitComposition(list, budget).map(({ block }) => `${block.section} ${block.outcome}`);

describe('K26 the composition', () => {
  const list = [composed('mandates', 80, 300, 90), composed('workflow', 60, 400, null), composed('git', 40, 100, 30)];

  it('is whole when it fits', () => {
    expect(outcomes(list, 800)).toEqual(['mandates full', 'workflow full', 'git full']);
  });

  it('takes brief forms first, the least important first', () => {
    expect(outcomes(list, 730)).toEqual(['mandates full', 'workflow full', 'git brief']);
    expect(outcomes(list, 520)).toEqual(['mandates brief', 'workflow full', 'git brief']);
  });

  it('then drops, the least important first, and says why', () => {
    expect(outcomes(list, 500)).toEqual(['mandates brief', 'workflow full', 'git dropped']);
    expect(outcomes(list, 100)).toEqual(['mandates brief', 'workflow dropped', 'git dropped']);
    expect(fitComposition(list, 100)[1]?.block).toMatchObject({
      text: '',
      tokens: 0,
      reason: 'the composition has 100 tokens at this tier',
    });
  });

  it('leaves alone what does not count: the template and the words of the user', () => {
    expect(outcomes([composed('template', 100, 5000, null, false), ...list], 0)[0]).toBe('template full');
  });

  it('has the budgets of the tiers', () => {
    expect(compositionBudgets).toEqual({ 1: 150, 2: 150, 3: 400, 4: 1100, 5: 1100 });
  });

  it('never exceeds its budget, and never grows when the budget shrinks', () => {
    const sizes = fc.array(fc.tuple(fc.nat(100), fc.nat(500), fc.option(fc.nat(200))), { maxLength: 8 });
    fc.assert(
      fc.property(sizes, fc.nat(2000), fc.nat(500), (rows, budget, less) => {
        const entries = rows.map(([priority, tokens, brief], index) =>
          composed(`s${index}`, priority, tokens, brief === null ? null : Math.min(brief, tokens)),
        );
        const sum = (limit: number) => fitComposition(entries, limit).reduce((all, { block }) => all + block.tokens, 0);
        expect(sum(budget)).toBeLessThanOrEqual(budget);
        expect(sum(Math.max(0, budget - less))).toBeLessThanOrEqual(sum(budget));
      }),
      { numRuns: 500 },
    );
  });
});
