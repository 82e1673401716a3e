import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createChaos } from '../../../src/obsidian/vault/chaos';
import type { TAbstractFile } from '../../../src/obsidian/vault/files';
import { MemoryAdapter } from '../../../src/obsidian/vault/memory-adapter';
import { Vault } from '../../../src/obsidian/vault/vault';

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

it('is calm without a seed', () => {
  const calm = createChaos(null);
  expect(calm).toMatchObject({ seed: null, timeGrain: 0, rewritesOnSave: false, permanentTrash: false });
  expect([calm.eventDelay(), calm.linkUpdate(), calm.arrange([1, 2, 3])]).toEqual([0, 0, [1, 2, 3]]);
});

it('repeats itself for one seed and varies every knob over seeds', () => {
  const draw = (seed: number): unknown => {
    const chaos = createChaos(seed);
    return [chaos.timeGrain, chaos.rewritesOnSave, chaos.eventDelay(), chaos.indexDelay(), chaos.arrange([1, 2, 3, 4])];
  };
  for (const seed of seeds) expect(draw(seed)).toEqual(draw(seed));
  const all = seeds.map((seed) => createChaos(seed));
  for (const knob of ['rewritesOnSave', 'permanentTrash', 'defersLeaves', 'reversesFolderEvents'] as const) {
    expect(new Set(all.map((chaos) => chaos[knob]))).toEqual(new Set([true, false]));
  }
  expect(new Set(all.map((chaos) => chaos.timeGrain)).size).toBe(3);
  const updates = all.map((chaos) => chaos.linkUpdate());
  expect(updates).toContain('never');
  expect(updates).toContain(0);
  expect(updates.some((update) => typeof update === 'number' && update > 0)).toBe(true);
});

it('stays within its bounds', () => {
  for (const seed of seeds) {
    const chaos = createChaos(seed);
    for (let count = 0; count < 200; count++) {
      expect(chaos.eventDelay()).toBeLessThanOrEqual(50);
      expect(chaos.indexDelay()).toBeLessThanOrEqual(2000);
      expect(chaos.saveDelay()).toBeLessThanOrEqual(2000);
    }
  }
});

it('delays events but keeps them in order, with the tree right at once', async () => {
  for (const seed of [1, 2, 3, 4]) {
    const vault = new Vault(new MemoryAdapter(), { chaos: createChaos(seed) });
    await vault.load();
    const events: string[] = [];
    for (const name of ['create', 'modify', 'rename', 'delete']) {
      vault.on(name, (file: TAbstractFile) => events.push(`${name} ${file.name}`));
    }
    const file = await vault.create('a.md', '');
    expect(vault.getFileByPath('a.md')).toBe(file);
    await vault.modify(file, 'x');
    await vault.delete(file);
    await vault.delivered();
    expect(events).toEqual(['create a.md', 'modify a.md', 'delete a.md']);
  }
});

it('plays a plugin that touches notes with a modified property, once for each save', async () => {
  const chaos = { ...createChaos(null), rewritesOnSave: true };
  const adapter = new MemoryAdapter({ files: { 'a.md': '---\nmodified: 1\n---\nx', 'b.md': 'modified: 1' } });
  const vault = new Vault(adapter, { chaos });
  await vault.load();
  const modified = jest.fn();
  vault.on('modify', modified);
  await vault.modify(vault.getFileByPath('a.md')!, '---\nmodified: 2\n---\ny');
  await vault.modify(vault.getFileByPath('b.md')!, 'modified: 2');
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(adapter.textAt('a.md')).toBe('---\nmodified: 2 \n---\ny');
  expect(adapter.textAt('b.md')).toBe('modified: 2');
  expect(modified).toHaveBeenCalledTimes(3);
});

it('has each of its knobs explained among the assumptions', () => {
  const words = readFileSync(path.join(__dirname, '../../../assumptions.md'), 'utf8');
  const knobs = Object.keys(createChaos(1)).filter((name) => !['seed', 'random'].includes(name));
  expect(knobs.filter((name) => !words.includes(`\`${name}\``))).toEqual([]);
});
