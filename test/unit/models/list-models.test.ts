/** @jest-environment node */
import { wireFormats } from '../../../src/models/http/wire-format';
import { admitWith } from '../../support/memory-ports';
import { listModels } from '../../../src/models/query-server';
import { type ScriptedModel, startScriptedModel } from '../../support/model-server';
import { ask, formats, instantTiming, modelAt, patient, realTiming, rowOf, testKey } from './harness';

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel();
});
afterAll(() => server.close());

const settings = {
  admit: admitWith(testKey),
  transport: { fetch: (url: string, init: RequestInit) => fetch(url, init) },
  timing: instantTiming(),
  signal: new AbortController().signal,
  limits: patient,
};

/** What the lists say of a model besides its name. */
const factsOf: Readonly<Partial<Record<string, object>>> = {
  gemini: { contextWindow: 65_536 },
  ollama: { nativeTools: true },
};

it.each(formats)('lists the models of $format', async ({ row, path }) => {
  const listed = await listModels({ ...settings, row, baseUrl: server.url + path });
  const facts = factsOf[row.format] ?? {};
  expect(listed).toEqual({ ok: true, value: [{ name: 'scripted', ...facts }] });
});

/** The addresses that are asked for models and for an answer. */
async function reached(id: string, baseUrl: string): Promise<string[]> {
  const urls: string[] = [];
  const fetch = (url: string): Promise<Response> => {
    urls.push(url);
    return Promise.resolve(new Response('{}', { status: 418 }));
  };
  const [transport, row] = [{ fetch }, rowOf(id)];
  await listModels({ ...settings, transport, row, baseUrl });
  await ask(modelAt(baseUrl, row, { transport }));
  return urls;
}

it.each([
  ['anthropic', 'https://api.anthropic.com', 'https://api.anthropic.com/v1'],
  ['anthropic', 'https://api.anthropic.com/v1/', 'https://api.anthropic.com/v1'],
  ['anthropic', 'https://proxy.example', 'https://proxy.example'],
  ['gemini', ' https://generativelanguage.googleapis.com/ ', 'https://generativelanguage.googleapis.com/v1beta'],
  ['lmstudio', 'http://localhost:1234', 'http://localhost:1234/v1'],
  ['lmstudio', 'http://127.0.0.1:1234/', 'http://127.0.0.1:1234/v1'],
  ['lmstudio', 'http://[::1]:1234', 'http://[::1]:1234/v1'],
  ['lmstudio', 'http://127.0.0.1:4321', 'http://127.0.0.1:4321'],
  ['openai', 'Https://API.openai.com', 'Https://API.openai.com/v1'],
  ['openai', 'https://api.openai.com.proxy.example', 'https://api.openai.com.proxy.example'],
  ['ollama', 'http://localhost:11434/', 'http://localhost:11434'],
])('%s: reaches “%s” at %s, for models and for answers', async (id, baseUrl, address) => {
  const urls = await reached(id, baseUrl);
  expect(urls.length).toBeGreaterThan(1);
  expect(urls.filter((url) => !url.startsWith(`${address}/`) || url.includes('/v1/v1'))).toEqual([]);
});

it.each([
  ['openai-compatible', 'https://host.example/v1/chat/completions', 'https://host.example/v1'],
  ['openai-compatible', 'https://host.example/api/v1/Chat/Completions/', 'https://host.example/api/v1'],
  ['openai-compatible', 'https://host.example/v1/completions', 'https://host.example/v1'],
  ['openai-compatible', 'https://host.example/v1/responses', 'https://host.example/v1'],
  ['openai-compatible', 'https://host.example/v1/models', 'https://host.example/v1'],
  ['openai-compatible', 'https://host.example/chat/completions', 'https://host.example'],
  ['openai-compatible', 'https://host.example/models', 'https://host.example/models'],
  ['openai-compatible', 'https://host.example/models/chat/completions', 'https://host.example/models'],
  ['openai-compatible', 'https://host.example/v1/models/chat', 'https://host.example/v1/models/chat'],
  ['openai', 'https://api.openai.com/v1/responses', 'https://api.openai.com/v1'],
  ['anthropic', 'https://api.anthropic.com/v1/messages', 'https://api.anthropic.com/v1'],
  ['gemini', 'https://proxy.example/v1beta/models', 'https://proxy.example/v1beta'],
  ['gemini', 'https://proxy.example/v1beta/models/g-3:streamGenerateContent', 'https://proxy.example/v1beta'],
  ['ollama', 'http://localhost:11434/api/chat', 'http://localhost:11434'],
  ['ollama', 'http://localhost:11434/v1/chat/completions', 'http://localhost:11434'],
])('%s: takes the end off the full address %s', async (id, baseUrl, address) => {
  const urls = await reached(id, baseUrl);
  expect(urls).toEqual(await reached(id, address));
  expect(urls.length).toBeGreaterThan(1);
  expect(urls.filter((url) => !url.startsWith(`${address}/`))).toEqual([]);
});

