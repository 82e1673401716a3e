/** The stored search index: blocks under numbers, and what becomes of it in a database that is broken or full. */
import { createSearchStore } from '../../../../src/vault/search-store';

/** A request or a transaction, and what hears how it ends. */
interface Asked {
  result?: unknown;
  readonly error?: object;
  readonly oncomplete?: () => void;
  readonly onabort?: () => void;
  readonly onsuccess?: () => void;
  readonly onerror?: () => void;
  readonly onupgradeneeded?: () => void;
}

/** Databases of a browser with what they contain, until the disk refuses. */
class Disk {
  readonly databases = new Map<string, Map<number, unknown>>();
  readonly deleted: string[] = [];
  isFull = false;
  /** Whether reading fails until the database is made again, or always. */
  broken: 'no' | 'until-deleted' | 'always' = 'no';

  readonly indexedDB = {
    open: (name: string): Asked => {
      const request: Asked = {};
      setTimeout(() => {
        request.result = this.connect(name);
        if (!this.databases.has(name)) request.onupgradeneeded?.();
        request.onsuccess?.();
      });
      return request;
    },
    deleteDatabase: (name: string): Asked => {
      const request: Asked = {};
      this.deleted.push(name);
      this.databases.delete(name);
      if (this.broken === 'until-deleted') this.broken = 'no';
      setTimeout(() => request.onsuccess?.());
      return request;
    },
  };

  private connect(name: string) {
    return {
      close: () => undefined,
      createObjectStore: (_store: string, { autoIncrement }: { autoIncrement: boolean }) => {
        if (!autoIncrement) throw new Error('Blocks need numbers.');
        this.databases.set(name, new Map());
      },
      transaction: (_store: string, mode: string) => this.begin(this.databases.get(name) ?? new Map(), mode),
    };
  }

  private begin(blocks: Map<number, unknown>, mode: string) {
    if (mode !== 'readonly' && mode !== 'readwrite') throw new TypeError(`There is no mode “${mode}”.`);
    const after = new Map(blocks);
    let isRefused = this.broken !== 'no' && mode === 'readonly';
    const change = (act: () => unknown): { result: unknown } => {
      if (mode !== 'readwrite') throw new Error('ReadOnlyError');
      return { result: act() };
    };
    const put = (block: unknown): number => {
      if (this.isFull) isRefused = true;
      const key = Math.max(0, ...after.keys()) + 1;
      after.set(key, block);
      return key;
    };
    const transaction: Asked & Record<'objectStore' | 'commit', () => unknown> = {
      objectStore: () => ({
        getAllKeys: () => ({ result: ['other', ...after.keys()] }),
        get: (key: number) => ({ result: after.get(key) }),
        put: (block: unknown) => change(() => put(block)),
        delete: (key: number) => change(() => after.delete(key)),
      }),
      commit: () => {
        setTimeout(() => {
          if (isRefused) return transaction.onabort?.();
          blocks.clear();
          for (const [key, block] of after) blocks.set(key, block);
          transaction.oncomplete?.();
        });
      },
      error: { name: 'QuotaExceededError', message: 'Full.' },
    };
    return transaction;
  }
}

let disk: Disk;
let store: ReturnType<typeof createSearchStore>;

beforeEach(() => {
  disk = new Disk();
  Object.assign(globalThis, { window: { indexedDB: disk.indexedDB, setTimeout, clearTimeout } });
  store = createSearchStore('index');
});
afterEach(() => {
  store.close();
  Reflect.deleteProperty(globalThis, 'window');
});

it('gives back under its number what it took, and forgets what is removed', async () => {
  expect(await store.keys()).toEqual([]);
  expect(await store.write(['oak', 'ash'], [])).toEqual([1, 2]);
  expect(await store.write(['elm'], [1])).toEqual([3]);
  expect(await store.keys()).toEqual([2, 3]);
  expect(await store.read([3, 1, 2])).toEqual(['elm', undefined, 'ash']);
  expect(await createSearchStore('index').keys()).toEqual([2, 3]);
  expect(await createSearchStore('of another vault').keys()).toEqual([]);
});

it('makes a database again that cannot be read', async () => {
  await store.write(['oak'], []);
  disk.broken = 'until-deleted';
  expect(await store.keys()).toEqual([]);
  expect(disk.deleted).toEqual(['index']);
  expect(await store.write(['ash'], [])).toEqual([1]);
});

it('stores nothing more where that fails too, says why, and still removes', async () => {
  await store.write(['oak', 'ash'], []);
  disk.broken = 'always';
  disk.indexedDB.deleteDatabase = () => {
    const request: Asked = { error: { name: 'UnknownError', message: 'Locked.' } };
    setTimeout(() => request.onerror?.());
    return request;
  };
  expect([await store.keys(), await store.read([1, 2])]).toEqual([[], [undefined, undefined]]);
  expect(await store.write(['elm'], [])).toBe('UnknownError: Locked.');
  expect(await store.write(['elm'], [1])).toBe('UnknownError: Locked.');
  expect([...(disk.databases.get('index') ?? [])]).toEqual([[2, 'ash']]);
});

it('stores nothing more once it is full, says why, and still removes what must not stay', async () => {
  await store.write(['oak', 'ash'], []);
  disk.isFull = true;
  expect(await store.write(['elm'], [1])).toBe('QuotaExceededError: Full.');
  expect(await store.keys()).toEqual([2]);
  disk.isFull = false;
  expect(await store.write(['elm'], [])).toBe('QuotaExceededError: Full.');
  expect(await store.write([], [2])).toBe('QuotaExceededError: Full.');
  expect(await store.keys()).toEqual([]);
});
