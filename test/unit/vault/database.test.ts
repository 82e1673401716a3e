/** Connections to databases of the browser: none stays open that nothing uses, however a transaction ends. */
import { type Database, openDatabase } from '../../../src/vault/database';

interface FakeConnection {
  isOpen: boolean;
  onclose: (() => void) | null;
  onversionchange: (() => void) | null;
}

/** A browser whose databases open and whose transactions end when the test says so. */
class FakeBrowser {
  readonly connections: FakeConnection[] = [];
  readonly openings: (() => void)[] = [];
  isSlow = false;
  /** How the next transactions end; `never` for one that does not answer. */
  end: 'complete' | 'full' | 'never' = 'complete';

  get open(): number {
    return this.connections.filter(({ isOpen }) => isOpen).length;
  }

  readonly indexedDB = {
    open: () => {
      const request: { result?: unknown; onsuccess?: () => void } = {};
      const succeed = (): void => {
        request.result = this.connect();
        request.onsuccess?.();
      };
      if (this.isSlow) this.openings.push(succeed);
      else setTimeout(succeed);
      return request;
    },
  };

  private connect() {
    const connection: FakeConnection = { isOpen: true, onclose: null, onversionchange: null };
    this.connections.push(connection);
    return Object.assign(connection, {
      close: () => void (connection.isOpen = false),
      transaction: () => {
        if (!connection.isOpen) throw new Error('The connection is closed.');
        const { end } = this;
        const transaction: Record<string, unknown> = { objectStore: () => ({}), commit: () => undefined, error: null };
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
