import { createChaos, type Chaos } from '../../../src/obsidian/vault/chaos';
import { FileManager } from '../../../src/obsidian/vault/file-manager';
import { getParentPath } from '../../../src/obsidian/vault/file-tree';
import type { TFile } from '../../../src/obsidian/vault/files';
import { MemoryAdapter } from '../../../src/obsidian/vault/memory-adapter';
import { MetadataCache } from '../../../src/obsidian/index/metadata-cache';
import { Vault } from '../../../src/obsidian/vault/vault';
import { VaultPreferences, type PreferenceValues } from '../../../src/obsidian/vault/vault-preferences';

async function open(files: Record<string, string>, chosen: Partial<PreferenceValues> = {}, chaos: Partial<Chaos> = {}) {
  const adapter = new MemoryAdapter({ files });
  const vault = new Vault(adapter, {
    chaos: { ...createChaos(null), ...chaos },
    preferences: new VaultPreferences(chosen),
  });
  const metadataCache = new MetadataCache(vault);
  await vault.load();
  await metadataCache.indexed();
  const fileManager = new FileManager({ vault, metadataCache });
  const fileAt = (path: string): TFile => vault.getFileByPath(path)!;
  return { adapter, vault, metadataCache, fileManager, fileAt };
}

const SOURCE = [
  '---',
  'up: "[[Old#Part|top]]"',
  'other: "[[Keep]]"',
  '---',
  '[[Old]] [[old|alias]] [[Old#Part]] ![[Old#^id]] [text](Old.md) [t](f/Old.md#Part) ![e](<Old.md>)',
  '`[[Old]]` [[Older]] [[Keep]]',
].join('\n');

describe('renaming', () => {
  it('rewrites every kind of link and nothing else', async () => {
    const { adapter, fileManager, fileAt } = await open({
      'f/Old.md': '',
      's.md': SOURCE,
      'Keep.md': '',
      'Older.md': '',
    });
    await fileManager.renameFile(fileAt('f/Old.md'), 'f/New name.md');
    expect(adapter.textAt('s.md')).toBe(
      [
        '---',
        'up: "[[New name#Part|top]]"',
        'other: "[[Keep]]"',
        '---',
        '[[New name]] [[New name|alias]] [[New name#Part]] ![[New name#^id]] [text](New%20name.md) ' +
          '[t](New%20name.md#Part) ![e](<New name.md>)',
        '`[[Old]]` [[Older]] [[Keep]]',
      ].join('\n'),
    );
  });

  it('rewrites the cards of canvases, also when only the folder changes, and no base', async () => {
    const base = 'filters: file.name == "Old"\n';
    const { adapter, fileManager, fileAt, metadataCache } = await open({
      'Old.md': '',
      'f/x.md': '',
      'c.canvas': JSON.stringify({
        nodes: [
          { type: 'file', file: 'Old.md' },
          { type: 'text', text: '[[Old|it]]' },
        ],
      }),
      'd.canvas': '{ "nodes": [] }',
      'b.base': base,
    });
    await fileManager.renameFile(fileAt('Old.md'), 'f/Old.md');
    expect(JSON.parse(await adapter.read('c.canvas'))).toEqual({
      nodes: [
        { type: 'file', file: 'f/Old.md' },
        { type: 'text', text: '[[Old|it]]' },
      ],
    });
    await metadataCache.indexed();
    await fileManager.renameFile(fileAt('f/Old.md'), 'f/New.md');
    expect(JSON.parse(await adapter.read('c.canvas'))).toEqual({
      nodes: [
        { type: 'file', file: 'f/New.md' },
        { type: 'text', text: '[[New|it]]' },
      ],
    });
    expect(await adapter.read('d.canvas')).toBe('{ "nodes": [] }');
    expect(await adapter.read('b.base')).toBe(base);
  });

  it('leaves name-only links alone when only the folder changes', async () => {
    const text = '[[Old]] [[f/Old]]';
    const { adapter, vault, fileManager, fileAt } = await open({ 'f/Old.md': '', 's.md': text });
    await vault.createFolder('g');
    await fileManager.renameFile(fileAt('f/Old.md'), 'g/Old.md');
    expect(adapter.textAt('s.md')).toBe('[[Old]] [[Old]]');
  });

  it('moves a folder, and keeps relative links of what moved', async () => {
    const { adapter, vault, fileManager } = await open(
      { 'f/a.md': '[x](../up.md) [[f/b]]', 'f/b.md': '', 'up.md': '[[f/a]]' },
      { newLinkFormat: 'relative' },
    );
    await vault.createFolder('deep/er');
    await fileManager.renameFile(vault.getFolderByPath('f')!, 'deep/er/g');
    expect(adapter.textAt('deep/er/g/a.md')).toBe('[x](../../../up.md) [[b]]');
    expect(adapter.textAt('up.md')).toBe('[[deep/er/g/a]]');
  });

  it('asks when the preference is to ask, and obeys never and always', async () => {
    for (const [chosen, answer, expected, asked] of [
      [{}, true, '[[B]]', 1],
      [{}, false, '[[A]]', 1],
      [{ alwaysUpdateLinks: true }, false, '[[B]]', 0],
      [{ neverUpdateLinks: true }, true, '[[A]]', 0],
    ] as const) {
      const { adapter, fileManager, fileAt } = await open({ 'A.md': '', 's.md': '[[A]]' }, chosen);
      fileManager.confirmLinkUpdate = jest.fn(async () => answer);
      await fileManager.renameFile(fileAt('A.md'), 'B.md');
      expect(adapter.textAt('s.md')).toBe(expected);
      expect(fileManager.confirmLinkUpdate).toHaveBeenCalledTimes(asked);
    }
  });

  it('may update links late or never under chaos', async () => {
    const late = await open({ 'A.md': '', 's.md': '[[A]]' }, {}, { linkUpdate: () => 20 });
    await late.fileManager.renameFile(late.fileAt('A.md'), 'B.md');
    expect(late.adapter.textAt('s.md')).toBe('[[A]]');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(late.adapter.textAt('s.md')).toBe('[[B]]');
    const never = await open({ 'A.md': '', 's.md': '[[A]]' }, {}, { linkUpdate: () => 'never' });
    await never.fileManager.renameFile(never.fileAt('A.md'), 'B.md');
    expect(never.adapter.textAt('s.md')).toBe('[[A]]');
  });
});

