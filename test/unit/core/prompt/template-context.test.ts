import { modelSuffixes, modeTemplate, suffixFor, templateContextOf } from '../../../../src/core/prompt/sections/mode';
import { builtInTemplates } from '../../../../src/core/prompt/tiered-prompt-store';
import type { ModelSuffix, TemplateContext, TurnContext, World } from '../../../../src/core/prompt/world';
import { fakeVault } from '../../../support/fake-vault';
import { device, never, turnContext, worldOf } from '../../../support/turn-world';

const nothing = { memory: '', file: null };
const contextOf = (turn: Partial<TurnContext>, changes: Partial<typeof device> = {}): TemplateContext =>
  templateContextOf({ turn: turnContext(turn), device: { ...device, ...changes } }, nothing);

describe('the template context', () => {
  it('R024 names the tools that are offered, by what they do, and none that is not', () => {
    const all = [
      ...['read_note', 'read_notes', 'create_note', 'edit_note', 'search_notes', 'find_notes', 'list_folder'],
      'remember',
    ];
    expect(contextOf({ toolNames: all }).ToolNames).toEqual({
      ReadFile: 'read_note',
      ReadManyFiles: 'read_notes',
      WriteFile: 'create_note',
      Edit: 'edit_note',
      Grep: 'search_notes',
      Glob: 'find_notes',
      LS: 'list_folder',
      Memory: 'remember',
      Shell: '',
    });
    const few = contextOf({ toolNames: ['read_note', 'shell'] }).ToolNames;
    expect(Object.entries(few).filter(([, name]) => name !== '')).toEqual([['ReadFile', 'read_note']]);
  });

  it.each<[TurnContext['permissionMode'], string, TemplateContext['SandboxStatus']]>([
    ['review', 'macOS', 'macos'],
    ['read-only', 'Linux', 'generic'],
    ['plan', 'iOS', 'generic'],
    ['auto-edit', 'macOS', 'none'],
  ])('R024 says of %s on %s that the agent is held back as “%s”', (permissionMode, operatingSystem, status) => {
    expect(contextOf({ permissionMode }, { operatingSystem }).SandboxStatus).toBe(status);
  });

  it('R024 holds repository, memory and context file, empty where there is none', () => {
    expect(contextOf({})).toMatchObject({
      IsGitRepository: false,
      UserMemory: '',
      ProjectContext: '',
      ProjectContextFile: '',
    });
    const texts = { memory: ' Likes tea.\n', file: { name: 'AGENTS.md', text: '\nHouse rules.\n' } };
    const world = { turn: turnContext(), device: { ...device, repository: true } };
    expect(templateContextOf(world, texts)).toMatchObject({
      IsGitRepository: true,
      UserMemory: 'Likes tea.',
      ProjectContext: 'House rules.',
      ProjectContextFile: 'AGENTS.md',
    });
  });
});

describe('the suffix of a model family', () => {
  const suffix: ModelSuffix = {
    family: 'Scri',
    write: ({ ToolNames, UserMemory, ProjectContextFile }) =>
      `Read with ${ToolNames.ReadFile}; ${UserMemory} See ${ProjectContextFile}.\n\n\n\nEnd.\n`,
  };
  const base = builtInTemplates.serve('assistant', 3).text;
  const worldWith = (suffixes: readonly ModelSuffix[], modelId: string, vault = fakeVault({})): World => {
    const world = worldOf(vault, { modelId });
    return { ...world, prompts: { ...world.prompts, suffixes } };
  };

  it('R025 is found by the beginning of the model’s name, without provider and maker', () => {
    expect(suffixFor('test/scripted', [suffix])).toBe(suffix);
    expect(suffixFor('router/maker/SCRIPTED-2', [suffix])).toBe(suffix);
    expect(suffixFor('scripted/other', [suffix])).toBeUndefined();
  });

  it('R025 is appended to the base prompt, written from the template context', async () => {
    const vault = fakeVault({ 'AGENTS.md': 'House rules.', 'Docent/memory.md': 'Likes tea.' });
    expect(await modeTemplate.gather(worldWith([suffix], 'test/scripted', vault), never)).toBe(
      `${base}\n\nRead with read_note; Likes tea. See AGENTS.md.\n\nEnd.`,
    );
  });

  it('R025 is empty by default, and reads nothing then', async () => {
    expect(modelSuffixes).toEqual([]);
    const vault = fakeVault({ 'AGENTS.md': 'House rules.', 'Docent/memory.md': 'Likes tea.' });
    expect(await modeTemplate.gather(worldWith([suffix], 'test/other', vault), never)).toBe(base);
    expect(vault.reads).toEqual([]);
  });
});
