/** The token factor: learned from reported usage, and applied only to what was not sent yet (design 7). */
import type { Block, RequestPlan } from '../../../../src/core/ports/request-plan';
import {
  correctFactor,
  countPlan,
  nothingSent,
  rememberSent,
  scaleTokenizer,
  type TokenFactor,
} from '../../../../src/core/request/token-factor';

/** A token a character. */
const tokenizer = { count: (text: string) => text.length, exact: true };

const block = (text: string, place: Block['place'] = 'system'): Block => ({
  ...{ section: 's', zone: 'instructions', place, text, tokens: 0, outcome: 'full', madeVisible: 0 },
});

function planOf(changes: Partial<RequestPlan>): RequestPlan {
  const totals = { instructions: 0, reference: 0, history: 0, turn: 0, tools: 0, all: 0, reserve: 0, window: 1 };
  return {
    ...{ conversationId: 'c', modelId: 'p/m', blocks: [], system: '', messages: [], tools: [] },
    totals: { ...totals, exact: true },
    maxOutputTokens: 1,
    ...changes,
  };
}

function learn(...reports: readonly (readonly [number, number])[]): TokenFactor | null {
  return reports.reduce<TokenFactor | null>((known, report) => correctFactor(known, ...report), null);
}

describe('a token factor', () => {
  it('is the first ratio at once, then the mean of the first few', () => {
    expect(learn([1_200, 1_000])).toEqual({ value: 1.2, reports: 1 });
    expect(learn([1_200, 1_000], [1_400, 1_000])).toEqual({ value: 1.3, reports: 2 });
    expect(learn([1_200, 1_000], [1_400, 1_000], [1_600, 1_000])).toEqual({ value: 1.4, reports: 3 });
  });

  it('is moved by a fifth of the way at most once there are many, and still follows a lasting change', () => {
    const settled = learn(...Array<[number, number]>(10).fill([1_200, 1_000]));
    expect(settled).toEqual({ value: 1.2, reports: 10 });
    const once = correctFactor(settled, 2_200, 1_000);
    expect(once?.value).toBeCloseTo(1.4);
    const often = Array<number>(30)
      .fill(2_200)
      .reduce<TokenFactor | null>((known, reported) => correctFactor(known, reported, 1_000), settled);
    expect(often?.value).toBeCloseTo(2.2, 1);
  });

  it('stays between 0.5 and 2.5 whatever is reported', () => {
    expect(learn([9_000_000, 1_000])?.value).toBe(2.5);
    expect(learn([500, 1_000])?.value).toBe(0.5);
    expect(learn([1_000, 1_000], [9_000_000, 1_000], [9_000_000, 1_000])?.value).toBeLessThanOrEqual(2.5);
  });

  it.each([
    ['a small request, in which the frame of messages weighs too much', 299, 299],
    ['a server that leaves out what it had kept', 499, 1_000],
    ['a report of nothing', 0, 1_000],
    ['a report that is no number', NaN, 1_000],
    ['a request without text', 10, 0],
  ])('learns nothing from %s', (_, reported, counted) => {
    expect(correctFactor(null, reported, counted)).toBeNull();
    const known = { value: 1.1, reports: 4 };
    expect(correctFactor(known, reported, counted)).toBe(known);
  });
});

describe('a scaled count', () => {
  it('is ours times the factor, rounded, and shown as an estimate', () => {
    const scaled = scaleTokenizer(tokenizer, 1.25, nothingSent);
    expect([scaled.count('abcd'), scaled.count('ab'), scaled.count(''), scaled.exact]).toEqual([5, 3, 0, false]);
  });

  it('is the count itself while nothing is known', () => {
    expect(scaleTokenizer(tokenizer, 1, nothingSent)).toBe(tokenizer);
    expect(scaleTokenizer(tokenizer, 1, new Map([['a', 1]]))).toBe(tokenizer);
  });

  it('keeps for what was sent the factor that it was sent with', () => {
    const sent = rememberSent(planOf({ blocks: [block('head')] }), 1, nothingSent);
    const scaled = scaleTokenizer(tokenizer, 1.5, sent);
    expect([scaled.count('head'), scaled.count('next')]).toEqual([4, 6]);
    expect(scaleTokenizer(tokenizer, 1, new Map([['head', 1.5]])).count('head')).toBe(6);
  });
});

describe('what was sent', () => {
  const messages: RequestPlan['messages'] = [
    { role: 'user', parts: [{ type: 'text', text: 'question' }] },
    { role: 'assistant', parts: [{ type: 'tool-call', id: '1', name: 'read', argumentsText: '{}' }] },
    { role: 'tool', parts: [{ type: 'tool-result', callId: '1', name: 'read', text: 'result', isError: false }] },
  ];
  const tools = [{ name: 'read', description: 'Reads.', parameters: {} }];
  const plan = planOf({
    blocks: [block('head'), block('', 'system'), block('zone', 'after-message')],
    messages,
    tools,
  });

  it('is every text that the request is counted by, once', () => {
    expect([...rememberSent(plan, 1.2, nothingSent)]).toEqual(
      ['head', 'question', 'read {}', 'result', JSON.stringify(tools)].map((text) => [text, 1.2]),
    );
    expect(countPlan(plan, tokenizer)).toBe(4 + 8 + 7 + 6 + JSON.stringify(tools).length);
  });

  it('keeps its first factor from request to request, until it is sent no more', () => {
    const first = rememberSent(planOf({ blocks: [block('head')], messages: messages.slice(0, 1) }), 1, nothingSent);
    const second = rememberSent(plan, 1.4, first);
    expect([second.get('head'), second.get('question'), second.get('result')]).toEqual([1, 1, 1.4]);
    const third = rememberSent(planOf({ blocks: [block('head')] }), 2, second);
    expect([...third]).toEqual([['head', 1]]);
  });
});
