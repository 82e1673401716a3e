/**
 * Strict servers: what each provider refuses in a request, by its documentation and by refusals that people reported.
 * A validator returns the sentence of the refusal, or null for a request that the provider accepts.
 */
import type { WireFormat } from '../../../src/models/providers/provider';

type Json = Record<string, unknown>;
type Rule = (body: Json, model: string) => string | null;

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The first field that is not allowed. */
function unknownField(value: Json, allowed: readonly string[], place: string): string | null {
  const field = Object.keys(value).find((name) => !allowed.includes(name));
  return field === undefined ? null : `${place}.${field}: Extra inputs are not permitted`;
}

function first(...refusals: readonly (string | null)[]): string | null {
  return refusals.find((refusal) => refusal !== null) ?? null;
}

interface ChatRules {
  /** Fields of assistant messages besides those of OpenAI. */
  readonly assistant?: readonly string[];
  readonly ids?: RegExp;
  /** Whether an answer must be between results and the next question. */
  readonly isAnswered?: boolean;
}

/** Chat completions: platform.openai.com/docs/api-reference/chat/create, with the rules of one provider. */
function chatRule({ assistant = [], ids = /^.+$/s, isAnswered = false }: ChatRules): Rule {
  const fields: Json = {
    system: ['role', 'content'],
    user: ['role', 'content'],
    assistant: ['role', 'content', 'tool_calls', ...assistant],
    tool: ['role', 'content', 'tool_call_id'],
  };
  const top = [
    'model',
    'messages',
    'tools',
    'stream',
    'stream_options',
    'max_tokens',
    'max_completion_tokens',
    'temperature',
    'reasoning_effort',
  ];
  return (body) => {
    const open = new Set<unknown>();
    let before = '';
    for (const [index, message] of list(body.messages).entries()) {
      const place = `messages.${index}`;
      const role = textOf(message.role);
      const calls = list(message.tool_calls);
      const refusal = first(
        unknownField(message, (fields[role] ?? []) as string[], place),
        role === 'system' && index > 0 ? `${place}: Unexpected role 'system'` : null,
        role !== 'tool' && open.size > 0 ? `${place}: tool_calls without results` : null,
        role === 'tool' && !open.delete(message.tool_call_id) ? `${place}: a result without a call` : null,
        isAnswered && role === 'user' && before === 'tool' ? "Unexpected role 'user' after role 'tool'" : null,
        role !== 'tool' && calls.length === 0 && isEmpty(message.content) ? `${place}: content is empty` : null,
        ...calls.map(({ id, function: called }) =>
          !ids.test(textOf(id))
            ? `Tool call id was ${textOf(id)}`
            : isObject((called as Json).arguments)
              ? null
              : `${place}: arguments are no JSON object`,
        ),
      );
      if (refusal !== null) return refusal;
      for (const { id } of calls) open.add(id);
      before = role;
    }
    if (open.size > 0) return 'tool_calls without results';
    return first(before === 'assistant' ? 'Expected last role User or Tool' : null, unknownField(body, top, 'body'));
  };
}

function isEmpty(content: unknown): boolean {
  if (!Array.isArray(content)) return textOf(content) === '';
  return content.length === 0 || list(content).some((part) => part.type === 'text' && textOf(part.text) === '');
}

