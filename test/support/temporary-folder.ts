/** Folders of a test's own, below the one that its runner gives for temporary files. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), 'docent-unit-')));
}

/** Writes files by their path below the folder, with the folders that they need. */
export function writeTree(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}
