/** Runs a script of the project as its user would. */
import { execFile } from 'node:child_process';
import path from 'node:path';

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

export function runScript(script: string, ...given: string[]): Promise<ScriptResult> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [path.resolve('scripts', script), ...given], options, (error, out, words) => {
      resolve({ code: error ? Number(error.code) : 0, out, words });
    });
  });
}
