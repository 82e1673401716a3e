/** Settings by their window and by their file: what is chosen is in the next request, and nothing stored is lost. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { builtInTemplates } from '../../../src/core/prompt/tiered-prompt-store';
import { defaultSettings } from '../../../src/core/settings/settings';
import { words } from '../../../src/text';
import { readLog, readLogs, readStoredJson, until } from '../driver/chat-view';
import { chatView, openChat, reloadChat, showChat, workbench } from '../driver/open-chat';
import { lastSent } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';
import { startChat } from '../driver/reach-walk';
import { startScriptedModel, type Script } from '../../support/model-server';

jest.setTimeout(60_000);

const vault = { 'Now.md': 'The blue boat is on the hard.\n' };
const say = words.settings.damaged;
const dataFile = '.obsidian/plugins/docent/data.json';

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

afterEach(() => {
  // The browser itself reports a server that is down, and one that is asked for facts of its models and has none.
  const ofBrowser = /ERR_CONNECTION_REFUSED|^Failed to load resource: .* status of 404/;
  expect(workbench.errors.filter((error) => !ofBrowser.test(error))).toEqual([]);
});

const notice = (text: RegExp | string) => workbench.page.locator('.notice').filter({ hasText: text });
const copies = async (): Promise<string[]> =>
  (await readdir(path.join(workbench.vaultFolder, path.dirname(dataFile)))).filter((name) => name.includes('damaged'));

/** What is stored when the shared page opens. */
let own: Record<string, unknown>;
let turn = 0;

/** Has the plugin read these settings over those of the start and nothing else, and begins a chat. */
async function begin(change: Record<string, unknown> = {}): Promise<void> {
  const { page } = workbench;
  turn += 1;
  await page.evaluate(() => window.app.setting.close());
  await workbench.writeNote(dataFile, JSON.stringify({ ...defaultSettings, ...own, ...change, turn }));
  const held = (): Promise<unknown> => page.evaluate(() => window.app.loadLocalStorage('docent-settings-last-good'));
  await until(async () => String(await held()).includes(`"turn":${turn}`), 'the settings of this test are read');
  await startChat({ workbench, chatView });
  await chatView.input.fill('');
}

