import { toolNames } from '../../../../../src/core/markup/variables';
import { modelSuffixes, modeTemplate } from '../../../../../src/core/prompt/sections/mode';
import { templateContextOf } from '../../../../../src/core/prompt/template-record';
import { builtInTemplates } from '../../../../../src/core/prompt/tiered-prompt-store';
import type { ModelSuffix, TemplateContext, TurnContext, World } from '../../../../../src/core/prompt/world';
import { fakeVault } from '../../../../support/fake-vault';
import { device, never, worldOf } from '../../../../support/turn-world';

const everyTool = Object.values(toolNames);
const nothing = { memory: '', file: null };
const contextOf = (turn: Partial<TurnContext>, changes: Partial<typeof device> = {}): TemplateContext =>
  templateContextOf({ ...worldOf(fakeVault({}), turn), device: { ...device, ...changes } }, nothing);

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
    const world = { ...worldOf(fakeVault({})), device: { ...device, repository: true } };
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
    family: 'small',
    write: ({ ToolNames, UserMemory, ProjectContextFile }) =>
      `Read with ${ToolNames.ReadFile}; ${UserMemory} See ${ProjectContextFile}.\n\n\n\nEnd.\n`,
  };
  const files = { 'AGENTS.md': 'House rules.', 'Docent/memory.md': 'Likes tea.' };
  const base = builtInTemplates.serve('assistant', 3).text;
  const worldWith = (suffixes: readonly ModelSuffix[], turn: Partial<TurnContext>, vault = fakeVault(files)): World => {
    const world = worldOf(vault, turn);
    return { ...world, prompts: { ...world.prompts, suffixes } };
  };
  const suffixFor = async (turn: Partial<TurnContext>): Promise<string> => {
    const text = await modeTemplate.gather(worldWith(modelSuffixes, turn), never);
    expect(text).toEqual(expect.stringContaining(base));
    return String(text).slice(base.length).trim();
  };

  it('R025 is appended to the base prompt, written from the template context', async () => {
    expect(await modeTemplate.gather(worldWith([suffix], { modelFamily: 'small' }), never)).toBe(
      `${base}\n\nRead with read_note; Likes tea. See AGENTS.md.\n\nEnd.`,
    );
  });

  it('R025 is there for small, reasoning and frontier models, each with words of its own', async () => {
    const families = ['small', 'reasoning', 'frontier'] as const;
    const texts = await Promise.all(families.map((modelFamily) => suffixFor({ modelFamily, toolNames: everyTool })));
    expect(texts[0]).toContain('find with search_notes, read with read_note');
    expect(texts[1]).toContain('read them together with read_notes');
    expect(texts[1]).toContain('against AGENTS.md once');
    expect(texts[2]).toContain("If the user's memory and AGENTS.md differ");
    expect(new Set(texts).size).toBe(3);
    expect(texts.every((text) => text.length < 400)).toBe(true);
  });

  it('R025 names no tool that is not declared, and respects the permission mode', async () => {
    for (const modelFamily of ['small', 'reasoning', 'frontier'] as const) {
      expect(await suffixFor({ modelFamily, toolNames: [] })).not.toMatch(/_note/);
    }
    const turn = { modelFamily: 'frontier', toolNames: everyTool } as const;
    expect(await suffixFor({ ...turn, permissionMode: 'auto-edit' })).toContain('Edits apply at once');
    expect(await suffixFor({ ...turn, permissionMode: 'review' })).not.toContain('Edits apply at once');
  });

  it('R025 is absent for other models, and nothing is read then', async () => {
    const vault = fakeVault(files);
    expect(await modeTemplate.gather(worldWith(modelSuffixes, {}, vault), never)).toBe(base);
    expect(vault.reads).toEqual([]);
  });
});
