import { PromptRegistry } from '../../../../src/core/library/prompt-registry';
import { buildLayout } from '../../../../src/core/prompt/assemble-prompt';
import { PromptOrchestrator, type SystemPromptUpdate } from '../../../../src/core/prompt/prompt-orchestrator';
import type { PromptChange, ProvidedPrompt } from '../../../../src/core/prompt/provide-prompt';
import { sections } from '../../../../src/core/prompt/sections';
import { builtInTemplates } from '../../../../src/core/prompt/tiered-prompt-store';
import { type FakeVault, fakeVault } from '../../../support/fake-vault';
import { goalOf } from '../../../support/goals';
import { roughTokenizer } from '../../../support/memory-ports';
import { never, worldOf } from '../../../support/turn-world';

const goal = goalOf('Sort the recipes', { id: 'g' });

/** A conversation that only keeps its prompt. */
function bench(
  vault: FakeVault = fakeVault({ 'A.md': 'alpha' }),
  orchestrator = new PromptOrchestrator(builtInTemplates),
) {
  const replaced: PromptChange[] = [];
  let prompt: ProvidedPrompt | null = null;
  const update = (changes: Partial<SystemPromptUpdate> = {}): Promise<ProvidedPrompt> =>
    orchestrator.updateSystemPrompt({
      mode: 'assistant',
      tier: 3,
      activeSkills: [],
      activeGoal: null,
      currentContext: {
        prompt,
        replace: (next, change) => {
          prompt = next;
          replaced.push(change);
        },
      },
      contextPool: {
        world: worldOf(vault, { headMode: changes.mode ?? 'assistant', contextWindow: 8_192 }),
        sections,
        layout: buildLayout,
        tokenizer: roughTokenizer,
        signal: never,
      },
      ...changes,
    });
  return { update, replaced, vault };
}

describe('updateSystemPrompt', () => {
  it('R007 R106 builds the prompt of mode and tier, with goal and skills, and puts it at the head', async () => {
    const vault = fakeVault({
      'Docent/skills/brew/SKILL.md': '---\nname: brew\ndescription: Brews.\n---\nBoil water.',
    });
    const { update, replaced } = bench(vault);
    const activeSkills = ['Docent/skills/brew/SKILL.md'];
    const { system } = await update({ mode: 'planning', tier: 4, activeSkills, activeGoal: goal });
    const [opening = '?'] = builtInTemplates.get('planning', 4)?.split('\n') ?? [];
    const order = [opening, '<core_mandates>', 'Sort the recipes', 'Boil water.'];
    const found = order.map((text) => system.indexOf(text));
    expect(found).not.toContain(-1);
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(replaced).toHaveLength(1);
    expect(replaced[0]?.reasons).toEqual(['start']);
  });

  it('R106 joins the template and the core prompt by a blank line, the template first', async () => {
    const { update } = bench();
    const { system, blocks } = await update();
    const [opening = '?'] = builtInTemplates.get('assistant', 3)?.split('\n') ?? [];
    expect(blocks[0]?.text.startsWith(opening)).toBe(true);
    expect(system.startsWith(`${blocks[0]?.text}\n\n${blocks[1]?.text}`)).toBe(true);
  });

  it('R007 K13 replaces nothing when the result is the same, byte for byte', async () => {
    const { update, replaced, vault } = bench(fakeVault({ 'Docent/memory.md': ' ' }));
    const first = await update();
    vault.put('Docent/memory.md', '   ');
    const second = await update();
    expect(second.system).toBe(first.system);
    expect(replaced).toHaveLength(1);
  });

  it.each<[string, Partial<SystemPromptUpdate>, string, RegExp]>([
    ['the mode', { mode: 'debugger' }, 'mode-template', /^mode-template/],
    ['the tier', { tier: 5 }, 'mode-template', /^turn-state\.tier$/],
    ['the goal', { activeGoal: goal }, 'active-goal', /^active-goal/],
  ])('R007 says which sections changed and why: %s', async (_name, change, section, reason) => {
    const { update, replaced } = bench();
    await update();
    await update(change);
    expect(replaced).toHaveLength(2);
    expect(replaced[1]?.sections).toContain(section);
    expect(replaced[1]?.reasons.some((each) => reason.test(each))).toBe(true);
  });

  it('R007 names a changed note, one that came and one that went, and nothing besides', async () => {
    const { update, replaced, vault } = bench();
    await update();
    vault.put('Docent/memory.md', 'Likes tea.');
    await update();
    vault.put('Docent/memory.md', 'Likes coffee.');
    await update();
    vault.put('Docent/memory.md', '');
    await update();
    const about = replaced.slice(1).map(({ sections: changed, reasons }) => ({
      sections: changed.filter((id) => id !== 'vault-listing'),
      reasons: reasons.filter((each) => !each.startsWith('vault-listing')),
    }));
    expect(about).toEqual(Array(3).fill({ sections: ['user-memory'], reasons: ['user-memory'] }));
  });

  it('R003 R004 finds the text of a skill in the registry, and reports a template that stands in for another', async () => {
    const registry = new PromptRegistry();
    registry.register({
      id: 'tea',
      name: 'Tea',
      content: 'Warm the pot.',
      source: 'mcp',
      serverName: 'kitchen',
      registeredAt: 0,
    });
    const served: string[] = [];
    const store = { serve: () => ({ text: 'Stand-in.', mode: 'assistant', tier: 3, step: 'assistant' }) as const };
    const orchestrator = new PromptOrchestrator(
      store,
      (found, asked) => void served.push(`${asked.mode} ${asked.tier} by ${found.mode} ${found.tier}`),
      registry,
    );
    const { update } = bench(undefined, orchestrator);
    const { system } = await update({ mode: 'debugger', tier: 2, activeSkills: ['kitchen/tea'] });
    expect(system.startsWith('Stand-in.')).toBe(true);
    expect(system).toContain('Warm the pot.');
    expect(served).toEqual(['debugger 2 by assistant 3']);
  });
});