it.each(['https://host.example/v1?api-version=2026-10-01', 'https://host.example/v1#models'])(
  'sends nothing to %s, behind which it would add the end of a request',
  async (baseUrl) => {
    const fetch = jest.fn(() => Promise.reject(new Error('Not reached.')));
    const listed = await listModels({ ...settings, transport: { fetch }, row: rowOf('openai-compatible'), baseUrl });
    expect(listed.ok ? null : listed.failure.words).toContain('contains “?” or “#”');
    expect(fetch).not.toHaveBeenCalled();
  },
);

it('sends the key in the header of the format, and nothing else', async () => {
  const seen: { url: string; init: RequestInit }[] = [];
  const transport = {
    fetch: (url: string, init: RequestInit) => {
      seen.push({ url, init });
      return Promise.resolve(new Response('{"data":[]}'));
    },
  };
  await listModels({ ...settings, transport, row: rowOf('anthropic'), baseUrl: '' });
  await listModels({ ...settings, transport, row: rowOf('openai'), baseUrl: '' });
  expect(seen.map(({ url, init }) => [url, init.method, init.headers])).toEqual([
    [
      'https://api.anthropic.com/v1/models?limit=1000',
      'GET',
      {
        'anthropic-version': '2023-06-01',
        'anthropic-dangerous-direct-browser-access': 'true',
        'x-api-key': testKey,
      },
    ],
    ['https://api.openai.com/v1/models', 'GET', { authorization: `Bearer ${testKey}` }],
  ]);
});

it.each([
  [401, '{"error":{"message":"no"}}', 'authentication'],
  [404, 'not here', 'protocol'],
  [200, '{"models":1}', 'protocol'],
  [200, 'no json', 'protocol'],
])('turns status %i with %s into words', async (status, body, kind) => {
  const transport = { fetch: () => Promise.resolve(new Response(body, { status })) };
  const listed = await listModels({ ...settings, transport, row: rowOf('openai'), baseUrl: '' });
  expect(listed).toMatchObject({ ok: false, failure: { kind } });
});

it('reads a list that is one line of several megabytes, and of none that never ends', async () => {
  const row = rowOf('openai-compatible');
  const data = Array.from({ length: 1_000 }, (_, at) => ({ id: `model-${at}`, description: 'x'.repeat(3_000) }));
  const long = { fetch: () => Promise.resolve(Response.json({ data })) };
  const listed = await listModels({ ...settings, transport: long, row, baseUrl: 'https://models.example/v1' });
  expect(listed.ok && listed.value.length).toBe(1_000);
  let sent = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    controller.enqueue(new Uint8Array(1_000_000).fill((sent += 1) === 1 ? 123 : 10));
    if (sent === 100) controller.close();
  };
  const endless = { fetch: () => Promise.resolve(new Response(new ReadableStream({ pull }))) };
  const refused = await listModels({ ...settings, transport: endless, row, baseUrl: 'https://models.example/v1' });
  expect(refused).toMatchObject({ ok: false, failure: { kind: 'protocol' } });
  expect(sent).toBeLessThan(25);
});

