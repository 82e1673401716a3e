/** Creates folders for one test, below the folder for temporary files that the test runner provides. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), 'workbench-test-')));
}

/** Writes files by their paths below the folder, and creates the folders that they need. */
export function writeTree(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}
