/** Exact counts in the app: a worker started by the first count, the same counts without one, and factors of models. */
import { openTiktoken } from '../../bench/baselines/tiktoken';
import { openChatView, until, type OpenedChatView } from '../driver/chat-view';
import { openWorkbench, type OpenedWorkbench, type OpenOptions } from '../driver/workbench';

jest.setTimeout(90_000);

const vault = { 'Now.md': 'The blue boat is on the hard. 漢字 & <b>dry</b>.\n', 'Docent/memory.md': '' };

let workbench: OpenedWorkbench;

async function open(options: OpenOptions = {}): Promise<void> {
  workbench = await openWorkbench({ vault, scripted: () => ({ text: 'Understood.' }), ...options });
}

afterEach(async () => {
  expect(workbench.errors).toEqual([]);
  await workbench.close();
});

const workers = (): Promise<number> => workbench.page.evaluate(() => window.app.testing.workers());

/** The words of the context bar once they are exact counts. */
async function exactWords(chatView: OpenedChatView): Promise<string> {
  const words = chatView.root.locator('.docent-context-words');
  await until(async () => /^[\d,]+ of /.test(await words.innerText()), 'the counts are exact');
  return words.innerText();
}

/** Attaches the note, and reads from the inspector how many tokens that part has, and its text. */
async function countNote(chatView: OpenedChatView): Promise<{ shown: number; text: string }> {
  await chatView.mention('Now');
  await workbench.command('show-prompt');
  const { page } = workbench;
  const files = page
    .locator('.docent-inspector-part')
    .filter({ has: page.locator('.docent-inspector-title', { hasText: /^Attached notes/ }) });
  await files.locator('summary').click();
  const tokens = files.locator('.docent-inspector-tokens');
  await until(async () => /^[\d,]+$/.test(await tokens.innerText()), 'the count is exact');
  const shown = await tokens.innerText();
  return { shown: Number(shown.replaceAll(',', '')), text: (await files.locator('pre').textContent()) ?? '' };
}

it('starts one worker with the first count, and none before the pane is opened', async () => {
  await open();
  await workbench.page.waitForTimeout(500);
  expect(await workers()).toBe(0);
  const chatView = await openChatView(workbench);
  await exactWords(chatView);
  expect(await workers()).toBe(1);
  const { shown, text } = await countNote(chatView);
  expect(text).toContain('漢字 & <b>dry');
  expect(shown).toBe(openTiktoken().count(text));
  await workbench.page.keyboard.press('Escape');
  await chatView.ask('is it dry?');
  expect(await workers()).toBe(1);
});

it.each(['cannot be made', 'fails as soon as it runs'])('counts the same where a worker %s', async (name) => {
  await open();
  // No worker is made before the chat view is opened.
  await workbench.page.evaluate((cannotBeMade) => {
    const Real = window.Worker;
    window.Worker = class extends Real {
      constructor(address: string | URL) {
        if (cannotBeMade) throw new Error('Workers are forbidden here.');
        super(URL.createObjectURL(new Blob([`throw new Error('forbidden') // ${String(address)}`])));
        // What a worker reports is the page's own error unless somebody takes it.
        this.addEventListener('error', (event) => event.preventDefault());
      }
    };
  }, name === 'cannot be made');
  const chatView = await openChatView(workbench);
  await exactWords(chatView);
  const { shown, text } = await countNote(chatView);
  expect(shown).toBe(openTiktoken().count(text));
  expect(await workers()).toBe(0);
});

it('learns from reported usage how the model counts, and counts a new chat by it', async () => {
  await open({ scripted: () => ({ text: 'Understood.', usage: { input: 1_000_000, output: 2 } }) });
  const chatView = await openChatView(workbench);
  const used = (words: string): number => Number(/^≈?([\d,]+) of /.exec(words)?.[1]?.replaceAll(',', ''));
  const before = used(await exactWords(chatView));
  await chatView.ask('is it dry?');
  await workbench.command('new-chat');
  const words = chatView.root.locator('.docent-context-words');
  // Two and a half times is the most that a factor may be.
  await until(async () => used(await words.innerText()) > before * 2.3, 'the new chat is counted by the factor');
  expect(await words.innerText()).toMatch(/^≈/);
  expect(used(await words.innerText())).toBeLessThan(before * 2.6);
});
