/** @jest-environment jsdom */
import { MemoryAdapter } from 'obsidian-workbench/jest';
import { measureBeforeOpen } from '../../bench/before-open';

const manifest = { id: 'eager', name: 'Eager', version: '1.0.0', minAppVersion: '1.0.0', description: '', author: '' };
const files = { 'A.md': 'alpha', 'B.md': 'beta', '.obsidian/plugins/eager/data.json': '{}' };

const measure = (onload: string) =>
  measureBeforeOpen({
    main: `const { Plugin, requestUrl } = require('obsidian');
      module.exports = class extends Plugin { async onload() { const { vault, workspace } = this.app; ${onload} } };`,
    manifest,
    adapter: () => new MemoryAdapter({ files }),
    wait: 30,
  });

describe('what a plugin does before its pane is opened', () => {
  it('is nothing for one that only reads its own settings', async () => {
    expect(await measure('await this.loadData();')).toEqual({ reads: [], requests: [] });
  });

  it('counts reads through the vault and through the adapter, also after the layout is ready', async () => {
    const { reads } = await measure(`workspace.onLayoutReady(async () => {
      await vault.cachedRead(vault.getFileByPath('A.md'));
      await vault.adapter.read('.obsidian/plugins/eager/main.js').catch(() => {});
      await vault.cachedRead(vault.getFileByPath('A.md'));
    });`);
    expect([...reads].sort()).toEqual(['.obsidian/plugins/eager/main.js', 'A.md', 'A.md']);
  });

  it('counts requests of every kind', async () => {
    const { requests } = await measure(`
      await fetch('https://a.test/').catch(() => {});
      await requestUrl('https://b.test/').catch(() => {});
      try { new WebSocket('wss://c.test/'); } catch {}
      try { new XMLHttpRequest().open('GET', 'https://d.test/'); } catch {}`);
    expect(requests).toEqual(['https://a.test/', 'https://b.test/', 'wss://c.test/', 'https://d.test/']);
  });

  it('ends with an error for a plugin that does not start', async () => {
    const complaint = jest.spyOn(console, 'error').mockImplementation(() => {});
    await expect(measure(`throw new Error('no');`)).rejects.toThrow('The plugin does not start: Error: no');
    complaint.mockRestore();
  });
});