it('turns a web page, a dead line and a silent server into words', async () => {
  const page = () => Promise.resolve(new Response('<html>', { headers: { 'content-type': 'text/html' } }));
  const dead = () => Promise.reject(new TypeError('Failed to fetch'));
  const row = rowOf('lmstudio');
  for (const answer of [page, dead]) {
    const listed = await listModels({ ...settings, transport: { fetch: answer }, row, baseUrl: '' });
    expect(listed).toMatchObject({ ok: false, failure: { kind: 'network' } });
  }
  const silent = { fetch: () => new Promise<Response>(() => undefined) };
  const stalled = {
    fetch: () => Promise.resolve(new Response(new ReadableStream({ start: (c) => c.enqueue(new Uint8Array([123])) }))),
  };
  const limits = { ...patient, connectMilliseconds: 50 };
  for (const transport of [silent, stalled]) {
    const listed = await listModels({ ...settings, transport, timing: realTiming, limits, row, baseUrl: '' });
    expect(listed.ok).toBe(false);
  }
});

it('gives up a server that is silent by the second way as soon as by the first', async () => {
  const dead = () => Promise.reject(new TypeError('Failed to fetch'));
  const transport = { fetch: dead, requestUrl: () => new Promise<never>(() => undefined) };
  const limits = { ...patient, connectMilliseconds: 15_000 };
  const waits: number[] = [];
  const timing = instantTiming(waits);
  const listed = await listModels({ ...settings, transport, timing, limits, row: rowOf('lmstudio'), baseUrl: '' });
  expect(listed).toMatchObject({ ok: false, failure: { kind: 'network' } });
  expect(waits).toEqual([15_000]);
});

it('needs the key before it asks', async () => {
  const transport = { fetch: () => Promise.reject(new Error('must not be called')) };
  const listed = await listModels({
    ...settings,
    transport,
    admit: admitWith(null),
    row: rowOf('openai'),
    baseUrl: '',
  });
  expect(listed).toMatchObject({ ok: false, failure: { kind: 'authentication' } });
});

it('reads what lists tell of a model, and skips what is no model', () => {
  const { readModels } = wireFormats['openai-compatible'];
  const data = [{ id: 'a', context_length: 131072 }, { id: 'b', max_model_len: 32768 }, { id: 7 }, null, { id: 'c' }];
  const models = [{ name: 'a', contextWindow: 131072 }, { name: 'b', contextWindow: 32768 }, { name: 'c' }];
  expect(readModels({ data })).toEqual(models);
  expect(readModels([{ id: 'a' }])).toEqual([{ name: 'a' }]);
  expect(readModels({ data: 'x' })).toBeNull();
  expect(readModels({ data: [{ id: 'a', context_length: 12, max_tokens: '9' }] })).toEqual([{ name: 'a' }]);
});

it('reads prices for one token as prices for a million', () => {
  const pricing = { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003', input_cache_write: '' };
  const entry = { id: 'a', pricing, top_provider: { max_completion_tokens: 64_000 } };
  expect(wireFormats['openai-compatible'].readModels({ data: [entry] })).toEqual([
    { name: 'a', outputLimit: 64_000, inputPrice: 3, outputPrice: 15, cacheReadPrice: 0.3 },
  ]);
});

it.each(['Infinity', '1e999', '1e300', 'NaN', '-1', 'free'])('reads no price that is no amount: %s', (prompt) => {
  const data = [{ id: 'a', pricing: { prompt, completion: '0.000015' } }];
  expect(wireFormats['openai-compatible'].readModels({ data })).toEqual([{ name: 'a', outputPrice: 15 }]);
});

const windowFields = ['context_length', 'max_model_len', 'max_input_tokens', 'context_window', 'max_context_length'];
const outputFields = ['max_output_tokens', 'max_tokens', 'max_completion_tokens', 'outputTokenLimit'];
const priceFields = {
  inputPrice: ['pricing.prompt', 'input_cost_per_token'],
  outputPrice: ['pricing.completion', 'output_cost_per_token'],
  cacheReadPrice: ['pricing.input_cache_read', 'cache_read_input_token_cost'],
  cacheWritePrice: ['pricing.input_cache_write', 'cache_creation_input_token_cost'],
};

it.each<readonly [field: string, fact: string, value: number, smaller: number, read: number]>([
  ...[...windowFields, 'inputTokenLimit', 'meta.n_ctx'].map(
    (field) => [field, 'contextWindow', 1_024, 1_023, 1_024] as const,
  ),
  ...[...outputFields, 'top_provider.max_completion_tokens'].map(
    (field) => [field, 'outputLimit', 1_024, 1_023, 1_024] as const,
  ),
  ...Object.entries(priceFields).flatMap(([fact, fields]) =>
    fields.map((field) => [field, fact, 2e-6, -1, 2] as const),
  ),
])('reads %s of a list as its %s, of %s on', (field, fact, value, smaller, read) => {
  const entry = (given: number): object =>
    field.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), given) as object;
  const { readModels } = wireFormats['openai-compatible'];
  const data = [value, smaller].map((given, at) => ({ id: `m${at}`, ...entry(given) }));
  expect(readModels({ data })).toEqual([{ name: 'm0', [fact]: read }, { name: 'm1' }]);
});

