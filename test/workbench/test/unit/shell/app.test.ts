/**
 * @jest-environment jsdom
 */
import { Menu, Plugin, requestUrl, type TFile } from 'obsidian';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as emulated from '../../../src/obsidian/obsidian';
import { MemoryAdapter } from '../../../src/obsidian/vault/memory-adapter';
import { closeTestApps, createMemoryLocalStore, createTestApp, type TestApp } from '../../../src/obsidian/jest';

const manifest = { id: 'p', name: 'Pee', author: '', version: '1.0.0', minAppVersion: '1.13.0', description: '' };

afterEach(closeTestApps);

test('every runtime name of obsidian.d.ts is there', () => {
  const text = readFileSync(join(process.cwd(), 'node_modules/obsidian/obsidian.d.ts'), 'utf8');
  const names = Array.from(
    text.matchAll(/^export (?:abstract )?(?:class|function|const|let|enum) (\w+)/gm),
    (m) => m[1],
  );
  expect(names.length).toBeGreaterThan(150);
  expect(names.filter((name) => !((name ?? '') in emulated))).toEqual([]);
  expect(() => (emulated as unknown as Record<string, () => void>)['loadPdfJs']?.()).toThrow('does not emulate');
});

test('a plugin leaves nothing behind, three times over', async () => {
  class Busy extends Plugin {
    override onload(): void {
      const { workspace, vault } = this.app;
      this.addRibbonIcon('bot', 'Busy', () => {});
      this.addStatusBarItem();
      this.addCommand({ id: 'c', name: 'C', callback: () => {}, hotkeys: [{ modifiers: ['Mod'], key: 'j' }] });
      this.registerInterval(window.setInterval(() => {}, 1000));
      this.registerDomEvent(document, 'keydown', () => {});
      this.registerEvent(vault.on('modify', () => {}));
      this.registerEvent(workspace.on('file-menu', () => {}));
      this.registerObsidianProtocolHandler('busy', () => {});
      this.registerCliHandler('busy', 'd', null, () => '');
    }
  }
  const app = await createTestApp({ plugins: [{ manifest, main: Busy, css: '.busy{}' }] });
  const { testing, plugins } = app;
  const count = (): number[] => [testing.listeners(), testing.timers(), testing.workers(), testing.nodes()];
  const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 120));
  const running = await rest().then(count);
  await plugins.disablePlugin('p');
  const quiet = await rest().then(count);
  expect(quiet[0]).toBeLessThan(running[0] ?? 0);
  expect(quiet[1]).toBe((running[1] ?? 0) - 1);
  for (let turn = 0; turn < 3; turn += 1) {
    await plugins.enablePlugin('p');
    await plugins.disablePlugin('p');
  }
  await rest();
  expect(count()).toEqual(quiet);
});

test('a leak is counted', async () => {
  let leak = 0;
  class Leaky extends Plugin {
    override onload(): void {
      leak = window.setInterval(() => {}, 100_000);
      window.addEventListener('focus', () => {});
      this.app.vault.on('create', () => {});
    }
  }
  const app = await createTestApp({ plugins: [{ manifest, main: Leaky }], autoEnable: false });
  const before = [app.testing.listeners(), app.testing.timers()];
  await app.plugins.enablePlugin('p');
  await app.plugins.disablePlugin('p');
  expect(app.testing.listeners()).toBe((before[0] ?? 0) + 2);
  expect(app.testing.timers()).toBeGreaterThan(before[1] ?? 0);
  window.clearInterval(leak);
});

test('a bundle is evaluated with the modules of a phone', async () => {
  const good =
    "const o = require('obsidian'); require('@codemirror/state'); module.exports = class extends o.Plugin { onload() { this.app.marked = o.apiVersion; } };";
  const bad = "const fs = require('fs'); module.exports = class {};";
  const error = jest.spyOn(console, 'error').mockImplementation(() => {});
  const app = await createTestApp({
    plugins: [
      { manifest, main: good },
      { manifest: { ...manifest, id: 'bad' }, main: bad },
    ],
  });
  error.mockRestore();
  expect((app as unknown as { marked: string }).marked).toBe('1.13.1');
  expect(app.plugins.getPlugin('bad')).toBeNull();
  expect(String(app.plugins.failures['bad'])).toContain("Cannot find module 'fs'");
});

