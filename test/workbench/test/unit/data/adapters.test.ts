import { FolderAdapter } from '../../../src/obsidian/vault/folder-adapter';
import { openSocketLine, type ServerLine } from '../../../src/obsidian/vault/server-line';
import { CrashError, MemoryAdapter, type Tear } from '../../../src/obsidian/vault/memory-adapter';
import { Vault } from '../../../src/obsidian/vault/vault';
import { decodeMessages, encodeMessages } from '../../../src/vault-messages';

describe('MemoryAdapter', () => {
  it('restores a snapshot exactly', async () => {
    const adapter = new MemoryAdapter({ files: { 'a/n.md': 'one', 'b.md': 'two' } });
    const snapshot = adapter.snapshot();
    const stat = await adapter.stat('a/n.md');
    await adapter.write('a/n.md', 'changed');
    await adapter.remove('b.md');
    await adapter.mkdir('new');
    adapter.restore(snapshot);
    expect(adapter.paths().sort()).toEqual(['a', 'a/n.md', 'b.md']);
    expect(await adapter.read('a/n.md')).toBe('one');
    expect(await adapter.stat('a/n.md')).toEqual(stat);
    expect(await adapter.list('/')).toEqual({ files: ['b.md'], folders: ['a'] });
  });

  it.each<[Tear, string]>([
    ['none', 'before'],
    ['empty', ''],
    ['half', 'abc'],
    ['nul', '\0\0\0\0\0\0'],
    ['full', 'abcdef'],
  ])('tears a write: %s', async (tear, left) => {
    const adapter = new MemoryAdapter({ files: { 'n.md': 'before' } });
    adapter.fault = (operation) => (operation === 'write' ? { tear } : 'pass');
    await expect(adapter.write('n.md', 'abcdef')).rejects.toThrow(CrashError);
    adapter.fault = null;
    expect(adapter.textAt('n.md')).toBe(left);
  });

  it('tears an append after what was there', async () => {
    const adapter = new MemoryAdapter({ files: { 'log.jsonl': '1\n' } });
    adapter.fault = () => ({ tear: 'half' });
    await expect(adapter.append('log.jsonl', '22\n\n')).rejects.toThrow('crash');
    expect(adapter.textAt('log.jsonl')).toBe('1\n22');
  });

  it('does other torn operations in full or not at all', async () => {
    const adapter = new MemoryAdapter({ files: { 'a.md': 'a' } });
    adapter.fault = (operation) => (operation === 'rename' ? { tear: 'none' } : 'pass');
    await expect(adapter.rename('a.md', 'b.md')).rejects.toThrow('crash');
    expect(adapter.paths()).toEqual(['a.md']);
    adapter.fault = (operation) => (operation === 'rename' ? { tear: 'full' } : 'pass');
    await expect(adapter.rename('a.md', 'b.md')).rejects.toThrow('crash');
    expect(adapter.paths()).toEqual(['b.md']);
  });

  it('counts operations from one and throws given errors', async () => {
    const adapter = new MemoryAdapter({ files: { 'a.md': 'a' } });
    const seen: string[] = [];
    adapter.fault = (operation, path, count) => {
      seen.push(`${count} ${operation} ${path}`);
      return count === 3 ? new Error('disk full') : 'pass';
    };
    await adapter.process('a.md', (text) => text + 'b');
    await expect(adapter.write('a.md', '')).rejects.toThrow('disk full');
    expect(seen).toEqual(['1 read a.md', '2 write a.md', '3 write a.md']);
    expect(adapter.operationCount).toBe(3);
    expect(adapter.textAt('a.md')).toBe('ab');
  });

  it('does not stop later work after a fault', async () => {
    const adapter = new MemoryAdapter({ files: { 'n.md': '' } });
    const vault = new Vault(adapter);
    await vault.load();
    const file = vault.getFileByPath('n.md')!;
    adapter.fault = (_operation, _path, count) => (count === 1 ? new Error('once') : 'pass');
    await expect(vault.modify(file, 'x')).rejects.toThrow('once');
    await vault.modify(file, 'y');
    expect(adapter.textAt('n.md')).toBe('y');
  });

  it('refuses what a disk refuses', async () => {
    const adapter = new MemoryAdapter({ files: { 'f/a.md': 'a' } });
    await expect(adapter.read('f')).rejects.toThrow('ENOENT');
    await expect(adapter.remove('f')).rejects.toThrow('EPERM');
    await expect(adapter.rmdir('f', false)).rejects.toThrow('ENOTEMPTY');
    await expect(adapter.list('none')).rejects.toThrow('ENOENT');
    await expect(adapter.mkdir('f/a.md')).rejects.toThrow('EEXIST');
    await expect(adapter.remove('none')).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await adapter.stat('none')).toBeNull();
    expect(await adapter.exists('f/a.md')).toBe(true);
  });

  it('gives distinct times to quick writes, and equal ones where time is coarse', async () => {
    const adapter = new MemoryAdapter({ now: () => 5_500 });
    await adapter.write('a', '');
    await adapter.write('b', '');
    expect((await adapter.stat('a'))!.mtime).not.toBe((await adapter.stat('b'))!.mtime);
    adapter.timeGrain = 2000;
    await adapter.write('a', '1');
    await adapter.write('b', '2');
    expect([(await adapter.stat('a'))!.mtime, (await adapter.stat('b'))!.mtime]).toEqual([4000, 4000]);
  });

  it('keeps a byte order mark', async () => {
    const adapter = new MemoryAdapter({ files: { 'n.md': '\uFEFFtext' } });
    expect(await adapter.read('n.md')).toBe('\uFEFFtext');
  });
});

