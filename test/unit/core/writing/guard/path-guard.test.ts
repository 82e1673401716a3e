import {
  checkRealPath,
  guardExistingPath,
  guardNewPath,
  guardPaths,
} from '../../../../../src/core/writing/guard/path-guard';
import { fakeVault } from '../../../../support/fake-vault';
import { never } from '../../../../support/turn-world';

const configDir = '.obsidian';
const makes = (path: unknown, config = configDir) => guardNewPath(path, config).ok;

/** Unusual names that are allowed in a vault. */
const odd = [
  'C++ & <x>.md',
  '👩‍🚀 crew.md',
  'Cafe\u0301.md',
  'שלום עולם.md',
  'a ]] b [[c.md',
  'tags #1 ^block.md',
  'it\'s "quoted".md',
  'semi;colon, comma.md',
  '100% sure.md',
  'Re: your letter.md',
  '~draft.md',
  'what? *now* |.md',
  '$HOME `x`.md',
  'dot.in.the.middle.md',
  'trailing space .md',
  'folder. /note.md',
  'con.md',
  `${'é'.repeat(119)}.md`,
  '-rf.md',
  'a%b.md',
  '\u202eevil.md',
  'zero\u200bwidth.md',
];

describe('a path that exists', () => {
  it.each(odd)('F38 accepts %j when it is indexed, and only then', (path) => {
    const vault = fakeVault({ [path]: 'text' });
    expect(guardExistingPath(path, vault, configDir)).toEqual({ ok: true, value: path });
    const absent = guardExistingPath(path, fakeVault({}), configDir);
    expect(!absent.ok && absent.failure.kind).toBe('not-found');
  });

  it('F38 finds the only twin that differs in case or Unicode form, and gives its real name', () => {
    const vault = fakeVault({ 'Cafe\u0301.md': 'x' });
    expect(guardExistingPath('caf\u00e9.MD', vault, configDir)).toEqual({ ok: true, value: 'Cafe\u0301.md' });
    const twins = fakeVault({ 'a.md': '', 'A.md': '' });
    expect(guardExistingPath('A.md', twins, configDir)).toEqual({ ok: true, value: 'A.md' });
    const none = guardExistingPath('a.MD', twins, configDir);
    expect(none.ok).toBe(false);
  });
});

/** Ways out of the vault or into what is protected; each must be refused for old and new paths alike. */
const outside: [string, unknown][] = [
  ['nothing', ''],
  ['no text', 42],
  ['no value', null],
  ['traversal', '../x.md'],
  ['traversal inside', 'a/../../x.md'],
  ['traversal at the end', 'a/..'],
  ['a dot segment', './x.md'],
  ['a dot segment inside', 'a/./x.md'],
  ['dots and a space', 'a/.. /x.md'],
  ['a dot file', 'a/.hidden.md'],
  ['a dot folder', '.git/config'],
  ['an empty segment', 'a//x.md'],
  ['a trailing slash', 'a/'],
  ['an absolute path', '/etc/passwd'],
  ['a backslash', 'a\\x.md'],
  ['a share', '\\\\server\\share\\x'],
  ['a share with slashes', '//server/share/x'],
  ['a drive', 'C:/x.md'],
  ['a drive without a slash', 'C:x.md'],
  ['a file address', 'file:///etc/passwd'],
  ['a web address', 'https://x.org/a.md'],
  ['an encoded dot', '%2e%2e/x.md'],
  ['an encoded slash', 'a%2Fx.md'],
  ['an encoded backslash', 'a%5cx.md'],
  ['an encoded NUL', 'a%00.md'],
  ['a NUL', 'a\0.md'],
  ['half a character', 'a\ud800.md'],
  ['an endless path', `${'a/'.repeat(600)}x.md`],
  ['the config folder', '.obsidian/app.json'],
  ['the config folder in capitals', '.OBSIDIAN/app.json'],
  ['the config folder with a dot behind', '.obsidian./app.json'],
  ['the config folder with a space behind', '.obsidian /app.json'],
];

describe.each(outside)('%s', (_name, path) => {
  it('H1 is refused for a new file', () => {
    expect(makes(path)).toBe(false);
  });

  it('H1 is refused for a file that is there, without the disk being asked', () => {
    const vault = { file: (asked: string) => ({ path: asked, kind: 'note' as const, size: 1, modified: 1 }) };
    const outcome = guardExistingPath(path, vault, configDir);
    expect(!outcome.ok && outcome.failure.kind).toBe('refused');
  });
});

it('names a refused path without half of a character', async () => {
  const path = `${'../'.repeat(26)}a🎉.md`;
  const named = guardNewPath(path, configDir);
  expect(named.ok ? '' : named.failure.words).toContain(`${'../'.repeat(26)}a`);
  expect(named.ok ? '' : named.failure.words).not.toMatch(/[\ud800-\udfff]/);
  const led = await checkRealPath(`${'a'.repeat(79)}🎉.md`, {
    realPath: async (part) => (part === '' ? '/vault' : '/'),
  });
  expect(led.ok ? '' : led.failure.words).not.toMatch(/[\ud800-\udfff]/);
});

describe('a config folder without a dot', () => {
  it.each([
    'config/app.json',
    'CONFIG/app.json',
    'Config./app.json',
    'config /app.json',
    'ｃｏｎｆｉｇ/app.json',
    'config',
  ])('H2 keeps %j out of reach', (path) => {
    expect(makes(path, 'config')).toBe(false);
    expect(guardExistingPath(path, fakeVault({ [path]: '' }), 'config').ok).toBe(false);
  });

  it('H2 minds only the first folder', () => {
    expect(makes('notes/config/x.md', 'config')).toBe(true);
  });

  it('H2 refuses what the index leads to, not only what was asked', () => {
    const vault = { file: () => ({ path: 'config/app.json', kind: 'attachment' as const, size: 1, modified: 1 }) };
    expect(guardExistingPath('harmless.md', vault, 'config').ok).toBe(false);
  });
});

