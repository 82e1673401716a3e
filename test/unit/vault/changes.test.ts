/** @jest-environment jsdom */
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { VaultChange } from '../../../src/vault/changes';
import { VaultChanges } from '../../../src/vault/changes';
import { expectSoon } from 'obsidian-workbench/testing/cost';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const isOwn = (path: string): boolean => path.startsWith('Docent/chats/');

async function watch() {
  const app = await createTestApp({ files: { 'a.md': 'a', 'Docent/chats/c/log.jsonl': '{}' } });
  await wait(20);
  const changes = new VaultChanges(app, isOwn);
  const batches: { at: number; batch: readonly VaultChange[] }[] = [];
  const listeners = app.testing.listeners();
  changes.start((batch) => void batches.push({ at: Date.now(), batch }));
  return { app, changes, batches, listeners };
}

afterEach(closeTestApps);
passTimeQuickly();

describe('VaultChanges', () => {
  it('has no revision and holds no listener until it is started, and starts once', async () => {
    const app = await createTestApp({ files: {} });
    const changes = new VaultChanges(app, () => false);
    const before = app.testing.listeners();
    expect(changes.revision).toBeNull();
    changes.start(() => undefined);
    const held = app.testing.listeners();
    expect(held).toBeGreaterThan(before);
    changes.start(() => undefined);
    expect(app.testing.listeners()).toBe(held);
    expect(changes.revision).toBe(0);
    changes.stop();
    expect(app.testing.listeners()).toBe(before);
    expect(changes.revision).toBeNull();
  });

  it('counts at once and tells in one batch after a quarter of a second of quiet', async () => {
    const { app, changes, batches } = await watch();
    const started = Date.now();
    await app.vault.create('b.md', 'b');
    await app.vault.create('c.md', 'c');
    expect(changes.revision).toBeGreaterThanOrEqual(2);
    expect(batches).toEqual([]);
    await wait(450);
    expect(batches).toHaveLength(1);
    expect(batches[0]?.at).toBeGreaterThanOrEqual(started + 240);
    const created = batches[0]?.batch.filter(({ kind }) => kind === 'created').map(({ path }) => path);
    expect(created).toEqual(['b.md', 'c.md']);
    changes.stop();
  });

  it('reports a batch although the clock was set back by an hour', async () => {
    const { app, changes, batches } = await watch();
    await app.vault.create('b.md', 'b');
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
    while (batches.length === 0) await wait(10);
    clock.mockRestore();
    expect(batches).toHaveLength(1);
    changes.stop();
  });

  it('tells after a second at the latest, however long the changes go on', async () => {
    const { app, changes, batches } = await watch();
    const file = app.vault.getFileByPath('a.md');
    if (file === null) throw new Error('no file');
    await expectSoon(1_400, async (round) => {
      const started = Date.now();
      while (batches.length === round && Date.now() - started < 5_000) {
        await app.vault.modify(file, `${Date.now()}`);
        await wait(50);
      }
      expect(Date.now() - started).toBeGreaterThanOrEqual(900);
      return Date.now() - started;
    });
    changes.stop();
  });

  it('tells of renames with the old path, of deletions, and of what was indexed', async () => {
    const { app, changes, batches } = await watch();
    const file = app.vault.getFileByPath('a.md');
    if (file === null) throw new Error('no file');
    await app.vault.modify(file, 'more');
    await wait(20);
    await app.vault.rename(file, 'b.md');
    await app.vault.delete(file);
    await wait(450);
    const all = batches.flatMap(({ batch }) => batch);
    expect(all).toContainEqual({ path: 'a.md', kind: 'modified' });
    expect(all).toContainEqual({ path: 'a.md', kind: 'indexed' });
    expect(all).toContainEqual({ path: 'b.md', kind: 'renamed', oldPath: 'a.md' });
    expect(all).toContainEqual({ path: 'b.md', kind: 'deleted' });
    changes.stop();
  });

  it("pays no heed to Docent's own files, but does when one is moved out", async () => {
    const { app, changes, batches } = await watch();
    const log = app.vault.getFileByPath('Docent/chats/c/log.jsonl');
    if (log === null) throw new Error('no file');
    await app.vault.modify(log, '{} {}');
    await wait(300);
    expect([changes.revision, batches]).toEqual([0, []]);
    await app.vault.rename(log, 'log.jsonl');
    await wait(450);
    expect(batches[0]?.batch[0]).toMatchObject({ kind: 'renamed', oldPath: 'Docent/chats/c/log.jsonl' });
    changes.stop();
  });

  it('knows the newest of very many touched files, whenever it is asked', async () => {
    const { changes } = await watch();
    let position = changes.position ?? 0;
    for (let round = 0; round < 60; round += 1) {
      const paths = Array.from({ length: 1_000 }, (_, at) => `${round} ${at}.md`);
      changes.expect(paths);
      const touched = changes.touchedSince(position);
      expect(touched === null ? null : [...touched.paths]).toEqual(paths);
      position = changes.position ?? 0;
    }
    expect(changes.touchedSince(0)).toBeNull();
    changes.stop();
  });

  it('tells whoever watches a folder what in it was changed, once for all of it', async () => {
    const { app, changes } = await watch();
    const heard: string[][] = [];
    changes.watchFiles(
      () => 'Docent/chats',
      (names) => void heard.push([...names].sort()),
    );
    const log = app.vault.getFileByPath('Docent/chats/c/log.jsonl');
    if (log === null) throw new Error('no file');
    await app.vault.append(log, '{}');
    await app.vault.append(log, '{}');
    await app.vault.create('a note.md', 'Not of a chat.');
    await app.vault.createFolder('Docent/chats/d');
    await wait(450);
    expect(heard).toEqual([['c', 'd']]);
    await app.vault.rename(log, 'Docent/chats/d/log.jsonl');
    await wait(450);
    expect(heard.slice(1)).toEqual([['c', 'd']]);
    await app.vault.delete(log);
    await wait(450);
    expect(heard.slice(2)).toEqual([['d']]);
    changes.stop();
  });

  it('tells nobody after it was stopped, nor a listener that left', async () => {
    const { app, changes, batches } = await watch();
    let notifications = 0;
    changes.subscribe(() => void (notifications += 1))();
    await app.vault.create('b.md', '');
    const timers = jest.getTimerCount();
    changes.stop();
    expect(jest.getTimerCount()).toBeLessThan(timers);
    await wait(400);
    expect([batches, notifications]).toEqual([[], 0]);
    changes.start((batch) => void batches.push({ at: 0, batch }));
    await app.vault.create('c.md', '');
    await wait(450);
    expect(batches.flatMap(({ batch }) => batch.map(({ path }) => path))).not.toContain('b.md');
    changes.stop();
  });
});
