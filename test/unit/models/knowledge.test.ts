/** @jest-environment node */
import {
  defaultSettings,
  type ModelChoices,
  type ModelFacts,
  type Settings,
} from '../../../src/core/settings/settings';
import { openGate } from '../../support/memory-ports';
import { geminiBody } from '../../../src/models/formats/gemini';
import { findLocalServers, openModels } from '../../../src/models/open';
import { knowledgeOf } from '../../../src/models/providers/provider';
import { toolSupportIn } from '../../../src/models/http/wire-format';
import { trainedWindow } from '../../../src/models/window-checks';
import { type ScriptedModel, type ScriptedModelSettings, startScriptedModel } from '../../support/model-server';
import {
  ask,
  failureIn,
  instantTiming,
  modelAt,
  planOf,
  realTiming,
  rememberingTransport,
  rowOf,
  testKey,
  textIn,
} from './harness';

const anthropic = rowOf('anthropic');

const started: ScriptedModel[] = [];
afterEach(() => Promise.all(started.splice(0).map((server) => server.close())));
async function start(settings: ScriptedModelSettings = {}): Promise<ScriptedModel> {
  const server = await startScriptedModel(settings);
  started.push(server);
  return server;
}

describe('what is known of a model', () => {
  it('is the table, unless the provider says something else, unless the user does', () => {
    expect(knowledgeOf(anthropic, 'claude-haiku-4-5')).toMatchObject({ contextWindow: 200_000, prices: { input: 1 } });
    const reported = { contextWindow: 400_000, outputLimit: 32_000 };
    expect(knowledgeOf(anthropic, 'claude-haiku-4-5', { reported })).toMatchObject(reported);
    const chosen = { contextWindow: 50_000 };
    expect(knowledgeOf(anthropic, 'claude-haiku-4-5', { reported, chosen })).toMatchObject({
      contextWindow: 50_000,
      outputLimit: 32_000,
      cacheMinimum: 4_096,
    });
  });

  it('dates prices of the table, and no others', () => {
    const origin = { date: '2026-11-20', source: 'platform.claude.com' };
    expect(knowledgeOf(anthropic, 'claude-haiku-4-5').prices).toMatchObject(origin);
    const reported = { inputPrice: 2, outputPrice: 8 };
    expect(knowledgeOf(anthropic, 'claude-haiku-4-5', { reported }).prices).toMatchObject({
      input: 2,
      output: 8,
      cacheRead: 0.1,
      date: null,
    });
    expect(knowledgeOf(rowOf('openrouter'), 'of-anybody').prices).toBeUndefined();
    const chosen = { inputPrice: 0 };
    expect(knowledgeOf(rowOf('openrouter'), 'of-anybody', { chosen }).prices).toEqual({
      input: 0,
      output: 0,
      date: null,
    });
  });

  it('takes each price that is set, and the others of the table', () => {
    const pricesOf = (chosen: ModelFacts) => knowledgeOf(anthropic, 'claude-haiku-4-5', { chosen }).prices;
    const table = knowledgeOf(anthropic, 'claude-haiku-4-5').prices;
    const { input, output, cacheRead, cacheWrite } = table ?? { input: 0, output: 0 };
    const all = { input, output, cacheRead, cacheWrite, date: null };
    expect(pricesOf({ inputPrice: 7 })).toEqual({ ...all, input: 7 });
    expect(pricesOf({ outputPrice: 7 })).toEqual({ ...all, output: 7 });
    expect(pricesOf({ cacheReadPrice: 7 })).toEqual({ ...all, cacheRead: 7 });
    expect(pricesOf({ cacheWritePrice: 7 })).toEqual({ ...all, cacheWrite: 7 });
    const openai = knowledgeOf(rowOf('openai'), 'gpt-5.4', { chosen: { inputPrice: 7, cacheWritePrice: 8 } }).prices;
    expect([openai?.input, openai?.cacheWrite, openai?.long]).toEqual([7, 8, undefined]);
  });

  it('has no prices where the one for what is sent is unknown', () => {
    const openrouter = rowOf('openrouter');
    const pricesOf = (sources: object) => knowledgeOf(openrouter, 'of-anybody', sources).prices;
    expect(pricesOf({ chosen: { outputPrice: 8 } })).toBeUndefined();
    expect(pricesOf({ reported: { cacheReadPrice: 1 } })).toBeUndefined();
    const prices = { input: 2, output: 8, date: null };
    expect(pricesOf({ chosen: { outputPrice: 8 }, reported: { inputPrice: 2 } })).toEqual(prices);
    expect(pricesOf({ chosen: { inputPrice: 2 }, reported: { outputPrice: 8 } })).toEqual(prices);
  });

  it('says of prices of the table when they are more than 90 days old, and of no others', () => {
    const isOld = (now: number, reported = {}) =>
      knowledgeOf(anthropic, 'claude-haiku-4-5', { reported, now }).prices?.isOld;
    expect(isOld(Date.UTC(2027, 1, 18))).toBeUndefined();
    expect(isOld(Date.UTC(2027, 1, 19))).toBe(true);
    expect(isOld(Date.UTC(2027, 1, 19), { inputPrice: 2 })).toBeUndefined();
  });

  it('knows the models of now, with prices for long requests', () => {
    const openai = rowOf('openai');
    expect(knowledgeOf(openai, 'gpt-5.6').prices).toMatchObject({ input: 5, output: 30, cacheRead: 0.5 });
    for (const name of ['gpt-6.2-astra', 'gpt-6.2-sol', 'gpt-6.1-terra', 'gpt-6-luna', 'gpt-5.6-terra'])
      expect([name, knowledgeOf(openai, name).contextWindow]).toEqual([name, 1_050_000]);
    expect(knowledgeOf(openai, 'gpt-6.2-astra').prices).toMatchObject({
      cacheWrite: 10,
      long: { above: 272_000, input: 16, output: 60, cacheRead: 0.8, cacheWrite: 20 },
    });
    for (const [row, name] of [
      ['gemini', 'gemini-3.7-flash'],
      ['anthropic', 'claude-opus-4-8'],
      ['xai', 'grok-4.6'],
    ] as const)
      expect([name, knowledgeOf(rowOf(row), name).prices?.source]).toEqual([name, rowOf(row).table.source]);
  });

  it('says of a model that nobody describes that its window is a guess, and its price unknown', () => {
    const of = (row: string, changes: object = {}) =>
      modelAt('', rowOf(row), { modelName: 'new', ...changes }).description;
    expect(of('openai')).toMatchObject({ isWindowGuessed: true, isUnpriced: true });
    expect(of('openai', { contextWindow: 9_000 })).not.toHaveProperty('isWindowGuessed');
    expect(of('openai', { reported: { contextWindow: 9_000, inputPrice: 1 } })).not.toHaveProperty('isWindowGuessed');
    expect(of('openai', { reported: { contextWindow: 9_000, inputPrice: 1 } })).not.toHaveProperty('isUnpriced');
    expect(of('openai', { modelName: 'gpt-6-sol' })).not.toHaveProperty('isWindowGuessed');
    // Requests to a server of the user's own cost nothing.
    expect(of('ollama')).toMatchObject({ isWindowGuessed: true });
    expect(of('ollama')).not.toHaveProperty('isUnpriced');
  });

  it('R105 reaches the model that is opened, with the user’s word for it before the general window', () => {
    const file = {
      settings: {
        ...defaultSettings,
        contextWindow: 16_384,
        modelFacts: { 'anthropic/claude-haiku-4-5': { contextWindow: 32_768, inputPrice: 7 } },
        providers: { openrouter: { baseUrl: '', keyName: '', models: [], reported: { a: { contextWindow: 65_536 } } } },
      } as Settings,
      change: () => Promise.resolve(),
    };
    const transport = { fetch: () => Promise.reject(new Error('must not be called')) };
    const models = openModels(file, { transport, timing: instantTiming(), gate: openGate(testKey) });
    const described = (id: string) => {
      const opened = models.open(id);
      if (!opened.ok) throw new Error(opened.failure.words);
      return opened.value.description;
    };
    expect(described('anthropic/claude-haiku-4-5')).toMatchObject({ contextWindow: 32_768, prices: { input: 7 } });
    expect(described('anthropic/claude-sonnet-5-5').contextWindow).toBe(16_384);
    expect(models.known('anthropic/claude-haiku-4-5')).toMatchObject({ contextWindow: 200_000, prices: { input: 1 } });
    expect(models.known('openrouter/a')?.contextWindow).toBe(65_536);
    expect(models.known('nobody/x')).toBeNull();
  });
});

