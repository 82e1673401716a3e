/** Answers over the network, from a scripted server by each protocol: streaming, tools, keys and every kind of failure. */
import path from 'node:path';
import { scriptedSecrets, type Script } from '../../support/model-server';
import type { Request } from 'playwright-core';
import { readdir, readFile } from '../driver/reach';
import { chatView, workbench } from '../driver/open-chat';
import { lastSent, sentRequests, spokenTexts } from '../driver/sent-request';
import { beginChat, shareModels, ownErrors, readOwnLog } from './model-walk';

jest.setTimeout(60_000);

const key = Object.values(scriptedSecrets)[0] ?? '';
const vault = { 'Now.md': '# Now\n\nThe blue boat is on the hard.\n', 'Other.md': 'Something else.\n' };

shareModels({ vault });

const begin = (provider: string, script: Script): Promise<void> => beginChat(`${provider}/scripted`, script);

const formats = [
  { provider: 'anthropic', resultRole: 'user', path: '/anthropic/v1/messages', returned: 'signature-0' },
  { provider: 'openai-compatible', resultRole: 'tool', path: '/openai/v1/chat/completions', returned: 'Look first.' },
  { provider: 'openai', resultRole: 'tool', path: '/openai/v1/responses', returned: 'sealed-0' },
  {
    provider: 'gemini',
    resultRole: 'user',
    path: '/gemini/v1beta/models/scripted:streamGenerateContent',
    returned: 'signature-0',
  },
  { provider: 'ollama', resultRole: 'tool', path: '/ollama/api/chat', returned: 'Look first.' },
];

it.each(formats)(
  'through $provider: the call runs, its result goes back in its own role, and the answer is kept with its counts',
  async ({ provider, resultRole, path, returned }) => {
    await beginChat(`${provider}/scripted`, [
      { reasoning: 'Look first.', toolCalls: [{ name: 'read_note', arguments: { path: 'Now.md' } }] },
      { text: 'The boat is **ashore**.', usage: { input: 900, output: 12 } },
    ]);
    const answer = await chatView.ask('Where is the boat?');
    expect(await answer.innerText()).toContain('The boat is ashore.');
    expect(await chatView.failures.count()).toBe(0);
    const [first, second, ...more] = sentRequests(workbench.model);
    expect(more).toEqual([]);
    expect(first && spokenTexts(first)).toEqual(['Where is the boat?']);
    expect(first?.messages.at(-1)?.role).toBe('user');
    expect(first?.system.length).toBeGreaterThan(100);
    expect(second?.system).toBe(first?.system);
    expect(second?.tools).toEqual(first?.tools);
    expect(second?.tools).toEqual([...(second?.tools ?? [])].sort());
    expect(first?.tools).toContain('read_note');
    const [question, call, result] = second?.messages.slice(-3) ?? [];
    expect(question?.text).toContain('Where is the boat?');
    expect(call?.calls).toEqual([{ id: expect.any(String), name: 'read_note', args: { path: 'Now.md' } }]);
    expect([question?.role, call?.role, result?.role]).toEqual(['user', 'assistant', resultRole]);
    expect(result?.results[0]?.id).toBe(call?.calls[0]?.id);
    expect(result?.results[0]?.text).toContain('The blue boat is on the hard.');
    const posts = workbench.model?.requests.filter(({ method }) => method === 'POST') ?? [];
    expect(posts.map((request) => request.path)).toEqual([path, path]);
    // What the provider signed or sealed came back to it.
    expect(JSON.stringify(posts[1]?.body)).toContain(returned);
    const records = await readOwnLog();
    const last = records.filter(({ k }) => k === 'assistant').at(-1);
    expect(last?.b).toMatchObject({ end: 'complete', usage: { inputTokens: 900, outputTokens: 12 } });
    expect(workbench.errors).toEqual([]);
    expect(workbench.outsideRequests).toEqual([]);
  },
);

const providers = [
  { provider: 'openai-compatible', keyHeader: 'authorization', keyValue: `Bearer ${key}` },
  { provider: 'anthropic', keyHeader: 'x-api-key', keyValue: key },
];

