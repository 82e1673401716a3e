/** Which of two notes comes first, what is said of a search, and how many passages of a note are shown. */
import { PassageIndex } from '../../../../src/core/search/passage-index';
import { type SearchOptions, searchVault } from '../../../../src/core/search/search-vault';
import { fakeVault } from '../../../support/fake-vault';

async function search(files: Readonly<Record<string, string>>, question: string, options: Partial<SearchOptions> = {}) {
  const vault = fakeVault(files);
  const all = { entries: vault.files(), limit: 5, ...options };
  return searchVault(vault, new PassageIndex(), question, all, new AbortController().signal);
}

const filler = 'Some other words about the weather of a long summer by the sea. ';

/** Equal notes come in the order of their paths, so that the first one would be first. */
it.each<[string, string, readonly [path: string, text: string], readonly [path: string, text: string]]>([
  ['the word in a heading', 'keel', ['a.md', 'The keel.'], ['b.md', '# Keel\nThe hull.']],
  ['the word in the title', 'keel', ['a/hull.md', 'Keel.'], ['b/keel.md', 'Hull.']],
  ['the word in the title', 'keel', ['a.md', '---\ntags: keel\n---\nHull.'], ['keel.md', 'Hull.']],
  ['the word in an alias', 'keel', ['a.md', '---\ntags: keel\n---\nHull.'], ['b.md', '---\naliases: keel\n---\nHull.']],
  ['the word in a tag', 'keel', ['keel/a.md', 'Hull.'], ['z/b.md', '---\ntags: keel\n---\nHull.']],
  ['the word in the text and the folder', 'keel', ['a/a.md', 'The keel.'], ['keel/b.md', 'The keel.']],
  [
    'the word in the tag and the folder',
    'keel',
    ['a.md', '---\ntags: keel\n---\nHull.'],
    ['keel/b.md', '---\ntags: keel\n---\nHull.'],
  ],
  ['the word more often', 'keel', ['a.md', 'The keel, hull, mast.'], ['b.md', 'The keel, keel, mast.']],
  ['a shorter text', 'keel', ['a.md', `The keel. ${filler}`], ['b.md', 'The keel.']],
  ['both words', 'keel bolts', ['a.md', 'The keel keel keel, keel.'], ['b.md', 'The keel has bolts.']],
  [
    'both words in one passage',
    'keel bolts',
    ['a.md', '# A\nThe keel.\n# B\nThe bolts.'],
    ['b.md', '# A\nThe keel bolts.\n# B\nOther.'],
  ],
  [
    'the words next to one another',
    'keel bolts',
    ['a.md', 'The bolts and the keel.'],
    ['b.md', 'The hull: keel bolts.'],
  ],
  ['the text rather than the properties', 'keel', ['a.md', '---\nabout: keel\n---\nHull.'], ['b.md', 'Hull: keel.']],
  [
    'the whole name of a heading',
    'keel bolts',
    ['a.md', '# Keel bolts and masts\nHull.'],
    ['b.md', '# Keel bolts\nHull.'],
  ],
  [
    'the words of the question in order in a heading',
    'parts of the keel',
    ['a.md', '# Of keel the parts\nHull.'],
    ['b.md', '# Parts of the keel\nHull.'],
  ],
  [
    'the words of the question with the small ones between in a heading',
    'keel to the mast',
    ['a.md', '# Keel and its mast\nHull.'],
    ['b.md', '# Keel to the mast\nHull.'],
  ],
  ['words as written rather than as one', 'fore deck', ['a.md', 'The foredeck, oak.'], ['b.md', 'The fore deck, oak.']],
])('prefers %s, asked for “%s”', async (_what, question, other, better) => {
  const found = await search(Object.fromEntries([other, better]), question);
  expect(found.passages[0]?.path).toBe(better[0]);
  const [first, second] = [found.passages[0]?.score ?? 0, found.passages.find(({ path }) => path === other[0])?.score];
  expect(first).toBeGreaterThan(second ?? 0);
});

