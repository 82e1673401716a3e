/** Stores the blocks of the search index in a database of the browser, one for each vault, on this device only. */
import { messageOf } from '../core/ports/failure';
import type { BlockStore } from '../core/search/index-upkeep';
import { type Database, openDatabase } from './database';

/** Milliseconds for one transaction: a large one takes its time on a slow device. */
const patience = 30_000;

/**
 * A database that cannot be read is made again once; where that fails too, and where it is full, nothing more is stored.
 * @param name of the database
 */
export function createSearchStore(name: string): BlockStore & Pick<Database, 'close'> {
  const database = openDatabase({ name, storeName: 'blocks', patience, isNumbered: true });
  /** Why nothing more is stored. */
  let problem: string | null = null;
  const readKeys = (): Promise<number[]> =>
    database.ask('readonly', (store) => {
      const request = store.getAllKeys();
      return () => request.result.filter((key): key is number => typeof key === 'number');
    });
  const put = (added: readonly unknown[], removed: readonly number[]): Promise<number[]> =>
    database.ask('readwrite', (store) => {
      for (const key of removed) store.delete(key);
      const requests = added.map((block) => store.put(block));
      return () => requests.map(({ result }) => Number(result));
    });
  return {
    close: () => database.close(),
    keys: async () => {
      try {
        return await readKeys().catch(async () => {
          await database.remove();
          return readKeys();
        });
      } catch (thrown) {
        problem = messageOf(thrown);
        return [];
      }
    },
    read: async (keys) => {
      try {
        return await database.ask('readonly', (store) => {
          const requests = keys.map((key) => store.get(key) as IDBRequest<unknown>);
          return () => requests.map(({ result }) => result);
        });
      } catch {
        // Blocks that cannot be read are made again.
        return keys.map(() => undefined);
      }
    },
    write: async (added, removed) => {
      if (problem === null) {
        try {
          return await put(added, removed);
        } catch (thrown) {
          problem = messageOf(thrown);
        }
      }
      // What must not stay there is removed even from a full database.
      if (removed.length > 0) await put([], removed).catch(() => undefined);
      return problem;
    },
  };
}
