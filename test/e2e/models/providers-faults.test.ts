/** What a person sees when the connection to a model misbehaves, in a real browser against the scripted server. */
import path from 'node:path';
import { defaultSettings } from '../../../src/core/settings/settings';
import { words } from '../../../src/text';
import { scriptedSecrets, startScriptedModel } from '../../support/model-server';
import { begin } from '../driver/begin-again';
import { readStoredJson, until } from '../driver/chat-view';
import { chatView, workbench } from '../driver/open-chat';
import { readdir, readFile } from '../driver/reach';
import { lastSent, sentRequests, spokenTexts } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';
import { beginChat, shareModels, ownErrors, readOwnLog } from './model-walk';

jest.setTimeout(90_000);

const vault = { 'Now.md': '# Now\n\nThe blue boat is on the hard.\n' };
const key = Object.values(scriptedSecrets)[0] ?? '';
const prices = { 'openai/priced': { inputPrice: 10, outputPrice: 100 } };

shareModels({
  vault,
  models: { openai: ['priced', 'own'] },
  settings: { model: 'openai/own', compaction: 'manual', modelFacts: prices, spendingLimit: 0.501 },
});

/** 200 ms are twelve frames of a page that draws as it should; a busy machine draws fewer in a longer time. */
const framesUntilStopped = (): Promise<number> =>
  workbench.page.evaluate(async () => {
    let frames = 0;
    activeDocument.querySelector<HTMLElement>('.docent-send.is-stop')?.click();
    while (activeDocument.querySelector('.docent-send.is-stop') !== null) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      frames += 1;
    }
    return frames;
  });

const note = () => chatView.root.locator('.docent-connection-note');

/** Nothing of what was said is lost, and nothing ran twice (I2, I5). */
async function expectHidden(question: string, said: string): Promise<void> {
  const records = await readOwnLog();
  expect(records.filter(({ k, b }) => k === 'user' && b.text === question)).toHaveLength(1);
  if (said !== '') expect(JSON.stringify(records.filter(({ k }) => k === 'assistant'))).toContain(said);
  // The browser itself reports every refused request.
  expect(ownErrors().filter((error) => !error.startsWith('Failed to load resource'))).toEqual([]);
}

describe('a limit of requests', () => {
  it.each(['anthropic', 'gemini'])(
    'F17 through %s: waits as long as it is asked to, says so, and answers once',
    async (provider) => {
      await beginChat(`${provider}/scripted`, [
        { status: 429, headers: { 'retry-after': '2' } },
        { text: 'Here I am.' },
      ]);
      await chatView.send('Hello?');
      await note().waitFor();
      expect(await note().innerText()).toMatch(/reached its request limit\.\s+Trying again in 2 seconds\./);
      expect(await note().innerText()).toMatch(/Trying again in [12] seconds?\.$/);
      expect(await note().innerText()).not.toContain('Wait');
      const first = await note().innerText();
      await until(
        async () => (await note().count()) === 0 || (await note().innerText()) !== first,
        'the countdown moves',
      );
      await chatView.untilIdle();
      expect(await chatView.answers.last().innerText()).toContain('Here I am.');
      expect(await note().count()).toBe(0);
      expect(sentRequests(workbench.model)).toHaveLength(2);
      await expectHidden('Hello?', 'Here I am.');
    },
  );

  it('F17 can be stopped while it waits, within 200 ms, and leaves the question', async () => {
    await beginChat('openai/scripted', [{ status: 503, headers: { 'retry-after': '60' } }, { text: 'never' }]);
    await chatView.send('Hello?');
    await note().waitFor();
    expect(await framesUntilStopped()).toBeLessThan(12);
    await note().waitFor({ state: 'detached', timeout: 20_000 });
    expect(sentRequests(workbench.model)).toHaveLength(1);
    expect(await chatView.questions.first().innerText()).toContain('Hello?');
  });

  it('F18 without a time to wait: is told at once, with no second try', async () => {
    await beginChat('ollama/scripted', [{ status: 429 }, { text: 'never' }]);
    await chatView.ask('Hello?');
    expect(await chatView.failures.first().innerText()).toContain('reports that you reached its request limit');
    expect(sentRequests(workbench.model)).toHaveLength(1);
    await expectHidden('Hello?', '');
  });
});

