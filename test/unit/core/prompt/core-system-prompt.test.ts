import { assemblePrompt, buildLayout } from '../../../../src/core/prompt/assemble-prompt';
import { compressionPrompt } from '../../../../src/core/prompt/background-prompts';
import { getCompressionPrompt, getCoreSystemPrompt } from '../../../../src/core/prompt/prompt-orchestrator';
import type { PromptConfig } from '../../../../src/core/prompt/provide-prompt';
import { gatherFacts, section } from '../../../../src/core/prompt/section';
import { sections } from '../../../../src/core/prompt/sections';
import type { TurnContext, World } from '../../../../src/core/prompt/world';
import { fakeVault } from '../../../support/fake-vault';
import { roughTokenizer } from '../../../support/memory-ports';
import { never, worldOf } from '../../../support/turn-world';

const plainVault = fakeVault({ 'A.md': 'alpha' });

function configOf(changes: Partial<PromptConfig> = {}, turn: Partial<TurnContext> = {}): PromptConfig {
  return {
    world: worldOf(plainVault, turn),
    sections,
    layout: buildLayout,
    tokenizer: roughTokenizer,
    signal: never,
    assemble: assemblePrompt,
    ...changes,
  };
}

const systemOf = async (...given: Parameters<typeof getCoreSystemPrompt>): Promise<string> =>
  (await getCoreSystemPrompt(...given)).system;
const plainSection = (id: string, text: string, buildOrder: number, composition?: true) =>
  section({
    id,
    ...(composition === undefined ? {} : { composition }),
    zone: 'instructions',
    buildOrder,
    priority: 1,
    trim: 'never',
    needs: {},
    when: () => true,
    full: () => [text],
  });

describe('the two entries', () => {
  it('R001 R012 give the system prompt and the compression prompt, from ports alone', async () => {
    const config = configOf();
    const facts = await gatherFacts(sections, config.world, never);
    const { system } = assemblePrompt({ sections, facts, tokenizer: roughTokenizer, layout: buildLayout });
    expect(await systemOf(config)).toBe(system);
    expect(system).toContain('<core_mandates>');
    expect(getCompressionPrompt()).toBe(compressionPrompt(null));
    expect(getCompressionPrompt()).toContain('<state_snapshot>');
  });

  it('R013 R016 lets the override decide whether a person is there, over what the settings say', async () => {
    const asked = await systemOf(configOf());
    const alone = await systemOf(configOf(), undefined, false);
    expect(alone).not.toBe(asked);
    expect(await systemOf(configOf(), undefined, true)).toBe(asked);
    const world: World = { ...configOf().world, settings: { ...configOf().world.settings, interactive: false } };
    expect(await systemOf(configOf({ world }))).toBe(alone);
    expect(await systemOf(configOf({ world }), undefined, true)).toBe(asked);
  });

  it('R016 writes Plan for the approval mode Plan, and fewer words for a modern model', async () => {
    const partsOf = async (turn: Partial<TurnContext>): Promise<string[]> => {
      const tools = ['read_note', 'edit_note'];
      const { blocks } = await getCoreSystemPrompt(configOf({}, { tier: 5, toolNames: tools, ...turn }));
      return blocks.map(({ section: id }) => id).filter((id) => /workflow|reminder/.test(id));
    };
    expect(await partsOf({ permissionMode: 'plan' })).toEqual(['planning-workflow', 'final-reminder']);
    expect(await partsOf({ permissionMode: 'review' })).toEqual(['primary-workflow', 'final-reminder']);
    expect(await partsOf({ permissionMode: 'review', modernModel: true })).toEqual(['primary-workflow']);
  });
});

