/** @jest-environment node */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyVault } from '../../../src/server/vault-copy';

it('reports how far the copy of a large vault is, and nothing of a small one', async () => {
  const vault = await mkdtemp(path.join(tmpdir(), 'large-vault-'));
  try {
    await mkdir(path.join(vault, 'Notes'));
    const write = (at: number): Promise<void> => writeFile(path.join(vault, 'Notes', `N${at}.md`), '');
    for (let at = 0; at < 50; at += 1) await write(at);
    const reports: number[] = [];
    const report = (copied: number): void => void reports.push(copied);
    await (await copyVault(vault, report)).remove();
    expect(reports).toEqual([]);
    await Promise.all(Array.from({ length: 4_100 }, (_, at) => write(at)));
    const { folder, remove } = await copyVault(vault, report);
    expect(await readdir(path.join(folder, 'Notes'))).toHaveLength(4_100);
    expect(reports).toEqual([2_000, 4_000]);
    await remove();
  } finally {
    await rm(vault, { recursive: true, force: true });
  }
});
