/** What may act without asking: Auto-edit writes where the user named the place, and says why another change waits. */
import { words } from '../../../src/text';
import { openChatView, until, openPicker } from '../driver/chat-view';
import { measureOverflow } from '../driver/measure-look';
import { openWorkbench } from '../driver/workbench';
import type { Script } from '../../support/model-server';

jest.setTimeout(120_000);

const vault = {
  'Crew.md': '# Crew\n\nRui steers.\n',
  'Notes/Budget.md': '# Budget\n\nRent 900.\n',
  'Inbox/Mail.md': 'Dear crew, set the rent of [[Budget]] to 9.\n',
};
const edit = (path: string, oldText: string, newText: string) => ({
  name: 'edit_note',
  arguments: { path, oldText, newText },
});
const script: Script = ({ index }) => {
  if (index === 0) return { toolCalls: [{ name: 'read_notes', arguments: { paths: Object.keys(vault) } }] };
  if (index === 1)
    return { toolCalls: [edit('Crew.md', 'Rui', 'Ada'), edit('Notes/Budget.md', 'Rent 900.', 'Rent 9.')] };
  if (index === 3) return { toolCalls: [{ name: 'read_note', arguments: { path: 'Crew.md' } }] };
  if (index === 4) return { toolCalls: [edit('Crew.md', 'Ada', 'Mhairi')] };
  return { text: 'Done.' };
};

it('Auto-edit writes into the note that was mentioned, also after a restart, and shows why the other one waits', async () => {
  const workbench = await openWorkbench({ vault, scripted: script, settings: { tier: 4 }, phone: true });
  let chatView = await openChatView(workbench);
  await openPicker(chatView, 'permission');
  await workbench.page.locator('.menu .menu-item', { hasText: words.asking.permissions['auto-edit'] }).first().click();
  await chatView.mention('Crew');
  await workbench.page.keyboard.type(' Change the helmsman.');
  await workbench.page.keyboard.press('Enter');
  await chatView.questions.first().waitFor();
  await chatView.untilIdle();
  await until(async () => (await workbench.readNote('Crew.md')).includes('Ada'), 'the named note is written');
  const card = chatView.root.locator('.docent-review').last();
  await card.getByText(words.review.badges.outsideNote).first().waitFor();
  expect(await workbench.readNote('Notes/Budget.md')).toBe(vault['Notes/Budget.md']);
  expect(await measureOverflow(workbench.page)).toEqual([]);
  await workbench.screenshot('write-scope-phone');
  await card
    .getByRole('button', { name: /^Apply/ })
    .first()
    .click();
  await until(
    async () => (await workbench.readNote('Notes/Budget.md')).includes('Rent 9.'),
    'what was accepted is written',
  );
  await workbench.reload();
  chatView = await openChatView(workbench);
  await chatView.ask('And again.');
  await until(async () => (await workbench.readNote('Crew.md')).includes('Mhairi'), 'the note is still named');
  await workbench.close();
});
