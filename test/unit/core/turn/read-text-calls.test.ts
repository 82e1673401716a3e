import { findCalls, judgeOpening, type CallRules } from '../../../../src/core/turn/read-text-calls';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const tools: CallRules['tools'] = [
  { name: 'search_notes', agent: 'search' },
  { name: 'read_note', agent: 'notes' },
  { name: 'edit_note', agent: 'notes' },
  ...['look', 'read_note', 'page_get', 'files_read_note'].map(
    (name) => ({ name: `files_${name}`, agent: 'server files' }) as const,
  ),
];
const rules = (changes: Partial<CallRules> = {}): CallRules => ({
  tools,
  sessionId: 's-1',
  isQuoted: () => false,
  ...changes,
});
const find = (text: string, changes?: Partial<CallRules>) => findCalls(text, rules(changes));
const callsIn = (text: string) => find(text).blocks.flatMap(({ calls }) => calls);
const search = [{ name: 'search_notes', argumentsText: '{"query":"keel"}' }];
const one = '{"tool": "search_notes", "params": {"query": "keel"}}';

describe('forms of a call', () => {
  it.each([
    [
      'the asked form',
      `\`\`\`json\n{"useTools": {"sessionId": "s-1", "calls": [{"agent": "search", ${one.slice(1)}]}}\n\`\`\``,
    ],
    ['a fence without a language', `\`\`\`\n{"useTools": {"calls": [${one}]}}\n\`\`\``],
    ['a fence of tildes', `~~~tool_call\n${one}\n~~~`],
    ['bare JSON', `{"calls": [${one}]}`],
    ['bare JSON over several lines', `{\n  "calls": [\n    ${one},\n  ]\n}`],
    ['a list', `[${one}]`],
    ['a single call', one],
    ['the form of native calls', '{"name": "search_notes", "arguments": {"query": "keel"}}'],
    ['arguments as a text', '{"name": "search_notes", "arguments": "{\\"query\\": \\"keel\\"}"}'],
    ['parameters instead of params', '{"tool": "search_notes", "parameters": {"query": "keel"}}'],
    ['parameters next to the name', '{"tool": "search_notes", "query": "keel"}'],
    ['a function', '{"type": "function", "function": {"name": "search_notes", "arguments": {"query": "keel"}}}'],
    [
      'a list of native calls',
      '{"tool_calls": [{"function": {"name": "search_notes", "arguments": {"query": "keel"}}}]}',
    ],
    ['the meta-tool as a tool', `{"tool": "useTools", "params": {"calls": [${one}]}}`],
    ['the meta-tool as a function', `{"name": "useTools", "arguments": {"calls": [${one}]}}`],
    ['the meta-tool as a call in code', `useTools({"calls": [${one}]})`],
    ['the meta-tool without a list', `{"useTools": ${one}}`],
    ['a tag', `<tool_call>\n${one}\n</tool_call>`],
    ['a tag in a line', `Sure. <tool_call>${one}</tool_call>`],
    ['the tag of the meta-tool', `<useTools>{"calls": [${one}]}</useTools>`],
    ['a tag of control signs', `<|tool_call|>${one}<|/tool_call|>`],
    ['the sign of Mistral', `[TOOL_CALLS][${one}]`],
    ['a fence in a tag', `<tool_call>\n\`\`\`json\n${one}\n\`\`\`\n</tool_call>`.replace('<tool_call>\n', '')],
    ['curly quotation marks', '{“tool”: “search_notes”, “params”: {“query”: “keel”}}'],
    ['quotation marks of Python', "{'tool': 'search_notes', 'params': {'query': 'keel'}}"],
    ['bare keys and commas too many', '{tool: "search_notes", params: {query: "keel",},}'],
    ['an agent before the name', '{"tool": "search.search_notes", "params": {"query": "keel"}}'],
    ['an indented block', `  ${one}`],
    ['CRLF', `\`\`\`json\r\n${one}\r\n\`\`\`\r\n`],
  ])('R157 R158 reads %s', (_name, text) => {
    expect(callsIn(text)).toEqual(search);
    expect(callsIn(`I look.\n\n${text}`)).toEqual(search);
    expect(callsIn(`${text}\n\nNow I wait.`)).toEqual(search);
  });

  it('R157 reads several calls in order, from one block or from several', () => {
    const two = '{"tool": "read_note", "params": {"path": "A.md"}}';
    const names = (text: string) => callsIn(text).map(({ name }) => name);
    expect(names(`{"calls": [${one}, ${two}]}`)).toEqual(['search_notes', 'read_note']);
    expect(names(`\`\`\`json\n${one}\n${two}\n\`\`\``)).toEqual(['search_notes', 'read_note']);
    expect(names(`\`\`\`json\n${one}\n\`\`\`\n\n\`\`\`json\n${two}\n\`\`\``)).toEqual(['search_notes', 'read_note']);
    expect(names(`<tool_call>${one}</tool_call><tool_call>${two}</tool_call>`)).toEqual(['search_notes', 'read_note']);
  });

  it.each([
    ['{"getTools": {"tools": ["search_notes", "read_note"]}}', ['search_notes', 'read_note']],
    ['{"getTools": ["search_notes"]}', ['search_notes']],
    ['{"tool": "getTools", "params": {"names": ["search_notes"]}}', ['search_notes']],
    ['{"getTools": {"calls": [{"agent": "search"}]}}', []],
    ['getTools({"agent": "search"})', ['search']],
    ['{"getTools": {}}', []],
  ])('R155 reads %s', (text, names) => {
    expect(callsIn(text)).toEqual([{ name: 'getTools', argumentsText: JSON.stringify({ tools: names }) }]);
  });

  it('R156 reads memory, goal, and constraints, wherever they are', () => {
    const said = { memory: 'So far.', goal: 'An answer.', constraints: ['short', 'exact'] };
    const notes = { memory: 'So far.', goal: 'An answer.', constraints: 'short; exact' };
    const calls = [{ tool: 'read_note', params: { path: 'A.md' } }];
    for (const block of [
      { useTools: { ...said, calls } },
      { useTools: { context: said, calls } },
      { ...said, calls },
      { tool: 'useTools', params: { calls }, ...said },
    ]) {
      expect(find(JSON.stringify(block)).blocks).toMatchObject([{ notes, calls: [{ name: 'read_note' }] }]);
    }
  });

  it.each([
    ['server files', 'look', 'files_look'],
    ['files', 'look', 'files_look'],
    ['server files', 'page.get', 'files_page_get'],
    ['server files', 'read_note', 'files_read_note'],
    ['server files', 'files.look', 'files_look'],
    ['server files', 'files_read_note', 'files_read_note'],
    ['server files', 'edit_note', 'edit_note'],
    ['notes', 'read_note', 'read_note'],
    ['', 'read_note', 'read_note'],
  ])('finds for the agent “%s” the tool %s as %s', (agent, tool, name) => {
    expect(callsIn(JSON.stringify({ agent, tool, params: {} }))).toEqual([{ name, argumentsText: '{}' }]);
  });

  it('leaves an unknown tool to the runner, which lists the tools', () => {
    expect(callsIn('{"tool": "google", "params": {"q": "keel"}}')).toEqual([
      { name: 'google', argumentsText: '{"q":"keel"}' },
    ]);
  });
});

