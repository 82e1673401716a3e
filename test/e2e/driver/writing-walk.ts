/** What the walks of writing share: a vault, a script that changes all kinds of things in it, and the folder as bytes. */
import path from 'node:path';
import { openChatView, until, type OpenedChatView } from './chat-view';
import { readdir, readFile } from './reach';
import { chaosSeeds, openWorkbench, type OpenedWorkbench, type OpenOptions } from './workbench';
import type { Script, ScriptedToolCall } from '../../support/model-server';

const linking = Object.fromEntries(
  Array.from({ length: 8 }, (_, index) => [
    `Log/Day ${index + 1}.md`,
    `# Day ${index + 1}\r\n\r\nSaw [[Heron|the heron]] and ![[Heron#Rig]] at ${index} knots.`,
  ]),
);
const vault: Record<string, string> = {
  ...linking,
  'Heron.md': '# Heron\n\nA clinker dinghy.\n\n## Rig\n\nLugsail.\n',
  'Crew.md': '\ufeff---\nrole: crew\n---\n# Crew\r\n\r\nRui steers.\r\n\r\nMhairi bails.\r\n\r\nPawel sings.',
  'Stores.md': '| What | How many |\n|---|---|\n| Rope | 3 |\n| Buckets | 2 |\n',
  'Plan.md': '# Plan\n\n- [ ] Caulk the seams\n- [ ] Paint the hull\n',
  'Scrap.md': 'Nothing of worth.\n',
};

/** A call that proposes to replace a piece of a note. */
export function editNote(notePath: string, oldText: string, newText: string): ScriptedToolCall {
  return { name: 'edit_note', arguments: { path: notePath, oldText, newText } };
}

const changing: readonly ScriptedToolCall[] = [
  editNote('Crew.md', 'Rui steers.', 'Rui navigates.'),
  editNote('Crew.md', 'Pawel sings.', 'Pawel cooks.'),
  editNote('Stores.md', '| Rope | 3 |', '| Rope | 5 |'),
  { name: 'append_to_note', arguments: { path: 'Plan.md', text: '- [ ] Launch' } },
  { name: 'move_note', arguments: { path: 'Heron.md', newPath: 'Boats/Grey heron.md' } },
  { name: 'delete_note', arguments: { path: 'Scrap.md' } },
];

/** Reads everything first, then makes all changes in one answer. */
export const bringUpToDate: Script = ({ index }) => {
  const paths = ['Crew.md', 'Stores.md', 'Plan.md', 'Heron.md', 'Scrap.md'];
  if (index === 0) return { toolCalls: [{ name: 'read_notes', arguments: { paths } }] };
  if (index === 1) return { toolCalls: changing };
  return { text: 'Proposed.' };
};

