/** @jest-environment node */
/** Objects, loose and packed, as git writes them; and packs that are made to fill the memory or never to end. */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { succeed } from '../../../../src/core/ports/failure';
import { type GitFolder, missingObject } from '../../../../src/vault/repository/git-folder';
import { applyDifference, openObjects, usualLimits } from '../../../../src/vault/repository/git-objects';
import { expectCostBelow, expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { describeWithGit, TestRepository } from './test-repository';

const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');
const nameOf = (kind: string, content: Uint8Array): string =>
  sha1(Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]));
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A `.git` folder in memory. */
function folderOf(files: Readonly<Record<string, Uint8Array>>): GitFolder {
  return {
    readIfAny: async (path) => succeed(files[path] === undefined ? null : new Uint8Array(files[path])),
    sizeOf: async (path) => files[path]?.length ?? null,
    list: async (path) =>
      Object.keys(files)
        .filter((each) => each.startsWith(`${path}/`))
        .map((each) => each.slice(path.length + 1)),
    explainMissing: async (oid) => missingObject(oid),
    settings: new Map(),
  };
}

/** The type and size before an object of a pack. */
function packHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 128;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}

interface Packed {
  readonly oid: string;
  readonly bytes: Uint8Array;
}

function packOf(objects: readonly Packed[]): GitFolder {
  const sorted = [...objects].sort((one, other) => (one.oid < other.oid ? -1 : 1));
  const places = new Map<string, number>();
  let at = 12;
  for (const { oid, bytes } of objects) {
    places.set(oid, at);
    at += bytes.length;
  }
  const below = (byte: number): number => sorted.filter(({ oid }) => parseInt(oid.slice(0, 2), 16) <= byte).length;
  const index = Buffer.concat([
    Buffer.from('ff744f63', 'hex'),
    u32(2),
    ...Array.from({ length: 256 }, (_, byte) => u32(below(byte))),
    ...sorted.map(({ oid }) => Buffer.from(oid, 'hex')),
    ...sorted.map(() => u32(0)),
    ...sorted.map(({ oid }) => u32(places.get(oid) ?? 0)),
    Buffer.alloc(40),
  ]);
  const pack = Buffer.concat([
    Buffer.from('PACK'),
    u32(2),
    u32(objects.length),
    ...objects.map(({ bytes }) => bytes),
    Buffer.alloc(20),
  ]);
  return folderOf({ 'objects/pack/pack-1.idx': index, 'objects/pack/pack-1.pack': pack });
}

/** A difference that names its base. */
function difference(base: string, steps: Uint8Array): Buffer {
  return Buffer.concat([packHeader(7, steps.length), Buffer.from(base, 'hex'), deflateSync(steps)]);
}

async function refusalOf(folder: GitFolder, oid: string, limits = usualLimits): Promise<string> {
  const read = await openObjects(folder, limits).read(oid);
  return read.ok ? 'read' : read.failure.words;
}

const [a, b] = ['a'.repeat(40), 'b'.repeat(40)];
const zeros = (bytes: number): Uint8Array => new Uint8Array(bytes);
const loose = (content: Uint8Array, header: string): Uint8Array =>
  deflateSync(Buffer.concat([Buffer.from(header), content]));

