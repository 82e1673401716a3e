/** Streams a long answer into the built plugin in a browser, and measures what that costs the window. */
import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { snapshotParts } from '../../../src/core/session/entry';
import { type ModelRequest, type ScriptStep, splitText } from '../../support/model-server/script';
import { openLongChat } from '../../e2e/driver/stored-chat';
import { openWindow } from '../chats/chat-window';
import { medianOf } from '../median';
import { addBundle, WindowMetrics } from '../chats/window-metrics';

/** Milliseconds: of processor time, but for the latencies, which are what a person waits. */
interface StreamCost {
  readonly main_thread_ms: number;
  readonly script_ms: number;
  readonly layout_ms: number;
  readonly longest_block_ms: number;
  readonly key_latency_p95_ms: number;
  readonly stop_latency_ms: number;
}

export interface StreamFigures extends StreamCost {
  /** Pieces of the answer, sent at 2,000 a second. */
  readonly tokens: number;
  readonly characters: number;
  /** The same answer drawn whole at each frame. */
  readonly baseline_main_thread_ms: number;
  /** The same at the end of a chat of 1,000 messages. */
  readonly after_1000_messages: StreamCost;
}

const perSecond = 2_000;
const tokens = 20_000;
const runs = 3;

/** A diagram; the first of them is in view while the answer streams in. */
const diagram = (index: number): string =>
  `\`\`\`mermaid\ngraph LR\n A[Haul out ${index}] -->|dry| B{Rust?}\n B -->|yes| C[Replace]\n B -->|no| D[Done]\n\`\`\``;

/** Headings, prose, lists, tables, code, formulas, and diagrams, in as many pieces as asked for. */
function longAnswer(): string {
  const section = (index: number): string =>
    [
      `## Part ${index}: the keel and its bolts`,
      '',
      `The **keel** was drawn in [[Keel|the yard]] and checked on day ${index}, with *care* and with \`torque ${index}\` as the sheet says; nobody had looked at the aft bolts since the winter before.`,
      '',
      '- Bolts one to four are sound, with little rust',
      '  - the third was turned by a quarter',
      '- The fifth needs a new washer',
      '',
      '| Bolt | Torque | State |',
      '|---|---:|---|',
      ...[1, 2, 3].map((row) => `| ${row} | ${row * 12} Nm | sound |`),
      '',
      '```ts',
      `const torque = (bolt: number): number => bolt * ${index} + 12;`,
      'for (const bolt of bolts) check(bolt, torque(bolt));',
      '```',
      '',
      `The force is $F = ${index} \\cdot m$ and so $$\\sum_{i=1}^{n} F_i = ${index}.$$`,
      '',
      ...(index % 20 === 0 ? [diagram(index), ''] : []),
    ].join('\n');
  const pieces: string[] = [];
  for (let index = 0; pieces.length < tokens; index += 1) pieces.push(...splitText(`${section(index)}\n`));
  return pieces.slice(0, tokens).join('');
}

/** As short as summaries are: the answer in its place would be a second one, which nobody sees. */
const parts = Object.keys(snapshotParts).map((part) => `<${part}>The bolts were checked.</${part}>`);
const summary = `<state_snapshot>${parts.join('')}</state_snapshot>`;

/** Whether a request asks for a summary, which follows an answer that fills a good part of the context window. */
function isSummary(body: unknown): boolean {
  const { messages = [] } = body as { messages?: readonly unknown[] };
  return JSON.stringify(messages.at(-1) ?? null).includes('<state_snapshot>');
}

