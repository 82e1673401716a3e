/** What servers of one's own say of their models, and what is known of prices: as the settings show it, and as requests keep to it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { words } from '../../../src/text';
import { scriptedSecrets, scriptedSettings, startScriptedModel, type ScriptedModel } from '../../support/model-server';
import { until } from '../driver/chat-view';
import { chatView, openChat, workbench } from '../driver/open-chat';
import { startChat } from '../driver/reach-walk';
import { openSettingsWindow } from '../driver/settings-window';

jest.setTimeout(60_000);

const { labels, facts } = words.models;
const own = labels.openaiCompatible;

interface LocalServer {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly window: number;
  /** Its answers by path, as the sources of the server have them. */
  readonly answers: Readonly<Record<string, object>>;
}

const card = (id: string, more: object = {}) => ({
  id,
  object: 'model',
  created: 1_763_000_000,
  owned_by: 'x',
  ...more,
});
const list = (...data: object[]) => ({ object: 'list', data });

const servers: readonly LocalServer[] = [
  {
    name: 'lm-studio',
    provider: labels.lmStudio,
    model: 'qwen3-8b',
    window: 24_576,
    answers: {
      '/v1/models': list(card('qwen3-8b'), card('text-embedding-nomic-embed-text-v1.5')),
      '/api/v0/models': list(
        { id: 'qwen3-8b', type: 'llm', state: 'loaded', max_context_length: 131_072, loaded_context_length: 24_576 },
        { id: 'text-embedding-nomic-embed-text-v1.5', type: 'embeddings', max_context_length: 2_048 },
      ),
    },
  },
  {
    name: 'vllm',
    provider: own,
    model: 'Qwen/Qwen3-8B',
    window: 40_960,
    answers: {
      '/v1/models': list(card('Qwen/Qwen3-8B', { root: 'Qwen/Qwen3-8B', parent: null, max_model_len: 40_960 })),
    },
  },
  {
    name: 'llama.cpp',
    provider: own,
    model: 'model.gguf',
    window: 16_384,
    answers: { '/v1/models': list(card('model.gguf', { meta: { n_ctx: 16_384, n_ctx_train: 131_072 } })) },
  },
  {
    name: 'older llama.cpp',
    provider: own,
    model: 'older.gguf',
    window: 12_288,
    answers: {
      '/v1/models': list(card('older.gguf', { meta: { vocab_type: 2, n_ctx_train: 131_072 } })),
      '/props': { default_generation_settings: { id: 0, n_ctx: 12_288 }, total_slots: 1 },
    },
  },
  {
    name: 'litellm',
    provider: own,
    model: 'house',
    window: 65_536,
    answers: {
      '/v1/models': list(card('house')),
      '/v1/model/info': {
        data: [
          {
            model_name: 'house',
            litellm_params: { model: 'openai/house' },
            model_info: { mode: 'chat', max_tokens: 8_192, max_input_tokens: 65_536, max_output_tokens: 8_192 },
          },
        ],
      },
    },
  },
];

const priced = 'claude-haiku-4-5';
const unpriced = 'claude-of-nobody';

let answers: Readonly<Record<string, object>> = {};
let local: Server;
let url = '';
let model: ScriptedModel;

