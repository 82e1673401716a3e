/** @jest-environment jsdom */
import { closeTestApps, createTestApp, MemoryAdapter } from 'obsidian-workbench/jest';
import { words } from '../../../src/text';
import { SessionFiles, trashChat } from '../../../src/vault/chat-files';

afterEach(closeTestApps);

function open(files: Record<string, string> = {}) {
  const adapter = new MemoryAdapter({ files });
  const place = { folder: 'Docent/chats' };
  return { adapter, place, store: new SessionFiles(adapter, () => place.folder, 'w1-s1') };
}

describe('SessionFiles', () => {
  it('S1 appends to one file a writer session, and makes its folders first', async () => {
    const { adapter, store } = open();
    expect((await store.append('c1', 'one\n')).ok).toBe(true);
    expect((await store.append('c1', 'two\n')).ok).toBe(true);
    expect(adapter.textAt('Docent/chats/c1/w1-s1.jsonl')).toBe('one\ntwo\n');
  });

  it('reads nothing and writes nothing for what is not there', async () => {
    const { adapter, store } = open();
    expect(await store.conversations()).toEqual({ ok: true, value: [] });
    expect(await store.shards('c1')).toEqual({ ok: true, value: [] });
    expect(adapter.paths()).toEqual([]);
  });

  // The layout of the app, which syncs, names the chat that a view opens, and logs name the chats that they came from.
  it.each(['../../Elsewhere', 'c1/../../../Elsewhere', 'a/b', 'a\\..\\b', '..', '.obsidian', '', ' '])(
    'H1 neither reads nor writes outside of the folder of one chat: %j',
    async (name) => {
      const { adapter, store } = open({ 'Docent/chats/loose.jsonl': 'x', 'Docent/chats/a/b/c.jsonl': 'x' });
      const paths = adapter.paths();
      const done = [await store.append(name, 'one\n'), await store.shards(name), await store.marks(name)];
      expect(done.map(({ ok }) => ok)).toEqual([false, false, false]);
      expect(adapter.paths()).toEqual(paths);
    },
  );

  it('S5 F11 gives all shards, conflict copies included, and no other file', async () => {
    const { store } = open({
      'Docent/chats/c1/a.jsonl': 'a',
      'Docent/chats/c1/a (Conflicted copy).jsonl': 'b',
      'Docent/chats/c1/readme.md': 'c',
      'Docent/chats/c2/z.jsonl': 'z',
    });
    const shards = await store.shards('c1');
    expect(shards.ok && shards.value.map(({ text }) => text)).toEqual(['b', 'a']);
    const listed = await store.conversations();
    expect(listed.ok && listed.value.map(({ id, size }) => [id, size])).toEqual([
      ['c1', 3],
      ['c2', 1],
    ]);
  });

  it('S8 begins a new file at a megabyte, and never tears a line apart', async () => {
    const { adapter, store } = open();
    const line = `${'x'.repeat(399_999)}\n`;
    for (let count = 0; count < 5; count += 1) await store.append('c1', line);
    const sizes = ['w1-s1', 'w1-s1-2', 'w1-s1-3'].map(
      (name) => adapter.textAt(`Docent/chats/c1/${name}.jsonl`)?.length,
    );
    expect(sizes).toEqual([800_000, 800_000, 400_000]);
    await store.append('c2', 'other\n');
    expect(adapter.textAt('Docent/chats/c2/w1-s1.jsonl')).toBe('other\n');
  });

  it('follows the folder when the user moves it in the middle of a conversation', async () => {
    const { adapter, place, store } = open();
    await store.append('c1', 'one\n');
    place.folder = 'Agent/chats';
    expect((await store.append('c1', 'two\n')).ok).toBe(true);
    expect(adapter.textAt('Agent/chats/c1/w1-s1.jsonl')).toBe('two\n');
  });

  it('has an open chat go on in another folder with all of its files, and leaves those before where they are', async () => {
    const before = { 'a.jsonl': 'one\n', 'b.jsonl': 'two\n', '0123.png': 'picture' };
    const inFolder = (folder: string): [string, string][] =>
      Object.entries(before).map(([name, text]) => [`${folder}/c1/${name}`, text]);
    const { adapter, place, store } = open({
      ...Object.fromEntries(inFolder('Docent/chats')),
      'Docent/chats/c2/a.jsonl': 'other\n',
      // An image that was put into the next message.
      'Agent/chats/c1/4567.png': 'new',
    });
    await store.marks('c1');
    place.folder = 'Agent/chats';
    const marks = await Promise.all([store.marks('c1'), store.marks('c1')]);
    for (const each of marks) expect(each.ok && each.value.map(({ name }) => name)).toEqual(['a.jsonl', 'b.jsonl']);
    for (const folder of ['Docent/chats', 'Agent/chats'])
      expect(inFolder(folder).map(([path]) => [path, adapter.textAt(path)])).toEqual(inFolder(folder));
    expect(adapter.paths().filter((path) => path.endsWith('c2'))).toEqual(['Docent/chats/c2']);
  });

  it('copies an image that a full disk cut off on the way to another folder once there is room', async () => {
    const files = { 'Docent/chats/c1/a.jsonl': 'one\n', 'Docent/chats/c1/0123.png': 'picture' };
    const { adapter, place, store } = open(files);
    await store.marks('c1');
    place.folder = 'Agent/chats';
    adapter.fault = (operation, path) => {
      if (operation !== 'copy' || !path.endsWith('.png')) return 'pass';
      adapter.writeOutside('Agent/chats/c1/0123.png', 'pic');
      return new Error('ENOSPC: no space left');
    };
    expect((await store.marks('c1')).ok).toBe(true);
    expect((await store.append('c1', 'two\n')).ok).toBe(true);
    expect((await store.marks('c1')).ok).toBe(true);
    expect(adapter.textAt('Agent/chats/c1/0123.png')).toBe('pic');
    adapter.fault = null;
    await store.marks('c1');
    expect(['a.jsonl', 'w1-s1.jsonl', '0123.png'].map((name) => adapter.textAt(`Agent/chats/c1/${name}`))).toEqual([
      ...['one\n', 'two\n', 'picture'],
    ]);
    expect(adapter.textAt('Docent/chats/c1/0123.png')).toBe('picture');
  });

  it('S8 begins its file again when another program deleted it or its folder', async () => {
    const { adapter, store } = open();
    await store.append('c1', 'one\n');
    await adapter.remove('Docent/chats/c1/w1-s1.jsonl');
    expect((await store.append('c1', 'two\n')).ok).toBe(true);
    expect(adapter.textAt('Docent/chats/c1/w1-s1.jsonl')).toBe('two\n');
    await adapter.rmdir('Docent/chats/c1', true);
    expect((await store.append('c1', 'three\n')).ok).toBe(true);
    expect(adapter.textAt('Docent/chats/c1/w1-s1.jsonl')).toBe('three\n');
  });

  it('writes nothing a second time when the disk refused a part of it', async () => {
    const { adapter, store } = open();
    await store.append('c1', 'one\n');
    const append = adapter.append.bind(adapter);
    adapter.append = async (path, text) => {
      await append(path, text.slice(0, 3));
      throw new Error('ENOSPC: no space left');
    };
    expect((await store.append('c1', 'second\n')).ok).toBe(false);
    expect(adapter.textAt('Docent/chats/c1/w1-s1.jsonl')).toBe('one\nsec');
  });

  it('asks the disk four things for an entry of a chat with one log', async () => {
    const { adapter, store } = open();
    await store.append('c1', 'one\n');
    const asked: string[] = [];
    for (const name of ['exists', 'list', 'stat', 'append', 'write'] as const) {
      const act = adapter[name].bind(adapter) as (...given: unknown[]) => unknown;
      Object.assign(adapter, { [name]: (...given: unknown[]) => (asked.push(name), act(...given)) });
    }
    await store.marks('c1');
    await store.append('c1', 'two\n');
    expect(asked).toEqual(['list', 'stat', 'append', 'stat']);
  });

  it.each(['append', 'write', 'mkdir', 'stat'] as const)(
    'F5 says in words when %s fails, and works again afterwards',
    async (broken) => {
      const { adapter, store } = open();
      if (broken === 'append') await store.append('c1', 'first\n');
      adapter.fault = (operation) => (operation === broken ? new Error('ENOSPC: no space left') : 'pass');
      const outcome = await store.append('c1', 'line\n');
      expect(!outcome.ok && outcome.failure).toMatchObject({ kind: 'storage' });
      expect(!outcome.ok && outcome.failure.words).toMatch(/Couldn’t save.*ENOSPC/);
      expect(!outcome.ok && outcome.failure.remedy).toMatch(/\w/);
      adapter.fault = null;
      expect((await store.append('c1', 'line\n')).ok).toBe(true);
      expect(adapter.textAt('Docent/chats/c1/w1-s1.jsonl')?.endsWith('line\n')).toBe(true);
    },
  );

  it('says in words when a conversation cannot be read', async () => {
    const { adapter, store } = open({ 'Docent/chats/c1/a.jsonl': 'a' });
    adapter.fault = (operation) => (operation === 'list' ? new Error('EIO') : 'pass');
    const outcome = await store.shards('c1');
    expect(!outcome.ok && outcome.failure.words).toMatch(/Couldn’t read.*EIO/);
  });

  it.each(['list', 'stat'] as const)('lists the other chats when the %s of one folder fails', async (broken) => {
    const { adapter, store } = open({
      'Docent/chats/c1/a.jsonl': 'a',
      'Docent/chats/c2/b.jsonl': 'bc',
      'Docent/chats/c3/d.jsonl': 'd',
    });
    adapter.fault = (operation, path) =>
      operation === broken && path.startsWith('Docent/chats/c2') ? new Error('EACCES') : 'pass';
    const listed = await store.conversations();
    const unlisted = { folder: 'Docent/chats/c2', detail: 'EACCES' };
    expect(listed.ok && listed.value.map(({ id, size, ...rest }) => [id, size, rest.unlisted])).toEqual([
      ['c1', 1, undefined],
      ['c2', 0, unlisted],
      ['c3', 1, undefined],
    ]);
  });

  it('F8 counts a shard that cannot be read as damaged, and still reads the others', async () => {
    const { adapter, store } = open({ 'Docent/chats/c1/a.jsonl': 'a\n', 'Docent/chats/c1/b.jsonl': 'b\n' });
    adapter.fault = (operation, path) => (operation === 'read' && path.endsWith('a.jsonl') ? new Error('EIO') : 'pass');
    const outcome = await store.shards('c1');
    const texts = outcome.ok ? outcome.value.map(({ text }) => text) : [];
    expect(texts[0]).toMatch(/^[^\n]*EIO[^\n]*\n$/);
    expect(texts[1]).toBe('b\n');
  });
});

