/** The user's own system prompt: when it is used, what follows it, and what happens when it is not there. */
import { toolNames } from '../../../../src/core/markup/variables';
import { assemblePrompt, buildLayout } from '../../../../src/core/prompt/assemble-prompt';
import { findOverride, readCustomBase } from '../../../../src/core/prompt/override';
import { getCoreSystemPrompt } from '../../../../src/core/prompt/prompt-orchestrator';
import type { ProvidedPrompt } from '../../../../src/core/prompt/provide-prompt';
import { sections } from '../../../../src/core/prompt/sections';
import type { TurnContext } from '../../../../src/core/prompt/world';
import { layoutFor } from '../../../../src/core/request/plan-request';
import type { Settings } from '../../../../src/core/settings/settings';
import { goalOf } from '../../../support/goals';
import { roughTokenizer } from '../../../support/memory-ports';
import { scriptedModel } from '../../../support/scripted-model';
import { device, never, promptSettings, worldOf } from '../../../support/turn-world';
import { allowOutside } from '../../../support/own-prompt-ports';
import { fakeComputer, type OwnPromptBench, ownPromptBench } from '../own-prompt/own-prompt-bench';

const house = {
  'AGENTS.md': 'House rules.',
  'Docent/memory.md': 'Likes tea.',
  'Docent/system-extra.md': 'Sources go last.',
  'Docent/system.md': 'You are mine.',
};
const goal = goalOf('Launch in June');
const everyTool = Object.values(toolNames);

async function promptOf(
  bench: OwnPromptBench,
  turn: Partial<TurnContext> = {},
  list = sections,
  layout = buildLayout,
): Promise<ProvidedPrompt> {
  const world = worldOf(bench.vault, { toolNames: everyTool, ...turn });
  return getCoreSystemPrompt({
    world: {
      ...world,
      settings: { ...promptSettings, additionalInstructions: 'British.' },
      device: { ...device, repository: true },
    },
    sections: list,
    layout,
    tokenizer: roughTokenizer,
    signal: never,
    assemble: assemblePrompt,
    customTemplate: async (inner, signal) => {
      const base = await readCustomBase(bench.override, inner, signal);
      return base.ok ? base.value : { blocked: base.failure };
    },
  });
}

const sectionsOf = ({ blocks }: ProvidedPrompt): string[] =>
  blocks.filter(({ text, zone }) => text !== '' && zone === 'instructions').map(({ section }) => section);

