/** Without a key and without a network: a question comes back with passages of the vault and links that open. */
import { activeFile, openChatView, readLog, until, type OpenedChatView } from '../driver/chat-view';
import { startChat } from '../driver/reach-walk';
import { closeQuiet, type OpenedWorkbench, openWorkbench } from '../driver/workbench';

jest.setTimeout(60_000);

const question = "Which impeller does Whimbrel's engine take, and why does the letter at the end matter?";

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

const open = async (): Promise<void> => {
  workbench = await openWorkbench();
  chatView = await openChatView(workbench);
};

describe('in one chat after the other', () => {
  beforeAll(open);
  beforeEach(() => startChat({ workbench, chatView }));
  afterAll(() => closeQuiet(workbench));

  it('answers a typed question with a quoted passage, and every link opens its note at a click', async () => {
    const answer = await chatView.ask(question);
    expect(await answer.locator('blockquote').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('NV-0914-K')]),
    );
    const links = answer.locator('a.internal-link');
    expect(await links.count()).toBeGreaterThan(0);
    const opened: (string | null)[] = [];
    for (const link of await links.all()) {
      const target = await link.getAttribute('title');
      await link.click();
      await until(async () => (await activeFile(workbench)) === target, `${target} is the active file`);
      opened.push(await activeFile(workbench));
    }
    expect(opened).toContain('Projects/Whimbrel engine.md');
  });

  it('folds its look-ups into one line that opens at a click and stays open', async () => {
    const answer = await chatView.ask(question);
    const run = answer.locator('.docent-run');
    expect(await run.count()).toBe(1);
    const line = run.locator('.docent-run-line');
    expect(await line.getAttribute('aria-expanded')).toBe('false');
    expect(await run.locator('.docent-run-parts').count()).toBe(0);
    await line.click();
    await run.locator('.docent-call-text').first().waitFor();
    expect(await run.locator('.docent-call-text').first().innerText()).toContain('search_notes');
    await chatView.ask('When did Amara check the brine drum?');
    expect(await line.getAttribute('aria-expanded')).toBe('true');
    expect(await run.locator('.docent-call-text').first().isVisible()).toBe(true);
  });

  it('lets the reader select the text of an answer', async () => {
    const answer = await chatView.ask(question);
    const paragraph = answer.locator('p').first();
    await paragraph.click({ clickCount: 3 });
    const selected = await workbench.page.evaluate(() => window.getSelection()?.toString() ?? '');
    expect(selected.trim().length).toBeGreaterThan(20);
    expect(await paragraph.innerText()).toContain(selected.trim().split('\n')[0]);
  });

  it('says plainly that the vault holds nothing on a question', async () => {
    const answer = await chatView.ask('Who won the football world cup in 1998?');
    expect(await answer.innerText()).toContain('I found nothing about that in your vault.');
    expect(await answer.locator('a').count()).toBe(0);
  });
});

it('has the question on disk before the answer begins, and the whole conversation as lines of JSON at its end', async () => {
  await open();
  const written: string[] = [];
  const shownAtWrite: number[] = [];
  workbench.intercept(async ({ method, path: file, body }) => {
    if (method !== 'GET' && file.includes('chats') && body.length > 0) {
      written.push(body.toString());
      shownAtWrite.push(await chatView.answers.count());
    }
    return null;
  });
  await chatView.ask(question);
  expect(written[0]).toContain('"k":"user"');
  expect(written[0]).toContain('impeller');
  expect(shownAtWrite[0]).toBe(0);
  const records = await readLog(workbench);
  expect(records.map(({ k }) => k)).toEqual([
    'user',
    'prompt-rebuilt',
    'chat-began',
    'reference-sent',
    'turn-zone',
    'assistant',
    'tool-result',
    'assistant',
  ]);
  expect(records[0]?.b).toMatchObject({ text: question, mentions: [] });
  expect(JSON.stringify(records.at(-1)?.b)).toContain('NV-0914-K');
  await closeQuiet(workbench);
});
