/** A server that holds less than was thought: the question is answered in the same turn, and the bar shows what there is. */
import { words } from '../../../src/text';
import type { ModelRequest, Script, ScriptStep } from '../../support/model-server';
import { openChatView, readLog, until, type OpenedChatView } from '../driver/chat-view';
import { lastSent, sentRequests, spokenTexts } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';
import { openWorkbench, type OpenedWorkbench, type OpenOptions } from '../driver/workbench';

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
const refusals: readonly [server: string, provider: string, refuse: (tokens: number) => ScriptStep][] = [
  [
    'vLLM',
    'openai-compatible',
    (tokens) => ({
      status: 400,
      errorBody: openai(
        `This model's maximum context length is 8192 tokens. However, your request has ${tokens} input tokens. Please reduce the length of the input messages.`,
      ),
    }),
  ],
  [
    'llama.cpp',
    'openai-compatible',
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
    'openai-compatible',
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
    'ollama',
    (tokens) => ({
      status: 400,
      errorBody: { error: `prompt is too long; exceeded max context length by ${tokens - 8192} tokens` },
    }),
  ],
  [
    'Anthropic',
    'anthropic',
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
    'gemini',
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

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

async function open(provider: string, script: Script, options: OpenOptions = {}): Promise<void> {
  workbench = await openWorkbench({
    scripted: script,
    ...options,
    settings: {
      model: `${provider}/scripted`,
      modelFacts: { [`${provider}/scripted`]: { outputLimit: 2_048 } },
      ...options.settings,
    },
  });
  chatView = await openChatView(workbench);
}
afterEach(() => workbench.close());

const note = () => chatView.root.locator('.docent-connection-note');
const bar = () => chatView.root.locator('.docent-context-words');

/** Returns the tokens that the bar says a request may have. */
async function shownRoom(): Promise<number> {
  return Number(/of ~?([\d,.]+k?) tokens/.exec(await bar().innerText())?.[1]?.replaceAll(',', ''));
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

describe.each(refusals)('%s', (_server, provider, refuse) => {
  it('F21 is asked again with what it can hold, in the same turn, and says so in one line', async () => {
    const own = provider === 'ollama' ? { contextWindow: 32_768, outputLimit: 2_048 } : { outputLimit: 2_048 };
    const settings = { modelFacts: { [`${provider}/scripted`]: own }, contextNotes: ['Log.md'] };
    await open(provider, holding(8_192, refuse), { vault, settings });
    const answer = await chatView.ask('Where is the blue boat?');
    expect(await answer.innerText()).toContain('The blue boat is on the hard.');
    expect(await chatView.failures.count()).toBe(0);
    expect(await note().innerText()).toMatch(/“scripted” has a context window of [\d,]+ tokens/);
    const sent = sentRequests(workbench.model);
    expect(sent.length).toBeGreaterThanOrEqual(2);
    expect(sent.length).toBeLessThanOrEqual(3);
    expect(spokenTexts(lastSent(workbench.model)).at(-1)).toContain('Where is the blue boat?');
    expect((await readLog(workbench)).filter(({ k }) => k === 'user')).toHaveLength(1);
    await untilRoomBelow(8_192);
  });
});

describe('a question at a believed 32K, where there are 8K', () => {
  const [, provider, refuse] = refusals[1] as (typeof refusals)[number];

  it.each([false, true])('F21 is answered at once the second time, after a reload too (phone: %s)', async (phone) => {
    await open(provider, holding(8_192, refuse), { vault, phone });
    await askAboutLog('where is the blue boat?');
    expect(sentRequests(workbench.model)).toHaveLength(2);
    const [refused, answered] = sentRequests(workbench.model);
    expect(answered?.system.length).toBeLessThan(refused?.system.length ?? 0);
    await untilRoomBelow(8_192);
    await workbench.screenshot(phone ? 'phone-overflow-replanned' : 'overflow-replanned');
    await chatView.ask('And the red one?');
    expect(sentRequests(workbench.model)).toHaveLength(3);
    expect(await note().count()).toBe(0);
    await workbench.reload();
    chatView = await openChatView(workbench);
    await untilRoomBelow(8_192);
    await chatView.ask('Is it dry?');
    expect(sentRequests(workbench.model)).toHaveLength(4);
    expect(await chatView.failures.count()).toBe(0);
    expect(spokenTexts(lastSent(workbench.model)).at(-1)).toContain('Is it dry?');
  });

  it('F21 a window that the user has set stays in the settings, and is warned about', async () => {
    const facts = { [`${provider}/scripted`]: { contextWindow: 32_000, outputLimit: 2_048 } };
    await open(provider, holding(8_192, refuse), { vault, settings: { modelFacts: facts } });
    await askAboutLog('where is the blue boat?');
    expect(await note().innerText()).toContain('but settings say 32,000');
    const warning = chatView.root.locator('.docent-needs-look');
    await warning.waitFor();
    expect(await warning.innerText()).toContain('You set a context window of 32,000 tokens for scripted');
    const settings = await openSettingsWindow(workbench);
    await settings.openPage('Model details');
    await workbench.page.getByText('the context window is 8,192 tokens, not 32,000').waitFor();
    await settings.type('Context window of this model', '16,000');
    await settings.close();
    await until(async () => (await shownRoom()) > 8_192, 'the new window is tried');
  });
});

describe('a request that cannot fit', () => {
  const long = `What of all this? ${'Words and more words. '.repeat(1_600)}`;
  const tight = { modelFacts: { 'openai-compatible/scripted': { contextWindow: 8_192, outputLimit: 2_048 } } };
  const button = (name: string) => chatView.failures.last().getByRole('button', { name, exact: true });

  it('says what takes the room, and offers a new chat that has the question', async () => {
    await open('openai-compatible', [{ text: 'never' }], { settings: tight });
    await chatView.ask(long);
    const said = await chatView.failures.last().innerText();
    expect(said).toMatch(
      /needs about [\d,]+ tokens, but the model accepts 7,168\. Its largest parts: your message [\d,]+, [^,]+ [\d,]+, [^,]+ [\d,]+\./,
    );
    expect(sentRequests(workbench.model)).toEqual([]);
    await workbench.screenshot('overflow-refused');
    await button('New chat').click();
    await until(
      async () => (await chatView.input.inputValue()).startsWith('What of all this?'),
      'the question is there',
    );
    expect(await chatView.questions.count()).toBe(0);
  });

  it('leads to the settings, where a larger window lets it through', async () => {
    await open('openai-compatible', [{ text: 'Now it fits.' }], { settings: tight });
    await chatView.ask(long);
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

  it('on the phone: leads to the list of the context, where parts are left out, and is then sent', async () => {
    await open('openai-compatible', [{ text: 'Now it fits.' }], { settings: tight, phone: true });
    await untilRoomBelow(8_192);
    const used = Number(/~?([\d,]+) of/.exec(await bar().innerText())?.[1]?.replaceAll(',', ''));
    // A little more than there is room for, so that leaving out one section is enough.
    await chatView.ask(`What of all this? ${'words '.repeat(7_168 - used + 200)}`);
    expect(await chatView.failures.last().innerText()).toMatch(/Its largest parts: your message [\d,]+, the tools/);
    await button('Send again').scrollIntoViewIfNeeded();
    await workbench.screenshot('phone-overflow-refused');
    await button('Choose what to leave out').click();
    const row = workbench.page.locator('.docent-list-row', { hasText: 'AGENTS.md' }).first();
    await row.getByRole('button', { name: /^More actions/ }).click();
    await workbench.page.locator('.menu .menu-item', { hasText: /^Leave out/ }).click();
    await row.getByText('left out').waitFor();
    await workbench.screenshot('phone-overflow-list');
    await workbench.page.locator('.modal-close-button').click();
    await button('Send again').click();
    await chatView.answers.last().getByText('Now it fits.').waitFor();
    expect(spokenTexts(lastSent(workbench.model)).at(-1)).toContain('What of all this?');
  });
});
