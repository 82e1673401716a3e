/** @jest-environment jsdom */
import { closeTestApps, createTestApp, MemoryAdapter } from 'obsidian-workbench/jest';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { VaultChanges } from '../../../../src/vault/changes';
import { readHostState } from '../../../../src/vault/host-state';
import { hasRepository, openStack } from '../../../../src/vault/stack';
import { ownsNothing } from '../../../support/memory-ports';

afterEach(closeTestApps);

describe('a repository', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['a folder', { '.git/HEAD': 'ref: refs/heads/main' }, true],
    ['a file, as in a worktree', { '.git': 'gitdir: ../elsewhere' }, true],
    ['nothing', { 'Note.md': 'n', 'Sub/.git/HEAD': 'ref' }, false],
  ])('R086 is told by the entry at the root, which is %s', async (_name, files, expected) => {
    expect(await hasRepository(new MemoryAdapter({ files }))).toBe(expected);
  });

  it('R086 is none where the disk does not say', async () => {
    expect(await hasRepository({ exists: () => Promise.reject(new Error('EPERM')) })).toBe(false);
  });

  it('R086 is looked for with each refresh, and never while a prompt is made', async () => {
    const adapter = new MemoryAdapter({ files: { 'Note.md': 'n' } });
    const app = await createTestApp({ adapter });
    const stack = openStack(app, new VaultChanges(app, () => false), ownsNothing);
    const { device } = readHostState(app, () => defaultSettings, stack);
    const { refresh } = stack;
    await refresh();
    expect(device().repository).toBe(false);
    adapter.writeOutside('.git/HEAD', 'ref: refs/heads/main');
    expect(device().repository).toBe(false);
    await refresh();
    expect(device().repository).toBe(true);
  });
});
