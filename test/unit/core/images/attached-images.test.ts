/** @jest-environment node */
import { imageLimits } from '../../../../src/core/ports/message';
import type { Mention } from '../../../../src/core/session/entry';
import { filterHidden } from '../../../../src/core/writing/guard/fence';
import { guardPaths } from '../../../../src/core/writing/guard/path-guard';
import { fakeVault } from '../../../support/fake-vault';
import { digestOf, fakeDraw, imagePorts } from '../../../support/image-ports';
import { makePng } from '../../../support/make-png';

const boat = makePng(60, 40);
const large = makePng(3000, 2000);
const at = (path: string): Mention => ({ kind: 'image', id: path, label: path });

describe('images that are handed over', () => {
  it('R218 are kept beside the chat under their digest before a draft can name them', async () => {
    const images = imagePorts(fakeVault({}));
    const added = await images.attached.add({ name: 'Pasted image 1', bytes: large }, 'c1');
    const digest = digestOf(large);
    const image = { digest, mediaType: 'image/png', width: 1341, height: 894, bytes: large.length, conversation: 'c1' };
    expect(added).toEqual({
      ok: true,
      value: { kind: 'image', id: digest, label: 'Pasted image 1', apart: true, image },
    });
    expect([...images.stored.keys()]).toEqual([`chats/c1/${digest}`]);
    if (added.ok) await images.attached.drop(added.value);
    expect(images.stored.size).toBe(0);
  });

  it('R218 are refused in plain words when they are too large, damaged or no images', async () => {
    const images = imagePorts(fakeVault({}));
    const refusal = async (bytes: Uint8Array): Promise<string> => {
      const added = await images.attached.add({ name: 'x.png', bytes }, 'c1');
      return added.ok ? '' : `${added.failure.kind}: ${added.failure.words}`;
    };
    const wide = makePng(1, 1);
    new DataView(wide.buffer).setUint32(16, 60_000);
    new DataView(wide.buffer).setUint32(20, 60_000);
    expect(await refusal(new Uint8Array(imageLimits.maxFile + 1))).toBe(
      'too-large: x.png is 30 MB; the limit is 30 MB.',
    );
    expect(await refusal(wide)).toBe('too-large: x.png has too many pixels: 60,000 × 60,000.');
    expect(await refusal(new TextEncoder().encode('<svg/>'))).toBe(
      'invalid-input: x.png isn’t a PNG, JPEG, GIF, or WebP image.',
    );
    expect(await refusal(boat.subarray(0, 30))).toBe('unreadable: Couldn’t open x.png as an image.');
    images.isFull = true;
    expect(await refusal(boat)).toBe('storage: No space left.');
    expect(images.stored.size).toBe(0);
  });
});

