import { formatBasic, formatWorkspaceData, isComprehensive, nameOf } from '../../../../src/core/library/workspaces';

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
