/** @jest-environment node */
import type { McpCatalog } from '../../../src/core/ports/network';
import { words } from '../../../src/text';
import { type McpScript, type ScriptedMcpServer, type ScriptedTool, startMcpServer } from '../../support/mcp-server';
import { failureOf, lineTo, never, testKey, valueOf } from './harness';

let server: ScriptedMcpServer;
beforeAll(async () => {
  server = await startMcpServer();
});
afterAll(() => server.close());

async function offerOf(script: McpScript, notes: string[] = []): Promise<McpCatalog> {
  server.set(script);
  const line = await lineTo(server.url, { note: (said) => void notes.push(said) }, { keyName: 'library' });
  return valueOf(await line.readCatalog(never));
}

const many = <Item>(count: number, make: (index: string) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(String(index).padStart(4, '0')));
/** Answers the later pages of templates with this result, or with an error of this code. */
const laterPage =
  (answer: object) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const { id, method, params } = JSON.parse(typeof init.body === 'string' ? init.body : '{}') as {
      id?: unknown;
      method?: string;
      params?: { cursor?: string };
    };
    if (method !== 'resources/templates/list' || params?.cursor === undefined) return fetch(url, init);
    const body = JSON.stringify({ jsonrpc: '2.0', id, ...answer });
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  };
const schemaWith = (properties: unknown): unknown => ({ type: 'object', properties });
const nestedSchema = (levels: number): unknown => (levels === 1 ? {} : { items: nestedSchema(levels - 1) });