describe('silence', () => {
  it('F30 Stop is felt at once, and nothing comes afterwards', async () => {
    const text = Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ');
    await beginChat('gemini/scripted', [{ text, delayMs: 10 }]);
    await chatView.send('Tell me');
    await chatView.answers.first().getByText('word3').waitFor();
    expect(await framesUntilStopped()).toBeLessThan(12);
    const shown = await chatView.answers.first().innerText();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await chatView.answers.first().innerText()).toBe(shown);
    await until(() => workbench.model?.requests[0]?.aborted === true, 'the server hears of it');
    await expectHidden('Tell me', 'word3');
  });
});

describe('a request that is too long', () => {
  it('F21 is made shorter once and answered; the chat keeps all that was left out', async () => {
    const long = `A long answer. ${'Words and more words stand here. '.repeat(160)}`;
    const message = 'The input token count (90000) exceeds the maximum number of tokens allowed (60000).';
    const tooLong = { status: 400, errorBody: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } };
    const before = Array.from({ length: 6 }, () => ({ text: long }));
    await beginChat('gemini/scripted', [...before, tooLong, { text: 'Now it fits.' }]);
    for (const at of before.keys()) await chatView.ask(`Question ${at}`);
    const answer = await chatView.ask('And the last one?');
    expect(await answer.innerText()).toContain('Now it fits.');
    expect(await chatView.failures.count()).toBe(0);
    const [refused, fitting] = workbench.model?.requests.slice(-2).map(({ body }) => JSON.stringify(body)) ?? [];
    expect(fitting?.length).toBeLessThan((refused?.length ?? 0) * 0.9);
    expect(spokenTexts(lastSent(workbench.model)).at(-1)).toContain('And the last one?');
    expect(await chatView.answers.count()).toBe(7);
    await expectHidden('Question 0', 'A long answer.');
  });
});

describe('keys and addresses', () => {
  it.each([
    [
      'gemini',
      {
        status: 400,
        errorBody: { error: { code: 400, message: 'API key not valid. Please pass a valid API key.' } },
      },
    ],
    ['openai', { status: 401 }],
  ])('F20 a wrong key for %s is told as such, and never shown', async (provider, step) => {
    await beginChat(`${provider}/scripted`, [step, { text: 'never' }]);
    await chatView.ask('Is the key good?');
    expect(await chatView.failures.first().innerText()).toContain('didn’t accept the API key');
    expect(sentRequests(workbench.model)).toHaveLength(1);
    expect(await workbench.page.locator('body').innerText()).not.toContain(key);
  });

  it('F22 a page of a hotel network is told as such', async () => {
    const html = { 'content-type': 'text/html; charset=utf-8' };
    await beginChat('anthropic/scripted', [
      { raw: '<html><body>Log in to HotelNet</body></html>', headers: html },
      { text: 'never' },
    ]);
    await chatView.ask('Hello?');
    expect(await chatView.failures.first().innerText()).toContain('returned a web page');
  });

  it.each([
    ['openai-compatible', 'CORS'],
    ['anthropic', 'to Obsidian.'],
    ['ollama', 'OLLAMA_ORIGINS'],
  ])('F22 %s that does not let the app read: answers in one piece, and that is said', async (provider, remedy) => {
    await beginChat(`${provider}/scripted`, [
      { text: 'Here in one piece.', noCors: true },
      { text: 'And again.', noCors: true },
    ]);
    await chatView.ask('Can you hear me?');
    // A redirect would take the key along, so the user decides first.
    expect(await chatView.failures.first().innerText()).toContain('if the server redirects a request');
    expect(sentRequests(workbench.model)).toEqual([]);
    await chatView.failures.getByRole('button', { name: words.gate.allow }).click();
    await chatView.answers.last().getByText('Here in one piece.').waitFor();
    await chatView.untilIdle();
    expect(sentRequests(workbench.model)).toHaveLength(1);
    expect(await note().innerText()).toMatch(/arrive all at once, because it doesn’t allow streaming to Obsidian/);
    expect(await note().innerText()).toContain(remedy);
    expect([await chatView.failures.count(), await chatView.failures.getByRole('button').count()]).toEqual([1, 0]);
    // Once is enough: the next turn has nothing new to say.
    await chatView.ask('And now?');
    expect(await note().count()).toBe(0);
  });
});

