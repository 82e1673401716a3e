/** @jest-environment jsdom */
import { MarkdownView } from 'obsidian';
import { closeTestApps, createTestApp, MemoryAdapter, type TestApp } from 'obsidian-workbench/jest';
import { words } from '../../../src/text';
import { ObsidianVault } from '../../../src/vault/obsidian-vault';
import { runTool } from '../core/tools/tool-fixture';

const names = [
  '👩‍🚀 crew.md',
  'שלום.md',
  'C++ & <x>.md',
  'a ]] b.md',
  'quote " and \'.md',
  '日本/語.md',
  `${'é'.repeat(110)}.md`,
  '  spaces  inside.md',
];

async function open(files: Record<string, string | Uint8Array>, revision: number | null = null) {
  const adapter = new MemoryAdapter({ files });
  const app = await createTestApp({ adapter });
  const changes = {
    revision,
    get position() {
      return this.revision;
    },
    touchedSince: () => null,
  };
  return { app, adapter, changes, vault: new ObsidianVault(app, changes) };
}

async function indexed(app: TestApp, path: string): Promise<void> {
  for (let count = 0; count < 100; count += 1) {
    const file = app.vault.getFileByPath(path);
    if (file && app.metadataCache.getFileCache(file)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${path} was never indexed.`);
}

async function failureKind(vault: ObsidianVault, path: string, signal?: AbortSignal): Promise<string> {
  const outcome = await vault.read(path, signal);
  return outcome.ok ? `read: ${outcome.value.text.slice(0, 20)}` : outcome.failure.kind;
}

afterEach(closeTestApps);

describe('listing', () => {
  it('lists files and folders in code unit order, with kind, size and time', async () => {
    const { vault } = await open({ 'b.md': 'bb', 'B/c.pdf': new Uint8Array(3), 'a/x/y.md': '', 'é.md': '' });
    expect(vault.files().map(({ path, kind, size }) => [path, kind, size])).toEqual([
      ['B/c.pdf', 'attachment', 3],
      ['a/x/y.md', 'note', 0],
      ['b.md', 'note', 2],
      ['é.md', 'note', 0],
    ]);
    expect(vault.folders()).toEqual(['B', 'a', 'a/x']);
    expect(vault.files()[0]?.modified).toBeGreaterThan(0);
  });

  it('keeps lists while the revision stands, and makes them anew without one', async () => {
    const { app, vault, changes } = await open({ 'a.md': '' }, 1);
    const first = vault.files();
    await app.vault.create('b.md', '');
    expect(vault.files()).toBe(first);
    changes.revision = 2;
    expect(vault.files()).toHaveLength(2);
    changes.revision = null;
    expect(vault.files()).not.toBe(vault.files());
  });

  it('finds a file exactly, or as the only twin in case or Unicode form', async () => {
    const { vault } = await open({ 'Caf\u00e9.md': '', 'a.md': '', 'A.md': '' });
    expect(vault.file('cafe\u0301.MD')?.path).toBe('Caf\u00e9.md');
    expect(vault.file('a.md')?.path).toBe('a.md');
    expect(vault.file('a.MD')).toBeUndefined();
    expect(vault.file('none.md')).toBeUndefined();
  });
});

describe('reading', () => {
  it.each(names)('F38 reads %j under exactly that name', async (name) => {
    const { vault } = await open({ [name]: `text of ${name}` });
    const outcome = await vault.read(name);
    expect(outcome).toMatchObject({ ok: true, value: { path: name, text: `text of ${name}` } });
    expect(vault.files().map(({ path }) => path)).toContain(name);
  });

  it('F40 takes a byte order mark off and leaves line ends alone', async () => {
    const { vault } = await open({ 'bom.md': '\ufeffone\r\ntwo\rthree\n' });
    expect(await vault.read('bom.md')).toMatchObject({ ok: true, value: { text: 'one\r\ntwo\rthree\n', size: 18 } });
  });

  const utf16 = (text: string, little: boolean): Uint8Array => {
    const units = [0xfeff, ...[...text].map((each) => each.charCodeAt(0))];
    return new Uint8Array(units.flatMap((unit) => (little ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])));
  };
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]);
  it.each<[string, string | Uint8Array]>([
    ['a picture', png],
    ['a picture called a note', png],
    ['text with a NUL', 'text\0text'],
    ['UTF-16 from Windows', utf16('Hello there', true)],
    ['UTF-16, the other way round', utf16('Hello there', false)],
    ['UTF-16 without any NUL', utf16('你好吗', true)],
    ['Latin 1 all over', new Uint8Array(Array.from({ length: 300 }, (_, index) => (index % 3 ? 0xe9 : 0x20)))],
  ])('F37 says that %s is not text', async (name, content) => {
    const path = name.includes('note') ? 'x.md' : 'x.png';
    const { vault } = await open({ [path]: content });
    expect(await failureKind(vault, path)).toBe('not-text');
  });

  it('F37 takes a long text for text although a few of its bytes are broken', async () => {
    const text = new TextEncoder().encode('words and more words. '.repeat(50));
    text[30] = 0xff;
    const { vault } = await open({ 'a.md': text });
    expect(await failureKind(vault, 'a.md')).toMatch(/^read/);
  });

  it('F35 reads a note of 50 MB, and names the size of one that is too large', async () => {
    const { app, vault } = await open({ 'big.md': 'x'.repeat(50_000_000), 'huge.md': 'x' });
    const outcome = await vault.read('big.md');
    expect(outcome.ok && outcome.value.size).toBe(50_000_000);
    const huge = app.vault.getFileByPath('huge.md');
    if (huge) huge.stat.size = 150_000_000;
    const refused = await vault.read('huge.md');
    expect(!refused.ok && refused.failure).toMatchObject({ kind: 'too-large' });
    expect(!refused.ok && refused.failure.words).toContain('150 MB');
  });

  it('says that a note is missing, that it cannot be read, and that reading was stopped', async () => {
    const { adapter, vault } = await open({ 'a.md': 'text', 'b.md': 'text' });
    expect(await failureKind(vault, 'none.md')).toBe('not-found');
    const stopped = new AbortController();
    stopped.abort();
    expect(await failureKind(vault, 'b.md', stopped.signal)).toBe('aborted');
    adapter.fault = (operation) => (operation === 'read' ? new Error('EPERM: locked') : 'pass');
    const outcome = await vault.read('a.md');
    expect(outcome).toEqual({
      ok: false,
      failure: {
        kind: 'unreadable',
        words: `${words.failures.noteUnreadable('a.md')} (EPERM: locked)`,
        remedy: words.failures.noteUnreadableRemedy,
      },
    });
  });
});

describe('a note in an editor', () => {
  async function edit() {
    const opened = await open({ 'a.md': 'saved' });
    const file = opened.app.vault.getFileByPath('a.md');
    const leaf = opened.app.workspace.getLeaf(true);
    if (file === null) throw new Error('no file');
    await leaf.openFile(file);
    if (!(leaf.view instanceof MarkdownView)) throw new Error('no editor');
    return { ...opened, view: leaf.view };
  }

  it('F16 is saved before it is read, so that what is read is what the user sees', async () => {
    const { vault, view, adapter } = await edit();
    view.editor.setValue('typed a moment ago');
    expect(await vault.read('a.md')).toMatchObject({ ok: true, value: { text: 'typed a moment ago', size: 18 } });
    expect(adapter.textAt('a.md')).toBe('typed a moment ago');
  });

  it('F16 is not written when nothing was typed', async () => {
    const { vault, adapter } = await edit();
    const before = (await adapter.stat('a.md'))?.mtime;
    await vault.read('a.md');
    expect((await adapter.stat('a.md'))?.mtime).toBe(before);
  });

  it('F16 is refused when the view cannot save', async () => {
    const { vault, view } = await edit();
    view.editor.setValue('typed');
    const save = jest.spyOn(view, 'save').mockRejectedValue(new Error('disk full'));
    expect(await failureKind(vault, 'a.md')).toBe('unreadable');
    expect(view.getViewData()).toBe('typed');
    save.mockRestore();
  });
});

describe('the index', () => {
  const note = [
    '---',
    'tags: [one, "#two"]',
    'related: "[[b]]"',
    '---',
    '# Head #three',
    'To [[b|alias]], ![[pic.png]] and [[none]]. ^block1',
    '## Sub',
    '#three again',
  ].join('\n');

  it('gives headings, tags, links, properties and blocks of a note', async () => {
    const { app, vault } = await open({ 'a.md': note, 'b.md': '', 'pic.png': new Uint8Array(1) });
    await indexed(app, 'a.md');
    const outline = vault.outline('a.md');
    expect(outline?.headings).toEqual([
      { level: 1, text: 'Head #three', line: 4 },
      { level: 2, text: 'Sub', line: 6 },
    ]);
    expect(outline?.tags).toEqual(['#one', '#two', '#three']);
    expect(outline?.properties).toEqual({ tags: ['one', '#two'], related: '[[b]]' });
    expect(outline?.links.map(({ target, path, embed, line }) => [target, path, embed, line])).toEqual([
      ['b', 'b.md', false, 0],
      ['b', 'b.md', false, 5],
      ['none', undefined, false, 5],
      ['pic.png', 'pic.png', true, 5],
    ]);
    expect(outline?.blocks).toEqual([{ id: 'block1', line: 5 }]);
    expect(vault.outline('pic.png')).toBeUndefined();
    expect(vault.outline('none.md')).toBeUndefined();
  });

  it('resolves links anew although the note is unchanged', async () => {
    const { app, vault } = await open({ 'a.md': '[[later]]' });
    await indexed(app, 'a.md');
    expect(vault.outline('a.md')?.links[0]?.path).toBeUndefined();
    await app.vault.create('later.md', '');
    expect(vault.outline('a.md')?.links[0]?.path).toBe('later.md');
  });

  it('gives backlinks, sorted, and follows links with headings and blocks', async () => {
    const { app, vault } = await open({ 'c.md': '[[a]]', 'b.md': '[[a#H]] [[a]]', 'a.md': '# H' });
    for (const path of ['a.md', 'b.md', 'c.md']) await indexed(app, path);
    expect(vault.backlinks('a.md')).toEqual(['b.md', 'c.md']);
    expect(vault.backlinks('b.md')).toEqual([]);
    expect(vault.resolveLink('a#H', 'b.md')).toBe('a.md');
    expect(vault.resolveLink('a^x', 'b.md')).toBe('a.md');
    expect(vault.resolveLink('#H', 'a.md')).toBe('a.md');
    expect(vault.resolveLink('nowhere', 'a.md')).toBeUndefined();
  });

  it('counts no note among those that link to it, and counts canvases', async () => {
    const canvas = JSON.stringify({ nodes: [{ type: 'file', file: 'a.md' }] });
    const own = '# H\n[[#H]] ![[#^b]] [[a]]\n\ntext ^b\n';
    const { app, vault } = await open({ 'a.md': own, 'b.md': '[[a]]', 'c.canvas': canvas });
    await app.metadataCache.indexed();
    expect(app.metadataCache.resolvedLinks['a.md']).toEqual({ 'a.md': 3 });
    expect(vault.backlinks('a.md')).toEqual(['b.md', 'c.canvas']);
    expect(await runTool(vault, 'note_links', { path: 'a.md' })).toContain('links to 1 file; linked from 2 notes');
    expect(await runTool(vault, 'note_outline', { path: 'a.md' })).toContain('links: 3 out, 2 in');
  });

  it('names the properties as the place of a link in them, and no line', async () => {
    const text = '---\nkind: log\nof: "[[b]]"\nby: "[[Ann]]"\n---\nSee [[b]].';
    const { app, vault } = await open({ 'a.md': text, 'b.md': '[[a]] on line one' });
    await app.metadataCache.indexed();
    const rowsOf = async (path: string): Promise<string[]> =>
      (await runTool(vault, 'note_links', { path })).split('\n').slice(1);
    expect(await rowsOf('a.md')).toEqual(['to b.md (properties, line 6)', 'from b.md', 'unresolved Ann (properties)']);
    expect(await rowsOf('b.md')).toEqual(['to a.md (line 1)', 'from a.md']);
  });
});