describe('deleting', () => {
  it.each([
    ['system', {}, ['n.md'], undefined],
    ['local', {}, [], 'x'],
    ['none', {}, [], undefined],
    ['local', { permanentTrash: true }, [], undefined],
  ] as const)('obeys the trash preference %s %j', async (trashOption, chaos, system, local) => {
    const { adapter, vault, fileManager, fileAt } = await open({ 'n.md': 'x' }, { trashOption }, chaos);
    await fileManager.trashFile(fileAt('n.md'));
    expect(vault.getFiles()).toEqual([]);
    expect([...adapter.trashed.keys()]).toEqual(system);
    expect(adapter.textAt('.trash/n.md')).toBe(local);
  });

  it('falls back to the local trash where the system has none', async () => {
    const adapter = new MemoryAdapter({ files: { 'n.md': 'x' }, systemTrash: false });
    const vault = new Vault(adapter);
    await vault.load();
    await new FileManager({ vault, metadataCache: new MetadataCache(vault) }).trashFile(vault.getFileByPath('n.md')!);
    expect(adapter.textAt('.trash/n.md')).toBe('x');
  });

  it('deletes after a confirmation only', async () => {
    const { vault, fileManager, fileAt } = await open({ 'n.md': 'x' });
    fileManager.confirmDeletion = async () => false;
    expect(await fileManager.promptForDeletion(fileAt('n.md'))).toBe(false);
    expect(vault.getFiles()).toHaveLength(1);
    fileManager.confirmDeletion = async () => true;
    expect(await fileManager.promptForDeletion(fileAt('n.md'))).toBe(true);
    expect(vault.getFiles()).toEqual([]);
  });
});

