/** @jest-environment jsdom */
import { closeTestApps, createTestApp, MemoryAdapter } from 'obsidian-workbench/jest';
import type { ImageReference } from '../../../src/core/ports/message';
import { createImageFiles, SessionFiles } from '../../../src/vault/chat-files';
import { ObsidianVault } from '../../../src/vault/obsidian-vault';
import { makePng } from '../../support/make-png';

const bytes = makePng(3, 2);
const image: ImageReference = {
  digest: 'ab'.repeat(32),
  mediaType: 'image/png',
  width: 3,
  height: 2,
  bytes: bytes.length,
  conversation: 'c1',
};
const place = `Docent/chats/c1/${'ab'.repeat(16)}.png`;

async function open(files: Record<string, string | Uint8Array> = {}) {
  const adapter = new MemoryAdapter({ files });
  const app = await createTestApp({ adapter });
  return { adapter, app, files: createImageFiles(app.vault, () => 'Docent/chats') };
}

afterEach(closeTestApps);

describe('files of images', () => {
  it('R218 lie beside the log of their chat, are written once, and read back byte for byte', async () => {
    const { adapter, files } = await open();
    expect(await files.read(image)).toBeNull();
    expect(await files.write(image, bytes)).toEqual({ ok: true, value: undefined });
    expect(adapter.paths()).toContain(place);
    expect(files.pathOf(image)).toBe(place);
    expect(Buffer.from((await files.read(image)) ?? []).equals(Buffer.from(bytes))).toBe(true);
    expect((await files.write(image, bytes)).ok).toBe(true);
    await files.remove(image);
    await files.remove(image);
    expect(adapter.paths()).not.toContain(place);
  });

  it('R218 that are cut off count as gone, and are written anew', async () => {
    const { files } = await open({ [place]: bytes.slice(0, 5) });
    expect(await files.read(image)).toBeNull();
    expect((await files.write(image, bytes)).ok).toBe(true);
    expect(await files.read(image)).not.toBeNull();
  });

  it('R218 that a crash left with zeros count as gone, and are written again, as are those that it left in part', async () => {
    const zeros = new Uint8Array(bytes.length);
    const { adapter, files } = await open({ [place]: zeros });
    expect(await files.read(image)).toBeNull();
    const part = bytes.slice();
    part.fill(0, bytes.length >> 1);
    for (const torn of [zeros, part]) {
      adapter.writeOutside(place, torn);
      expect((await files.write(image, bytes)).ok).toBe(true);
      expect(Buffer.from((await files.read(image)) ?? []).equals(Buffer.from(bytes))).toBe(true);
    }
    const writes = jest.spyOn(adapter, 'writeBinary');
    expect((await files.write(image, bytes)).ok).toBe(true);
    expect(writes).not.toHaveBeenCalled();
    jest.spyOn(adapter, 'readBinary').mockRejectedValueOnce(new Error('EIO'));
    expect((await files.write(image, bytes)).ok).toBe(true);
    expect(writes).toHaveBeenCalledTimes(1);
  });

  it('R218 never lead out of the chats, whatever a log says', async () => {
    const { files } = await open({ 'Secret.png': bytes });
    for (const change of [{ conversation: '../..' }, { conversation: '../../x', digest: '../../../Secret' }]) {
      const path = files.pathOf({ ...image, ...change });
      expect(path.split('/')).not.toContain('..');
      expect(path.startsWith('Docent/chats/')).toBe(true);
    }
  });

  it('R218 without a log make no conversation', async () => {
    const { adapter, files } = await open();
    await files.write(image, bytes);
    const store = new SessionFiles(adapter, () => 'Docent/chats', 'w1-s1');
    expect(await store.conversations()).toEqual({ ok: true, value: [] });
    expect(await store.shards('c1')).toEqual({ ok: true, value: [] });
    await store.append('c1', 'one\n');
    const listed = await store.conversations();
    expect(listed.ok && listed.value.map(({ id }) => id)).toEqual(['c1']);
  });

  it('R218 says why nothing was kept', async () => {
    const { app, files } = await open();
    jest.spyOn(app.vault.adapter, 'writeBinary').mockRejectedValue(new Error('ENOSPC'));
    expect(await files.write(image, bytes)).toMatchObject({ ok: false, failure: { kind: 'storage' } });
  });
});

describe('bytes of the vault', () => {
  it('R218 come as they are, and fail in words for what is not there', async () => {
    const { app, files } = await open({ 'Pics/a.png': bytes });
    const vault = new ObsidianVault(app, { revision: null, position: null, touchedSince: () => null });
    const read = await vault.readBytes('Pics/a.png');
    expect(read.ok && Buffer.from(read.value).equals(Buffer.from(bytes))).toBe(true);
    expect(await vault.readBytes('Pics/b.png')).toMatchObject({ ok: false, failure: { kind: 'not-found' } });
    expect(files.addressOfFile('Pics/a.png')).toContain('a.png');
    expect(files.addressOfFile('Pics/b.png')).toBeNull();
  });
});
