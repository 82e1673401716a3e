/**
 * Data that is nested far deeper than the stack allows a function to call itself, as a hostile server, a note, or a model
 * may write it: it is refused or read as any other, and never ends a turn or a view.
 */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { readLooseJson } from '../../src/core/base/loose-json';
import { scanNote } from '../../src/core/markdown/links';
import { readProperties, setProperty } from '../../src/core/markdown/properties';
import { structureOf } from '../../src/core/markdown/structure';
import { SentEscapes } from '../../src/core/markup/escapes';
import { readUserTemplate } from '../../src/core/markup/user-templates';
import { serverTool } from '../../src/core/mcp/server-tools';
import { decodeLine } from '../../src/core/session/log-format';
import { findCalls } from '../../src/core/turn/read-text-calls';
import { describeChangeset } from '../../src/core/writing/changeset/describe-changeset';
import { newActiveContent } from '../../src/core/writing/guard/active-content';
import { isMarkedHidden, textIsMarkedHidden } from '../../src/core/writing/guard/fence';
import { encodePlan } from '../../src/models/encode-plan';
import { anthropic } from '../../src/models/formats/anthropic';
import { gemini } from '../../src/models/formats/gemini';
import { ollama } from '../../src/models/formats/ollama';
import { openStreamedModel } from '../../src/models/formats/streamed-format';
import { joinerFor } from '../../src/models/http/join-events';
import { readError } from '../../src/models/http/read-error';
import { formatToolResult } from '../../src/remote/read-answer';
import { readPlainJson } from '../../src/remote/read-messages';
import { fakeVault } from '../support/fake-vault';
import { digest } from '../support/memory-ports';
import { filesServer, lookTool } from '../support/server-access';
import { yaml } from '../support/writing-bench';
import { nestedMarkdown } from './hostile-text';
import { runTool } from './core/tools/tool-fixture';
import { planOf } from './models/harness';

const depths = [10_000, 100_000];

const listText = (levels: number, inner = ''): string => '['.repeat(levels) + inner + ']'.repeat(levels);
const recordText = (levels: number, inner = '1'): string => '{"a":'.repeat(levels) + inner + '}'.repeat(levels);
const recordOf = (levels: number, inner = '1'): Record<string, unknown> =>
  JSON.parse(recordText(levels, inner)) as Record<string, unknown>;

// The patterns of the parser must not be compiled for the first time where the stack ends: V8 then gives up altogether.
beforeAll(() => void yaml.parse(`a: [[b, "c"], {d: 'e'}]\nf:\n  - - 1\n`));