export async function measureStream(launch: LaunchOptions, progress: (words: string) => void): Promise<StreamFigures> {
  const text = longAnswer();
  const browser = await chromium.launch(launch);
  try {
    progress('a new chat');
    const script = ({ body }: ModelRequest): ScriptStep =>
      isSummary(body) ? { text: summary } : { text, eventsPerSecond: perSecond };
    const fresh = await openWindow(browser, { script }, (page) => measureChat(browser, page));
    progress('after 1,000 messages');
    const after = await openWindow(browser, { script, messages: 1_000 }, async (page) => {
      await openLongChat(page);
      return measureChat(browser, page);
    });
    progress('drawing the whole answer at each frame');
    const baseline = await openWindow(browser, { script }, (page, url) => measureBaseline(browser, page, url));
    return {
      tokens: splitText(text).length,
      characters: text.length,
      ...fresh,
      baseline_main_thread_ms: baseline,
      after_1000_messages: after,
    };
  } finally {
    await browser.close();
  }
}

async function measureChat(browser: Browser, page: Page): Promise<StreamCost> {
  const metrics = await WindowMetrics.open(browser, page);
  await settle(page);
  const cost = await metrics.cost(() => streamOne(page));
  const [blocks, keys]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    await settle(page);
    blocks.push(await metrics.maxBlock(() => streamOne(page)));
  }
  await settle(page);
  await followKeys(page);
  await Promise.all([streamOne(page), typeDuring(page)]);
  keys.push(...(await page.evaluate(() => window.keyLatencies)));
  await settle(page);
  return {
    main_thread_ms: rounded(cost.task),
    script_ms: rounded(cost.script),
    layout_ms: rounded(cost.layout),
    longest_block_ms: medianOf(blocks),
    key_latency_p95_ms: rounded(keys.sort((a, b) => a - b)[Math.floor(keys.length * 0.95)] ?? 0),
    stop_latency_ms: rounded(await stopOne(page)),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Waits for what follows a turn, such as the count of the next request, and writes the next message. */
async function settle(page: Page): Promise<void> {
  await page.locator('.docent-composer-input').fill('Write it all');
  await page.waitForTimeout(1_500);
}

async function streamOne(page: Page): Promise<void> {
  await page.locator('.docent-composer-input').press('Enter');
  await page.locator('.docent-send.is-stop').waitFor();
  await page.evaluate(untilStopped);
}

/** Looks seldom and at one element, since what looking costs is measured with the rest. */
function untilStopped(): Promise<void> {
  const stop = document.querySelector('.docent-send.is-stop');
  return new Promise((resolve) => {
    const look = (): void => {
      if (stop?.isConnected === true && stop.classList.contains('is-stop')) setTimeout(look, 20);
      else resolve();
    };
    look();
  });
}

declare global {
  interface Window {
    keyLatencies: number[];
  }
}

/** Notes for each key how long it takes until the frame after it is drawn. */
async function followKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.keyLatencies = [];
    const after = (event: Event): void => {
      requestAnimationFrame(() => setTimeout(() => window.keyLatencies.push(performance.now() - event.timeStamp)));
    };
    document.addEventListener('keydown', (event) => event.key === 'x' && after(event), true);
  });
}

async function typeDuring(page: Page): Promise<void> {
  await page.locator('.docent-answer').last().waitFor();
  for (let key = 0; key < 30; key += 1) {
    await page.keyboard.type('x');
    await page.waitForTimeout(250);
  }
}

/** Stops an answer after some seconds; returns the milliseconds until the chat rests. */
async function stopOne(page: Page): Promise<number> {
  await page.locator('.docent-composer-input').press('Enter');
  await page.waitForTimeout(6_000);
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const stop = document.querySelector<HTMLElement>('.docent-send.is-stop');
        if (stop === null) throw new Error('Nothing streams that could be stopped.');
        const start = performance.now();
        stop.click();
        const look = (): void => {
          if (document.querySelector('.docent-send.is-stop') === null) resolve(performance.now() - start);
          else setTimeout(look);
        };
        look();
      }),
  );
}

async function measureBaseline(browser: Browser, page: Page, url: string): Promise<number> {
  await addBundle(page, 'test/bench/baselines/whole-answer.ts');
  const metrics = await WindowMetrics.open(browser, page);
  const cost = await metrics.cost(() => page.evaluate((address) => window.drawWholeAnswer(address), url));
  return rounded(cost.task);
}
