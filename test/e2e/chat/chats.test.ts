/** Where the list of chats is: in an empty chat, in the chat view, and as a view of its own. */
import { words } from '../../../src/text';
import { openChatView, type OpenedChatView } from '../driver/chat-view';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(90_000);

const vault = { 'Now.md': 'The blue boat is on the hard.\n' };
const say = words.chats;

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;
afterEach(() => workbench.close());

const rows = () => chatView.root.locator('.docent-chats-row');
const row = (title: string) => rows().filter({ hasText: title });
const button = (name: string) => chatView.root.getByRole('button', { name });

/** Two chats, of which the second is in view. */
async function openTwo(options: Parameters<typeof openWorkbench>[0] = {}): Promise<void> {
  workbench = await openWorkbench({
    ...{ vault, scripted: ({ index }) => ({ text: index === 0 ? 'The anchor is a Bruce.' : 'It is blue.' }) },
    ...options,
  });
  chatView = await openChatView(workbench);
  await chatView.ask('Which anchor do we have?');
  await button(words.chatView.newChat).click();
  await chatView.ask('Which colour is the boat?');
}

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
  // The header of the tab names the chat, so that its action bar does not once more.
  await tab.locator('.view-header-title', { hasText: 'Which anchor' }).waitFor();
  await tab.locator('.docent-toolbar-title', { hasText: 'Which anchor' }).waitFor({ state: 'hidden' });
  // The list follows what is said while it is open.
  const input = workbench.page.locator('.mod-right-split .docent-composer-input');
  await input.fill('Since when?');
  await input.press('Enter');
  await list.locator('.docent-chats-row', { hasText: 'Which colour' }).getByText('2 messages').waitFor();
});
