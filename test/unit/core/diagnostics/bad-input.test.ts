import { builtInSkills, listSkills } from '../../../../src/core/library/skills';
import { listSubagents } from '../../../../src/core/library/subagents';
import { listPrompts, listWorkspaces } from '../../../../src/core/library/user-notes';
import { attachedLists } from '../../../../src/core/prompt/facts/attached-notes';
import { filesSection } from '../../../../src/core/prompt/sections/notes';
import { projectContext } from '../../../../src/core/prompt/facts/context-texts';
import { projectContextSection } from '../../../../src/core/prompt/sections/user-instructions';
import { selectedWorkspace, selectedWorkspaceSection } from '../../../../src/core/prompt/sections/workspaces';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { fakeVault } from '../../../support/fake-vault';
import { render } from '../../../support/render-section';
import { never, worldOf } from '../../../support/turn-world';
import { checkBench, formatResults, note } from './check-bench';

const broken = '---\nname: a: b: c\n  - [\n---\nText.';
const described = (name: string): string => note(`name: ${name}\ndescription: Does it.`);

describe('what users get wrong', () => {
  it('R128 R131 one prompt with invalid properties is left out with the reason, and the rest load', async () => {
    const files = {
      'Docent/prompts/A.md': note('name: A'),
      'Docent/prompts/Bad.md': note('name: [1]'),
      'Docent/prompts/Broken.md': broken,
    };
    const bench = checkBench(files);
    expect(listPrompts(bench.vault, 'Docent').map(({ name }) => name)).toEqual(['A', 'Broken']);
    expect(formatResults(await bench.run('prompts'))).toEqual([
      'error: Docent/prompts/Bad.md: Its “name” is not text.',
      'warning: Docent/prompts/Broken.md: Its properties can’t be read. Open it and correct them. Until then, it appears under its file name.',
    ]);
  });

  it('R134 one skill with broken properties is left out with the reason, and the rest load', async () => {
    const bench = checkBench({
      'Docent/skills/broken/SKILL.md': broken,
      'Docent/skills/fine/SKILL.md': described('fine'),
    });
    expect(listSkills(bench.vault, 'Docent').skills.map(({ name }) => name)).toEqual(
      ['fine', ...builtInSkills.map(({ name }) => name)].sort(),
    );
    expect(await bench.run('skills')).toMatchObject([{ level: 'error', path: 'Docent/skills/broken/SKILL.md' }]);
  });

  it('R137 one sub-agent with broken properties is left out with the reason, and the rest load', async () => {
    const bench = checkBench({ 'Docent/subagents/broken.md': broken, 'Docent/subagents/fine.md': described('fine') });
    expect(listSubagents(bench.vault, 'Docent').subagents.map(({ name }) => name)).toContain('fine');
    expect(listSubagents(bench.vault, 'Docent').subagents).toHaveLength(4);
    expect(await bench.run('subagents')).toMatchObject([{ level: 'error', path: 'Docent/subagents/broken.md' }]);
  });

  it('R174 one workspace with invalid properties is left out with the reason, and the rest load', async () => {
    const bench = checkBench({
      'Docent/workspaces/Bad.md': note('folder: [a]'),
      'Docent/workspaces/Broken.md': broken,
      'Docent/workspaces/Fine.md': note('folder: Projects'),
      'Projects/A.md': '',
    });
    expect(listWorkspaces(bench.vault, 'Docent').map(({ name }) => name)).toEqual(['Broken', 'Fine']);
    expect((await bench.run('workspaces')).map(({ level, path }) => [level, path])).toEqual([
      ['error', 'Docent/workspaces/Bad.md'],
      ['warning', 'Docent/workspaces/Broken.md'],
    ]);
  });

  it('R134 of two skills of one name the one of the stronger source is used, and it is said which', async () => {
    const bench = checkBench({
      'Boats/skills/review/SKILL.md': described('review'),
      'Docent/skills/review/SKILL.md': described('review'),
      'Docent/workspaces/Boats.md': note('folder: Boats'),
    });
    expect(listSkills(bench.vault, 'Docent', 'Boats').skills.filter(({ name }) => name === 'review')).toMatchObject([
      { location: 'Boats/skills/review/SKILL.md' },
    ]);
    const [result] = await bench.run('skills', { selectedWorkspace: 'Docent/workspaces/Boats.md' });
    expect(result?.path).toBe('Docent/skills/review/SKILL.md');
    expect(result?.words).toContain('Boats/skills/review/SKILL.md');
  });

  it('R174 R177 a workspace whose folder is gone is told with what is left of it', async () => {
    const vault = fakeVault({ 'Docent/workspaces/Lost.md': note('folder: Nowhere', 'Answer briefly.') });
    const workspace = await selectedWorkspace.gather(
      worldOf(vault, { selectedWorkspace: 'Docent/workspaces/Lost.md' }),
      never,
    );
    expect(workspace?.loaded).toMatchObject({ name: 'Lost', rootFolder: 'Nowhere', recentFiles: [] });
    expect(render(selectedWorkspaceSection, { workspace })).toContain('Answer briefly.');
  });

  it('R168 a folder of 5,000 notes is listed within its budget, says what is left out, and is quick', async () => {
    const notes = Array.from({ length: 5_000 }, (_, index) => [
      `Big/Note ${index}.md`,
      `# About ${index}\n${'word '.repeat(200)}`,
    ]);
    const vault = fakeVault(Object.fromEntries(notes));
    const mentions = [{ kind: 'folder' as const, id: 'Big', label: 'Big' }];
    const gather = (): ReturnType<typeof attachedLists.gather> =>
      attachedLists.gather(worldOf(vault, { mentions, contextWindow: 200_000 }), never);
    const lists = await gather();
    const text = render(filesSection, { notes: [], lists }) ?? '';
    const rows = text.match(/^- Big\//gm)?.length ?? 0;
    expect(rows).toBeGreaterThan(100);
    expect(rows).toBeLessThan(1_000);
    expect(text).toContain('5,000 notes, the newest first:');
    const left = (5_000 - rows).toLocaleString('en');
    expect(text).toContain(`… and ${left} more; list_folder with path "Big" lists them all.`);
    // Lines take 4,000 tokens at most and full texts 10,000; a token is at least two characters here.
    expect(text.length).toBeLessThan(14_000 * 6);
    expect(vault.reads.length).toBeLessThan(10);
    await expectCostBelow(1_000, gather);
  });

  it('R196 AGENTS.md of 2 MB is cut by rule, and both the model and the user are told', async () => {
    const vault = fakeVault({ 'AGENTS.md': 'Keep it short.\n'.repeat(140_000) });
    const read = async (): Promise<string> =>
      render(projectContextSection, { file: await projectContext.gather(worldOf(vault), never) }) ?? '';
    const text = await read();
    await expectCostBelow(500, read);
    expect(text.length).toBeLessThan(65_000);
    expect(text).toContain('[Cut here: 64000 of 2099999 characters shown. The note itself is whole.]');
    expect(text.trimEnd()).toMatch(/--- End of Context from: AGENTS\.md ---\n<\/project_context>$/);
    const bench = checkBench({ 'AGENTS.md': 'Keep it short.\n'.repeat(140_000) });
    expect(await bench.run('context-files', {}, 'next')).toMatchObject([
      { level: 'warning', inUse: true, words: expect.stringContaining('the first 64,000 of 2,099,999') },
    ]);
  });
});
