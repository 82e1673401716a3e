/** Opens plugins in the workbench for one test: a fresh vault folder, its server, and a window of the browser. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { Workbench, WorkbenchSettings } from '../../src/server';
import { reloadPage, runCommand, untilReady, watchPages } from '../../src/testing/page';

/** The windows that the runner of browser tests shares between test files. */
interface Windows {
  builtFolders(): { assets: string; probe: string };
  takeSeat(look: Look, settings: WorkbenchSettings): Promise<Seat>;
  leaveSeat(seat: Seat): Promise<void>;
  newContext(look: Look): Promise<BrowserContext>;
  hearOutside(): string[];
}

interface Look {
  readonly phone: boolean;
  readonly theme: 'dark' | 'light';
}

export interface Seat {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly server: Workbench;
}

const windows = (globalThis as unknown as { testBrowser: Windows }).testBrowser;

/** Returns the folders of the built page and of the built probe plugin. */
export const { builtFolders } = windows;

/** The seeds for tests that run with chaos. */
export const chaosSeeds = (process.env.WORKBENCH_CHAOS_SEEDS ?? '1').split(',').map(Number);

export interface PageOptions {
  /** The files of the vault, by path. */
  vault: Readonly<Record<string, string>>;
  /** Folders of plugins. Each is enabled as if a user had just done it. */
  plugins?: readonly string[];
  phone?: boolean;
  chaosSeed?: number;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors that the page reported, and requests that it sent to other machines. Both should be empty. */
  readonly errors: readonly string[];
  readonly outsideRequests: readonly string[];
  readNote(notePath: string): Promise<string>;
  /** Writes to the disk without the page, as another program would. */
  writeNote(notePath: string, text: string): Promise<void>;
  command(id: string): Promise<void>;
  /** Reloads the page and waits until it is ready. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

export async function openPage({ vault, plugins = [], phone = false, chaosSeed }: PageOptions): Promise<OpenedPage> {
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'workbench-page-')));
  const folder = path.join(parent, 'vault');
  await mkdir(folder);
  const write = async (notePath: string, text: string): Promise<void> => {
    const file = path.join(folder, notePath);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  for (const [notePath, text] of Object.entries(vault)) await write(notePath, text);
  const look: Look = { phone, theme: 'dark' };
  const seat = await windows.takeSeat(look, {
    vault: folder,
    inPlace: true,
    plugins,
    assets: builtFolders().assets,
    proxy: { loopbackOnly: true },
    options: { ...look, chaosSeed: chaosSeed ?? null },
  });
  const { page } = seat;
  const [errors, outsideRequests] = [watchPages(seat.context), windows.hearOutside()];
  const close = async (): Promise<void> => {
    await windows.leaveSeat(seat);
    await rm(parent, { recursive: true, force: true });
  };
  try {
    await page.goto(seat.server.url);
    await untilReady(page, errors);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    page,
    errors,
    outsideRequests,
    readNote: (notePath) => readFile(path.join(folder, notePath), 'utf8'),
    writeNote: write,
    command: (id) => runCommand(page, id),
    reload: () => reloadPage(page, errors),
    close,
  };
}

/** Opens a new window at the address of a server that is already running. */
export async function openWindow(
  url: string,
  phone: boolean,
): Promise<Pick<OpenedPage, 'page' | 'errors' | 'outsideRequests' | 'close'>> {
  const context = await windows.newContext({ phone, theme: 'dark' });
  const [errors, outsideRequests] = [watchPages(context), windows.hearOutside()];
  const page = await context.newPage();
  await page.goto(url);
  await untilReady(page, errors);
  return { page, errors, outsideRequests, close: () => context.close() };
}