describe('objects that are made to do harm', () => {
  it('ends at a difference from itself, and at two from each other', async () => {
    const steps = Buffer.from([1, 1, 1, 65]);
    expect(await refusalOf(packOf([{ oid: a, bytes: difference(a, steps) }]), a)).toContain('is damaged');
    const circle = packOf([
      { oid: a, bytes: difference(b, steps) },
      { oid: b, bytes: difference(a, steps) },
    ]);
    expect(await refusalOf(circle, a)).toContain('is damaged');
  });

  it('stops a small file that unpacks to a large one, whatever size it names', async () => {
    const content = zeros(60_000_000);
    for (const header of ['blob 5\0', 'blob 60000000\0', 'blob 999999999999\0']) {
      const bomb = folderOf({ [`objects/aa/${a.slice(2)}`]: loose(content, header) });
      await expectCostBelow(150, async () => expect(await refusalOf(bomb, a)).not.toBe('read'));
    }
    const packed = packOf([{ oid: a, bytes: Buffer.concat([packHeader(3, 5), deflateSync(content)]) }]);
    await expectCostBelow(150, async () => expect(await refusalOf(packed, a)).not.toBe('read'));
  });

  it('stops a short difference that copies its base a thousand times', async () => {
    const base = zeros(65_536);
    const oid = nameOf('blob', base);
    const size = 65_536 * 5_000;
    const groups = (value: number): number[] =>
      value < 128 ? [value] : [(value & 127) | 128, ...groups(Math.floor(value / 128))];
    const steps = Buffer.from([...groups(65_536), ...groups(size), ...Array.from({ length: 5_000 }, () => 0x80)]);
    const whole = { oid, bytes: Buffer.concat([packHeader(3, base.length), deflateSync(base)]) };
    const pack = packOf([whole, { oid: a, bytes: difference(oid, steps) }]);
    expect(await refusalOf(pack, a)).toContain('too large for Docent to read');
    const lying = Buffer.from([...groups(65_536), ...groups(10), ...Array.from({ length: 5_000 }, () => 0x80)]);
    expect(await refusalOf(packOf([whole, { oid: a, bytes: difference(oid, lying) }]), a)).toContain('is damaged');
  });

  it('unpacks no more than its budget, however many objects there are', async () => {
    const objects = Array.from({ length: 40 }, (_, index) => {
      const content = Buffer.concat([zeros(100_000), Buffer.from(`${index}`)]);
      const bytes = Buffer.concat([packHeader(3, content.length), deflateSync(content)]);
      return { oid: nameOf('blob', content), bytes };
    });
    const reader = openObjects(packOf(objects), { ...usualLimits, all: 1_000_000 });
    const said: string[] = [];
    for (const { oid } of objects) {
      const read = await reader.read(oid);
      said.push(read.ok ? 'read' : read.failure.kind);
    }
    expect(said.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 'read'));
    expect(said.at(-1)).toBe('limit');
  });

  it('opens no more packs than git leaves, nor more bytes of them than its budget', async () => {
    const index = Buffer.concat([Buffer.from('ff744f63', 'hex'), u32(2), zeros(1024), zeros(40)]);
    const packs = (count: number) =>
      folderOf(
        Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`objects/pack/pack-${at.toString(16)}.idx`, index] as const),
        ),
      );
    expect(await refusalOf(packs(500), a)).toContain('Part of this repository is missing');
    expect(await refusalOf(packs(501), a)).toBe('This repository has more than 500 pack files.');
    expect(await refusalOf(packs(500), a, { ...usualLimits, all: 100_000 })).toContain(
      'contains more than Docent reads',
    );
  });

  it('takes no object for another', async () => {
    const content = Buffer.from('mine');
    const file = folderOf({ [`objects/aa/${a.slice(2)}`]: loose(content, 'blob 4\0') });
    expect(await refusalOf(file, a)).toContain('is damaged');
  });

  it('reads broken indexes and packs as damaged, at every length', async () => {
    const content = Buffer.from('The keel is sound.\n');
    const oid = nameOf('blob', content);
    const whole = packOf([{ oid, bytes: Buffer.concat([packHeader(3, content.length), deflateSync(content)]) }]);
    expect(await refusalOf(whole, oid)).toBe('read');
    const parts = await Promise.all(
      ['idx', 'pack'].map(async (end) => {
        const read = await whole.readIfAny(`objects/pack/pack-1.${end}`, 1e9);
        return read.ok && read.value !== null ? read.value : zeros(0);
      }),
    );
    const [index = zeros(0), pack = zeros(0)] = parts;
    for (let length = 0; length < index.length; length += 7) {
      const cut = folderOf({ 'objects/pack/pack-1.idx': index.slice(0, length), 'objects/pack/pack-1.pack': pack });
      expect(await refusalOf(cut, oid)).not.toBe('read');
    }
    for (let length = 0; length < pack.length - 20; length += 1) {
      const cut = folderOf({ 'objects/pack/pack-1.idx': index, 'objects/pack/pack-1.pack': pack.slice(0, length) });
      const said = await refusalOf(cut, oid);
      if (length < pack.length - 28) expect(said).toContain('damaged');
    }
    const many = Uint8Array.from(index);
    many.set([0xff, 0xff, 0xff, 0xff], 8 + 255 * 4);
    const huge = folderOf({ 'objects/pack/pack-1.idx': many, 'objects/pack/pack-1.pack': pack });
    expect(await refusalOf(huge, oid)).toContain('has an index that Docent can’t read');
  });

  it('names a pack over the limit', async () => {
    const content = Buffer.from('x');
    const oid = nameOf('blob', content);
    const folder = packOf([{ oid, bytes: Buffer.concat([packHeader(3, 1), deflateSync(content)]) }]);
    const large = { ...folder, sizeOf: async () => 100_000_001 };
    expect(await refusalOf(large, oid)).toBe('A pack file of this repository is larger than 100 MB.');
  });

  it('takes time in proportion to the length of a chain of differences', async () => {
    const chain = (length: number) => {
      const content = Buffer.alloc(20_000, 'x');
      const first = {
        oid: nameOf('blob', content),
        bytes: Buffer.concat([packHeader(3, content.length), deflateSync(content)]),
      };
      const objects: Packed[] = [first];
      // Each copies its base whole, so that the name stays the same; the index needs another one for each.
      const copy = Buffer.from([0xa0, 0x9c, 1, 0xa0, 0x9c, 1, 0xb0, 0x20, 0x4e]);
      for (let index = 1; index < length; index += 1) {
        const oid = index === length - 1 ? 'f'.repeat(40) : sha1(Buffer.from(`${index}`));
        objects.push({ oid, bytes: difference(objects.at(-1)?.oid ?? '', copy) });
      }
      return packOf(objects);
    };
    const [small, large] = [chain(500), chain(2_000)];
    const read = (folder: GitFolder) => refusalOf(folder, 'f'.repeat(40));
    // The name of the last does not fit, which is found at the end of the chain.
    expect(await read(small)).toContain('objects is damaged');
    // Four times the length; a square would take sixteen times.
    await expectGrowthBelow(
      9,
      () => read(large),
      () => read(small),
    );
    expect(await read(chain(5_000))).toContain('pack-1.pack is damaged');
  });
});

