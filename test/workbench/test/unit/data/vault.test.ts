import { expectCostBelow } from '../../../src/testing/cost';
import type { TAbstractFile } from '../../../src/obsidian/vault/files';
import { TFile, TFolder } from '../../../src/obsidian/vault/files';
import { MemoryAdapter } from '../../../src/obsidian/vault/memory-adapter';
import { Vault } from '../../../src/obsidian/vault/vault';
import { fileAt, openVault } from './open-vault';

describe('loading', () => {
  it('fires create for every file and folder, parents first, and keeps hidden paths out', async () => {
    const adapter = new MemoryAdapter({
      files: { 'a/b/c.md': 'c', 'd.md': '', '.obsidian/app.json': '{}', 'a/.hidden/x.md': 'x', 'a/.dot.md': '' },
    });
    const vault = new Vault(adapter);
    const created: string[] = [];
    vault.on('create', (file: TAbstractFile) => created.push(file.path));
    await vault.load();
    expect(created).toEqual(['a', 'a/b', 'a/b/c.md', 'd.md']);
    expect(vault.getAllLoadedFiles().map((file) => file.path)).toEqual(['/', 'a', 'a/b', 'a/b/c.md', 'd.md']);
    expect(vault.getRoot().children.map((file) => file.name)).toEqual(['a', 'd.md']);
    expect(vault.getAllFolders().map((folder) => folder.path)).toEqual(['a', 'a/b']);
    expect(vault.getAllFolders(true)).toHaveLength(3);
  });

  it('splits names into base and extension', async () => {
    const { vault } = await openVault({ 'x/Note.one.MD': '', 'x/README': '', 'x/pic.png': '' });
    expect(fileAt(vault, 'x/Note.one.MD')).toMatchObject({ basename: 'Note.one', extension: 'md' });
    expect(fileAt(vault, 'x/README')).toMatchObject({ basename: 'README', extension: '' });
    expect(vault.getMarkdownFiles().map((file) => file.name)).toEqual(['Note.one.MD']);
    expect(fileAt(vault, 'x/pic.png').parent).toBe(vault.getFolderByPath('x'));
  });

  it('reads preferences from the config folder', async () => {
    const { vault, adapter } = await openVault({ '.obsidian/app.json': '{"trashOption":"local"}' });
    expect(vault.getConfig('trashOption')).toBe('local');
    expect(vault.getConfig('newLinkFormat')).toBe('shortest');
    vault.setConfig('newLinkFormat', 'absolute');
    await vault.preferences.saved();
    expect(JSON.parse(adapter.textAt('.obsidian/app.json')!)).toEqual({
      trashOption: 'local',
      newLinkFormat: 'absolute',
    });
  });

  it('takes 100,000 files in about a second', async () => {
    const files: Record<string, string> = {};
    for (let index = 0; index < 100_000; index++) files[`folder ${index % 500}/note ${index}.md`] = 'x';
    const adapter = new MemoryAdapter({ files });
    const vault = new Vault(adapter);
    await expectCostBelow(2500, () => vault.load());
    expect(vault.getMarkdownFiles()).toHaveLength(100_000);
  });
});