describe('whether a model has native tools', () => {
  it.each<[unknown, object]>([
    [{ capabilities: ['completion', 'tools'] }, { nativeTools: true }],
    [{ capabilities: ['completion', 'vision'] }, { nativeTools: false }],
    [{ capabilities: ['tool_use'] }, { nativeTools: true }],
    [{ capabilities: [] }, {}],
    [{ supported_parameters: ['max_tokens', 'tools'] }, { nativeTools: true }],
    [{ supported_parameters: ['max_tokens'] }, { nativeTools: false }],
    [{ capabilities: { function_calling: false, completion_chat: true } }, { nativeTools: false }],
    [{ id: 'm' }, {}],
    [null, {}],
  ])('is read from %j', (entry, facts) => {
    expect(toolSupportIn(entry)).toEqual(facts);
  });

  it('R160 is what the provider reports, unless the user decides', () => {
    const settings = (chosen: ModelChoices): Settings => ({
      ...defaultSettings,
      modelFacts: { 'ollama/a': chosen },
      providers: {
        ollama: { baseUrl: '', keyName: '', models: [], reported: { a: { nativeTools: false }, b: {} } },
      },
    });
    const isNative = (id: string, chosen: ModelChoices = {}) => {
      const ports = { transport: { fetch }, timing: instantTiming(), gate: openGate(null) };
      const models = openModels({ settings: settings(chosen), change: () => Promise.resolve() }, ports);
      return models.described(id)?.nativeTools;
    };
    expect([isNative('ollama/a'), isNative('ollama/b'), isNative('anthropic/c')]).toEqual([false, true, true]);
    expect(isNative('ollama/a', { toolCalling: 'native' })).toBe(true);
  });

  it('K16 decides whether messages of one role are joined, since results in text are messages of the user', async () => {
    const server = await start({ script: () => ({ text: 'Tea.' }) });
    const say = (text: string) => ({ role: 'user' as const, parts: [{ type: 'text' as const, text }] });
    const rolesFor = async (toolCalling: 'native' | 'text') => {
      const model = modelAt(`${server.url}/openai/v1`, rowOf('mistral'), { chosen: { toolCalling } });
      await ask(model, planOf({ messages: [say('a'), say('b')] }));
      const { messages } = server.requests.at(-1)?.body as { messages: { role: string }[] };
      return messages.map(({ role }) => role).filter((role) => role !== 'system');
    };
    expect(await rolesFor('text')).toEqual(['user']);
    expect(await rolesFor('native')).toEqual(['user', 'user']);
  });

  it.each(['lmstudio', 'openai-compatible'])('K16 joins them for %s, whichever way it calls tools', async (row) => {
    const server = await start({ script: () => ({ text: 'Tea.' }) });
    const say = (text: string) => ({ role: 'user' as const, parts: [{ type: 'text' as const, text }] });
    for (const toolCalling of ['native', 'text'] as const) {
      const model = modelAt(`${server.url}/openai/v1`, rowOf(row), { chosen: { toolCalling } });
      await ask(model, planOf({ messages: [say('a'), say('b')] }));
      const { messages } = server.requests.at(-1)?.body as { messages: { role: string }[] };
      expect(messages.map(({ role }) => role).filter((role) => role !== 'system')).toEqual(['user']);
    }
  });

  it('is asked of Ollama for each model of its list', async () => {
    const server = await start({ windows: { capabilities: ['completion'] } });
    const changes: Partial<Settings>[] = [];
    const providers = { ollama: { baseUrl: `${server.url}/ollama`, keyName: '', models: [] } };
    const models = openModels(
      { settings: { ...defaultSettings, providers }, change: (part) => Promise.resolve(void changes.push(part)) },
      { transport: { fetch: (url, init) => fetch(url, init) }, timing: realTiming, gate: openGate(null) },
    );
    expect(await models.testConnection('ollama')).toEqual({
      ok: true,
      value: [{ name: 'scripted', nativeTools: false }],
    });
    await models.callToolsInText('ollama/scripted');
    expect(changes).toEqual([{ modelFacts: { 'ollama/scripted': { toolCalling: 'text' } } }]);
  });
});

