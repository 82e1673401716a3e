/** The user's own mode: its notes first, then our texts, each step said. */
import { createOrchestrator } from '../../../../src/core/context/prepare-turn';
import { type OwnText, write } from '../../../../src/core/markup/markup';
import { assistant } from '../../../../src/core/prompt/modes';
import { sections } from '../../../../src/core/prompt/sections';
import { modeNotice, modeTemplate } from '../../../../src/core/prompt/sections/mode';
import {
  builtInTemplates,
  readOwnTemplate,
  startingTemplates,
  TieredPromptStore,
} from '../../../../src/core/prompt/tiered-prompt-store';
import { type Tier, tiers } from '../../../../src/core/settings/mode';
import { type FakeVault, fakeVault } from '../../../support/fake-vault';
import { never, worldOf } from '../../../support/turn-world';

const notes = { 'Docent/modes/user/tier3.md': 'You are the tutor.', 'Docent/modes/user/tier4.md': ' \n' };
const templateIn = async (vault: FakeVault, tier: Tier, mode: 'user' | 'assistant' = 'user'): Promise<string> =>
  write([await modeTemplate.gather(worldOf(vault, { mode, tier }), never)]).text;

describe('the step of the chain', () => {
  const store = new TieredPromptStore();
  store.load([
    { id: 'user', templates: { 1: 'built in' } },
    { id: 'assistant', templates: { 3: 'a3' } },
  ]);

  it.each<[string, Tier, string | null | undefined, string, string]>([
    ['the user’s own', 1, ' mine ', 'mine', 'own'],
    ['ours, when the user has none', 1, undefined, 'built in', 'exact'],
    ['ours, when the user has none of this size', 1, null, 'built in', 'built-in'],
    ['ours, when the user’s is empty', 1, ' ', 'built in', 'built-in'],
    ['the nearest size of ours', 4, null, 'built in', 'nearest-tier'],
    ['the user’s own, where we have none', 4, 'mine', 'mine', 'own'],
  ])('R104 is %s', (_name, tier, own, text, step) => {
    expect(store.serve('user', tier, own)).toMatchObject({ text, step });
  });

  it('R104 is Assistant 3, then Developer 3, when the mode has nothing', () => {
    expect(store.serve('debugger', 5)).toMatchObject({ text: 'a3', step: 'assistant' });
    const rest = new TieredPromptStore();
    rest.load([{ id: 'developer', templates: { 3: 'd3' } }]);
    expect(rest.serve('user', 5, null)).toMatchObject({ text: 'd3', step: 'developer' });
  });

  it('R104 R005 is noted once, and not for what was asked for', () => {
    const noted: string[] = [];
    const orchestrator = createOrchestrator({
      vault: fakeVault({}),
      sections,
      note: (words) => void noted.push(words),
    });
    orchestrator.getSystemPromptForTierAndMode('user', 3, 'mine');
    orchestrator.getSystemPromptForTierAndMode('user', 3);
    expect(noted).toEqual([]);
    for (let time = 0; time < 3; time += 1) orchestrator.getSystemPromptForTierAndMode('user', 5, null);
    expect(noted).toEqual([
      'You have no template for Custom at level 5, or didn’t allow it on this device, so Docent’s template is used.',
    ]);
  });
});

describe('the notes of the user’s own mode', () => {
  it('R101 begin as the templates of Assistant, one a size', () => {
    const starting = new Map(startingTemplates(assistant, 'Docent'));
    expect([...starting.keys()]).toEqual(tiers.map((tier) => `Docent/modes/user/tier${tier}.md`));
    for (const tier of tiers) {
      expect(starting.get(`Docent/modes/user/tier${tier}.md`)?.trim()).toBe(builtInTemplates.get('assistant', tier));
    }
  });

  it('R101 are told at their size, and only in that mode', async () => {
    const vault = fakeVault(notes);
    expect(await templateIn(vault, 3)).toBe('You are the tutor.');
    expect(await templateIn(vault, 3, 'assistant')).not.toContain('tutor');
    expect(vault.reads).toEqual(['Docent/modes/user/tier3.md']);
  });

  it('R102 act on the next turn', async () => {
    const vault = fakeVault(notes);
    await templateIn(vault, 3);
    vault.put('Docent/modes/user/tier3.md', 'You are the <b>coach</b>.');
    expect(await templateIn(vault, 3)).toBe('You are the <b>coach</b>.');
  });

  it('R104 give way to ours where one is missing, empty or cannot be read', async () => {
    const vault = fakeVault(notes);
    vault.put('Docent/modes/user/tier2.md', 'x');
    const ours = (tier: Tier): string => write([builtInTemplates.serve('user', tier).text]).text;
    for (const tier of [1, 4, 5] as const) expect(await templateIn(vault, tier)).toBe(ours(tier));
    const broken = { ...worldOf(vault, { mode: 'user', tier: 2 }), readNote: () => vault.read('Gone.md') };
    expect(await readOwnTemplate(broken, 'user', 2, never)).toBeNull();
    expect(await readOwnTemplate(worldOf(fakeVault({})), 'user', 2, never)).toBeUndefined();
  });

  it('R101 K4 are told with a change of mode in the middle of a chat', async () => {
    const turn = { headMode: 'assistant', earlierMode: 'assistant', mode: 'user', tier: 3 } as const;
    const change = await modeNotice.gather(worldOf(fakeVault(notes), turn), never);
    expect((change?.text as OwnText).own).toBe('You are the tutor.');
  });
});