describe('what a server offers', () => {
  it('R256 is sorted by name, whatever the order of the server, and equal to itself', async () => {
    const tools: ScriptedTool[] = [
      {
        name: 'b',
        description: ' Second. ',
        inputSchema: { type: 'object', required: ['z'], properties: { z: {}, a: {} } },
      },
      { name: ' a ', inputSchema: { properties: {}, type: 'object' } },
    ];
    const prompts = [
      { name: 'y', messages: 'Y.' },
      { name: 'x', description: 'The x.', messages: 'X.' },
    ];
    const resources = [
      { name: 'same', uri: 'note://2' },
      { name: 'same', uri: 'note://1' },
      { name: 'early', uri: 'note://3' },
    ];
    const offer = await offerOf({ tools, prompts, resources });
    expect(offer).toEqual({
      tools: [
        { name: 'a', description: '', inputSchema: { type: 'object', properties: {} } },
        {
          name: 'b',
          description: 'Second.',
          inputSchema: { type: 'object', properties: { a: {}, z: {} }, required: ['z'] },
        },
      ],
      prompts: [
        { name: 'x', description: 'The x.', text: 'X.' },
        { name: 'y', description: '', text: 'Y.' },
      ],
      resources: [
        { name: 'early', uri: 'note://3' },
        { name: 'same', uri: 'note://1' },
        { name: 'same', uri: 'note://2' },
      ],
    });
    const turned = {
      tools: [...tools].reverse(),
      prompts: [...prompts].reverse(),
      resources: [...resources].reverse(),
    };
    expect(JSON.stringify(await offerOf({ ...turned, stream: true }))).toBe(JSON.stringify(offer));
  });

  it('R130 is read again as it is now', async () => {
    server.set({ tools: [{ name: 'look' }] });
    const line = await lineTo(server.url);
    expect(valueOf(await line.readCatalog(never)).tools.map(({ name }) => name)).toEqual(['look']);
    server.set({ tools: [{ name: 'look', description: 'Deletes everything.' }] });
    expect(valueOf(await line.readCatalog(never)).tools[0]?.description).toBe('Deletes everything.');
  });

  it('F34 is read with null for what is missing, as some servers write it', async () => {
    const hints = { readOnlyHint: true, destructiveHint: null };
    const inputSchema = { type: 'object', properties: { at: { default: null } } };
    const look = { name: 'look', title: null, inputSchema, annotations: hints, _meta: null };
    const resource = { name: 'a', uri: 'note://a', mimeType: null };
    const offer = await offerOf({
      tools: [],
      resources: [resource],
      behaviours: { 'tools/list': { result: { tools: [look], nextCursor: null } } },
    });
    expect(offer.resources).toEqual([{ name: 'a', uri: 'note://a' }]);
    expect(offer.tools).toEqual([{ name: 'look', description: '', inputSchema, annotations: { readOnlyHint: true } }]);
  });

  it('F34 without prompts, resources or tools is empty, and not asked for', async () => {
    expect(await offerOf({ tools: [] })).toEqual({ tools: [], prompts: [], resources: [] });
    expect(server.requests.map(({ message }) => message?.method)).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
    expect(await offerOf({})).toEqual({ tools: [], prompts: [], resources: [] });
    const { tools } = await offerOf({ resources: [{ name: 'a', uri: 'note://a' }] });
    expect(tools).toEqual([]);
  });

  it('F34 is read without prompts and resources if the server knows no question for those that it names', async () => {
    const unknown = { message: { result: undefined, error: { code: -32601, message: 'Method not found' } } };
    const behaviours = { 'prompts/list': unknown, 'resources/list': unknown, 'resources/templates/list': unknown };
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    expect(await offerOf({ tools: [{ name: 'look' }], capabilities, behaviours })).toMatchObject({
      tools: [{ name: 'look' }],
      prompts: [],
      resources: [],
    });
    const error = { code: -32603, message: 'Internal error' };
    const failing = { ...behaviours, 'prompts/list': { message: { result: undefined, error } } };
    server.set({ tools: [{ name: 'look' }], capabilities, behaviours: failing });
    expect((await (await lineTo(server.url)).readCatalog(never)).ok).toBe(false);
  });

  it('is read page by page', async () => {
    const offer = await offerOf({ tools: many(25, (index) => ({ name: `tool-${index}` })), pageSize: 10 });
    expect(offer.tools).toHaveLength(25);
  });

  it('is read page by page, the templates of addresses too', async () => {
    const notes: string[] = [];
    const templates = many(25, (index) => ({ name: index, uriTemplate: `note://${index}/{id}` }));
    expect((await offerOf({ resources: [], templates }, notes)).templates).toEqual(templates);
    expect((await offerOf({ resources: [], templates, pageSize: 10 }, notes)).templates).toEqual(templates);
    const asked = server.requests.filter(({ message }) => message?.method === 'resources/templates/list');
    expect(asked.map(({ message }) => message?.params)).toEqual([undefined, { cursor: '10' }, { cursor: '20' }]);
    expect(notes).toEqual([]);
  });

  it('F34 with pages of templates without end is read up to the twentieth, and that is told', async () => {
    const notes: string[] = [];
    const templates = many(60, (index) => ({ name: index, uriTemplate: `note://${index}/{id}` }));
    const resources = [{ name: 'a', uri: 'note://a' }];
    const offer = await offerOf({ resources, templates, pageSize: 1, endless: true }, notes);
    expect(offer.templates).toEqual(templates.slice(0, 20));
    expect(notes).toContain(words.remote.tooMany('library', 20, words.remote.templates));
  });

  it.each([
    [{ result: {} }, words.remote.broken('library')],
    [{ result: { resourceTemplates: [{ name: 'day' }] } }, words.remote.broken('library')],
    [{ result: { resourceTemplates: [{ uriTemplate: 'note://{id}' }] } }, words.remote.broken('library')],
    [{ result: { resourceTemplates: [null] } }, words.remote.broken('library')],
    [{ error: { code: -32602, message: 'Which?' } }, words.remote.reported('library', -32602)],
  ])('F34 with a later page of templates that is %j is refused', async (answer, said) => {
    server.set({ resources: [], templates: many(2, (name) => ({ name, uriTemplate: `note://${name}` })), pageSize: 1 });
    const connection = await lineTo(server.url, { fetch: laterPage(answer) });
    expect(failureOf(await connection.readCatalog(never)).words).toBe(said);
  });

  it.each([
    [404, []],
    [405, []],
    [400, []],
    [500, null],
  ])('has no templates of addresses where the question for them gets the status %d', async (status, templates) => {
    server.set({ resources: [{ name: 'a', uri: 'note://a' }] });
    const connection = await lineTo(server.url, {
      fetch: async (url: string, init: RequestInit): Promise<Response> => {
        const isAsked = typeof init.body === 'string' && init.body.includes('resources/templates/list');
        return isAsked ? new Response('', { status }) : fetch(url, init);
      },
    });
    const read = await connection.readCatalog(never);
    expect(read.ok && (read.value.templates ?? [])).toEqual(templates ?? false);
  });

  it('F34 with pages without end is read up to the twentieth, and that is told', async () => {
    const notes: string[] = [];
    const resources = many(60, (index) => ({ name: index, uri: `note://${index}` }));
    const offer = await offerOf({ resources, pageSize: 1, endless: true }, notes);
    expect(offer.resources).toHaveLength(20);
    expect(notes).toEqual([words.remote.tooMany('library', 20, words.remote.resources)]);
    expect(server.requests.filter(({ message }) => message?.method === 'resources/list')).toHaveLength(20);
  });

  it('F34 with 140,000 addresses in one page is cut like any other', async () => {
    const notes: string[] = [];
    const resources = Array.from({ length: 140_000 }, (_, index) => ({ name: 'a', uri: String(index) }));
    expect((await offerOf({ resources }, notes)).resources).toHaveLength(256);
    expect(notes).toEqual([words.remote.tooMany('library', 256, words.remote.resources)]);
  });

  it.each([
    ['tools', 128],
    ['prompts', 64],
    ['resources', 256],
  ] as const)('F34 with too many %s is cut at %d, and that is told', async (kind, most) => {
    const notes: string[] = [];
    const items = many(most + 40, (index) => ({ name: index, uri: `note://${index}`, messages: 'Do it.' }));
    const offer = await offerOf({ [kind]: items }, notes);
    expect(offer[kind]).toHaveLength(most);
    expect(notes).toEqual([words.remote.tooMany('library', most, words.remote[kind])]);
  });

  it('F34 with a prompt whose name is too long is read without it, and its text is not asked for', async () => {
    const notes: string[] = [];
    const name = 'é'.repeat(200_000);
    const prompts = [
      { name, messages: 'Never.' },
      { name: 'short', messages: 'Do it.' },
    ];
    const offer = await offerOf({ prompts }, notes);
    expect(offer.prompts.map((prompt) => prompt.name)).toEqual(['short']);
    expect(notes).toEqual([words.remote.promptLeftOut('library', 'é'.repeat(128))]);
    const asked = server.requests.filter(({ message }) => message?.method === 'prompts/get');
    expect(asked.map(({ message }) => message?.params)).toEqual([{ name: 'short' }]);
  });

  it.each([
    ['a name that is too long', { name: 'x'.repeat(129), uri: 'note://x' }],
    ['an address that is too long', { name: 'x', uri: `note://${'x'.repeat(2_048)}` }],
    ['no name', { name: ' ', uri: 'note://x' }],
  ])('F34 leaves out a resource with %s, and tells that', async (_what, resource) => {
    const notes: string[] = [];
    const { name, uri: uriTemplate } = resource;
    const template = { name: 'one', uriTemplate: 'note://{id}' };
    const offer = await offerOf(
      { resources: [resource, { name: 'a', uri: 'note://a' }], templates: [{ name, uriTemplate }, template] },
      notes,
    );
    expect(offer).toMatchObject({ resources: [{ name: 'a' }], templates: [template] });
    expect(notes).toEqual([words.remote.resourceLeftOut('library', name.trim().slice(0, 128))]);
  });

  it('F34 of more than 128 KB is refused as a whole', async () => {
    const tools = many(40, (index) => ({ name: index, description: 'x'.repeat(3_900) }));
    server.set({ tools, pageSize: 20 });
    const line = await lineTo(server.url);
    expect(failureOf(await line.readCatalog(never))).toMatchObject({
      kind: 'limit',
      words: words.remote.offerTooLarge('library', 128),
    });
    // The limit is one of bytes, not of characters.
    server.set({ tools: many(12, (index) => ({ name: index, description: '漢'.repeat(3_900) })) });
    expect(failureOf(await line.readCatalog(never)).kind).toBe('limit');
  });

  it('F34 with a name twice is taken once, and that is told', async () => {
    const notes: string[] = [];
    const offer = await offerOf(
      {
        tools: [
          { name: 'look', description: 'First.' },
          { name: 'look ', description: 'Second.' },
        ],
        resources: [
          { name: 'one', uri: 'note://1' },
          { name: 'other', uri: 'note://1' },
        ],
      },
      notes,
    );
    expect(offer.tools.map(({ description }) => description)).toEqual(['First.']);
    expect(offer.resources.map(({ name }) => name)).toEqual(['one']);
    expect(notes).toEqual([words.remote.sameName('library', 'look'), words.remote.sameName('library', 'other')]);
  });

  it.each<[string, ScriptedTool]>([
    ['a name of spaces', { name: '  ' }],
    ['a name that is too long', { name: 'x'.repeat(129) }],
    ['a schema of a text', { name: 'odd', inputSchema: { type: 'string' } }],
    ['a schema without a type', { name: 'odd', inputSchema: {} }],
    ['a schema over 16 KB', { name: 'odd', inputSchema: schemaWith({ a: { description: 'x'.repeat(16_400) } }) }],
    ['a schema over 20 levels', { name: 'odd', inputSchema: schemaWith({ a: nestedSchema(30) }) }],
    ['a schema with a constructor', { name: 'odd', inputSchema: schemaWith({ constructor: { type: 'string' } }) }],
    ['a schema with a prototype', { name: 'odd', inputSchema: schemaWith({ a: [{ prototype: {} }] }) }],
  ])('F34 leaves out a tool with %s, tells that, and keeps the others', async (_what, tool) => {
    const notes: string[] = [];
    const offer = await offerOf({ tools: [tool, { name: 'look' }] }, notes);
    expect(offer.tools.map(({ name }) => name)).toEqual(['look']);
    expect(notes).toEqual([words.remote.toolLeftOut('library', tool.name.trim().slice(0, 128))]);
  });

  it('F34 tells of no more than 100 things that were left out, and of each once', async () => {
    const notes: string[] = [];
    const tools = many(500, (index) => ({ name: index.padEnd(200, 'x') }));
    const twice = many(200, () => ({ name: 'look' }));
    expect((await offerOf({ tools: twice }, notes)).tools).toHaveLength(1);
    expect(notes).toEqual([words.remote.sameName('library', 'look')]);
    notes.length = 0;
    expect((await offerOf({ tools: [...tools, { name: 'look' }] }, notes)).tools).toHaveLength(1);
    expect(notes).toHaveLength(100);
  });

  it('takes a schema of 20 levels and a description of 4,000 characters, and cuts a longer one', async () => {
    const inputSchema = schemaWith({ a: nestedSchema(18) });
    const offer = await offerOf({
      tools: [
        { name: 'deep', inputSchema },
        { name: 'long', description: 'x'.repeat(5_000) },
      ],
    });
    expect(offer.tools.map(({ name, description }) => [name, description.length])).toEqual([
      ['deep', 0],
      ['long', 4_000],
    ]);
    const deeper = await offerOf({ tools: [{ name: 'deep', inputSchema: schemaWith({ a: nestedSchema(19) }) }] });
    expect(deeper.tools).toEqual([]);
  });

  it('is cut between characters, and has halves of none', async () => {
    const offer = await offerOf({
      tools: [
        {
          name: 'look',
          title: `${'x'.repeat(199)}🌊`,
          description: `${'x'.repeat(3_999)}🌊`,
          inputSchema: schemaWith({ a: { description: 'One \ud83c two 🌊', enum: ['\udf0a'] } }),
        } as ScriptedTool,
      ],
    });
    const [tool] = offer.tools;
    expect([tool?.title, tool?.description]).toEqual(['x'.repeat(199), 'x'.repeat(3_999)]);
    expect(tool?.inputSchema).toEqual(schemaWith({ a: { description: 'One \ufffd two 🌊', enum: ['\ufffd'] } }));
  });

  it.each([
    ['a name that is no text', { name: 5 }],
    ['a description that is no text', { name: 'a', description: {} }],
    ['a schema that is no object', { name: 'a', inputSchema: 'object' }],
  ])('F34 with %s is refused in words', async (_what, tool) => {
    server.set({ tools: [tool as never] });
    const line = await lineTo(server.url);
    expect(failureOf(await line.readCatalog(never)).kind).toBe('protocol');
  });

  it('H10 shows the key nowhere, and no control characters', async () => {
    const hostile = `look ${testKey} \u0000\u001b[31m\u0085\u007f`;
    const inputSchema = {
      type: 'object',
      description: `a\tb\r\n${btoa(testKey)}`,
      [testKey]: encodeURIComponent(testKey),
    };
    const offer = await offerOf({
      tools: [{ name: 'look', description: hostile, inputSchema }],
      prompts: [{ name: 'plan', description: hostile, messages: `Say ${[...testKey].join('\u0001')}.` }],
      resources: [{ name: hostile, uri: `note://${testKey}` }],
    });
    const shown = JSON.stringify(offer);
    expect(shown).not.toContain('canary');
    expect(shown).not.toContain(btoa(testKey).slice(4, 20));
    expect(shown).toContain('[redacted]');
    expect(offer.tools[0]?.inputSchema.description).toMatch(/^a\tb\n/);
    expect(shown.replace(/\\[tn]/g, '')).not.toMatch(/\\u00|\\r/);
  });
});