describe('what an answer cost', () => {
  it('R231 comes with its counts, where prices are known', async () => {
    const server = await start();
    const usage = { input: 1_000, output: 100 };
    server.setScript([
      { text: 'Yes.', usage },
      { text: 'Yes.', usage },
      { text: 'Yes.', usage: null },
    ]);
    const priced = modelAt(`${server.url}/anthropic/v1`, anthropic, { chosen: { inputPrice: 10, outputPrice: 20 } });
    expect((await ask(priced)).at(-1)).toMatchObject({ usage: { inputTokens: 1_000, cost: 0.012 } });
    const local = modelAt(`${server.url}/openai/v1`, rowOf('openai-compatible'));
    const last = (await ask(local)).at(-1);
    expect(last?.type === 'finish' && last.usage).not.toHaveProperty('cost');
  });

  it('is not said of a server that counts nothing, whatever the prices', async () => {
    const server = await start();
    server.setScript([{ text: 'Yes.', usage: null }]);
    const chosen = { inputPrice: 10, outputPrice: 20 };
    const events = await ask(modelAt(`${server.url}/openai/v1`, rowOf('openai-compatible'), { chosen }));
    expect(textIn(events)).toBe('Yes.');
    expect(events.at(-1)).toMatchObject({ type: 'finish' });
    expect(events.at(-1)).not.toHaveProperty('usage');
  });
});