describe('what a chat costs', () => {
  const usage = { input: 20_000, output: 3_000 };

  it('R231@dom is shown with the price of the next request, and stops at the limit', async () => {
    await beginChat('openai/priced', [{ text: 'Yes.', usage }, { text: 'never' }]);
    await chatView.ask('Hello?');
    expect((await readOwnLog()).find(({ k }) => k === 'assistant')?.b).toMatchObject({ usage: { cost: 0.5 } });
    await chatView.root.locator('button.docent-context').click();
    const said = /Sending this costs about \$0\.\d+, plus the answer\. This chat has cost about \$0\.50\./;
    await workbench.page.locator('.docent-list-price', { hasText: said }).waitFor();
    await workbench.page.keyboard.press('Escape');
    await chatView.ask('More?');
    expect(await chatView.failures.first().innerText()).toContain('your limit is $0.50');
    expect(sentRequests(workbench.model)).toHaveLength(1);
  });

  it('R105 what the user knows better of a model is entered for that model, and goes before the table', async () => {
    await beginChat('openai/own', [{ text: 'Yes.' }]);
    const settings = await openSettingsWindow(workbench);
    await settings.openPage('Model details');
    await settings.type('Context window of this model', '20,000');
    await settings.type('Input price', '2.5');
    await settings.close();
    const facts = { ...prices, 'openai/own': { contextWindow: 20_000, inputPrice: 2.5 } };
    await until(async () => {
      const { modelFacts } = await readStoredJson(workbench, '.obsidian/plugins/docent/data.json');
      return JSON.stringify(modelFacts) === JSON.stringify(facts);
    }, 'both figures are stored');
    await until(async () => {
      const shown = /of ([\d,]+) tokens/.exec(await chatView.root.locator('.docent-context-words').innerText())?.[1];
      return Number(shown?.replaceAll(',', '')) < 20_000;
    }, 'the bar knows the window');
  });
});

describe('the canary', () => {
  it('R231 a key is found nowhere but in the keychain and in the header to its own address', async () => {
    const echo = `Bad request with ${key}, ${encodeURIComponent(key)} and ${Buffer.from(key).toString('base64')}.`;
    const tool = { name: 'read_note', arguments: { path: 'Now.md' } };
    await beginChat('gemini/scripted', [
      { toolCalls: [tool] },
      { text: 'Ashore.' },
      { status: 400, errorBody: { error: { code: 400, message: echo } } },
      { text: 'Part', errorEvent: { error: { code: 500, message: echo } } },
      { status: 429, headers: { 'retry-after': '1' }, errorBody: { error: { code: 429, message: echo } } },
      { text: 'Done.' },
    ]);
    await chatView.ask('Where?');
    await chatView.ask('And?');
    await chatView.ask('And then?');
    await chatView.ask('At last?');
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.command('copy-diagnostics');
    await workbench.page.getByText('Diagnostics copied.').waitFor();
    const page = await workbench.page.evaluate(async () => ({
      diagnostics: await navigator.clipboard.readText(),
      html: activeDocument.documentElement.outerHTML,
      stored: Object.entries({ ...localStorage }).filter(([name]) => name !== 'vault-secrets'),
    }));
    const files = await filesOf(workbench.vaultFolder);
    const spellings = [key, encodeURIComponent(key), Buffer.from(key).toString('base64').replace(/=+$/, '')];
    for (const spelling of spellings) {
      expect(page.diagnostics).not.toContain(spelling);
      expect(page.html).not.toContain(spelling);
      expect(JSON.stringify(page.stored)).not.toContain(spelling);
      expect(files.filter(({ text }) => text.includes(spelling)).map(({ name }) => name)).toEqual([]);
      expect(JSON.stringify(workbench.model?.requests.map(({ body }) => body))).not.toContain(spelling);
      expect(workbench.errors.join()).not.toContain(spelling);
    }
    expect(lastSent(workbench.model).headers['x-goog-api-key']).toBe(key);
    expect(files.some(({ name }) => name.endsWith('.jsonl'))).toBe(true);
  });
});