describe('writing', () => {
  it('creates, and refuses to create what exists or has no folder', async () => {
    const { vault, events, adapter } = await openVault();
    const file = await vault.create('/note.md', 'text');
    expect(file).toBeInstanceOf(TFile);
    expect(file.stat.size).toBe(4);
    await expect(vault.create('note.md', 'other')).rejects.toThrow('File already exists.');
    await expect(vault.create('none/note.md', '')).rejects.toThrow('ENOENT');
    expect(adapter.textAt('note.md')).toBe('text');
    expect(events).toEqual(['create note.md']);
  });

  it('lets only one of two creates of one path win', async () => {
    const { vault, adapter } = await openVault();
    const results = await Promise.allSettled([vault.create('n.md', 'first'), vault.create('n.md', 'second')]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
    expect(adapter.textAt('n.md')).toBe('first');
  });

  it('modifies only what exists', async () => {
    const { vault, adapter, events } = await openVault({ 'n.md': 'one' });
    const file = fileAt(vault, 'n.md');
    const { mtime } = file.stat;
    await vault.modify(file, 'longer');
    expect(file.stat.mtime).toBeGreaterThan(mtime);
    expect(file.stat.size).toBe(6);
    adapter.removeOutside('n.md');
    await expect(vault.modify(file, 'again')).rejects.toThrow('ENOENT');
    await expect(vault.append(file, 'again')).rejects.toThrow('ENOENT');
    await expect(vault.process(file, () => 'again')).rejects.toThrow('ENOENT');
    expect(events).toEqual(['modify n.md']);
  });

  it('serialises process on one file, and a throwing callback changes nothing', async () => {
    const { vault, adapter } = await openVault({ 'n.md': '' });
    const file = fileAt(vault, 'n.md');
    const add = (text: string): Promise<string> => vault.process(file, (before) => before + text);
    const failing = vault.process(file, () => {
      throw new Error('stop');
    });
    const all = Promise.all([add('a'), add('b'), vault.append(file, 'c'), add('d')]);
    await expect(failing).rejects.toThrow('stop');
    expect((await all)[3]).toBe('abcd');
    expect(adapter.textAt('n.md')).toBe('abcd');
  });

  it('keeps bytes as they are', async () => {
    const { vault } = await openVault();
    const bytes = new Uint8Array([0, 255, 128, 10]);
    const file = await vault.createBinary('b.bin', bytes.buffer);
    await vault.appendBinary(file, new Uint8Array([7]).buffer);
    expect([...new Uint8Array(await vault.readBinary(file))]).toEqual([0, 255, 128, 10, 7]);
    await vault.modifyBinary(file, new Uint8Array([1]).buffer);
    expect((await vault.readBinary(file)).byteLength).toBe(1);
  });

  it('honours the times of write options', async () => {
    const { vault } = await openVault();
    const file = await vault.create('n.md', '', { ctime: 5, mtime: 9 });
    expect(file.stat).toEqual({ ctime: 5, mtime: 9, size: 0 });
  });

  it.each(['😀 émoji.md', 'שלום עולם.md', 'C++ & <x>.md', "it's 100% #1.md", 'a+b=c;d,e.md'])(
    'round-trips the name %s',
    async (name) => {
      const { vault, adapter } = await openVault();
      await vault.createFolder('f');
      const file = await vault.create(`f/${name}`, name);
      expect(vault.getFileByPath(`f/${name}`)).toBe(file);
      expect(await vault.read(file)).toBe(name);
      expect(adapter.textAt(`f/${name}`)).toBe(name);
    },
  );

  it('shows a decomposed name composed, and writes to the file as the disk spells it', async () => {
    const decomposed = 'cafe\u0301/re\u0301sume\u0301.md';
    const { vault, adapter } = await openVault({ [decomposed]: 'one' });
    const file = fileAt(vault, decomposed.normalize('NFC'));
    expect(await vault.read(file)).toBe('one');
    await vault.modify(file, 'two');
    expect(adapter.textAt(decomposed)).toBe('two');
    await vault.create('caf\u00e9/new.md', '');
    expect(adapter.paths()).toContain('cafe\u0301/new.md');
    await vault.rename(file, 'caf\u00e9/other.md');
    expect(adapter.textAt('cafe\u0301/other.md')).toBe('two');
    expect(adapter.paths()).not.toContain(decomposed);
  });
});

describe('reading', () => {
  it('caches by time and size, while read always asks the disk', async () => {
    const { vault, adapter } = await openVault({ 'n.md': 'one' });
    const file = fileAt(vault, 'n.md');
    expect(await vault.cachedRead(file)).toBe('one');
    adapter.writeOutside('n.md', 'two', { mtime: file.stat.mtime });
    expect(await vault.cachedRead(file)).toBe('one');
    expect(await vault.read(file)).toBe('two');
    await vault.modify(file, 'six');
    expect(await vault.cachedRead(file)).toBe('six');
  });
});

describe('moving and removing', () => {
  it('renames a folder with its content, keeping object identity', async () => {
    const { vault, events } = await openVault({ 'a/b/n.md': 'x', 'a/m.md': '' });
    const [folder, file] = [vault.getFolderByPath('a')!, fileAt(vault, 'a/b/n.md')];
    await vault.createFolder('to');
    await vault.rename(folder, 'to/z');
    expect(file.path).toBe('to/z/b/n.md');
    expect(vault.getFileByPath('to/z/b/n.md')).toBe(file);
    expect(vault.getAbstractFileByPath('a')).toBeNull();
    expect(await vault.read(file)).toBe('x');
    expect(folder.parent).toBe(vault.getFolderByPath('to'));
    expect(events).toEqual([
      'create to',
      'rename a -> to/z',
      'rename a/b -> to/z/b',
      'rename a/b/n.md -> to/z/b/n.md',
      'rename a/m.md -> to/z/m.md',
    ]);
  });

  it('refuses to rename over another file or into a missing folder', async () => {
    const { vault, adapter } = await openVault({ 'a.md': 'a', 'b.md': 'b' });
    await expect(vault.rename(fileAt(vault, 'a.md'), 'b.md')).rejects.toThrow('Destination file already exists!');
    await expect(vault.rename(fileAt(vault, 'a.md'), 'x/b.md')).rejects.toThrow('ENOENT');
    await vault.rename(fileAt(vault, 'a.md'), 'A.md');
    expect(adapter.paths().sort()).toEqual(['A.md', 'b.md']);
  });

  it('deletes a folder content first; hidden content needs force', async () => {
    const { vault, events } = await openVault({ 'a/b/n.md': '', 'h/.x/y': '' });
    const file = fileAt(vault, 'a/b/n.md');
    await vault.delete(vault.getFolderByPath('a')!);
    expect(events).toEqual(['delete a/b/n.md', 'delete a/b', 'delete a']);
    expect(file).toMatchObject({ deleted: true, parent: null });
    await expect(vault.delete(vault.getFolderByPath('h')!)).rejects.toThrow('ENOTEMPTY');
    await vault.delete(vault.getFolderByPath('h')!, true);
    expect(vault.getRoot().children).toEqual([]);
  });

  it('moves to the local trash without overwriting what is there', async () => {
    const { vault, adapter } = await openVault({ 'a/n.md': '1', 'b/n.md': '2', 'c.md': '3' });
    await vault.trash(fileAt(vault, 'a/n.md'), false);
    await vault.trash(fileAt(vault, 'b/n.md'), false);
    await vault.trash(fileAt(vault, 'c.md'), true);
    expect(adapter.textAt('.trash/n.md')).toBe('1');
    expect(adapter.textAt('.trash/n 2.md')).toBe('2');
    expect([...adapter.trashed.keys()]).toEqual(['c.md']);
    expect(vault.getFiles()).toEqual([]);
  });

  it('copies files and whole folders', async () => {
    const { vault, adapter } = await openVault({ 'a/b/n.md': 'x' });
    const copy = await vault.copy(vault.getFolderByPath('a')!, 'z');
    expect(copy).toBeInstanceOf(TFolder);
    expect(adapter.textAt('z/b/n.md')).toBe('x');
    expect(vault.getFileByPath('z/b/n.md')).not.toBeNull();
    await expect(vault.copy(fileAt(vault, 'a/b/n.md'), 'z/b/n.md')).rejects.toThrow('already exists');
  });

  it('visits a folder and all below it', async () => {
    const { vault } = await openVault({ 'a/b/n.md': '', 'a/c.md': '' });
    const seen: string[] = [];
    Vault.recurseChildren(vault.getRoot(), (file) => seen.push(file.path));
    expect(seen).toEqual(['/', 'a', 'a/b', 'a/b/n.md', 'a/c.md']);
  });
});

it('calls every listener although one throws', async () => {
  const { vault } = await openVault();
  const quiet = jest.spyOn(console, 'error').mockImplementation(() => {});
  const heard = jest.fn();
  vault.on('create', () => {
    throw new Error('listener');
  });
  const ref = vault.on('create', heard);
  await vault.create('a.md', '');
  vault.offref(ref);
  await vault.create('b.md', '');
  expect(heard).toHaveBeenCalledTimes(1);
  expect(quiet).toHaveBeenCalledTimes(2);
  quiet.mockRestore();
});
