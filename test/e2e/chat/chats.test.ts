/** The list of chats: yesterday's chat is found again, named, put first, deleted, and brought back. */
import { words } from '../../../src/text';
import { openChatView, readLog, until, type OpenedChatView } from '../driver/chat-view';
import { measureOverflow } from '../driver/measure-look';
import { lookInThemes, openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(90_000);

const vault = { 'Now.md': 'The blue boat is on the hard.\n' };
const say = words.chats;

/** What follows in the first answer, with a word that is far below. */
const long = Array.from({ length: 40 }, (_, line) => `\n\nPage ${line}${line === 30 ? ', a shackle' : ''}.`).join('');

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;
afterEach(() => workbench.close());

const rows = () => chatView.root.locator('.docent-chats-row');
const row = (title: string) => rows().filter({ hasText: title });
const button = (name: string) => chatView.root.getByRole('button', { name });
const choose = async (title: string, action: string): Promise<void> => {
  await row(title)
    .getByRole('button', { name: say.more(title) })
    .click();
  await workbench.page.locator('.menu-item', { hasText: action }).first().click();
};

/** Whether what was searched for is marked, and in view. */
const isPassageInView = (): Promise<boolean> =>
  workbench.page.evaluate(() => {
    const [range] = [...(CSS.highlights.get('docent-find-current') ?? [])] as Range[];
    const view = document.querySelector('.docent-transcript')?.getBoundingClientRect();
    const passage = range?.getBoundingClientRect();
    if (range?.toString() !== 'shackle' || view === undefined || passage === undefined) return false;
    return passage.top >= view.top && passage.bottom <= view.bottom;
  });
const setWidth = (width: string): Promise<void> =>
  workbench.page.evaluate((wanted) => {
    const [leaf] = window.app.workspace.getLeavesOfType('docent-chat');
    leaf?.view.containerEl.setCssStyles({ width: wanted });
  }, width);

/** Two chats, of which the second is in view. */
async function openTwo(options: Parameters<typeof openWorkbench>[0] = {}): Promise<void> {
  workbench = await openWorkbench({
    ...{ vault, scripted: ({ index }) => ({ text: index === 0 ? `The anchor is a Bruce.${long}` : 'It is blue.' }) },
    ...options,
  });
  chatView = await openChatView(workbench);
  await chatView.ask('Which anchor do we have?');
  await button(words.chatView.newChat).click();
  await chatView.ask('Which colour is the boat?');
}

it('finds the chat of before the restart by a word in it, renames, pins, deletes and restores it (dark and light)', async () => {
  await openTwo();
  await workbench.reload();
  chatView = await openChatView(workbench);
  await chatView.questions.first().getByText('Which colour').waitFor();
  await button(words.commandNames['show-chats']).click();
  await row('Which anchor').waitFor();
  const { keyboard } = workbench.page;
  await keyboard.type('shackle');
  await row('Which anchor').locator('mark', { hasText: 'shackle' }).waitFor();
  expect(await rows().count()).toBe(1);
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await chatView.answers.first().getByText('The anchor is a Bruce.').waitFor();
  expect(await chatView.questions.count()).toBe(1);
  await until(isPassageInView, 'the passage is marked in view');
  await keyboard.press('Escape');

  await button(words.commandNames['show-chats']).click();
  await chatView.root.getByRole('searchbox', { name: say.search }).fill('');
  await row('Which anchor').locator('.docent-chats-open').focus();
  await keyboard.press('F2');
  await chatView.root.locator('.docent-chats-rename:focus').waitFor();
  await keyboard.type('Ground tackle');
  await keyboard.press('Enter');
  await choose('Ground tackle', say.pin);
  await rows().first().getByText('Ground tackle').waitFor();
  const kinds = (await readLog(workbench)).map(({ k, b }) => [k, b]);
  expect(kinds).toContainEqual(['title', { title: 'Ground tackle' }]);
  expect(kinds).toContainEqual(['chat-list', { pinned: true }]);

  await row('Which colour').locator('.docent-chats-open').focus();
  await keyboard.press('Delete');
  await chatView.root.getByText(say.deleted('Which colour is the boat?')).waitFor();
  expect(await rows().count()).toBe(1);
  await setWidth('300px');
  await lookInThemes(workbench, 'chats-deleted-300', async () =>
    expect((await measureOverflow(workbench.page)).filter((each) => each.includes('docent-chats'))).toEqual([]),
  );
  await setWidth('');
  await button(say.undo).focus();
  await keyboard.press('Enter');
  await row('Which colour is the boat?').waitFor();
  const marks = (await readLog(workbench)).flatMap(({ b }) => b['deleted'] ?? []);
  expect(marks).toEqual([true, false]);
  await choose('Which colour is the boat?', say.delete);
  await button(say.deletedChats(1)).click();
  await choose('Which colour is the boat?', say.trash);
  await workbench.page.locator('.modal').getByRole('button', { name: say.trash }).click();
  await rows().first().waitFor({ state: 'detached' });
  expect((await readLog(workbench)).some(({ b }) => b['text'] === 'Which colour is the boat?')).toBe(false);
});

it('offers recent chats in an empty one, on the phone too, and goes on with the one that is chosen', async () => {
  await openTwo({ phone: true });
  await button(words.chatView.newChat).click();
  const recent = chatView.root.getByRole('region', { name: say.recent });
  await recent.getByText('Which anchor do we have?').waitFor();
  await recent.getByText('Which anchor do we have?').click();
  await chatView.answers.first().getByText('The anchor is a Bruce.').waitFor();
  await chatView.ask('Since when?');
  expect(JSON.stringify(workbench.model?.requests.at(-1)?.body)).toContain('The anchor is a Bruce.');
  await button(words.commandNames['show-chats']).click();
  await row('Which anchor').waitFor();
});

it('opens a chat in a tab of its own, and the list as a view', async () => {
  await openTwo();
  await workbench.command('open-chat-list');
  const list = workbench.page.locator('.workspace-leaf-content[data-type="docent-chats"]');
  await list.getByText('Which anchor do we have?').click({ modifiers: ['ControlOrMeta'] });
  const tab = workbench.page.locator('.mod-root .workspace-leaf-content[data-type="docent-chat"]');
  await tab.getByText('The anchor is a Bruce.').waitFor();
  await workbench.page.locator('.mod-right-split .docent-answer', { hasText: 'It is blue.' }).waitFor();
  await tab.locator('.docent-toolbar-title', { hasText: 'Which anchor' }).waitFor();
  // The list follows what is said while it is open.
  const input = workbench.page.locator('.mod-right-split .docent-composer-input');
  await input.fill('Since when?');
  await input.press('Enter');
  await list.locator('.docent-chats-row', { hasText: 'Which colour' }).getByText('2 messages').waitFor();
});
