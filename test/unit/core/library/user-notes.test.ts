import { baseName, listPrompts, listWorkspaces } from '../../../../src/core/library/user-notes';
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