describe.each(providers)('through $provider', ({ provider, keyHeader, keyValue }) => {
  it('shows the text while it streams in', async () => {
    const text = 'One two three four five six seven eight nine ten. The end.';
    await begin(provider, [{ text, delayMs: 120 }]);
    await chatView.send('Count, please');
    await chatView.answers.first().getByText('One two').waitFor();
    expect(await chatView.answers.first().innerText()).not.toContain('The end.');
    await chatView.untilIdle();
    expect(await chatView.answers.first().innerText()).toContain('The end.');
    expect(ownErrors()).toEqual([]);
  });

  it('sends the key in its header to its own address and leaves it nowhere else', async () => {
    const carriers = new Set<string>();
    const look = (request: Request): void => {
      const carried = JSON.stringify([request.url(), request.headers(), request.postData()]);
      if (carried.includes(key)) carriers.add(new URL(request.url()).origin);
    };
    await begin(provider, [{ text: 'Hello.' }, { status: 401 }]);
    workbench.page.context().on('request', look);
    await chatView.ask('Hello?');
    expect(lastSent(workbench.model).headers[keyHeader]).toBe(keyValue);
    expect(JSON.stringify(workbench.model?.requests[0]?.body)).not.toContain(key);
    await chatView.ask('And again?');
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.command('copy-diagnostics');
    await workbench.page.getByText('Diagnostics copied.').waitFor();
    const diagnostics = await workbench.page.evaluate(() => navigator.clipboard.readText());
    expect(diagnostics).toContain('scripted-key');
    expect(diagnostics).not.toContain(key);
    workbench.page.context().off('request', look);
    expect([...carriers]).toEqual([workbench.model?.url]);
    expect(await filesHolding(workbench.vaultFolder, key)).toEqual([]);
    expect(await storedUnder(key)).toEqual(['vault-secrets']);
    expect(await workbench.page.locator('body').innerText()).not.toContain(key);
  });

  it('says that the key was refused, keeps the question, and answers it again when asked to', async () => {
    await begin(provider, [{ status: 401 }, { text: 'Now it works.' }]);
    await chatView.ask('Is the key good?');
    const words = await chatView.failures.first().innerText();
    expect(words).toContain('didn’t accept the API key');
    expect(words).toContain('Check that the API key is complete');
    expect(await chatView.questions.first().innerText()).toContain('Is the key good?');
    await chatView.failures.getByRole('button', { name: 'Open settings' }).click();
    await workbench.page.locator('.modal').getByText('Permission mode', { exact: true }).first().waitFor();
  });

  it('says that the server is in trouble, after trying again by itself', async () => {
    await begin(provider, [{ status: 500 }, { status: 500 }, { status: 500 }, { status: 500 }, { text: 'Back.' }]);
    await chatView.ask('Are you there?');
    const said = await chatView.failures.first().innerText();
    expect(said).toMatch(/couldn’t respond because of a problem on its side\.|failed: /);
    expect(said).toContain('Docent tried 4 times.');
    expect(said).toContain('Send again in a few minutes, or choose another model.');
    expect(sentRequests(workbench.model)).toHaveLength(4);
    await chatView.failures.getByRole('button', { name: 'Send again' }).click();
    await chatView.answers.first().getByText('Back.').waitFor();
    expect(spokenTexts(lastSent(workbench.model))).toEqual(['Are you there?']);
  });

  it('keeps the text of an answer whose connection broke, and offers to send again', async () => {
    const text = `${'This much arrived before the cut. '.repeat(20)}THE END`;
    let cut = (): void => undefined;
    const cutWhen = new Promise<void>((resolve) => (cut = resolve));
    await begin(provider, [{ text, cutAfterBytes: 2_500, cutWhen, delayMs: 5 }, { text: 'Whole again.' }]);
    await chatView.send('Tell me');
    const answer = chatView.answers.last();
    await answer.getByText('This much arrived before the cut.').first().waitFor();
    cut();
    await chatView.untilIdle();
    expect(await answer.innerText()).toContain('This much arrived before the cut.');
    expect(await answer.innerText()).not.toContain('THE END');
    expect(await answer.innerText()).toContain('Interrupted.');
    expect(await chatView.failures.first().innerText()).toContain(
      'The connection ended before the answer was complete.',
    );
    const records = await readOwnLog();
    expect(JSON.stringify(records.find(({ k }) => k === 'assistant')?.b)).toContain('This much arrived');
    await chatView.failures.getByRole('button', { name: 'Send again' }).click();
    await chatView.answers.last().getByText('Whole again.').waitFor();
    expect(sentRequests(workbench.model)).toHaveLength(2);
  });
});

it('sends nothing to an address that the key was not stored for', async () => {
  await begin('anthropic', [{ text: 'never' }]);
  const storeFor = (origin = ''): Promise<void> =>
    workbench.page.evaluate((given) => {
      window.app.saveLocalStorage('docent-key-origin-scripted-key', given);
    }, origin);
  await storeFor('https://elsewhere.example');
  await chatView.ask('Hello?');
  await storeFor(workbench.model?.url);
  expect(await chatView.failures.first().innerText()).toContain('No API key is stored for Anthropic');
  expect(sentRequests(workbench.model)).toEqual([]);
});

describe('once the server has gone', () => {
  beforeAll(() => workbench.model?.close());

  it.each(providers)(
    'says that nothing answers at the address, and keeps the question: $provider',
    async ({ provider }) => {
      await begin(provider, [{ text: 'never' }]);
      await chatView.ask('Anybody?');
      const words = await chatView.failures.first().innerText();
      expect(words).toContain('Couldn’t connect to 127.0.0.1');
      expect(words).toContain('Check');
      expect(await chatView.questions.first().innerText()).toContain('Anybody?');
      expect((await readOwnLog()).map(({ k }) => k)).toContain('user');
    },
  );
});

async function filesHolding(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => ((await readFile(file, 'utf8')).includes(text) ? [file] : [])),
  );
  return found.flat();
}

/** The keys of the page's own storage whose values hold the text. */
function storedUnder(text: string): Promise<string[]> {
  return workbench.page.evaluate(
    (wanted) =>
      Object.entries({ ...localStorage })
        .filter(([, value]) => String(value).includes(wanted))
        .map(([name]) => name),
    text,
  );
}
