/** Compares a text with the golden file in this folder. UPDATE_GOLDENS=1 overwrites the file. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** @throws with the command that writes the golden, and the difference */
export function expectGolden(name: string, text: string): void {
  const path = join(__dirname, name);
  if (process.env['UPDATE_GOLDENS'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`);
  }
  const stored = existsSync(path) ? readFileSync(path, 'utf8') : null;
  try {
    expect(`${text}\n`).toBe(stored);
  } catch (thrown) {
    const test = relative(join(__dirname, '../..'), expect.getState().testPath ?? '');
    const remedy = `test/goldens/${name} says something else. If the new text is meant, write it: UPDATE_GOLDENS=1 npm run test:file -- ${test}`;
    throw new Error(`${remedy}\n\n${(thrown as Error).message}`, { cause: thrown });
  }
}
