import { resolveFile } from '../../../../../src/core/tools/resolve-path';
import { type HiddenRules, filterHidden, isHidden } from '../../../../../src/core/writing/guard/fence';
import { guardPaths } from '../../../../../src/core/writing/guard/path-guard';
import { words } from '../../../../../src/text';
import { fakeVault } from '../../../../support/fake-vault';
import { never } from '../../../../support/turn-world';

const files = {
  'Open.md': 'see [[Diary]], [[Team]] and ![[Diary]]',
  'Private/Diary.md': 'about [[Open]]',
  'Privateer.md': 'ships',
  'Work/Team.md': 'with [[Open]]',
  'Docent/chats/c1/log.jsonl': '{}',
  'Docent/chatsworth.md': 'a house',
  'Docent/prompts/P.md': 'prompt',
};

function fenced(rules: Partial<HiddenRules>) {
  const all = { excluded: [], ownFolders: [], ...rules };
  return filterHidden(guardPaths(fakeVault(files), '.obsidian'), () => all);
}

const listed = (rules: Partial<HiddenRules>) =>
  fenced(rules)
    .files()
    .map(({ path }) => path);

describe('the fence', () => {
  it('hides nothing without rules', () => {
    expect(listed({})).toEqual(Object.keys(files).sort());
  });

  it('hides everything while what is hidden is unknown, in every way there is to reach it, and says why', async () => {
    const closed = fenced({ isClosed: true });
    expect([closed.files(), closed.folders(), closed.file('Open.md'), closed.outline('Open.md')]).toEqual([
      ...[[], [], undefined, undefined],
    ]);
    expect([closed.backlinks('Open.md'), closed.resolveLink('Open', '')]).toEqual([[], undefined]);
    const said = { ok: false, failure: { kind: 'refused', words: words.failures.notesClosed } };
    expect(await closed.read('Open.md', never)).toMatchObject(said);
    expect(await resolveFile(closed, 'Open', never)).toMatchObject(said);
    expect((await closed.readBytes('Open.md')).ok).toBe(false);
    expect(isHidden('New.md', { excluded: [], ownFolders: [], isClosed: true })).toBe(true);
  });

  it('hides what begins with an excluded path, in any case, as the app does', () => {
    expect(listed({ excluded: ['private/'] })).not.toContain('Private/Diary.md');
    expect(listed({ excluded: ['private/'] })).toContain('Privateer.md');
    expect(listed({ excluded: ['Private'] })).not.toContain('Privateer.md');
  });

  it.each(['Private/', '/Private', '//private//'])('hides the folder that the settings spell as %s', (folder) => {
    expect(listed({ keptFolders: [folder] })).not.toContain('Private/Diary.md');
    expect(listed({ keptFolders: [folder] })).toContain('Privateer.md');
  });

  it.each([
    ['in composed letters', 'Caf\u00e9', 'Cafe\u0301/Diary.md'],
    ['in letters with marks of their own', 'Cafe\u0301', 'Caf\u00e9/Diary.md'],
    ['with a character that disks ignore', 'Private', 'Pri\u200bvate/Diary.md'],
    ['in capitals that become two letters', 'Stra\u00dfe', 'STRASSE/Diary.md'],
  ])('R161 hides a folder that is spelled otherwise, %s, and those below it', (_how, folder, path) => {
    const rules = { excluded: [], ownFolders: [], keptFolders: [folder] };
    expect(isHidden(path, rules)).toBe(true);
    expect(isHidden(path.replace('/', '/Deeper/'), rules)).toBe(true);
    expect(isHidden(path.replace('/', ' 2/'), rules)).toBe(false);
  });

  it.each(['', '/', '//'])('hides nothing for %j, which names no folder', (folder) => {
    expect(listed({ keptFolders: [folder] })).toHaveLength(Object.keys(files).length);
  });

  it('hides what an expression between slashes finds', () => {
    expect(listed({ excluded: ['/Diary\\.md$/'] })).not.toContain('Private/Diary.md');
    expect(listed({ excluded: ['/^Work\\//'] })).not.toContain('Work/Team.md');
  });

  it.each(['', '/[/', '/(/'])('pays no heed to the broken rule %j', (rule) => {
    expect(listed({ excluded: [rule] })).toHaveLength(Object.keys(files).length);
  });

  it("hides Docent's own folders, and nothing that is only called alike", () => {
    const paths = listed({ ownFolders: ['Docent/chats'] });
    expect(paths).not.toContain('Docent/chats/c1/log.jsonl');
    expect(paths).toContain('Docent/chatsworth.md');
  });

  it('hides folders too', () => {
    expect(fenced({ excluded: ['Private/'], ownFolders: ['Docent/chats'] }).folders()).toEqual([
      'Docent',
      'Docent/prompts',
      'Work',
    ]);
  });

  it.each(['Private/Diary.md', 'private/diary.MD'])(
    'refuses to read %s, and says where that is decided',
    async (path) => {
      const vault = fenced({ excluded: ['Private/'] });
      const outcome = await vault.read(path, never);
      expect(!outcome.ok && outcome.failure.kind).toBe('refused');
      expect(!outcome.ok && outcome.failure.remedy).toMatch(/excluded files/);
      expect([vault.file(path), vault.outline(path), vault.backlinks(path)]).toEqual([undefined, undefined, []]);
    },
  );

  it('still says plainly that a note is not there', async () => {
    const outcome = await fenced({ excluded: ['Private/'] }).read('Gone.md', never);
    expect(!outcome.ok && outcome.failure.kind).toBe('not-found');
  });

  it('leads no link and no backlink to what is hidden', () => {
    const vault = fenced({ excluded: ['Private/'] });
    expect(vault.resolveLink('Diary', 'Open.md')).toBeUndefined();
    expect(vault.resolveLink('Team', 'Open.md')).toBe('Work/Team.md');
    expect(vault.backlinks('Open.md')).toEqual(['Work/Team.md']);
    expect(vault.outline('Open.md')?.links.map(({ target, path, embed }) => [target, path, embed])).toEqual([
      ['Diary', undefined, false],
      ['Team', 'Work/Team.md', false],
      ['Diary', undefined, true],
    ]);
    expect(JSON.stringify(vault.outline('Open.md'))).not.toContain('Private');
  });

  it('follows rules that change, and keeps its lists while neither they nor the vault do', () => {
    const inner = fakeVault(files);
    let rules: HiddenRules = { excluded: [], ownFolders: [] };
    const vault = filterHidden(inner, () => rules);
    const first = vault.files();
    expect(vault.files()).toBe(first);
    rules = { excluded: ['Private/'], ownFolders: [] };
    const second = vault.files();
    expect([second.length, vault.files() === second]).toEqual([first.length - 1, true]);
    inner.put('New.md', '');
    expect(vault.files().map(({ path }) => path)).toContain('New.md');
  });
});