describe('what a model refuses', () => {
  const refusal = (message: string) => ({
    status: 400,
    errorBody: { error: { message, type: 'invalid_request_error' } },
  });

  it.each([
    ['effort', "Unsupported parameter: 'reasoning_effort'", '"reasoning_effort"'],
    ['temperature', "'temperature' does not support 0.3 with this model.", '"temperature"'],
    ['limit', "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", '"max_tokens"'],
  ])('is left out from then on: %s', async (name, message, field) => {
    const server = await start();
    server.setScript([refusal(message), { text: 'Yes.' }, { text: 'Again.' }]);
    const chosen = { effort: 'low', temperature: 0.3 } as const;
    const settings = { modelName: `refuses-${name}`, chosen };
    const model = modelAt(`${server.url}/openai/v1`, rowOf('openai-compatible'), settings);
    expect(textIn(await ask(model))).toBe('Yes.');
    expect(textIn(await ask(model))).toBe('Again.');
    const sent = server.requests.map(({ body }) => JSON.stringify(body));
    expect(sent.map((body) => body.includes(field))).toEqual([true, false, false]);
    if (name === 'limit') expect(sent[1]).toContain('"max_completion_tokens":512');
  });

  it('is not sent again without images where there were none', async () => {
    const server = await start();
    server.setScript([refusal('This model does not support image input.'), { text: 'Late.' }]);
    const model = modelAt(`${server.url}/openai/v1`, rowOf('openai-compatible'), { modelName: 'llava:13b' });
    const events = await ask(model);
    expect([events.at(-1)?.type, events.some(({ type }) => type === 'notice')]).toEqual(['failure', false]);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    'Thinking level LOW is not supported for this model. Please retry with other thinking level.',
    'Budget 0 is invalid. This model only works in thinking mode.',
    'The thinking budget (0) is invalid.',
  ])('is left out in the words of Gemini as well: %s', async (message) => {
    const server = await start();
    server.setScript([refusal(message), { text: 'Yes.' }]);
    const settings = { modelName: `refuses-${message.length}`, chosen: { effort: 'none' } as const };
    const model = modelAt(`${server.url}/openai/v1`, rowOf('openai-compatible'), settings);
    expect(textIn(await ask(model))).toBe('Yes.');
    const sent = server.requests.map(({ body }) => JSON.stringify(body));
    expect(sent.map((body) => body.includes('"reasoning_effort"'))).toEqual([true, false]);
  });

  it('is not sent to Gemini: since version 3, most models know no level below low', () => {
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello?' }] }];
    const body = geminiBody({ prompt, reasoning: 'none' }, 'gemini-3.8-flash');
    expect(body.generationConfig).toMatchObject({ thinkingConfig: { thinkingLevel: 'low' } });
  });

  it('is asked for once more without sealed thoughts, when it has none', async () => {
    const server = await start();
    server.setScript([refusal('Encrypted content is not supported with this model.'), { text: 'Yes.' }]);
    const model = modelAt(`${server.url}/openai/v1`, rowOf('openai'), { modelName: 'gpt-5-open' });
    expect(textIn(await ask(model))).toBe('Yes.');
    const sent = server.requests.map(({ body }) => JSON.stringify(body));
    expect(sent.map((body) => body.includes('reasoning.encrypted_content'))).toEqual([true, false]);
  });

  it('is a refusal like any other when it was not sent, or a second time', async () => {
    const server = await start();
    server.setScript([refusal("Unsupported parameter: 'reasoning_effort'"), { text: 'Late.' }]);
    const model = modelAt(`${server.url}/openai/v1`, rowOf('openai-compatible'), { modelName: 'plain' });
    expect(failureIn(await ask(model))).toMatchObject({ kind: 'protocol' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the window of an Ollama model', () => {
  it('is asked for with each request, and a smaller one is told once', async () => {
    const server = await start({ windows: { trained: 32_768, loaded: 4_096 } });
    server.setScript([
      { text: 'One two three.', delayMs: 60 },
      { text: 'Again.', delayMs: 60 },
    ]);
    const model = modelAt(`${server.url}/ollama`, rowOf('ollama'), { transport: rememberingTransport() });
    const first = await ask(model);
    expect((server.requests[0]?.body as any).options.num_ctx).toBe(8_192);
    const notices = first.flatMap((event) => (event.type === 'notice' ? [event.words] : []));
    expect(notices).toEqual([expect.stringContaining('context window of 4,096 tokens, not 8,192')]);
    expect(first.at(-1)?.type).toBe('finish');
    expect((await ask(model)).some(({ type }) => type === 'notice')).toBe(false);
  });

  it('stops a request that the model can never hold, once that is known', async () => {
    const server = await start({ windows: { trained: 2_048 } });
    server.setScript([{ text: 'One two.', delayMs: 40 }, { text: 'Never.' }]);
    const model = modelAt(`${server.url}/ollama`, rowOf('ollama'), { modelName: 'scripted' });
    await ask(model);
    // Nobody waits for the answers to these questions.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { totals } = planOf();
    const failure = failureIn(await ask(model, planOf({ totals: { ...totals, all: 3_000 } })));
    expect(failure).toMatchObject({ kind: 'context-length' });
    expect(server.requests.filter(({ path }) => path.endsWith('/api/chat'))).toHaveLength(1);
  });

  it('F21 a request that the server itself finds too long is told as such', async () => {
    const server = await start();
    const error = 'prompt is too long; exceeded max context length by 212 tokens';
    server.setScript([{ status: 400, errorBody: { error } }]);
    expect(failureIn(await ask(modelAt(`${server.url}/ollama`, rowOf('ollama'))))).toMatchObject({
      kind: 'context-length',
    });
  });

  it.each([
    [{ model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072 } }, 131_072],
    [{ model_info: { 'llama.embedding_length': 4_096 } }, null],
    [{ model_info: { 'llama.context_length': 'x' } }, null],
    [{}, null],
    [null, null],
  ])('is read from %j', (shown, window) => {
    expect(trainedWindow(shown)).toBe(window);
  });
});

describe('servers of this computer', () => {
  const ports = (answer: (url: string) => Promise<Response>) => ({
    transport: { fetch: answer },
    timing: instantTiming(),
    gate: openGate(null),
  });
  const json = (value: unknown): Promise<Response> => Promise.resolve(new Response(JSON.stringify(value)));
  const dead = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));

  it('are found with their models at their usual ports, and nowhere else', async () => {
    const urls: string[] = [];
    const found = await findLocalServers(
      defaultSettings,
      ports((url) => {
        urls.push(url);
        return url.includes('11434') ? json({ models: [{ name: 'oak:7b' }] }) : dead();
      }),
    );
    expect(found).toEqual([{ provider: 'ollama', label: 'Ollama', models: [{ name: 'oak:7b' }] }]);
    expect(urls.sort()).toEqual([
      'http://localhost:11434/api/show',
      'http://localhost:11434/api/tags',
      'http://localhost:1234/v1/models',
    ]);
  });

  it('that refuse the app are told with the setting that lets it in', async () => {
    const transport = {
      fetch: dead,
      requestUrl: (request: { url: string }) =>
        request.url.includes('1234')
          ? Promise.resolve({ status: 200, headers: {}, arrayBuffer: new ArrayBuffer(0) })
          : Promise.reject(new Error('refused')),
      wholeAnswers: 'refuse' as const,
    };
    const [lmStudio, ...others] = await findLocalServers(defaultSettings, { ...ports(dead), transport });
    expect(others).toEqual([]);
    expect(lmStudio).toMatchObject({ provider: 'lmstudio', models: [] });
    expect(lmStudio?.failure?.remedy).toContain('Enable CORS');
  });

  it('are set up by choosing one of their models, with what a newer version stored of them', async () => {
    const newer = { baseUrl: '', keyName: '', models: [], later: 'kept' };
    let settings: Settings = { ...defaultSettings, providers: { ollama: newer } };
    const file = {
      get settings() {
        return settings;
      },
      change: (part: Partial<Settings>) => {
        settings = { ...settings, ...part };
        return Promise.resolve();
      },
    };
    const models = openModels(file, ports(dead));
    const server = { provider: 'ollama', label: 'Ollama', models: [{ name: 'oak:7b', contextWindow: 32_768 }] };
    await models.use(server, null);
    expect([settings.model, settings.providers['ollama']?.models]).toEqual([defaultSettings.model, ['oak:7b']]);
    await models.use(server, 'ollama/oak:7b');
    expect(settings.model).toBe('ollama/oak:7b');
    expect(settings.providers['ollama']).toMatchObject({ models: ['oak:7b'], later: 'kept' });
    const opened = models.open(settings.model);
    expect(opened.ok && opened.value.description.contextWindow).toBe(32_768);
  });
});
