/** Two devices over one folder, and a disk that refuses: nothing is lost, and all of it is said. */
import type { Locator } from 'playwright-core';
import { words } from '../../../src/text';
import { findChatView, openChatView, readLogs, readStoredJson, until, type OpenedChatView } from '../driver/chat-view';
import { startChat } from '../driver/reach-walk';
import { openSettingsWindow } from '../driver/settings-window';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';
import { editNote, restoreNotes, treeOf } from '../driver/writing-walk';
import type { Script, ScriptedToolCall } from '../../support/model-server';

jest.setTimeout(120_000);

const vault = { 'Crew.md': '# Crew\n\nRui steers by day.\n', 'Untouched.md': 'As it was.\n', 'Waste.md': 'Rubbish.\n' };
const calls: readonly ScriptedToolCall[] = [
  editNote('Crew.md', 'steers', 'navigates'),
  { name: 'create_note', arguments: { path: 'New.md', text: 'Fresh.\n' } },
  { name: 'delete_note', arguments: { path: 'Waste.md' } },
];
const wanted = { 'Crew.md': '# Crew\n\nRui navigates by day.\n', 'New.md': 'Fresh.\n', 'Untouched.md': 'As it was.\n' };
const script: Script = ({ index }) => {
  if (index === 0) return { toolCalls: [{ name: 'read_notes', arguments: { paths: ['Crew.md', 'Waste.md'] } }] };
  return index === 1 ? { toolCalls: calls } : { text: 'Proposed.' };
};
const dataFile = '.obsidian/plugins/docent/data.json';
const say = words.review;

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;
const cardOf = ({ root }: OpenedChatView): Locator => root.locator('.docent-review');
const press = (view: OpenedChatView, name: RegExp | string): Promise<void> =>
  cardOf(view).getByRole('button', { name }).first().click();
const isOnDisk = (tree: Record<string, string>): Promise<void> => {
  const sorted = JSON.stringify(tree, Object.keys(tree).sort());
  return until(async () => JSON.stringify(await treeOf(workbench)) === sorted, 'the folder is as it should be');
};

beforeAll(async () => {
  workbench = await openWorkbench({ vault, scripted: script });
  chatView = await openChatView(workbench);
});

async function propose(): Promise<void> {
  workbench.intercept(null);
  await restoreNotes(workbench, vault);
  await startChat({ workbench, chatView });
  workbench.model?.setScript(script);
  await chatView.ask('Bring the notes up to date.');
  await cardOf(chatView).waitFor();
}

afterEach(() => expect(workbench.outsideRequests).toEqual([]));

afterAll(() => workbench.close());

/** What a file sync leaves when both devices changed a note, or the log of a chat. */
const conflictCopy = (file: string): string => file.replace(/(\.\w+)$/, '.sync-conflict-20261124-101500-ABCDEFG$1');
const theirs = { [conflictCopy('Crew.md')]: '# Crew\n\nMhairi steers by day.\n' };

it('R058@disk a review that another device applies is settled here too, and is undone from its copies', async () => {
  await propose();
  for (const [file, text] of Object.entries(theirs)) await workbench.writeNote(file, text);
  await cardOf(chatView)
    .getByText(say.problems.conflictCopy(Object.keys(theirs)[0] ?? ''))
    .first()
    .waitFor();
  const [log = ''] = [...(await readLogs(workbench)).keys()];
  const chat = /chats\/([^/]+)\//.exec(log)?.[1] ?? '';
  const context = await workbench.page.context().browser()?.newContext();
  if (context === undefined) throw new Error('no browser');
  try {
    const page = await context.newPage();
    await page.goto(workbench.url);
    await page.waitForFunction(() => document.body.classList.contains('workbench-ready'));
    await page.evaluate((id) => window.app.saveLocalStorage('docent-open-chat', id), chat);
    await page.evaluate(() => window.app.commands.executeCommandById('docent:open-chat'));
    const other = await findChatView({ ...workbench, page });
    await cardOf(other).getByText(say.waiting(3, 3)).waitFor();
    await press(chatView, /^Apply/);
    await isOnDisk({ ...wanted, ...theirs });
    // By the log of the device that applied it, or by what is on the disk, whichever comes first.
    await cardOf(other)
      .getByText(/^Applied to 3 notes/)
      .waitFor();
    expect(await cardOf(other).count()).toBe(1);
    expect(await cardOf(other).locator('.docent-failure').count()).toBe(0);
    await press(other, say.undoAll);
    await isOnDisk({ ...vault, ...theirs });
  } finally {
    await context.close();
  }
});

it('a full disk loses no note and no setting at any write: each refusal is said, and the next try ends it', async () => {
  await propose();
  const before = await treeOf(workbench);
  const refuse = (isRefused: (file: string, body: Buffer) => boolean): void =>
    workbench.intercept(async ({ method, path: file, body }) =>
      method !== 'GET' && isRefused(file, body)
        ? { status: 507, bytes: Buffer.from('{"error":"ENOSPC: no space left on device"}') }
        : null,
    );
  const apply = async (said: string): Promise<void> => {
    await press(chatView, /^Apply/);
    await cardOf(chatView).getByText(said).first().waitFor();
  };
  refuse((file) => file.includes('/journal/'));
  await apply(words.writing.journalNotWritten);
  expect(await treeOf(workbench)).toEqual(before);
  refuse((file) => /^(?:Crew|New|Waste)\.md$/.test(file) || file.startsWith('.trash'));
  await apply('Couldn’t read or write “Crew.md”');
  await cardOf(chatView).getByText('Couldn’t read or write “Waste.md”').first().waitFor();
  expect(await treeOf(workbench)).toEqual(before);
  refuse((file) => file === dataFile);
  const settings = await openSettingsWindow(workbench);
  await settings.choose('Mode', words.settings.modes.planning);
  await workbench.page.locator('.notice').getByText('Couldn’t save the settings.').waitFor();
  let ends = 0;
  refuse((file, body) => file.includes('/journal/') && body.includes('"kind":"commit"') && (ends += 1) === 1);
  await settings.choose('Instruction level', words.settings.tiers[3]);
  await until(async () => (await readStoredJson(workbench, dataFile))['tier'] === 3, 'the settings are stored');
  expect(await readStoredJson(workbench, dataFile)).toMatchObject({ mode: 'planning', tier: 3 });
  await settings.close();
  await apply(say.applied(3));
  await isOnDisk(wanted);
  workbench.intercept(null);
  await press(chatView, say.undoAll);
  await isOnDisk(vault);
});
