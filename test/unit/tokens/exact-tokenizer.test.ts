/** The Tokenizer over a counter in the background: exact at once for what is known, an honest estimate for the rest. */
import { planExactly } from '../../../src/core/request/plan-request';
import { estimatingTokenizer, ExactTokenizer } from '../../../src/tokens/open';
import type { TextCounter } from '../../../src/tokens/text-counter';

interface SlowCounter extends TextCounter {
  readonly asked: (readonly string[])[];
}

/** A hundred tokens a character, after a while. */
function slowCounter(countOf: (text: string) => number | null = ({ length }) => length * 100): SlowCounter {
  const asked: (readonly string[])[] = [];
  return {
    asked,
    count: async (texts) => {
      asked.push(texts);
      await new Promise((resolve) => setTimeout(resolve, 2));
      return texts.map(countOf);
    },
    close: () => {},
  };
}

describe('the exact tokenizer', () => {
  it('estimates what it sees for the first time, says so, and knows it once it has settled', async () => {
    const counter = slowCounter();
    const tokenizer = new ExactTokenizer(counter);
    expect([tokenizer.exact, counter.asked]).toEqual([true, []]);
    expect(tokenizer.count('four')).toBe(estimatingTokenizer.count('four'));
    expect(tokenizer.exact).toBe(false);
    await tokenizer.settle();
    expect([tokenizer.count('four'), tokenizer.exact]).toEqual([400, true]);
  });

  it('counts what was asked for at once in one go, and each text once', async () => {
    const counter = slowCounter();
    const tokenizer = new ExactTokenizer(counter);
    for (const text of ['a', 'bb', 'a', '']) tokenizer.count(text);
    await tokenizer.settle();
    tokenizer.count('a');
    tokenizer.count('ccc');
    await Promise.all([tokenizer.settle(), tokenizer.settle()]);
    expect(counter.asked).toEqual([['a', 'bb'], ['ccc']]);
    expect(['a', 'bb', 'ccc', ''].map((text) => tokenizer.count(text))).toEqual([100, 200, 300, 0]);
  });

  it('counts in the background even when nobody waits', async () => {
    const tokenizer = new ExactTokenizer(slowCounter());
    tokenizer.count('a');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([tokenizer.count('a'), tokenizer.exact]).toEqual([100, true]);
  });

  it('goes on with estimates, marked as such, where counting fails', async () => {
    const failing: TextCounter = { count: () => Promise.reject(new Error('broken')), close: () => {} };
    const tokenizer = new ExactTokenizer(failing);
    tokenizer.count('four');
    await tokenizer.settle();
    expect(tokenizer.count('four')).toBe(1);
    expect(tokenizer.exact).toBe(false);
  });

  it('forgets an estimate that nobody asks for any more', async () => {
    const tokenizer = new ExactTokenizer(slowCounter((text) => (text === 'odd' ? null : 1)));
    tokenizer.count('odd');
    await tokenizer.settle();
    tokenizer.count('odd');
    expect(tokenizer.exact).toBe(false);
    await tokenizer.settle();
    tokenizer.count('even');
    await tokenizer.settle();
    expect([tokenizer.count('even'), tokenizer.exact]).toEqual([1, true]);
  });

  it('sends no text that fits no window, and lets go of the texts asked for longest ago', async () => {
    const counter = slowCounter(({ length }) => length);
    const tokenizer = new ExactTokenizer(counter);
    tokenizer.count('x'.repeat(4_000_001));
    await tokenizer.settle();
    expect(counter.asked).toEqual([]);
    const texts = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(3_500_000));
    for (const text of texts.slice(0, 4)) {
      tokenizer.count(text);
      await tokenizer.settle();
    }
    tokenizer.count(texts[0] ?? '');
    tokenizer.count(texts[4] ?? '');
    await tokenizer.settle();
    expect(tokenizer.count(texts[0] ?? '')).toBe(3_500_000);
    expect(tokenizer.exact).toBe(true);
    expect(tokenizer.count(texts[1] ?? '')).toBe(875_000);
    expect(tokenizer.exact).toBe(false);
  });
});

describe('planning exactly', () => {
  it('plans again until all that a plan asks for is known, brief forms included', async () => {
    const tokenizer = new ExactTokenizer(slowCounter());
    const plans: number[][] = [];
    const planned = await planExactly(tokenizer, () => {
      const full = tokenizer.count('full form');
      const counts = full > 500 ? [full, tokenizer.count('brief')] : [full];
      plans.push(counts);
      return { counts, exact: tokenizer.exact };
    });
    expect(planned).toEqual({ counts: [900, 500], exact: true });
    expect(plans).toHaveLength(3);
  });

  it('plans once where everything is known, and where nothing gets better', async () => {
    let plans = 0;
    await planExactly(estimatingTokenizer, () => (plans += 1));
    expect(plans).toBe(1);
    const tokenizer = new ExactTokenizer(slowCounter());
    tokenizer.count('a');
    await tokenizer.settle();
    await planExactly(tokenizer, () => {
      plans += 1;
      return tokenizer.count('a');
    });
    expect(plans).toBe(2);
  });

  it('lets the last plan stand when something cannot be counted', async () => {
    const tokenizer = new ExactTokenizer(slowCounter(() => null));
    const planned = await planExactly(tokenizer, () => ({ tokens: tokenizer.count('four'), exact: tokenizer.exact }));
    expect(planned).toEqual({ tokens: 1, exact: false });
  });
});
