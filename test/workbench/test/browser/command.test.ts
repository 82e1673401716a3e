/** The command runs a plugin that the workbench was not written for, over a copy of a vault, until it gets a signal. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openWindow } from './open-page';

jest.setTimeout(60_000);

const command = path.resolve(__dirname, '../../src/command.mjs');
let folder: string;
let running: ChildProcess | null = null;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'workbench-command-')));
  await cp(path.resolve(__dirname, '../second-plugin'), path.join(folder, 'plugin'), { recursive: true });
  await mkdir(path.join(folder, 'vault'));
  await writeFile(path.join(folder, 'vault/Note.md'), 'Four words of text.\n');
});

afterEach(async () => {
  await end();
  await rm(folder, { recursive: true, force: true });
});

interface Started {
  readonly url: string;
  readonly name: string;
  readonly vault: string;
}

function start(...given: string[]): Promise<Started> {
  const child = spawn(process.execPath, [command, path.join(folder, 'plugin'), '--no-open', ...given]);
  running = child;
  let [out, words] = ['', ''];
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`It ended with ${code}: ${words}`)));
    child.stderr.on('data', (text) => (words += String(text)));
    child.stdout.on('data', (text) => {
      out += String(text);
      const [, name, url] = /^(.*) workbench: (http:\S+)\n/.exec(out) ?? [];
      const vault = /^Vault: (.*) \(a copy, removed at the end\)$/m.exec(words)?.[1];
      if (name !== undefined && url !== undefined && vault !== undefined) resolve({ name, url, vault });
    });
  });
}

async function end(): Promise<number | null> {
  const child = running;
  running = null;
  if (child === null || child.exitCode !== null) return child?.exitCode ?? null;
  return new Promise((resolve) => {
    child.once('close', resolve);
    child.kill('SIGTERM');
  });
}

/** Waits until the page has written the text. */
async function untilHolds(file: string, text: string): Promise<void> {
  for (const end = Date.now() + 10_000; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const found = await readFile(file, 'utf8');
    if (found === text) return;
    if (Date.now() > end) throw new Error(`${file} holds ${JSON.stringify(found)}.`);
  }
}

it.each([
  ['on the desktop', []],
  ['on a phone, with chaos', ['--phone', '--chaos', '7']],
])('runs the plugin %s, and leaves nothing behind', async (_where, given) => {
  const { url, name, vault } = await start('--vault', path.join(folder, 'vault'), ...given);
  expect(name).toBe('Word count');
  const { page, errors, outsideRequests, close } = await openWindow(url, given.includes('--phone'));
  await page.evaluate(() => window.app.workspace.openLinkText('Note', ''));
  await page.waitForFunction(() => window.app.workspace.getActiveFile()?.path === 'Note.md');
  expect(await page.evaluate(() => window.app.commands.executeCommandById('word-count:note'))).toBe(true);
  const counted = '---\nwords: 4\n---\nFour words of text.\n';
  await untilHolds(path.join(vault, 'Note.md'), counted);
  expect([errors, outsideRequests]).toEqual([[], []]);
  await close();
  expect(await end()).toBe(0);
  expect(existsSync(vault)).toBe(false);
  expect(await readFile(path.join(folder, 'vault/Note.md'), 'utf8')).toBe('Four words of text.\n');
});

it('makes a vault where none is named, and loads the page again when the plugin is built anew', async () => {
  const { url } = await start();
  const { page, errors, close } = await openWindow(url, false);
  expect(await page.evaluate(() => window.app.vault.getMarkdownFiles().map((file) => file.path))).toEqual([
    'Welcome.md',
  ]);
  const file = path.join(folder, 'plugin/main.js');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('Count words', 'Count them'));
  await page.locator('[aria-label="Count them"]').waitFor();
  await page.locator('.cm-line').first().waitFor();
  await page.locator('[aria-label="Count them"]').click();
  expect(await page.locator('.notice').innerText()).toBe('10 words');
  expect(errors).toEqual([]);
  await close();
});