beforeAll(async () => {
  local = createServer((request, response) => {
    const answer = answers[(request.url ?? '').split('?')[0] ?? ''];
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    response.writeHead(request.method === 'OPTIONS' ? 204 : answer === undefined ? 404 : 200, headers);
    response.end(answer === undefined ? '' : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(local.address() as AddressInfo).port}`;
  model = await startScriptedModel({ script: () => ({ text: 'Yes.' }) });
  const stored = scriptedSettings(model.url, { anthropic: [priced, unpriced] });
  // The scripted model has a key of its own there.
  const { 'openai-compatible': _scripted, ...providers } = stored['providers'] as Record<string, object>;
  await openChat({
    ...{ vault: { 'Now.md': '# Now\n' }, secrets: scriptedSecrets },
    settings: { ...stored, providers },
  });
});
afterAll(async () => {
  await workbench.close();
  await model.close();
  await new Promise<void>((resolve) => {
    local.close(() => resolve());
    local.closeAllConnections();
  });
});

/** What the settings say of the model that is chosen: the head of its page, and the window that is known. Closes them. */
async function readFacts(
  opened?: Awaited<ReturnType<typeof openSettingsWindow>>,
): Promise<{ readonly said: string; readonly window: string }> {
  const settings = opened ?? (await openSettingsWindow(workbench));
  await settings.openPage(facts.page);
  const page = workbench.page.locator('.modal.mod-settings .setting-page');
  const said = await page.innerText();
  const window = await settings.row(facts.contextWindow.name).locator('input').getAttribute('placeholder');
  await settings.close();
  return { said, window: window ?? '' };
}

/** The number of tokens that the bar of the chat says a request may have. */
async function roomInBar(): Promise<number> {
  const said = await chatView.root.locator('.docent-context-words').innerText();
  return Number(/of ([\d,]+) tokens/.exec(said)?.[1]?.replaceAll(',', ''));
}

it('takes the window of a model from the list of each kind of server', async () => {
  for (const { name, provider, model, window, answers: given } of servers) {
    answers = given;
    const settings = await openSettingsWindow(workbench);
    await settings.openPage(provider);
    // The models of the server before stay until the user removes them.
    await settings.type('Address', `${url}/v1`);
    await settings.type('Models', '');
    await settings.row('Test connection').getByRole('button').click();
    await until(
      async () => (await settings.row('Models').locator('textarea').inputValue()) === model,
      `the models of ${name} are listed`,
    );
    await settings.back();
    await settings.choose('Model', `${provider}: ${model}`);
    expect([name, (await readFacts(settings)).window]).toEqual([name, window.toLocaleString('en')]);
    await until(async () => {
      const room = await roomInBar();
      return room < window && room > window / 2;
    }, `the bar keeps to the window of ${name}`);
  }
});

it('asks Ollama for the window that it plans with', async () => {
  await setModel(labels.ollama, 'scripted');
  await chatView.ask('Are you there?');
  const { options } = model.requests.at(-1)?.body as { options?: { num_ctx?: number } };
  expect(options?.num_ctx?.toLocaleString('en')).toBe((await readFacts()).window);
});

it('says whose price it shows and of when, when it is old, and when it knows none', async () => {
  const { listPrices, priceUnknown } = words.spending;
  const prices = { date: '2026-11-20', source: 'platform.claude.com' };
  /** The line once it says this: it follows the choice of a model with the next plan. */
  const listLine = async (expected: string): Promise<string> => {
    await chatView.root.locator('button.docent-context').click();
    const line = workbench.page.locator('.docent-list-price', { hasText: expected });
    await line.waitFor();
    const whole = await line.innerText();
    await workbench.page.keyboard.press('Escape');
    await line.waitFor({ state: 'detached' });
    return whole;
  };
  await setModel(labels.anthropic, priced);
  await chatView.ask('Hello?');
  const { said } = await readFacts();
  expect(said).toContain(listPrices(prices));
  expect(said).not.toContain('90 days');
  await listLine(listPrices(prices));
  await workbench.page.evaluate(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 91 * 86_400_000;
  });
  expect((await readFacts()).said).toContain(listPrices({ ...prices, isOld: true }));
  await listLine('It is more than 90 days old.');
  await setModel(labels.anthropic, unpriced);
  await chatView.ask('And you?');
  const { said: saidOfNobody } = await readFacts();
  expect(saidOfNobody).toContain(priceUnknown);
  expect(saidOfNobody).toContain(facts.windowUnknown(200_000).slice(0, 32));
  expect(await listLine(priceUnknown)).not.toMatch(/\$/);
  const settings = await openSettingsWindow(workbench);
  await settings.openPage(facts.page);
  await settings.type(facts.inputPrice.name, '3');
  await settings.close();
  expect((await readFacts()).said).not.toContain(priceUnknown);
});

/** Chooses a model in the settings, and begins a chat with it. */
async function setModel(provider: string, name: string): Promise<void> {
  const settings = await openSettingsWindow(workbench);
  await settings.choose('Model', `${provider}: ${name}`);
  await settings.close();
  await startChat({ workbench, chatView });
}
