/** Where the parts of a request go. */
import type { Message } from '../../../../src/core/ports/message';
import type { ModelDescription } from '../../../../src/core/ports/model';
import type { Zone } from '../../../../src/core/ports/request-plan';
import { assemblePrompt, buildLayout } from '../../../../src/core/prompt/assemble-prompt';
import { gatherFacts, type Section, section } from '../../../../src/core/prompt/section';
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
const part = (id: string, zone: Zone, buildOrder: number, place?: Section['place']): Section =>
  section({
    id,
    zone,
    ...(place === undefined ? {} : { place }),
    buildOrder,
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

describe('the layout of a request', () => {
  it.each([
    [4_096, false],
    [32_768, true],
    [200_000, false],
    [200_000, true],
  ])('K1 K6 R181 R189 R203 is the same in a window of %i, with caching: %s', async (window, caches) => {
    const plan = await planFor(model(window, caches));
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

  it('R203 K7 marks what a provider may cache only for providers that take marks', async () => {
    expect((await planFor(model(200_000, false))).breakpoints).toBeUndefined();
    expect((await planFor(model(4_096, true))).breakpoints).toBeDefined();
  });

  it('R144 differs from a prompt without a history, which has everything in one text', async () => {
    const facts = await gatherFacts(list, worldOf(), never);
    const { system } = assemblePrompt({ sections: list, facts, tokenizer: roughTokenizer, layout: buildLayout });
    expect(system).toBe('FULL\nWHO\n\nRULES\nHERE\nMAP\nFILES');
  });
});
