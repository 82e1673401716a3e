import { NoteCache } from '../../../../src/core/prompt/facts/attached-notes';
import { filterHidden } from '../../../../src/core/writing/guard/fence';
import { fakeVault } from '../../../support/fake-vault';
import { never } from '../../../support/turn-world';

async function textOf(cache: NoteCache, path: string): Promise<string | null> {
  const outcome = await cache.read(path, never);
  return outcome.ok ? outcome.value.text : null;
}

describe('NoteCache', () => {
  it('reads a note once while it is unchanged, whatever its spelling', async () => {
    const vault = fakeVault({ 'A.md': 'one' });
    const cache = new NoteCache(vault);
    expect([await textOf(cache, 'A.md'), await textOf(cache, 'A.md')]).toEqual(['one', 'one']);
    expect(vault.reads).toEqual(['A.md']);
  });

  it('reads again when time or size have changed, and when told to forget', async () => {
    const vault = fakeVault({ 'A.md': 'one' });
    const cache = new NoteCache(vault);
    await textOf(cache, 'A.md');
    vault.put('A.md', 'two');
    expect(await textOf(cache, 'A.md')).toBe('two');
    cache.forget(['A.md', 'Unknown.md']);
    await textOf(cache, 'A.md');
    expect(vault.reads).toHaveLength(3);
  });

  it('keeps no failure and asks anew', async () => {
    const vault = fakeVault({});
    const cache = new NoteCache(vault);
    expect(await textOf(cache, 'A.md')).toBeNull();
    vault.put('A.md', 'here now');
    expect(await textOf(cache, 'A.md')).toBe('here now');
  });

  it('gives out nothing that the fence has hidden meanwhile', async () => {
    let rules = { excluded: [] as string[], ownFolders: [] };
    const cache = new NoteCache(filterHidden(fakeVault({ 'Private/A.md': 'secret' }), () => rules));
    expect(await textOf(cache, 'Private/A.md')).toBe('secret');
    rules = { excluded: ['Private/'], ownFolders: [] };
    expect(await textOf(cache, 'Private/A.md')).toBeNull();
  });

  it('waits for a read that was begun, and begins none of what it has or is reading', async () => {
    const vault = fakeVault({ 'A.md': 'one' });
    const cache = new NoteCache(vault);
    cache.begin('A.md');
    cache.begin('A.md');
    cache.begin('Unknown.md');
    expect([await textOf(cache, 'A.md'), await textOf(cache, 'Unknown.md')]).toEqual(['one', null]);
    cache.begin('A.md');
    expect(await textOf(cache, 'A.md')).toBe('one');
    expect(vault.reads.filter((path) => path === 'A.md')).toEqual(['A.md']);
  });

  it('gives out nothing of a read that was begun before the note was changed or hidden', async () => {
    let rules = { excluded: [] as string[], ownFolders: [] };
    const vault = fakeVault({ 'A.md': 'one', 'B.md': 'secret' });
    const cache = new NoteCache(filterHidden(vault, () => rules));
    cache.begin('A.md');
    cache.begin('B.md');
    vault.put('A.md', 'another');
    rules = { excluded: ['B.md'], ownFolders: [] };
    expect([await textOf(cache, 'A.md'), await textOf(cache, 'B.md')]).toEqual(['another', null]);
  });

  it('lets the notes read longest ago go when it is full', async () => {
    const vault = fakeVault({ 'A.md': 'a'.repeat(5_000_000), 'B.md': 'b'.repeat(5_000_000) });
    const cache = new NoteCache(vault);
    await textOf(cache, 'A.md');
    await textOf(cache, 'B.md');
    await textOf(cache, 'B.md');
    await textOf(cache, 'A.md');
    expect(vault.reads).toEqual(['A.md', 'B.md', 'A.md']);
  });
});
