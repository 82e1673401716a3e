/** What is shown next to the switch of each section. */
import { findSectionCosts, type SectionCost } from '../../../../src/core/own-prompt/section-costs';
import { sections } from '../../../../src/core/prompt/sections';
import type { ChatChoices } from '../../../../src/core/session/entry';
import { words } from '../../../../src/text';
import { never } from '../../../support/turn-world';
import { fakeComputer, freshPorts, ownPromptBench, type OwnPromptBench } from './own-prompt-bench';

async function costsOf(bench: OwnPromptBench, choices: ChatChoices = { tier: 5 }): Promise<Map<string, SectionCost>> {
  const ports = freshPorts(bench);
  const switches = { computer: bench.computer, settings: () => bench.settings };
  const found = await findSectionCosts(sections, ports, switches, { choices, plan: null }, never);
  if (!found.ok) throw new Error(found.failure.words);
  return new Map(found.value.map((cost) => [cost.id, cost]));
}

it('R252 tells the cost of every section, or why it says nothing now', async () => {
  const costs = await costsOf(ownPromptBench({ 'Docent/memory.md': 'Likes tea.' }));
  expect([...costs.keys()]).toEqual(sections.map(({ id }) => id));
  for (const { id, tokens, description } of costs.values()) {
    expect([id, description]).toEqual([
      id,
      expect.stringMatching(tokens === null ? /^(Empty|Left out) now: \w/ : /^≈[\d,]+ tokens now\.$/),
    ]);
  }
  expect(costs.get('user-memory')?.tokens).toBeGreaterThan(0);
  expect(costs.get('git')?.description).toContain('isn’t a Git repository');
  expect(costs.get('files')?.description).toContain('no note is attached');
});

it('R252 tells what a section that is off would cost, and which variable decides', async () => {
  const bench = ownPromptBench({ 'Docent/memory.md': 'Likes tea.' }, { sectionsOff: ['user-memory'] });
  expect((await costsOf(bench)).get('user-memory')?.description).toMatch(/^Off\. It would use ≈\d+ tokens now\.$/);
  bench.computer = fakeComputer({ DOCENT_PROMPT_SANDBOX: '0' });
  expect((await costsOf(bench)).get('permissions')?.description).toMatch(/^Off\..*DOCENT_PROMPT_SANDBOX/);
});

it('R252 R034 says of what a system prompt of the user’s own replaces that it does', async () => {
  const costs = await costsOf(ownPromptBench({ 'Docent/system.md': 'Mine.' }, { systemPrompt: 'default' }));
  const replaced = [...costs.values()]
    .filter(({ description }) => description === words.ownPrompt.replaced)
    .map(({ id }) => id);
  expect(replaced).toEqual(expect.arrayContaining(['core-mandates', 'guidelines', 'additional-instructions']));
  for (const id of ['mode-template', 'permissions', 'user-memory', 'vault-listing']) expect(replaced).not.toContain(id);
});

it('R252 has words for every section, and for no other', () => {
  expect(Object.keys(words.sections).sort()).toEqual(sections.map(({ id }) => id).sort());
});
