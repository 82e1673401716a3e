/** @jest-environment node */
import { encodePlan, withOwnNames } from '../../../src/models/encode-plan';
import { redact } from '../../../src/models/http/model-failure';
import { readError } from '../../../src/models/http/read-error';
import { planOf, searchTool } from './harness';

const source = { provider: 'openai', model: 'gpt-x' };

function inputOf(argumentsText: string): unknown {
  const call = { type: 'tool-call', id: 'a', name: 'search_notes', argumentsText } as const;
  const { prompt } = encodePlan(planOf({ messages: [{ role: 'assistant', parts: [call] }] }), source);
  const content = prompt[1]?.content;
  return typeof content === 'object' && content[0]?.type === 'tool-call' ? content[0].input : undefined;
}

describe('arguments in the history', () => {
  it.each(['{"query":"tea"}', '{ "query" : "tea" }', '{"a":{"b":[1,null]}}'])('stay byte for byte: %s', (text) => {
    expect(inputOf(text)).toBe(text);
  });
  it.each(['', '  '])('of a call without any are an empty object', (text) => {
    expect(inputOf(text)).toBe('{}');
  });
  it.each(['{"query":"te', 'null', '[1]', '"text"', '{"__proto__":{"x":1}}', '{"a":{"constructor":{"prototype":1}}}'])(
    'are quoted when no server would take them: %s',
    (text) => {
      expect(JSON.parse(String(inputOf(text)))).toEqual({ unreadable_arguments: text });
    },
  );
});

describe('calls in the history', () => {
  const promptOf = (name: string, isError: boolean) => {
    const call = { type: 'tool-call', id: 'a', name, argumentsText: '{}' } as const;
    const result = { type: 'tool-result', callId: 'a', name, text: 'Seven.', isError } as const;
    const messages = [
      { role: 'assistant', parts: [call] },
      { role: 'tool', parts: [result] },
    ] as const;
    return encodePlan(planOf({ messages }), source).prompt.slice(1);
  };

  it.each([
    ['read-note_2', 'read-note_2'],
    ['read note!', 'read_note_'],
    ['', 'unknown'],
    ['x'.repeat(65), 'x'.repeat(64)],
  ])('have a name that providers accept, as have their results: %j', (name, sent) => {
    const [call, result] = promptOf(name, false);
    expect([call?.content, result?.content]).toMatchObject([[{ toolName: sent }], [{ toolName: sent }]]);
  });

  it('have a result that says whether it is an error', () => {
    for (const isError of [false, true]) {
      const output = { type: isError ? 'error-text' : 'text', value: 'Seven.' };
      expect(promptOf('read', isError)[1]?.content).toMatchObject([{ toolCallId: 'a', output }]);
    }
  });
});

describe('what a hook may set', () => {
  it('R141 is a temperature and a limit; without the former the provider has its own', () => {
    expect(encodePlan({ ...planOf(), temperature: 0, maxOutputTokens: 64 }, source)).toMatchObject({
      temperature: 0,
      maxOutputTokens: 64,
    });
    expect(Object.keys(encodePlan(planOf(), source))).not.toContain('temperature');
  });
});

function schemaOf(parameters: Readonly<Record<string, unknown>>): unknown {
  const [declared] = encodePlan(planOf({ tools: [{ ...searchTool, parameters }] }), source).tools ?? [];
  return declared?.type === 'function' ? declared.inputSchema : undefined;
}

