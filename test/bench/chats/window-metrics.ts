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
    return Math.max(0, ...(await this.tasks(work)).map(({ cost }) => cost));
  }

  /** The tasks of the window during the work, in order. */
  async tasks(work: () => Promise<unknown>): Promise<WindowTask[]> {
    const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];
    await this.browser.startTracing(this.page, { categories });
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
    const onThread = traceEvents.filter(({ pid, tid }) => threads.has(`${pid} ${tid}`)).sort((a, b) => a.ts - b.ts);
    const tasks: (WindowTask & { readonly end: number })[] = [];
    for (const { name, ts, dur = 0, tdur = 0, args } of onThread) {
      const task = tasks.at(-1);
      if (name === 'RunTask') tasks.push({ cost: tdur / 1000, does: new Set(), end: ts + dur });
      else if (task !== undefined && ts < task.end) task.does.add(args?.data?.type ?? name);
    }
    return tasks;
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
  readonly ts: number;
  readonly dur?: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly data?: { readonly type?: string } };
}

export interface WindowTask {
  /** Milliseconds of processor time. */
  readonly cost: number;
  /** Its steps by name, such as `Layout`; of an event its type, such as `keydown`. */
  readonly does: Set<string>;
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
