/** Runs code in a Node of its own, which takes the doors of this package as a stranger would. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

export const packageFolder = path.resolve(__dirname, '..');

/** @returns what the code writes to standard output */
export async function runNode(code: string): Promise<string> {
  const options = { cwd: packageFolder, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], options);
  return stdout;
}
