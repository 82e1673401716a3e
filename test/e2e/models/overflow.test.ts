/** A server that holds less than was thought: the question is answered in the same turn, and the bar shows what there is. */
import { words } from '../../../src/text';
import type { ModelRequest, Script, ScriptStep } from '../../support/model-server';
import { until } from '../driver/chat-view';
import { chatView, reloadChat, workbench } from '../driver/open-chat';
import { startChat } from '../driver/reach-walk';
import { lastSent, sentRequests, spokenTexts } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';
import { beginChat, shareModels, readOwnLog } from './model-walk';

jest.setTimeout(120_000);

/** Four characters a token, which is near enough for a server that counts. */
const tokensOf = ({ body }: ModelRequest): number => Math.round(JSON.stringify(body).length / 4);

/** A server that really holds so many tokens, and refuses longer requests in these words. */
function holding(window: number, refuse: (tokens: number) => ScriptStep): Script {
  return (request) => {
    const tokens = tokensOf(request);
    return tokens > window ? refuse(tokens) : { text: 'The blue boat is on the hard.' };
  };
}

const openai = (message: string) => ({ error: { message, type: 'BadRequestError', code: 400 } });
const refusals: readonly [server: string, model: string, refuse: (tokens: number) => ScriptStep][] = [
  [
    'vLLM',
    'openai-compatible/vllm',
    (tokens) => ({
      status: 400,
      errorBody: openai(
        `This model's maximum context length is 8192 tokens. However, your request has ${tokens} input tokens. Please reduce the length of the input messages.`,
      ),
    }),
  ],
  [
    'llama.cpp',
    'openai-compatible/llama',
    (tokens) => ({
      status: 400,
      errorBody: {
        error: {
          ...{
            code: 400,
            message: `request (${tokens} tokens) exceeds the available context size (8192 tokens), try increasing it`,
          },
          ...{ type: 'exceed_context_size_error', n_prompt_tokens: tokens, n_ctx: 8192 },
        },
      },
    }),
  ],
  [
    'LM Studio',
    'openai-compatible/lm-studio',
    (tokens) => ({
      errorEvent: {
        error: {
          message: `Trying to keep the first ${tokens} tokens when context the overflows. However, the model is loaded with context length of only 8192 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input`,
        },
      },
    }),
  ],
  [
    'Ollama',
    'ollama/scripted',
    (tokens) => ({
      status: 400,
      errorBody: { error: `prompt is too long; exceeded max context length by ${tokens - 8192} tokens` },
    }),
  ],
  [
    'Anthropic',
    'anthropic/scripted',
    (tokens) => ({
      status: 400,
      errorBody: {
        type: 'error',
        error: { type: 'invalid_request_error', message: `prompt is too long: ${tokens} tokens > 8192 maximum` },
      },
    }),
  ],
  [
    'Gemini',
    'gemini/scripted',
    (tokens) => ({
      status: 400,
      errorBody: {
        error: {
          code: 400,
          message: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (8192).`,
          status: 'INVALID_ARGUMENT',
        },
      },
    }),
  ],
];

const section = (at: number): string => `## Part ${at}\n\n${'Words and more words of the log. '.repeat(60)}\n\n`;
const vault = {
  'Now.md': '# Now\n\nThe blue boat is on the hard.\n',
  'Log.md': `# Log\n\n${Array.from({ length: 14 }, (_, at) => section(at)).join('')}`,
};

const note = () => chatView.root.locator('.docent-connection-note');
const bar = () => chatView.root.locator('.docent-context-words');

/** Returns the tokens that the bar says a request may have. */
async function shownRoom(): Promise<number> {
  return Number(/of ≈?([\d,.]+k?) tokens/.exec(await bar().innerText())?.[1]?.replaceAll(',', ''));
}

/** Adds the long note to a vault without it. */
async function addLog(): Promise<void> {
  await workbench.writeNote('Log.md', vault['Log.md']);
  await workbench.page.waitForFunction(() => {
    const file = window.app.vault.getFileByPath('Log.md');
    return file !== null && window.app.metadataCache.getFileCache(file) !== null;
  });
}

/** Attaches the long note, and asks. */
async function askAboutLog(question: string): Promise<void> {
  const before = await chatView.questions.count();
  await chatView.mention('Log');
  await workbench.page.keyboard.type(` ${question}`);
  await workbench.page.keyboard.press('Enter');
  await chatView.questions.nth(before).waitFor();
  await chatView.untilIdle();
}

const untilRoomBelow = (window: number) => until(async () => (await shownRoom()) < window, 'the bar shows the window');

describe('a server that refuses', () => {
  const names = refusals.map(([, model]) => model);
  const own = { contextWindow: 32_768, outputLimit: 2_048 };
  const modelFacts = {
    ...Object.fromEntries(names.map((model) => [model, { outputLimit: 2_048 }])),
    'ollama/scripted': own,
  };

  shareModels({
    ...{ vault, models: { 'openai-compatible': ['vllm', 'llama', 'lm-studio'] } },
    settings: { modelFacts, contextNotes: ['Log.md'] },
  });

  it.each(refusals)(
    'F21 is asked again with what it can hold, in the same turn, and says so in one line: %s',
    async (_server, model, refuse) => {
      await beginChat(model, holding(8_192, refuse));
      const answer = await chatView.ask('Where is the blue boat?');
      expect(await answer.innerText()).toContain('The blue boat is on the hard.');
      expect(await chatView.failures.count()).toBe(0);
      const [, name = ''] = model.split('/');
      expect(await note().innerText()).toMatch(new RegExp(`“${name}” has a context window of [\\d,]+ tokens`));
      const sent = sentRequests(workbench.model);
      expect(sent.length).toBeGreaterThanOrEqual(2);
      expect(sent.length).toBeLessThanOrEqual(3);
      expect(spokenTexts(lastSent(workbench.model)).at(-1)).toContain('Where is the blue boat?');
      expect((await readOwnLog()).filter(({ k }) => k === 'user')).toHaveLength(1);
      await untilRoomBelow(8_192);
    },
  );
});

const [, , refuse] = refusals[1] as (typeof refusals)[number];
const longQuestion = `What of all this? ${'Words and more words. '.repeat(1_600)}`;
const button = (name: string) => chatView.failures.last().getByRole('button', { name, exact: true });

describe.each([false, true])('a server that holds less than was thought (phone: %s)', (phone) => {
  const modelFacts = {
    'openai-compatible/scripted': { outputLimit: 2_048 },
    'openai-compatible/set': { contextWindow: 32_000, outputLimit: 2_048 },
    'openai-compatible/tight': { contextWindow: 8_192, outputLimit: 2_048 },
    'openai-compatible/tight-too': { contextWindow: 8_192, outputLimit: 2_048 },
  };

  shareModels({
    ...(phone ? { phone } : { vault }),
    models: { 'openai-compatible': ['set', 'tight', 'tight-too'] },
    settings: { modelFacts },
  });

  // Before any chat has learned a window, the bar shows when it has come to the model of this one.
  if (phone) onPhone();

  it('F21 answers a question at a believed 32K, where there are 8K, at once the second time, after a reload too', async () => {
    await beginChat('openai-compatible/scripted', holding(8_192, refuse));
    await addLog();
    await askAboutLog('where is the blue boat?');
    expect(sentRequests(workbench.model)).toHaveLength(2);
    const [refused, answered] = sentRequests(workbench.model);
    expect(answered?.system.length).toBeLessThan(refused?.system.length ?? 0);
    await untilRoomBelow(8_192);
    await chatView.ask('And the red one?');
    expect(sentRequests(workbench.model)).toHaveLength(3);
    expect(await note().count()).toBe(0);
    await reloadChat();
    await untilRoomBelow(8_192);
    await chatView.ask('Is it dry?');
    expect(sentRequests(workbench.model)).toHaveLength(4);
    expect(await chatView.failures.count()).toBe(0);
    expect(spokenTexts(lastSent(workbench.model)).at(-1)).toContain('Is it dry?');
  });

  if (!phone) onDesktop();
});

/** Begins a chat with the model that the settings have from now on. */
async function beginWithUsual(name: string, script: Script): Promise<void> {
  const settings = await openSettingsWindow(workbench);
  await settings.choose('Model', `${words.models.labels.openaiCompatible}: ${name}`);
  await settings.close();
  await startChat({ workbench, chatView });
  workbench.model?.setScript(script);
}

function onDesktop(): void {
  it('F21 a window that the user has set stays in the settings, and is warned about', async () => {
    await beginWithUsual('set', holding(8_192, refuse));
    await until(async () => (await shownRoom()) > 8_192, 'the bar shows the window that was set');
    await askAboutLog('where is the blue boat?');
    expect(await note().innerText()).toContain('but settings say 32,000');
    const warning = chatView.root.locator('.docent-needs-look');
    await warning.waitFor();
    expect(await warning.innerText()).toContain('You set a context window of 32,000 tokens for set');
    const settings = await openSettingsWindow(workbench);
    await settings.openPage('Model details');
    await workbench.page.getByText('the context window is 8,192 tokens, not 32,000').waitFor();
    await settings.type('Context window of this model', '16,000');
    await settings.close();
    await until(async () => (await shownRoom()) > 8_192, 'the new window is tried');
  });

  it('of a request that cannot fit says what takes the room, and offers a new chat that has the question', async () => {
    await beginWithUsual('tight', [{ text: 'never' }]);
    await chatView.ask(longQuestion);
    const said = await chatView.failures.last().innerText();
    expect(said).toMatch(
      /needs about [\d,]+ tokens, but the model accepts 7,168\. Its largest parts: your message [\d,]+, [^,]+ [\d,]+, [^,]+ [\d,]+\./,
    );
    expect(sentRequests(workbench.model)).toEqual([]);
    await button('New chat').click();
    await until(
      async () => (await chatView.input.inputValue()).startsWith('What of all this?'),
      'the question is there',
    );
    expect(await chatView.questions.count()).toBe(0);
  });

  it('of a request that cannot fit leads to the settings, where a larger window lets it through', async () => {
    await beginWithUsual('tight-too', [{ text: 'Now it fits.' }]);
    await chatView.ask(longQuestion);
    await button('Open settings').click();
    await workbench.page.locator('.modal').getByText(words.settings.pages.files.name, { exact: true }).waitFor();
    await workbench.page.keyboard.press('Escape');
    const settings = await openSettingsWindow(workbench);
    await settings.openPage('Model details');
    await settings.type('Context window of this model', '32,000');
    await settings.close();
    await button('Send again').click();
    await chatView.answers.last().getByText('Now it fits.').waitFor();
  });
}

function onPhone(): void {
  it('of a request that cannot fit leads to the list of the context, where parts are left out, and is then sent', async () => {
    await beginChat('openai-compatible/tight', [{ text: 'Now it fits.' }]);
    await untilRoomBelow(8_192);
    const used = Number(/≈?([\d,]+) of/.exec(await bar().innerText())?.[1]?.replaceAll(',', ''));
    // A little more than there is room for, so that leaving out one section is enough.
    await chatView.ask(`What of all this? ${'words '.repeat(7_168 - used + 200)}`);
    expect(await chatView.failures.last().innerText()).toMatch(/Its largest parts: your message [\d,]+, the tools/);
    await button('Send again').scrollIntoViewIfNeeded();
    await button('Choose what to leave out').click();
    const row = workbench.page.locator('.docent-list-row', { hasText: 'AGENTS.md' }).first();
    await row.getByRole('button', { name: /^More actions/ }).click();
    await workbench.page.locator('.menu .menu-item', { hasText: /^Leave out/ }).click();
    await row.getByText('left out').waitFor();
    await workbench.page.locator('.modal-close-button').click();
    await button('Send again').click();
    await chatView.answers.last().getByText('Now it fits.').waitFor();
    expect(spokenTexts(lastSent(workbench.model)).at(-1)).toContain('What of all this?');
  });
}
