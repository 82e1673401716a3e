/**
 * The body of the third request of a conversation with tools, as each format sends it: compared in full with a golden,
 * and field by field with what the provider documents.
 *
 * @jest-environment node
 */
import type { AssistantPart, Message } from '../../../src/core/ports/message';
import type { RequestPlan } from '../../../src/core/ports/request-plan';
import type { WireFormat } from '../../../src/models/providers/provider';
import { expectGolden } from '../../goldens/golden';
import { ask, formats, modelAt, planOf, searchTool } from './harness';

const docs = {
  anthropic: 'https://platform.claude.com/docs/en/api/messages',
  anthropicTools: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use',
  anthropicCache: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  anthropicThinking: 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking',
  chat: 'https://platform.openai.com/docs/api-reference/chat/create',
  deepseek: 'https://api-docs.deepseek.com/guides/thinking_mode',
  responses: 'https://platform.openai.com/docs/api-reference/responses/create',
  responsesThoughts: 'https://platform.openai.com/docs/guides/reasoning',
  openaiCache: 'https://platform.openai.com/docs/guides/prompt-caching',
  gemini: 'https://ai.google.dev/api/generate-content',
  geminiTools: 'https://ai.google.dev/gemini-api/docs/function-calling',
  geminiThoughts: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
  geminiThinking: 'https://ai.google.dev/gemini-api/docs/thinking',
  ollama: 'https://docs.ollama.com/api/chat',
  ollamaTools: 'https://docs.ollama.com/capabilities/tool-calling',
  ollamaWindow: 'https://docs.ollama.com/context-length',
} as const;

/** The models that are asked: their names decide some fields. */
const modelNames: Readonly<Record<WireFormat, string>> = {
  anthropic: 'claude-sonnet-5-5',
  'openai-compatible': 'oak-1',
  responses: 'gpt-5.6',
  gemini: 'gemini-3.8-flash',
  ollama: 'oak:7b',
};

/** What each provider left with its thoughts and calls in the first turn. */
const memories: Readonly<Record<WireFormat, { thought?: object; call?: object }>> = {
  anthropic: { thought: { anthropic: { signature: 'c2lnbmVk' } } },
  'openai-compatible': {},
  responses: { thought: { responses: { itemId: 'rs_1', encryptedContent: 'c2VhbGVk' } } },
  gemini: { call: { gemini: { thoughtSignature: 'c2lnbmVk' } } },
  ollama: {},
};

const text = (value: string) => ({ type: 'text', text: value }) as const;
const call = (id: string, query: string) =>
  ({ type: 'tool-call', id, name: 'search_notes', argumentsText: JSON.stringify({ query }) }) as const;
const result = (callId: string, value: string, isError = false) =>
  ({ type: 'tool-result', callId, name: 'search_notes', text: value, isError }) as const;

/** Three turns: a thought with a call, two calls of which one fails, and a question. */
function conversation(format: WireFormat, provider: string): RequestPlan {
  const source = { provider, model: modelNames[format] };
  const { thought, call: signed } = memories[format];
  const first: AssistantPart[] = [
    { type: 'reasoning', text: 'The keel first.', providerData: { ...source, ...(thought && { metadata: thought }) } },
    text('I look.'),
    { ...call('call_1', 'keel'), ...(signed && { providerData: { ...source, metadata: signed } }) },
  ];
  const messages: Message[] = [
    { role: 'user', parts: [text('What is the keel made of?')] },
    { role: 'assistant', parts: first },
    { role: 'tool', parts: [result('call_1', 'Boat.md: The keel is oak.')] },
    { role: 'assistant', parts: [text('Oak.')] },
    { role: 'user', parts: [text('And the mast and the sails?')] },
    { role: 'assistant', parts: [call('call_2', 'mast'), call('call_3', 'sails')] },
    { role: 'tool', parts: [result('call_2', 'Mast.md: Spruce.'), result('call_3', 'The index is busy.', true)] },
    { role: 'assistant', parts: [text('Spruce; the sails I could not find.')] },
    { role: 'user', parts: [text('Why spruce?')] },
  ];
  return planOf({
    messages,
    temperature: 0.2,
    breakpoints: [
      { after: 'system', ends: 'L0' },
      { after: 7, ends: 'step' },
      { after: 8, ends: 'turn' },
    ],
  });
}

async function bodyOf(format: WireFormat, question?: string): Promise<Record<string, unknown>> {
  const entry = formats.find((each) => each.format === format);
  if (entry === undefined) throw new Error(`There is no format ${format}.`);
  let sent = '';
  const transport = {
    fetch: (_url: string, init: RequestInit) => {
      if (init.method === 'POST' && sent === '') sent = String(init.body);
      return Promise.resolve(new Response('{}', { status: 418 }));
    },
  };
  const settings = { transport, modelName: modelNames[format], chosen: { effort: 'low' } as const };
  const asked = conversation(format, entry.row.id);
  const last: Message = { role: 'user', parts: [text(question ?? '')] };
  const plan = question === undefined ? asked : { ...asked, messages: [...asked.messages.slice(0, -1), last] };
  await ask(modelAt('https://model.example', entry.row, settings), plan);
  return JSON.parse(sent) as Record<string, unknown>;
}