it('applies differences as git writes them, and refuses those that do not fit', () => {
  const base = Buffer.from('The keel is sound.');
  const insert = Buffer.from([18, 3, 3, ...Buffer.from('new')]);
  expect(applyDifference(base, insert)).toEqual(Uint8Array.from(Buffer.from('new')));
  const copy = Buffer.from([18, 8, 0x90, 8]);
  expect(Buffer.from(applyDifference(base, copy) ?? []).toString()).toBe('The keel');
  for (const bad of [
    [],
    [17, 3, 3, 1, 2, 3],
    [18, 3, 0],
    [18, 4, 3, 1, 2, 3],
    [18, 3, 3, 1],
    [18, 30, 0x91, 10, 20],
    [255],
  ])
    expect(applyDifference(base, Buffer.from(bad))).toBeNull();
});

describeWithGit('objects of git', () => {
  it('R232 reads packs, differences of both kinds, and packed refs', async () => {
    for (const kind of ['true', 'false']) {
      const repository = new TestRepository();
      const text = Array.from({ length: 400 }, (_, line) => `Line ${line} of a long note.`);
      repository.start({ 'Boat.md': text.join('\n') });
      for (let round = 0; round < 12; round += 1) {
        text[round * 30] = `Changed in round ${round}.`;
        repository.write('Boat.md', text.join('\n'));
        repository.write(`Folder ${round}/Note.md`, `Note ${round}\n`);
        repository.commit();
      }
      repository.git(
        '-c',
        `repack.useDeltaBaseOffset=${kind}`,
        'repack',
        '-q',
        '-a',
        '-d',
        '-f',
        '--depth=50',
        '--window=50',
      );
      repository.git('pack-refs', '--all');
      const packs = readdirSync(repository.at('.git/objects/pack')).filter((each) => each.endsWith('.pack'));
      expect(packs).toHaveLength(1);
      expect(readdirSync(repository.at('.git/objects')).filter((each) => /^..$/.test(each))).toEqual([]);
      const chains = repository.git('verify-pack', '-v', `.git/objects/pack/${packs[0] ?? ''}`);
      expect(chains).toContain('chain length = 3');
      rmSync(repository.at('.git/refs/heads'), { recursive: true });
      text[3] = 'Changed now.';
      repository.write('Boat.md', text.join('\n'));
      const { files, diffs } = await repository.look();
      expect(files).toEqual([{ path: 'Boat.md', how: 'changed' }]);
      expect(diffs[0]).toContain(
        '@@ -2,5 +2,5 @@\n Line 1 of a long note.\n Line 2 of a long note.\n-Line 3 of a long note.\n+Changed now.\n',
      );
      // Every object of the history, by its own name.
      const all = repository
        .git('rev-list', '--objects', '--all')
        .split('\n')
        .filter((line) => line !== '');
      const folder: GitFolder = {
        ...folderOf({}),
        readIfAny: async (name) => {
          const isThere = (await repository.adapter.stat(`.git/${name}`)) !== null;
          return succeed(isThere ? repository.bytes(`.git/${name}`) : null);
        },
        list: async () => readdirSync(repository.at('.git/objects/pack')),
      };
      const reader = openObjects(folder);
      for (const line of all) expect((await reader.read(line.slice(0, 40))).ok).toBe(true);
      expect(all.length).toBeGreaterThan(40);
      repository.remove();
    }
  });
});
