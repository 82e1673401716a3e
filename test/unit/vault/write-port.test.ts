/** @jest-environment jsdom */
/** The port that writes notes: what it refuses leaves the vault as it is, and is no fault of the disk. */
import 'obsidian';
import { words } from '../../../src/text';
import { ObsidianWritePort } from '../../../src/vault/write-port';
import { closeTestApps, createTestApp } from '../../workbench/emulator/jest';

afterEach(closeTestApps);

async function openPort(
  files: Record<string, string>,
): Promise<{ port: ObsidianWritePort; read(path: string): Promise<string> }> {
  const app = await createTestApp({ files });
  const port = new ObsidianWritePort({
    app,
    changes: { hearIndexed: () => () => undefined, expect: () => undefined },
    hash: () => '',
    pause: () => Promise.resolve(),
    preferences: () => ({}) as never,
  });
  return { port, read: (path) => app.vault.adapter.read(path) };
}

it('H12 creates nothing where a file is already', async () => {
  const { port, read } = await openPort({ 'A.md': 'mine' });
  const outcome = await port.create('A.md', new TextEncoder().encode('other'));
  const failure = { kind: 'refused', words: words.writing.placeTaken('A.md'), remedy: words.writing.placeTakenRemedy };
  expect(outcome).toEqual({ ok: false, failure });
  expect(await read('A.md')).toBe('mine');
});
