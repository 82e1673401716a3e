import { cacheList } from '../../../../src/core/mentions/vault-list';
import type { Vault } from '../../../../src/core/ports/vault';
import { fakeVault } from '../../../support/fake-vault';

function* namesOf(vault: Vault): Generator<void, string[]> {
  const names: string[] = [];
  for (const { path } of vault.files()) {
    names.push(path);
    yield;
  }
  return names;
}

describe('a list over the vault', () => {
  it('is made at once in a small vault, and again only after a change', () => {
    let passes = 0;
    const list = cacheList({
      *make(vault: Vault) {
        passes += 1;
        return yield* namesOf(vault);
      },
      nothing: [],
      smallVault: 10,
    });
    const vault = fakeVault({ 'A.md': '', 'B.md': '' });
    expect(list.current(vault)).toEqual(['A.md', 'B.md']);
    expect(list.current(vault)).toBe(list.current(vault));
    expect(list.prepare(vault)).toBe(false);
    expect(passes).toBe(1);
    vault.put('C.md', '');
    expect(list.current(vault)).toHaveLength(3);
    expect(passes).toBe(2);
  });

  it('is made in slices in a large vault, and is the old one until a pass is finished', () => {
    const list = cacheList({ make: namesOf, nothing: ['nothing'], smallVault: 1 });
    const vault = fakeVault({ 'A.md': '', 'B.md': '' });
    expect(list.current(vault)).toEqual(['nothing']);
    expect([list.prepare(vault), list.prepare(vault), list.prepare(vault)]).toEqual([true, true, false]);
    expect(list.current(vault)).toEqual(['A.md', 'B.md']);
    vault.put('C.md', '');
    expect(list.current(vault)).toEqual(['A.md', 'B.md']);
    while (list.prepare(vault));
    expect(list.current(vault)).toEqual(['A.md', 'B.md', 'C.md']);
  });

  it('finishes a pass during which the vault changes, and knows that another is due', () => {
    const list = cacheList({ make: namesOf, nothing: [], smallVault: 1 });
    const vault = fakeVault({ 'A.md': '', 'B.md': '' });
    list.prepare(vault);
    vault.put('C.md', '');
    let steps = 0;
    while (list.prepare(vault) && steps < 10) steps += 1;
    expect(list.current(vault)).toEqual(['A.md', 'B.md']);
    while (list.prepare(vault));
    expect(list.current(vault)).toEqual(['A.md', 'B.md', 'C.md']);
  });
});
