/** Runs code in a separate Node process, which imports this package by its name as other projects do. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

export const packageFolder = path.resolve(__dirname, '..');

/** Returns what the code writes to standard output. */
export async function runNode(code: string): Promise<string> {
  const options = { cwd: packageFolder, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], options);
  return stdout;
}