it('a chat goes to the trash of the app with its whole folder, and the others stay', async () => {
  const app = await createTestApp({
    files: { 'Docent/chats/c1/a.jsonl': 'a', 'Docent/chats/c1/b.png': 'b', 'Docent/chats/c2/a.jsonl': 'c' },
  });
  const trash = jest.spyOn(app.fileManager, 'trashFile');
  expect(await trashChat(app, 'Docent//chats/c1')).toEqual({ ok: true, value: undefined });
  expect(trash.mock.calls.map(([file]) => file.path)).toEqual(['Docent/chats/c1']);
  expect(await app.vault.adapter.exists('Docent/chats/c1')).toBe(false);
  expect(await app.vault.adapter.exists('Docent/chats/c2/a.jsonl')).toBe(true);
  const { notTrashed, notTrashedRemedy, noFolder } = words.chats;
  const failed = (problem: string) => ({
    ok: false,
    failure: { kind: 'storage', words: notTrashed(problem), remedy: notTrashedRemedy },
  });
  expect(await trashChat(app, 'Docent/chats/c1')).toEqual(failed(noFolder));
  trash.mockRejectedValueOnce(new Error('EPERM'));
  expect(await trashChat(app, 'Docent/chats/c2')).toEqual(failed('EPERM'));
});

it('a chat is not deleted for good by an app that is set to', async () => {
  const app = await createTestApp({
    files: { 'Docent/chats/c1/a.jsonl': 'a', '.obsidian/app.json': '{"trashOption":"none"}' },
  });
  expect(await trashChat(app, 'Docent/chats/c1')).toEqual({ ok: true, value: undefined });
  expect(await app.vault.adapter.exists('Docent/chats/c1')).toBe(false);
  expect(await app.vault.adapter.read('.trash/c1/a.jsonl')).toBe('a');
});

it('lists a chat of which the disk says neither size nor time', async () => {
  const { adapter, store } = open({ 'Docent/chats/c1/a.jsonl': 'a' });
  const { stat } = adapter;
  adapter.stat = (path) => (path.endsWith('.jsonl') ? Promise.resolve(null) : stat.call(adapter, path));
  expect(await store.conversations()).toEqual({ ok: true, value: [{ id: 'c1', modified: 0, size: 0 }] });
});
