/** @jest-environment jsdom */
import 'obsidian';
import { closeTestApps, createTestApp, MemoryAdapter } from 'obsidian-workbench/jest';
import { starterContextFile } from '../../../src/core/library/context-files';
import { createNote } from '../../../src/vault/user-notes';

const open = (files: Record<string, string> = {}) => createTestApp({ adapter: new MemoryAdapter({ files }) });
const { path, text } = starterContextFile;

afterEach(closeTestApps);

describe('the starter of a context file', () => {
  it('R197 has room for conventions, commands and ongoing tasks', () => {
    expect(path).toBe('AGENTS.md');
    for (const heading of ['## Conventions', '## Commands', '## Ongoing']) expect(text).toContain(heading);
    expect(text.length).toBeLessThan(600);
  });

  it('R197 is made at the root, and never over one that is there', async () => {
    const { vault } = await open();
    expect(await createNote(vault, path, text)).toEqual({ ok: true, value: { path, created: true } });
    expect(await vault.adapter.read(path)).toBe(text);
    const full = (await open({ 'AGENTS.md': 'mine' })).vault;
    expect(await createNote(full, path, text)).toEqual({ ok: true, value: { path, created: false } });
    expect(await full.adapter.read(path)).toBe('mine');
  });

  it('R197 says why when the disk refuses it', async () => {
    const { vault } = await open();
    jest.spyOn(vault, 'create').mockRejectedValue(new Error('No space.'));
    const outcome = await createNote(vault, path, text);
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    expect(outcome.ok ? '' : outcome.failure.words).toContain('“AGENTS.md”: No space.');
  });

  it.each(['../out.md', '/A.md', '.obsidian/x.md'])('H1 is not made at %j', async (bad) => {
    const { vault } = await open();
    expect(await createNote(vault, bad, text)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
  });
});
