/** The registry of prompts and the orchestrator of templates. */
import { availabilityOf, PromptRegistry, type RegisteredPrompt } from '../../../../src/core/library/prompt-registry';
import { PromptOrchestrator } from '../../../../src/core/prompt/prompt-orchestrator';
import { TieredPromptStore } from '../../../../src/core/prompt/tiered-prompt-store';

const prompt = (id: string, changes: Partial<RegisteredPrompt> = {}): RegisteredPrompt => ({
  id,
  name: id,
  content: `${id} content`,
  source: 'static',
  registeredAt: 0,
  ...changes,
});

describe('the registry', () => {
  const filled = (): PromptRegistry => {
    const registry = new PromptRegistry();
    registry.register(prompt('b', { tags: ['edit', 'short'] }));
    registry.register(prompt('a', { source: 'config', tags: ['edit'] }));
    registry.register(prompt('list', { source: 'mcp', serverName: 'github' }));
    registry.register(prompt('list', { source: 'mcp', serverName: 'mail' }));
    return registry;
  };
  const ids = (prompts: readonly RegisteredPrompt[]): string[] => prompts.map(({ id }) => id);

  it('R010 R129 finds prompts by id, tag and source, in a fixed order', () => {
    const registry = filled();
    expect(registry.get('a')?.content).toBe('a content');
    expect([registry.has('b'), registry.has('c'), registry.get('c')]).toEqual([true, false, undefined]);
    expect(ids(registry.getByTag('edit'))).toEqual(['a', 'b']);
    expect(ids(registry.getBySource('config'))).toEqual(['a']);
    expect(ids(registry.list())).toEqual(['a', 'b', 'github/list', 'mail/list']);
  });

  it('R010 replaces a prompt of the same id, and forgets one that is taken back', () => {
    const registry = filled();
    registry.register(prompt('a', { content: 'new' }));
    expect(registry.get('a')?.content).toBe('new');
    expect([registry.unregister('a'), registry.unregister('a'), registry.has('a')]).toEqual([true, false, false]);
  });

  it('R130 keeps the prompts of servers apart by name and clears those of one on disconnect', () => {
    const registry = filled();
    registry.clearMcpPrompts('github');
    expect(ids(registry.list())).toEqual(['a', 'b', 'mail/list']);
  });

  it('R128 says which tools a prompt lacks', () => {
    const needy = prompt('x', { requiredTools: ['search_notes', 'fetch_page'] });
    expect(availabilityOf([needy, prompt('y')], ['search_notes']).map(({ missingTools }) => missingTools)).toEqual([
      ['fetch_page'],
      [],
    ]);
  });

  it('R131 keeps the version of a prompt', () => {
    expect(new PromptRegistry().register(prompt('v', { version: '1.2.0' })).version).toBe('1.2.0');
  });
});

describe('the orchestrator', () => {
  const store = new TieredPromptStore();
  store.load([{ id: 'planning', templates: { 2: 'Plan briefly.' } }]);

  it('R005 serves the template of a mode and tier and reports a step of the fallback chain', () => {
    const reported: string[] = [];
    const orchestrator = new PromptOrchestrator(store, ({ mode, tier, step }) =>
      reported.push(`${mode} ${tier} ${step}`),
    );
    expect(orchestrator.getSystemPromptForTierAndMode('planning', 2)).toBe('Plan briefly.');
    expect(reported).toEqual([]);
    expect(orchestrator.getSystemPromptForTierAndMode('planning', 5)).toBe('Plan briefly.');
    expect(reported).toEqual(['planning 2 nearest-tier']);
  });

  it('R005 takes the lower of two tiers that are as near', () => {
    const two = new TieredPromptStore();
    two.load([{ id: 'planning', templates: { 1: 'One.', 3: 'Three.', 5: 'Five.' } }]);
    const orchestrator = new PromptOrchestrator(two, () => undefined);
    const served = ([2, 4] as const).map((tier) => orchestrator.getSystemPromptForTierAndMode('planning', tier));
    expect(served).toEqual(['One.', 'Three.']);
  });

  it.each([
    [1, 200, 'R088'],
    [2, 500, 'R089'],
    [3, 1000, 'R090'],
    [4, 1500, 'R091'],
    [5, 1500, 'R092'],
  ] as const)('R006 gives tier %i %i tokens (%s)', (tier, budget, _row) => {
    expect(new PromptOrchestrator(store).getSystemPromptTokenBudget(tier)).toBe(budget);
  });
});
