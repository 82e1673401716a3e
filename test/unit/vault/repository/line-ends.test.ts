import { succeed } from '../../../../src/core/ports/failure';
import type { GitFolder } from '../../../../src/vault/repository/git-folder';
import { parseAttributes, readLineEnds } from '../../../../src/vault/repository/line-ends';

it('reads each file of attributes once, however many notes are compared', async () => {
  const reads: string[] = [];
  const texts: Readonly<Record<string, string>> = {
    '.gitattributes': '*.md text\n',
    'Log/.gitattributes': '*.md -text\n',
  };
  const adapter = {
    stat: (path: string) => {
      reads.push(path);
      const text = texts[path];
      return Promise.resolve(
        text === undefined ? null : { type: 'file' as const, size: text.length, ctime: 0, mtime: 0 },
      );
    },
    readBinary: (path: string) => Promise.resolve(new TextEncoder().encode(texts[path]).buffer as ArrayBuffer),
  };
  const folder = { readIfAny: () => Promise.resolve(succeed(null)), settings: new Map() } as unknown as GitFolder;
  const lineEnds = readLineEnds(adapter, null, folder, false);
  for (let day = 0; day < 5; day += 1) expect(await lineEnds.attributesOf(`Log/${day}.md`)).toEqual({ text: 'unset' });
  expect(await lineEnds.attributesOf('Keel.md')).toEqual({ text: 'set' });
  expect(reads).toEqual(['.gitattributes', 'Log/.gitattributes']);
});

/** The line ends of a repository with these attributes and settings. */
function lineEndsOf(attributes: string, autocrlf?: string, convertsByDefault = false) {
  const bytes = new TextEncoder().encode(attributes);
  const adapter = {
    stat: () => Promise.resolve({ type: 'file' as const, size: bytes.length, ctime: 0, mtime: 0 }),
    readBinary: () => Promise.resolve(bytes.buffer),
  };
  const settings = new Map(autocrlf === undefined ? [] : [['core.autocrlf', autocrlf]]);
  const folder = { readIfAny: () => Promise.resolve(succeed(null)), settings } as unknown as GitFolder;
  return readLineEnds(adapter, null, folder, convertsByDefault);
}

it.each([
  ['binary', { text: 'unset', isCompared: false }],
  ['binary diff', { text: 'unset', isCompared: true }],
  ['diff=markdown', { isCompared: true }],
  ['diff -diff', { isCompared: false }],
  ['text=auto', { text: 'auto' }],
  ['crlf=auto', { text: 'auto' }],
  ['text=auto text', { text: 'set' }],
  ['crlf', { text: 'set' }],
  ['-text', { text: 'unset' }],
  ['-crlf', { text: 'unset' }],
  ['eol=lf', { hasLineEnd: true }],
  ['text=auto eol=crlf', { text: 'auto', hasLineEnd: true }],
  ['texts crlfs -texts eol=cr xeol=lf diffs merge=union', {}],
])('reads the attributes %s', async (states, expected) => {
  expect(await lineEndsOf(`* ${states}\n`).attributesOf('Keel.md')).toEqual(expected);
});

it.each([
  ...['true', 'YES', 'on', '1', 'input'].map((value) => [value, false, 'auto'] as const),
  ...['false', 'no', '', 'inputs', 'untrue'].map((value) => [value, true, 'never'] as const),
  ...[[undefined, true, 'auto'] as const, [undefined, false, 'never'] as const],
])('converts line ends by the setting %s, by default: %s', (autocrlf, convertsByDefault, expected) => {
  const { conversionOf } = lineEndsOf('', autocrlf, convertsByDefault);
  expect([conversionOf({}), conversionOf({ text: 'auto' })]).toEqual([expected, 'auto']);
  expect([conversionOf({ text: 'set' }), conversionOf({ hasLineEnd: true })]).toEqual(['always', 'always']);
  expect(conversionOf({ text: 'unset', hasLineEnd: true })).toBe('never');
});

it('reads 1,000 rules, patterns of 300 characters, and none that it does not know', () => {
  const patterns = (text: string): string[] => parseAttributes(text).map(({ pattern }) => pattern.join('/'));
  expect(patterns('# words\n!a text\n"b c" text\n[attr]d text\n\n /e text\nf/g text')).toEqual(['e', 'f/g']);
  expect(patterns(`${'a'.repeat(300)} text\n${'b'.repeat(301)} text`)).toEqual([`**/${'a'.repeat(300)}`]);
  expect(patterns('a text\n'.repeat(1_001))).toHaveLength(1_000);
});
