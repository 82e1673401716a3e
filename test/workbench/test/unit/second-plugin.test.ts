/** @jest-environment jsdom */
/** A plugin that the workbench was not written for, run through the entry point for unit tests. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PluginManifest } from 'obsidian';
import { closeTestApps, createTestApp, MemoryAdapter } from 'obsidian-workbench/jest';

const read = (name: string): string => readFileSync(path.join(__dirname, '../second-plugin', name), 'utf8');

afterEach(() => closeTestApps());

async function until(holds: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 5_000; !holds(); await new Promise((resolve) => setTimeout(resolve, 2)))
    if (Date.now() > end) throw new Error(`Did not come: ${what}`);
}

it('shows a notice and writes a property', async () => {
  const adapter = new MemoryAdapter({ files: { 'Note.md': 'Four words of text.\n' } });
  const plugins = [{ manifest: JSON.parse(read('manifest.json')) as PluginManifest, main: read('main.js') }];
  const app = await createTestApp({ adapter, plugins });
  await app.workspace.openLinkText('Note', '');
  document.querySelector<HTMLElement>('[aria-label="Count words"]')?.click();
  await until(() => document.querySelector('.notice')?.textContent === '4 words', 'the notice');
  expect(app.commands.executeCommandById('word-count:note')).toBe(true);
  await until(() => adapter.textAt('Note.md') === '---\nwords: 4\n---\nFour words of text.\n', 'the property');
});