describe('a path for a new file', () => {
  it.each([
    'Note.md',
    'a/b/c d.md',
    'Café ☕ 日本.canvas',
    'v1.2 notes.md',
    'ConText.md',
    'com10.md',
    '👩‍🚀.md',
    "it's.md",
  ])('accepts %j', (path) => {
    expect(guardNewPath(path, configDir)).toEqual({ ok: true, value: path });
  });

  it.each([
    'a:b.md',
    'a*b.md',
    'a?b.md',
    'a"b.md',
    'a<b.md',
    'a>b.md',
    'a|b.md',
    'a\tb.md',
    'a\nb.md',
    'a\u007fb.md',
    'a\u0085b.md',
    'a\u202eb.md',
    'a\u2066b.md',
    'a\u200bb.md',
    'a\u2060b.md',
    '\ufeffa.md',
    'CON',
    'con.md',
    'a/NUL.txt',
    'Aux.md',
    'COM1',
    'com¹.md',
    'LPT9.txt',
    'CONIN$',
    'clock$.md',
    'folder./x.md',
    'folder /x.md',
    'folder\u00a0/x.md',
    'folder\u3000/x.md',
    'a/NUL .md',
    'com1  .x.md',
    'x.md.',
    'x ',
    '~/x.md',
    '~root.md',
    'OBSIDI~1/app.json',
    'a/GIT~1/config',
    `${'é'.repeat(121)}.md`,
  ])('H1 refuses %j', (path) => {
    expect(makes(path)).toBe(false);
  });

  it('says what to do in plain words, with at most 80 characters of the path', () => {
    const outcome = guardNewPath(`../${'x'.repeat(500)}`, configDir);
    expect(!outcome.ok && outcome.failure.words.length).toBeLessThan(200);
    expect(!outcome.ok && outcome.failure.remedy).toMatch(/\w/);
  });
});

describe('the guarded vault', () => {
  const files = {
    ...{ 'A.md': 'see [[b/B]]', 'b/B.md': 'bee', 'C.md': '[[config/app.json]]', 'T.md': '#tea' },
    'config/app.json': '{}',
  };

  it('H1 lets nothing through but indexed paths inside the vault', async () => {
    const inner = fakeVault(files);
    const vault = guardPaths(inner, 'config');
    expect((await vault.read('a.md', never)).ok).toBe(true);
    for (const path of ['../x', 'config/app.json', 'Gone.md', '/A.md', 'A.md/']) {
      expect((await vault.read(path, never)).ok).toBe(false);
      expect([vault.file(path), vault.outline(path), vault.backlinks(path)]).toEqual([undefined, undefined, []]);
      expect(vault.tags(path)).toBeUndefined();
    }
    expect(inner.reads).toEqual(['A.md']);
  });

  it('gives what lies inside as it is', () => {
    const vault = guardPaths(fakeVault(files), 'config');
    expect(vault.file('B/b.MD')?.path).toBe('b/B.md');
    expect(vault.outline('A.md')?.links[0]?.path).toBe('b/B.md');
    expect(vault.tags('T.MD')).toEqual(['#tea']);
    expect(vault.backlinks('b/B.md')).toEqual(['A.md']);
    expect(vault.resolveLink('B', 'A.md')).toBe('b/B.md');
  });

  it('H2 leads no link into the config folder', () => {
    expect(guardPaths(fakeVault(files), 'config').resolveLink('config/app.json', 'C.md')).toBeUndefined();
  });
});

describe('characters that nobody sees', () => {
  it.each([
    ['a soft hyphen', 'AGENTS\u00ad.md'],
    ['a mark of direction', 'AGENTS\u200e.md'],
    ['the other mark of direction', 'AGENTS\u200f.md'],
    ['a non-joiner between Latin letters', 'AGE\u200cNTS.md'],
    ['a joiner between Latin letters', 'AGE\u200dNTS.md'],
    ['a grapheme joiner', 'AGENTS\u034f.md'],
    ['a Hangul filler', 'AGENTS\u3164.md'],
    ['a half-width filler', 'AGENTS\uffa0.md'],
    ['tag characters', 'AGENTS\u{e0041}\u{e0042}.md'],
    ['a variation selector', 'AGENTS\ufe0f.md'],
    ['an invisible operator', 'AGENTS\u2063.md'],
    ['an empty Braille pattern', '\u2800AGENTS.md'],
    ['a separator of lines', 'AGENTS\u2028.md'],
    ['one in a folder', 'No\u00adtes/A.md'],
  ])('T3 %s is refused in a new name', (_what, path) => {
    expect(guardNewPath(path, '.obsidian').ok).toBe(false);
  });

  it.each([
    ['Persian with a non-joiner', 'می\u200cخواهم.md'],
    ['Hindi with a joiner', 'क्\u200dष.md'],
    ['a family', '👨\u200d👩\u200d👧.md'],
    ['a heart', '❤\ufe0f.md'],
    ['a key cap', '1\ufe0f\u20e3.md'],
    ['a flag', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}.md'],
    ['accents and other scripts', 'Ünïcode 日本語 한국어 עברית.md'],
  ])('%s is allowed', (_what, path) => {
    expect(guardNewPath(path, '.obsidian').ok).toBe(true);
  });
});
