/** A waiting review while the vault goes on: notes are renamed, moved outside, get other line endings, and are deleted. */
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { words } from '../../../src/text';
import { openChatView, until, type OpenedChatView } from '../driver/chat-view';
import { closeQuiet, type OpenedWorkbench, openWorkbench } from '../driver/workbench';
import { editNote } from '../driver/writing-walk';
import type { Script, ScriptedToolCall } from '../../support/model-server';

jest.setTimeout(240_000);

const vault = {
  'Crew.md': '# Crew\n\nRui steers by day.\n\nMhairi bails.\n\nPawel sings all the time.\n',
  'Stores.md': '| What | How many |\n|---|---|\n| Rope | 3 |\n',
  'Lines.md': 'One.\n\nTwo.\n',
  'Scrap.md': 'Nothing.\n',
  'Heron.md': '# Heron\n\n[[#Heron]]\n',
  'Board.canvas': JSON.stringify({ nodes: [{ id: 'a', type: 'file', file: 'Heron.md' }], edges: [] }),
  'Fleet.base': 'filters: file.links.contains(link("Heron"))\n',
  '.obsidian/app.json': '{"alwaysUpdateLinks":true}',
};
const calls: readonly ScriptedToolCall[] = [
  editNote('Crew.md', 'Rui steers by day.', 'Rui navigates by day.'),
  editNote('Crew.md', 'all the time', 'in the evening'),
  editNote('Stores.md', '| Rope | 3 |', '| Rope | 5 |'),
  editNote('Lines.md', 'One.', '1.'),
  editNote('Scrap.md', 'Nothing.', 'Something.'),
  { name: 'move_note', arguments: { path: 'Heron.md', newPath: 'Boats/Grey heron.md' } },
  { name: 'create_note', arguments: { path: 'crew list.md', text: 'Rui.\n' } },
];
const notes = Object.keys(vault).filter((name) => name.endsWith('.md'));
const script: Script = ({ index }) => {
  if (index === 0) return { toolCalls: [{ name: 'read_notes', arguments: { paths: notes } }] };
  return index === 1 ? { toolCalls: calls } : { text: 'Proposed.' };
};

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;
const card = (): Locator => chatView.root.locator('.docent-review');
const change = (name: string): Locator => card().locator('.docent-review-change', { hasText: name });

afterEach(() => closeQuiet(workbench));

/** Renames a note as a person does, by the menu of its row in the file explorer. */
async function renameInExplorer(note: string, name: string): Promise<void> {
  const { page } = workbench;
  await page.evaluate(() => window.app.workspace.leftSplit.expand());
  await page.locator(`.nav-file-title[data-path="${note}"]`).click({ button: 'right' });
  await page.locator('.menu').getByText('Rename...').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

it('follows notes that were renamed, keeps an edit box to its lines, and offers to create a deleted note again', async () => {
  workbench = await openWorkbench({ vault: { ...vault, 'Crew List.md': 'Theirs.\n' }, scripted: script });
  chatView = await openChatView(workbench);
  await chatView.ask('Bring the notes up to date.');
  await card().waitFor();
  const inVault = (name: string): string => path.join(workbench.vaultFolder, name);

  const heron = change('Grey heron');
  await heron.getByText('Updates cards in 1 canvas').waitFor();
  await heron.getByText('1 file mentions the note').waitFor();
  expect(await heron.locator('.docent-review-paths').allTextContents()).toEqual(['Board.canvas', 'Fleet.base']);
  await change('crew list').getByText('differs only in case').waitFor();

  // The box is open while the note is renamed in the app.
  await card().getByRole('button', { name: 'Edit line 7 of Crew' }).click();
  const box = card().locator('textarea');
  await box.fill('Pawel sings at dusk.');
  await renameInExplorer('Crew.md', 'Hands');
  await until(() => workbench.readNote('Hands.md').then(Boolean, () => false), 'the note is renamed');
  await workbench.writeNote('Lines.md', vault['Lines.md'].replaceAll('\n', '\r\n'));
  await rename(inVault('Stores.md'), inVault('Supplies.md'));
  await rm(inVault('Scrap.md'));
  await change('Supplies').getByText('The note was at Stores.md').waitFor();
  const missing = change('Scrap').getByRole('alert');
  await missing.waitFor();
  await missing.scrollIntoViewIfNeeded();
  await workbench.screenshot('review-missing-note');
  expect(await box.inputValue()).toBe('Pawel sings at dusk.');
  await box.press('Control+Enter');
  await change('Hands').locator('ins', { hasText: 'dusk' }).waitFor();
  expect(await change('Hands').locator('ins', { hasText: 'navigates' }).count()).toBe(1);

  // All of it is there after a restart.
  await workbench.reload();
  chatView = await openChatView(workbench);
  await change('Hands').getByText('The note was at Crew.md').waitFor();
  await change('Scrap').getByRole('button', { name: 'Create Scrap again' }).click();
  await change('Scrap').getByRole('alert').waitFor({ state: 'detached' });
  await card()
    .getByRole('button', { name: /^Apply/ })
    .click();
  await card()
    .getByText(/^Applied to/)
    .waitFor();
  expect(await workbench.readNote('Hands.md')).toBe(
    vault['Crew.md'].replace('steers', 'navigates').replace('all the time', 'at dusk'),
  );
  expect(await workbench.readNote('Supplies.md')).toContain('| Rope | 5 |');
  expect(await workbench.readNote('Lines.md')).toBe('1.\r\n\r\nTwo.\r\n');
  expect(await workbench.readNote('Scrap.md')).toBe('Something.\n');
  expect([await workbench.readNote('crew list.md'), await workbench.readNote('Crew List.md')]).toEqual([
    'Rui.\n',
    'Theirs.\n',
  ]);
  expect(await workbench.readNote('Board.canvas')).toContain('Boats/Grey heron.md');
  for (const gone of ['Crew.md', 'Stores.md', 'Heron.md']) await expect(workbench.readNote(gone)).rejects.toThrow();

  // A note that was deleted since is not created again by opening it.
  await rm(inVault('Scrap.md'));
  await workbench.page.waitForFunction(() => window.app.vault.getFileByPath('Scrap.md') === null);
  await card()
    .getByRole('button', { name: words.review.openNote('Scrap') })
    .click();
  await workbench.page.getByText(words.render.noteMissing('Scrap.md')).waitFor();
  await expect(workbench.readNote('Scrap.md')).rejects.toThrow();
});
