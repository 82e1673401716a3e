/**
 * Implements JournalStore with a folder of the plugin, readable without the plugin (6.3): `devices/<device>/log` and
 * `devices/<device>/copies`. The first layout had `log` and `copies` for all devices.
 */
import type { DataAdapter } from 'obsidian';
import type { DeviceStorage } from '../core/ports/device';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import type { JournalStore, Segment, StoredBlob } from '../core/writing/changeset/ports';
import type { ProvenanceFiles } from '../core/writing/guard/provenance';
import { words } from '../text';
import { ensureFolders } from './chat-files';

const ending = '.jsonl';
const hashPattern = /^[0-9a-f]{64}$/;

/**
 * @param folder the journal's folder, without a trailing slash; created with the first record
 * @param writer names this device
 */
export function createJournalFiles(adapter: DataAdapter, folder: string, writer: string): JournalStore {
  const devices = `${folder}/devices`;
  const placeOf = (owner: string | null): string => (owner === null ? folder : `${devices}/${owner}`);
  const logOf = (owner: string | null, segment: string): string => `${placeOf(owner)}/log/${segment}${ending}`;
  const blobOf = (owner: string | null, hash: string): string => `${placeOf(owner)}/copies/${hash}`;
  /** What was read, with the size and time of the file, so that an unchanged segment is not read again. */
  const known = new Map<string, { readonly mark: string; readonly text: string }>();

  const list = async (
    place: string,
  ): Promise<{ readonly files: readonly string[]; readonly folders: readonly string[] }> =>
    (await adapter.exists(place)) ? adapter.list(place) : { files: [], folders: [] };
  const owners = async (): Promise<readonly (string | null)[]> => {
    const others = (await list(devices)).folders.map(nameOf).filter((owner) => owner !== writer);
    return [writer, ...others.sort(), null];
  };
  const readSegment = async (path: string): Promise<Pick<Segment, 'text' | 'isUnread'>> => {
    try {
      const stat = await adapter.stat(path);
      const mark = `${stat?.size} ${stat?.mtime}`;
      const read = known.get(path);
      if (read?.mark === mark) return { text: read.text };
      const text = await adapter.read(path);
      known.set(path, { mark, text });
      return { text };
    } catch (thrown) {
      return { text: `${messageOf(thrown)}\n`, isUnread: true };
    }
  };
  const segmentsOf = async (owner: string | null): Promise<readonly Segment[]> => {
    const { files } = await list(`${placeOf(owner)}/log`);
    const paths = files.filter((path) => path.endsWith(ending)).sort();
    return Promise.all(
      paths.map(async (path) => {
        return { writer: owner, name: nameOf(path).slice(0, -ending.length), ...(await readSegment(path)) };
      }),
    );
  };
  const blobsOf = async (owner: string | null): Promise<readonly StoredBlob[]> => {
    const { files } = await list(`${placeOf(owner)}/copies`);
    const hashes = files.map(nameOf).filter((name) => hashPattern.test(name));
    return Promise.all(
      hashes.map(async (hash) => {
        const stat = await adapter.stat(blobOf(owner, hash));
        return { writer: owner, hash, size: stat?.size ?? 0, modified: stat?.mtime ?? Infinity };
      }),
    );
  };

  /** A file that a sync service is writing, or of a device that is not this one, hides nothing of this device. */
  const ofAll = async <Item>(read: (owner: string | null) => Promise<readonly Item[]>): Promise<readonly Item[]> => {
    const found = await Promise.all(
      (await owners()).map((owner) => (owner === writer ? read(owner) : read(owner).catch(() => []))),
    );
    return found.flat();
  };

  return {
    writer,
    segments: () => attempt(() => ofAll(segmentsOf)),
    append: (segment, text) =>
      attempt(async () => {
        const path = logOf(writer, segment);
        if (await adapter.exists(path)) return adapter.append(path, text);
        await ensureFolders(adapter, `${placeOf(writer)}/log`);
        return adapter.write(path, text);
      }, words.writing.journalNotWrittenRemedy),
    removeSegment: (segment) => attempt(() => adapter.remove(logOf(segment.writer, segment.name))),
    blobs: () => attempt(() => ofAll(blobsOf)),
    readBlob: async (hash, owner) => {
      const path = blobOf(owner, hash);
      const read = await attempt(async () => new Uint8Array(await adapter.readBinary(path)));
      if (read.ok) return read;
      return (await adapter.exists(path).catch(() => true)) ? read : fail(missingCopy());
    },
    writeBlob: (hash, bytes) =>
      attempt(async () => {
        await ensureFolders(adapter, `${placeOf(writer)}/copies`);
        await adapter.writeBinary(blobOf(writer, hash), bufferOf(bytes));
      }, words.writing.journalNotWrittenRemedy),
    removeBlob: (blob) => attempt(() => adapter.remove(blobOf(blob.writer, blob.hash))),
  };
}

