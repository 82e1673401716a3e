/** Opens chats of several lengths in the built plugin in a browser, and measures what opening and using them costs. */
import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright-core';
import type { ScriptStep } from '../../support/model-server/script';
import { openWindow } from './chat-window';
import { answerTexts, longChat, openLongChat } from '../../e2e/driver/stored-chat';
import { medianOf } from '../median';
import { addBundle, WindowMetrics } from './window-metrics';

/** Milliseconds of processor time of the window's main thread. */
interface ChatCost {
  /** Until the newest messages are in view and a message can be written. */
  readonly open_ms: number;
  /** Until the whole chat has been read, in slices behind the view, and the next request planned. */
  readonly whole_ms: number;
  readonly longest_block_ms: number;
  /** Elements in the transcript. */
  readonly elements: number;
  readonly key_p95_ms: number;
  /** Twenty turns of the wheel, upwards. */
  readonly scroll_ms: number;
  /** One more message and its answer. */
  readonly turn_ms: number;
  /** The pause after a key, in which the next request is planned. */
  readonly preview_ms: number;
  readonly heap_mb: number;
}

interface Growth {
  readonly open_ms: number;
  readonly turn_ms: number;
  readonly preview_ms: number;
}

export interface ChatFigures {
  readonly sizes: readonly (ChatCost & {
    readonly messages: number;
    /** The answers of the chat, drawn whole. */
    readonly baseline_open_ms: number;
    readonly baseline_elements: number;
  })[];
  /** The figures of the longest chat over those of the shortest. */
  readonly growth: Growth;
}

const sizes = [100, 1_000, 10_000];
/** Messages after the newest summary: what a request sends is the same in all chats. */
const uncovered = 60;
const runs = 3;
const keys = 'What of the bolts of the keel?';
const script = (): ScriptStep => ({ text: 'The bolts are sound, as [[Keel]] says.' });

export async function measureChats(launch: LaunchOptions, progress: (words: string) => void): Promise<ChatFigures> {
  const browser = await chromium.launch(launch);
  const measured: ChatFigures['sizes'][number][] = [];
  try {
    for (const messages of sizes) {
      progress(`${messages} messages`);
      measured.push({ messages, ...(await measureChat(browser, messages)) });
    }
  } finally {
    await browser.close();
  }
  const [short, long] = [measured[0]!, measured.at(-1)!];
  const grown = (key: keyof Growth): number => Math.round((long[key] / short[key]) * 100) / 100;
  return {
    sizes: measured,
    growth: { open_ms: grown('open_ms'), turn_ms: grown('turn_ms'), preview_ms: grown('preview_ms') },
  };
}

async function measureChat(
  browser: Browser,
  messages: number,
): Promise<Omit<ChatFigures['sizes'][number], 'messages'>> {
  const costs: Omit<ChatCost, 'longest_block_ms'>[] = [];
  const blocks: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    costs.push(await openWindow(browser, { script, messages, uncovered }, (page) => useChat(browser, page, messages)));
    blocks.push(
      await openWindow(browser, { script, messages, uncovered }, async (page) => {
        await rest(page);
        return (await WindowMetrics.open(browser, page)).maxBlock(() => openAndRest(page));
      }),
    );
  }
  const baseline = await openWindow(browser, { script }, (page) => drawWhole(browser, page, messages));
  const median = (key: keyof (typeof costs)[number]): number => rounded(medianOf(costs.map((cost) => cost[key])));
  return {
    open_ms: median('open_ms'),
    whole_ms: median('whole_ms'),
    longest_block_ms: rounded(medianOf(blocks)),
    elements: median('elements'),
    key_p95_ms: median('key_p95_ms'),
    scroll_ms: median('scroll_ms'),
    turn_ms: median('turn_ms'),
    preview_ms: median('preview_ms'),
    heap_mb: median('heap_mb'),
    ...baseline,
  };
}

async function useChat(browser: Browser, page: Page, messages: number): Promise<Omit<ChatCost, 'longest_block_ms'>> {
  const metrics = await WindowMetrics.open(browser, page);
  const spent = async (work: () => Promise<unknown>): Promise<number> => (await metrics.cost(work)).task;
  await rest(page);
  const open_ms = await spent(() => openUntilShown(page, messages));
  const whole_ms = open_ms + (await spent(() => rest(page)));
  const elements = await page.locator('.docent-transcript *').count();
  const input = page.locator('.docent-composer-input');
  await input.focus();
  const keyCosts: number[] = [];
  for (const key of keys) {
    keyCosts.push(
      await spent(async () => {
        await page.keyboard.type(key);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
      }),
    );
  }
  await rest(page);
  const preview_ms = await spent(async () => {
    await page.keyboard.type('x');
    await rest(page);
  });
  const turn_ms = await spent(() => answerOne(page));
  const heap_mb = await metrics.heap();
  await page.locator('.docent-transcript').hover();
  const scroll_ms = await spent(async () => {
    for (let step = 0; step < 20; step += 1) {
      await page.mouse.wheel(0, -600);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    }
  });
  const key_p95_ms = keyCosts.sort((a, b) => a - b)[Math.floor(keyCosts.length * 0.95)]!;
  return { open_ms, whole_ms, elements, key_p95_ms, scroll_ms, turn_ms, preview_ms, heap_mb };
}

/** Resolves once the newest question has been drawn. */
async function openUntilShown(page: Page, messages: number): Promise<void> {
  await page.evaluate(
    async ([chat, question]) => {
      const frame = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      const [leaf] = window.app.workspace.getLeavesOfType('docent-chat');
      void leaf?.setViewState({ type: 'docent-chat', active: true, state: { chat } });
      const isShown = (): boolean =>
        [...document.querySelectorAll<HTMLElement>('.docent-user')].some(({ innerText }) =>
          innerText.includes(question),
        );
      while (!isShown()) await frame();
      await frame();
    },
    [longChat, `What of bolt ${messages - 2}?`] as const,
  );
}

async function openAndRest(page: Page): Promise<void> {
  await openLongChat(page);
  await rest(page);
}

/** Sends the draft, and waits until it is answered and the next request planned. */
async function answerOne(page: Page): Promise<void> {
  await page.locator('.docent-composer-input').press('Enter');
  await page.locator('.docent-send.is-stop').waitFor();
  await page.locator('.docent-send.is-stop').waitFor({ state: 'detached', timeout: 120_000 });
  await rest(page);
}

/** Waits for what follows an act, such as the count of the next request. */
async function rest(page: Page): Promise<void> {
  await page.waitForTimeout(2_000);
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

declare global {
  interface Window {
    drawWholeChat(answers: readonly string[]): number;
  }
}

/** The naive way to open a chat: every answer is drawn. */
async function drawWhole(browser: Browser, page: Page, messages: number) {
  await addBundle(page, 'test/bench/baselines/whole-chat.ts');
  const metrics = await WindowMetrics.open(browser, page);
  let elements = 0;
  const cost = await metrics.cost(async () => {
    elements = await page.evaluate((texts) => window.drawWholeChat(texts), answerTexts(messages));
  });
  return { baseline_open_ms: rounded(cost.task), baseline_elements: elements };
}