describe('images of the vault', () => {
  it('R218 are made ready without being stored, and stored once when they are sent', async () => {
    const images = imagePorts(fakeVault({ 'Pics/boat.png': boat }));
    const prepared = await images.attached.prepare(at('Pics/boat.png'), 'c1');
    expect(prepared.image).toMatchObject({ width: 60, height: 40, digest: digestOf(boat) });
    expect(images.stored.size).toBe(0);
    const [sent] = await images.attached.settle([prepared], 'c1');
    expect(sent).toEqual(prepared);
    await images.attached.settle([at('Pics/boat.png')], 'c1');
    expect(images.written).toEqual([`chats/c1/${digestOf(boat)}`]);
    await images.attached.drop(prepared);
    expect(images.stored.size).toBe(1);
  });

  it('R218 are sent as they are when they are sent, not as they were when they were named', async () => {
    const vault = fakeVault({ 'boat.png': boat });
    const images = imagePorts(vault);
    const prepared = await images.attached.prepare(at('boat.png'), 'c1');
    vault.put('boat.png', large);
    const [sent] = await images.attached.settle([prepared], 'c1');
    expect(sent?.image?.digest).toBe(digestOf(large));
    vault.remove('boat.png');
    const [missing] = await images.attached.settle([at('boat.png')], 'c1');
    expect(missing?.problem).toContain('boat.png was deleted, renamed, or moved.');
  });

  it('R218 that could not be opened can be opened later', async () => {
    const vault = fakeVault({ 'boat.png': boat.subarray(0, 30) });
    const images = imagePorts(vault);
    const broken = await images.attached.prepare(at('boat.png'), 'c1');
    expect(broken.problem).toContain('Couldn’t open boat.png as an image');
    vault.put('boat.png', boat);
    const [sent] = await images.attached.settle([broken], 'c1');
    expect(sent?.image?.width).toBe(60);
    expect(sent).not.toHaveProperty('problem');
  });

  it('R218 that cannot be opened are tried once when they are sent', async () => {
    const draw = jest.fn(fakeDraw);
    const images = imagePorts(fakeVault({ 'boat.png': boat.subarray(0, 30) }), draw);
    const [sent] = await images.attached.settle([at('boat.png')], 'c1');
    expect(sent?.problem).toContain('Couldn’t open boat.png as an image');
    expect(draw).toHaveBeenCalledTimes(1);
  });

  it('R218 are at most eight a message; the others are told of', async () => {
    const paths = Array.from({ length: 10 }, (_, index) => `${index}.png`);
    const files = Object.fromEntries(paths.map((path, index) => [path, makePng(10 + index, 10)]));
    const images = imagePorts(fakeVault({ ...files, 'A.md': 'a' }));
    const note: Mention = { kind: 'note', id: 'A.md', label: 'A' };
    const sent = await images.attached.settle([note, ...paths.map(at)], 'c1');
    expect(sent[0]).toBe(note);
    expect(sent.filter(({ image }) => image !== undefined)).toHaveLength(8);
    expect(sent.slice(9).map(({ problem }) => problem)).toEqual(
      Array(2).fill('A message can have at most 8 images. Send the others with your next message.'),
    );
    expect(images.written).toHaveLength(8);
  });

  it('R218 stay behind the path guard and the fence', async () => {
    const files = { 'Private/a.png': boat, '.obsidian/b.png': boat, 'Docent/chats/c/d.png': boat, 'e.png': boat };
    const rules = { excluded: ['Private/'], ownFolders: ['Docent/chats'] };
    const vault = filterHidden(guardPaths(fakeVault(files), '.obsidian'), () => rules);
    const { attached, stored } = imagePorts(vault);
    for (const path of ['Private/a.png', 'private/A.png', '.obsidian/b.png', 'Docent/chats/c/d.png', '../e.png']) {
      const [sent] = await attached.settle([at(path)], 'c1');
      expect(sent?.image).toBeUndefined();
      expect(sent?.problem).toBeDefined();
      expect((await vault.readBytes(path)).ok).toBe(false);
    }
    expect(stored.size).toBe(0);
    expect((await attached.settle([at('e.png')], 'c1'))[0]?.image?.width).toBe(60);
  });
});

it('images of the vault are prepared once, and the oldest again when more were than are held', async () => {
  const most = 2 * imageLimits.maxImages;
  const names = Array.from({ length: most + 1 }, (_, each) => `${String(each).padStart(3, '0')}.png`);
  const vault = fakeVault(Object.fromEntries(names.map((name, each) => [name, makePng(each + 20, 40)])));
  const drawn: number[] = [];
  const images = imagePorts(vault, (image, fit) => {
    drawn.push(image.bytes.length);
    return fakeDraw(image, fit);
  });
  const prepare = (name: string) => images.attached.prepare(at(name), 'c1');
  for (const name of names.slice(0, most)) await prepare(name);
  expect(drawn).toHaveLength(most);
  await prepare(names[0] ?? '');
  expect(drawn).toHaveLength(most);
  // The second is the one that was used longest ago.
  await prepare(names[most] ?? '');
  await prepare(names[0] ?? '');
  expect(drawn).toHaveLength(most + 1);
  await prepare(names[1] ?? '');
  expect(drawn).toHaveLength(most + 2);
});
