/** @jest-environment jsdom */
/** The port that writes notes: what it refuses leaves the vault as it is, and is no fault of the disk. */
import { MarkdownView, TextFileView } from 'obsidian';
import { closeTestApps, createTestApp, type TestApp } from 'obsidian-workbench/jest';
import { words } from '../../../src/text';
import type { AppPreferences } from '../../../src/vault/stack';
import { danglingSourcesOf, ObsidianWritePort } from '../../../src/vault/write-port';

afterEach(closeTestApps);

interface OpenedPort {
  readonly app: TestApp;
  readonly port: ObsidianWritePort;
  /** Who waits for the index, and how long anybody has waited, in milliseconds. */
  readonly heard: Set<(path: string) => void>;
  readonly waited: { milliseconds: number };
  read(path: string): Promise<string>;
}

async function openPort(files: Record<string, string>, preferences: Partial<AppPreferences> = {}): Promise<OpenedPort> {
  const app = await createTestApp({ files });
  await app.metadataCache.indexed();
  const heard = new Set<(path: string) => void>();
  const waited = { milliseconds: 0 };
  const port = new ObsidianWritePort({
    app,
    changes: {
      hearIndexed: (listener) => {
        heard.add(listener);
        return () => heard.delete(listener);
      },
      expect: () => undefined,
    },
    hash: (bytes) => new TextDecoder().decode(bytes),
    pause: (milliseconds) => Promise.resolve(void (waited.milliseconds += milliseconds)),
    preferences: () => preferences as AppPreferences,
  });
  return { app, port, heard, waited, read: (path) => app.vault.adapter.read(path) };
}
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it('H12 creates nothing where a file is already', async () => {
  const { port, read } = await openPort({ 'A.md': 'mine' });
  const outcome = await port.create('A.md', bytes('other'));
  const failure = { kind: 'refused', words: words.writing.placeTaken('A.md'), remedy: words.writing.placeTakenRemedy };
  expect(outcome).toEqual({ ok: false, failure });
  expect(await read('A.md')).toBe('mine');
});

describe('what waits for the index', () => {
  it('waits for a note until it was read again, and at most for five seconds', async () => {
    const { port, heard, waited, read } = await openPort({ 'A.md': 'one', 'B.md': 'b' });
    expect(await port.process('A.md', (text) => `${text} two`)).toEqual({ ok: true, value: 'written' });
    expect(await read('A.md')).toBe('one two');
    await port.indexed(['B.md']);
    expect(waited.milliseconds).toBe(0);
    await port.indexed(['B.md', 'A.md']);
    expect(waited.milliseconds).toBe(5_000);
    for (const listener of heard) listener('B.md');
    await port.indexed(['A.md']);
    expect(waited.milliseconds).toBe(10_000);
    for (const listener of heard) listener('A.md');
    await port.indexed(['A.md']);
    expect([waited.milliseconds, heard.size]).toEqual([10_000, 0]);
  });

  it('waits for nothing where nothing was written', async () => {
    const { app, port, heard, waited, read } = await openPort({ 'A.md': 'one' });
    expect(await port.process('A.md', () => null)).toEqual({ ok: true, value: 'left' });
    jest.spyOn(app.vault, 'process').mockRejectedValueOnce(new Error('No space.'));
    expect(await port.process('A.md', (text) => `${text} two`)).toEqual({
      ok: false,
      failure: {
        kind: 'storage',
        words: words.writing.diskRefused('A.md', 'No space.'),
        remedy: words.writing.diskRefusedRemedy,
      },
    });
    jest.spyOn(app.vault, 'createBinary').mockRejectedValueOnce(new Error('No space.'));
    expect(await port.create('B.md', bytes('b'))).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    expect(await port.process('None.md', () => '')).toMatchObject({ ok: false, failure: { kind: 'not-found' } });
    expect(await port.create('a.png', bytes('picture'))).toEqual({ ok: true, value: undefined });
    await port.indexed(['A.md', 'B.md', 'None.md', 'a.png']);
    expect([waited.milliseconds, heard.size, await read('A.md')]).toEqual([0, 0, 'one']);
  });
});