test('data, local storage and the first greeting', async () => {
  const adapter = new MemoryAdapter();
  const localStore = createMemoryLocalStore();
  let greeted = 0;
  class Keeping extends Plugin {
    changed = 0;
    override onUserEnable(): void {
      greeted += 1;
    }
    override onExternalSettingsChange(): void {
      this.changed += 1;
    }
  }
  const plugins = [{ manifest, main: Keeping }];
  const app = await createTestApp({ adapter, localStore, plugins });
  const plugin = app.plugins.getPlugin('p') as unknown as Keeping;
  expect(await plugin.loadData()).toBeNull();
  await plugin.saveData({ a: 1 });
  expect(JSON.parse(await adapter.read('.obsidian/plugins/p/data.json'))).toEqual({ a: 1 });
  app.plugins.onDataFileChanged('.obsidian/plugins/p/data.json');
  await adapter.write('.obsidian/plugins/p/data.json', '{"a":2}');
  app.plugins.onDataFileChanged('.obsidian/plugins/p/data.json');
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(plugin.changed).toBe(1);
  app.saveLocalStorage('k', { b: [1] });
  await app.close();
  const next = await createTestApp({ adapter, localStore, plugins });
  expect(next.loadLocalStorage('k')).toEqual({ b: [1] });
  next.saveLocalStorage('k', null);
  expect(next.loadLocalStorage('k')).toBeNull();
  expect(greeted).toBe(1);
});

test('commands are prefixed, checked, and run by their hotkey', async () => {
  const ran: string[] = [];
  class Commanding extends Plugin {
    override onload(): void {
      this.addCommand({
        id: 'go',
        name: 'Go',
        hotkeys: [{ modifiers: ['Mod'], key: 'g' }],
        callback: () => void ran.push('go'),
      });
      this.addCommand({ id: 'no', name: 'No', checkCallback: () => false });
      this.addCommand({ id: 'ed', name: 'Ed', editorCallback: (editor) => void ran.push(editor.getValue()) });
    }
  }
  const app = await createTestApp({ files: { 'a.md': 'A' }, plugins: [{ manifest, main: Commanding }] });
  const names = (): string[] => app.commands.listCommands().map((command) => command.id);
  expect(app.commands.commands['p:go']?.name).toBe('Pee: Go');
  expect(names()).toContain('p:go');
  expect(names()).not.toContain('p:no');
  expect(names()).not.toContain('p:ed');
  await app.workspace.getLeaf(false).openFile(app.vault.getFileByPath('a.md') as TFile);
  expect(names()).toContain('p:ed');
  expect(app.commands.executeCommandById('p:ed')).toBe(true);
  document.body.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'g', ctrlKey: true, bubbles: true, cancelable: true }),
  );
  expect(ran).toEqual(['A', 'go']);
  await app.plugins.disablePlugin('p');
  expect(app.commands.executeCommandById('p:go')).toBe(false);
});

test('requestUrl answers, throws on bad statuses unless told not to, and refuses what the app refuses', async () => {
  const sent: unknown[] = [];
  await createTestApp({
    transport: async (request) => {
      sent.push(request);
      const status = request.url.endsWith('404') ? 404 : 200;
      return {
        status,
        headers: { 'content-type': 'application/json' },
        body: new TextEncoder().encode('{"a":1}').buffer,
      };
    },
  });
  const response = await requestUrl({ url: 'https://e.x/ok', method: 'post', body: 'b', contentType: 'text/plain' });
  expect(response.json).toEqual({ a: 1 });
  expect(response.text).toBe('{"a":1}');
  expect(sent[0]).toMatchObject({ method: 'POST', headers: { 'Content-Type': 'text/plain' } });
  expect(await requestUrl('https://e.x/ok').json).toEqual({ a: 1 });
  await expect(requestUrl('https://e.x/404')).rejects.toMatchObject({ status: 404 });
  expect((await requestUrl({ url: 'https://e.x/404', throw: false })).status).toBe(404);
  await expect(requestUrl({ url: 'https://e.x/ok', headers: { 'Content-Length': '1' } })).rejects.toThrow(
    'ERR_INVALID',
  );
  await expect(requestUrl('file:///etc/passwd')).rejects.toThrow();
});

