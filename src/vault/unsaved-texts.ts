/**
 * Stores drafts and the text of running answers so that they survive a crash of the app: in a database whose writes are
 * flushed at once, or in files of the plugin's folder where the database takes nothing (S3, S4).
 */
import type { DataAdapter } from 'obsidian';
import type { DeviceStorage, UnsavedTexts } from '../core/ports/device';
import { fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import { words } from '../text';
import { ensureFolders } from './chat-files';
import { type Database, openDatabase } from './database';

interface StoredText {
  /** Of two texts under one key, the one with the higher number is the newer. */
  readonly at: number;
  /** Null where the text was removed while another place, which may still have it, did not answer. */
  readonly text: string | null;
}

/** Where texts are stored; every method may throw. */
export interface TextPlace {
  read(key: string): Promise<StoredText | null>;
  write(key: string, stored: StoredText): Promise<void>;
  remove(key: string): Promise<void>;
}

/**
 * Implements UnsavedTexts over several places: the first that takes a text has it, and the newest is read.
 * @param older where earlier versions stored them; its values are only read and removed
 */
export function createUnsavedTexts(
  places: readonly TextPlace[],
  older: DeviceStorage,
  now: () => number,
): UnsavedTexts {
  let latest = 0;
  /** What is to be stored under a key; a newer text replaces one that waits. */
  const waiting = new Map<string, string | null>();
  const running = new Map<string, Promise<Outcome<void>>>();

  const readPlaces = async (key: string): Promise<readonly StoredText[]> => {
    const found = await Promise.all(places.map((place) => place.read(key).catch(() => null)));
    return found.filter((each) => each !== null);
  };
  /** A place that did not remove the text may answer again later, so another one stores that the text was removed. */
  const markRemoved = async (key: string): Promise<boolean> => {
    latest = Math.max(latest, ...(await readPlaces(key)).map(({ at }) => at + 1));
    for (const place of places) {
      try {
        await place.write(key, { at: latest, text: null });
        return true;
      } catch {
        // The next place may take it.
      }
    }
    return false;
  };
  const store = async (key: string, text: string | null): Promise<Outcome<void>> => {
    latest = Math.max(latest + 1, now());
    const problems: string[] = [];
    let isStored = false;
    for (const place of places) {
      try {
        if (text === null || isStored) await place.remove(key);
        else await place.write(key, { at: latest, text });
        isStored = true;
      } catch (thrown) {
        problems.push(messageOf(thrown));
      }
    }
    if (!isStored) return fail(notStored(problems));
    if (text === null && problems.length > 0 && !(await markRemoved(key))) return fail(notStored(problems));
    if (older.get(key) !== null) older.set(key, null);
    return succeed(undefined);
  };
  const run = async (key: string): Promise<Outcome<void>> => {
    let stored: Outcome<void> = succeed(undefined);
    for (let text = waiting.get(key); text !== undefined; text = waiting.get(key)) {
      waiting.delete(key);
      stored = await store(key, text);
    }
    running.delete(key);
    return stored;
  };
  return {
    read: async (key) => {
      await running.get(key);
      const [newest] = [...(await readPlaces(key))].sort((a, b) => b.at - a.at);
      return newest === undefined ? older.get(key) : newest.text;
    },
    write: (key, text) => {
      waiting.set(key, text);
      const storing = running.get(key) ?? run(key);
      running.set(key, storing);
      return storing;
    },
  };
}

function notStored(problems: readonly string[]) {
  const { unsavedNotStored, unsavedNotStoredRemedy } = words.failures;
  const text = `${unsavedNotStored} (${[...new Set(problems)].join(' ')})`;
  return { kind: 'storage', words: text, remedy: unsavedNotStoredRemedy } as const;
}

const storeName = 'unsaved';

/** Milliseconds after which a database that does not answer counts as broken, as on a phone after a pause. */
const patience = 800;

/**
 * Stores texts in a database of the browser, one for each vault. A transaction is complete once it is on disk.
 * @param name of the database
 */
export function createDatabasePlace(name: string): TextPlace & Pick<Database, 'close'> {
  const database = openDatabase({ name, storeName, patience });
  const asked = <Value>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Value>): Promise<Value> =>
    database.ask(mode, (store) => {
      const request = act(store);
      return () => request.result;
    });
  return {
    close: () => database.close(),
    read: async (key) => asStored(await asked<unknown>('readonly', (store) => store.get(key) as IDBRequest<unknown>)),
    write: async (key, stored) => void (await asked('readwrite', (store) => store.put(stored, key))),
    remove: async (key) => void (await asked('readwrite', (store) => store.delete(key))),
  };
}

