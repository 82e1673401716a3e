import { compareText, editList, editsFor } from '../../../../src/core/base/list-edits';
import { skillsOfChat } from '../../../../src/core/library/skills';
import { listSubagents } from '../../../../src/core/library/subagents';
import { baseName, listPrompts, listWorkspaces, promptPropertiesOf } from '../../../../src/core/library/user-notes';
import { bodyOf } from '../../../../src/core/markdown/properties';
import { fakeVault } from '../../../support/fake-vault';

describe("the user's own notes", () => {
  it.each([
    ['---\na: 1\n---\nBody', 'Body'],
    ['---\r\na: 1\r\n---\r\nBody\r\n', 'Body'],
    ['---\n---\nBody', 'Body'],
    ['--- \na: 1\n--- \nBody', 'Body'],
    ['---\na: 1\n---', ''],
    ['No properties\n---\nrule', 'No properties\n---\nrule'],
    ['---\nnever closed', '---\nnever closed'],
    ['----\na: 1\n----\nBody', '----\na: 1\n----\nBody'],
    ['', ''],
    ['---\na: |\n  x\n---\n---\nsecond', '---\nsecond'],
  ])('R165 takes the body of %j', (text, body) => {
    expect(bodyOf(text)).toBe(body);
  });

  it('names a note by its file', () => {
    expect([baseName('a/b.c.md'), baseName('b'), baseName('.md')]).toEqual(['b.c', 'b', '']);
  });

  it('R165 takes only notes directly in the folder, and falls back to the file name', () => {
    const vault = fakeVault({
      'Docent/prompts/A.md': '---\nname: "  "\ndescription: 5\n---\n',
      'Docent/prompts/x/B.md': '',
      'Docent/prompts/C.txt': '',
      'Docent/prompts2/D.md': '',
    });
    expect(listPrompts(vault, 'Docent')).toEqual([{ id: 'Docent/prompts/A.md', name: 'A', description: '5' }]);
  });

  it('takes an empty entry of a list for none, and one that YAML reads as no text for what is written', () => {
    const vault = fakeVault({
      'Docent/prompts/A.md': '---\ntags:\n  - anchor\n  -\n  - 7\n  - true\nrequiredTools:\n  -\n---\n',
    });
    expect(listPrompts(vault, 'Docent', []).map(({ name }) => name)).toEqual(['A']);
    expect(promptPropertiesOf(vault, 'Docent/prompts/A.md').properties?.tags).toEqual(['anchor', '7', 'true']);
  });

  it('reads a listing again only when a note of its folder was touched', () => {
    const prompts = Array.from({ length: 40 }, (_, at) => [`Docent/prompts/P${at}.md`, '---\ndescription: d\n---\n']);
    const inner = fakeVault({
      ...(Object.fromEntries(prompts) as Record<string, string>),
      'Docent/skills/tie/SKILL.md': '---\nname: tie\ndescription: d\n---\n',
      'Docent/subagents/s.md': '---\nname: s\ndescription: d\n---\n',
      'Docent/workspaces/W.md': '',
      'Notes/A.md': 'a',
    });
    let files = inner.files();
    const read: string[] = [];
    const vault = Object.assign(Object.create(inner) as typeof inner, {
      files: () => files,
      outline: (path: string) => {
        read.push(path);
        return inner.outline(path);
      },
    });
    const touch = (path: string): number => {
      const entry = files.filter((each) => each.path === path);
      files = editList(
        files,
        editsFor(files, entry, entry, (a, b) => compareText(a.path, b.path)),
      );
      read.length = 0;
      const listed = [
        ...listPrompts(vault, 'Docent'),
        ...listWorkspaces(vault, 'Docent'),
        ...listSubagents(vault, 'Docent').subagents.filter(({ name }) => name === 's'),
        ...skillsOfChat(vault, 'Docent', null).skills.filter(({ name }) => name === 'tie'),
      ];
      expect(listed).toHaveLength(43);
      return read.length;
    };
    expect(touch('Notes/A.md')).toBe(43);
    expect(touch('Notes/A.md')).toBe(0);
    expect(touch('Docent/skills/tie/SKILL.md')).toBe(1);
    expect(touch('Docent/prompts/P7.md')).toBe(40);
    expect(touch('Docent/subagents/s.md')).toBe(1);
    expect(touch('Docent/workspaces/W.md')).toBe(1);
  });

  it('R164 takes the folder of a workspace from its property, else the whole vault', () => {
    const vault = fakeVault({
      'Agent/workspaces/A.md': '---\nfolder: Projects\n---\n',
      'Agent/workspaces/B.md': 'text',
    });
    expect(listWorkspaces(vault, 'Agent').map(({ name, rootFolder }) => [name, rootFolder])).toEqual([
      ['A', 'Projects'],
      ['B', '/'],
    ]);
  });
});
