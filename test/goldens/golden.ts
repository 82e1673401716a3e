/** Compares a text with the one kept in this folder; UPDATE_GOLDENS=1 writes it anew. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function expectGolden(name: string, text: string): void {
  const path = join(__dirname, name);
  if (process.env['UPDATE_GOLDENS'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`);
  }
  expect(`${text}\n`).toBe(readFileSync(path, 'utf8'));
}
