/** Reads objects of a git repository, loose or packed, within limits that hold for any file. */
import { sha1 } from '@noble/hashes/legacy.js';
import { Unzlib } from 'fflate';
import { fail, type Outcome, succeed } from '../../core/ports/failure';
import { bytesToHex, hexToBytes, utf8ToBytes } from '../hash';
import {
  damaged,
  type GitFolder,
  largeObject,
  largePack,
  manyPacks,
  missingObject,
  oldPack,
  tooMuchToRead,
} from './git-folder';

type ObjectKind = 'commit' | 'tree' | 'blob' | 'tag';

interface GitObject {
  readonly kind: ObjectKind;
  readonly bytes: Uint8Array;
}

/** Reads objects by name; each is checked against its name. */
export interface GitObjects {
  read(oid: string): Promise<Outcome<GitObject>>;
}

export interface ObjectLimits {
  /** Bytes of one object, and of one step on the way to it. */
  readonly object: number;
  /** Bytes of all packs, and of everything that is unpacked, while this reader is in use. */
  readonly all: number;
  /** Bytes of one pack. */
  readonly pack: number;
}

const megabyte = 1_000_000;
export const usualLimits: ObjectLimits = { object: 8 * megabyte, all: 400 * megabyte, pack: 100 * megabyte };
/** Git joins packs when there are more than 50. */
const maxPacks = 500;
/** Git itself makes chains of at most 4,095 differences. */
const maxChain = 4_095;
/** Compressed bytes handed to the unpacker at once, which can become a thousand times as many. */
const piece = 8_192;
/** Compressed bytes in which the beginning of a loose object is found, behind the tables of its compression. */
const maxHead = 1_024;
/** Bytes of unpacked objects that are remembered, because later objects are stored as differences from them. */
const maxRemembered = 16 * megabyte;
const packKinds: readonly (ObjectKind | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag'];
const [offsetDifference, namedDifference] = [6, 7];

interface Pack {
  readonly path: string;
  readonly index: Uint8Array;
  readonly count: number;
  bytes: Uint8Array | null;
}

/** Where an object of a pack is. */
interface Place {
  readonly pack: Pack;
  readonly offset: number;
}

/** An object of a pack, or a difference from another one. */
type Part = GitObject | { readonly bytes: Uint8Array; readonly base: Place };

interface Header {
  readonly type: number;
  readonly size: number;
  /** Offset of the compressed bytes. */
  readonly start: number;
  readonly base: number | string | null;
}

export function openObjects(folder: GitFolder, limits: ObjectLimits = usualLimits): GitObjects {
  let left = limits.all;
  let packs: Pack[] | null = null;
  const remembered = new Map<string, GitObject>();
  let rememberedBytes = 0;

  const spend = (bytes: number): boolean => (left -= bytes) >= 0;
  const remember = (key: string, object: GitObject): void => {
    if (remembered.has(key)) return;
    rememberedBytes += object.bytes.length;
    remembered.set(key, object);
    for (const [oldest, { bytes }] of remembered) {
      if (rememberedBytes <= maxRemembered) break;
      remembered.delete(oldest);
      rememberedBytes -= bytes.length;
    }
  };

  /** Returns exactly `size` bytes, or a failure if the stream holds fewer or more. */
  const unpack = (source: Uint8Array, start: number, size: number): Outcome<Uint8Array> => {
    if (size > limits.object) return fail(largeObject());
    if (!spend(size)) return fail(tooMuchToRead());
    const unpacked = inflate(source, start, size);
    return unpacked === null ? fail(damaged('objects')) : succeed(unpacked);
  };

  const readLoose = async (oid: string): Promise<Outcome<GitObject> | null> => {
    const path = `objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
    const file = await folder.readIfAny(path, limits.object);
    if (!file.ok) return file.failure.kind === 'limit' ? fail(largeObject()) : file;
    if (file.value === null) return null;
    const header = readLooseHeader(file.value);
    if (header === null) return fail(damaged(path));
    const { kind, size, length } = header;
    const whole = unpack(file.value, 0, length + size);
    return whole.ok ? succeed({ kind, bytes: whole.value.subarray(length) }) : whole;
  };

  const readWithin = async (path: string): Promise<Outcome<Uint8Array | null>> => {
    const size = await folder.sizeOf(path);
    if (size !== null && !spend(size)) return fail(tooMuchToRead());
    return folder.readIfAny(path, limits.pack);
  };

  const openPacks = async (): Promise<Outcome<Pack[]>> => {
    if (packs !== null) return succeed(packs);
    const found: Pack[] = [];
    const names = (await folder.list('objects/pack')).filter((name) => /^pack-[0-9a-f]+\.idx$/.test(name));
    if (names.length > maxPacks) return fail(manyPacks());
    for (const name of names) {
      const index = await readWithin(`objects/pack/${name}`);
      if (!index.ok) return index;
      if (index.value === null) continue;
      const count = countOf(index.value);
      if (count === null) return fail(oldPack());
      const path = `objects/pack/${name.replace(/idx$/, 'pack')}`;
      found.push({ path, index: index.value, count, bytes: null });
    }
    return succeed((packs = found));
  };

  const findPacked = async (oid: string): Promise<Outcome<Place | null>> => {
    const opened = await openPacks();
    if (!opened.ok) return opened;
    for (const pack of opened.value) {
      const offset = findOffset(pack, hexToBytes(oid));
      if (offset !== null) return succeed({ pack, offset });
    }
    return succeed(null);
  };

  const bytesOf = async (pack: Pack): Promise<Outcome<Uint8Array>> => {
    if (pack.bytes !== null) return succeed(pack.bytes);
    const size = await folder.sizeOf(pack.path);
    if (size !== null && size > limits.pack) return fail(largePack());
    const read = await readWithin(pack.path);
    if (!read.ok) return read;
    if (read.value === null) return fail(damaged(pack.path));
    return succeed((pack.bytes = read.value));
  };

  const readPart = async ({ pack, offset }: Place): Promise<Outcome<Part>> => {
    const bytes = await bytesOf(pack);
    if (!bytes.ok) return bytes;
    const header = readPackHeader(bytes.value, offset);
    if (header === null) return fail(damaged(pack.path));
    const content = unpack(bytes.value, header.start, header.size);
    if (!content.ok) return content;
    const kind = packKinds[header.type];
    if (kind !== undefined) return succeed({ kind, bytes: content.value });
    if (typeof header.base !== 'string')
      return succeed({ bytes: content.value, base: { pack, offset: offset - (header.base ?? 0) } });
    const base = await findPacked(header.base);
    if (!base.ok) return base;
    return base.value === null ? fail(missingObject(header.base)) : succeed({ bytes: content.value, base: base.value });
  };

  const applyTo = (object: GitObject, difference: Uint8Array, path: string): Outcome<GitObject> => {
    const size = sizeAfter(difference);
    if (size === null) return fail(damaged(path));
    if (size > limits.object) return fail(largeObject());
    if (!spend(size)) return fail(tooMuchToRead());
    const bytes = applyDifference(object.bytes, difference);
    return bytes === null ? fail(damaged(path)) : succeed({ kind: object.kind, bytes });
  };

  /** Follows differences to the object that they begin at, then applies them; it never calls itself. */
  const readPacked = async (place: Place): Promise<Outcome<GitObject>> => {
    const differences: { readonly key: string; readonly bytes: Uint8Array }[] = [];
    const seen = new Set<string>();
    let object: GitObject | undefined;
    for (let at = place; object === undefined;) {
      const key = `${at.pack.path} ${at.offset}`;
      object = remembered.get(key);
      if (object !== undefined) break;
      if (seen.has(key) || seen.size > maxChain) return fail(damaged(at.pack.path));
      seen.add(key);
      const part = await readPart(at);
      if (!part.ok) return part;
      if ('kind' in part.value) remember(key, (object = part.value));
      else {
        differences.push({ key, bytes: part.value.bytes });
        at = part.value.base;
      }
    }
    for (const { key, bytes } of differences.reverse()) {
      const applied = applyTo(object, bytes, place.pack.path);
      if (!applied.ok) return applied;
      remember(key, (object = applied.value));
    }
    return succeed(object);
  };

  const readAny = async (oid: string): Promise<Outcome<GitObject>> => {
    const loose = await readLoose(oid);
    if (loose !== null) return loose;
    const packed = await findPacked(oid);
    if (!packed.ok) return packed;
    return packed.value === null ? fail(await folder.explainMissing(oid)) : readPacked(packed.value);
  };

  return {
    read: async (oid) => {
      const known = remembered.get(oid);
      if (known !== undefined) return succeed(known);
      const object = await readAny(oid);
      if (!object.ok) return object;
      if (nameOf(object.value.kind, object.value.bytes) !== oid) return fail(damaged('objects'));
      remember(oid, object.value);
      return object;
    },
  };
}

/** Returns the name that git gives to content of this kind. */
function nameOf(kind: ObjectKind, bytes: Uint8Array): string {
  return bytesToHex(
    sha1
      .create()
      .update(utf8ToBytes(`${kind} ${bytes.length}\0`))
      .update(bytes)
      .digest(),
  );
}

/** Stops as soon as there are more bytes than wanted, so that a small file cannot fill the memory. */
function inflate(source: Uint8Array, start: number, size: number): Uint8Array | null {
  const out = new Uint8Array(size);
  let written = 0;
  const stream = new Unzlib((chunk) => {
    if (written + chunk.length <= size) out.set(chunk, written);
    written += chunk.length;
  });
  try {
    for (let at = start; at < source.length && written < size; at += piece) {
      stream.push(source.subarray(at, at + piece), false);
    }
  } catch {
    return null;
  }
  return written === size ? out : null;
}

/** The beginning of a loose object, such as `blob 12` and a NUL. */
function readLooseHeader(file: Uint8Array): { kind: ObjectKind; size: number; length: number } | null {
  let beginning = '';
  const stream = new Unzlib((chunk) => {
    if (beginning.length < 40) beginning += String.fromCharCode(...chunk.subarray(0, 40));
  });
  try {
    for (let at = 0; at < Math.min(file.length, maxHead) && !beginning.includes('\0'); at += 64) {
      stream.push(file.subarray(at, at + 64), false);
    }
  } catch {
    return null;
  }
  const [header, kind = '', size = ''] = /^(commit|tree|blob|tag) (\d{1,12})\0/.exec(beginning) ?? [];
  return header === undefined ? null : { kind: kind as ObjectKind, size: Number(size), length: header.length };
}

const numberAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) * 0x1000000 + (((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));

const [namesStart, magic] = [8 + 256 * 4, 0xff744f63];

/** Returns the number of objects that the index of a pack lists; null if it has another form. */
function countOf(index: Uint8Array): number | null {
  if (numberAt(index, 0) !== magic || numberAt(index, 4) !== 2) return null;
  const count = numberAt(index, namesStart - 4);
  return index.length >= namesStart + count * 28 + 40 ? count : null;
}

function findOffset({ index, count }: Pack, oid: Uint8Array): number | null {
  const first = oid[0] ?? 0;
  let low = first === 0 ? 0 : Math.min(count, numberAt(index, 8 + (first - 1) * 4));
  let high = Math.min(count, numberAt(index, 8 + first * 4));
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareAt(index, namesStart + middle * 20, oid);
    if (order === 0) return numberAt(index, namesStart + count * 24 + middle * 4);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return null;
}

function compareAt(index: Uint8Array, at: number, oid: Uint8Array): number {
  for (let byte = 0; byte < 20; byte += 1) {
    const difference = (index[at + byte] ?? 0) - (oid[byte] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns null unless a type, a size and the base of a difference can be read there. */
function readPackHeader(pack: Uint8Array, offset: number): Header | null {
  if (offset < 12 || offset >= pack.length) return null;
  const first = pack[offset] ?? 0;
  const type = (first >> 4) & 7;
  // The size has four bits in the first byte, and seven in each further one.
  const more = (first & 128) === 0 ? { value: 0, end: offset + 1 } : readGroups(pack, offset + 1);
  if (more === null) return null;
  const size = (first & 15) + more.value * 16;
  const { end } = more;
  if (type === offsetDifference) {
    const base = readDistance(pack, end);
    return base !== null && base.value < offset ? { type, size, start: base.end, base: base.value } : null;
  }
  if (type !== namedDifference) return packKinds[type] === undefined ? null : { type, size, start: end, base: null };
  if (end + 20 > pack.length) return null;
  return { type, size, start: end + 20, base: bytesToHex(pack.subarray(end, end + 20)) };
}

interface ReadNumber {
  readonly value: number;
  /** Offset after the number. */
  readonly end: number;
}

/** Reads the distance to the base of a difference, the highest bits first; null for none. */
function readDistance(pack: Uint8Array, start: number): ReadNumber | null {
  let value = (pack[start] ?? 0) & 127;
  let at = start;
  for (; ((pack[at] ?? 0) & 128) !== 0; at += 1) {
    if (at - start > 5) return null;
    value = (value + 1) * 128 + ((pack[at + 1] ?? 0) & 127);
  }
  return value === 0 ? null : { value, end: at + 1 };
}

/** Reads a number in groups of seven bits, the lowest first. */
function readGroups(bytes: Uint8Array, start: number): ReadNumber | null {
  let value = 0;
  for (let at = start, factor = 1; at < bytes.length && at < start + 6; at += 1, factor *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte & 127) * factor;
    if ((byte & 128) === 0) return { value, end: at + 1 };
  }
  return null;
}

function sizeAfter(difference: Uint8Array): number | null {
  const before = readGroups(difference, 0);
  return (before && readGroups(difference, before.end))?.value ?? null;
}

/** Returns null if the difference does not fit the base, or does not give the size that it names. */
export function applyDifference(base: Uint8Array, difference: Uint8Array): Uint8Array | null {
  const before = readGroups(difference, 0);
  const after = before && readGroups(difference, before.end);
  if (after === null || before?.value !== base.length) return null;
  const out = new Uint8Array(after.value);
  let written = 0;
  for (let at = after.end; at < difference.length;) {
    const step = readStep(base, difference, at);
    const { source, start, size } = step;
    if (size === 0 || start + size > source.length || written + size > out.length) return null;
    out.set(source.subarray(start, start + size), written);
    written += size;
    at = step.end;
  }
  return written === out.length ? out : null;
}

interface CopyStep {
  readonly source: Uint8Array;
  readonly start: number;
  readonly size: number;
  /** Offset of the next step. */
  readonly end: number;
}

/** Either bytes of the difference itself, or of the base at an offset; bits say which bytes of both numbers follow. */
function readStep(base: Uint8Array, difference: Uint8Array, at: number): CopyStep {
  const step = difference[at] ?? 0;
  if ((step & 128) === 0) return { source: difference, start: at + 1, size: step, end: at + 1 + step };
  let end = at + 1;
  const numbers = [0, 0];
  for (let bit = 0; bit < 7; bit += 1) {
    if (((step >> bit) & 1) === 0) continue;
    const [which, place] = bit < 4 ? [0, bit] : [1, bit - 4];
    numbers[which] = (numbers[which] ?? 0) + (difference[end++] ?? 0) * 256 ** place;
  }
  const [start = 0, size = 0] = numbers;
  return { source: base, start, size: size === 0 ? 0x10000 : size, end };
}