/** The device that files are of. One that has just got its name may have had another one before. */
export interface FileOwner {
  readonly writer: string;
  readonly isNew: boolean;
}

/**
 * Stores texts in files. Each text has two, which are written in turn, so that a write that is cut off leaves the text
 * before.
 * @param folder without a trailing slash; created with the first text
 * @param owner this device, where a sync service may bring the files of others: they are left alone, and read by a new
 * device only
 */
export function createFilePlace(adapter: DataAdapter, folder: string, owner: FileOwner | null): TextPlace {
  const nameOf = (key: string): string => key.replace(/[^\w-]/g, '');
  const pathsOf = (key: string): readonly [string, string] => {
    const name = `${folder}/${owner === null ? '' : `${owner.writer}-`}${nameOf(key)}`;
    return [`${name}.json`, `${name}.2.json`];
  };
  const readFile = async (path: string): Promise<StoredText | null> => {
    try {
      return (await adapter.exists(path)) ? asStored(JSON.parse(await adapter.read(path))) : null;
    } catch {
      // A write that was cut off: the other file has the text before.
      return null;
    }
  };
  const newerOf = async (key: string): Promise<{ readonly stored: StoredText; readonly index: 0 | 1 } | null> => {
    const [one, two] = await Promise.all(pathsOf(key).map(readFile));
    if (one != null && (two == null || one.at >= two.at)) return { stored: one, index: 0 };
    return two == null ? null : { stored: two, index: 1 };
  };
  const ofOthers = async (key: string): Promise<StoredText | null> => {
    if (owner?.isNew !== true || !(await adapter.exists(folder))) return null;
    const pattern = new RegExp(`/[a-z0-9]+-${nameOf(key)}(?:\\.2)?\\.json$`);
    const { files } = await adapter.list(folder);
    const found = files.filter((path) => pattern.test(path) && !pathsOf(key).includes(path));
    const texts = (await Promise.all(found.map(readFile))).filter((each) => each !== null);
    return texts.sort((a, b) => b.at - a.at)[0] ?? null;
  };
  const write = async (key: string, stored: StoredText): Promise<void> => {
    const newer = await newerOf(key);
    await ensureFolders(adapter, folder);
    // The clock of the device may have been set back, and the text before must not count as the newer one.
    const at = Math.max(stored.at, (newer?.stored.at ?? -Infinity) + 1);
    await adapter.write(pathsOf(key)[newer?.index === 0 ? 1 : 0], JSON.stringify({ ...stored, at }));
  };
  return {
    read: async (key) => (await newerOf(key))?.stored ?? (await ofOthers(key)),
    write,
    remove: async (key) => {
      const [one, two] = pathsOf(key);
      const newer = await newerOf(key);
      // What another device has would come back.
      if ((await ofOthers(key)) !== null) {
        if (newer?.stored.text !== null) await write(key, { at: 0, text: null });
        return;
      }
      // The newer one last, so that a removal that is cut off gives back no text from before.
      const paths = newer?.index === 0 ? [two, one] : [one, two];
      for (const path of paths) if (await adapter.exists(path)) await adapter.remove(path);
    },
  };
}

function asStored(value: unknown): StoredText | null {
  if (typeof value !== 'object' || value === null || !('at' in value) || !('text' in value)) return null;
  const { at, text } = value;
  return typeof at === 'number' && (typeof text === 'string' || text === null) ? { at, text } : null;
}