describe('the first run', () => {
  it('offers a model, a server of this computer or the reader, and asks nobody before it is told to', async () => {
    const asked: string[] = [];
    const { page } = workbench;
    page.context().on('request', (request) => void asked.push(request.url()));
    await page.route('http://localhost:11434/api/tags', (route) =>
      route.fulfill({ json: { models: [{ name: 'oak:7b' }] }, headers: { 'access-control-allow-origin': '*' } }),
    );
    await page.route('http://localhost:1234/**', (route) => route.abort());
    await begin({ settings: { model: defaultSettings.model, providers: defaultSettings.providers } });
    const first = chatView.root.locator('.docent-first-run');
    expect(await first.innerText()).toContain('Built-in reader');
    const outside = (): string[] => asked.filter((url) => /:(?:11434|1234)\//.test(url));
    expect(outside()).toEqual([]);
    await first.getByRole('button', { name: 'Local model' }).click();
    await first.getByText('Ollama is connected. Choose a model:').waitFor();
    expect(outside().length).toBeGreaterThan(0);
    await first.getByRole('button', { name: 'Use oak:7b from Ollama' }).click();
    await first.waitFor({ state: 'detached' });
    const storedModel = async (): Promise<unknown> =>
      (await readStoredJson(workbench, '.obsidian/plugins/docent/data.json'))['model'];
    await until(async () => (await storedModel()) === 'ollama/oak:7b', 'the model is stored');
    await begin();
  });
});

describe('at last', () => {
  it('F23 in the middle of an answer: keeps what came, says that it stopped, and goes on when asked', async () => {
    const text = 'This much arrived before the line fell silent.';
    const script = [{ text, hang: true, cutAfterBytes: 1_600, delayMs: 1 }, { text: 'The whole of it.' }];
    await beginChat('anthropic/scripted', script);
    await workbench.page.clock.install();
    await chatView.send('Tell me');
    await chatView.answers.first().getByText('This much').waitFor();
    await workbench.page.clock.fastForward(61_000);
    await chatView.failures.first().waitFor();
    expect(await chatView.failures.first().innerText()).toContain('sent nothing for 60 seconds');
    expect(await chatView.answers.first().innerText()).toContain('This much');
    await expectHidden('Tell me', 'This much');
    await chatView.failures.getByRole('button', { name: 'Send again' }).click();
    await chatView.answers.last().getByText('The whole of it.').waitFor();
  });

  it('F22 a server that is gone and comes back: the question stays, and is answered when sent again', async () => {
    await beginChat('openai-compatible/scripted', [{ text: 'Hello.' }]);
    await chatView.ask('Are you there?');
    const port = Number(new URL(workbench.model?.url ?? '').port);
    await workbench.model?.close();
    await chatView.ask('And now?');
    const said = await chatView.failures.last().innerText();
    expect(said).toMatch(/Couldn’t connect to 127\.0\.0\.1:\d+\. Docent tried 4 times\./);
    const back = await startScriptedModel({ port, script: [{ text: 'Back again.' }] });
    try {
      await chatView.failures.last().getByRole('button', { name: 'Send again' }).click();
      await chatView.answers.last().getByText('Back again.').waitFor();
      await chatView.untilIdle();
    } finally {
      await back.close();
    }
    await expectHidden('And now?', 'Back again.');
  });
});

async function filesOf(folder: string): Promise<{ name: string; text: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(name, 'utf8') })));
}
