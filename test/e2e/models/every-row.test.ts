/**
 * One chat that every provider answers in turn, each with thoughts and two calls at once, over an image, the messages of
 * all models before it, and a summary: no server refuses a request that its provider would refuse.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { providers } from '../../../src/models/providers';
import { words } from '../../../src/text';
import { makePng } from '../../support/make-png';
import {
  type ModelRequest,
  readRequest,
  type ScriptedModel,
  scriptedSecrets,
  type ScriptStep,
  startScriptedModel,
} from '../../support/model-server';
import { scriptedKeyName } from '../../support/model-server/scripted-settings';
import { refusalOf, refusedBody } from '../../unit/models/strict-servers';
import { openChatView, openPicker, type OpenedChatView } from '../driver/chat-view';
import { contextParts, snapshotParts } from '../driver/long-script';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(90_000);

const places = {
  anthropic: '/anthropic/v1',
  gemini: '/gemini/v1beta',
  ollama: '/ollama',
  responses: '/openai/v1',
  'openai-compatible': '/openai/v1',
} as const;
/** Names that the rules of a provider depend on; the others are of a model that takes images. */
const names: Readonly<Record<string, string>> = {
  anthropic: 'claude-opus-5',
  openai: 'gpt-6.2-sol',
  gemini: 'gemini-3.8-flash',
};
const rows = providers.map(({ id, format }) => ({ id, format, model: names[id] ?? `${id}-llava` }));

const snapshot = snapshotParts.map((part) => `<${part}>About ${part}.</${part}>`).join('');
const calls = ['Now.md', 'Other.md'].map((file) => ({ name: 'read_note', arguments: { path: file } }));
/** What makes a summary worth its tokens. */
const long = 'The keel is sound. '.repeat(60);
const refusals: string[] = [];
const answered: string[] = [];

function rowOf({ path: place, body }: ModelRequest) {
  const { model = '' } = body as { model?: string };
  const found = rows.find((row) => row.model === model || place.includes(`/${row.model}:`));
  if (found === undefined) throw new Error(`No row has the model of ${place} ${model}.`);
  return found;
}

function answer(request: ModelRequest): ScriptStep {
  const { id, format, model } = rowOf(request);
  const refusal = refusalOf(id, request.body, model);
  if (refusal !== null) {
    refusals.push(`${id}: ${refusal}`);
    return { status: 400, errorBody: refusedBody(format, refusal) };
  }
  const { messages } = readRequest(request);
  if (messages.some(({ text }) => text.includes('[End of the conversation]'))) {
    return { text: `<state_snapshot>${snapshot}</state_snapshot>` };
  }
  const isAnswered = (messages.at(-1)?.results.length ?? 0) > 0;
  answered.push(id);
  return {
    reasoning: 'The keel comes first.',
    ...(isAnswered ? { text: `Answer of ${id}. ${long}` } : { toolCalls: calls }),
  };
}

let server: ScriptedModel;
let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

afterEach(async () => {
  await workbench.close();
  await server.close();
});

/** Chooses a model in the menu, or in the search that the menu leads to where the providers have more than it lists. */
async function pickModel(name: string): Promise<void> {
  const { page } = workbench;
  await openPicker(chatView, 'model');
  const listed = page.locator('.menu-item', { hasText: name }).first();
  const search = page.locator('.menu-item', { hasText: words.prompts.moreModels });
  await listed.or(search).first().waitFor();
  if ((await search.count()) === 0) return listed.click();
  await search.click();
  await page.locator('.prompt-input:focus').waitFor();
  await page.keyboard.type(name);
  await page.locator('.prompt .suggestion-item.is-selected', { hasText: name }).waitFor();
  await page.keyboard.press('Enter');
  await chatView.root.locator('.docent-picker.is-model', { hasText: name }).waitFor();
}

it('lets every provider go on with a chat that others began, and no server has anything to refuse', async () => {
  const [first, ...others] = rows;
  server = await startScriptedModel({ script: answer });
  workbench = await openWorkbench({
    vault: { 'Now.md': '# Now\n\nThe boat is blue.\n', 'Other.md': 'The keel is oak.\n' },
    secrets: scriptedSecrets,
    settings: {
      ...{ version: 1, compaction: 'manual', compactionCheck: 'off', model: `${first?.id}/${first?.model}` },
      providers: Object.fromEntries(
        rows.map(({ id, format, model }) => [
          id,
          { baseUrl: `${server.url}${places[format]}`, keyName: scriptedKeyName, models: [model] },
        ]),
      ),
    },
  });
  await writeFile(path.join(workbench.vaultFolder, 'quay.png'), makePng(30, 20));
  await workbench.page.waitForFunction(() => window.app.vault.getFileByPath('quay.png') !== null);
  chatView = await openChatView(workbench);
  await chatView.mention('quay');
  await workbench.page.keyboard.type('What is it?');
  await chatView.input.press('Enter');
  await chatView.answers.last().getByText(`Answer of ${first?.id}.`).waitFor();
  await chatView.untilIdle();
  for (const [at, { id, model }] of others.entries()) {
    if (at === 5) await summarize();
    await pickModel(model);
    expect(await (await chatView.ask(`And you, ${id}?`)).innerText()).toContain(`Answer of ${id}.`);
  }
  expect(refusals).toEqual([]);
  expect(answered).toEqual(rows.flatMap(({ id }) => [id, id]));
  expect(await chatView.failures.count()).toBe(0);
  const sent = (id: string): string =>
    server.requests
      .filter((request) => request.dialect !== null && rowOf(request as ModelRequest).id === id)
      .map(({ body }) => JSON.stringify(body))
      .join('\n');
  // The image goes to whoever takes images, and the summary to whoever comes after it.
  for (const { id } of rows.slice(0, 5)) expect([id, sent(id).includes('iVBORw0KGgo')]).toEqual([id, true]);
  for (const { id } of others.slice(5)) expect([id, sent(id).includes('About key_knowledge.')]).toEqual([id, true]);
});

async function summarize(): Promise<void> {
  const { snapshot: modal, divider } = contextParts(chatView);
  await chatView.input.fill('/compact now');
  await chatView.input.press('Enter');
  await modal.waitFor();
  await modal.getByRole('button', { name: /^Use this summary/ }).click();
  await divider.waitFor();
}