describe('which system prompt is used', () => {
  it.each<[string, Partial<Settings>, string | undefined, boolean]>([
    ['nothing is set', {}, undefined, false],
    ['the setting is off', { systemPrompt: 'off', systemPromptPath: 'Docent/system.md' }, undefined, false],
    ['the setting names the default file', { systemPrompt: 'default' }, undefined, true],
    ['the setting names a path', { systemPrompt: 'path', systemPromptPath: ' Docent/system.md ' }, undefined, true],
    ['the setting names no path', { systemPrompt: 'path', systemPromptPath: ' ' }, undefined, false],
    ['the environment switches it on', {}, ' TRUE ', true],
    ['the environment names a path', {}, './Docent/system.md', true],
    ['the environment switches it off', { systemPrompt: 'default' }, '0', false],
    ['the environment is empty', { systemPrompt: 'default' }, '', true],
  ])('R027 R028 R029 R031 when %s', async (_name, settings, variable, isOwn) => {
    const computer = fakeComputer(variable === undefined ? {} : { DOCENT_SYSTEM_MD: variable });
    const { system } = await promptOf(ownPromptBench(house, settings, computer));
    expect([system.includes('You are mine.'), system.includes('<core_mandates>')]).toEqual([isOwn, !isOwn]);
  });

  it('R027 says whether the environment decides', () => {
    const from = (variables: Readonly<Record<string, string>>): boolean =>
      findOverride(ownPromptBench({}, { systemPrompt: 'default' }, fakeComputer(variables)).override).fromEnvironment;
    expect([from({}), from({ DOCENT_SYSTEM_MD: ' ' }), from({ DOCENT_SYSTEM_MD: 'false' })]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('R029 reads a file outside the vault once it is allowed on this device', async () => {
    const bench = ownPromptBench(house, { systemPrompt: 'path', systemPromptPath: '~/mine.md' });
    bench.computer?.outside.set('/home/ada/mine.md', 'From outside.');
    const before = await promptOf(bench);
    expect(before.blocked?.words).toContain('/home/ada/mine.md');
    expect(before.blocked?.actions).toEqual(['allow-outside-file', 'turn-off-system-prompt', 'retry']);
    expect(before.system).not.toContain('From outside.');
    await allowOutside(bench.device, '/home/ada/mine.md');
    const after = await promptOf(bench);
    expect(after.blocked).toBeUndefined();
    expect(after.system.startsWith('From outside.')).toBe(true);
  });

  it('R030 goes without it when the home folder is not known, and on a phone', async () => {
    const settings: Partial<Settings> = { systemPrompt: 'path', systemPromptPath: '~/mine.md' };
    for (const computer of [{ ...fakeComputer(), home: null }, null]) {
      const prompt = await promptOf(ownPromptBench(house, settings, computer));
      expect(prompt.blocked).toBeUndefined();
      expect(prompt.system).toContain('<core_mandates>');
    }
  });

  it('R041 is read anew at each turn', async () => {
    const bench = ownPromptBench(house, { systemPrompt: 'default' });
    expect((await promptOf(bench)).system).toContain('You are mine.');
    bench.vault.put('Docent/system.md', 'You are theirs.');
    bench.vault.put('Docent/system-extra.md', 'Sources go first.');
    const { system } = await promptOf(bench);
    expect(system).toContain('You are theirs.');
    expect(system).toContain('Sources go first.');
    expect(system).not.toMatch(/You are mine|Sources go last/);
  });
});

describe('what follows it', () => {
  const own = (): OwnPromptBench => ownPromptBench(house, { systemPrompt: 'default' });
  const order = ['mode-template', 'permissions', 'git', 'project-context', 'system-extra', 'user-memory'];

  it('R034 R047 R260 K31 K33 is permissions, git, project context, system-extra.md and memory, in that order', async () => {
    expect(sectionsOf(await promptOf(own()))).toEqual(order);
  });

  it('R034 R260 the same in a request of a chat', async () => {
    const { description } = scriptedModel([]);
    const model = { ...description, contextWindow: 200_000, cachesPrompts: true };
    const prompt = await promptOf(own(), { tier: 5 }, sections, layoutFor(model, 5));
    expect(sectionsOf(prompt)).toEqual(order);
    expect(prompt.system).toMatch(/^You are mine\.\n\n<permissions>/);
  });

  it('R034 replaces the mode, the composition and the additional instructions, and no change of mode is told', async () => {
    const { system, blocks } = await promptOf(own(), {
      headMode: 'assistant',
      earlierMode: 'assistant',
      mode: 'planning',
    });
    expect(system.startsWith('You are mine.')).toBe(true);
    expect(system).not.toMatch(
      /British|<(core_mandates|workflow|guidelines|hook_notice|sanity_checks|final_reminder)>/,
    );
    expect(blocks.map(({ section }) => section)).not.toContain('mode-notice');
  });

  it('R034 R112 leaves the goal of the chat and what belongs to the message', async () => {
    const { blocks } = await promptOf(own(), { goal });
    const ids = blocks.filter(({ text }) => text !== '').map(({ section }) => section);
    expect(ids).toEqual(expect.arrayContaining(['active-goal', 'environment', 'vault-listing']));
  });

  it('R040 joins system-extra.md by one blank line, with or without an override, and goes without it', async () => {
    const extra = { 'Docent/system.md': 'You are mine.\n\n', 'Docent/system-extra.md': '\n\nSources go last.\n' };
    const bench = ownPromptBench(extra, { systemPrompt: 'default' });
    const withoutRest = sections.filter(({ id }) => ['mode-template', 'system-extra'].includes(id));
    expect((await promptOf(bench, {}, withoutRest)).system).toBe('You are mine.\n\nSources go last.');
    bench.settings = { ...bench.settings, systemPrompt: 'off' };
    expect((await promptOf(bench)).system).toMatch(/<core_mandates>[\s\S]*\n\nSources go last\.\n/);
    bench.vault.remove('Docent/system-extra.md');
    expect((await promptOf(bench, {}, withoutRest)).system).not.toContain('Sources');
  });

  it('R034 stands although the mode is switched off', async () => {
    const withoutMode = sections.filter(({ id }) => id !== 'mode-template');
    expect((await promptOf(own(), {}, withoutMode)).system.startsWith('You are mine.')).toBe(true);
  });

  it('R035 R036 R037 R038 fills its variables, and those of nobody else’s texts', async () => {
    const bench = ownPromptBench(
      {
        ...house,
        'Docent/system.md':
          'Role.\n${AvailableTools}\n${ToolName_read_note} ${read_note_ToolName} ${nothing} ${constructor}',
        'AGENTS.md': 'Here ${AvailableTools} stays.',
      },
      { systemPrompt: 'default' },
    );
    const { system } = await promptOf(bench, { toolNames: ['search_notes', 'read_note'] });
    expect(system).toContain('Role.\n- read_note\n- search_notes\nread_note read_note ${nothing} ${constructor}');
    expect(system).toContain('Here ${AvailableTools} stays.');
  });

  it('an empty one is told as nothing', async () => {
    const bench = ownPromptBench({ ...house, 'Docent/system.md': '  \n' }, { systemPrompt: 'default' });
    expect(sectionsOf(await promptOf(bench))[0]).toBe('permissions');
  });
});

describe('an override that cannot be read', () => {
  const blockedBy = async (bench: OwnPromptBench) => (await promptOf(bench)).blocked;

  it('R032 K8 blocks with its path and two ways out', async () => {
    const failure = await blockedBy(ownPromptBench({}, { systemPrompt: 'path', systemPromptPath: 'Prompts/gone.md' }));
    expect(failure).toMatchObject({
      kind: 'configuration',
      words: 'Your custom system prompt “Prompts/gone.md” wasn’t found, so nothing was sent.',
      actions: ['create-system-prompt', 'turn-off-system-prompt', 'retry'],
    });
  });

  it('R032 does not offer to turn off what the environment asks for', async () => {
    const computer = fakeComputer({ DOCENT_SYSTEM_MD: 'gone.md' });
    const failure = await blockedBy(ownPromptBench({}, {}, computer));
    expect(failure?.actions).toEqual(['create-system-prompt', 'retry']);
    expect(failure?.remedy).toContain('DOCENT_SYSTEM_MD');
  });

  it('R029 R032 blocks what is no Markdown note, inside and outside', async () => {
    for (const systemPromptPath of ['data.json', '/home/ada/.ssh/id_rsa']) {
      const bench = ownPromptBench({ 'data.json': '{}' }, { systemPrompt: 'path', systemPromptPath });
      bench.computer?.outside.set('/home/ada/.ssh/id_rsa', 'secret');
      await allowOutside(bench.device, '/home/ada/.ssh/id_rsa');
      expect((await blockedBy(bench))?.words).toContain('isn’t a Markdown note');
    }
  });

  it('R032 blocks a file outside that is gone', async () => {
    const bench = ownPromptBench({}, { systemPrompt: 'path', systemPromptPath: '/tmp/gone.md' });
    await allowOutside(bench.device, '/tmp/gone.md');
    expect((await blockedBy(bench))?.actions).toContain('create-system-prompt');
  });
});