describe('messages', () => {
  it('begin with the system prompt, and have none when there is nothing to say', () => {
    expect(encodePlan(planOf(), source).prompt[0]).toEqual({ role: 'system', content: 'You are a careful reader.' });
    expect(encodePlan(planOf({ system: '' }), source).prompt.map(({ role }) => role)).toEqual(['user']);
  });
  it('leave out what says nothing to this model', () => {
    const thought = { type: 'reasoning', text: 'Hm.', providerData: { provider: 'anthropic', model: 'x' } } as const;
    const messages = [
      { role: 'user', parts: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', parts: [thought] },
      { role: 'assistant', parts: [{ type: 'text', text: '' }] },
      { role: 'assistant', parts: [{ type: 'text', text: '\n\n' }] },
      { role: 'user', parts: [{ type: 'text', text: 'b' }] },
    ] as const;
    expect(encodePlan(planOf({ messages }), source).prompt.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
  });
  it('declare a tool that takes nothing as providers want it, and any other as it is', () => {
    const bare = { name: 'list_all', description: '', parameters: { type: 'object' } };
    expect(encodePlan(planOf({ tools: [bare, searchTool] }), source).tools).toMatchObject([
      { inputSchema: { type: 'object', properties: {} } },
      { inputSchema: searchTool.parameters },
    ]);
  });
  it('declare a tool without the alternatives at the top of its schema, which providers refuse', () => {
    const [content, url] = [{ type: 'string' }, { type: 'string', format: 'uri' }];
    const alternatives = [
      { properties: { kind: { const: 'text' }, content }, required: ['kind', 'content'] },
      { $ref: '#/$defs/Linked' },
    ];
    const $defs = { Linked: { properties: { kind: { const: 'link' }, url }, required: ['kind', 'url'] } };
    const own = { type: 'object', $defs, properties: { page: content }, required: ['page'] };
    const joined = { page: content, kind: { anyOf: [{ const: 'text' }, { const: 'link' }] }, content, url };
    const expected = { type: 'object', $defs, properties: joined, required: ['page', 'kind'] };
    expect(schemaOf({ ...own, anyOf: alternatives })).toEqual(expected);
    expect(schemaOf({ ...own, oneOf: alternatives })).toEqual(expected);
    expect(schemaOf({ ...own, allOf: alternatives, not: { required: ['x'] }, enum: [{}] })).toEqual({
      ...expected,
      required: ['page', 'kind', 'content', 'url'],
    });
    expect(schemaOf({ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }, true] })).toEqual({
      type: 'object',
      properties: {},
    });
  });
  it('declare parameters by names that providers take, which differ and say what they stand for', () => {
    const long = 'a'.repeat(70);
    const text = { type: 'string' };
    const properties = { filter: text, $filter: text, _filter: text, 検索: { ...text, title: 'Search' }, [long]: true };
    const schema = { type: 'object', anyOf: [{ properties, required: ['$filter', 'filter'] }] };
    const declared = schemaOf(schema) as { properties: object; required: string[] };
    expect(declared).toEqual({
      type: 'object',
      properties: {
        ...{ filter: text, _filter: text, _filter2: { title: '$filter', ...text } },
        ...{ __: { title: 'Search', type: 'string' }, ['a'.repeat(60)]: true },
      },
      required: ['_filter2', 'filter'],
    });
    const tools = [{ name: 'find', description: '', parameters: schema }];
    const own = (argumentsText: string, name = 'find') =>
      withOwnNames({ type: 'tool-call', id: 'a', name, argumentsText }, tools).argumentsText;
    const given = { _filter2: 1, __: { _filter2: 2 }, ['a'.repeat(60)]: 3, filter: 4, other: 5 };
    expect(JSON.parse(own(JSON.stringify(given)))).toEqual({
      ...{ $filter: 1, 検索: { _filter2: 2 }, [long]: 3, filter: 4, other: 5 },
    });
    const exact =
      '{"other": ["_filter2", {"_filter2": 1.0}], "_filter2" : 123456789012345678901234, "say \\"_\\"": ":"}';
    expect(own(exact)).toBe(exact.replace('"_filter2" :', '"$filter" :'));
    for (const kept of ['{"_filter2":', '[1]', '']) expect(own(kept)).toBe(kept);
    expect(own('{ "_filter2" : 1 }', 'another')).toBe('{ "_filter2" : 1 }');
  });
  it('declare a parameter that is described as another one is by the name of that one', () => {
    const properties = {
      $select: { type: 'array', items: { type: 'string' } },
      $expand: { $ref: '#/properties/$select' },
      rows: { type: 'array', items: { $ref: '#/properties/$select/items' } },
      tag: { $ref: '#/$defs/Tag' },
      'a/b~': { type: 'string' },
      like: {
        anyOf: [{ $ref: '#/properties/%24select' }, { $ref: '#/properties/a~1b~0' }, { $ref: '#/properties/%E0' }],
      },
    };
    const $defs = { Tag: { $ref: '#/properties/$select' } };
    expect(schemaOf({ type: 'object', properties, $defs })).toMatchObject({
      $defs: { Tag: { $ref: '#/properties/_select' } },
      properties: {
        // As programs write them that follow the standard of such references to the letter.
        like: {
          anyOf: [{ $ref: '#/properties/_select' }, { $ref: '#/properties/a_b_' }, { $ref: '#/properties/%E0' }],
        },
        _expand: { title: '$expand', $ref: '#/properties/_select' },
        rows: { items: { $ref: '#/properties/_select/items' } },
        tag: { $ref: '#/$defs/Tag' },
      },
    });
  });
  it('declare lists of which nothing is said as lists of anything', () => {
    const tags = { type: 'array' };
    const rows = { type: ['array', 'null'], prefixItems: [tags] };
    const kept = { default: tags, items: { type: 'string' }, type: 'array' };
    const any = { ...tags, items: {} };
    expect(schemaOf({ type: 'object', properties: { tags, rows, kept, default: tags }, $defs: { tags } })).toEqual({
      type: 'object',
      properties: { tags: any, rows: { ...rows, prefixItems: [any], items: {} }, kept, default: any },
      $defs: { tags: any },
    });
  });
  it('declare no tools when there are none', () => {
    expect(encodePlan(planOf({ tools: [] }), source)).not.toHaveProperty('tools');
  });
});

