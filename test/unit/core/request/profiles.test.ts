/** The two profiles, as rows of one table. */
import type { Message } from '../../../../src/core/ports/message';
import type { ModelDescription } from '../../../../src/core/ports/model';
import type { Zone } from '../../../../src/core/ports/request-plan';
import { gatherFacts, type Section, section } from '../../../../src/core/prompt/section';
import { profileFor } from '../../../../src/core/request/fit';
import { planRequest } from '../../../../src/core/request/plan-request';
import { roughTokenizer } from '../../../support/memory-ports';
import { never, worldOf } from '../../../support/turn-world';

const model = (contextWindow: number, cachesPrompts: boolean): ModelDescription => ({
  id: 'p/m',
  label: 'm',
  contextWindow,
  outputLimit: 1000,
  nativeTools: true,
  cachesPrompts,
});
const part = (id: string, zone: Zone, flatOrder: number, tieredPlace?: Section['tieredPlace']): Section =>
  section({
    id,
    zone,
    ...(tieredPlace === undefined ? {} : { tieredPlace }),
    flatOrder,
    priority: 1,
    trim: 'never',
    needs: {},
    when: () => true,
    full: () => [id.toUpperCase()],
  });
const list = [
  part('who', 'instructions', 1),
  part('rules', 'instructions', 2),
  part('map', 'reference', 5),
  part('here', 'reference', 3, 'first-message'),
  part('files', 'turn', 6),
  part('full', 'turn', 0, 'after-message'),
];
const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }];

async function planFor(description: ModelDescription) {
  const facts = await gatherFacts(list, worldOf(), never);
  const input = {
    conversationId: 'c',
    model: description,
    tier: 3 as const,
    sections: list,
    facts,
    messages,
    tools: [],
  };
  return planRequest({ ...input, tokenizer: roughTokenizer });
}

describe('R203 the profile', () => {
  it.each([
    [200_000, true, 'tiered'],
    [200_000, false, 'flat'],
    [32_768, true, 'flat'],
    [32_769, true, 'tiered'],
  ])('of a window of %i with caching %s is %s', (window, caches, id) => {
    expect(profileFor(model(window, caches)).id).toBe(id);
  });

  it('K1 K6 flat puts everything into one system string, in its own order', async () => {
    const plan = await planFor(model(8192, false));
    expect(plan.system).toBe('FULL\nWHO\n\nRULES\nHERE\nMAP\nFILES');
    expect(plan.messages).toEqual(messages);
  });

  it('R181 R189 tiered keeps the head and the reference in the system prompt and opens with the first message', async () => {
    const plan = await planFor(model(200_000, true));
    expect(plan.system).toBe('WHO\n\nRULES\n\nMAP');
    expect(plan.messages.map(({ parts }) => parts.map((one) => ('text' in one ? one.text : '')))).toEqual([
      ['HERE'],
      ['Hi'],
    ]);
    expect(plan.blocks.map(({ section: id, place }) => `${id} ${place}`)).toEqual([
      'who system',
      'rules system',
      'map system',
      'here first-message',
      'files before-message',
      'full after-message',
    ]);
  });

  it('counts each block once, whatever the profile', async () => {
    const tiered = await planFor(model(200_000, true));
    const flat = await planFor(model(8192, false));
    // What surrounds the message in the tiered profile is part of the messages, which hold none of it here.
    expect(flat.totals.all - tiered.totals.all).toBe(roughTokenizer.count('FILES') + roughTokenizer.count('FULL'));
  });
});
