/** Which notes count as text of others by their place, and how a chat stores its first source. */
import { succeed } from '../../../../../src/core/ports/failure';
import type { EntryBody } from '../../../../../src/core/session/entry';
import { ChatTaint, taintOf } from '../../../../../src/core/writing/guard/taint';
import { fakeVault } from '../../../../support/fake-vault';

const files = { 'Web/Cuts/A.md': 'Cut.', 'Web/Own.md': 'Mine.', 'Web/Cutsy.md': 'Mine.' };
const sourceOf = (path: string, ...clippings: string[]): string | null =>
  taintOf({ notes: [{ path }] }, { vault: fakeVault(files), clippings });

it.each(['Web/Cuts', 'Web/Cuts/', '/web/cuts', '//Web//Cuts//'])(
  'a folder of clippings spelled %s counts',
  (folder) => {
    const paths = Object.keys(files);
    expect(paths.map((path) => sourceOf(path, 'Other', folder))).toEqual(['Web/Cuts/A.md', null, null]);
  },
);

it.each(['', '/', '//'])('a folder of clippings spelled %j is none', (folder) => {
  expect(sourceOf('Web/Own.md', folder)).toBeNull();
});

it.each([
  ...['clippings', 'clipping', 'web clippings', 'web clips', 'webclips', 'readwise', 'omnivore', 'zotero'],
  ...['emails', 'email', 'e-mails', 'e-mail', 'mails', 'mail', 'mail inbox', 'email inbox', 'newsletters'],
  ...['instapaper', 'pocket', 'raindrop', 'hypothesis'],
])('a folder named %s holds what others wrote, at any depth', (name) => {
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  for (const path of [`${name}/A.md`, `Notes/${capital} /Deep/A.md`]) expect(sourceOf(path)).toBe(path);
  for (const path of [`${name}.md`, `${name}x/A.md`, `Notes/${name}`]) expect(sourceOf(path)).toBeNull();
});

describe('the properties of a note', () => {
  const taintOfNote = (properties: object, text?: string, said: 'own' | 'others' | null = null) =>
    taintOf(
      { notes: [{ path: 'A.md', ...(text === undefined ? {} : { text }) }] },
      {
        vault: { outline: () => ({ properties }) as never },
        clippings: [],
        untrusted: { has: () => false, saidOf: () => said, problem: null } as never,
      },
    );
  const nested = (levels: number, value: unknown): unknown => (levels === 0 ? value : [nested(levels - 1, value)]);

  it.each<[unknown, boolean]>([
    ['https://x.org', true],
    ['see HTTP://x.org', true],
    ['www.x.org', true],
    ['(www.x.org)', true],
    ['https://', false],
    ['https:// x', false],
    ['xhttps://x.org', false],
    ['www.x', false],
    ['www. x.org', false],
    ['awww.x.org', false],
    [['a', { b: 'https://x.org' }], true],
    [[1, true, null, 'text'], false],
    [nested(8, 'text'), false],
    [nested(9, 'text'), true],
    [nested(8, 'https://x.org'), true],
  ])('with %j show that others wrote it: %s', (value, expected) => {
    expect(taintOfNote({ source: value })).toBe(expected ? 'A.md' : null);
    expect(taintOfNote({ source: value }, undefined, 'own')).toBeNull();
  });

  it('do not count against what the user said of it', () => {
    expect(taintOfNote({}, undefined, 'others')).toBe('A.md');
    expect(taintOfNote({}, '---\nsource: https://x.org\n---\n', 'own')).toBeNull();
  });

  const lines = (count: number) => 'key: value\n'.repeat(count);

  it.each<[string, string, boolean]>([
    ['in its first line', '---\nsource: https://x.org\n---\n', true],
    ['in a block in the middle of a result', 'Text.\n---\nsource: https://x.org\n', true],
    ['in a list', '---\nsource:\n- https://x.org\n', true],
    ['in an indented line', '---\nsource: >\n  https://x.org\n', true],
    ['with other line ends', '---\r\nsource: https://x.org\r\n---\r\n', true],
    ['without an end', '---\nsource: https://x.org', true],
    ['behind the block', '---\nsource: mine\n---\nText.\nurl: https://x.org\n', false],
    ['behind the block with other line ends', '---\r\nsource: mine\r\n--- \r\nText.\r\nurl: https://x.org\r\n', false],
    ['in a line that is no property', '---\nsource: mine\nhttps://x.org and more\n', false],
    ['below dashes that begin no block', '---\n\nsource: https://x.org\n', false],
    ['of a key of one letter', '---\nu: https://x.org\n---\n', true],
    ['below a comment', '---\n#a: b\nsource: https://x.org\n---\n', false],
    ['below four dashes', '----\nsource: https://x.org\n', false],
    ['in its 60th line', `---\n${lines(59)}source: https://x.org\n`, true],
    ['in its 61st line', `---\n${lines(60)}source: https://x.org\n`, false],
  ])('are read in its text where the index has none: an address %s', (_where, text, expected) => {
    expect(taintOfNote({}, text)).toBe(expected ? 'A.md' : null);
  });

  it('are read at the start of its text alone where the index has some', () => {
    expect(taintOfNote({ tags: 'a' }, '---\nsource: https://x.org\n---\n')).toBe('A.md');
    expect(taintOfNote({ tags: 'a' }, 'Text.\n---\nsource: https://x.org\n')).toBeNull();
    expect(taintOfNote({ tags: 'a' }, 'Text.\nsource: https://x.org\n')).toBeNull();
    expect(taintOfNote({ tags: 'a' }, '---\nsource: mine\n---\nsource: https://x.org\n')).toBeNull();
  });
});

