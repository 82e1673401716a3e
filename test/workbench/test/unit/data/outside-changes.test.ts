import { fileAt, openVault } from './open-vault';

describe('outside changes', () => {
  it('finds created, modified and deleted files', async () => {
    const { vault, adapter, events } = await openVault({ 'n.md': 'one' });
    adapter.writeOutside('new/deep/m.md', 'm');
    await vault.reconcile('new/deep/m.md');
    adapter.writeOutside('n.md', 'two');
    await vault.reconcile('n.md');
    await vault.reconcile('n.md');
    adapter.removeOutside('n.md');
    await vault.reconcile('n.md');
    expect(events).toEqual(['create new', 'create new/deep', 'create new/deep/m.md', 'modify n.md', 'delete n.md']);
  });

  it('compares whole folders', async () => {
    const { vault, adapter, events } = await openVault({ 'a/1.md': '', 'a/2.md': '', 'a/sub/3.md': '' });
    adapter.removeOutside('a/sub');
    adapter.writeOutside('a/2.md', 'changed');
    adapter.writeOutside('a/.hidden', '');
    adapter.writeOutside('a/new/4.md', '');
    await vault.reconcile('/');
    expect(events.sort()).toEqual(
      ['delete a/sub/3.md', 'delete a/sub', 'modify a/2.md', 'create a/new', 'create a/new/4.md'].sort(),
    );
    adapter.removeOutside('a');
    await vault.reconcile('a/2.md');
    expect(vault.getRoot().children).toEqual([]);
  });

  it('follows a path that turns from file to folder', async () => {
    const { vault, adapter } = await openVault({ x: 'file' });
    adapter.removeOutside('x');
    adapter.writeOutside('x/n.md', '');
    await vault.reconcile('x');
    expect(vault.getFolderByPath('x')?.children.map((file) => file.name)).toEqual(['n.md']);
  });

  it('does not report own writes twice', async () => {
    const { vault, events } = await openVault({ 'n.md': 'one' });
    const writing = vault.modify(fileAt(vault, 'n.md'), 'two');
    await Promise.all([writing, vault.reconcile('n.md')]);
    await vault.reconcile('n.md');
    expect(events).toEqual(['modify n.md']);
  });

  it('hears of visible files written through the adapter, not of hidden ones', async () => {
    const { vault, adapter, events } = await openVault();
    await adapter.write('n.md', 'x');
    await adapter.mkdir('.plugin/log');
    await adapter.append('.plugin/log/a.jsonl', '1\n');
    await adapter.append('.plugin/log/a.jsonl', '2\n');
    expect(await adapter.read('.plugin/log/a.jsonl')).toBe('1\n2\n');
    expect(events).toEqual(['create n.md']);
    expect(vault.getFileByPath('n.md')).not.toBeNull();
  });
});
