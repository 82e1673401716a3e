/** @jest-environment jsdom */
import 'obsidian';
import { closeTestApps, createTestApp, MemoryAdapter } from 'obsidian-workbench/jest';
import { createFolder } from '../../../src/vault/user-notes';

const open = () => createTestApp({ adapter: new MemoryAdapter({ files: { 'A/note.md': '' } }) });

afterEach(closeTestApps);

describe('a folder that the user asks for', () => {
  it('R174 is made with those above it, and left alone when it is there', async () => {
    const { vault } = await open();
    expect(await createFolder(vault, 'A/B/C')).toEqual({ ok: true, value: undefined });
    expect(vault.getFolderByPath('A/B/C')).not.toBeNull();
    expect((await createFolder(vault, 'A/B/C')).ok).toBe(true);
  });

  it.each(['../out', '/A', '.obsidian/x', 'A/../../B', 'A/con', ''])(
    'H1 is not made at %j, which is no path for one',
    async (path) => {
      const { vault } = await open();
      const before = vault.getAllFolders(true).length;
      expect(await createFolder(vault, path)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
      expect(vault.getAllFolders(true)).toHaveLength(before);
    },
  );

  it('is a failure in words when the disk refuses it', async () => {
    const { vault } = await open();
    jest.spyOn(vault, 'createFolder').mockRejectedValue(new Error('No space.'));
    const outcome = await createFolder(vault, 'New');
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    expect(outcome.ok ? '' : outcome.failure.words).toContain('Couldn’t create the folder “New”: No space.');
  });
});
