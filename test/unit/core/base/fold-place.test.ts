/** Places are one when a disk takes them for one, and two when none does. */
import { foldPlace, isAtPlace } from '../../../../src/core/base/fold';
import { type HiddenRules, isHidden } from '../../../../src/core/writing/guard/fence';
import { guardNewPath } from '../../../../src/core/writing/guard/path-guard';
import { tierOf } from '../../../../src/core/writing/guard/policy';
import { changesetOf, createOf } from '../../../support/writing-bench';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

/** Each pair is one file on APFS, HFS+, NTFS, or ext4 with case folding. */
const same: readonly (readonly [what: string, one: string, other: string])[] = [
  ['case', 'Private/Diary', 'pRIVATE/dIARY'],
  ['decomposed letters', 'Priv\u00e9', 'Prive\u0301'],
  ['decomposed capitals', 'PRIV\u00c9', 'prive\u0301'],
  ['marks in another order', 'a\u0323\u0307', 'a\u0307\u0323'],
  ['the long s', 'Docent/skills', 'Docent/\u017fkills'],
  ['the long s with a dot', '\u1e9b', '\u1e61'],
  ['sharp s', 'Stra\u00dfe', 'STRASSE'],
  ['the capital sharp s', 'STRA\u1e9eE', 'strasse'],
  ['the dotted capital I', '\u0130stanbul', 'i\u0307stanbul'],
  ['the final sigma', '\u03bf\u03b4\u03cc\u03c2', '\u039f\u0394\u038c\u03a3'],
  ['the Kelvin sign', 'Kelvin', '\u212aelvin'],
  ['the Angstrom sign', '\u00c5ngstrom', '\u212bngstrom'],
  ['the micro sign', '\u00b5m', '\u03bcm'],
  ['ligatures', 'o\ufb03ce', 'OFFICE'],
  ['an iota below', '\u1fb3', '\u0391\u0399'],
  ['an Armenian ligature', '\u0587', '\u0565\u0582'],
  ['Cherokee', '\u13a0', '\uab70'],
  ['Cyrillic', '\u0414\u043d\u0435\u0432\u043d\u0438\u043a', '\u0434\u041d\u0415\u0412\u041d\u0418\u041a'],
  ['Hangul', '\uac00', '\u1100\u1161'],
  ['letters that names ignore', 'Private', 'Pri\u200cva\u00adte\u2060'],
];

const different: readonly (readonly [one: string, other: string])[] = [
  ['Prive', 'Priv\u00e9'],
  ['Strase', 'Stra\u00dfe'],
  ['a/b', 'a b'],
  ['Notes', 'Note'],
  ['\u0430', 'a'],
];

it.each(same)('one key for %s', (_what, one, other) => {
  expect(foldPlace(one)).toBe(foldPlace(other));
});

it.each(different)('two keys for %s and %s', (one, other) => {
  expect(foldPlace(one)).not.toBe(foldPlace(other));
});

it('folding a key again changes nothing, for every letter of the lower planes', () => {
  const moved: string[] = [];
  for (let code = 0; code < 0x20000; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const key = foldPlace(`a${String.fromCodePoint(code)}b/`);
    if (foldPlace(key) !== key) moved.push(code.toString(16));
  }
  expect(moved).toEqual([]);
});

it('no letter changes its key by its case or its form', () => {
  const apart: string[] = [];
  for (let code = 0x80; code < 0x20000; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = String.fromCodePoint(code);
    const forms = [letter.toLowerCase(), letter.toUpperCase(), letter.normalize('NFC'), letter.normalize('NFD')];
    if (forms.some((form) => foldPlace(form) !== foldPlace(letter))) apart.push(code.toString(16));
  }
  expect(apart).toEqual([]);
});

it('costs no more than its length', async () => {
  const fold = (times: number) => () => foldPlace('Stra\u00dfe/e\u0301'.repeat(times));
  await expectGrowthBelow(2.6, fold(80_000), fold(40_000));
});

it('a folder holds what is below it, and nothing that is only called alike', () => {
  expect(isAtPlace('Stra\u00dfe/', 'STRASSE/a.md')).toBe(true);
  expect(isAtPlace('Stra\u00dfe/', 'Strassen/a.md')).toBe(false);
  expect(isAtPlace('Priv\u00e9.md', 'prive\u0301.MD')).toBe(true);
});

describe('the fence', () => {
  const rules = (more: Partial<HiddenRules>): HiddenRules => ({ excluded: [], ownFolders: [], ...more });

  it.each([
    ['Priv\u00e9', 'Prive\u0301/Diary.md'],
    ['Prive\u0301', 'PRIV\u00c9/Diary.md'],
    ['secrets', '\u017fecrets/Diary.md'],
    ['Stra\u00dfe', 'STRASSE/Diary.md'],
    ['STRASSE', 'stra\u00dfe/Diary.md'],
    ['Private', 'Priv\u200cate/Diary.md'],
  ])('hides what is in the folder %s under the name %s', (folder, path) => {
    expect(isHidden(path, rules({ keptFolders: [folder] }))).toBe(true);
    expect(isHidden(path, rules({ ownFolders: [folder] }))).toBe(true);
    expect(isHidden(path, rules({ excluded: [`${folder}/`] }))).toBe(true);
  });

  it('tries an excluded expression on both forms of a name', () => {
    expect(isHidden('Prive\u0301/Diary.md', rules({ excluded: ['/^Priv\u00e9\\//'] }))).toBe(true);
    expect(isHidden('Priv\u00e9/Diary.md', rules({ excluded: ['/^Prive\u0301\\//'] }))).toBe(true);
    expect(isHidden('Prive/Diary.md', rules({ excluded: ['/^Priv\u00e9\\//'] }))).toBe(false);
  });
});

it.each([
  'Docent/\u017fkills/zeal/SKILL.md',
  'DOCENT/SKILLS/zeal/\u017fkill.md',
  'Doce\u200bnt/skills/zeal/SKILL.md',
  'Notes/AGENT\u017f.md',
  'Docent/memory\u00ad.md',
])('the policy takes %s for what gives instructions', (path) => {
  const places = { plans: 'Docent/plans/', instructions: ['Docent/skills/', 'Docent/memory.md', 'AGENTS.md'] };
  const change = createOf(path, 'Obey.');
  expect(tierOf(change, changesetOf(change), places)).toBe('S');
});

it.each([
  ['\u200c.git/x.md', 'config'],
  ['a/\u00ad.hidden/x.md', 'config'],
  ['.ob\u200csidian/x.md', 'config'],
  ['con\ufb01g/x.md', 'config'],
  ['\u017fETTINGS/x.md', 'settings'],
  ['stra\u00dfe/x.md', 'STRASSE'],
])('the path guard refuses %j beside the settings in %s', (path, configDir) => {
  expect(guardNewPath(path, configDir).ok).toBe(false);
  expect(guardNewPath('Notes/x.md', configDir).ok).toBe(true);
});