describe('on one page', () => {
  beforeAll(async () => {
    await openChat({ vault });
    own = await storedSettings();
  });

  afterAll(() => workbench.close());

  it('R006 R094@request R097@request R107@request puts the chosen mode and tier into the next request', async () => {
    await begin();
    await chatView.ask('one');
    expect(lastSent(workbench.model).system).toContain(firstLine(template('assistant', 5)));
    const settings = await openSettingsWindow(workbench);
    await settings.choose('Mode', words.settings.modes.planning);
    await settings.choose('Instruction level', words.settings.tiers[3]);
    await settings.close();
    await chatView.ask('two');
    const { system } = lastSent(workbench.model);
    expect(system).toContain(template('planning', 3));
    expect(system).not.toContain(firstLine(template('assistant', 5)));
    expect(await storedSettings()).toMatchObject({ mode: 'planning', tier: 3 });
  });

  it('R094@request R095@request lets the tier follow a context window that the user sets', async () => {
    await begin();
    const settings = await openSettingsWindow(workbench);
    await settings.type('Context window', '16384');
    await settings.close();
    await chatView.ask('one');
    expect(lastSent(workbench.model).system).toContain(template('assistant', 3));
  });

  it('sends the next message to the chosen model', async () => {
    await begin({ model: 'reader/built-in' });
    const before = workbench.model?.requests.length;
    const asked = () => workbench.model?.requests.slice(before).filter(({ method }) => method === 'POST');
    await chatView.ask('the blue boat');
    expect(asked()).toEqual([]);
    const settings = await openSettingsWindow(workbench);
    await settings.choose('Model', 'Anthropic: scripted');
    await settings.close();
    const answer = await chatView.ask('and now?');
    expect(await answer.innerText()).toContain('Understood.');
    expect(asked()?.[0]?.path).toBe('/anthropic/v1/messages');
    expect(asked()?.[0]?.body).toMatchObject({ model: 'scripted' });
  });

  it('keeps new chats in another agent folder from the moment it is chosen, and leaves the old files alone', async () => {
    await begin();
    await chatView.ask('in the old folder');
    const before = await readLogs(workbench);
    const settings = await openSettingsWindow(workbench);
    await settings.type('Agent folder', ' /Meta/Agent/ ');
    await settings.close();
    await startChat({ workbench, chatView });
    await chatView.ask('in the new folder');
    expect(JSON.stringify(await readLog(workbench, 'Meta/Agent'))).toContain('in the new folder');
    expect(await readLogs(workbench)).toEqual(before);
    expect(await storedSettings()).toMatchObject({ agentFolder: 'Meta/Agent' });
  });

  it('keeps no chat in a folder that is half typed, also while an answer goes on, and asks no half typed address', async () => {
    await begin();
    const folders = async () => (await readdir(workbench.vaultFolder)).filter((name) => /^A(?:rc)?/.test(name));
    const call = { name: 'read_note', arguments: { path: 'Now.md' } };
    let left = 12;
    workbench.model?.setScript(() => ((left -= 1) > 0 ? { delayMs: 50, toolCalls: [call] } : { text: 'All read.' }));
    await chatView.input.fill('read it often');
    await chatView.input.press('Enter');
    const settings = await openSettingsWindow(workbench);
    const box = (await settings.reach('Agent folder')).locator('input');
    await box.fill('');
    await box.pressSequentially('Arc', { delay: 100 });
    await until(() => left <= 0, 'the answer has ended');
    expect(await folders()).toEqual([]);
    await settings.close();
    await until(async () => (await storedSettings())['agentFolder'] === 'Arc', 'the folder is stored');
    const again = await openSettingsWindow(workbench);
    await again.openPage('LM Studio');
    const address = again.row('Address').locator('input');
    await address.fill('');
    await address.pressSequentially('https://notes.example');
    const stored = async () => JSON.stringify((await storedSettings())['providers']);
    expect(await stored()).not.toContain('https');
    await address.press('Enter');
    await until(async () => (await stored()).includes('https://notes.example"'), 'the address is stored');
    await again.row(words.gate.row).getByText(words.gate.goesTo('https://notes.example')).waitFor();
    workbench.model?.setScript(() => ({ text: 'Understood.' }));
  });

  it('refuses bad values where they are typed and stores none of them', async () => {
    await begin();
    const before = await workbench.readNote(dataFile);
    const settings = await openSettingsWindow(workbench);
    // Letter by letter, each of these is something that would do first.
    const typed = [
      ['Agent folder', 'Arc/../x'],
      ['Address', 'https://a.example?key=1'],
    ] as const;
    for (const [name, bad] of typed) {
      if (name === 'Address') await settings.openPage('LM Studio');
      const box = (await settings.reach(name)).locator('input');
      await box.fill('');
      await box.pressSequentially(bad);
      await box.blur();
      expect(await box.inputValue()).toBe(bad);
    }
    await settings.back();
    for (const bad of ['', '../outside', '.hidden', 'a/../b', 'C:\\x']) {
      await settings.type('Agent folder', bad);
      await settings.row('Agent folder').getByText(words.settings.agentFolderBad).waitFor();
    }
    const folder = settings.row('Agent folder').locator('input');
    await folder.fill('');
    await folder.pressSequentially('Meta/../Agent');
    await folder.blur();
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
    await begin({ future: { of: ['another', 'version'] }, mode: 'assistant' });
    const settings = await openSettingsWindow(workbench);
    await settings.choose('Mode', words.settings.modes.debugger);
    await until(async () => (await storedSettings())['mode'] === 'debugger', 'the mode is stored');
    expect(await storedSettings()).toMatchObject({ future: { of: ['another', 'version'] } });
  });

  it('follows a change of data.json by another program, and asks about a second version that a sync stored', async () => {
    await begin();
    await store({ mode: 'developer', tier: 3 });
    await until(async () => {
      await chatView.ask('which mode?');
      return lastSent(workbench.model).system.includes(template('developer', 3));
    }, 'the mode of the changed file is sent');
    const name = 'data.sync-conflict-20261124-101500-ABCDEFG.json';
    const other = { ...(await storedSettings()), mode: 'planning', keptFolders: ['Private'], later: 1 };
    await workbench.writeNote(`${path.dirname(dataFile)}/${name}`, JSON.stringify(other));
    await store({ tier: 4 });
    await notice(`“${name}”. The two differ in these entries of data.json: mode, tier, keptFolders.`)
      .getByRole('button', { name: say.choices['take-copy'] })
      .click();
    await notice(say.chosen['take-copy']).waitFor();
    expect(await storedSettings()).toMatchObject({ mode: 'planning', tier: 3, keptFolders: ['Private'], later: 1 });
    const files = await readdir(path.join(workbench.vaultFolder, path.dirname(dataFile)));
    expect(files.includes(name)).toBe(false);
    const [replaced = ''] = files.filter((each) => each.startsWith('data.replaced-'));
    const kept = JSON.parse(await workbench.readNote(`${path.dirname(dataFile)}/${replaced}`)) as object;
    expect(kept).toMatchObject({ mode: 'developer', tier: 4 });
  });

  it('hides a folder on under its new name', async () => {
    await begin({ keptFolders: ['Private'] });
    await workbench.page.evaluate(async () => {
      const { fileManager, vault: files } = window.app;
      const folder = await files.createFolder('Private');
      await files.create('Private/Diary.md', 'The lantern is under the stairs.\n');
      await fileManager.renameFile(folder, 'Cellar');
    });
    await until(async () => String((await storedSettings())['keptFolders']) === 'Cellar', 'the new name is stored');
    await chatView.input.fill('@Diary');
    await workbench.page.getByText(words.chatView.nothingFound).first().waitFor();
  });

  it('shows what arrives while the settings are open, where the next key puts nothing of before back', async () => {
    await begin({ keptFolders: ['Work'] });
    const settings = await openSettingsWindow(workbench);
    const box = (await settings.reach(words.keeping.folders)).locator('textarea');
    await box.press('Home');
    await store({ agentName: 'Clerk' });
    await until(async () => (await workbench.readNote(dataFile)).includes('Clerk'), 'the other setting is stored');
    await box.pressSequentially('My ');
    const held = async () =>
      String(await workbench.page.evaluate(() => window.app.loadLocalStorage('docent-settings-last-good')));
    // Over what another program stores during a save, what the user typed is stored again.
    const areStored = async (...folders: string[]): Promise<boolean> =>
      isDeepStrictEqual((await storedSettings())['keptFolders'], folders) &&
      (await held()).includes(folders.at(-1) ?? '');
    await until(() => areStored('My Work'), 'the list is stored, and the save has ended');
    expect(await storedSettings()).toMatchObject({ agentName: 'Clerk' });
    await store({ keptFolders: ['My Work', 'Private'] });
    await until(async () => (await box.inputValue()) === 'My Work\nPrivate', 'what arrived is shown');
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
    await box.press('ControlOrMeta+End');
    await box.pressSequentially('\nOther\n');
    await until(() => areStored('My Work', 'Private', 'Other'), 'the list is stored');
    await store({ agentName: 'Scribe' });
    await until(async () => (await held()).includes('Scribe'), 'the other setting is read');
    const { page } = workbench;
    const size = page.viewportSize();
    await page.setViewportSize({ width: 700, height: 330 });
    const scrolled = page.locator('.modal.mod-settings .vertical-tab-content').locator('..');
    await scrolled.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    const place = await scrolled.evaluate(({ scrollTop }) => scrollTop);
    await store({ agentName: 'Reader' });
    await until(async () => (await held()).includes('Reader'), 'the other setting is read');
    expect(await scrolled.evaluate(({ scrollTop }) => scrollTop)).toBe(place);
    if (size !== null) await page.setViewportSize(size);
    await box.pressSequentially('New');
    await until(async () => (await workbench.readNote(dataFile)).includes('"New"'), 'the list is stored');
    const keptFolders = ['My Work', 'Private', 'Other', 'New'];
    expect(await storedSettings()).toMatchObject({ agentName: 'Reader', keptFolders });
    const key = (await settings.reach(words.settings.key)).locator('input');
    await settings.choose(words.settings.key, 'Anthropic');
    await key.fill('sk-not-yet-stored');
    await store({ keptFolders: ['Last'] });
    await until(async () => (await held()).includes('Last'), 'the change is read');
    expect(await key.inputValue()).toBe('sk-not-yet-stored');
    await key.fill('');
  });

  it('leaves the focus in its box as settings arrive that give a row above it another button', async () => {
    // A device that sets a provider up at the same time as this one would have its own address replaced.
    const providers = own['providers'] as Record<string, object>;
    await begin({ providers: { ...providers, lmstudio: { baseUrl: '', keyName: '', models: [] } } });
    const settings = await openSettingsWindow(workbench);
    await settings.openPage('LM Studio');
    const box = settings.row(words.settings.models).locator('textarea');
    await box.pressSequentially('oak');
    await until(async () => JSON.stringify(await storedSettings()).includes('"oak"'), 'the model is stored');
    const { lmstudio, ...others } = (await storedSettings())['providers'] as Record<string, object>;
    await store({ providers: { ...others, lmstudio: { ...lmstudio, baseUrl: 'https://models.example/v1' } } });
    await settings.row(words.gate.row).getByText(words.gate.asksFirst('https://models.example')).waitFor();
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
    await workbench.page.keyboard.type(':7b');
    await until(async () => JSON.stringify(await storedSettings()).includes('"oak:7b"'), 'what was typed on is stored');
  });

  it('drops nothing that is being typed when another device changes the settings, and stores both', async () => {
    await begin();
    await chatView.input.fill('A question that is being typed');
    const settings = await openSettingsWindow(workbench);
    const box = (await settings.reach(words.settings.agentFolder)).locator('input');
    await box.fill('Meta/Agent');
    await store({ tier: 3, keptFolders: ['Cellar'] });
    await until(async () => {
      const held = await workbench.page.evaluate(() => localStorage.length > 0 && JSON.stringify({ ...localStorage }));
      return String(held).includes('Cellar');
    }, 'the change of the other device is read');
    expect(await box.inputValue()).toBe('Meta/Agent');
    await box.blur();
    await until(async () => (await storedSettings())['agentFolder'] === 'Meta/Agent', 'the folder is stored');
    expect(await storedSettings()).toMatchObject({ tier: 3, keptFolders: ['Cellar'] });
    await settings.close();
    expect(await chatView.input.inputValue()).toBe('A question that is being typed');
  });

  it('goes on with the last good copy when data.json is damaged, and overwrites nothing before the user chose', async () => {
    await begin({ mode: 'developer', tier: 3, future: 1 });
    const draft = 'A question that is being typed';
    await chatView.input.fill(draft);
    await workbench.writeNote(dataFile, '{"mode": "plan');
    const lastGood = 'The settings file is cut off or damaged.';
    await notice(lastGood).getByRole('button', { name: say.choices['last-good'] }).waitFor();
    expect(await chatView.input.inputValue()).toBe(draft);
    await chatView.ask('which mode?');
    expect(lastSent(workbench.model).system).toContain(template('developer', 3));
    await reloadChat();
    await notice(lastGood).waitFor();
    await chatView.ask('which mode now?');
    expect(lastSent(workbench.model).system).toContain(template('developer', 3));
    const settings = await openSettingsWindow(workbench);
    await settings.choose('Mode', words.settings.modes.planning);
    await notice(say.undecided).waitFor();
    expect(await workbench.readNote(dataFile)).toBe('{"mode": "plan');
    await settings.row(say.name).getByRole('button', { name: say.choices['last-good'] }).click();
    await until(async () => (await workbench.readNote(dataFile)).includes('"planning"'), 'the file is whole again');
    expect(await storedSettings()).toMatchObject({ mode: 'planning', tier: 3, future: 1 });
    const [copy = ''] = await copies();
    expect(await copies()).toHaveLength(1);
    expect(await workbench.readNote(`${path.dirname(dataFile)}/${copy}`)).toBe('{"mode": "plan');
    await notice(lastGood).waitFor({ state: 'detached' });
  });

  it('names a value of data.json that cannot be read and goes on with its last good one', async () => {
    await begin({ mode: 'developer', tier: 3 });
    await store({ tier: 'huge', mode: 'planning' });
    await notice(
      'Couldn’t read the setting “tier” in data.json, so its last good value is used. To fix it, set it again.',
    ).waitFor();
    await chatView.ask('which tier?');
    expect(lastSent(workbench.model).system).toContain(template('planning', 3));
  });

  it('goes on without storage on the device: settings, drafts, and answers are stored, and it is said once', async () => {
    await begin({ mode: 'assistant' });
    const setItem = await workbench.page.evaluateHandle(() => {
      const given = Object.getOwnPropertyDescriptor(Storage.prototype, 'setItem');
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      };
      return given;
    });
    try {
      await chatView.input.fill('A question');
      expect(await (await chatView.ask('A question')).innerText()).toContain('Understood.');
      const settings = await openSettingsWindow(workbench);
      await settings.choose('Mode', words.settings.modes.planning);
      await until(async () => (await storedSettings())['mode'] === 'planning', 'the mode is stored');
      await notice('Obsidian’s storage on this device is full.').waitFor();
      expect(await notice('Obsidian’s storage on this device is full.').count()).toBe(1);
      await settings.close();
      await chatView.ask('Another question');
      expect(JSON.stringify(await readLog(workbench))).toContain('Another question');
    } finally {
      await setItem.evaluate((given) => Object.defineProperty(Storage.prototype, 'setItem', given ?? {}));
    }
  });

  describe('the page of a provider', () => {
    const provider = 'OpenAI-compatible server';

    it('takes an address and a key by the app’s own dialog, tests them, lists the models, and then answers', async () => {
      await begin({ model: 'reader/built-in', providers: {} });
      const settings = await openSettingsWindow(workbench);
      await settings.openPage(provider);
      await settings.type('Address', `${workbench.model?.url}/openai/v1/`);
      await settings.row(words.settings.linkKey).locator('button').click();
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

    it('says where requests go, and offers the models, as they are typed', async () => {
      await begin({ model: 'reader/built-in', providers: {} });
      const settings = await openSettingsWindow(workbench);
      await settings.openPage(provider);
      await settings.type('Address', 'http://localhost:8123/v1');
      await settings.row(words.gate.row).getByText(words.gate.goesTo('http://localhost:8123')).waitFor();
      await settings.type('Models', 'oak\nelm');
      const offered = settings.row(words.settings.useModel).locator('option');
      await offered.filter({ hasText: 'elm' }).waitFor({ state: 'attached' });
      expect(await offered.allInnerTexts()).toEqual([words.settings.notUsed, 'oak', 'elm']);
      await settings.back();
      await settings.back();
      await settings.choose('Model', `${provider}: elm`);
      await until(async () => (await storedSettings())['model'] === 'openai-compatible/elm', 'the model is stored');
    });

    it('keeps the focus on what was used, and leaves words their width next to a long name', async () => {
      const long = `${'vendor-with-a-name/'.repeat(4)}model`;
      const [{ 'openai-compatible': server }] = [own['providers'] as Record<string, object>];
      await begin({ providers: { 'openai-compatible': { ...server, models: ['scripted', long] } } });
      const focused = () =>
        workbench.page.evaluate(() => document.activeElement?.closest('.setting-item')?.textContent);
      const settings = await openSettingsWindow(workbench);
      const choice = settings.row('Model').locator('select');
      await choice.focus();
      await choice.evaluate((element) => element.setAttribute('data-drawn', 'before'));
      await settings.choose('Model', `${provider}: ${long}`);
      await workbench.page.locator('[data-drawn="before"]').waitFor({ state: 'detached' });
      expect(await focused()).toMatch(/^Model/);
      await settings.openPage(provider);
      await settings.type('Address', `${workbench.model?.url}/openai/v1`);
      await settings.row('Test connection').locator('button').press('Enter');
      await settings.row('Test connection').getByText('Connected.').waitFor();
      expect(await focused()).toMatch(/^Test connection/);
      const info = await settings.row(words.settings.useModel).locator('.setting-item-info').boundingBox();
      expect(info?.width).toBeGreaterThan(200);
    });

    it('says what is wrong with a connection', async () => {
      await begin({ providers: {} });
      const gone = await startScriptedModel();
      await gone.close();
      const settings = await openSettingsWindow(workbench);
      await settings.openPage(provider);
      const test = settings.row('Test connection');
      await test.getByRole('button').click();
      await test.getByText('No address is set for OpenAI-compatible server.').waitFor();
      await settings.type('Address', `${gone.url}/openai/v1`);
      await test.getByRole('button').click();
      await test.getByText('Couldn’t connect to 127.0.0.1').waitFor();
    });
  });
});

it('reads no note behind each kind of damage without a last good copy, says why in one notice, and opens by a choice', async () => {
  const script: Script = ({ index }) =>
    index % 2 === 0
      ? { toolCalls: [{ name: 'read_note', arguments: { path: 'Private/Diary.md' } }] }
      : { text: 'Done.' };
  await openChat({
    vault: { ...vault, 'Private/Diary.md': 'The lantern is under the stairs.\n' },
    scripted: script,
    settings: { keptFolders: ['Private'] },
  });
  const whole = await workbench.readNote(dataFile);
  const damages: readonly (readonly [string, string])[] = [
    ['', say.flaws.empty('')],
    [whole.slice(0, 60), say.flaws['not-json']('')],
    ['[]', say.flaws['not-settings']('')],
    [`\0\0\0`, say.flaws.zeros('')],
    [JSON.stringify({ ...JSON.parse(whole), keptFolders: 'Private' }), say.flaws.hidden('')],
  ];
  for (const [text, flaw] of damages) {
    await workbench.page.evaluate(() => window.app.plugins.disablePlugin('docent'));
    await workbench.page.evaluate(() => window.app.saveLocalStorage('docent-settings-last-good', null));
    await workbench.writeNote(dataFile, text);
    await workbench.page.evaluate(() => window.app.plugins.enablePlugin('docent'));
    await notice(flaw).waitFor();
    expect(await workbench.page.locator('.notice').count()).toBe(1);
    expect(await notice(flaw).innerText()).toContain('Docent reads no notes');
    if (flaw === say.flaws.hidden('')) {
      await showChat();
      await workbench.command('new-chat');
      await chatView.ask('What is in the diary?');
      const sent = JSON.stringify(workbench.model?.requests.at(-1)?.body);
      expect(sent).toContain(words.failures.notesClosed);
      expect(sent).not.toContain('lantern');
      expect(sent).not.toContain('Now.md');
    }
    expect(await workbench.readNote(dataFile)).toBe(text);
    await notice(flaw).getByRole('button', { name: say.choices.retry }).click();
    // A look that goes on when the plugin is switched off would find the next damage, and copy it as well.
    const second = notice(flaw).filter({ hasNot: workbench.page.getByRole('button') });
    await second.waitFor();
    const notices = workbench.page.locator('.notice');
    // One more may come of the look that the press began.
    const close = (): Promise<void> => notices.evaluateAll((all: HTMLElement[]) => all.forEach((one) => one.click()));
    await until(async () => close().then(async () => (await notices.count()) === 0), 'no notice is left');
  }
  // Each kind of damage has its copy, and the user's own list opens the notes again.
  expect(await copies()).toHaveLength(damages.length);
  const settings = await openSettingsWindow(workbench);
  await settings.type(words.keeping.folders, 'Private');
  await settings.close();
  await until(async () => JSON.stringify(await storedSettings()).includes('["Private"]'), 'the list is stored');
  await chatView.ask('And now?');
  const sent = JSON.stringify(workbench.model?.requests.at(-1)?.body);
  expect(sent).toContain('Now.md');
  expect(sent).not.toContain('lantern');
});
