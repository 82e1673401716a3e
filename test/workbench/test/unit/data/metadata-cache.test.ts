import type { CachedMetadata } from 'obsidian';
import { type Chaos, createChaos } from '../../../src/obsidian/vault/chaos';
import { TFile } from '../../../src/obsidian/vault/files';
import { MemoryAdapter } from '../../../src/obsidian/vault/memory-adapter';
import { MetadataCache } from '../../../src/obsidian/index/metadata-cache';
import { Vault } from '../../../src/obsidian/vault/vault';

/** @param delays milliseconds between a change and its indexing, and the like; those of the seed if absent */
async function openIndex(
  files: Record<string, string>,
  seed: number | null = null,
  delays: Partial<Pick<Chaos, 'indexDelay'>> = {},
) {
  const adapter = new MemoryAdapter({ files });
  const vault = new Vault(adapter, { chaos: { ...createChaos(seed), ...delays } });
  const cache = new MetadataCache(vault);
  await vault.load();
  const fileAt = (path: string): TFile => vault.getFileByPath(path)!;
  return { adapter, vault, cache, fileAt };
}

it('indexes after load, not during it, and says when it is done', async () => {
  const { cache, fileAt } = await openIndex({ 'a.md': '# A\n[[b]] [[none]]', 'b.md': '' }, null, {
    indexDelay: () => 300,
  });
  const events: string[] = [];
  cache.on('changed', (file: TFile, text: string, metadata: CachedMetadata) =>
    events.push(`changed ${file.path} ${text.length} ${metadata.headings?.length ?? 0}`),
  );
  cache.on('resolve', (file: TFile) => events.push(`resolve ${file.path}`));
  cache.on('resolved', () => events.push('resolved'));
  expect(cache.getFileCache(fileAt('a.md'))).toBeNull();
  expect(cache.initialized).toBe(false);
  await cache.indexed();
  expect(cache.initialized).toBe(true);
  expect(events).toEqual(['changed a.md 18 1', 'changed b.md 0 0', 'resolve a.md', 'resolve b.md', 'resolved']);
  expect(cache.resolvedLinks).toEqual({ 'a.md': { 'b.md': 1 }, 'b.md': {} });
  expect(cache.unresolvedLinks).toEqual({ 'a.md': { none: 1 }, 'b.md': {} });
});

it('says resolved for an empty vault too', async () => {
  const { cache } = await openIndex({});
  await cache.indexed();
  expect(cache.initialized).toBe(true);
});

it('shows the old metadata until the change is indexed', async () => {
  const { cache, vault, fileAt } = await openIndex({ 'a.md': '# Old' });
  await cache.indexed();
  await vault.modify(fileAt('a.md'), '# New');
  expect(cache.getCache('a.md')?.headings?.[0]?.heading).toBe('Old');
  await cache.indexed();
  expect(cache.getCache('a.md')?.headings?.[0]?.heading).toBe('New');
});

it('follows links when their target comes, moves and goes', async () => {
  const { cache, vault, fileAt } = await openIndex({ 'a.md': '[[later]] ![[pic.png]] [[later#x]]' });
  await cache.indexed();
  expect(cache.unresolvedLinks['a.md']).toEqual({ later: 2, 'pic.png': 1 });
  const later = await vault.create('later.md', '');
  await vault.createBinary('pic.png', new ArrayBuffer(1));
  await cache.indexed();
  expect(cache.resolvedLinks['a.md']).toEqual({ 'later.md': 2, 'pic.png': 1 });
  const changed = jest.fn();
  cache.on('changed', changed);
  await vault.createFolder('f');
  await vault.rename(later, 'f/later.md');
  await vault.rename(fileAt('a.md'), 'b.md');
  await cache.indexed();
  expect(cache.resolvedLinks).toEqual({ 'b.md': { 'f/later.md': 2, 'pic.png': 1 }, 'f/later.md': {} });
  expect(changed).not.toHaveBeenCalled();
  const deleted = jest.fn();
  cache.on('deleted', deleted);
  await vault.delete(later);
  await cache.indexed();
  expect(deleted).toHaveBeenCalledWith(later, {});
  expect(cache.unresolvedLinks['b.md']).toEqual({ later: 2 });
  expect(cache.getCache('f/later.md')).toBeNull();
});

describe('getFirstLinkpathDest', () => {
  it.each([
    ['note', 'x.md', 'note.md'],
    ['NOTE', 'x.md', 'note.md'],
    ['note', 'a/x.md', 'note.md'],
    ['only', 'x.md', 'a/b/only.md'],
    ['b/only', 'x.md', 'a/b/only.md'],
    ['twice', 'b/x.md', 'b/deep/twice.md'],
    ['twice', 'x.md', 'a/twice.md'],
    ['/note', 'a/x.md', 'note.md'],
    ['/only', 'x.md', null],
    ['./note', 'a/x.md', 'a/note.md'],
    ['../note', 'a/x.md', 'note.md'],
    ['pic.png', 'x.md', 'a/pic.png'],
    ['pic', 'x.md', null],
    ['v1.2', 'x.md', 'v1.2.md'],
    ['note.md', 'x.md', 'note.md'],
    ['', 'x.md', 'x.md'],
    ['none', 'x.md', null],
  ])('%s in %s means %s', async (link, source, target) => {
    const paths = ['note.md', 'a/note.md', 'a/b/only.md', 'a/twice.md', 'b/deep/twice.md', 'a/pic.png', 'v1.2.md'];
    const files = Object.fromEntries([...paths, 'x.md', 'a/x.md', 'b/x.md'].map((path) => [path, '']));
    const { cache } = await openIndex(files);
    expect(cache.getFirstLinkpathDest(link, source)?.path ?? null).toBe(target);
  });
});

