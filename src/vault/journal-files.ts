/**
 * Implements JournalStore with a folder of the plugin: it stays on this device and is readable without the plugin
 * (6.3).
 */
import type { DataAdapter } from 'obsidian';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import type { JournalStore } from '../core/writing/changeset/ports';
import { words } from '../text';
import { ensureFolders } from './chat-files';

const ending = '.jsonl';

/** @param folder the journal's folder, without a trailing slash; created with the first record */
export function createJournalFiles(adapter: DataAdapter, folder: string): JournalStore {
  const logs = `${folder}/log`;
  const blobs = `${folder}/copies`;
  const logOf = (segment: string): string => `${logs}/${segment}${ending}`;
  const blobOf = (hash: string): string => `${blobs}/${hash}`;
  const filesIn = async (place: string): Promise<readonly string[]> =>
    (await adapter.exists(place)) ? (await adapter.list(place)).files : [];
  return {
    segments: () =>
      attempt(async () => {
        const paths = (await filesIn(logs)).filter((path) => path.endsWith(ending)).sort();
        return Promise.all(
          paths.map(async (path) => ({ name: nameOf(path).slice(0, -ending.length), text: await adapter.read(path) })),
        );
      }),
    append: (segment, text) =>
      attempt(async () => {
        if (await adapter.exists(logOf(segment))) return adapter.append(logOf(segment), text);
        await ensureFolders(adapter, logs);
        return adapter.write(logOf(segment), text);
      }),
    replace: (segment, text) => attempt(() => adapter.write(logOf(segment), text)),
    removeSegment: (segment) => attempt(() => adapter.remove(logOf(segment))),
    blobs: () =>
      attempt(async () =>
        Promise.all(
          (await filesIn(blobs)).map(async (path) => ({
            hash: nameOf(path),
            size: (await adapter.stat(path))?.size ?? 0,
          })),
        ),
      ),
    readBlob: async (hash) => {
      const read = await attempt(async () => new Uint8Array(await adapter.readBinary(blobOf(hash))));
      if (read.ok) return read;
      return (await adapter.exists(blobOf(hash)).catch(() => true)) ? read : fail(missingCopy());
    },
    writeBlob: (hash, bytes) =>
      attempt(async () => {
        await ensureFolders(adapter, blobs);
        await adapter.writeBinary(blobOf(hash), bufferOf(bytes));
      }),
    removeBlob: (hash) => attempt(() => adapter.remove(blobOf(hash))),
  };
}

/** Returns exactly these bytes, because an array may be a view of a larger buffer. */
export function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer;
}

async function attempt<Value>(action: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return succeed(await action());
  } catch (thrown) {
    return fail({
      kind: 'storage',
      words: `${words.writing.journalNotWritten} (${messageOf(thrown)})`,
      remedy: words.writing.journalNotWrittenRemedy,
    });
  }
}

function missingCopy(): Failure {
  return { kind: 'not-found', words: words.writing.copyMissing, remedy: words.writing.copyMissingRemedy };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
