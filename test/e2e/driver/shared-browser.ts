/**
 * The browser of one test process, and its windows with their servers, which the test files use one after another. It
 * is bundled and loaded outside jest's sandbox: inside, each file would load the driver, start a browser, and compile
 * the page and the plugin again, which takes as long as a short test. Test files access it through `browser.ts`.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type CDPSession, type Locator, type Page } from 'playwright-core';
import { startWorkbench, type Workbench, type WorkbenchSettings } from 'obsidian-workbench/server';
import { compareSight, isComparing } from './compare-styles';

interface SetUp {
  launch: { executablePath: string; args: string[]; headless: boolean; timeout: number };
  env: Record<string, string>;
  folders: { assets: string; plugin: string; probe: string; demoVault: string };
}

/**
 * Names of other machines do not resolve, and what is for another machine goes to a proxy that refuses it: a test cannot
 * reach any even by mistake.
 */
const loopbackOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';
const aroundProxy = '--proxy-bypass-list=<-loopback>;127.0.0.1;localhost';

/**
 * What the engine of a page does otherwise than for a user.
 * - Each page compiles and collects with one thread: the helpers of its engine take a quarter more processor time for a
 *   short walk, and there are as many pages at a time as cores.
 * - A function is optimized after ten times as many calls as usual: each walk loads the app and the plugin again, and most
 *   of what was optimized for it ended before that paid.
 */
const engineOptions = [
  '--single-threaded',
  ...['--invocation-count-for-maglev=4000', '--invocation-count-for-turbofan=30000', '--invocation-count-for-osr=8000'],
];
const forShortWalks = `--js-flags=${engineOptions.join(' ')}`;

/** Playwright's own. */
const defaultTimeoutMs = 30_000;
const clearingTimeoutMs = 10_000;

interface Running {
  readonly browser: Browser;
  /** A browser that is closed while it writes leaves its half-written files: no test answers for those. */
  readonly temporaryFiles: string;
}

let running: Promise<Running> | undefined;

/** On which screen of the settings a row was seen, by its name: to draw a screen costs far more than to look for a row. */
export const screenOfRow = new Map<string, string>();

const takenSeats = new Set<Seat>();
/** Windows that no walk uses now. */
const freeSeats: Seat[] = [];
/** Enough for two devices and a phone at the same time; more free seats would only use memory. */
const maxFreeSeats = 3;

/** Starts the browser unless it runs. */
export function start(): Promise<Running> {
  running ??= launch();
  return running;
}

/** Ends the browser and all servers, so that the process can come to its end. */
export async function close(): Promise<void> {
  const ended = await running;
  running = undefined;
  const seats = freeSeats.splice(0);
  await ended?.browser.close();
  await Promise.all(seats.map((seat) => seat.server.close()));
  if (ended !== undefined) await rm(ended.temporaryFiles, { recursive: true, force: true, maxRetries: 5 });
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
  const { browser } = await start();
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
    /** The driver's own line to the page. */
    private readonly own: Pick<CDPSession, 'send'>,
  ) {}

  static async open(look: Look, settings: WorkbenchSettings): Promise<Seat> {
    const { temporaryFiles } = await start();
    const server = await startWorkbench({ ...settings, temporaryFiles });
    const context = await newContext(look);
    const page = await context.newPage();
    watchPage(page);
    const seat = new Seat(look, context, page, server, await context.newCDPSession(page), spare(page));
    for (const owner of [context, page, context.clock]) seat.noticeChanges(owner);
    await seat.reportRequests(false);
    seat.reportRequestsOnDemand();
    return seat;
  }

  /** What the browser says of each request takes a tenth of a walk's time, so it says it only to who asks. */
  private async reportRequests(isWanted: boolean): Promise<void> {
    await this.own.send(isWanted ? 'Network.enable' : 'Network.disable');
  }

  private reportRequestsOnDemand(): void {
    const { context, page } = this;
    const [on, route] = [context.on.bind(context), page.route.bind(page)];
    context.on = ((event: 'request', listener: () => void) => {
      // The driver sends one command after the other: what the walk does next comes after this one.
      if (event === 'request') void this.reportRequests(true);
      return on(event, listener);
    }) as typeof context.on;
    page.route = async (...given) => {
      await this.reportRequests(true);
      return route(...given);
    };
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
    await this.reportRequests(false);
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

/**
 * Spares a page what the driver does for it, and no walk uses.
 * @returns the driver's own line to the page
 */
function spare(page: Page): Pick<CDPSession, 'send'> {
  const { _connection: driver } = page as unknown as { _connection?: { toImpl?(page: Page): ServedPage } };
  const own = driver?.toImpl?.(page);
  const [served, line] = [own?.frameManager, own?.delegate?._mainFrameSession?._client];
  if (served?._allocateFrameSeq === undefined || served.onWebSocketCreated === undefined || line === undefined)
    throw new Error('The browser’s driver has other names for its own side of a page now.');
  // With each load, the driver puts a third of a megabyte of script into the page, and writes into it how often the window
  // was left, by which frames are found in a kind of snapshot. The engine compiles the same script only once.
  served._allocateFrameSeq = () => 0;
  // It would pass on each message between the page and its vault, some hundreds a test.
  served.onWebSocketCreated = () => undefined;
  return line;
}

/** What of the driver's own side of a page is used. */
interface ServedPage {
  readonly frameManager?: { _allocateFrameSeq?(): number; onWebSocketCreated?(): void };
  readonly delegate?: { readonly _mainFrameSession?: { readonly _client?: Pick<CDPSession, 'send'> } };
}

/** A window of this look, new or cleared, whose server shows the vault of `settings`. */
export async function takeSeat(look: Look, settings: WorkbenchSettings): Promise<Seat> {
  const index = freeSeats.findIndex((seat) => seat.look.phone === look.phone && seat.look.theme === look.theme);
  const [free] = index < 0 ? [] : freeSeats.splice(index, 1);
  const seat = free ?? (await Seat.open(look, settings));
  await free?.server.serve(settings.vault, settings);
  takenSeats.add(seat);
  return seat;
}

/** Gives a window back when its walk is over. */
export async function leaveSeat(seat: Seat): Promise<void> {
  takenSeats.delete(seat);
  const isClear = await seat.clear().then(
    () => true,
    () => false,
  );
  if (!isClear) return seat.close();
  freeSeats.push(seat);
  if (freeSeats.length > maxFreeSeats) await freeSeats.shift()?.close();
}

const describing = { maxLine: 120, maxLines: 80, timeoutMs: 5_000 };

/** What all pages of taken windows show, the beginning of each, for the report of a walk that failed. */
export function describePages(): Promise<string[]> {
  const pages = [...takenSeats].flatMap(({ context }) => context.pages());
  return Promise.all(pages.map(describePage));
}

async function describePage(page: Page): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, describing.timeoutMs, 'The page does not answer.');
  });
  const described = page.evaluate(({ maxLine, maxLines }) => {
    const { activeElement, body } = document;
    const focused = (activeElement?.cloneNode(false) as Element | undefined)?.outerHTML ?? 'nothing';
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value);
    const lines = body.innerText.split('\n').filter((line) => line.trim() !== '');
    const shown = lines.slice(0, maxLines).map((line) => line.slice(0, maxLine));
    return `With the focus on ${focused}, ${JSON.stringify(fields)} in its fields:\n${shown.join('\n')}`;
  }, describing);
  try {
    return await Promise.race([described, late]);
  } catch (thrown) {
    return `The page cannot be read: ${String(thrown)}`;
  } finally {
    clearTimeout(timer);
  }
}