it('gives the shortest text that means a file', async () => {
  const { cache, fileAt } = await openIndex({ 'a/same.md': '', 'b/Same.md': '', 'c/one.md': '', 'c/p.png': '' });
  expect(cache.fileToLinktext(fileAt('a/same.md'), '')).toBe('a/same');
  expect(cache.fileToLinktext(fileAt('c/one.md'), '')).toBe('one');
  expect(cache.fileToLinktext(fileAt('c/one.md'), '', false)).toBe('one.md');
  expect(cache.fileToLinktext(fileAt('c/p.png'), '')).toBe('p.png');
});

it('counts tags and knows the excluded files', async () => {
  const { cache, vault } = await openIndex({ 'a.md': '---\ntags: x\n---\n#x #y', 'b.md': '#y' });
  await cache.indexed();
  expect(cache.getTags()).toEqual({ '#x': 2, '#y': 2 });
  vault.setConfig('userIgnoreFilters', ['Private/', '/\\.tmp\\.md$/']);
  expect(['private/a.md', 'x.tmp.md', 'a.md'].map((path) => cache.isUserIgnored(path))).toEqual([true, true, false]);
});

it('indexes 20,000 notes in slices', async () => {
  const files: Record<string, string> = {};
  for (let index = 0; index < 20_000; index++) files[`f${index % 100}/n${index}.md`] = `# T\n[[n${index + 1}]] #t`;
  const { cache } = await openIndex(files);
  // Counted in notes, not in time: how long a slice takes depends on the machine, how much it does does not.
  const done = { indexed: 0, resolved: 0 };
  const most = { indexed: 0, resolved: 0 };
  let seen = { ...done };
  cache.on('changed', () => void (done.indexed += 1));
  cache.on('resolve', () => void (done.resolved += 1));
  let ticks = 0;
  const timer = setInterval(() => {
    ticks++;
    for (const kind of ['indexed', 'resolved'] as const) most[kind] = Math.max(most[kind], done[kind] - seen[kind]);
    seen = { ...done };
  }, 1);
  await cache.indexed();
  clearInterval(timer);
  expect(Object.keys(cache.resolvedLinks)).toHaveLength(20_000);
  expect(cache.resolvedLinks['f0/n0.md']).toEqual({ 'f1/n1.md': 1 });
  expect(ticks).toBeGreaterThan(20);
  expect(Math.min(most.indexed, most.resolved)).toBeGreaterThan(0);
  expect(Math.max(most.indexed, most.resolved)).toBeLessThan(10_000);
}, 15_000);

it('ends up right under chaos', async () => {
  for (const seed of [1, 2, 3]) {
    const { cache, vault, fileAt } = await openIndex({ 'a.md': '[[b]]', 'b.md': 'x' }, seed);
    await vault.modify(fileAt('b.md'), '# Now');
    await vault.rename(fileAt('b.md'), 'c.md');
    await vault.create('d.md', '[[c]]');
    await cache.indexed();
    expect(cache.getCache('c.md')?.headings?.[0]?.heading).toBe('Now');
    expect(cache.resolvedLinks).toEqual({ 'a.md': {}, 'c.md': {}, 'd.md': { 'c.md': 1 } });
    expect(cache.unresolvedLinks['a.md']).toEqual({ b: 1 });
  }
}, 20_000);

it('counts links to a note’s own headings and blocks, and its own embeds, as links to the note', async () => {
  const text = '---\nup: "[[#Here]]"\n---\n# Here\n[[#Here]] [x](#Here) ![[#^b]] [[a#Here]]\n\ntext ^b\n';
  const { cache } = await openIndex({ 'a.md': text });
  await cache.indexed();
  expect(cache.resolvedLinks).toEqual({ 'a.md': { 'a.md': 5 } });
  expect(cache.unresolvedLinks).toEqual({ 'a.md': {} });
});

it('indexes the links of canvases: the files on cards and the links in the text of cards', async () => {
  const canvas = (file: string) =>
    JSON.stringify({
      nodes: [{ type: 'file', file }, { type: 'text', text: 'See [[a]] and `[[b]]`' }, { type: 'link' }, 1],
    });
  const { cache, vault, fileAt } = await openIndex({
    'f/a.md': '',
    'b.md': '',
    'x.canvas': canvas('b.md'),
    'y.canvas': canvas('g/b.md'),
    'z.canvas': 'no canvas',
  });
  await cache.indexed();
  expect(cache.resolvedLinks).toMatchObject({ 'x.canvas': { 'b.md': 1, 'f/a.md': 1 }, 'y.canvas': { 'f/a.md': 1 } });
  expect(cache.unresolvedLinks).toMatchObject({ 'x.canvas': {}, 'y.canvas': { 'g/b.md': 1 }, 'z.canvas': {} });
  expect(cache.getFileCache(fileAt('x.canvas'))).toBeNull();
  await vault.createFolder('g');
  await vault.rename(fileAt('b.md'), 'g/b.md');
  await vault.rename(fileAt('x.canvas'), 'w.canvas');
  await cache.indexed();
  expect(cache.resolvedLinks).toMatchObject({ 'y.canvas': { 'g/b.md': 1, 'f/a.md': 1 } });
  expect(cache.unresolvedLinks['w.canvas']).toEqual({ 'b.md': 1 });
  expect(cache.resolvedLinks['x.canvas']).toBeUndefined();
});