/** Bytes after which a device goes on in a new file of the record of provenance, as sync services handle small ones. */
const rotateAt = 1_000_000;
/** Bytes; a larger file of that record was not written by Docent, of which early versions went on in one file. */
const maxProvenance = 32_000_000;

/** The folder that the record of provenance was read from last. */
const readFromKey = 'provenance-folder';

/**
 * Implements ProvenanceFiles with a folder of the agent folder, so that the record travels with the vault.
 * @param folder read at each use because the user may move it, or begin in another one, to which the record is copied
 */
export function createProvenanceFiles(
  adapter: DataAdapter,
  folder: () => string,
  { device, writer: own }: { readonly device: DeviceStorage; readonly writer: string },
): ProvenanceFiles {
  /** By writer, the number of the file that it appends to, as far as it is known. */
  const numbers = new Map<string, number>();
  const findOpen = async (writer: string): Promise<{ readonly path: string; readonly isNew: boolean }> => {
    for (let number = numbers.get(writer) ?? 1; ; number += 1) {
      numbers.set(writer, number);
      const path = `${folder()}/${writer}${number === 1 ? '' : `-${number}`}${ending}`;
      const isNew = !(await adapter.exists(path));
      if (isNew || ((await adapter.stat(path))?.size ?? 0) < rotateAt) return { path, isNew };
    }
  };
  const pathsIn = async (place: string): Promise<readonly string[]> => {
    if (!(await adapter.exists(place))) return [];
    return (await adapter.list(place)).files.filter((path) => path.endsWith(ending)).sort();
  };
  const linesIn = async (place: string): Promise<readonly string[]> => {
    const texts = await Promise.all((await pathsIn(place)).map((path) => adapter.read(path)));
    return texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
  };
  const append = async (writer: string, lines: string): Promise<void> => {
    const { path, isNew } = await findOpen(writer);
    // A torn line of an earlier write must not swallow the first of these.
    if (!isNew) return adapter.append(path, `\n${lines}`);
    await ensureFolders(adapter, folder());
    return adapter.write(path, lines);
  };
  const follow = async (): Promise<void> => {
    const [before, now] = [device.get(readFromKey), folder()];
    if (before === now) return;
    const known = before === null ? [] : await linesIn(before);
    const there = new Set(known.length === 0 ? [] : await linesIn(now));
    const missing = known.filter((line) => !there.has(line));
    if (missing.length > 0) await append(own, `${missing.join('\n')}\n`);
    device.set(readFromKey, now);
  };
  return {
    list: () =>
      attempt(async () => {
        await follow();
        const paths = await pathsIn(folder());
        const stats = await Promise.all(paths.map((path) => adapter.stat(path)));
        return paths.map((name, at) => ({ name, version: `${stats[at]?.mtime ?? 0} ${stats[at]?.size ?? 0}` }));
      }),
    read: (name) =>
      attempt(async () => {
        const size = (await adapter.stat(name))?.size ?? 0;
        if (size > maxProvenance) throw new Error(`${name}: ${size} bytes`);
        return adapter.read(name);
      }),
    append: (writer, lines) => attempt(() => append(writer, lines), words.writing.journalNotWrittenRemedy),
  };
}

/** Returns exactly these bytes, because an array may be a view of a larger buffer. */
export function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer;
}

async function attempt<Value>(
  action: () => Promise<Value>,
  remedy = words.writing.journalUnreadRemedy,
): Promise<Outcome<Value>> {
  try {
    return succeed(await action());
  } catch (thrown) {
    return fail({ kind: 'storage', words: words.writing.journalRefused(messageOf(thrown)), remedy });
  }
}

function missingCopy(): Failure {
  return { kind: 'not-found', words: words.writing.copyMissing, remedy: words.writing.copyMissingRemedy };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