it('offers of Gemini’s list those that answer, under the names that requests take', () => {
  const models = [
    {
      name: 'models/a',
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ['generateContent'],
    },
    { name: 'models/b', supportedGenerationMethods: ['embedContent'] },
  ];
  expect(wireFormats.gemini.readModels({ models })).toEqual([
    { name: 'a', contextWindow: 1_048_576, outputLimit: 65_536 },
  ]);
});

describe('lists of local servers', () => {
  const listFrom = (row: string, answers: Record<string, object>) => {
    const transport = {
      fetch: (url: string) => {
        const answer = answers[new URL(url).pathname];
        return Promise.resolve(
          new Response(JSON.stringify(answer ?? {}), { status: answer === undefined ? 404 : 200 }),
        );
      },
    };
    return listModels({ ...settings, transport, row: rowOf(row), baseUrl: '' });
  };
  const listed = { data: [{ id: 'qwen3-8b' }, { id: 'gemma-3-4b' }, { id: 'text-embedding-nomic-embed-text-v1.5' }] };

  it('of LM Studio give the window with which a model is in memory, and no model for vectors', async () => {
    const loaded = {
      data: [
        { id: 'qwen3-8b', type: 'llm', state: 'loaded', max_context_length: 131_072, loaded_context_length: 24_576 },
        { id: 'gemma-3-4b', type: 'vlm', state: 'not-loaded', max_context_length: 131_072, capabilities: ['tool_use'] },
        { id: 'text-embedding-nomic-embed-text-v1.5', type: 'embeddings', max_context_length: 2_048 },
      ],
    };
    expect(await listFrom('lmstudio', { '/v1/models': listed, '/api/v0/models': loaded })).toEqual({
      ok: true,
      value: [
        { name: 'qwen3-8b', contextWindow: 24_576 },
        { name: 'gemma-3-4b', nativeTools: true },
      ],
    });
    expect(await listFrom('lmstudio', { '/v1/models': listed })).toEqual({
      ok: true,
      value: [{ name: 'qwen3-8b' }, { name: 'gemma-3-4b' }],
    });
  });

  const listAt = (answers: Record<string, object>) => {
    const asked: string[] = [];
    const transport = {
      fetch: (url: string) => {
        const { pathname } = new URL(url);
        asked.push(pathname);
        const answer = answers[pathname];
        return Promise.resolve(new Response(JSON.stringify(answer ?? {}), { status: answer ? 200 : 404 }));
      },
    };
    const row = rowOf('openai-compatible');
    const listed = listModels({ ...settings, transport, row, baseUrl: 'http://127.0.0.1:4000/v1' });
    return listed.then((models) => ({ models: models.ok ? models.value : models, asked }));
  };

  it('of LiteLLM give what its model info says, for the smallest of those that share a name', async () => {
    const deployment = (model_name: string, info: object) => ({
      model_name,
      litellm_params: { model: `openai/${model_name}`, api_base: 'https://example.test' },
      model_info: { id: 'f0a1', db_model: false, key: model_name, litellm_provider: 'openai', mode: 'chat', ...info },
    });
    const entry = (id: string) => ({ id, object: 'model', created: 1_677_610_602, owned_by: 'openai' });
    const costs = { input_cost_per_token: 2e-6, output_cost_per_token: 1e-5, cache_read_input_token_cost: 1e-7 };
    const large = { max_tokens: 128_000, max_input_tokens: 922_000, max_output_tokens: 128_000, ...costs };
    const { models, asked } = await listAt({
      '/v1/models': { object: 'list', data: ['house', 'vectors', 'bare'].map(entry) },
      '/v1/model/info': {
        data: [
          deployment('house', large),
          deployment('house', { max_tokens: 8_192, max_input_tokens: 65_536, supports_function_calling: true }),
          deployment('vectors', { mode: 'embedding', max_input_tokens: 8_191 }),
          deployment('bare', { max_tokens: null, max_input_tokens: null, input_cost_per_token: null }),
        ],
      },
    });
    expect(models).toEqual([
      { name: 'house', contextWindow: 65_536, outputLimit: 8_192, nativeTools: true },
      { name: 'bare' },
    ]);
    expect(asked).toEqual(['/v1/models', '/v1/model/info']);
    const single = await listAt({
      '/v1/models': { data: [entry('house')] },
      '/v1/model/info': { data: [deployment('house', large)] },
    });
    expect(single.models).toEqual([
      {
        name: 'house',
        contextWindow: 922_000,
        outputLimit: 128_000,
        inputPrice: 2,
        outputPrice: 10,
        cacheReadPrice: 0.1,
      },
    ]);
  });

  it('of vLLM give the longest request of a model, and nothing else is asked', async () => {
    const card = { id: 'Qwen/Qwen3-8B', object: 'model', created: 1_763_000_000, owned_by: 'vllm' };
    const permission = [{ id: 'modelperm-1', object: 'model_permission', allow_sampling: true, organization: '*' }];
    const data = [{ ...card, root: card.id, parent: null, max_model_len: 40_960, permission }];
    const { models, asked } = await listAt({ '/v1/models': { object: 'list', data } });
    expect(models).toEqual([{ name: 'Qwen/Qwen3-8B', contextWindow: 40_960 }]);
    expect(asked).toEqual(['/v1/models']);
  });

  it('of an older llama.cpp give the window of its properties, if it serves one model', async () => {
    const meta = { vocab_type: 2, n_vocab: 128_256, n_ctx_train: 131_072, n_embd: 4_096 };
    const props = { default_generation_settings: { id: 0, n_ctx: 8_192, speculative: false }, total_slots: 1 };
    const models = (...ids: string[]) => ({
      object: 'list',
      data: ids.map((id) => ({ id, owned_by: 'llamacpp', meta })),
    });
    expect((await listAt({ '/v1/models': models('a'), '/props': props })).models).toEqual([
      { name: 'a', contextWindow: 8_192 },
    ]);
    expect((await listAt({ '/v1/models': models('a', 'b'), '/props': props })).models).toEqual([
      { name: 'a' },
      { name: 'b' },
    ]);
  });

  it('of llama.cpp give the window of its slots', async () => {
    const answer = { data: [{ id: 'model.gguf', meta: { n_ctx: 16_384, n_ctx_train: 131_072 } }] };
    const row = { ...rowOf('openai-compatible'), baseUrl: 'http://127.0.0.1:8080/v1' };
    const transport = { fetch: () => Promise.resolve(new Response(JSON.stringify(answer))) };
    expect(await listModels({ ...settings, transport, row, baseUrl: '' })).toEqual({
      ok: true,
      value: [{ name: 'model.gguf', contextWindow: 16_384 }],
    });
  });
});

it('leaves out what cannot chat', () => {
  const names = [
    'gpt-6.1-sol',
    'whisper-1',
    'dall-e-3',
    'tts-1-hd',
    'gpt-4o-mini-transcribe',
    'text-embedding-3-large',
    'gpt-image-1',
    'omni-moderation-latest',
    'gpt-realtime',
    'sora-2',
    'babbage-002',
    'openai/gpt-oss-120b',
    'nomic-embed-text',
    'o4-mini',
    'embedder-chat',
  ];
  const read = wireFormats.responses.readModels({ data: names.map((id) => ({ id })) });
  expect(read?.map(({ name }) => name)).toEqual(['gpt-6.1-sol', 'openai/gpt-oss-120b', 'o4-mini', 'embedder-chat']);
});