describe('what stands in an open editor', () => {
  async function typed(path: string): Promise<OpenedPort & { readonly view: MarkdownView }> {
    const opened = await openPort({ [path]: 'one\n', 'Other.md': 'other\n' });
    await opened.app.workspace.openLinkText(path, '', false);
    const view = opened.app.workspace.getActiveViewOfType(MarkdownView);
    if (view === null) throw new Error('No editor is open.');
    view.editor.setValue('one two\n');
    return { ...opened, view };
  }

  it('is on the disk before a note is written, and others’ notes are left alone', async () => {
    const { port, view, read } = await typed('A.md');
    const saves = jest.spyOn(view, 'save');
    expect(await port.flush('Other.md')).toEqual({ ok: true, value: undefined });
    expect(saves).not.toHaveBeenCalled();
    expect(await port.flush('A.md')).toEqual({ ok: true, value: undefined });
    expect(await read('A.md')).toBe('one two\n');
    expect(await port.flush('A.md')).toEqual({ ok: true, value: undefined });
    expect(saves).toHaveBeenCalledTimes(1);
  });

  it('stops the write when it cannot be saved', async () => {
    const { port, view } = await typed('A.md');
    const saves = jest.spyOn(view, 'save').mockResolvedValueOnce();
    const failure = { kind: 'refused', words: words.writing.unsavedView('A.md') };
    expect(await port.flush('A.md')).toMatchObject({ ok: false, failure });
    saves.mockRejectedValueOnce(new Error('Torn.'));
    expect(await port.flush('A.md')).toMatchObject({
      ok: false,
      failure: { kind: 'storage', words: words.writing.diskRefused('A.md', 'Torn.') },
    });
  });
});

describe('what is on an open canvas', () => {
  it('is saved if the file has it in another layout', async () => {
    const canvas = { nodes: [{ id: 'a', type: 'text', text: 'Keel' }], edges: [] };
    const { app, port } = await openPort({
      'Board.canvas': JSON.stringify(canvas, null, 2),
      'Torn.canvas': '{',
      'New.canvas': '',
      'Plain.canvas': JSON.stringify({ nodes: canvas.nodes }),
    });
    const flushed = async (path: string, shown: string): Promise<boolean> => {
      await app.workspace.openLinkText(path, '', false);
      const view = app.workspace.getActiveViewOfType(TextFileView);
      if (view === null) throw new Error('No canvas is open.');
      jest.spyOn(view, 'getViewData').mockReturnValue(shown);
      return (await port.flush(path)).ok;
    };
    expect(await flushed('Board.canvas', JSON.stringify(canvas, null, '\t'))).toBe(true);
    expect(await flushed('Board.canvas', JSON.stringify({ ...canvas, edges: [{ id: 'b' }] }))).toBe(false);
    expect(await flushed('Torn.canvas', '{"nodes":[]}')).toBe(false);
    // A view also writes the lists that its file has not.
    expect(await flushed('New.canvas', '{"nodes":[],"edges":[]}')).toBe(true);
    expect(await flushed('New.canvas', JSON.stringify(canvas))).toBe(false);
    expect(await flushed('Plain.canvas', JSON.stringify(canvas))).toBe(true);
  });
});

describe('moving and deleting', () => {
  const files = {
    'A.md': 'a',
    'In/B.md': 'See [[A]] and [[A#Part|again]].',
    'C.md': 'Nothing.',
    'D.canvas': '{}',
    'E.md': 'See [[Gone]], [[In/gone.md#Part]] and ![[Gone^b]].',
    'F.md': 'See [[gone too]].',
  };

  it('knows which files a link leads from, canvases among them', async () => {
    const { app, port } = await openPort(files);
    expect(port.linkSources('A.md')).toEqual(['D.canvas', 'In/B.md']);
    expect(port.linkSources('D.canvas')).toEqual([]);
    expect(danglingSourcesOf(app, 'gone')).toEqual(['E.md']);
    expect(danglingSourcesOf(app, 'nowhere')).toEqual([]);
  });

  it('waits until links are rewritten, and then until the files rest', async () => {
    const { app, port, waited } = await openPort(files, { updatesLinks: true });
    jest.spyOn(app.fileManager, 'renameFile').mockImplementation((file, to) => app.vault.rename(file, to));
    expect(await port.rename('A.md', 'Z.md')).toEqual({ ok: true, value: undefined });
    await port.settled(['In/B.md', 'Z.md']);
    expect(waited.milliseconds).toBe(3_500);
    waited.milliseconds = 0;
    await port.settled(['In/B.md', 'Z.md']);
    expect(waited.milliseconds).toBe(500);
    expect(await port.rename('None.md', 'Z.md')).toMatchObject({ ok: false, failure: { kind: 'not-found' } });
  });

  it('waits no longer than until the last link is rewritten, and as long as a file changes', async () => {
    const { app, port, waited } = await openPort(files, { updatesLinks: true });
    jest.spyOn(app.fileManager, 'renameFile').mockImplementation((file, to) => app.vault.rename(file, to));
    await port.rename('A.md', 'Z.md');
    const { adapter } = app.vault;
    const reads = jest.spyOn(adapter, 'readBinary').mockImplementation((path) => {
      const isDone = waited.milliseconds >= 250;
      const text = path === 'In/B.md' && isDone ? 'See [[Z]].' : (files[path as keyof typeof files] ?? 'a');
      return Promise.resolve(bytes(text).slice().buffer);
    });
    await port.settled(['In/B.md', 'Z.md']);
    expect(waited.milliseconds).toBe(250 + 500);
    waited.milliseconds = 0;
    reads.mockImplementation(() => Promise.resolve(bytes(`${waited.milliseconds}`).slice().buffer));
    await port.settled(['In/B.md']);
    expect(waited.milliseconds).toBe(10_000);
  });

  it('waits while links are rewritten in one note after another, however long all of them take', async () => {
    const notes = Array.from({ length: 8 }, (_, index) => `Log/${index}.md`);
    const linking = Object.fromEntries(notes.map((path) => [path, 'See [[A]].']));
    const { app, port, waited } = await openPort({ 'A.md': 'a', ...linking }, { updatesLinks: true });
    jest.spyOn(app.fileManager, 'renameFile').mockImplementation((file, to) => app.vault.rename(file, to));
    await port.rename('A.md', 'Z.md');
    jest.spyOn(app.vault.adapter, 'readBinary').mockImplementation((path) => {
      const isDone = waited.milliseconds >= 2_000 * (notes.indexOf(path) + 1);
      return Promise.resolve(bytes(isDone ? 'See [[Z]].' : 'See [[A]].').slice().buffer);
    });
    await port.settled(notes);
    expect(waited.milliseconds).toBe(8 * 2_000 + 500);
  });

  it('waits for no links that nobody rewrites', async () => {
    const { app, port, waited } = await openPort(files, { updatesLinks: false });
    jest.spyOn(app.fileManager, 'renameFile').mockImplementation((file, to) => app.vault.rename(file, to));
    await port.rename('A.md', 'Z.md');
    await port.settled(['In/B.md', 'Z.md']);
    expect(waited.milliseconds).toBe(500);
  });

  it('H9 deletes as the user does, but never for good', async () => {
    const opened = await openPort(files, { deletesForGood: true });
    const trashed = jest.spyOn(opened.app.fileManager, 'trashFile');
    const local = jest.spyOn(opened.app.vault.adapter, 'trashLocal');
    expect(await opened.port.trash('A.md')).toEqual({ ok: true, value: undefined });
    expect([trashed.mock.calls.length, local.mock.calls]).toEqual([0, [['A.md']]]);
    expect(await opened.port.trash('None.md')).toMatchObject({ ok: false, failure: { kind: 'not-found' } });
    const usual = await openPort(files, { deletesForGood: false });
    const asUsual = jest.spyOn(usual.app.fileManager, 'trashFile');
    expect(await usual.port.trash('A.md')).toEqual({ ok: true, value: undefined });
    expect(asUsual).toHaveBeenCalledTimes(1);
  });
});

