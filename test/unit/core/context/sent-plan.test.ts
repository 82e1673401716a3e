/** What was sent, and what is learned from it: design 7, the factor of a model. */
import { addSent, factorsFor, learnFactor } from '../../../../src/core/context/prepare-chat-turn';
import type { Message } from '../../../../src/core/ports/message';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { DeviceFactors } from '../../../../src/tokens/open';
import { memoryDevice } from '../../../support/memory-ports';
import { boat } from '../../models/harness';

const tokenizer = { count: (text: string) => text.length, exact: true };

function planOf(modelId: string, ...texts: readonly string[]): RequestPlan {
  const totals = { instructions: 0, reference: 0, history: 0, turn: 0, tools: 0, all: 0, reserve: 0, window: 1 };
  return {
    ...{ conversationId: 'c', modelId, blocks: [], system: '', tools: [], maxOutputTokens: 1 },
    messages: texts.map((text) => ({ role: 'user', parts: [{ type: 'text', text }] })),
    totals: { ...totals, exact: true },
  };
}

const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 1 });
const long = 'x'.repeat(1_000);

describe('a request that was sent', () => {
  it('teaches the factor of its model from our unscaled count', () => {
    const ports = { tokenizer, factors: new DeviceFactors(memoryDevice()) };
    const first = addSent(ports, null, planOf('p/m', long));
    learnFactor(ports, first, usage(1_500));
    expect([ports.factors.of('p/m'), ports.factors.of('p/other')]).toEqual([1.5, 1]);
    const second = addSent(ports, first, planOf('p/m', long, long));
    learnFactor(ports, second, usage(3_000));
    expect(ports.factors.of('p/m')).toBe(1.5);
  });

  it('keeps the factor that it was sent with, while what is new is counted by the new one', () => {
    const ports = { tokenizer, factors: new DeviceFactors(memoryDevice()) };
    const first = addSent(ports, null, planOf('p/m', long));
    learnFactor(ports, first, usage(1_500));
    const second = addSent(ports, first, planOf('p/m', long, 'more'));
    expect([...factorsFor(second, 'p/m')]).toEqual([
      [long, 1],
      ['more', 1.5],
    ]);
  });

  it('says nothing of how another model counts', () => {
    const ports = { tokenizer, factors: new DeviceFactors(memoryDevice()) };
    const first = addSent(ports, null, planOf('p/m', long));
    learnFactor(ports, first, usage(1_500));
    expect([...factorsFor(first, 'p/other')]).toEqual([]);
    expect([...factorsFor(addSent(ports, first, planOf('p/other', long)), 'p/other')]).toEqual([[long, 1]]);
  });

  it('teaches nothing with an image, which each provider counts in its own way', () => {
    const ports = { tokenizer, factors: new DeviceFactors(memoryDevice()) };
    const plan = planOf('p/m', long);
    const shown: Message = { role: 'user', parts: [boat, { type: 'text', text: long }] };
    learnFactor(ports, addSent(ports, null, { ...plan, messages: [...plan.messages, shown] }), usage(1_500));
    expect(ports.factors.of('p/m')).toBe(1);
    learnFactor(ports, addSent(ports, null, plan), usage(1_500));
    expect(ports.factors.of('p/m')).toBe(1.5);
  });

  it('teaches nothing while our own count is an estimate, and nothing before anything was sent', () => {
    const ports = { tokenizer: { ...tokenizer, exact: false }, factors: new DeviceFactors(memoryDevice()) };
    learnFactor(ports, addSent(ports, null, planOf('p/m', long)), usage(1_500));
    learnFactor(ports, null, usage(1_500));
    expect(ports.factors.of('p/m')).toBe(1);
  });
});
