/** Connections to databases of the browser: none stays open that nothing uses, however a transaction ends. */
import { words } from '../../../../src/text';
import { type Database, openDatabase } from '../../../../src/vault/database';

interface FakeConnection {
  isOpen: boolean;
  onclose: (() => void) | null;
  onversionchange: (() => void) | null;
}

interface FakeRequest {
  result?: unknown;
  readonly error: object;
  onsuccess?: () => void;
  onerror?: () => void;
  onupgradeneeded?: () => void;
}

const refusal = { name: 'UnknownError', message: 'Locked.' };

/** A browser whose databases open and whose transactions end when the test says so. */
class FakeBrowser {
  readonly connections: FakeConnection[] = [];
  readonly openings: (() => void)[] = [];
  isSlow = false;
  /** How the next transactions end; `never` for one that does not answer. */
  end: 'complete' | 'full' | 'never' = 'complete';
  /** How databases open and are deleted from now on. */
  other: 'done' | 'refused' | 'never' = 'done';
  /** What was asked besides, in order. */
  readonly asked: unknown[] = [];

  get open(): number {
    return this.connections.filter(({ isOpen }) => isOpen).length;
  }

  readonly indexedDB = {
    open: (name: string, version: number) => {
      this.asked.push(`open ${name} ${version}`);
      const request: FakeRequest = { error: refusal };
      const succeed = (): void => {
        if (this.other !== 'done') return request.onerror?.();
        request.result = this.connect();
        request.onupgradeneeded?.();
        request.onsuccess?.();
      };
      if (this.isSlow) this.openings.push(succeed);
      else setTimeout(succeed);
      return request;
    },
    deleteDatabase: (name: string) => {
      this.asked.push(`delete ${name} with ${this.open} open`);
      const request: FakeRequest = { error: refusal };
      const { other } = this;
      if (other !== 'never') setTimeout(() => request[other === 'done' ? 'onsuccess' : 'onerror']?.());
      return request;
    },
  };

  private connect() {
    const connection: FakeConnection = { isOpen: true, onclose: null, onversionchange: null };
    this.connections.push(connection);
    return Object.assign(connection, {
      close: () => void (connection.isOpen = false),
      createObjectStore: (name: string, options: unknown) => void this.asked.push([name, options]),
      transaction: (...given: unknown[]) => {
        this.asked.push(given);
        if (!connection.isOpen) throw new Error('The connection is closed.');
        const { end } = this;
        const transaction: Record<string, unknown> = {
          objectStore: (name: string) => ({ name }),
          commit: () => this.asked.push('commit'),
          error: null,
        };
        if (end === 'full') transaction['error'] = { name: 'QuotaExceededError', message: 'Full.' };
        const event = end === 'complete' ? 'oncomplete' : 'onabort';
        if (end !== 'never') setTimeout(() => (transaction[event] as () => void)());
        return transaction;
      },
    });
  }
}

let browser: FakeBrowser;
let database: Database;
const patience = 40;
const ask = (): Promise<number> => database.ask('readwrite', () => () => 1);
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

beforeEach(() => {
  browser = new FakeBrowser();
  Object.assign(globalThis, {
    window: { indexedDB: browser.indexedDB, setTimeout: setTimeout, clearTimeout: clearTimeout },
  });
  database = openDatabase({ name: 'test', storeName: 'texts', patience });
});
afterEach(() => void Reflect.deleteProperty(globalThis, 'window'));

it('uses one connection for all, and ends it once what runs is complete', async () => {
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  const last = ask();
  database.close();
  expect(browser.open).toBe(1);
  expect(await last).toBe(1);
  await wait(5);
  expect([browser.open, browser.connections.length]).toEqual([0, 1]);
});

it('leaves no connection behind after a write that the disk had no room for', async () => {
  browser.end = 'full';
  for (let round = 0; round < 3; round += 1) await expect(ask()).rejects.toThrow('QuotaExceededError: Full.');
  await wait(5);
  expect(browser.open).toBe(0);
  browser.end = 'complete';
  expect(await ask()).toBe(1);
  expect(browser.open).toBe(1);
});

it('ends a connection that opens later than anybody waits for it', async () => {
  browser.isSlow = true;
  await expect(ask()).rejects.toThrow();
  browser.isSlow = false;
  expect(await ask()).toBe(1);
  for (const succeed of browser.openings) succeed();
  await wait(5);
  expect(browser.open).toBe(1);
  database.close();
  await wait(5);
  expect(browser.open).toBe(0);
});

it('keeps a connection that was opened after the one that does not answer', async () => {
  browser.end = 'never';
  const silent = ask().catch((thrown: unknown) => String(thrown));
  await wait(10);
  browser.connections[0]?.onversionchange?.();
  browser.end = 'complete';
  expect(await ask()).toBe(1);
  expect(await silent).toMatch(/Error/);
  browser.connections[0]?.onclose?.();
  expect(await ask()).toBe(1);
  expect(browser.connections.length).toBe(2);
  database.close();
  await wait(5);
  expect(browser.open).toBe(0);
});

it('makes its store when the database is new, and ends each transaction itself, on the disk', async () => {
  expect(await database.ask('readonly', (store) => () => store.name)).toBe('texts');
  expect(browser.asked).toEqual([
    'open test 1',
    ['texts', { autoIncrement: false }],
    ['texts', 'readonly', { durability: 'strict' }],
    'commit',
  ]);
  const numbered = openDatabase({ name: 'other', storeName: 'lines', patience, isNumbered: true });
  await numbered.ask('readwrite', () => () => 1);
  expect(browser.asked).toContainEqual(['lines', { autoIncrement: true }]);
});

it('says why it does not open, and tries again when it is asked again', async () => {
  browser.other = 'refused';
  await expect(ask()).rejects.toThrow('UnknownError: Locked.');
  browser.other = 'done';
  expect(await ask()).toBe(1);
  browser.end = 'never';
  await expect(ask()).rejects.toThrow(words.failures.databaseSilent);
});

it('is deleted once its connection is closed, and made again when it is asked', async () => {
  await ask();
  await database.remove();
  expect([browser.asked.at(-1), browser.open]).toEqual(['delete test with 0 open', 0]);
  expect(await ask()).toBe(1);
  expect([browser.asked.filter((each) => each === 'open test 1').length, browser.open]).toEqual([2, 1]);
});

it('is deleted without having been opened, or where it did not open', async () => {
  await database.remove();
  expect(browser.asked).toEqual(['delete test with 0 open']);
  browser.isSlow = true;
  const asked = ask().catch(() => undefined);
  browser.isSlow = false;
  browser.other = 'refused';
  browser.openings[0]?.();
  browser.other = 'done';
  await database.remove();
  await asked;
  expect(browser.asked.slice(1)).toEqual(['open test 1', 'delete test with 0 open']);
});

it('says why it cannot be deleted', async () => {
  browser.other = 'refused';
  await expect(database.remove()).rejects.toThrow('UnknownError: Locked.');
  browser.other = 'never';
  await expect(database.remove()).rejects.toThrow(words.failures.databaseSilent);
});
