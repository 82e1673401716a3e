import {
  formatBasic,
  formatWorkspaceData,
  isComprehensive,
  loadWorkspace,
  nameOf,
} from '../../../../src/core/library/workspaces';
import { fakeVault } from '../../../support/fake-vault';

describe('formatting a workspace', () => {
  it('R179 says every part, in one fixed order', () => {
    const text = formatWorkspaceData({
      states: ['st'],
      sessions: ['se'],
      preferences: 'pr',
      keyFiles: ['k.md'],
      recentFiles: ['r.md'],
      workspaceStructure: ['f'],
      workflows: ['w'],
      rootFolder: 'P',
      context: { instructions: 'Be brief.', name: 'Boat', empty: '', none: null, list: [1, 2] },
    });
    expect(text).toBe(
      [
        'Name: Boat\nList: [1,2]\n\nInstructions:\nBe brief.',
        'Root folder: P',
        'Workflows:\n- w',
        'Folders:\n- f',
        'Recent files:\n- r.md',
        'Key files:\n- k.md',
        'Preferences: pr',
        'Sessions:\n- se',
        'Saved states:\n- st',
      ].join('\n\n'),
    );
  });

  it.each<[unknown]>([[undefined], [null], ['text'], [7]])('R179 R265 leaves out a context that is %j', (context) => {
    expect(formatWorkspaceData({ context })).toBe('');
  });

  it('R179 leaves out empty parts', () => {
    expect(formatWorkspaceData({ rootFolder: '/', workflows: [], preferences: '' })).toBe('Root folder: /');
  });

  it.each<[unknown, boolean]>([
    [{ name: 'x' }, true],
    [{ name: 1 }, true],
    [{}, false],
    [null, false],
    ['name', false],
    [undefined, false],
  ])('R173 calls a record with context %j comprehensive: %s', (context, expected) => {
    expect(isComprehensive({ context })).toBe(expected);
  });

  it('R177 prefers the name of the context, then of the record, then the fallback', () => {
    expect(nameOf({ name: 'N', context: { name: 'C' } }, 'F')).toBe('C');
    expect(nameOf({ name: 'N', context: { name: 3 } }, 'F')).toBe('N');
    expect(nameOf({ name: '', context: { name: '' } }, 'F')).toBe('F');
  });

  it('R173 R178 writes only the basic fields as JSON', () => {
    const text = formatBasic({ name: 'N', description: 'D', rootFolder: '/', context: 'c', keyFiles: ['k'] });
    expect(JSON.parse(text)).toEqual({ name: 'N', description: 'D', rootFolder: '/', context: 'c' });
    expect(text).toMatch(/\n {2}"name"/);
  });
});

describe('what is read of a workspace', () => {
  const { signal } = new AbortController();
  const load = async (files: Readonly<Record<string, string>>) => {
    const path = 'Docent/workspaces/Boat.md';
    const vault = fakeVault({ [path]: '---\nfolder: Boat\n---\nBe brief.', ...files });
    return loadWorkspace(path, { vault, readNote: (each) => vault.read(each, signal) }, signal);
  };

  it('R174 shows the folders down to the deepest level that fits whole, and counts the others', async () => {
    const few = await load({ 'Boat/Hull/Keel/Bolts.md': '', 'Boat/Rig/Mast.md': '', 'House/Roof.md': '' });
    expect(few?.workspaceStructure).toEqual(['Boat/Hull', 'Boat/Hull/Keel', 'Boat/Rig']);
    const tops = ['Boat/Hull', 'Boat/Rig'];
    const deep = tops.flatMap((top) => Array.from({ length: 1_000 }, (_, at) => `${top}/Part ${at} of many`));
    const many = await load(Object.fromEntries(deep.map((folder) => [`${folder}/A.md`, ''])));
    expect(many?.workspaceStructure).toEqual([...tops, '… 2,000 more folders']);
    const wide = Array.from({ length: 1_000 }, (_, at) => `Boat/Part ${at} of many`);
    const flat = await load(Object.fromEntries(wide.map((folder) => [`${folder}/A.md`, ''])));
    expect(flat?.workspaceStructure).toEqual(['1,000 folders']);
    const last = `Boat/Hull/${'A very long name of a folder. '.repeat(60)}`;
    expect((await load({ [`${last}/A.md`]: '' }))?.workspaceStructure).toEqual(['Boat/Hull', '… 1 more folder']);
  });
});
