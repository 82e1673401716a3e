/** What the plugin costs before it is used, and what it leaves behind when it is switched off. */
import { openChatView, readLog, until } from '../driver/chat-view';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(60_000);

const pluginId = 'docent';

let workbench: OpenedWorkbench;

afterEach(async () => {
  expect(workbench.errors).toEqual([]);
  await workbench.close();
});

interface Alive {
  listeners: number;
  timers: number;
  workers: number;
  nodes: number;
}

function alive(): Promise<Alive> {
  return workbench.page.evaluate(() => {
    const { testing } = window.app;
    return {
      listeners: testing.listeners(),
      timers: testing.timers(),
      workers: testing.workers(),
      nodes: testing.nodes(),
    };
  });
}

/** Longer than any timer that the app itself uses, in milliseconds. What still exists after this time is permanent. */
const restMilliseconds = 2500;

/** Cancels the app's own timer that saves the layout, so that it is not counted. */
const dropLayoutTimer = (): Promise<void> =>
  workbench.page.evaluate(() => void window.app.workspace.requestSaveLayout.cancel());

/** Returns the counts once they no longer change. */
async function aliveAtRest(): Promise<Alive> {
  await dropLayoutTimer();
  let last = JSON.stringify(await alive());
  let since = Date.now();
  await until(async () => {
    const now = JSON.stringify(await alive());
    if (now !== last) since = Date.now();
    last = now;
    return Date.now() - since > restMilliseconds;
  }, 'the page is at rest');
  return JSON.parse(last) as Alive;
}

const enable = (): Promise<boolean> => workbench.page.evaluate((id) => window.app.plugins.enablePlugin(id), pluginId);
const disable = (): Promise<void> => workbench.page.evaluate((id) => window.app.plugins.disablePlugin(id), pluginId);

/** Expects that nothing holds a plugin that was used and switched off; only the last may be held, by what it shares. */
async function collectsTheFirst(): Promise<void> {
  const { page } = workbench;
  const used = await page.evaluateHandle(() => [] as WeakRef<object>[]);
  for (let round = 0; round < 4; round += 1) {
    await enable();
    await used.evaluate((refs, id) => refs.push(new WeakRef(window.app.plugins.plugins[id] as object)), pluginId);
    await openChatView(workbench);
    await disable();
  }
  const session = await page.context().newCDPSession(page);
  await until(async () => {
    await session.send('HeapProfiler.collectGarbage');
    return used.evaluate((refs) => refs.slice(0, 2).every((ref) => ref.deref() === undefined));
  }, 'a plugin that was switched off is collected');
}

it('gives back every listener, timer, worker and element each of three times it is switched off, once in the middle of an answer', async () => {
  workbench = await openWorkbench({ scripted: () => ({ text: 'word '.repeat(300), delayMs: 20 }) });
  await disable();
  // The first opening of the sidebar makes elements that the app keeps.
  await enable();
  await openChatView(workbench);
  await disable();
  const before = await aliveAtRest();
  for (const round of [1, 2, 3]) {
    await enable();
    const chatView = await openChatView(workbench);
    await chatView.mention('Now');
    if (round === 2) {
      await chatView.input.press('Enter');
      await chatView.answers.first().getByText('word word').waitFor();
    } else await workbench.command('new-chat');
    await disable();
    await dropLayoutTimer();
    const isGivenBack = async () => JSON.stringify(await alive()) === JSON.stringify(before);
    await until(isGivenBack, `all is given back, round ${round}`);
  }
  // What a round leaves for good is still there after the last one.
  expect(await aliveAtRest()).toEqual(before);
  await until(() => workbench.model?.requests[0]?.aborted === true, 'the request was given up');
  await collectsTheFirst();
  await enable();
  await openChatView(workbench);
  expect(await workbench.page.locator('.docent-pane').count()).toBe(1);
});

it('keeps the text of an answer in the middle of which it was switched off', async () => {
  workbench = await openWorkbench({ scripted: () => ({ text: 'word '.repeat(300), delayMs: 20 }) });
  const chatView = await openChatView(workbench);
  await chatView.send('Tell me a story');
  await chatView.answers.first().getByText('word word').waitFor();
  await disable();
  await enable();
  const again = await openChatView(workbench);
  await again.answers.first().getByText('word word').waitFor();
  await until(
    async () =>
      (await readLog(workbench)).some(({ k, b }) => k === 'assistant' && JSON.stringify(b).includes('word word')),
    'the text is on disk',
  );
});

it('reads no file of the vault and asks nothing of the network before the pane is opened', async () => {
  workbench = await openWorkbench({
    vault: { 'Now.md': 'The blue boat.\n', '.obsidian/app.json': '{"userIgnoreFilters": ["Private/"]}' },
    scripted: true,
    settings: { contextNotes: ['Now.md'] },
  });
  await workbench.page.waitForTimeout(1_000);
  await disable();
  const asked: string[] = [];
  workbench.page.context().on('request', (request) => {
    const { pathname, searchParams, origin } = new URL(request.url());
    asked.push(
      `${request.method()} ${origin === new URL(workbench.url).origin ? '' : origin}${pathname} ${searchParams.get('path') ?? ''}`,
    );
  });
  workbench.intercept(async ({ method, route, path }) => {
    asked.push(`${method} ${route} ${path}`);
    return null;
  });
  await enable();
  await workbench.page.waitForTimeout(1_500);
  // Besides its settings, of which a sync may have left a second version, only the app's own layout may be touched.
  expect(
    asked.filter((one) => !/ \.obsidian(?:\/workspace\.json|\/plugins\/docent(?:\/data\.json)?)?$/.test(one)),
  ).toEqual([]);
  expect(workbench.model?.requests).toEqual([]);
  // Verifies that the counter detects reads at all: opening the chat view causes some.
  const chatView = await openChatView(workbench);
  await chatView.ask('the blue boat?');
  expect(asked).toContain('GET /api/file Now.md');
});