it('H9 deletes nothing for good by a setting that changed a moment ago', async () => {
  const { app, port } = await openPort({ 'A.md': 'a' }, { deletesForGood: false });
  await app.vault.adapter.mkdir(app.vault.configDir);
  await app.vault.adapter.write(`${app.vault.configDir}/app.json`, '{"trashOption":"none"}');
  const trashed = jest.spyOn(app.fileManager, 'trashFile');
  expect(await port.trash('A.md')).toEqual({ ok: true, value: undefined });
  expect(trashed).not.toHaveBeenCalled();
  expect(await app.vault.adapter.read('.trash/A.md')).toBe('a');
});

it('H9 deletes nothing for good by a setting that cannot be read', async () => {
  const { app, port } = await openPort({ 'A.md': 'a' }, { deletesForGood: false });
  await app.vault.adapter.mkdir(app.vault.configDir);
  await app.vault.adapter.write(`${app.vault.configDir}/app.json`, '{"trashOption":"no');
  const trashed = jest.spyOn(app.fileManager, 'trashFile');
  expect(await port.trash('A.md')).toEqual({ ok: true, value: undefined });
  expect(trashed).not.toHaveBeenCalled();
  expect(await app.vault.adapter.read('.trash/A.md')).toBe('a');
});

it('makes the folders that are missing, and takes away those that are empty', async () => {
  const { app, port } = await openPort({ 'In/A.md': 'a' });
  expect(await port.ensureFolders('In/Deep/Deeper/B.md')).toEqual({ ok: true, value: ['In/Deep', 'In/Deep/Deeper'] });
  expect(await port.ensureFolders('In/Deep/C.md')).toEqual({ ok: true, value: [] });
  expect(await port.ensureFolders('D.md')).toEqual({ ok: true, value: [] });
  await port.removeEmptyFolder('In/Deep/Deeper');
  await port.removeEmptyFolder('In');
  expect([await app.vault.adapter.exists('In/Deep/Deeper'), await app.vault.adapter.exists('In')]).toEqual([
    false,
    true,
  ]);
});

it('tells a file that is missing from one that cannot be read', async () => {
  const { app, port } = await openPort({ 'A.md': 'a' });
  expect(await port.readBytes('None.md')).toMatchObject({ ok: false, failure: { kind: 'not-found' } });
  jest.spyOn(app.vault.adapter, 'readBinary').mockRejectedValueOnce(new Error('Locked.'));
  expect(await port.readBytes('A.md')).toMatchObject({ ok: false, failure: { kind: 'storage' } });
});
