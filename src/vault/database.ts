/** Opens databases of the browser, each with one store, and waits for them no longer than it must. */
import { words } from '../text';

export interface DatabaseOptions {
  readonly name: string;
  readonly storeName: string;
  /** Milliseconds after which a database that does not answer counts as broken, as on a phone after a pause. */
  readonly patience: number;
  /** Whether the store numbers what it takes. */
  readonly isNumbered?: boolean;
}

export interface Database {
  /**
   * Runs one transaction, which is complete once it is on disk. Rejects if the database does not take it.
   * @param act makes the requests, and returns what reads their results
   */
  ask<Value>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => () => Value): Promise<Value>;
  /** Deletes the database; the next transaction makes it again. */
  remove(): Promise<void>;
  /** Ends the connection, which else holds the plugin in memory; what is asked later has a connection of its own. */
  close(): void;
}

export function openDatabase({ name, storeName, patience, isNumbered = false }: DatabaseOptions): Database {
  let opened: Promise<IDBDatabase> | null = null;
  let running = 0;
  let isClosed = false;
  const endUnused = (): void => {
    if (!isClosed || running > 0) return;
    void opened?.then((database) => database.close()).catch(() => undefined);
    opened = null;
  };
  /** A later connection may be open by now, which stays. */
  const forget = (connection: Promise<IDBDatabase>): void => {
    if (opened === connection) opened = null;
  };
  const inTime = <Value>(asked: Promise<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      const timer = window.setTimeout(() => reject(problemOf(null)), patience);
      void asked.then(resolve, reject).finally(() => window.clearTimeout(timer));
    });
  const open = (): Promise<IDBDatabase> => {
    const connection = new Promise<IDBDatabase>((resolve, reject) => {
      const request = window.indexedDB.open(name, 1);
      request.onupgradeneeded = () => void request.result.createObjectStore(storeName, { autoIncrement: isNumbered });
      request.onerror = () => reject(problemOf(request.error));
      request.onsuccess = () => {
        const database = request.result;
        database.onclose = () => forget(connection);
        database.onversionchange = () => {
          forget(connection);
          database.close();
        };
        resolve(database);
      };
    });
    return connection;
  };
  return {
    ask: async (mode, act) => {
      opened ??= open();
      const connection = opened;
      running += 1;
      try {
        const database = await inTime(connection);
        return await inTime(
          new Promise((resolve, reject) => {
            const transaction = database.transaction(storeName, mode, { durability: 'strict' });
            const read = act(transaction.objectStore(storeName));
            transaction.oncomplete = () => resolve(read());
            transaction.onabort = () => reject(problemOf(transaction.error));
            // A page that is being closed leaves no time for the automatic commit.
            transaction.commit();
          }),
        );
      } catch (thrown) {
        forget(connection);
        // Also one that opens later than anybody waits for it; what it is still asked for is completed.
        void connection.then((database) => database.close()).catch(() => undefined);
        throw thrown;
      } finally {
        running -= 1;
        endUnused();
      }
    },
    close: () => {
      isClosed = true;
      endUnused();
    },
    remove: async () => {
      const database = await opened?.catch(() => null);
      database?.close();
      opened = null;
      await inTime(
        new Promise<void>((resolve, reject) => {
          const request = window.indexedDB.deleteDatabase(name);
          request.onsuccess = () => resolve();
          request.onerror = () => reject(problemOf(request.error));
        }),
      );
    },
  };
}

function problemOf(error: DOMException | null): Error {
  return new Error(error === null ? words.failures.databaseSilent : `${error.name}: ${error.message}`);
}
