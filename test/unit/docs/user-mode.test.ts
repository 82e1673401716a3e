/** The page about a mode of one's own: its examples are templates as Docent would take them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import page from '../../../docs/user-mode.md';
import { element, write } from '../../../src/core/markup/markup';
import { PromptOrchestrator } from '../../../src/core/prompt/prompt-orchestrator';
import { builtInTemplates } from '../../../src/core/prompt/tiered-prompt-store';
import { type Tier, tiers } from '../../../src/core/settings/mode';
import { o200k } from '../core/prompt/composition/composed';

const root = join(__dirname, '../../..');

describe('the page on a mode of one’s own', () => {
  const examples = [...page.matchAll(/^`Docent\/modes\/user\/tier(\d)\.md`\n\n```markdown\n([\s\S]*?)\n```$/gm)].map(
    ([, tier, text = '']) => ({ tier: Number(tier) as Tier, text }),
  );

  it('R111 has an example for each of the uses, and is linked from the README', () => {
    const parts = page.split(/^## /m).slice(1);
    for (const use of ['House tone', 'Teaching', 'Domain expert', 'Workflow', 'Experiments']) {
      expect([use, parts.find((part) => part.startsWith(use))?.includes('```markdown')]).toEqual([use, true]);
    }
    expect(examples.map(({ tier }) => tier).sort()).toEqual([...tiers]);
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('(docs/user-mode.md)');
  });

  it.each(examples)('R111 R102 fits the example of tier $tier into its budget', ({ tier, text }) => {
    const budget = new PromptOrchestrator(builtInTemplates).getSystemPromptTokenBudget(tier);
    expect(o200k.count(text)).toBeLessThanOrEqual(budget);
    expect(o200k.count(text)).toBeGreaterThan(budget / 10);
  });

  it('R111 R088-R092 names the budget of each tier', () => {
    const orchestrator = new PromptOrchestrator(builtInTemplates);
    for (const tier of tiers) {
      const budget = orchestrator.getSystemPromptTokenBudget(tier).toLocaleString('en');
      expect(page).toMatch(new RegExp(`^\\| \`Docent/modes/user/tier${tier}\\.md\` \\|[^|]*\\| ${budget} \\|$`, 'm'));
    }
  });

  it.each(examples)('R111 writes the example of tier $tier as a template is written', ({ tier, text }) => {
    // A template is plain text: no properties, no variables, and nothing that the prompt's markup would have to change.
    expect(text).not.toMatch(/^---\n/);
    expect(text).not.toMatch(/\$\{|<%|[<>&]/);
    expect(write([element('files', {}, text)]).text).toContain(text);
    expect(text).toMatch(/^You are /);
    expect(text.includes('is material')).toBe(tier < 3);
    expect(text).toContain("in the user's language");
    expect(text).toMatch(/[Cc]all a change proposed until/);
    expect(text).toMatch(/[Rr]ead .* (note|passage)|read that note first/i);
    if (tier === 1) expect(text.split('\n').filter((line) => line.startsWith('- ')).length).toBeLessThanOrEqual(7);
    if (tier > 1) expect(text).toMatch(/cannot write/);
  });
});