describe.each(depths)('%d levels', (levels) => {
  it('of arguments for a tool of a server', () => {
    const { parameters } = serverTool({ name: 'files_look', tool: lookTool }, filesServer);
    expect(parameters.safeParse(recordOf(levels)).success).toBe(false);
    expect(new SentEscapes().decodeArguments(recordOf(levels), () => false)).toBeDefined();
  });

  it('of JSON from a server', () => {
    expect(() => readPlainJson(recordText(levels), null)).toThrow(expect.objectContaining({ kind: 'broken' }));
    expect(readError({ statusCode: 400, responseBody: recordText(levels) }).status).toBe(400);
    const event = `data: {"choices":[{"delta":{"content":"a"}}],"x":${listText(levels)}}\n\n`;
    const bytes = new TextEncoder().encode(event.repeat(2));
    expect(joinerFor('openai-compatible')?.(bytes)).toBe(bytes);
    const content = [{ type: 'text', text: recordText(levels) }];
    expect(formatToolResult({ content, structuredContent: { a: 1 } }).text).toContain('{"a":1}');
  });

  it.each([
    ['Gemini', gemini, `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"a","args":ARGS}}]}}]}\n\n`],
    ['Ollama', ollama, `{"message":{"tool_calls":[{"function":{"name":"a","arguments":ARGS}}]}}\n`],
    [
      'Anthropic',
      anthropic,
      `data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"i","name":"a","input":ARGS}}\n\n` +
        `data: {"type":"content_block_stop","index":0}\n\n`,
    ],
  ])('of the arguments of a call of %s', async (_name, format, stream) => {
    const body = stream.replace('ARGS', recordText(levels));
    const fetch = (): Promise<Response> => Promise.resolve(new Response(body));
    const model = openStreamedModel(format, { baseUrl: 'https://models.example', modelName: 'm', fetch });
    const parts: LanguageModelV4StreamPart[] = [];
    const { stream: answer } = await model.doStream({ prompt: [] });
    for await (const part of answer) parts.push(part);
    expect(parts.find(({ type }) => type === 'tool-call')).toMatchObject({ input: '"Nested too deep."' });
  });

  it('of arguments in the history', () => {
    const call = { type: 'tool-call', id: 'k1', name: 'a', argumentsText: recordText(levels) } as const;
    const plan = planOf({ messages: [{ role: 'assistant', parts: [call] }] });
    const encoded = encodePlan(plan, { provider: 'test', model: 'scripted' }, {});
    expect(JSON.stringify(encoded)).toContain('unreadable_arguments');
  });

  it('of calls that a model writes as text', () => {
    const call = `{"tool":"read_note","params":${recordText(levels)}}`;
    expect(readLooseJson(call).ok).toBe(false);
    for (const text of [call, `\`\`\`json\n${call}\n\`\`\``, `<tool_call>${call}</tool_call>`])
      expect(
        findCalls(text, { tools: [{ name: 'read_note', agent: 'notes' }], sessionId: 's', isQuoted: () => false })
          .blocks,
      ).toBeDefined();
  });

  it('of a line of a log', () => {
    const json = `{"v":1,"k":"user","b":${recordText(levels)}}`;
    const line = `${json.slice(0, -1)},"c":"${digest(json).slice(0, 16)}"}`;
    expect(decodeLine(line, digest)?.type).not.toBe('entry');
  });

  it('of the properties of a note', () => {
    const text = `---\ntags: ${listText(levels, 'deep')}\nother: 1\n---\nBody.\n`;
    expect(() => readProperties(text, yaml)).not.toThrow();
    expect(() => scanNote(text, yaml)).not.toThrow();
    expect(textIsMarkedHidden(text, ['#deep'], (each) => readProperties(each, yaml) ?? {})).toBe(true);
    expect(setProperty('A.md', text, 'other', 2, yaml)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
  });

  it('of properties that were parsed', () => {
    const deep = { tags: recordOf(levels, '["deep", "[[Link]]"]'), other: 1 };
    const parsed = { parse: () => deep, stringify: () => 'other: 2\n' };
    expect(isMarkedHidden({ properties: deep, tags: [] }, ['#deep'])).toBe(true);
    const text = '---\nother: 1\n---\n';
    expect(setProperty('A.md', text, 'other', 2, parsed)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(scanNote(text, parsed).links).toEqual([{ target: 'Link', embed: false, line: 0 }]);
  });

  it('of a template of the user', () => {
    for (const test of [`${'('.repeat(levels)}it.a${')'.repeat(levels)}`, `${'!'.repeat(levels)}it.a`]) {
      expect(readUserTemplate(`<% if (${test}) { %>x<% } %>`).kind).toBe('fault');
    }
    const open = '<% if (it.a) { %>'.repeat(levels);
    expect(readUserTemplate(`${open}${'<% } %>'.repeat(levels)}`).kind).toBe('fault');
  });

  it('of a canvas', () => {
    const text = `{"nodes":[{"type":"text","text":"a","x":${recordText(levels)}}],"edges":${listText(levels, '{}')}}`;
    expect(() => newActiveContent('A.canvas', '{}', text)).not.toThrow();
    const change = { id: 'c', from: null, to: 'A.canvas', base: null, text, calls: [], taint: null };
    expect(() => describeChangeset({ id: 's', changes: [change] })).not.toThrow();
  });

  it.each(nestedMarkdown)('of Markdown with %s', (_what, open, close) => {
    const text = `${open.repeat(levels)}x${close.repeat(levels)}`;
    expect(() => newActiveContent('A.md', '', text)).not.toThrow();
    expect(() => structureOf(text)).not.toThrow();
    expect(() => scanNote(text, yaml)).not.toThrow();
  });
});

it('properties that contain themselves are read once', () => {
  const tags: unknown[] = ['private'];
  tags.push(tags, { more: tags });
  expect(isMarkedHidden({ properties: { other: [tags], tags }, tags: [] }, ['private'])).toBe(true);
  expect(isMarkedHidden({ properties: { other: tags }, tags: [] }, ['private'])).toBe(false);
});

it.each([
  'a: &x [*x]',
  'a: &x\n  b: *x',
  'a: {"k":&x {"b":*x,"c":"[[Link]]"}}',
  "a: {'k':&x {'b':*x }}",
  'a: {[k]:&x {"b":*x}}',
])('a note with the properties %s, which contain themselves, is read, judged, and not edited', (properties) => {
  const text = `---\n${properties}\nother: 1\n---\nSee [[Other]].\n`;
  expect(readProperties(text, yaml)).toBeNull();
  expect(scanNote(text, yaml).links.map(({ target }) => target)).toEqual(['Other']);
  expect(() => newActiveContent('A.md', '', text)).not.toThrow();
  const change = { id: 'c', from: null, to: 'A.md', base: null, text, calls: [], taint: null };
  expect(() => describeChangeset({ id: 's', changes: [change] })).not.toThrow();
  expect(setProperty('A.md', text, 'other', 2, yaml)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
});

it.each([
  ['are nested too deep', recordOf(100_000)],
  ['contain themselves', looped()],
  ['stand in themselves again and again', doubled(40)],
])('a note whose properties %s is shown without them, and the others are found', async (_what, value) => {
  const plain = fakeVault({ 'Odd.md': 'Odd.', 'Even.md': '---\nkind: boat\n---\nEven.' });
  const outline = (path: string) => {
    const own = plain.outline(path);
    return path === 'Odd.md' && own !== undefined ? { ...own, properties: { kind: value } } : own;
  };
  const vault = new Proxy(plain, {
    get: (target, name) => (name === 'outline' ? outline : Reflect.get(target, name, target)),
  });
  expect(await runTool(vault, 'find_notes', { property: 'kind=boat' })).toContain('Even.md');
  const shown = await runTool(vault, 'note_outline', { path: 'Odd' });
  expect(shown).toContain('properties: nested too deep to show');
});

/** A list whose two members are the same list, and so on: a few anchors of YAML, and a million million lists to print. */
function doubled(levels: number): unknown[] {
  let list: unknown[] = ['boat'];
  for (let level = 0; level < levels; level += 1) list = [list, list];
  return list;
}

/** A list that is a member of itself, as anchors of YAML can make it. */
function looped(): unknown[] {
  const list: unknown[] = ['boat'];
  list.push(list);
  return list;
}

it('links of properties that contain themselves are found once', () => {
  const a: unknown[] = ['[[Link]]'];
  a.push(a, { more: a });
  const { links } = scanNote('---\na: 1\n---\n', { parse: () => ({ a, b: a }), stringify: () => '' });
  expect(links.map(({ target }) => target)).toEqual(['Link']);
});
