/** Runs a script of the project as its user would. */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from 'obsidian-workbench/testing/folders';

export interface ScriptResult {
  readonly code: number;
  readonly out: string;
  readonly words: string;
}

export const demoVault = path.resolve('test/support/demo-vault');
export const oneSentenceWithRemedy = /^[^\n]+\.\n$/;

/** Expects a script to have ended with one sentence that has a remedy, and to have printed nothing else. */
export function expectRefusal({ code, out, words }: ScriptResult): void {
  expect([code, out]).toEqual([1, '']);
  expect(words).toMatch(oneSentenceWithRemedy);
}

/** Gives each test of the file an empty folder, which is removed after it. */
export function folderOfEach(): { readonly path: string } {
  const folder = { path: '' };
  beforeEach(() => void (folder.path = temporaryFolder()));
  afterEach(() => rmSync(folder.path, { recursive: true, force: true }));
  return folder;
}

const options = { maxBuffer: 64 * 1024 * 1024 };

/** With the options that `npm test` gives the engine of this process: they change only what a run costs. */
export function runScript(script: string, ...given: string[]): Promise<ScriptResult> {
  return new Promise((resolve) => {
    const all = [...process.execArgv, path.resolve('scripts', script), ...given];
    execFile(process.execPath, all, options, (error, out, words) => {
      resolve({ code: error ? Number(error.code) : 0, out, words });
    });
  });
}

/** Runs a script with each of the lists of arguments, one after the other in one process, which takes less time. */
export function runScripts(script: string, runs: readonly (readonly string[])[]): Promise<readonly ScriptResult[]> {
  return new Promise((resolve, reject) => {
    const given = [
      ...process.execArgv,
      ...[require.resolve('obsidian-workbench/testing/run-many'), path.resolve('scripts', script)],
    ];
    const child = execFile(process.execPath, given, options, (error, out) => {
      if (error === null) resolve(JSON.parse(out) as ScriptResult[]);
      else reject(error);
    });
    child.stdin?.end(JSON.stringify(runs));
  });
}
