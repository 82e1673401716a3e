import { succeed } from '../../../../src/core/ports/failure';
import type { GitFolder } from '../../../../src/vault/repository/git-folder';
import { readLineEnds } from '../../../../src/vault/repository/line-ends';

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