describe('redaction', () => {
  it('knows every spelling of a key', () => {
    const key = 'k/e"y+~?>=secret';
    const base64 = Buffer.from(key).toString('base64');
    const forUrls = Buffer.from(key).toString('base64url');
    const small = encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase());
    const spellings = [key, encodeURIComponent(key), small, base64, forUrls, JSON.stringify(key).slice(1, -1)];
    for (const spelling of [...spellings, key.replace('/', '\\/')]) {
      expect(redact(`a ${spelling} b`, key)).toMatch(/^a \[redacted\].{0,3} b$/);
    }
    // As in a header of basic authentication.
    expect(redact(Buffer.from(`user:${key}`).toString('base64'), key)).not.toContain(base64.slice(4, 12));
  });
  it('takes out what looks like the key of another, and leaves other words', () => {
    expect(redact('Incorrect key sk-proj-abc***wxyz12 given', null)).toBe('Incorrect key [redacted] given');
    expect(redact('The task-force asks', null)).toBe('The task-force asks');
  });
});

describe('errors in their many shapes', () => {
  it.each([
    [
      { error: { message: 'm', code: 'insufficient_quota' } },
      { status: 429, message: 'm', code: 'insufficient_quota' },
    ],
    [
      { message: 'm', code: 502 },
      { status: 502, message: 'm' },
    ],
    [{ value: { error: 'plain words' } }, { message: 'plain words' }],
    [
      { statusCode: 400, responseBody: '{"detail":"m"}' },
      { status: 400, message: 'm' },
    ],
    [
      { statusCode: 500, responseBody: '<html>' },
      { status: 500, message: '' },
    ],
    [new Error('Cannot read properties of undefined'), { message: '' }],
    ['words', { message: 'words' }],
    [undefined, { message: '' }],
    [null, { message: '' }],
  ])('reads %j', (thrown, expected) => {
    expect(readError(thrown)).toMatchObject(expected);
  });
  it('keeps a long message short and on one line', () => {
    expect(readError({ message: `a\n${'b'.repeat(5_000)}` }).message).toMatch(/^a b{100,400}…$/);
  });
});
