/** Signing in to a server, from its refusal to a call and through a renewal, with the built plugin and a strict authorization server. */
import path from 'node:path';
import { words } from '../../../src/text';
import { startSignInServer, type SignInServer } from '../../support/mcp-server/sign-in-server';
import type { Script } from '../../support/model-server';
import { openChatView, type OpenedChatView } from '../driver/chat-view';
import { readdir, readFile } from '../driver/reach';
import { sentRequests } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';
import { openWorkbench, type OpenedWorkbench, type OpenOptions } from '../driver/workbench';

jest.setTimeout(60_000);

const say = words.signIn;
const harbour = { session: true, tools: [{ name: 'tides', description: 'Tells the tides of a harbour.' }] };
const calling = { toolCalls: [{ name: 'boats_tides', arguments: { harbour: 'Kirkwall' } }] };

let server: SignInServer;
let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

async function open(script: Script, options: OpenOptions = {}): Promise<void> {
  const choice = { name: 'boats', url: server.url, keyName: '', isOn: true };
  const vault = { 'Now.md': '# Now\n' };
  workbench = await openWorkbench({ vault, scripted: script, settings: { mcpServers: [choice] }, ...options });
  chatView = await openChatView(workbench);
}

beforeEach(async () => (server = await startSignInServer(harbour)));
afterEach(async () => {
  await workbench.close();
  await server.close();
});

const dialog = () => workbench.page.locator('.docent-sign-in');
const button = (name: string) => dialog().getByRole('button', { name, exact: true });

/** Opens the page in the browser, and returns the final address that the server answers with there. */
async function throughTheBrowser(): Promise<string> {
  const { page } = workbench;
  const isPage = (response: { url(): string }): boolean => new URL(response.url()).pathname === '/authorize';
  const answered = page.context().waitForEvent('response', { predicate: isPage });
  await button(say.open).click();
  const { location = '' } = (await answered).headers();
  // The browser of the tests has nobody to hand such an address to.
  const others = page
    .context()
    .pages()
    .filter((each) => each !== page);
  await Promise.all(others.map((each) => each.close()));
  return location;
}

async function allowOffer(): Promise<void> {
  const settings = await openSettingsWindow(workbench);
  await settings.openPage(words.settings.pages.servers.name);
  await settings.row('boats').getByRole('button', { name: 'Review tools' }).click();
  await workbench.page.getByRole('button', { name: 'Allow on this device' }).click();
  await settings.row('boats').getByText('Ready: 1 tool, 0 prompts. Signed in.').waitFor();
  await settings.close();
}

async function sendCall(): Promise<string> {
  await chatView.send('When is high water?');
  await chatView.root.getByRole('button', { name: 'Send', exact: true }).click();
  await chatView.untilIdle();
  return sentRequests(workbench.model).at(-1)?.messages.at(-1)?.results.at(-1)?.text ?? '';
}

it('leads from a refusal to a call, through a renewal and a restart, and shows no token to anybody', async () => {
  await open([calling, { text: 'One.' }, calling, { text: 'Two.' }, calling, { text: 'Three.' }]);
  const settings = await openSettingsWindow(workbench);
  await settings.openPage(words.settings.pages.servers.name);
  const row = settings.row('boats');
  await row.getByRole('button', { name: 'Connect' }).click();
  await row.getByText(words.remote.signInWanted('boats')).waitFor();
  expect(server.asked).toEqual([]);
  await row.getByRole('button', { name: say.signIn, exact: true }).click();
  await dialog().getByText(server.issuer, { exact: false }).first().waitFor();
  await button(words.gate.allow).click();
  await button(say.open).waitFor();
  const final = new URL(await throughTheBrowser());
  // What Obsidian does with an address of its own, once with the answer of a stranger.
  const answer = (parameters: Record<string, string>): Promise<void> =>
    workbench.page.evaluate((given) => {
      window.app.protocolHandlers.get('docent-auth')?.({ action: 'docent-auth', ...given });
    }, parameters);
  await answer({ code: 'stolen', state: 'guessed' });
  await workbench.page.getByText(say.notHere, { exact: false }).waitFor();
  expect(server.tokenRequests).toEqual([]);
  await answer(Object.fromEntries(final.searchParams));
  await dialog().waitFor({ state: 'detached' });
  await row.getByText('Signed in.').waitFor();
  await settings.close();
  await allowOffer();

  expect(await sendCall()).toContain('tides got');
  server.expire();
  expect(await sendCall()).toContain('tides got');
  expect(server.tokenRequests.map((form) => form.get('grant_type'))).toEqual(['authorization_code', 'refresh_token']);
  await workbench.reload();
  chatView = await openChatView(workbench);
  server.expire();
  expect(await sendCall()).toContain('tides got');
  expect(server.mcp.calls).toHaveLength(3);
  expect(server.faults).toEqual([]);

  const body = await workbench.page.locator('body').innerText();
  const files = await textsOf(workbench.vaultFolder);
  for (const secret of server.given()) {
    expect(JSON.stringify(sentRequests(workbench.model))).not.toContain(secret);
    expect(body).not.toContain(secret);
    expect(files.filter((text) => text.includes(secret))).toEqual([]);
  }
});

it('takes a pasted address on a phone, says in the chat that a sign-in has expired, and signs out', async () => {
  server.set({ registers: 'loopback' });
  await open([calling, { text: 'One.' }], { phone: true, theme: 'light' });
  let settings = await openSettingsWindow(workbench);
  await settings.openPage(words.settings.pages.servers.name);
  await settings.row('boats').getByRole('button', { name: 'Connect' }).click();
  await settings.row('boats').getByRole('button', { name: say.signIn, exact: true }).click();
  await button(words.gate.allow).click();
  await button(say.open).waitFor();
  const final = await throughTheBrowser();
  await dialog().getByRole('textbox', { name: say.paste }).fill(final);
  await button(say.done).click();
  await dialog().waitFor({ state: 'detached' });
  await settings.close();
  await allowOffer();
  server.forgetAll();
  expect(await sendCall()).toContain(words.servers.noAccess('boats'));
  const notice = chatView.root.getByText(say.notice('boats'));
  await notice.waitFor();
  await notice.click();
  await button(say.open).waitFor();
  await dialog()
    .getByRole('textbox', { name: say.paste })
    .fill(await throughTheBrowser());
  await button(say.done).click();
  await notice.waitFor({ state: 'detached' });
  settings = await openSettingsWindow(workbench);
  await settings.openPage(words.settings.pages.servers.name);
  await settings.row('boats').getByLabel(say.signOut('boats')).click();
  await settings.row('boats').getByText(words.remote.signInWanted('boats')).waitFor();
  const stored = await workbench.page.evaluate(() => JSON.stringify(Object.entries({ ...window.localStorage })));
  expect(server.given().filter((secret) => stored.includes(secret))).toEqual([]);
  expect(server.faults).toEqual([]);
});

async function textsOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(files.map((file) => readFile(file, 'utf8').then(String)));
}
