/** A long chat by keys: words found in it, from question to question; what waits is edited, and sent at once. */
import { words } from '../../../src/text';
import { openChatView, readLog, until, type OpenedChatView } from '../driver/chat-view';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(90_000);

const say = words.chatView;
let workbench: OpenedWorkbench;
let chatView: OpenedChatView;
afterEach(() => workbench.close());

const paragraphs = (index: number): string =>
  Array.from(
    { length: 30 },
    (_, line) => `Paragraph ${line} of answer ${index}${line === 12 ? ', with a **sea cock**' : ''}.`,
  ).join('\n\n');

/** How many passages of the item at a place are marked, if one of them is in view as the passage that is shown. */
const markedIn = (place: number): Promise<number> =>
  workbench.page.evaluate((wanted) => {
    const [range] = [...(CSS.highlights.get('docent-find-current') ?? [])] as Range[];
    const view = document.querySelector('.docent-transcript')?.getBoundingClientRect();
    const passage = range?.getBoundingClientRect();
    if (view === undefined || passage === undefined || range?.toString() !== 'sea cock') return 0;
    const item = range.startContainer.parentElement?.closest<HTMLElement>('.docent-item');
    if (item?.dataset['place'] !== String(wanted)) return 0;
    return passage.top >= view.top && passage.bottom <= view.bottom
      ? (CSS.highlights.get('docent-find')?.size ?? 0)
      : 0;
  }, place);

/** Whether a question is the first thing in view. */
const isAtTop = (text: string): Promise<boolean> =>
  chatView.questions.filter({ hasText: text }).evaluate((element) => {
    const view = element.closest('.docent-transcript')?.getBoundingClientRect();
    return Math.abs(element.getBoundingClientRect().top - (view?.top ?? 0)) < 40;
  });

it('finds words, goes from question to question, and changes what waits', async () => {
  workbench = await openWorkbench({
    vault: { 'A.md': 'a\n' },
    scripted: ({ index }) =>
      index === 3
        ? { text: 'Never said in full. '.repeat(200), hang: true, cutAfterBytes: 2_000 }
        : { text: paragraphs(index) },
  });
  const { page } = workbench;
  chatView = await openChatView(workbench);
  for (const text of ['First?', 'Second?', 'Third?']) await chatView.ask(text);

  await page.keyboard.press('ControlOrMeta+f');
  await chatView.root.locator('.docent-find input:focus').waitFor();
  await page.keyboard.type('SEA COCK');
  await chatView.root.getByText(words.find.count(3, 3, false), { exact: true }).waitFor();
  await until(async () => (await markedIn(5)) === 1, 'the newest passage is marked in view');
  await workbench.screenshot('find-in-chat');
  const [box, count] = await Promise.all(
    ['input', '.docent-find-count'].map((part) => chatView.root.locator(`.docent-find ${part}`).boundingBox()),
  );
  expect((count?.x ?? 0) - (box?.x ?? 0) - (box?.width ?? 0)).toBeGreaterThanOrEqual(4);
  await page.keyboard.press('Enter');
  await chatView.root.getByText(words.find.count(1, 3, false), { exact: true }).waitFor();
  await until(async () => (await markedIn(1)) === 1, 'the oldest passage is marked in view');
  await page.keyboard.press('Escape');
  await until(async () => (await page.evaluate(() => CSS.highlights.size)) === 0, 'nothing is marked');

  await page.keyboard.press('Alt+Shift+ArrowDown');
  await until(() => isAtTop('Second?'), 'the next question is in view');
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await until(() => isAtTop('First?'), 'the question before is in view');
  await chatView.root.getByRole('button', { name: words.commandNames['go-to-end'] }).click();
  await chatView.root.getByRole('button', { name: words.commandNames['go-to-end'] }).waitFor({ state: 'detached' });

  // In a wide view, lines are as long as those of notes, and in the middle.
  await page.setViewportSize({ width: 3_840, height: 800 });
  await page.evaluate(() => {
    const [leaf] = window.app.workspace.getLeavesOfType('docent-chat');
    leaf?.view.containerEl.setCssProps({ position: 'fixed', inset: '0', 'z-index': '99' });
  });
  for (const part of ['.docent-answer', '.docent-composer']) {
    const { x, width } = (await chatView.root.locator(part).last().boundingBox()) ?? { x: 0, width: 0 };
    expect([width, x + width / 2].map(Math.round)).toEqual([700, 1_920]);
  }
  await page.evaluate(() => {
    const [leaf] = window.app.workspace.getLeavesOfType('docent-chat');
    leaf?.view.containerEl.removeAttribute('style');
  });
  await page.setViewportSize({ width: 1_280, height: 800 });

  await chatView.send('Fourth?');
  await chatView.untilRunning();
  for (const text of ['one', 'two', 'three']) {
    await chatView.input.fill(text);
    await page.keyboard.press('Enter');
  }
  const rows = chatView.root.locator('.docent-queued-text');
  await rows.nth(2).waitFor();
  await workbench.screenshot('queue');
  await rows.nth(2).focus();
  await page.keyboard.press('Alt+ArrowUp');
  expect(await rows.allInnerTexts()).toEqual(['one', 'three', 'two']);
  await page.keyboard.press('Enter');
  await page.keyboard.type(' edited');
  await page.keyboard.press('Enter');
  await rows.filter({ hasText: 'three edited' }).waitFor();
  await chatView.root.getByRole('button', { name: say.queuedNow }).last().press('Enter');
  await chatView.untilIdle();
  const said = (await readLog(workbench)).filter(({ k }) => k === 'user' || k === 'assistant');
  expect(said.flatMap(({ k, b }) => (k === 'user' ? [b['text']] : [])).slice(3)).toEqual([
    'Fourth?',
    'three edited',
    'one',
    'two',
  ]);
  expect(said.flatMap(({ b }) => b['end'] ?? []).slice(3)).toEqual(['stopped', 'complete', 'complete', 'complete']);
});
