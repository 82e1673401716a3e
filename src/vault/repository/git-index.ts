/** Reads the index of a git repository: the files that it knows, and what they were when it last looked. */
import { sha1 } from '@noble/hashes/legacy.js';
import { foldPlace } from '../../core/base/fold';
import { fail, type Outcome, succeed } from '../../core/ports/failure';
import { words } from '../../text';
import { bytesToHex } from '../hash';
import { damaged, unsupported } from './git-folder';

export interface IndexEntry {
  readonly path: string;
  readonly mode: number;
  readonly oid: string;
  /** 0, or 1 to 3 for the sides of a conflict. */
  readonly stage: number;
  /** Milliseconds since the epoch, whole seconds if git stored no finer time. */
  readonly modified: number;
  readonly hasFineTime: boolean;
  /** Bytes of the file, modulo 2^32. */
  readonly size: number;
  /** Whether the user took the file out of the comparison: assumed unchanged, or not checked out. */
  readonly isIgnored: boolean;
  /** Whether the file is only announced, so that the index has no content of it yet. */
  readonly isAnnounced: boolean;
}

const [headerLength, entryLength, hashLength] = [12, 62, 20];
const maxEntries = 200_000;
/** Entries are read in an order that git keeps; this many bytes of a path are in no file system. */
const maxPath = 4_096;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Names that are not UTF-8, or as of Windows, are left out, because no file of the vault can be found by them. */
export function parseIndex(bytes: Uint8Array): Outcome<readonly IndexEntry[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - hashLength;
  if (end < headerLength || view.getUint32(0) !== 0x44495243) return fail(damaged('.git/index'));
  const version = view.getUint32(4);
  const { indexVersion, indexVersionRemedy } = words.commit.repository;
  if (version !== 2 && version !== 3)
    return fail({ kind: 'unreadable', words: indexVersion(version), remedy: indexVersionRemedy });
  if (!hasOwnHash(bytes, end)) return fail(damaged('.git/index'));
  const count = view.getUint32(8);
  if (count > maxEntries || count * entryLength > end) return fail(damaged('.git/index'));
  const entries: IndexEntry[] = [];
  let at = headerLength;
  for (let index = 0; index < count; index += 1) {
    const read = readEntry(bytes, view, at, end);
    if (read === null) return fail(damaged('.git/index'));
    if (read.entry !== null) entries.push(read.entry);
    at = read.next;
  }
  return hasUnknownExtension(view, at, end)
    ? fail(unsupported(words.commit.repository.indexExtension))
    : succeed(entries);
}

/** Git may be set to write zeros in place of the hash. */
function hasOwnHash(bytes: Uint8Array, end: number): boolean {
  const stored = bytesToHex(bytes.subarray(end));
  return /^0+$/.test(stored) || bytesToHex(sha1(bytes.subarray(0, end))) === stored;
}

interface ReadEntry {
  /** Null for a name that is left out. */
  readonly entry: IndexEntry | null;
  readonly next: number;
}

function readEntry(bytes: Uint8Array, view: DataView, at: number, end: number): ReadEntry | null {
  if (at + entryLength > end) return null;
  const flags = view.getUint16(at + 60);
  const isExtended = (flags & 0x4000) !== 0;
  const nameStart = at + entryLength + (isExtended ? 2 : 0);
  const nameEnd = bytes.subarray(0, Math.min(end, nameStart + maxPath)).indexOf(0, nameStart);
  if (nameEnd < nameStart) return null;
  const length = nameEnd - nameStart;
  if ((flags & 0xfff) !== Math.min(length, 0xfff)) return null;
  const next = at + ((nameEnd - at + 8) & ~7);
  if (next > end) return null;
  const path = decodePath(bytes.subarray(nameStart, nameEnd));
  // A split index has entries without a name.
  if (path === null || path === '') return { entry: null, next };
  if (!isOwnPath(path)) return null;
  const more = isExtended ? view.getUint16(at + entryLength) : 0;
  const nanoseconds = view.getUint32(at + 12);
  const entry: IndexEntry = {
    path,
    mode: view.getUint32(at + 24),
    oid: bytesToHex(bytes.subarray(at + 40, at + 60)),
    stage: (flags >> 12) & 3,
    modified: view.getUint32(at + 8) * 1_000 + nanoseconds / 1_000_000,
    hasFineTime: nanoseconds !== 0,
    size: view.getUint32(at + 36),
    isIgnored: (flags & 0x8000) !== 0 || (more & 0x4000) !== 0,
    isAnnounced: (more & 0x2000) !== 0,
  };
  return { entry, next };
}

/** Returns null for what is no name of a file in any vault: bytes that are not UTF-8, and paths as of Windows. */
export function decodePath(bytes: Uint8Array): string | null {
  try {
    const path = decoder.decode(bytes);
    return /\\|(?:^|\/)[a-z]:/i.test(path) ? null : path;
  } catch {
    return null;
  }
}

/** Git itself never stores a path that leaves the folder or names its own files. */
export function isOwnPath(path: string): boolean {
  return path.split('/').every((part) => {
    // Windows drops blanks and dots at the end and knows a short name, and disks of Macs skip what nobody sees.
    const plain = foldPlace(part).replace(/[. ]+$/, '');
    return !['', '.', '..'].includes(part) && plain !== '.git' && !/^git~\d+$/.test(plain);
  });
}

/** An extension whose name begins with a small letter changes what the entries mean. */
function hasUnknownExtension(view: DataView, start: number, end: number): boolean {
  for (let at = start; at + 8 <= end; at += 8 + view.getUint32(at + 4)) if (view.getUint8(at) >= 0x61) return true;
  return false;
}
