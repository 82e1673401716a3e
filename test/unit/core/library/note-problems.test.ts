import { findBrokenProperties, findProblems } from '../../../../src/core/library/note-problems';
import { describePrompt, listPrompts, listWorkspaces } from '../../../../src/core/library/user-notes';
import { loadWorkspace } from '../../../../src/core/library/workspaces';
import { availablePrompts } from '../../../../src/core/prompt/facts/library';
import { fakeVault } from '../../../support/fake-vault';
import { never, worldOf } from '../../../support/turn-world';

const note = (properties: string): string => `---\n${properties}\n---\nText.`;
const files = {
  'Docent/prompts/Good.md': note('name: Good\ntags: a, b\nversion: 2\nother: {x: 1}'),
  'Docent/prompts/Number.md': note('name: 2026\ndescription: 5'),
  'Docent/prompts/Bad.md': note('name: [1, 2]\ndisabled: maybe\nrequiredTools: {a: 1}'),
  'Docent/prompts/Off.md': note('disabled: true'),
  'Docent/prompts/Web.md': note('requiredTools: [fetch_page, read_note]'),
  'Docent/prompts/Words.md': note('requiredTools: fetch_page, run_subagent'),
  'Docent/prompts/Broken.md': '---\nname: a: b: c\n  - [\n---\nText.',
  'Docent/prompts/Bare.md': 'Just text.',
  'Docent/workspaces/Boat.md': note(
    'folder: Projects/\nnotes: "[[Engine|it]]"\nworkflows: [Weekly, review]\npreferences: Short.',
  ),
  'Docent/workspaces/Lost.md': note('folder: Nowhere'),
  'Docent/workspaces/Bad.md': note('notes: 7\nfolder: [a]'),
  'Projects/Engine.md': '',
};
const vault = fakeVault(files);
const names = (toolNames?: readonly string[]) => listPrompts(vault, 'Docent', toolNames).map(({ name }) => name);

describe('properties of prompts and workspaces', () => {
  it('R165 R131 take text as YAML gives it and let other properties be', () => {
    expect(listPrompts(vault, 'Docent')).toContainEqual({
      id: 'Docent/prompts/Number.md',
      name: '2026',
      description: '5',
    });
    expect(names()).toContain('Good');
  });

  it('R128 leave out what is invalid or switched off, and load the rest', () => {
    expect(names()).toEqual(['Bare', 'Broken', 'Good', '2026', 'Web', 'Words']);
    expect(listWorkspaces(vault, 'Docent').map(({ name }) => name)).toEqual(['Boat', 'Lost']);
    expect(describePrompt(vault, 'Docent/prompts/Bad.md').name).toBe('Bad');
  });

  it('R128 hide a prompt without the tools it needs', async () => {
    expect(names(['read_note', 'fetch_page'])).toEqual(['Bare', 'Broken', 'Good', '2026', 'Web']);
    const offered = await availablePrompts.gather(worldOf(vault, { toolNames: [] }), never);
    expect(offered.map(({ name }) => name)).toEqual(['Bare', 'Broken', 'Good', '2026']);
  });

  it('R128 R131 tell what is wrong in plain words', () => {
    expect(findProblems(vault, 'Docent', ['read_note'])).toEqual([
      {
        path: 'Docent/prompts/Bad.md',
        kind: 'invalid',
        reason:
          'Its “name” is not text. Its “requiredTools” is not a list of names. Its “disabled” is neither true nor false.',
      },
      {
        path: 'Docent/prompts/Web.md',
        kind: 'missing-tools',
        reason: 'It needs tools that aren’t available: fetch_page.',
      },
      {
        path: 'Docent/prompts/Words.md',
        kind: 'missing-tools',
        reason: 'It needs tools that aren’t available: fetch_page, run_subagent.',
      },
      {
        path: 'Docent/workspaces/Bad.md',
        kind: 'invalid',
        reason: 'Its “folder” is not text. Its “notes” is not a list of names.',
      },
      {
        path: 'Docent/workspaces/Lost.md',
        kind: 'missing-folder',
        reason: 'Its folder “Nowhere” wasn’t found. Correct its property “folder”.',
        folder: 'Nowhere',
      },
    ]);
  });

  it('R131 find a block of properties that cannot be read, reading only notes without any', async () => {
    const fresh = fakeVault(files);
    expect(await findBrokenProperties(fresh, 'Docent', never)).toMatchObject([
      { path: 'Docent/prompts/Broken.md', kind: 'broken-properties' },
    ]);
    expect(fresh.reads).toEqual(['Docent/prompts/Bare.md', 'Docent/prompts/Broken.md']);
  });

  it('R179 bring workflows and preferences into the workspace’s record', async () => {
    expect(await loadWorkspace('Docent/workspaces/Boat.md', worldOf(vault), never)).toMatchObject({
      workflows: ['Weekly', 'review'],
      preferences: 'Short.',
      keyFiles: ['Projects/Engine.md'],
    });
  });

  it('R164 R174 load a workspace whose properties are invalid as far as possible', async () => {
    expect(await loadWorkspace('Docent/workspaces/Bad.md', worldOf(vault), never)).toMatchObject({
      name: 'Bad',
      rootFolder: '/',
    });
  });

  it('R163 are read once while the vault stays as it is', () => {
    expect(listPrompts(vault, 'Docent')).toBe(listPrompts(vault, 'Docent'));
    expect(listWorkspaces(vault, 'Docent')).toBe(listWorkspaces(vault, 'Docent'));
  });
});
