/** What leaves the device: settings that came by a sync ask before the first request, and no key goes astray. */
import { words } from '../../../src/text';
import { scriptedKeyName, scriptedSecrets, scriptedSettings } from '../../support/model-server';
import {
  closeRecordingServers,
  startRecordingServer,
  type RecordingServer,
} from '../../support/model-server/recording-server';
import { openChatView, readStoredJson, type OpenedChatView } from '../driver/chat-view';
import { sentRequests } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(60_000);

const dataFile = '.obsidian/plugins/docent/data.json';
const vault = { 'Now.md': 'The blue boat is on the hard.\n' };
const own = scriptedSecrets[scriptedKeyName] ?? '';
const others = { 'github-token': 'ghp_canary_5521ab' };

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

/** A page may read its answers unless it redirects. */
const startServer = (redirectTo?: string): Promise<RecordingServer> =>
  startRecordingServer((request, response) => {
    if (redirectTo !== undefined) return void response.writeHead(307, { location: redirectTo + request.url }).end();
    response.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }).end('{}');
  });

afterEach(async () => {
  await workbench.close();
  await closeRecordingServers();
});

const lastFailure = (): Promise<string> => chatView.failures.last().innerText();
const allow = (): Promise<void> => chatView.failures.last().getByRole('button', { name: words.gate.allow }).click();

it('H10 S6 asks once about address and key of synced settings, and sends no secret of another plugin', async () => {
  const elsewhere = await startServer();
  workbench = await openWorkbench({
    ...{ vault, scripted: () => ({ text: 'Here I am.' }), synced: true, secrets: others },
    settings: { model: 'anthropic/scripted' },
  });
  const origin = workbench.model?.url ?? '';
  chatView = await openChatView(workbench);
  await chatView.ask('What about tea?');
  expect(await lastFailure()).toContain(words.gate.asksBoth('Anthropic', origin, false, scriptedKeyName));
  expect(workbench.model?.requests).toEqual([]);
  await allow();
  await chatView.answers.last().getByText('Here I am.').waitFor();
  expect(sentRequests(workbench.model)).toHaveLength(1);
  expect(workbench.model?.requests[0]?.headers['x-api-key']).toBe(own);
  await workbench.page.locator('.docent-needs-look').waitFor({ state: 'detached' });

  await workbench.reload();
  chatView = await openChatView(workbench);
  await chatView.ask('And now?');
  expect(sentRequests(workbench.model)).toHaveLength(2);

  // Another device moves the provider, and names a secret of another plugin.
  const stored = await readStoredJson(workbench, dataFile);
  const moved = { baseUrl: `${elsewhere.origin}/v1`, keyName: 'github-token', models: ['scripted'] };
  const providers = { ...(stored['providers'] as object), anthropic: moved };
  await workbench.writeNote(dataFile, JSON.stringify({ ...stored, providers }));
  await workbench.reload();
  chatView = await openChatView(workbench);
  await chatView.ask('Still there?');
  expect(await lastFailure()).toContain(elsewhere.origin);
  expect(await lastFailure()).toContain('“github-token”');
  const settings = await openSettingsWindow(workbench);
  await settings.openPage('Anthropic');
  expect(await settings.row(words.gate.row).innerText()).toContain(words.gate.asksFirst(elsewhere.origin));
  await settings.row(words.settings.testConnection).getByRole('button').first().click();
  await settings.row(words.settings.testConnection).getByText(elsewhere.origin).waitFor();
  expect(elsewhere.seen).toEqual([]);
});

it('H10 shows in the settings what a provider is allowed here, revokes it, and takes what is entered there', async () => {
  workbench = await openWorkbench({
    ...{ vault, scripted: () => ({ text: 'Here I am.' }), synced: true },
    settings: { model: 'anthropic/scripted' },
  });
  const origin = workbench.model?.url ?? '';
  chatView = await openChatView(workbench);
  const settings = await openSettingsWindow(workbench);
  await settings.openPage('Anthropic');
  await settings.type(words.settings.baseUrl, `${origin}/anthropic/v1`);
  await settings.back();
  await settings.openPage('Anthropic');
  expect(await settings.row(words.gate.row).innerText()).toContain(words.gate.goesTo(origin));
  // An address that was entered is no choice of a key.
  expect(await settings.row(words.gate.row).innerText()).toContain(words.gate.keyUnbound(scriptedKeyName, origin));
  await settings.row(words.settings.linkKey).locator('.secret-component').click();
  await workbench.page.locator(`[data-secret="${scriptedKeyName}"]`).click();
  await settings.row(words.gate.row).getByText(words.gate.keyBound(scriptedKeyName, origin)).waitFor();
  await settings.close();
  await chatView.ask('Is it set up?');
  expect(sentRequests(workbench.model)).toHaveLength(1);
  const again = await openSettingsWindow(workbench);
  await again.openPage('Anthropic');
  await again.row(words.gate.row).getByRole('button', { name: words.gate.revoke }).click();
  await again.row(words.gate.row).getByText(words.gate.asksFirst(origin)).waitFor();
  await again.close();
  await chatView.ask('And without?');
  expect(await lastFailure()).toContain(words.gate.asksBoth('Anthropic', origin, false, scriptedKeyName));
  expect(sentRequests(workbench.model)).toHaveLength(1);
});

it('H10 S5 leads no key and no prompt to where a server redirects, before the user allowed that', async () => {
  const elsewhere = await startServer();
  const chosen = await startServer(elsewhere.origin);
  const { providers } = scriptedSettings(chosen.origin) as { providers: object };
  workbench = await openWorkbench({
    ...{ vault, scripted: () => ({ text: 'never' }) },
    settings: { model: 'openai/scripted', providers },
  });
  chatView = await openChatView(workbench);
  await chatView.ask('What about tea?');
  expect(await lastFailure()).toContain(words.gate.asksBuffered('OpenAI', chosen.origin, true));
  const all = [...chosen.seen, ...elsewhere.seen].join('\n');
  expect(all).not.toContain(own);
  expect(all).not.toContain('What about tea?');
});