describe('what is not a call', () => {
  it.each([
    'No JSON here.',
    '',
    '{"name": "Ada", "id": 7}',
    '```json\n{"name": "Ada", "arguments": "none"}\n```',
    '```js\nuseTools;\n```',
    'You could write useTools {"calls": []} in a line.',
    '[tool](https://example.com) and <b>bold</b>',
    '{"tool": "hammer"}',
    '{ "goal": "win" }',
    '`{"tool": "search_notes", "params": {}}` in a line',
    '{"agent": ',
    '| a | b |\n|---|---|\n{ not json',
  ])('leaves %p as text', (text) => {
    expect(find(text)).toEqual({ text, blocks: [] });
  });

  it.each([
    '[[context]] explains it, and so does [[goal setting]].',
    '[[name of the boat]]\n\n[action items](Plan.md)',
    '[context]: https://example.com',
    '[input] and [tools] are headings.',
    '{name} stands for a name.',
  ])('reads the call that follows %p', (said) => {
    const text = `${said}\n\n`;
    expect(find(text + one)).toMatchObject({ text, blocks: [{ written: one, calls: search }] });
    expect(judgeOpening(text, true)).toBe('none');
  });

  it.each([
    '<tool_call',
    '<tool_calls',
    '<|tool_calls|',
    '<function_calls',
    '<functions',
    '[',
    '[T',
    '[TOOL_CALLS',
    '[TOOL_CALLS]',
    'useTool',
  ])('waits for what follows %p, which may become a call', (start) => {
    expect(judgeOpening(start, true)).toBe('more');
  });

  it('takes what the model was shown for a quotation, unless it carries the id of the chat', () => {
    const isQuoted = () => true;
    expect(find(`The note says:\n${one}`, { isQuoted }).blocks).toEqual([]);
    const own = `{"useTools": {"sessionId": "s-1", "calls": [${one}]}}`;
    expect(find(own, { isQuoted }).blocks).toMatchObject([{ calls: search }]);
  });

  it('does not use what follows the calls: the model had no results when it wrote it', () => {
    const text = `I look.\n${one}\nResult: the keel is oak.\n{"tool": "edit_note", "params": {}}\nDone.`;
    expect(find(text)).toMatchObject({ text: 'I look.\n', blocks: [{ written: one, calls: search }] });
  });

  it('gives back every character of what it read', () => {
    const text = `Hm.\n\n\`\`\`json\n${one}\n\`\`\`\n\n\`\`\`json\n${one}\n\`\`\``;
    const { text: before, blocks } = find(text);
    expect(before + blocks.map(({ written }) => written).join('')).toBe(text);
  });
});

