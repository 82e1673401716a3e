import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { compareText, editList, editsFor } from '../../../../src/core/base/list-edits';
import type { FileEntry, Vault } from '../../../../src/core/ports/vault';
import { listVault, type VaultListing } from '../../../../src/core/prompt/listing/vault-listing';
import { mapLegend, vaultListing, vaultListingSection } from '../../../../src/core/prompt/sections/vault-listing';
import { expectGolden } from '../../../goldens/golden';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { fakeVault, folderVault } from '../../../support/fake-vault';
import { render } from '../../../support/render-section';
import { never, worldOf } from '../../../support/turn-world';

const encoder = new Tiktoken(o200k);
const count = (text: string): number => encoder.encode(text, [], []).length;
const list = (vault: Vault, contextWindow: number, attached: readonly string[] = []): VaultListing =>
  listVault(vault, { contextWindow, attached });
const show = (listing: VaultListing): string => render(vaultListingSection, { listing }) ?? '';
const wide = 200_000;

const small = {
  'Now.md':
    '---\nstatus: open\ntags: [map]\n---\n# Now\n\n## Waiting\n\nSee [[Engine#Bolts]] and [[Engine]] and [[Lost]]. #urgent\n',
  'Projects/Engine.md': '# The engine\n\n## Bolts\n\n### Sizes\n\nBack to [[Now]], and [[Engine#Bolts]] here.\n',
  'Projects/plan.png': new Uint8Array(3_000),
  'Projects/Old/Log.md': 'No headings. [[Now]]',
};

function numbered(count: number, path: (index: number) => string, text = ''): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [path(index), text]));
}