function valueAt(body: unknown, path: string): unknown {
  return path.split('.').reduce<any>((at, key) => at?.[key], body);
}

const schema = searchTool.parameters;
const rows: Readonly<Record<WireFormat, readonly (readonly [path: string, value: unknown, documented: string])[]>> = {
  anthropic: [
    ['model', 'claude-sonnet-5-5', docs.anthropic],
    ['stream', true, docs.anthropic],
    ['max_tokens', 512, docs.anthropic],
    ['system.0.text', 'You are a careful reader.', docs.anthropic],
    ['system.0.cache_control', { type: 'ephemeral' }, docs.anthropicCache],
    ['tools.0.name', 'search_notes', docs.anthropicTools],
    ['tools.0.input_schema', schema, docs.anthropicTools],
    ['messages.0', { role: 'user', content: [text('What is the keel made of?')] }, docs.anthropic],
    [
      'messages.1.content.0',
      { type: 'thinking', thinking: 'The keel first.', signature: 'c2lnbmVk' },
      docs.anthropicThinking,
    ],
    ['messages.1.content.1', text('I look.'), docs.anthropic],
    [
      'messages.1.content.2',
      { type: 'tool_use', id: 'call_1', name: 'search_notes', input: { query: 'keel' } },
      docs.anthropicTools,
    ],
    ['messages.2.role', 'user', docs.anthropicTools],
    [
      'messages.2.content.0',
      { type: 'tool_result', tool_use_id: 'call_1', content: 'Boat.md: The keel is oak.' },
      docs.anthropicTools,
    ],
    ['messages.6.content.0.tool_use_id', 'call_2', docs.anthropicTools],
    ['messages.6.content.1.is_error', true, docs.anthropicTools],
    ['messages.7.content.0.cache_control', { type: 'ephemeral' }, docs.anthropicCache],
    ['messages.8.content.0.cache_control', { type: 'ephemeral' }, docs.anthropicCache],
    ['output_config.effort', 'low', docs.anthropicThinking],
  ],
  'openai-compatible': [
    ['model', 'oak-1', docs.chat],
    ['stream', true, docs.chat],
    ['stream_options.include_usage', true, docs.chat],
    ['max_tokens', 512, docs.chat],
    ['temperature', 0.2, docs.chat],
    ['reasoning_effort', 'low', docs.chat],
    ['tools.0.function.name', 'search_notes', docs.chat],
    ['tools.0.function.parameters', schema, docs.chat],
    ['messages.0', { role: 'system', content: 'You are a careful reader.' }, docs.chat],
    ['messages.1', { role: 'user', content: 'What is the keel made of?' }, docs.chat],
    ['messages.2.role', 'assistant', docs.chat],
    ['messages.2.reasoning_content', 'The keel first.', docs.deepseek],
    ['messages.2.tool_calls.0.id', 'call_1', docs.chat],
    ['messages.2.tool_calls.0.function.arguments', '{"query":"keel"}', docs.chat],
    ['messages.3', { role: 'tool', tool_call_id: 'call_1', content: 'Boat.md: The keel is oak.' }, docs.chat],
    ['messages.7.tool_call_id', 'call_2', docs.chat],
    ['messages.8', { role: 'tool', tool_call_id: 'call_3', content: 'The index is busy.' }, docs.chat],
    ['messages.10', { role: 'user', content: 'Why spruce?' }, docs.chat],
  ],
  responses: [
    ['model', 'gpt-5.6', docs.responses],
    ['stream', true, docs.responses],
    ['store', false, docs.responses],
    ['include', ['reasoning.encrypted_content'], docs.responsesThoughts],
    ['instructions', 'You are a careful reader.', docs.responses],
    ['max_output_tokens', 512, docs.responses],
    ['temperature', 0.2, docs.responses],
    ['reasoning.effort', 'low', docs.responsesThoughts],
    ['prompt_cache_key', 'c1', docs.openaiCache],
    ['tools.0.type', 'function', docs.responses],
    ['tools.0.parameters', schema, docs.responses],
    ['tools.0.strict', false, docs.responses],
    ['input.0', { role: 'user', content: [{ type: 'input_text', text: 'What is the keel made of?' }] }, docs.responses],
    [
      'input.1',
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'The keel first.' }],
        encrypted_content: 'c2VhbGVk',
      },
      docs.responsesThoughts,
    ],
    ['input.2', { role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] }, docs.responses],
    [
      'input.3',
      { type: 'function_call', call_id: 'call_1', name: 'search_notes', arguments: '{"query":"keel"}' },
      docs.responses,
    ],
    [
      'input.4',
      { type: 'function_call_output', call_id: 'call_1', output: 'Boat.md: The keel is oak.' },
      docs.responses,
    ],
    ['input.10.output', 'The index is busy.', docs.responses],
    ['input.12.content.0.text', 'Why spruce?', docs.responses],
  ],
  gemini: [
    ['systemInstruction', { parts: [{ text: 'You are a careful reader.' }] }, docs.gemini],
    ['generationConfig.maxOutputTokens', 512, docs.gemini],
    ['generationConfig.temperature', 0.2, docs.gemini],
    ['generationConfig.thinkingConfig', { includeThoughts: true, thinkingLevel: 'low' }, docs.geminiThinking],
    ['tools.0.functionDeclarations.0.name', 'search_notes', docs.geminiTools],
    ['tools.0.functionDeclarations.0.parametersJsonSchema', schema, docs.gemini],
    ['contents.0', { role: 'user', parts: [{ text: 'What is the keel made of?' }] }, docs.gemini],
    ['contents.1.role', 'model', docs.gemini],
    [
      'contents.1.parts.1.functionCall',
      { id: 'call_1', name: 'search_notes', args: { query: 'keel' } },
      docs.geminiTools,
    ],
    ['contents.1.parts.1.thoughtSignature', 'c2lnbmVk', docs.geminiThoughts],
    [
      'contents.2',
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'call_1',
              name: 'search_notes',
              response: { result: 'Boat.md: The keel is oak.' },
            },
          },
        ],
      },
      docs.geminiTools,
    ],
    ['contents.5.parts.0.thoughtSignature', 'skip_thought_signature_validator', docs.geminiThoughts],
    ['contents.5.parts.1.thoughtSignature', undefined, docs.geminiThoughts],
    ['contents.6.parts.1.functionResponse.response', { error: 'The index is busy.' }, docs.geminiTools],
    ['contents.8', { role: 'user', parts: [{ text: 'Why spruce?' }] }, docs.gemini],
  ],
  ollama: [
    ['model', 'oak:7b', docs.ollama],
    ['stream', true, docs.ollama],
    ['think', true, docs.ollama],
    ['truncate', false, docs.ollama],
    ['options.num_ctx', 8_192, docs.ollamaWindow],
    ['options.num_predict', 512, docs.ollama],
    ['options.temperature', 0.2, docs.ollama],
    ['tools.0.function.name', 'search_notes', docs.ollamaTools],
    ['tools.0.function.parameters', schema, docs.ollamaTools],
    ['messages.0', { role: 'system', content: 'You are a careful reader.' }, docs.ollama],
    ['messages.1', { role: 'user', content: 'What is the keel made of?' }, docs.ollama],
    ['messages.2.thinking', 'The keel first.', docs.ollama],
    ['messages.2.tool_calls.0.function', { name: 'search_notes', arguments: { query: 'keel' } }, docs.ollamaTools],
    [
      'messages.3',
      { role: 'tool', tool_name: 'search_notes', tool_call_id: 'call_1', content: 'Boat.md: The keel is oak.' },
      docs.ollamaTools,
    ],
    ['messages.8.content', 'The index is busy.', docs.ollamaTools],
    ['messages.10', { role: 'user', content: 'Why spruce?' }, docs.ollama],
  ],
};

