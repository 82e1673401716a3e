/** The one browser that the tests of a file share, and its windows. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core';
import { startWorkbench, type Workbench, type WorkbenchSettings } from '../workbench/server';

interface SetUp {
  launch: { executablePath: string; args: string[]; headless: boolean; timeout: number };
  env: Record<string, string>;
  folders: { assets: string; plugin: string; probe: string; demoVault: string };
}

/** Names of other machines do not resolve: a test cannot reach them even by mistake. */
const loopbackOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

/** Playwright's own. */
const defaultTimeoutMs = 30_000;
const clearingTimeoutMs = 10_000;

let launching: Promise<{ browser: Browser; temporaryFiles: string }> | undefined;

export async function closeBrowser(): Promise<void> {
  const launched = await launching;
  launching = undefined;
  await launched?.browser.close();
  if (launched !== undefined) await rm(launched.temporaryFiles, { recursive: true, force: true, maxRetries: 5 });
}

/** The folders that the global set-up built. */
export const builtFolders = (): SetUp['folders'] => readSetUp().folders;

/** A window's look: what a browser context is made with and keeps for its life. */
export interface Look {
  readonly phone: boolean;
  readonly theme: 'dark' | 'light';
}

/** Of a context, a page or a clock. */
const lastingChanges = [
  ...['addInitScript', 'exposeBinding', 'exposeFunction', 'fastForward', 'install', 'pauseAt', 'runFor'],
  ...['setFixedTime', 'setSystemTime'],
];

const desktopSize = { width: 1280, height: 800 };
const phoneSize = { width: 390, height: 844 };

export async function newContext({ phone, theme }: Look): Promise<BrowserContext> {
  launching ??= launch();
  const { browser } = await launching;
  return browser.newContext({
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...(phone
      ? { viewport: phoneSize, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
      : { viewport: desktopSize }),
  });
}

/**
 * A window with a server of its own, which one walk after the other uses: a new window, with a process and an address of
 * its own, costs as much as a short walk.
 */
export class Seat {
  /** The walk changed what no clearing brings back: scripts that begin each page, or its clock. */
  private isChanged = false;

  private constructor(
    readonly look: Look,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly server: Workbench,
    private readonly session: CDPSession,
  ) {}

  static async open(look: Look, settings: WorkbenchSettings): Promise<Seat> {
    const server = await startWorkbench(settings);
    const context = await newContext(look);
    const page = await context.newPage();
    const seat = new Seat(look, context, page, server, await context.newCDPSession(page));
    for (const owner of [context, page, context.clock]) seat.noticeChanges(owner);
    return seat;
  }

  private noticeChanges(owner: object): void {
    const methods = owner as Record<string, ((...given: unknown[]) => unknown) | undefined>;
    for (const name of lastingChanges) {
      const change = methods[name]?.bind(owner);
      if (change === undefined) continue;
      methods[name] = (...given) => {
        this.isChanged = true;
        return change(...given);
      };
    }
  }

  /**
   * As a new window would be: nothing runs, nothing is stored, nobody listens.
   * @throws when that cannot be had, because of what the walk did or because the page does not obey
   */
  async clear(): Promise<void> {
    const { context, page } = this;
    if (this.isChanged) throw new Error('The window was changed for good.');
    for (const event of ['weberror', 'console', 'request', 'page'] as const) context.removeAllListeners(event);
    for (const other of context.pages()) if (other !== page) await other.close();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto('about:blank', { timeout: clearingTimeoutMs });
    const origin = new URL(this.server.url).origin;
    await this.session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await context.clearPermissions();
    await page.setViewportSize(this.look.phone ? phoneSize : desktopSize);
    page.setDefaultTimeout(defaultTimeoutMs);
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.server.close();
  }
}

async function launch(): Promise<{ browser: Browser; temporaryFiles: string }> {
  const { launch: options, env } = readSetUp();
  // A browser that is closed while it writes leaves its half-written files: no test answers for those.
  const temporaryFiles = await mkdtemp(path.join(await realpath(tmpdir()), 'browser-'));
  const processEnvironment = Object.fromEntries(
    Object.entries({ ...process.env, ...env, TMPDIR: temporaryFiles }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    ),
  );
  const browser = await chromium.launch({
    ...options,
    args: [...options.args, loopbackOnly],
    env: processEnvironment,
  });
  return { browser, temporaryFiles };
}

function readSetUp(): SetUp {
  const setUp = process.env.DOCENT_E2E;
  if (setUp === undefined) throw new Error('Run this through jest’s “browser” project: its set-up finds the browser.');
  return JSON.parse(setUp) as SetUp;
}
