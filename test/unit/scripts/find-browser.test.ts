/** What somebody without a browser that works is shown. */
import { execFile } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeMissing, findBrowser } from '../../../scripts/browser/find-browser.mjs';
import { temporaryFolder } from 'obsidian-workbench/testing/folders';
import { oneSentenceWithRemedy } from './run-script';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
const { DOCENT_BROWSER: before } = process.env;
afterEach(() => {
  if (before === undefined) delete process.env['DOCENT_BROWSER'];
  else process.env['DOCENT_BROWSER'] = before;
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a program in the place of a browser, and returns its path. */
function writeProgram(lines: string, mode = 0o755): string {
  const file = path.join(folder, 'chrome');
  writeFileSync(file, `#!/bin/sh\n${lines}\n`);
  chmodSync(file, mode);
  return file;
}

const refusal = (): Promise<Error> =>
  findBrowser().then(
    ({ executablePath }) => new Error(`${executablePath} starts.`),
    (thrown: Error) => thrown,
  );

/** What the script prints in a process of its own. */
const runFindBrowser = (named: string): Promise<{ code: number; words: string }> =>
  new Promise((resolve) => {
    const script = path.resolve('scripts/browser/find-browser.mjs');
    const env = { ...process.env, DOCENT_BROWSER: named };
    execFile(process.execPath, [script], { env }, (error, _out, words) =>
      resolve({ code: error ? Number(error.code) : 0, words }),
    );
  });

describe('a browser that DOCENT_BROWSER names', () => {
  it.each<[string, () => string, string]>([
    ['is not there', () => '/nowhere/chrome', 'there is no such file'],
    ['ends at once', () => writeProgram('exit 1'), 'it ends at once with code 1'],
    ['is a folder', () => folder, 'it may not be executed'],
    [
      'lacks a library',
      () => writeProgram('echo "chrome: error while loading shared libraries: libnss3.so" >&2; exit 127'),
      'chrome: error while loading shared libraries: libnss3.so',
    ],
  ])('and that %s is refused in one sentence', async (_what, make, reason) => {
    const named = make();
    process.env['DOCENT_BROWSER'] = named;
    const thrown = await refusal();
    expect(thrown.name).toBe('UserError');
    expect(`${thrown.message}\n`).toMatch(oneSentenceWithRemedy);
    expect(thrown.message).toBe(
      `DOCENT_BROWSER names ${named}, which does not start (${reason}): name another browser, or unset it to have one found.`,
    );
  });

  it('ends the script with that sentence', async () => {
    const named = writeProgram('exit 3');
    process.env['DOCENT_BROWSER'] = named;
    const { message } = await refusal();
    expect(message).toContain('it ends at once with code 3');
    expect(await runFindBrowser(named)).toEqual({ code: 1, words: `${message}\n` });
  });
});

it('a machine without a browser is described in one sentence, with each that does not start', () => {
  const remedy =
    ': install chromium-headless-shell, Chrome or Chromium, or name one with DOCENT_BROWSER=/path/to/chrome.';
  expect(describeMissing([])).toBe(`No Chromium was found${remedy}`);
  expect(describeMissing(['/usr/bin/chromium: it ends at once with code 1', 'the packaged one: no space left'])).toBe(
    `No Chromium was found that starts (/usr/bin/chromium: it ends at once with code 1; the packaged one: no space left)${remedy}`,
  );
});
