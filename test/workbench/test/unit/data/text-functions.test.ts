/** @jest-environment jsdom */
import {
  arrayBufferToBase64,
  arrayBufferToHex,
  base64ToArrayBuffer,
  debounce,
  hexToArrayBuffer,
  normalizePath,
  requireApiVersion,
  stripHeading,
  stripHeadingForLink,
} from '../../../src/obsidian/base/text';
import { getAllTags, getLinkpath, iterateRefs, parseLinktext, resolveSubpath } from '../../../src/obsidian/index/links';
import { parseNote } from '../../../src/obsidian/index/parse-note';
import {
  prepareFuzzySearch,
  prepareSimpleSearch,
  renderResults,
  sortSearchResults,
} from '../../../src/obsidian/index/search';
import {
  getFrontMatterInfo,
  parseFrontMatterAliases,
  parseFrontMatterEntry,
  parseFrontMatterTags,
  parseYaml,
  stringifyYaml,
} from '../../../src/obsidian/index/yaml';

it.each([
  ['/a//b\\c/', 'a/b/c'],
  ['', '/'],
  ['///', '/'],
  ['a\u00a0b.md', 'a b.md'],
  ['cafe\u0301.md', 'caf\u00e9.md'],
  ['./a/../b', './a/../b'],
])('normalizes the path %j', (path, expected) => expect(normalizePath(path)).toBe(expected));

it('strips headings', () => {
  expect(stripHeading('A: *b*  [[c]] #d')).toBe('A b c d');
  expect(stripHeadingForLink('A: b #c | d [[e]] ^f %%g')).toBe('A b c d e f g');
});

it('compares versions', () => {
  expect(['1.13.1', '1.13.0', '0.99.99', '1.4'].map(requireApiVersion)).toEqual([true, true, true, true]);
  expect(['1.13.2', '1.14', '2.0.0'].map(requireApiVersion)).toEqual([false, false, false]);
});

it('converts bytes both ways', () => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256).buffer;
  expect(base64ToArrayBuffer(arrayBufferToBase64(bytes))).toEqual(bytes);
  expect(hexToArrayBuffer(arrayBufferToHex(bytes))).toEqual(bytes);
  expect(arrayBufferToHex(new Uint8Array([0, 255]).buffer)).toBe('00ff');
});

describe('debounce', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('waits from the first call, or from the last when it resets', () => {
    const [first, last] = [jest.fn(), jest.fn()];
    const [fromFirst, fromLast] = [debounce(first, 100), debounce(last, 100, true)];
    for (const text of ['a', 'b']) {
      fromFirst(text);
      fromLast(text);
      jest.advanceTimersByTime(60);
    }
    expect(first).toHaveBeenCalledWith('b');
    expect(last).not.toHaveBeenCalled();
    jest.advanceTimersByTime(60);
    expect(last).toHaveBeenCalledWith('b');
  });

  it('runs or cancels what is pending', () => {
    const callback = jest.fn((text: string) => text);
    const debounced = debounce(callback, 100);
    expect(debounced('x').run()).toBe('x');
    expect(debounced.run()).toBeUndefined();
    debounced('y').cancel();
    jest.advanceTimersByTime(200);
    expect(callback).toHaveBeenCalledTimes(1);
  });
});