function isObject(text: unknown): boolean {
  const value = JSON.parse(textOf(text)) as unknown;
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** platform.claude.com/docs/en/api/messages, and …/agents-and-tools/tool-use/implement-tool-use. */
const anthropic: Rule = (body) => {
  const top = [
    'model',
    'messages',
    'system',
    'tools',
    'stream',
    'max_tokens',
    'temperature',
    'tool_choice',
    'thinking',
  ];
  let open: unknown[] = [];
  let marks = 0;
  for (const [index, { role, content, ...rest }] of list(body.messages).entries()) {
    const place = `messages.${index}`;
    const blocks = list(content);
    marks += blocks.filter(({ cache_control: mark }) => mark !== undefined).length;
    const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id);
    const isFirst = blocks.slice(0, results.length).every(({ type }) => type === 'tool_result');
    const refusal = first(
      unknownField(rest, [], place),
      index === 0 && role !== 'user' ? `${place}: first message must use the user role` : null,
      blocks.length === 0 ? `${place}: content is empty` : null,
      /thinking$/.test(textOf(blocks.at(-1)?.type))
        ? `${place}: The final block in an assistant message cannot be \`thinking\`.`
        : null,
      String(open) === String(results) && isFirst
        ? null
        : `${place}: tool_use ids were found without tool_result blocks immediately after`,
      ...blocks.map(({ type, text, id, signature, thinking }) => {
        if (type === 'text' && textOf(text).trim() === '') return `${place}: text content blocks must be non-empty`;
        if (type === 'tool_use' && !/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(id))) return `${place}: tool_use.id: pattern`;
        return type === 'thinking' && (textOf(signature) === '' || thinking === '') ? `${place}: no signature` : null;
      }),
    );
    if (refusal !== null) return refusal;
    open = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    if (new Set(open).size < open.length) return `${place}: tool_use ids must be unique`;
  }
  marks += list(body.system).filter(({ cache_control: mark }) => mark !== undefined).length;
  return first(
    open.length > 0 ? 'no results' : null,
    marks > 4 ? 'A maximum of 4 blocks with cache_control' : null,
    unknownField(body, top, 'body'),
  );
};

/** platform.openai.com/docs/api-reference/responses/create, and …/guides/reasoning. */
const responses: Rule = (body) => {
  const top = [
    'model',
    'input',
    'instructions',
    'tools',
    'stream',
    'store',
    'include',
    'reasoning',
    'max_output_tokens',
    'temperature',
    'prompt_cache_key',
  ];
  const fields: Json = {
    reasoning: ['type', 'id', 'summary', 'encrypted_content'],
    function_call: ['type', 'call_id', 'name', 'arguments'],
    function_call_output: ['type', 'call_id', 'output'],
    message: ['role', 'content', 'phase'],
  };
  const items = list(body.input);
  const open = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    const { type = 'message', call_id: id, role, phase } = item as Record<string, string>;
    const next = items[index + 1];
    const refusal = first(
      unknownField(item, (fields[type] ?? []) as string[], `input[${index}]`),
      type === 'message' && isEmpty(item.content) ? `input[${index}].content: empty` : null,
      phase === undefined || (role === 'assistant' && /^(?:commentary|final_answer)$/.test(phase)) ? null : 'phase',
      type === 'reasoning' && (next === undefined || next.role === 'user')
        ? `Item '${textOf(item.id)}' of type 'reasoning' was provided without its required following item.`
        : null,
      type.startsWith('function_call') && textOf(id).length > 64 ? 'call_id: string too long' : null,
      type === 'function_call_output' && !open.delete(id) ? 'No tool call found for function call output' : null,
    );
    if (refusal !== null) return refusal;
    if (type === 'function_call') open.add(id);
  }
  if (open.size > 0) return `No tool output found for function call ${[...open].join()}.`;
  return unknownField(body, top, 'body');
};

