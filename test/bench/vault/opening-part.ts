/**
 * Opens the chat view of the built plugin in a browser, over a vault of 10,000 notes, and types in it: on a computer, and
 * in the layout of a phone with a processor four times slower. Times are processor time of the window's main thread; on
 * the phone they are those of the slower processor.
 */
import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright-core';
import type { ScriptStep } from '../../support/model-server/script';
import { openChatView, openWindow } from '../chats/chat-window';
import { WindowMetrics, type WindowTask } from '../chats/window-metrics';
import { medianOf } from '../median';
import { makeNotes } from './search-part';

interface WindowCost {
  /** The longest task from the command that opens the chat view until its first request is counted. */
  readonly opening_longest_task_ms: number;
  /** All that opening it takes. */
  readonly opening_ms: number;
  /** Keys after `[[`: what handles each, and draws what it changed. */
  readonly key_p95_ms: number;
  /** The longest task while these are typed, those included that prepare the lists in between. */
  readonly typing_longest_task_ms: number;
}

export interface OpeningFigures extends WindowCost {
  readonly opening_notes: number;
  /** Megabytes by which the heap grows over fifty times: enable the plugin, open a chat, a new one, disable it. */
  readonly reopened_heap_growth_mb: number;
  /** The same, on a processor four times slower. */
  readonly phone: WindowCost;
}

const script = (): ScriptStep => ({ text: 'Yes.' });
const runs = 3;
const slowness = 4;
const queries = ['[[note 12', ' [[folder 3', ' [[r1', ' [[note 4321', ' [[nto'];

export async function measureOpening(
  launch: LaunchOptions,
  notes: number,
  progress: (words: string) => void,
): Promise<OpeningFigures> {
  const files = makeNotes(notes);
  const browser = await chromium.launch(launch);
  try {
    progress(`opening the chat view beside ${notes} notes`);
    const computer = await measureWindow(browser, files, false);
    progress('the same on a phone');
    const phone = await measureWindow(browser, files, true);
    progress('opening and closing it fifty times');
    const reopened_heap_growth_mb = await openWindow(browser, { script, isClosed: true }, (page) =>
      reopen(browser, page),
    );
    return { opening_notes: notes, ...computer, reopened_heap_growth_mb, phone };
  } finally {
    await browser.close();
  }
}

async function measureWindow(
  browser: Browser,
  notes: Readonly<Record<string, string>>,
  isPhone: boolean,
): Promise<WindowCost> {
  const costs: WindowCost[] = [];
  for (let run = 0; run < runs; run += 1) {
    costs.push(
      await openWindow(browser, { script, notes, isPhone, isClosed: true }, (page) =>
        useWindow(browser, page, isPhone ? slowness : 1),
      ),
    );
  }
  const median = (key: keyof WindowCost): number => Math.round(medianOf(costs.map((cost) => cost[key])) * 10) / 10;
  return {
    opening_longest_task_ms: median('opening_longest_task_ms'),
    opening_ms: median('opening_ms'),
    key_p95_ms: median('key_p95_ms'),
    typing_longest_task_ms: median('typing_longest_task_ms'),
  };
}

async function useWindow(browser: Browser, page: Page, rate: number): Promise<WindowCost> {
  const metrics = await WindowMetrics.open(browser, page);
  await rest(page);
  await metrics.session.send('Emulation.setCPUThrottlingRate', { rate });
  const opening = await metrics.tasks(async () => {
    await openChatView(page);
    await rest(page);
  });
  await metrics.session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.locator('.docent-indexing').waitFor({ state: 'detached', timeout: 600_000 });
  await rest(page);
  await metrics.session.send('Emulation.setCPUThrottlingRate', { rate });
  await page.locator('.docent-composer-input').focus();
  const typing = await metrics.tasks(async () => {
    for (const query of queries) {
      for (const key of query) {
        await page.keyboard.type(key);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
      }
    }
  });
  return {
    opening_longest_task_ms: Math.max(...opening.map(({ cost }) => cost)),
    opening_ms: opening.reduce((sum, { cost }) => sum + cost, 0),
    key_p95_ms: percentile95(keyCosts(typing)),
    typing_longest_task_ms: Math.max(...typing.map(({ cost }) => cost)),
  };
}

const drawing = ['UpdateLayoutTree', 'Layout', 'Paint', 'Commit'];

/** Of each key, the tasks that handle its events, and those that draw until the next one. */
function keyCosts(tasks: readonly WindowTask[]): number[] {
  const costs: number[] = [];
  for (const { cost, does } of tasks) {
    if (does.has('keydown')) costs.push(0);
    const counts = ['keydown', 'keypress', 'input', 'keyup', ...drawing].some((name) => does.has(name));
    if (counts && costs.length > 0) costs.push((costs.pop() ?? 0) + cost);
  }
  if (costs.length < queries.join('').length) throw new Error(`Only ${costs.length} keys were measured.`);
  return costs;
}

function percentile95(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;
}

/** Waits for what follows an act, such as the count of the next request. */
async function rest(page: Page): Promise<void> {
  await page.waitForTimeout(3_000);
}

/** What is made once, such as compiled code, is made in the first rounds. */
const firstRounds = 10;

async function reopen(browser: Browser, page: Page): Promise<number> {
  const metrics = await WindowMetrics.open(browser, page);
  const repeat = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      await openChatView(page);
      await page.evaluate(() => window.app.commands.executeCommandById('docent:new-chat'));
      await page.locator('.docent-composer-input').waitFor();
      await page.evaluate(() => window.app.plugins.disablePlugin('docent'));
      await page.locator('.docent-composer-input').waitFor({ state: 'detached' });
      await page.evaluate(() => window.app.plugins.enablePlugin('docent'));
    }
    await rest(page);
  };
  await repeat(firstRounds);
  // What was switched off last may be collected late, such as its worker.
  const used = async (): Promise<number> => {
    const heaps: number[] = [];
    for (let look = 0; look < 5; look += 1) {
      heaps.push(await metrics.heap());
      await page.waitForTimeout(1_000);
    }
    return Math.min(...heaps);
  };
  const before = await used();
  await repeat(50);
  return Math.round(((await used()) - before) * 10) / 10;
}