const topic = (required: boolean): object => ({ name: 'topic', description: '', required });

describe('the prompts of a server', () => {
  it('have their text, whose words are whose, and the arguments from which the server would write it', async () => {
    const offer = await offerOf({
      prompts: [
        { name: 'needs', arguments: [{ name: 'topic', required: true }], messages: 'About it.' },
        { name: 'may', arguments: [{ name: 'topic' }], messages: 'About anything.' },
        {
          name: 'parts',
          messages: [
            { role: 'user', content: { type: 'text', text: 'First.' } },
            { role: 'assistant', content: { type: 'text', text: 'Obey.' } },
            { role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
            { role: 'user', content: { type: 'text', text: 'Second.' } },
          ],
        },
      ],
    });
    expect(offer.prompts).toEqual([
      { name: 'may', description: '', text: 'About anything.', arguments: [topic(false)] },
      { name: 'needs', description: '', text: '', arguments: [topic(true)] },
      {
        name: 'parts',
        description: '',
        text: 'User:\nFirst.\n\nAssistant:\nObey.\n\nUser:\n[image, image/png, 1 KB: left out]\n\nUser:\nSecond.',
      },
    ]);
    const asked = server.requests.filter(({ message }) => message?.method === 'prompts/get');
    expect(asked).toHaveLength(2);
  });

  it('F34 are left out when the server gives no text for them, and that is told', async () => {
    const notes: string[] = [];
    const error = { code: -32603, message: 'No.' };
    const script: McpScript = { prompts: [{ name: 'plan', messages: 'Plan.' }], tools: [{ name: 'look' }] };
    const offer = await offerOf(
      { ...script, behaviours: { 'prompts/get': { message: { result: undefined, error } } } },
      notes,
    );
    expect([offer.prompts.length, offer.tools.length]).toEqual([0, 1]);
    expect(notes).toEqual([words.remote.promptLeftOut('library', 'plan')]);
  });

  it('F34 are left out when their messages have no form that is known, and that is told', async () => {
    const notes: string[] = [];
    const sound = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };
    const prompts = [
      { name: 'plan', messages: 'Plan.' },
      { name: 'sound', messages: [{ role: 'user', content: sound }] },
    ];
    const offer = await offerOf({ prompts, tools: [{ name: 'look' }] }, notes);
    expect([offer.prompts.map(({ name }) => name), offer.tools.length]).toEqual([['plan'], 1]);
    expect(notes).toEqual([words.remote.promptLeftOut('library', 'sound')]);
  });

  it('F34 are used without a message of a form that is unknown, and say that it was left out', async () => {
    const sound = { role: 'user', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } };
    const messages = [{ role: 'user', content: { type: 'text', text: 'Plan.' } }, sound];
    const takes = { arguments: [{ name: 'day', required: true }] };
    server.set({
      prompts: [
        { name: 'plan', messages },
        { name: 'plan-day', ...takes, messages },
        { name: 'sound-of-day', ...takes, messages: [sound] },
      ],
    });
    const line = await lineTo(server.url);
    const text = 'Plan.\n\n[audio, audio/wav, 1 KB: left out]';
    expect(valueOf(await line.readCatalog(never)).prompts[0]).toEqual({ name: 'plan', description: '', text });
    expect(valueOf(await line.fillPrompt!('plan-day', { day: 'Monday' }, never))).toBe(text);
    expect(failureOf(await line.fillPrompt!('sound-of-day', { day: 'Monday' }, never)).kind).toBe('protocol');
  });

  it('F34 whose text does not arrive make the whole reading fail, since an offer must not change by chance', async () => {
    server.set({ prompts: [{ name: 'plan', messages: 'Plan.' }], behaviours: { 'prompts/get': { status: 503 } } });
    const line = await lineTo(server.url);
    expect(failureOf(await line.readCatalog(never)).kind).toBe('overloaded');
  });
});
