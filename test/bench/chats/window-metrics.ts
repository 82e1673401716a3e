/** What a window's main thread did: processor time, so that other work of the machine is not counted. */
import { build } from 'esbuild';
import type { Browser, CDPSession, Page } from 'playwright-core';

export interface ThreadFigures {
  /** Milliseconds of processor time in all tasks. */
  readonly task: number;
  /** Of these, in scripts. */
  readonly script: number;
  /** Of these, in styles and layout. */
  readonly layout: number;
}

export class WindowMetrics {
  private constructor(
    readonly session: CDPSession,
    private readonly browser: Browser,
    private readonly page: Page,
  ) {}

  static async open(browser: Browser, page: Page): Promise<WindowMetrics> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new WindowMetrics(session, browser, page);
  }

  /** The processor time that the window's main thread spends on the work. */
  async cost(work: () => Promise<unknown>): Promise<ThreadFigures> {
    const before = await this.read();
    await work();
    const after = await this.read();
    const spent = (...names: string[]): number =>
      names.reduce((sum, name) => sum + ((after[name] ?? 0) - (before[name] ?? 0)) * 1000, 0);
    return {
      task: spent('TaskDuration'),
      script: spent('ScriptDuration'),
      layout: spent('LayoutDuration', 'RecalcStyleDuration'),
    };
  }

  /** The processor time in milliseconds of the longest task of the window during the work. */
  async maxBlock(work: () => Promise<unknown>): Promise<number> {
    await this.browser.startTracing(this.page, { categories: ['disabled-by-default-devtools.timeline'] });
    let text = '';
    try {
      await work();
    } finally {
      text = (await this.browser.stopTracing()).toString();
    }
    const { traceEvents } = JSON.parse(text) as { traceEvents: TraceEvent[] };
    const threads = new Set(
      traceEvents
        .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    );
    const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && threads.has(`${pid} ${tid}`));
    return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1000), 0);
  }

  /** Megabytes of the window's heap that are in use. */
  async heap(): Promise<number> {
    await this.session.send('HeapProfiler.collectGarbage');
    return ((await this.read())['JSHeapUsedSize'] ?? 0) / 1e6;
  }

  private async read(): Promise<Record<string, number>> {
    const { metrics } = await this.session.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  }
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Runs a file of the bench, such as a baseline, in the page. */
export async function addBundle(page: Page, entryPoint: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    write: false,
    format: 'iife',
    minify: true,
    logLevel: 'silent',
  });
  await page.addScriptTag({ content: outputFiles[0]!.text });
}