describe.each(formats)('$format', ({ format }) => {
  it('R228 R229 sends a conversation of three turns, byte for byte as kept', async () => {
    expectGolden(`bodies/${format}.json`, JSON.stringify(await bodyOf(format), null, 2));
  });

  it('is as documented, field by field', async () => {
    const body = await bodyOf(format);
    const found = rows[format].map(([path, , page]) => [path, valueAt(body, path), page]);
    expect(found).toEqual(rows[format].map((row) => [...row]));
  });

  it('sends no half of a character, which servers refuse, and leaves what reads like one', async () => {
    const body = await bodyOf(format, String.raw`\ud83d and \\udc00, whole 🎉, half ` + '\ud83d, \\' + '\udc00.');
    const sent = JSON.stringify(body);
    expect(sent).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/);
    expect(sent).toContain(
      JSON.stringify(String.raw`\ud83d and \\udc00, whole 🎉, half ` + '\ufffd, \\' + '\ufffd.').slice(1, -1),
    );
  });

  it('sends the same bytes for the same plan', async () => {
    expect(JSON.stringify(await bodyOf(format))).toBe(JSON.stringify(await bodyOf(format)));
  });

  it('has a page of the documentation for each of its top fields', async () => {
    const known = new Set(rows[format].map(([path]) => path.split('.')[0]));
    // Anthropic's adaptive thinking comes with the effort.
    const untold = ['shift', 'thinking'];
    expect(Object.keys(await bodyOf(format)).filter((field) => !known.has(field) && !untold.includes(field))).toEqual(
      [],
    );
  });
});