/** ai.google.dev/api/generate-content, …/gemini-api/docs/function-calling, and …/thought-signatures. */
const gemini: Rule = (body, model) => {
  const top = ['contents', 'systemInstruction', 'tools', 'generationConfig'];
  let calls = 0;
  let before = '';
  for (const [index, { role, parts }] of list(body.contents).entries()) {
    const own = list(parts);
    const called = own.filter(({ functionCall }) => functionCall !== undefined);
    const answered = own.filter(({ functionResponse }) => functionResponse !== undefined).length;
    const refusal = first(
      own.length === 0 || own.some(({ text }) => text === '') ? `contents[${index}].parts: must not be empty` : null,
      answered === calls ? null : 'the number of function response parts is equal to the number of function call parts',
      called.length > 0 && before !== 'user' ? 'function call turn comes immediately after a user turn' : null,
      called.length > 0 && model.startsWith('gemini-3') && textOf(called[0]?.thoughtSignature) === ''
        ? 'Function call is missing a thought_signature in functionCall parts.'
        : null,
    );
    if (refusal !== null) return refusal;
    calls = called.length;
    before = textOf(role);
  }
  return first(calls > 0 ? 'function calls without responses' : null, unknownField(body, top, 'body'));
};

/** docs.ollama.com/api/chat. */
const ollama: Rule = (body) => {
  const fields = ['role', 'content', 'images', 'thinking', 'tool_calls', 'tool_name', 'tool_call_id'];
  for (const [index, message] of list(body.messages).entries()) {
    const calls = list(message.tool_calls).map((call) => (call.function as Json).arguments);
    const refusal = first(
      unknownField(message, fields, `messages.${index}`),
      calls.some((given) => typeof given !== 'object') ? 'json: cannot unmarshal string into arguments' : null,
    );
    if (refusal !== null) return refusal;
  }
  return unknownField(body, ['model', 'messages', 'tools', 'stream', 'options', 'think', 'truncate', 'shift'], 'body');
};

const thinking = { assistant: ['reasoning_content'] };

/** Each provider, in the order of settings. */
export const promised: readonly {
  readonly id: string;
  /** A model of it, and the context window that it has, which decides the tier before anything is sent. */
  readonly model: string;
  readonly window: number;
  readonly refuses: Rule;
}[] = [
  { id: 'anthropic', model: 'claude-sonnet-5-5', window: 1_000_000, refuses: anthropic },
  { id: 'openai', model: 'gpt-4.1', window: 1_047_576, refuses: responses },
  { id: 'gemini', model: 'gemini-3.8-flash', window: 1_048_576, refuses: gemini },
  {
    ...{ id: 'openrouter', model: 'of-anybody', window: 128_000 },
    // openrouter.ai/docs/guides/best-practices/reasoning-tokens
    refuses: chatRule({ assistant: ['reasoning_content', 'reasoning_details'] }),
  },
  {
    ...{ id: 'mistral', model: 'mistral-medium-3-5', window: 262_144 },
    refuses: chatRule({ ids: /^[a-zA-Z0-9]{9}$/, isAnswered: true }),
  },
  { id: 'deepseek', model: 'deepseek-v4-pro', window: 1_000_000, refuses: chatRule(thinking) },
  { id: 'groq', model: 'openai/gpt-oss-120b', window: 131_072, refuses: chatRule({}) },
  { id: 'xai', model: 'grok-4.7', window: 500_000, refuses: chatRule(thinking) },
  { id: 'ollama', model: 'of-anybody', window: 8_192, refuses: ollama },
  { id: 'lmstudio', model: 'of-anybody', window: 4_096, refuses: chatRule(thinking) },
  { id: 'openai-compatible', model: 'of-anybody', window: 32_768, refuses: chatRule(thinking) },
];

/** Returns why the provider of a row refuses a request. */
export function refusalOf(row: string, body: unknown, model: string): string | null {
  const found = promised.find(({ id }) => id === row);
  if (found === undefined) throw new Error(`Nothing is known of what ${row} refuses.`);
  return found.refuses(body as Json, model);
}

/** A refusal in the shape of a format. */
export function refusedBody(format: WireFormat, message: string): object {
  if (format === 'anthropic') return { type: 'error', error: { type: 'invalid_request_error', message } };
  if (format === 'gemini') return { error: { code: 400, message, status: 'INVALID_ARGUMENT' } };
  return format === 'ollama' ? { error: message } : { error: { message, type: 'invalid_request_error', code: null } };
}