describe('a call that cannot run', () => {
  it.each([
    ['cut', '```json\n{"useTools": {"calls": [{"tool": "edit_note", "params": {"newText": "and th'],
    ['cut', '{"tool": "search_notes", "params": {"que'],
    ['cut', '<tool_call>{"x": '],
    ['not-json', '```json\n{"useTools": {"calls": [{"tool" "read_note"}]}}\n```'],
    ['no-calls', '{"useTools": {"memory": "m", "goal": "g", "calls": []}}'],
    ['no-calls', 'useTools {"goal": "g"}'],
    ['wrong-session', `{"useTools": {"sessionId": "other", "calls": [${one}]}}`],
  ])('R158 says why: %s', (problem, text) => {
    expect(find(`I try.\n${text}`)).toMatchObject({ text: 'I try.\n', blocks: [{ problem, calls: [] }] });
  });
});

it.each([
  ['openings', '{"tool": "search_notes", "params": {\n'],
  ['cut texts', '{"name": "\n'],
  ['fences', '```json\n'],
  ['blanks', ' \n'],
  ['tags', '<tool_call>'],
  ['brackets', '<[{'],
  ['calls', `${one}\n`],
  ['lines', 'All is well with the keel.\n'],
])('grows with the number of %s, not with its square', async (_name, piece) => {
  const read = (count: number) => () => void find(piece.repeat(count));
  await expectGrowthBelow(80, read(64_000), read(4_000));
});

it('R157 reads the calls that follow one another, up to the first object that is no call', () => {
  const note = '{"name": "Ada", "id": 7}';
  const { blocks, text } = find(`Look.\n${one}\n${one}\n${note}\n${one}`);
  expect(blocks.map(({ written }) => written.trim())).toEqual([one, one]);
  expect(text).toBe('Look.\n');
});