it('weighs a word that few notes have more than one that most have', async () => {
  const others = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x${at}.md`, 'The keel.']));
  const { passages } = await search({ ...others, 'a.md': 'Hull: keel.', 'z.md': 'Hull: bolts.' }, 'keel bolts');
  expect(passages[0]?.path).toBe('z.md');
});

describe('what is said of a search', () => {
  it('names the words that notes have and lack, without those that say little', async () => {
    const found = await search({ 'a.md': 'The keel is long.' }, 'What is the best keel of vermilion?');
    expect([found.present, found.absent]).toEqual([['keel'], ['vermilion']]);
    expect([found.notes, found.waiting, found.stopped]).toEqual([1, 0, false]);
  });

  it.each([
    [{ 'a.md': 'keel bolts' }, true],
    [{ 'a.md': 'keel', 'b.md': 'bolts' }, false],
    [{ 'a.md': 'keel', 'b.md': 'bolts', 'c.md': '# Keel\n# Bolts' }, true],
    [{ 'a.md': 'keel' }, true],
    [{ 'a.md': 'keel', 'b.md': 'best' }, true],
    [{ 'a.md': 'other' }, true],
  ])('knows of %j whether one note has all of them: %s', async (files, expected) => {
    expect((await search(files, 'best keel bolts')).isTogether).toBe(expected);
  });
});

describe('the passages that are shown', () => {
  const section = (title: string): string => `# ${title}\nThe keel here.\n`;
  const sections = (count: number): string => Array.from({ length: count }, (_, at) => section(`Part ${at}`)).join('');

  it('are three of a note at most, and five of a page of a guide', async () => {
    const files = { 'a.md': sections(7) };
    const [vault, guide] = await Promise.all([
      search(files, 'keel', { limit: 10 }),
      search(files, 'keel', { limit: 10, isGuide: true }),
    ]);
    expect([vault.passages.length, guide.passages.length, vault.fitting]).toEqual([3, 5, 7]);
    const shares = ({ passages }: typeof vault) =>
      passages.map(({ score }) => Math.round((100 * score) / (passages[0]?.score ?? 1)));
    expect(shares(guide).slice(1)).toEqual(
      shares(guide)
        .slice(1)
        .sort((one, other) => other - one),
    );
    expect(Math.min(...shares(guide).slice(1))).toBeLessThan(100);
  });

  it('are as many as are asked for', async () => {
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.md`, 'The keel.']));
    expect((await search(files, 'keel', { limit: 4 })).passages.map(({ path }) => path)).toEqual([
      ...['0.md', '1.md', '2.md', '3.md'],
    ]);
    expect((await search(files, 'keel', { limit: 4 })).fitting).toBe(9);
  });

  it('leave out what fits far less than the best', async () => {
    const long = 'Other words of the sea. '.repeat(50);
    const { passages, fitting } = await search(
      { 'keel.md': '# Keel\nThe keel, keel.', 'z.md': `${long} keel` },
      'keel',
    );
    expect([passages.map(({ path }) => path), fitting]).toEqual([['keel.md'], 1]);
  });

  it('begin with other files where some rank lower, which leave out nothing', async () => {
    const files = { 'low.md': '# Keel\nThe keel, keel.', 'z.md': 'The keel of the hull.' };
    const usual = await search(files, 'keel');
    expect(usual.passages[0]?.path).toBe('low.md');
    const lower = await search(files, 'keel', { ranksLower: (path) => path === 'low.md' });
    expect(lower.passages.map(({ path }) => path)).toContain('z.md');
    const [low, before] = [lower, usual].map(
      ({ passages }) => passages.find(({ path }) => path === 'low.md')?.score ?? 0,
    );
    expect(low).toBeCloseTo(0.4 * (before ?? 0));
    const alone = await search({ 'low.md': 'The keel.' }, 'keel', { ranksLower: () => true });
    expect(alone.passages).toHaveLength(1);
  });

  it('leave out what fits far less than the best of other files, or of all where all rank lower', async () => {
    const long = `${'Other words of the sea. '.repeat(50)} keel`;
    const fitting = async (files: Readonly<Record<string, string>>, isLower: RegExp) =>
      (await search(files, 'keel', { ranksLower: (path) => isLower.test(path) })).fitting;
    const files = { 'keel.md': '# Keel\nThe keel, keel.', 'z.md': long };
    expect(await fitting(files, /./)).toBe(1);
    expect(await fitting(files, /^keel/)).toBe(2);
  });

  it('need not have every word, but more than half of their weight, or less in a guide', async () => {
    const files = { 'a.md': 'The keel of the hull.' };
    const fits = async (question: string, isGuide: boolean) =>
      (await search(files, question, { isGuide })).passages.length > 0;
    expect([await fits('keel hull vermilion', false), await fits('keel vermilion', false)]).toEqual([true, false]);
    expect([await fits('keel hull vermilion ochre', false), await fits('keel vermilion ochre', true)]).toEqual([
      false,
      true,
    ]);
  });

  it('are the parts of a long line, which do not count as one another', async () => {
    const line = 'The keel of the boat is long. '.repeat(150);
    const { passages } = await search({ 'a.md': line }, 'keel');
    expect(passages.map(({ cut, startLine }) => [cut, startLine])).toEqual([
      [true, 1],
      [true, 1],
      [true, 1],
    ]);
  });

  it('must have every quoted phrase, in the text or in the names above it', async () => {
    const files = { 'Boat/Keel plan.md': '# Steps\nSaw the oak.', 'z.md': 'The oak is sawn by plan.' };
    const found = async (question: string) => (await search(files, question)).passages.map(({ path }) => path);
    expect(await found('"saw the oak"')).toEqual(['Boat/Keel plan.md']);
    expect(await found('"saw the oak" "keel plan"')).toEqual(['Boat/Keel plan.md']);
    expect(await found('"saw the oak" "sawn by"')).toEqual([]);
    expect(await found('"steps saw"')).toEqual(['Boat/Keel plan.md']);
  });
});
