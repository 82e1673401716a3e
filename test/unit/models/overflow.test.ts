/** @jest-environment node */
/** A server that holds less than was assumed: read from its refusal, remembered on the device, forgotten with reason. */
import type { RequestPlan } from '../../../src/core/ports/request-plan';
import type { ModelSettings } from '../../../src/models/create-model';
import { reportsOverflow, windowIn } from '../../../src/models/http/model-failure';
import { readError } from '../../../src/models/http/read-error';
import { windowAfterOverflow } from '../../../src/models/window-checks';
import { type ScriptedModel, type ScriptStep, startScriptedModel } from '../../support/model-server';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { ask, failureIn, modelAt, planOf, rememberingTransport, rowOf } from './harness';

/** What real servers answer to a request that is too long, and the window that they name. */
const reports: readonly [server: string, status: number | undefined, body: object, window: number | null][] = [
  [
    'vLLM',
    400,
    openai(
      "This model's maximum context length is 8192 tokens. However, you requested 14076 tokens (5884 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
    ),
    8_192,
  ],
  [
    'vLLM, newer',
    400,
    openai(
      "This model's maximum context length is 8192 tokens. However, your request has 10031 input tokens. Please reduce the length of the input messages.",
    ),
    8_192,
  ],
  [
    'vLLM, the answer',
    400,
    openai(
      "'max_tokens' or 'max_completion_tokens' is too large: 16384. This model's maximum context length is 8192 tokens and your request has 2345 input tokens",
    ),
    8_192,
  ],
  ['SGLang', 400, openai("The input (49146 tokens) is longer than the model's context length (40960 tokens)."), 40_960],
  [
    'a gateway',
    502,
    openai(
      "Upstream error from Chutes: The input (49146 tokens) is longer than the model's context length (40960 tokens).",
    ),
    40_960,
  ],
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'request (9884 tokens) exceeds the available context size (8192 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9_884,
        n_ctx: 8_192,
      },
    },
    8_192,
  ],
  [
    'llama.cpp of 2025',
    500,
    {
      error: {
        code: 500,
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 14_429,
        n_ctx: 8_192,
      },
    },
    8_192,
  ],
  ['llama-cpp-python', 400, openai('Requested tokens (2285) exceed context window of 2048'), 2_048],
  [
    'LM Studio',
    400,
    {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 10247 >= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter prompt.',
    },
    4_096,
  ],
  [
    'LM Studio in a stream',
    undefined,
    {
      error: {
        message:
          'Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input',
      },
    },
    7_866,
  ],
  ['Ollama', 400, { error: 'prompt is too long; exceeded max context length by 212 tokens' }, null],
  [
    'Ollama, newer',
    400,
    { error: 'request (7893 tokens) exceeds the available context size (4096 tokens), try increasing it' },
    4_096,
  ],
  ['Anthropic', 400, anthropic('prompt is too long: 207791 tokens > 200000 maximum'), 200_000],
  [
    'Anthropic, the answer',
    400,
    anthropic(
      'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again',
    ),
    200_000,
  ],
  [
    'Gemini',
    400,
    {
      error: {
        code: 400,
        message: 'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
    1_048_576,
  ],
  [
    'OpenAI',
    400,
    {
      error: {
        message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
    },
    null,
  ],
  ['OpenAI, a limit', 400, openai('Input tokens exceed the configured limit of 272,000 tokens.'), 272_000],
  [
    'Mistral',
    400,
    openai('Prompt contains 40007 tokens and 0 draft tokens, too large for model with 32768 maximum context length'),
    32_768,
  ],
  ['xAI', 400, openai("This model's maximum prompt length is 131072 but the request contains 537812 tokens."), 131_072],
  [
    'Groq',
    400,
    openai('Please reduce the length of the messages or completion. Current length is 8793 while limit is 8192'),
    8_192,
  ],
  [
    'Gemini by its endpoint for chat completions',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    1_048_576,
  ],
  ['Z.ai', 400, { error: { code: '1261', message: 'Prompt exceeds max length' } }, null],
  ['Volcano Engine', 400, openai('Input length 203743 exceeds the maximum length 202752'), 202_752],
  [
    'GitHub Models',
    413,
    {
      error: {
        code: 'tokens_limit_reached',
        message: 'Request body too large for gpt-4o model. Max size: 8000 tokens.',
        details: 'Request body too large for gpt-4o model. Max size: 8000 tokens.',
      },
    },
    8_000,
  ],
  [
    'Xinference',
    500,
    {
      detail:
        '[address=0.0.0.0:43769, pid=1065] The decoder prompt (length 66501) is longer than the maximum model length of 65536. Make sure that `max_model_len` is no smaller than the number of text tokens.',
    },
    65_536,
  ],
  ['Fireworks', 400, openai('The prompt is too long: 9047, model maximum context length: 8191'), 8_191],
  [
    'Text Generation Inference',
    422,
    {
      error: 'Input validation error: `inputs` must have less than 4095 tokens. Given: 5000',
      error_type: 'validation',
    },
    4_095,
  ],
  [
    'Text Generation Inference, the answer',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 7900 `inputs` tokens and 512 `max_new_tokens`',
      error_type: 'validation',
    },
    8_193,
  ],
];

function openai(message: string): object {
  return { error: { message, type: 'BadRequestError', code: 400 } };
}
function anthropic(message: string): object {
  return { type: 'error', error: { type: 'invalid_request_error', message } };
}

describe('a report of a request that is too long', () => {
  it.each(reports)('F21 of %s at %s is known, with the window that it names', (_server, statusCode, body, window) => {
    const error = readError(statusCode === undefined ? body : { statusCode, responseBody: JSON.stringify(body) });
    expect([reportsOverflow(error), windowIn(error)]).toEqual([true, window]);
  });

  it.each([
    [429, 'Rate limit reached for tokens per minute: Limit 6000, Used 5000, Requested 4000.'],
    [413, 'Request too large for model on tokens per minute (TPM): Limit 12000, Requested 20000.'],
    [500, 'The server had an error while processing 4096 tokens.'],
    [400, "Unsupported parameter: 'max_tokens'."],
    [401, 'Incorrect API key provided.'],
  ])('is none at %s: %s', (statusCode, message) => {
    expect(reportsOverflow(readError({ statusCode, responseBody: JSON.stringify(openai(message)) }))).toBe(false);
  });

  it.each(['maximum context length is ', 'n_keep ', '1,'.repeat(3), 'exceeds the available max ', 'tokens > '])(
    'grows with its length, not with its square: %s',
    async (piece) => {
      const read = (length: number) => () => {
        const responseBody = JSON.stringify(openai(piece.repeat(length / piece.length)));
        const error = readError({ statusCode: 400, responseBody });
        return [reportsOverflow(error), windowIn(error)];
      };
      await expectGrowthBelow(80, read(4_000_000), read(250_000));
    },
  );
});

describe('the window after a refusal', () => {
  const after = (all: number, named: number | null, window = 32_768) =>
    windowAfterOverflow({ totals: { ...planOf().totals, all, window, reserve: 8_192 } }, window, named);

  it('is the one that is named, if it is smaller', () => {
    expect([after(5_884, 8_192), after(5_884, 32_768), after(5_884, 100)]).toEqual([8_192, null, 1_024]);
  });

  it('is else the half that the request exceeds, unless the request nearly filled the window', () => {
    expect([after(17_000, null), after(9_000, null), after(5_884, null)]).toEqual([16_384, 8_192, 4_096]);
    expect([after(24_000, null), after(300, null), after(900, null, 1_500)]).toEqual([null, 1_024, null]);
  });
});

describe('what is learned of a model', () => {
  let server: ScriptedModel;
  beforeAll(async () => {
    server = await startScriptedModel();
  });
  afterAll(() => server.close());

  const named = { status: 400, errorBody: reports[0]?.[2] };
  const plan = (changes: Partial<RequestPlan['totals']> = {}) =>
    planOf({ totals: { ...planOf().totals, all: 5_884, window: 32_768, reserve: 8_192, ...changes } });
  const script = async (settings: Partial<ModelSettings>, ...steps: ScriptStep[]) => {
    server.setScript(steps);
    const model = modelAt(`${server.url}/openai/v1`, rowOf('openai-compatible'), settings);
    return { model, events: await ask(model, plan()) };
  };
  const describedWith = (settings: Partial<ModelSettings>, baseUrl = `${server.url}/openai/v1`) =>
    modelAt(baseUrl, rowOf('openai-compatible'), settings).description;

  it('F21 is said once, is the window from then on, and holds for this address alone', async () => {
    const transport = rememberingTransport();
    const { events } = await script({ transport }, named);
    expect(events.map(({ type }) => type)).toEqual(['notice', 'failure']);
    expect(events[0]).toMatchObject({
      words:
        '“scripted” has a context window of 8,192 tokens, not 32,768. From now on, Docent sends no more than that.',
    });
    expect(failureIn(events)).toMatchObject({ kind: 'context-length', action: 'new-chat' });
    expect(describedWith({ transport })).toMatchObject({ contextWindow: 8_192, assumedWindow: 32_768 });
    expect(describedWith({ transport }, 'http://127.0.0.1:1/v1')).not.toHaveProperty('assumedWindow');
    const again = await script({ transport }, named);
    expect(again.events.map(({ type }) => type)).toEqual(['failure']);
  });

  it('F21 keeps what the user has set, and says that it is more than there is', async () => {
    const transport = rememberingTransport();
    const chosen = { contextWindow: 32_000 };
    const { events } = await script({ transport, chosen }, named);
    expect(events[0]).toMatchObject({ words: expect.stringContaining('but settings say 32,000') });
    expect(describedWith({ transport, chosen })).toMatchObject({ contextWindow: 8_192, assumedWindow: 32_000 });
  });

  it('ends when the user sets another window, or the server lists another one', async () => {
    const transport = rememberingTransport();
    await script({ transport }, named);
    expect(describedWith({ transport, chosen: { contextWindow: 32_768 } }).contextWindow).toBe(32_768);
    expect(describedWith({ transport, contextWindow: 16_384 }).contextWindow).toBe(16_384);
    expect(describedWith({ transport, reported: { contextWindow: 65_536 } }).contextWindow).toBe(65_536);
    expect(describedWith({ transport }).contextWindow).toBe(8_192);
  });

  it.each(['', 'x', '8192', '-5 0 32768', '40000 0 32768', '512 0 32768', '8192 0 32768 junk'])(
    'is not taken from a broken record: %s',
    (record) => {
      const transport = rememberingTransport();
      transport.memory?.set(`context-window:openai-compatible/scripted ${server.url}/openai/v1`, record);
      expect([8_192, 32_768]).toContain(describedWith({ transport }).contextWindow);
    },
  );

  it('F21 a server of LM Studio that reports in its stream is not taken for a broken answer', async () => {
    const transport = rememberingTransport();
    const { events } = await script({ transport }, { errorEvent: reports[9]?.[2] });
    expect(failureIn(events)).toMatchObject({ kind: 'context-length' });
    expect(describedWith({ transport }).contextWindow).toBe(7_866);
  });

  it('F21 an old llama.cpp that answers with 500 is not asked again and again', async () => {
    const transport = rememberingTransport();
    await script({ transport }, { status: 500, errorBody: reports[6]?.[2] });
    expect(server.requests).toHaveLength(1);
    expect(describedWith({ transport }).contextWindow).toBe(8_192);
  });

  it('F21 Ollama: an answer to a request that was cut is none, and the window is that of the loaded model', async () => {
    const ollama = await startScriptedModel({ windows: { trained: 32_768, loaded: 4_096 } });
    try {
      ollama.setScript([{ text: 'One two three.', delayMs: 60 }]);
      const transport = rememberingTransport();
      const settings = { transport, modelName: 'scripted', chosen: { contextWindow: 16_384 } };
      const model = modelAt(`${ollama.url}/ollama`, rowOf('ollama'), settings);
      const events = await ask(model, plan({ window: 16_384, reserve: 4_096 }));
      expect(failureIn(events)).toMatchObject({ kind: 'context-length' });
      expect(events.some(({ type }) => type === 'finish')).toBe(false);
      const after = modelAt(`${ollama.url}/ollama`, rowOf('ollama'), settings).description;
      expect(after).toMatchObject({ contextWindow: 4_096, assumedWindow: 16_384 });
    } finally {
      await ollama.close();
    }
  });
});

it('takes no number that no window is so small as, and goes on to the next one', () => {
  const windowOf = (message: string): number | null => windowIn(readError({ message }));
  expect(windowOf('The context limit is 255 tokens.')).toBeNull();
  expect(windowOf('The context limit is 256 tokens.')).toBe(256);
  expect(windowOf('context window of 12 messages, while limit is 8192')).toBe(8_192);
  expect(windowOf('The context is too long.')).toBeNull();
});
