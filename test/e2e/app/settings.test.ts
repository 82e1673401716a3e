/** Settings by their window and by their file: what is chosen is in the next request, and nothing stored is lost. */
import { builtInTemplates } from '../../../src/core/prompt/tiered-prompt-store';
import { words } from '../../../src/text';
import { openChatView, readLog, readLogs, readStoredJson, until, type OpenedChatView } from '../driver/chat-view';
import { lastSent, sentRequests } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';
import { openWorkbench, type OpenedWorkbench, type OpenOptions } from '../driver/workbench';

jest.setTimeout(60_000);

const vault = { 'Now.md': 'The blue boat is on the hard.\n' };
const dataFile = '.obsidian/plugins/docent/data.json';

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

async function open(options: OpenOptions = {}): Promise<void> {
  workbench = await openWorkbench({ vault, scripted: () => ({ text: 'Understood.' }), ...options });
  chatView = await openChatView(workbench);
}

async function storedSettings(): Promise<Record<string, unknown>> {
  return readStoredJson(workbench, dataFile);
}

/** The settings that the plugin starts with when nothing is chosen, as this test file stores them. */
async function store(change: Record<string, unknown>): Promise<void> {
  await workbench.writeNote(dataFile, JSON.stringify({ ...(await storedSettings()), ...change }));
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
const template = (mode: Parameters<typeof builtInTemplates.serve>[0], tier: 1 | 2 | 3 | 4 | 5): string =>
  builtInTemplates.serve(mode, tier).text;

afterEach(async () => {
  // The browser reports a server that is down by itself.
  expect(workbench.errors.filter((error) => !error.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
  await workbench.close();
});

it('R006 R094@request R097@request R107@request puts the chosen mode and tier into the next request', async () => {
  await open();
  await chatView.ask('one');
  expect(lastSent(workbench.model).system).toContain(firstLine(template('assistant', 5)));
  const settings = await openSettingsWindow(workbench);
  await settings.choose('Mode', words.settings.modes.planning);
  await settings.choose('Prompt size', words.settings.tiers[3]);
  await settings.close();
  await chatView.ask('two');
  const { system } = lastSent(workbench.model);
  expect(system).toContain(template('planning', 3));
  expect(system).not.toContain(firstLine(template('assistant', 5)));
  expect(await storedSettings()).toMatchObject({ mode: 'planning', tier: 3 });
});

it('R094@request R095@request lets the tier follow a context window that the user sets', async () => {
  await open();
  const settings = await openSettingsWindow(workbench);
  await settings.type('Context window', '16384');
  await settings.close();
  await chatView.ask('one');
  expect(lastSent(workbench.model).system).toContain(template('assistant', 3));
});

it('sends the next message to the chosen model', async () => {
  await open({ settings: { model: 'reader/built-in' } });
  await chatView.ask('the blue boat');
  expect(sentRequests(workbench.model)).toEqual([]);
  const settings = await openSettingsWindow(workbench);
  await settings.choose('Model', 'Anthropic: scripted');
  await settings.close();
  const answer = await chatView.ask('and now?');
  expect(await answer.innerText()).toContain('Understood.');
  expect(workbench.model?.requests[0]?.path).toBe('/anthropic/v1/messages');
  expect(workbench.model?.requests[0]?.body).toMatchObject({ model: 'scripted' });
});

it('keeps new chats in another agent folder from the moment it is chosen, and leaves the old files alone', async () => {
  await open();
  await chatView.ask('in the old folder');
  const before = await readLogs(workbench);
  const settings = await openSettingsWindow(workbench);
  await settings.type('Agent folder', ' /Meta/Agent/ ');
  await settings.close();
  await workbench.command('new-chat');
  await chatView.questions.first().waitFor({ state: 'detached' });
  await chatView.ask('in the new folder');
  expect(JSON.stringify(await readLog(workbench, 'Meta/Agent'))).toContain('in the new folder');
  expect(await readLogs(workbench)).toEqual(before);
  expect(await storedSettings()).toMatchObject({ agentFolder: 'Meta/Agent' });
});

it('refuses bad values where they are typed and stores none of them', async () => {
  await open();
  const before = await workbench.readNote(dataFile);
  const settings = await openSettingsWindow(workbench);
  for (const bad of ['', '../outside', '.hidden', 'a/../b', 'C:\\x']) {
    await settings.type('Agent folder', bad);
    await settings.row('Agent folder').getByText(words.settings.agentFolderBad).waitFor();
  }
  for (const bad of ['many', '12', '-4096', '1e9']) {
    await settings.type('Context window', bad);
    await settings.row('Context window').getByText(words.settings.contextWindowBad).waitFor();
  }
  await settings.openPage('OpenAI-compatible server');
  for (const bad of ['localhost:1234', 'javascript:alert(1)', 'http://a b']) {
    await settings.type('Address', bad);
    await settings.row('Address').getByText(words.settings.baseUrlBad).waitFor();
  }
  expect(await workbench.readNote(dataFile)).toBe(before);
});

it('keeps keys of other versions in data.json when a setting is changed', async () => {
  await open({ settings: { future: { of: ['another', 'version'] }, mode: 'assistant' } });
  const settings = await openSettingsWindow(workbench);
  await settings.choose('Mode', words.settings.modes.debugger);
  await until(async () => (await storedSettings())['mode'] === 'debugger', 'the mode is stored');
  expect(await storedSettings()).toMatchObject({ future: { of: ['another', 'version'] } });
});

it('follows a change of data.json by another program', async () => {
  await open();
  await store({ mode: 'developer', tier: 3 });
  await until(async () => {
    await chatView.ask('which mode?');
    return lastSent(workbench.model).system.includes(template('developer', 3));
  }, 'the mode of the changed file is sent');
});

it('goes on with the last good copy when data.json is damaged, says so, and loses nothing', async () => {
  await open({ settings: { mode: 'developer', tier: 3, future: 1 } });
  await workbench.writeNote(dataFile, '{"mode": "plan');
  await workbench.page.locator('.notice').getByText('The settings file could not be read').waitFor();
  await chatView.ask('which mode?');
  expect(lastSent(workbench.model).system).toContain(template('developer', 3));
  await workbench.reload();
  await workbench.page.locator('.notice').getByText('The settings file could not be read').waitFor();
  chatView = await openChatView(workbench);
  await chatView.ask('which mode now?');
  expect(lastSent(workbench.model).system).toContain(template('developer', 3));
  expect(await workbench.readNote(dataFile)).toBe('{"mode": "plan');
  const settings = await openSettingsWindow(workbench);
  await settings.choose('Mode', words.settings.modes.planning);
  await until(async () => (await workbench.readNote(dataFile)).includes('"planning"'), 'the file is whole again');
  expect(await storedSettings()).toMatchObject({ mode: 'planning', tier: 3, future: 1 });
});

it('names a value of data.json that cannot be read and goes on with its last good one', async () => {
  await open({ settings: { mode: 'developer', tier: 3 } });
  await store({ tier: 'huge', mode: 'planning' });
  await workbench.page.locator('.notice').getByText('The setting “tier” could not be read').waitFor();
  await chatView.ask('which tier?');
  expect(lastSent(workbench.model).system).toContain(template('planning', 3));
});

describe('the page of a provider', () => {
  const provider = 'OpenAI-compatible server';

  it('takes an address and a key by the app’s own dialog, tests them, lists the models, and then answers', async () => {
    await open({ settings: { model: 'reader/built-in', providers: {} } });
    const settings = await openSettingsWindow(workbench);
    await settings.openPage(provider);
    await settings.type('Address', `${workbench.model?.url}/openai/v1/`);
    await settings.row('Key').locator('button').click();
    const dialog = workbench.page.locator('.modal.mod-secrets');
    await dialog.locator('.secret-id-input').fill('my-server');
    await dialog.locator('.secret-value-input').fill('sk-typed-0123456789');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await settings.row('Test connection').getByRole('button').click();
    await settings.row('Test connection').getByText('Connected. 1 model found.').waitFor();
    await until(
      async () => (await settings.row('Models').locator('textarea').inputValue()) === 'scripted',
      'the models are listed',
    );
    expect(JSON.stringify(await storedSettings())).not.toContain('sk-typed');
    await settings.back();
    await settings.choose('Model', `${provider}: scripted`);
    await settings.close();
    expect(await (await chatView.ask('Hello?')).innerText()).toContain('Understood.');
    expect(lastSent(workbench.model).headers['authorization']).toBe('Bearer sk-typed-0123456789');
  });

  it('says what is wrong with a connection', async () => {
    await open({ settings: { providers: {} } });
    await workbench.model?.close();
    const settings = await openSettingsWindow(workbench);
    await settings.openPage(provider);
    const test = settings.row('Test connection');
    await test.getByRole('button').click();
    await test.getByText('No address is set for OpenAI-compatible server.').waitFor();
    await settings.type('Address', `${workbench.model?.url}/openai/v1`);
    await test.getByRole('button').click();
    await test.getByText('There is no connection to 127.0.0.1').waitFor();
  });
});