describe('FolderAdapter', () => {
  const reply = (body: unknown, status = 200) => ({ status, bytes: new TextEncoder().encode(JSON.stringify(body)) });

  it('encodes paths, and sends what changes the folder as it is', async () => {
    const line = jest.fn<ReturnType<ServerLine>, Parameters<ServerLine>>(() =>
      Promise.resolve(reply({ type: 'file', ctime: 1, mtime: 2, size: 3 })),
    );
    const adapter = new FolderAdapter({ line });
    await adapter.write('C++ & <x>.md', 'hi', { mtime: 9 });
    expect(line.mock.calls).toEqual([
      ['PUT', '/api/file?path=C%2B%2B+%26+%3Cx%3E.md&mtime=9', new TextEncoder().encode('hi')],
    ]);
    await adapter.stat('n.md');
    expect(line.mock.calls[1]).toEqual(['GET', '/api/stat?path=n.md', undefined]);
  });

  it('turns 404 into a missing file and other refusals into their reason', async () => {
    const answers = [reply({ error: 'no' }, 404), reply({ error: 'read only' }, 403)];
    const adapter = new FolderAdapter({ line: () => Promise.resolve(answers.shift()!) });
    await expect(adapter.read('n.md')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(adapter.write('n.md', '')).rejects.toThrow('read only');
  });

  it('says that the server does not answer when the line breaks, and opens another one for what is asked next', async () => {
    const sockets: FakeSocket[] = [];
    const line = openSocketLine(() => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    });
    const lost = line('GET', '/api/list');
    sockets[0]!.emit('open');
    await settled();
    expect(sockets[0]!.sent).toHaveLength(1);
    sockets[0]!.emit('close');
    await expect(lost).rejects.toThrow('does not answer');
    const found = line('GET', '/api/stat', new Uint8Array([7]));
    sockets[1]!.emit('open');
    await settled();
    const [head = '', body = ''] = new TextDecoder().decode(sockets[1]!.sent[0]).split('\n');
    expect([JSON.parse(head), body]).toEqual([{ id: 2, method: 'GET', target: '/api/stat', size: 1 }, '\x07']);
    sockets[1]!.emit('message', new TextEncoder().encode('{"id":2,"status":200,"size":6}\nbytes\n').buffer);
    expect(new TextDecoder().decode((await found).bytes)).toBe('bytes\n');
    expect(sockets).toHaveLength(2);
  });

  it('sends what is asked in one step together, and reads answers that come together', async () => {
    const socket = new FakeSocket();
    const line = openSocketLine(() => socket as unknown as WebSocket);
    const adapter = new FolderAdapter({ line });
    const asked = Promise.all([adapter.exists('a.md'), adapter.stat('b.md'), adapter.list('c')]);
    socket.emit('open');
    await settled();
    expect(socket.sent).toHaveLength(1);
    const heads = decodeMessages(socket.sent[0]!).map(({ head }) => head as { id: number; target: string });
    expect(heads.map(({ target }) => target)).toEqual([
      '/api/stat?path=a.md',
      '/api/stat?path=b.md',
      '/api/list?path=c&children=only',
    ]);
    const answers = heads.map(({ id }, at) => ({ head: { id, status: 200 }, body: reply(at < 2 ? null : []).bytes }));
    socket.emit('message', encodeMessages(answers).buffer);
    expect(await asked).toEqual([false, null, { files: [], folders: [] }]);
  });
});

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

class FakeSocket extends EventTarget {
  readyState = 0;
  readonly sent: Uint8Array[] = [];
  send(message: Uint8Array): void {
    this.sent.push(message);
  }
  emit(name: string, data?: unknown): void {
    this.readyState = name === 'close' ? 3 : 1;
    this.dispatchEvent(Object.assign(new Event(name), { data }));
  }
}