/** Every file of the vault but those of the app and of Docent, as bytes. */
export async function treeOf(workbench: OpenedWorkbench): Promise<Record<string, string>> {
  const { vaultFolder } = workbench;
  const names = await readdir(vaultFolder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(vaultFolder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !/^\.|^Docent\//.test(name))
    .sort();
  const read = Promise.all(files.map((name) => readFile(path.join(vaultFolder, name), 'latin1')));
  // A note that is deleted between the list and the read leaves the list out of date.
  const texts = await read.catch(() => null);
  if (texts === null) return treeOf(workbench);
  return Object.fromEntries(files.map((name, index) => [name, texts[index] ?? '']));
}

/** Writes the notes of the vault as the app would, until it holds these again and no other files but those of chats. */
export async function restoreNotes({ page }: OpenedWorkbench, notes: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(async (wanted) => {
    const { vault } = window.app;
    // What another device wrote a moment ago may be on the disk before the app has heard of it.
    const isBehind = async (): Promise<boolean> => {
      const paths = [...vault.getFiles().map(({ path }) => path), ...Object.keys(wanted)];
      const there = await Promise.all(paths.map((path) => vault.adapter.exists(path)));
      return paths.some((path, index) => (vault.getFileByPath(path) !== null) !== there[index]);
    };
    while (await isBehind()) await new Promise((resolve) => window.setTimeout(resolve, 20));
    for (const file of vault.getFiles()) {
      if (!(file.path in wanted) && !file.path.startsWith('Docent/chats/')) await vault.delete(file);
    }
    for (const [path, text] of Object.entries(wanted)) {
      const file = vault.getFileByPath(path);
      if (file === null) await vault.create(path, text);
      else if ((await vault.read(file)) !== text) await vault.modify(file, text);
    }
  }, notes);
}

export async function openWith(options: OpenOptions) {
  const files = { ...vault, '.obsidian/app.json': JSON.stringify({ alwaysUpdateLinks: true }) };
  return openWorkbench({ vault: files, scripted: bringUpToDate, ...options });
}

export const card = (chatView: OpenedChatView) => chatView.root.locator('.docent-review');
export const press = (chatView: OpenedChatView, name: RegExp | string) =>
  chatView.root.getByRole('button', { name }).first().click();
export const applied = (chatView: OpenedChatView) =>
  card(chatView)
    .getByText(/Applied to/)
    .first()
    .waitFor({ timeout: 150_000 });
export const undone = (chatView: OpenedChatView) =>
  card(chatView)
    .getByText(/Undone in/)
    .first()
    .waitFor({ timeout: 150_000 });

export async function withoutPawel(chatView: OpenedChatView): Promise<void> {
  await card(chatView).getByRole('checkbox', { name: 'Accept line 10 of Crew' }).uncheck();
}

export function withHunks(before: Record<string, string>, moved = true): Record<string, string> {
  const { 'Heron.md': heron = '', 'Scrap.md': _scrap, ...rest } = before;
  const replaced = Object.entries(rest).map(([name, text]) => [
    name,
    name.startsWith('Log/') && moved
      ? text.replace('[[Heron|the heron]]', '[[Grey heron|the heron]]').replace('[[Heron#Rig]]', '[[Grey heron#Rig]]')
      : text,
  ]);
  return Object.fromEntries(
    Object.entries({
      ...(Object.fromEntries(replaced) as Record<string, string>),
      'Boats/Grey heron.md': heron,
      'Crew.md': (before['Crew.md'] ?? '').replace('Rui steers.', 'Rui navigates.'),
      'Stores.md': (before['Stores.md'] ?? '').replace('| Rope | 3 |', '| Rope | 5 |'),
      'Plan.md': `${before['Plan.md']}- [ ] Launch\n`,
    }).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Every so many-th of the seeds, so that several workers share them. */
export function walkSeeds(part: number, parts: number): void {
  const seeds = chaosSeeds().filter((_, index) => index % parts === part);
  // With fewer seeds than files, the others walk without chaos.
  describe.each(seeds.length > 0 ? seeds : [null])('seed %p', (chaosSeed) => {
    it('applies what is accepted and undoes it byte for byte, whatever the app does', async () => {
      const workbench = await openWith({ chaosSeed });
      const chatView = await openChatView(workbench);
      const before = await treeOf(workbench);
      await chatView.ask('Bring the notes up to date.');
      await card(chatView).waitFor();
      await withoutPawel(chatView);
      await press(chatView, /^Apply/);
      await applied(chatView);
      const after = await treeOf(workbench);
      const wanted = withHunks(before);
      expect(Object.keys(after)).toEqual(Object.keys(wanted));
      for (const file of ['Crew.md', 'Stores.md', 'Plan.md', 'Boats/Grey heron.md'])
        expect(after[file]).toBe(wanted[file]);
      await press(chatView, 'Undo all');
      await undone(chatView);
      const isAsBefore = async (): Promise<boolean> =>
        JSON.stringify(await treeOf(workbench)) === JSON.stringify(before);
      // What is not shows more than that it is not.
      await until(isAsBefore, 'all is as before', 15_000).catch(() => undefined);
      expect(await treeOf(workbench)).toEqual(before);
      expect(workbench.errors).toEqual([]);
      await workbench.close();
    });
  });
}