describe('the note map', () => {
  const listing = list(fakeVault(small), wide);

  it('R264 R194 tells size, links both ways, targets, tags, property keys and headings of every note', () => {
    expect(listing).toMatchObject({ form: 'map', files: 4 });
    if (listing.form !== 'map') throw new Error('no map');
    expect(listing.blocks.map(({ path, text }) => ({ path, text }))).toEqual([
      { path: '', text: '- Now.md, 1 KB ←2 →2: Engine, Lost #map #urgent {status}\n## Waiting' },
      { path: 'Projects', text: '- Engine.md, 1 KB ←1 →1: Now\n# The engine\n## Bolts\n### Sizes\n- plan.png, 3 KB' },
      { path: 'Projects/Old', text: '- Log.md, 1 KB →1: Now' },
    ]);
  });

  it('R206 stands under a fixed legend that forbids telling what a note says from it', () => {
    const text = show(listing);
    expect(text.startsWith(`<vault_map>\n${mapLegend}\n<folder path="/">\n- Now.md`)).toBe(true);
    expect(mapLegend).toMatch(/not what they say\. Read a note before/);
    expect(text).toMatch(/<folder path="Projects\/Old">\n- Log\.md, 1 KB →1: Now\n<\/folder>\n<\/vault_map>$/);
  });

  it('never holds a word of a note’s body', () => {
    const text = show(listing);
    for (const word of ['Back to', 'No headings', 'See', 'and'])
      expect(text.replace(mapLegend, '')).not.toContain(word);
  });

  it('K19 only names a note whose full text stands elsewhere', () => {
    const map = list(fakeVault(small), wide, ['projects/engine.md']);
    if (map.form !== 'map') throw new Error('no map');
    expect(map.blocks[1]?.text).toBe('- Engine.md, attached\n- plan.png, 3 KB');
    expect(map.blocks[0]?.text).toContain('←2');
  });

  it('R264 changes one folder’s block when one note changes', () => {
    const vault = fakeVault(small);
    const before = list(vault, wide);
    vault.put('Projects/Old/Log.md', '## New heading');
    const after = list(vault, wide);
    if (before.form !== 'map' || after.form !== 'map') throw new Error('no map');
    expect(after.blocks[1]).toEqual(before.blocks[1]);
    expect(after.blocks[2]?.text).toBe('- Log.md, 1 KB\n## New heading');
  });

  it('tells less of each note before it gives way to a list', () => {
    const text = `---\na: 1\nb: 2\n---\n## One\n### Two\n#### Three\n${'[[x]] [[y]] [[z]]'}\n`;
    const forms = [40, 105, 130, 300].map((notes) => {
      const map = list(fakeVault(numbered(notes, (index) => `Folder/Note ${index}.md`, text)), wide);
      return map.form === 'map' ? (map.blocks[0]?.text.split('\n- ')[0] ?? '') : map.form;
    });
    expect(forms).toEqual([
      '- Note 0.md, 1 KB →3: x, y, z {a, b}\n## One\n### Two\n#### Three',
      '- Note 0.md, 1 KB →3: x, y, z {a, b}\n## One\n### Two',
      '- Note 0.md, 1 KB →3\n## One',
      'files',
    ]);
  });

  it('names of each kind at most so many, and says that there are more', () => {
    const many = (count: number, line: (index: number) => string): string =>
      Array.from({ length: count }, (_, index) => line(index)).join('\n');
    const text = (headings: number, targets: number, keys: number): string =>
      `---\n${many(keys, (index) => `k${index}: 1`)}\n---\n${many(targets, (index) => `[[t${index}]]`)}\n` +
      `${many(headings, (index) => `## h${index}`)}\n`;
    const map = list(fakeVault({ 'Full.md': text(24, 8, 12), 'Over.md': text(27, 9, 13) }), wide);
    const headings = many(24, (index) => `## h${index}`);
    const [targets, keys] = ['t0, t1, t2, t3, t4, t5, t6, t7', 'k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11'];
    expect(map.form === 'map' && map.blocks[0]?.text).toBe(
      `- Full.md, 1 KB →8: ${targets} {${keys}}\n${headings}\n` +
        `- Over.md, 1 KB →9: ${targets}, … {${keys}, …}\n${headings}\n… 3 more headings`,
    );
  });

  it('keeps a heading on one line and within bounds', () => {
    const map = list(fakeVault({ 'A.md': `# ${'long '.repeat(50)}` }), wide);
    expect(show(map)).toMatch(/\n# (long ){16}…\n/);
  });
});

describe('the forms of the listing', () => {
  const many = fakeVault(numbered(300, (index) => `Folder ${index % 3}/Note ${index}.md`, '# A\n\n## B\n'));

  it('R194 is a complete, flat, sorted list when the map is too long', () => {
    const vault = fakeVault(numbered(450, (index) => `F/Note ${index}.md`, '# A\n\n## B\n\n## C\n'));
    const listing = list(vault, wide);
    expect(listing.form).toBe('files');
    const lines = show(listing).split('\n');
    expect(lines.slice(0, 2)).toEqual(['<vault_structure>', '# File Tree (450 files)']);
    const paths = lines.slice(2, 452);
    expect(paths).toEqual(vault.files().map(({ path }) => path));
    expect(paths).toEqual([...paths].sort());
    expect(lines[452]).toBe('');
  });

  it('R185 K15 is a tree of folders with counts when the list is too long', () => {
    const listing = list(many, 32_768);
    expect(listing).toMatchObject({ form: 'folders', files: 300, isWhole: true });
    expect(show(listing)).toContain('\nFolder 0/ (100)\nFolder 1/ (100)\nFolder 2/ (100)\n');
  });

  it('K15 indents folders, counts what is below them, and keeps each under its parent', () => {
    const vault = fakeVault({
      ...numbered(2_000, (index) => `A/deep/${index}.md`),
      'A/1.md': '',
      'A b/2.md': '',
      'A/deep/er/3.md': '',
    });
    expect(show(list(vault, wide))).toContain('\nA/ (2002)\n deep/ (2001)\n  er/ (1)\nA b/ (1)\n');
  });

  it('K15 shows the upper levels of a tree that is too long', () => {
    const vault = fakeVault(numbered(3_000, (index) => `Top ${index % 2}/Middle ${index % 10}/Deep ${index}/Note.md`));
    const listing = list(vault, wide);
    expect(listing).toMatchObject({ form: 'folders', depth: 2, isWhole: false });
    expect(show(listing)).toContain('down to level 2; there are deeper ones.\nTop 0/ (1500)\n Middle 0/ (300)\n');
  });

  it('R161 K15 is the root alone when even that is too long, cut to the budget and saying so', () => {
    const vault = fakeVault({ ...numbered(2_000, (index) => `Folder ${index}/Note.md`), 'Root.md': '' });
    const listing = list(vault, 8_192);
    expect(listing.form).toBe('root');
    const text = show(listing);
    expect(text).toMatch(/^<vault_structure>\nAt the root of the vault:\n\nFolders:\n - Folder 0\/\n - Folder 1\/\n/);
    expect(text).toMatch(/\n\n… and 19\d\d more\.\n\nlist_folder/);
  });

  it('R161 gives the number of folders and files at the root if no name fits', () => {
    const listing = { form: 'root', rootFolders: [], rootFiles: [], omitted: 17 };
    expect(render(vaultListingSection, { listing })).toMatch(
      /^<vault_structure>\nAt the root of the vault: 17 items, not listed here\.\n\nlist_folder/,
    );
  });

  it('R162 is nothing for an empty vault', () => {
    expect(render(vaultListingSection, { listing: list(fakeVault({}), wide) })).toBeNull();
  });

  it('R161 follows the window of the turn', async () => {
    const world = worldOf(fakeVault(small), { contextWindow: 2_048, contextNotes: ['Now.md'] });
    expect(await vaultListing.gather(world, never)).toMatchObject({ form: 'root', rootFolders: [] });
    const roomy = worldOf(fakeVault(small), { contextNotes: ['Now.md'] });
    expect(JSON.stringify(await vaultListing.gather(roomy, never))).toContain('- Now.md, attached');
  });

  it.each(['files', 'folders', 'root'] as const)('has agreed words for the form %s', (form) => {
    const vault = fakeVault({ 'A/1.md': '', 'A/B/2.md': '', 'R & D/3.md': '', 'Now.md': '' });
    const listings: Record<typeof form, VaultListing> = {
      files: { form: 'files', paths: vault.files().map(({ path }) => path) },
      folders: {
        form: 'folders',
        files: 4,
        rows: [
          { path: 'A', files: 2 },
          { path: 'A/B', files: 1 },
          { path: 'R & D', files: 1 },
        ],
        depth: 2,
        isWhole: true,
        rootFiles: ['Now.md'],
      },
      root: { form: 'root', rootFolders: ['A', 'R & D'], rootFiles: ['Now.md'], omitted: 3 },
    };
    expectGolden(`vault-listing-${form}.txt`, show(listings[form]));
  });
});

it.each([
  ['map', { 'Odd\nGhost.md': '', 'Odd\rGhost/Now.md': '' }, wide],
  ['files', numbered(390, (index) => `F/Odd\nGhost ${index}.md`, '# A\n\n## B\n\n## C\n'), wide],
  [
    'folders',
    { ...numbered(300, (index) => `Odd\nGhost ${index % 3}/${index}.md`, '# A\n\n## B\n'), 'Odd\nGhost.md': '' },
    32_768,
  ],
])('keeps names with line breaks on one line in the form %s', (form, files, contextWindow) => {
  const listing = list(fakeVault(files), contextWindow);
  expect(listing.form).toBe(form);
  expect(show(listing)).toContain('Odd Ghost');
  expect(show(listing)).not.toMatch(/[\n\r](?:\W*)Ghost/);
});

describe('the budget of the listing', () => {
  const date = (index: number): string => `20${String(index % 90).padStart(2, '0')}-0${(index % 9) + 1}-1${index % 9}`;
  const vaults: Readonly<Record<string, Vault>> = {
    demo: folderVault('test/support/demo-vault'),
    dates: fakeVault(numbered(300, (index) => `Journal/${date(index)} ${index}.md`, '# Day\n[[a]]')),
    ids: fakeVault(numbered(200, (index) => `z/${((index + 7) * 2_654_435_761).toString(16)}.md`)),
    chinese: fakeVault(numbered(400, (index) => `研究/会议记录${index}号.md`, '# 决定事项\n')),
    folders: fakeVault(numbered(900, (index) => `Folder ${index}/a.md`)),
    signs: fakeVault(numbered(200, (index) => `a & b/<${index}> "x" & y.md`, '# <a> & <b>\n')),
  };
  const windows = [4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 200_000, 1_000_000];

  it.each(Object.entries(vaults))('K15 is held in tokens of o200k: %s', (_name, vault) => {
    for (const window of windows) {
      const tokens = count(show(list(vault, window)));
      expect([window, tokens <= Math.min(window * 0.02, 4_000)]).toEqual([window, true]);
    }
  });

  it('R264 maps the demo vault in a wide window', () => {
    expect(list(vaults['demo'] ?? fakeVault({}), wide).form).toBe('map');
  });
});

describe('the cost of the listing', () => {
  const files = Array.from({ length: 100_000 }, (_, index): FileEntry => {
    const path = `Area ${Math.floor(index / 5_000)}/Topic ${Math.floor(index / 100)}/Note ${index}.md`;
    return { path, kind: 'note', size: 1_000, modified: index };
  }).sort((a, b) => (a.path < b.path ? -1 : 1));
  const folders = [...new Set(files.flatMap(({ path }) => [path.split('/')[0] ?? '', path.replace(/\/[^/]*$/, '')]))];
  let outlines = 0;
  const huge = (): Vault => ({
    ...fakeVault({}),
    name: 'Huge',
    files: () => files,
    folders: () => folders.sort(),
    file: () => undefined,
    outline: () => {
      outlines += 1;
      return undefined;
    },
  });

  it('R163 looks at no note of a vault of 100,000 that cannot be mapped, within milliseconds', async () => {
    const listing = list(huge(), 1_000_000);
    expect(listing).toMatchObject({ form: 'folders', files: 100_000, depth: 1, isWhole: false });
    expect(outlines).toBe(0);
    await expectCostBelow(250, () => list(huge(), 1_000_000));
  });

  it('R163 is made once while the vault stays as it is, and again after a change', () => {
    const vault = fakeVault(small);
    const first = list(vault, wide);
    expect(list(vault, wide)).toBe(first);
    expect(list(vault, 8_192)).not.toBe(first);
    expect(list(vault, wide)).toBe(first);
    vault.put('New.md', '');
    expect(list(vault, wide)).not.toBe(first);
    expect(JSON.stringify(list(vault, wide))).toContain('New.md');
  });

  describe('after a change of one of many notes', () => {
    const at = (path: string, modified = 1): FileEntry => ({ path, kind: 'note', size: 1_000, modified });
    const byPath = (a: FileEntry, b: FileEntry): number => compareText(a.path, b.path);
    const vaultOf = (start: readonly FileEntry[]) => {
      let current = start;
      let ofFolders: readonly string[] = ['Area'];
      return {
        vault: { ...huge(), files: () => current, folders: () => ofFolders } as Vault,
        edit: (removed: readonly FileEntry[], added: readonly FileEntry[]) => {
          current = editList(current, editsFor(current, removed, added, byPath));
        },
        replace: () => void (current = [...current]),
        addFolder: () => void (ofFolders = ['Area', 'Bay']),
      };
    };
    const many = (count: number) => Array.from({ length: count }, (_, index) => at(`Area/${index + 10_000}.md`));

    it('is the same while the files are', () => {
      const { vault, edit } = vaultOf(many(6_000));
      const first = list(vault, wide);
      expect(first).toMatchObject({ form: 'folders', files: 6_000 });
      edit([at('Area/10007.md')], [at('Area/10007.md', 2)]);
      expect(list(vault, wide)).toBe(first);
      expect(list(vault, wide)).toBe(first);
      edit([at('Area/10008.md')], [at('Area/10008.md', 3)]);
      edit([at('Area/10007.md')], [at('Area/10007.md', 4)]);
      expect(list(vault, wide)).toBe(first);
    });

    it.each<[string, (bench: ReturnType<typeof vaultOf>) => void, object]>([
      ['a note is added', ({ edit }) => edit([], [at('Area/New.md')]), { files: 6_001 }],
      ['a note is deleted', ({ edit }) => edit([at('Area/10007.md')], []), { files: 5_999 }],
      ['a note is moved', ({ edit }) => edit([at('Area/10007.md')], [at('At root.md')]), { rootFiles: ['At root.md'] }],
      ['a folder is added', ({ addFolder }) => addFolder(), { rows: [{ path: 'Area' }, { path: 'Bay' }] }],
      ['it is not known what changed', ({ replace }) => replace(), { files: 6_000 }],
    ])('is made again once %s', (_name, change, shown) => {
      const bench = vaultOf(many(6_000));
      const first = list(bench.vault, wide);
      change(bench);
      const next = list(bench.vault, wide);
      expect(next).not.toBe(first);
      expect(next).toMatchObject(shown);
    });

    it('is made again where a map may fit, which names what notes contain', () => {
      const { vault, edit } = vaultOf(many(400));
      outlines = 0;
      const first = list(vault, wide);
      const looked = outlines;
      expect([first.form, looked > 0]).toEqual(['files', true]);
      edit([at('Area/10007.md')], [at('Area/10007.md', 2)]);
      expect(list(vault, wide)).toEqual(first);
      expect(outlines).toBe(2 * looked);
    });
  });
});