describe('links', () => {
  const files = { 'a/My note.md': '', 'a/p (1).png': '', 'b/s.md': '' };
  it.each([
    [{}, '[[My note]]', '[[p (1).png]]'],
    [{ newLinkFormat: 'absolute' }, '[[a/My note]]', '[[a/p (1).png]]'],
    [{ newLinkFormat: 'relative' }, '[[../a/My note]]', '[[../a/p (1).png]]'],
    [{ useMarkdownLinks: true }, '[My note](My%20note.md)', '[p (1).png](p%20%281%29.png)'],
    [
      { useMarkdownLinks: true, newLinkFormat: 'relative' },
      '[My note](../a/My%20note.md)',
      '[p (1).png](../a/p%20%281%29.png)',
    ],
  ] as const)('follow the preferences %j', async (chosen, note, picture) => {
    const { fileManager, metadataCache, fileAt } = await open(files, chosen);
    expect(fileManager.generateMarkdownLink(fileAt('a/My note.md'), 'b/s.md')).toBe(note);
    expect(fileManager.generateMarkdownLink(fileAt('a/p (1).png'), 'b/s.md')).toBe(picture);
    expect(metadataCache.getFirstLinkpathDest('My note', 'b/s.md')?.path).toBe('a/My note.md');
  });

  it('carry subpath and alias, and stay short within one note', async () => {
    const { fileManager, fileAt } = await open(files);
    const note = fileAt('a/My note.md');
    expect(fileManager.generateMarkdownLink(note, 'b/s.md', '#Part', 'shown')).toBe('[[My note#Part|shown]]');
    expect(fileManager.generateMarkdownLink(note, note.path, '#Part')).toBe('[[#Part]]');
  });
});

describe('properties', () => {
  it('change in place, with the body untouched', async () => {
    const { adapter, fileManager, fileAt } = await open({
      'n.md': '---\na: 1\nempty:\nday: 2024-01-02\n---\nBody\n---\n',
    });
    await fileManager.processFrontMatter(fileAt('n.md'), (values) => {
      expect(values).toEqual({ a: 1, empty: null, day: '2024-01-02' });
      values.a = [1, 'two: x'];
      values.link = '[[L]]';
    });
    expect(adapter.textAt('n.md')).toBe(
      '---\na:\n  - 1\n  - "two: x"\nempty:\nday: 2024-01-02\nlink: "[[L]]"\n---\nBody\n---\n',
    );
  });

  it('are made where there are none, removed with the last, and refused when broken', async () => {
    const { adapter, fileManager, fileAt } = await open({ 'n.md': 'Body', 'bad.md': '---\na: [\n---\n' });
    await fileManager.processFrontMatter(fileAt('n.md'), (values) => void (values.a = true));
    expect(adapter.textAt('n.md')).toBe('---\na: true\n---\nBody');
    await fileManager.processFrontMatter(fileAt('n.md'), (values) => void delete values.a);
    expect(adapter.textAt('n.md')).toBe('Body');
    await expect(fileManager.processFrontMatter(fileAt('bad.md'), () => {})).rejects.toMatchObject({
      name: 'YAMLParseError',
    });
    expect(adapter.textAt('bad.md')).toBe('---\na: [\n---\n');
  });
});

describe('places', () => {
  it.each([
    [{}, '/'],
    [{ newFileLocation: 'current' }, 'a'],
    [{ newFileLocation: 'folder', newFileFolderPath: 'b' }, 'b'],
    [{ newFileLocation: 'folder', newFileFolderPath: 'missing' }, '/'],
  ] as const)('for new files with %j', async (chosen, path) => {
    const { fileManager } = await open({ 'a/n.md': '', 'b/m.md': '' }, chosen);
    expect(fileManager.getNewFileParent('a/n.md').path).toBe(path);
  });

  it.each([
    ['/', 'pic 2.png'],
    ['att', 'att/pic.png'],
    ['./', 'a/pic.png'],
    ['./sub', 'a/sub/pic.png'],
  ])('for attachments with %s', async (attachmentFolderPath, path) => {
    const { vault, fileManager } = await open(
      { 'a/n.md': '', 'pic.png': '', 'pic 1.png': '' },
      { attachmentFolderPath },
    );
    expect(await fileManager.getAvailablePathForAttachment('pic.png', 'a/n.md')).toBe(path);
    expect(vault.getFolderByPath(getParentPath(path))).not.toBeNull();
  });
});
