/** Writing as a person meets it: one review a turn, half of it applied, all of it undone, with the folder looked at byte for byte. */
import { openChatView, type OpenedChatView } from '../driver/chat-view';
import { startChat } from '../driver/reach-walk';
import { closeQuiet, type OpenedWorkbench } from '../driver/workbench';
import {
  applied,
  bringUpToDate,
  card,
  openWith,
  press,
  treeOf,
  undone,
  withHunks,
  withoutPawel,
} from '../driver/writing-walk';

jest.setTimeout(400_000);

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

describe.each([
  ['desktop', {}],
  ['phone', { phone: true }],
] as const)('a review on a %s', (name, options) => {
  beforeAll(async () => {
    workbench = await openWith(options);
    chatView = await openChatView(workbench);
  });

  beforeEach(async () => {
    await startChat({ workbench, chatView });
    workbench.model?.setScript(bringUpToDate);
  });

  afterAll(() => closeQuiet(workbench));

  it('R058@disk R220@disk shows one review, applies only what is accepted, and undoes it byte for byte', async () => {
    const before = await treeOf(workbench);
    await chatView.ask('Bring the notes up to date.');
    await card(chatView).waitFor();
    expect(await card(chatView).count()).toBe(1);
    expect(await treeOf(workbench)).toEqual(before);
    await withoutPawel(chatView);
    await workbench.screenshot(`writing-${name}-waiting`);
    await press(chatView, /^Apply/);
    await applied(chatView);
    expect(await treeOf(workbench)).toEqual(withHunks(before));
    await workbench.screenshot(`writing-${name}-applied`);
    await press(chatView, 'Undo all');
    await undone(chatView);
    expect(await treeOf(workbench)).toEqual(before);
    await press(chatView, 'Redo all');
    await applied(chatView);
    expect(await treeOf(workbench)).toEqual(withHunks(before));
    await press(chatView, 'Undo all');
    await undone(chatView);
    expect(await treeOf(workbench)).toEqual(before);
  });

  if (name === 'phone') return;

  it('survives a reload, tells the model of a rejection, and leaves the folder as it was', async () => {
    const before = await treeOf(workbench);
    await chatView.ask('Bring the notes up to date.');
    await card(chatView).waitFor();
    await workbench.reload();
    chatView = await openChatView(workbench);
    await card(chatView).waitFor();
    await press(chatView, /^Reject all/);
    await card(chatView).getByRole('textbox').fill('Not this week.');
    await card(chatView).getByRole('textbox').press('Enter');
    await card(chatView)
      .getByText(/Rejected/)
      .first()
      .waitFor();
    expect(await treeOf(workbench)).toEqual(before);
    await chatView.ask('Why not?');
    expect(JSON.stringify(workbench.model?.requests.at(-1)?.body)).toContain('Not this week.');
  });

  it('keeps what is typed into an open note and not yet saved, when it applies and when it is undone', async () => {
    await chatView.ask('Bring the notes up to date.');
    await card(chatView).waitFor();
    const before = await treeOf(workbench);
    await workbench.page.evaluate(async () => {
      await window.app.workspace.openLinkText('Plan.md', '', false);
      window.app.workspace.activeEditor?.editor?.replaceRange('Typed. ', { line: 2, ch: 6 });
    });
    const typed = (before['Plan.md'] ?? '').replace('- [ ] Caulk', '- [ ] Typed. Caulk');
    await press(chatView, /^Apply/);
    await applied(chatView);
    expect((await treeOf(workbench))['Plan.md']).toBe(`${typed}- [ ] Launch\n`);
    await press(chatView, 'Undo all');
    await undone(chatView);
    expect(await treeOf(workbench)).toEqual({ ...before, 'Plan.md': typed });
  });

  it('says that links stay when the user has link updating off, and leaves them', async () => {
    await workbench.page.evaluate(() => {
      window.app.vault.setConfig('alwaysUpdateLinks', false);
      window.app.vault.setConfig('neverUpdateLinks', true);
    });
    const before = await treeOf(workbench);
    await chatView.ask('Bring the notes up to date.');
    await card(chatView).waitFor();
    expect(await card(chatView).innerText()).toMatch(/set not to update links/);
    await withoutPawel(chatView);
    await press(chatView, /^Apply/);
    await applied(chatView);
    expect(await treeOf(workbench)).toEqual(withHunks(before, false));
    await press(chatView, 'Undo all');
    await undone(chatView);
    expect(await treeOf(workbench)).toEqual(before);
  });
});