it('takes the first source there is, in the order of how sure it is', () => {
  const others = { path: 'Mail/A.md' };
  const hidden = { path: 'B.md', text: 'a\u202eb' };
  const written = { path: 'C.md' };
  const untrusted = { has: (path: string) => path === 'C.md', saidOf: () => null, problem: null };
  const places = { vault: fakeVault(files), clippings: [], untrusted: untrusted as never };
  const hook = { kind: 'hook', source: 'Weather', text: '' } as const;
  const page = { kind: 'resource', source: 'docs mcp://page', text: '' } as const;
  const folder = { kind: 'context-file', source: 'AGENTS.md', text: '' } as const;
  const image = { kind: 'image', id: 'i', label: 'i' } as const;
  const all = { untrusted: 'x.org', additions: [folder, hook], notes: [hidden, written, others], mentions: [image] };
  expect(taintOf(all, places)).toBe('x.org');
  expect(taintOf({ ...all, untrusted: null }, places)).toContain('Weather');
  expect(taintOf({ additions: [page] }, places)).toContain('docs');
  expect(taintOf({ ...all, untrusted: null, additions: [folder] }, places)).toBe('Mail/A.md');
  const broken = { ...places, untrusted: { ...untrusted, problem: 'unreadable' } as never };
  expect(taintOf({ notes: [{ path: 'D.md' }] }, broken)).toBe('unreadable');
  expect(taintOf({ notes: [] }, broken)).toBeNull();
  const [byChat, invisible] = [taintOf({ notes: [hidden, written] }, places), taintOf({ notes: [hidden] }, places)];
  expect([byChat, invisible]).toEqual([expect.stringContaining('C.md'), expect.stringContaining('B.md')]);
  expect(taintOf({ notes: [{ path: 'D.md', text: null }], mentions: [image] }, places)).not.toBeNull();
  expect(
    taintOf({ notes: [{ path: 'D.md', text: 'plain' }], mentions: [{ ...image, kind: 'note' }] }, places),
  ).toBeNull();
});

it.each([
  ['\u{e0000}', true],
  ['\u{e007f}', true],
  ['\u{e0080}', false],
  ['\u202a', true],
  ['\u202e', true],
  ['\u2029', false],
  ['\u2066', true],
  ['\u2069', true],
  ['\u2065', false],
  ['\u200b', false],
])('takes a note with %j for one with hidden text: %s', (character, expected) => {
  const found = taintOf({ notes: [{ path: 'A.md', text: `a${character}b` }] }, { vault: fakeVault({}), clippings: [] });
  expect(found !== null).toBe(expected);
});

it('a chat keeps its first source, and stores it once', async () => {
  const stored: EntryBody[] = [];
  let changes = 0;
  const taint = new ChatTaint(
    [],
    (body) => Promise.resolve(succeed(void stored.push(body))),
    () => (changes += 1),
  );
  await taint.record();
  taint.mark(null);
  expect([stored, taint.source, changes]).toEqual([[], null, 0]);
  taint.mark('x.org');
  taint.mark('y.org');
  await taint.record();
  await taint.record();
  expect([stored, taint.source, changes]).toEqual([[{ kind: 'tainted', source: 'x.org' }], 'x.org', 1]);
});