/** The methods that report the state of an element instead of acting on it. */
const readings = [
  ...['allInnerTexts', 'allTextContents', 'ariaSnapshot', 'boundingBox', 'count', 'evaluate', 'evaluateAll'],
  ...['getAttribute', 'innerHTML', 'innerText', 'inputValue', 'isChecked', 'isDisabled', 'isEditable', 'isEnabled'],
  ...['isHidden', 'isVisible', 'textContent', 'waitFor'],
] as const;
const watched = new WeakSet<object>();
let describeReading = (): void => {};
let nameSight = (): string => '';

/** From now on `describe` is called at each reading of an element, in place of the function that was set before. */
export function onReading(describe: () => void, nameOfSight: () => string): void {
  describeReading = describe;
  nameSight = nameOfSight;
}

function watchPage(page: Page): void {
  const locators = Object.getPrototypeOf(page.locator('body')) as Record<string, (...given: unknown[]) => unknown>;
  if (watched.has(locators)) return;
  watched.add(locators);
  for (const name of readings) {
    const read = locators[name];
    if (read === undefined) throw new Error(`The browser’s driver has no ${name} any more.`);
    locators[name] = function (...given) {
      describeReading();
      const result = read.apply(this, given);
      return isComparing ? comparing(result, (this as unknown as Locator).page()) : result;
    };
  }
}

/** What was read, once the page has been compared as well. */
async function comparing(result: unknown, page: Page): Promise<unknown> {
  const read = await result;
  await compareSight(page, nameSight());
  return read;
}

/** Addresses of other machines that any page asked since each of these lists was begun. */
const heardOutside = new Set<string[]>();

/** Returns a list to which all is added that pages ask of other machines from now on. */
export function hearOutside(): string[] {
  const heard: string[] = [];
  heardOutside.add(heard);
  return heard;
}

/**
 * Starts a proxy for all that is for other machines, which hears it and refuses it.
 * @returns its address
 */
async function startRefusing(): Promise<string> {
  const refuse = ({ url = '', socket }: IncomingMessage): void => {
    for (const heard of heardOutside) heard.push(url);
    socket.destroy();
  };
  const server = createServer(refuse).on('connect', refuse).on('upgrade', refuse).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function launch(): Promise<Running> {
  const { launch: options, env } = readSetUp();
  const temporaryFiles = await mkdtemp(path.join(await realpath(tmpdir()), 'docent-browser-'));
  const processEnvironment = Object.fromEntries(
    Object.entries({ ...process.env, ...env, TMPDIR: temporaryFiles }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    ),
  );
  const browser = await chromium.launch({
    ...options,
    args: [...options.args, loopbackOnly, `--proxy-server=${await startRefusing()}`, aroundProxy, forShortWalks],
    env: processEnvironment,
  });
  browser.once('disconnected', () => {
    running = undefined;
    for (const seat of freeSeats.splice(0)) void seat.server.close();
  });
  return { browser, temporaryFiles };
}

function readSetUp(): SetUp {
  const setUp = process.env.DOCENT_E2E;
  if (setUp === undefined) throw new Error('Run this through jest’s “browser” project: its set-up finds the browser.');
  return JSON.parse(setUp) as SetUp;
}