test('the file explorer follows the vault and offers the file menu', async () => {
  const app = await createTestApp({ files: { 'b.md': '', 'a.md': '', 'Z/n.md': '' } });
  const rows = (): string[] =>
    Array.from(
      document.querySelectorAll('.nav-files-container [data-path]'),
      (row) => row.getAttribute('data-path') ?? '',
    );
  expect(rows()).toEqual(['Z', 'a.md', 'b.md']);
  document.querySelector<HTMLElement>('[data-path="Z"]')?.click();
  expect(rows()).toEqual(['Z', 'Z/n.md', 'a.md', 'b.md']);
  await app.vault.create('c.md', '');
  await app.vault.rename(app.vault.getFileByPath('a.md') as TFile, 'Z/a.md');
  await app.vault.delete(app.vault.getFileByPath('b.md') as TFile);
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect(rows()).toEqual(['Z', 'Z/a.md', 'Z/n.md', 'c.md']);
  let offered = '';
  app.workspace.on('file-menu', (menu, file, source) => {
    expect(menu).toBeInstanceOf(Menu);
    offered = `${file.path} ${source}`;
  });
  document
    .querySelector<HTMLElement>('[data-path="c.md"]')
    ?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true }));
  expect(offered).toBe('c.md file-explorer-context-menu');
  document.querySelector<HTMLElement>('[data-path="c.md"]')?.click();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(document.querySelector('[data-path="c.md"]')?.classList.contains('is-active')).toBe(true);
});

test('a bare app shows nothing at the sides, and still restores a layout', async () => {
  const bare = { bare: true };
  const types = ({ workspace }: TestApp): string[] => {
    const found: string[] = [];
    workspace.iterateAllLeaves(({ view }) => void found.push(view.getViewType()));
    return found.sort();
  };
  expect(types(await createTestApp({}))).toEqual(['empty', 'file-explorer', 'outline']);
  expect(types(await createTestApp(bare))).toEqual(['empty']);
  const state = { type: 'leaf', state: { type: 'outline' } };
  const saved = JSON.stringify({ right: { type: 'split', children: [{ type: 'tabs', children: [state] }] } });
  const restored = await createTestApp({ ...bare, files: { '.obsidian/workspace.json': saved } });
  expect(types(restored)).toEqual(['empty', 'outline']);
});

test('core plugins are on in a new vault, and follow their files', async () => {
  const fresh = await createTestApp({});
  expect(fresh.internalPlugins.getEnabledPluginById('daily-notes')).toEqual({ id: 'daily-notes', options: {} });
  expect(fresh.internalPlugins.getPluginById('sync')).toBeNull();
  const set = await createTestApp({
    files: {
      '.obsidian/core-plugins.json': '{"templates":false,"bases":true}',
      '.obsidian/daily-notes.json': '{"folder":"Journal"}',
      '.obsidian/templates.json': 'torn',
    },
  });
  expect(set.internalPlugins.getEnabledPluginById('daily-notes')?.options).toEqual({ folder: 'Journal' });
  expect(set.internalPlugins.getEnabledPluginById('templates')).toBeNull();
  expect(set.internalPlugins.getPluginById('templates')).toMatchObject({ enabled: false, instance: { options: {} } });
  const old = await createTestApp({ files: { '.obsidian/core-plugins.json': '["bases"]' } });
  expect(old.internalPlugins.getEnabledPluginById('daily-notes')).toBeNull();
  expect(old.internalPlugins.getEnabledPluginById('bases')).not.toBeNull();
});