describe('YAML and frontmatter', () => {
  it('reads and writes as Obsidian does', () => {
    expect(parseYaml('a: [[x]]\nb: 2024-01-01\nc: yes')).toEqual({ a: [['x']], b: '2024-01-01', c: 'yes' });
    const long = 'word '.repeat(40).trim();
    expect(stringifyYaml({ a: null, b: [1], c: long })).toBe(`a:\nb:\n  - 1\nc: ${long}\n`);
    expect(() => parseYaml('a: [')).toThrow();
  });

  it('finds the block and where the text starts', () => {
    const text = '---\na: 1\n---\nBody';
    const info = getFrontMatterInfo(text);
    expect(info).toEqual({ exists: true, frontmatter: 'a: 1\n', from: 4, to: 9, contentStart: 13 });
    expect(text.slice(info.contentStart)).toBe('Body');
    expect(getFrontMatterInfo('---\r\na: 1\r\n---')).toMatchObject({ exists: true, contentStart: 14 });
    expect(getFrontMatterInfo('---\n---\n')).toMatchObject({ exists: true, frontmatter: '' });
    for (const none of ['', 'text', '---\na: 1', ' ---\n---\n', '----\n----\n']) {
      expect(getFrontMatterInfo(none)).toMatchObject({ exists: false, contentStart: 0 });
    }
  });

  it('reads tags, aliases and entries', () => {
    expect(parseFrontMatterTags({ Tags: ['a', '#b', 'c/d', 'e f', 'g,h', 3] })).toEqual(['#a', '#b', '#c/d']);
    expect(parseFrontMatterTags({ tags: 'a' })).toEqual(['#a']);
    expect(parseFrontMatterTags({ tags: 'a, b c' })).toEqual([]);
    expect(parseFrontMatterTags({ tags: [] })).toEqual([]);
    expect(parseFrontMatterTags({ tag: ['a'], TAG: ['a'] })).toBeNull();
    expect(parseFrontMatterTags({ tags: null })).toBeNull();
    expect(parseFrontMatterAliases({ aliases: ['x y', ''] })).toEqual(['x y']);
    expect(parseFrontMatterEntry({ Key: 0 }, 'key')).toBe(0);
    expect(parseFrontMatterEntry(null, 'key')).toBeNull();
  });
});

describe('links', () => {
  it('splits link texts', () => {
    expect(parseLinktext('a/b#c#d')).toEqual({ path: 'a/b', subpath: '#c#d' });
    expect(getLinkpath('#x')).toBe('');
  });

  it('stops iterating on true', () => {
    const seen: string[] = [];
    const refs = ['a', 'b', 'c'].map((link) => ({ link, original: link }));
    expect(iterateRefs(refs, ({ link }) => seen.push(link) === 2)).toBe(true);
    expect(seen).toEqual(['a', 'b']);
  });

  it('resolves headings, blocks and footnotes', () => {
    const note = parseNote('# A\n## Same: x\n# B\n## Same: x\ntext ^Id\n# C\n\n- item ^li\n\n[^n]: foot');
    expect(resolveSubpath(note, '#Same x')).toMatchObject({ type: 'heading', start: { line: 1 }, end: { line: 2 } });
    expect(resolveSubpath(note, '#b#same x')).toMatchObject({ type: 'heading', start: { line: 3 }, end: { line: 5 } });
    expect(resolveSubpath(note, '#^id')).toMatchObject({ type: 'block', block: { id: 'Id' }, start: { line: 4 } });
    expect(resolveSubpath(note, '#^li')).toMatchObject({ list: { id: 'li' } });
    expect(resolveSubpath(note, '#[^n]')).toMatchObject({ type: 'footnote', start: { line: 9 } });
    expect(resolveSubpath(note, '#none')).toBeNull();
    expect(resolveSubpath(note, '')).toBeNull();
  });

  it('joins tags of frontmatter and text', () => {
    expect(getAllTags(parseNote('---\ntags: [a]\n---\n#b #b'))).toEqual(['#a', '#b', '#b']);
  });
});

describe('search', () => {
  it('wants all words, or all letters in order', () => {
    expect(prepareSimpleSearch('note my')('My Note')?.matches).toEqual([
      [0, 2],
      [3, 7],
    ]);
    expect(prepareSimpleSearch('note x')('My Note')).toBeNull();
    expect(prepareFuzzySearch('mnt')('My Note')?.matches).toEqual([
      [0, 1],
      [3, 4],
      [5, 6],
    ]);
    expect(prepareFuzzySearch('tnm')('My Note')).toBeNull();
  });

  it('sorts the better first and draws the matches', () => {
    const search = prepareFuzzySearch('daily');
    const results = ['d a i l y', 'my daily', 'daily'].map((text) => ({ text, match: search(text)! }));
    sortSearchResults(results);
    expect(results.map(({ text }) => text)).toEqual(['daily', 'my daily', 'd a i l y']);
    const element = document.createElement('div');
    renderResults(element, 'my <b> daily', { score: 0, matches: [[7, 12]] });
    expect(element.innerHTML).toBe('my &lt;b&gt; <span class="suggestion-highlight">daily</span>');
  });
});