describe('the flow', () => {
  it('R015 looks for a custom template, gathers, composes and finishes, in this order', async () => {
    const order: string[] = [];
    const vault = fakeVault({ 'Docent/memory.md': 'Likes tea.' });
    const world: World = {
      ...worldOf(vault),
      readNote: (path, signal) => {
        order.push('gather');
        return vault.read(path, signal);
      },
    };
    await getCoreSystemPrompt(
      configOf({
        world,
        customTemplate: () => {
          order.push('look');
          return Promise.resolve(null);
        },
        assemble: (assembly) => {
          order.push('compose');
          return assemblePrompt(assembly);
        },
        writeOut: () => void order.push('write'),
      }),
    );
    expect(order).toEqual(['look', 'gather', 'compose', 'write']);
  });

  it('R015 composes by the standard without a custom template, and behind one only what must follow it', async () => {
    const standard = await systemOf(configOf());
    expect(standard).toContain('<core_mandates>');
    const vault = fakeVault({ 'AGENTS.md': 'House rules.', 'Docent/memory.md': 'Likes tea.' });
    const custom = await systemOf(
      configOf({ world: worldOf(vault), customTemplate: () => Promise.resolve('You are mine.\n\n\n\nSo be it.') }),
    );
    expect(custom.startsWith('You are mine.\n\nSo be it.')).toBe(true);
    expect(custom).not.toMatch(/<(core_mandates|primary_workflow|guidelines|final_reminder)>/);
    for (const part of ['<permissions>', 'House rules.', 'Likes tea.']) expect(custom).toContain(part);
    expect(custom.indexOf('<permissions>')).toBeLessThan(custom.indexOf('House rules.'));
    expect(custom.indexOf('House rules.')).toBeLessThan(custom.indexOf('Likes tea.'));
  });

  it('R017 appends the memory that it is given, in place of the note, behind everything else', async () => {
    const vault = fakeVault({ 'Docent/memory.md': 'From the note.' });
    const read = await systemOf(configOf({ world: worldOf(vault) }));
    expect(read).toContain('From the note.');
    const given = await systemOf(configOf({ world: worldOf(vault) }), '  Given by hand.\n');
    expect(given).not.toContain('From the note.');
    expect(given.endsWith('---\n\n<user_memory>\nGiven by hand.\n</user_memory>')).toBe(true);
    expect(vault.reads).toHaveLength(1);
    expect(await systemOf(configOf(), '  \n ')).not.toContain('<user_memory>');
  });

  it('R017 trims, and makes of three line ends and more two, save in the text of notes', async () => {
    const own = [
      plainSection('a', '\n\nFirst.\n\n\n\nSecond.', 1, true),
      plainSection('b', 'A note:\n\n\n\nits end.\n\n', 2),
    ];
    const { system, blocks } = await getCoreSystemPrompt(configOf({ sections: own }));
    expect(system).toBe('First.\n\nSecond.\n\nA note:\n\n\n\nits end.');
    expect(blocks[0]?.tokens).toBe(roughTokenizer.count('\n\nFirst.\n\nSecond.'));
    const world = worldOf(fakeVault({ 'A.md': 'one\n\n\n\n\ntwo' }), { contextNotes: ['A.md'] });
    expect(await systemOf(configOf({ world }))).toContain('one\n\n\n\n\ntwo');
  });

  it('R017 writes out what it returns when it is asked to, and nothing otherwise', async () => {
    const written: string[] = [];
    const system = await systemOf(configOf({ writeOut: (text) => void written.push(text) }));
    expect(written).toEqual([system]);
  });

  it('looks at the vault again when it shows other files by the end', async () => {
    const vault = fakeVault({ 'A.md': 'alpha', 'Secret.md': 'sesame' });
    const world = worldOf(vault, { contextNotes: ['Secret.md'] });
    const refresh = async (): Promise<void> => {
      await Promise.resolve();
      vault.remove('Secret.md');
    };
    expect(await systemOf(configOf({ world, refresh }))).not.toContain('sesame');
  });

  it('names a pinned note as it is spelled by the end', async () => {
    const vault = fakeVault({ 'Keel.md': 'alpha' });
    // As Obsidian finds a file where the disk ignores letter case.
    const find = vault.file.bind(vault);
    vault.file = (path) => find(vault.files().find((one) => one.path.toLowerCase() === path.toLowerCase())?.path ?? '');
    const world = worldOf(vault, { contextNotes: ['keel.md'] });
    const refresh = async (): Promise<void> => {
      await new Promise((resolve) => void setTimeout(resolve));
      vault.remove('Keel.md');
      vault.put('KEEL.md', 'alpha');
    };
    const { blocks } = await getCoreSystemPrompt(configOf({ world, refresh }));
    expect(blocks.map(({ text }) => text).find((text) => text.includes('alpha'))).toContain('"KEEL.md"');
  });
});
