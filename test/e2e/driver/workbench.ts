/** Opens the built plugin in the workbench for one test: a fresh vault folder, its server, and a page of the browser. */
import { appendFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Interception } from 'obsidian-workbench/server';
import { reloadPage, runCommand, untilReady, watchPages } from 'obsidian-workbench/testing/page';
import type { Page } from 'playwright-core';
import {
  enteredHere,
  scriptedSecrets,
  scriptedSettings,
  startScriptedModel,
  type Script,
  type ScriptedModel,
} from '../../support/model-server';
import { letIn, letInFolder, letInKey } from '../../support/model-server/let-in';
import { builtFolders, hearOutside, leaveSeat, takeSeat, type Look } from './browser';
import { readFile, vaultParentPrefix, watchRequests } from './reach';

export interface OpenOptions {
  /** A folder to copy, or the files themselves by path; the demo vault unless given. */
  vault?: string | Record<string, string>;
  phone?: boolean;
  theme?: 'dark' | 'light';
  desktop?: boolean;
  /** Null, the default, is calm. */
  chaosSeed?: number | null;
  /** Starts a scripted model and settings that point at it; `true` is the script of `npm start`. */
  scripted?: boolean | Script;
  /** Further models of the scripted model's providers, by provider. */
  models?: Readonly<Record<string, readonly string[]>>;
  /** The plugin's data.json, over the settings of `scripted`. */
  settings?: Record<string, unknown>;
  /** Whether the settings came by a sync: then no address and no key of theirs was entered on this device. */
  synced?: boolean;
  /** Whether the instruction files of the vault wait, as on a user's device; else its user has allowed them. */
  asks?: boolean;
  /** Secrets that the app holds, besides the key of the scripted model. */
  secrets?: Record<string, string>;
  /** Refuses every write to the vault. */
  readOnly?: boolean;
  /** Further plugin folders to load. */
  plugins?: readonly string[];
  /** Errors that the walk brings about; any other one fails the test it came in. */
  expectedErrors?: RegExp;
}

export interface OpenedWorkbench {
  page: Page;
  url: string;
  vaultFolder: string;
  model: ScriptedModel | null;
  /** What the page reported as errors, and what it asked of other machines. Both are empty when all is well. */
  errors: readonly string[];
  outsideRequests: readonly string[];
  /** Reads a file from the disk; a file that is empty because it is being written is read once more. */
  readNote(notePath: string): Promise<string>;
  /**
   * Writes to the disk behind the page's back, as another program would. Unless the workbench asks, instructions that are
   * written like this are allowed on the device of the page.
   */
  writeNote(notePath: string, text: string): Promise<void>;
  /** Intercepts the page's calls to its vault: sees each call, and may answer it or leave it without an answer. */
  intercept(interception: Interception | null): void;
  /** Runs a command; an id without a colon is the plugin's own. */
  command(id: string): Promise<void>;
  /**
   * Loads the page again and waits until it is ready.
   * @param between done to the folder while no app runs: one that runs writes back lines that its chats lose
   */
  reload(between?: () => Promise<void> | void): Promise<void>;
  /** Saves a picture under dist/test/ if somebody may look at it (`keepsPictures`). */
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
}

/** The looks in which a test judges what it sees, each with the options that open it: `describe.each(looks)`. */
export const looks = [
  ['dark', { theme: 'dark' }],
  ['light', { theme: 'light' }],
  ['phone', { phone: true }],
] as const;

const pluginFolder = '.obsidian/plugins/docent';
const picturesFolder = path.resolve('dist/test');

const opened = new Set<OpenedWorkbench>();

/** The seeds that tests marked for chaos run with: `describe.each(chaosSeeds())`. */
export function chaosSeeds(): number[] {
  return (process.env.WORKBENCH_CHAOS_SEEDS ?? '1').split(',').map(Number);
}

/** Whether the run may take its time: `npm run test:long`. */
export const isLongRun = process.env.DOCENT_LONG === 'yes';

/**
 * Whether pictures are taken: when files are run by hand, and in the long run. Of `npm test` nobody looks at them, and
 * each takes as long as to ask a question.
 */
export const keepsPictures = isLongRun || process.env.DOCENT_SECOND_TRY !== 'yes';

/** What the pages of this file reported, and how much of it is judged. */
const reported: { readonly errors: readonly string[]; readonly expected?: RegExp; judged: number }[] = [];

/** The browser's own line about a request that failed: walks bring such failures about, and look at what becomes of them. */
const isFailedRequest = (error: string): boolean => /^(?:Failed to load resource:|Access to fetch at) /.test(error);

afterEach(() => {
  const unexpected = reported.flatMap((page) => {
    const fresh = page.errors.slice(page.judged);
    page.judged = page.errors.length;
    return fresh.filter((error) => !isFailedRequest(error) && page.expected?.test(error) !== true);
  });
  if (unexpected.length > 0) throw new Error(`The page reported an error:\n${unexpected.join('\n')}`);
});

const hits = process.env.DOCENT_MUTATION_HITS;

/** A plugin that was built with mutants says which it comes by; `npm run mutate` asks for the list. */
function noteMutant(text: string): void {
  const number = hits === undefined ? undefined : /^docent-mutant (\d+)$/.exec(text)?.[1];
  if (hits === undefined || number === undefined) return;
  const { testPath: file } = expect.getState();
  appendFileSync(hits, `${JSON.stringify({ number: Number(number), file, inTest: true })}\n`);
}

afterAll(async () => {
  await Promise.all([...opened].map((workbench) => workbench.close()));
});

export async function openWorkbench(options: OpenOptions = {}): Promise<OpenedWorkbench> {
  const folders = builtFolders();
  const vault = await createVault(options.vault ?? folders.demoVault);
  const started = options.scripted
    ? await startScriptedModel(options.scripted === true ? {} : { script: options.scripted })
    : null;
  const model = started && { ...started, requests: watchRequests(started.requests) };
  const settings = { ...(model && scriptedSettings(model.url, options.models)), ...options.settings };
  await enablePlugin(vault.folder, settings);
  const look: Look = { phone: options.phone ?? false, theme: options.theme ?? 'dark' };
  const seat = await takeSeat(look, {
    vault: vault.folder,
    inPlace: true,
    plugins: [folders.plugin, ...(options.plugins ?? [])],
    assets: folders.assets,
    proxy: { loopbackOnly: true },
    options: {
      ...look,
      chaosSeed: options.chaosSeed ?? null,
      desktop: options.desktop ?? false,
      readOnly: options.readOnly ?? false,
      secrets: { ...(model && scriptedSecrets), ...options.secrets },
      deviceValues: options.asks === true ? {} : letInFolder(vault.folder, settings),
    },
  });
  const { context, page, server: workbench } = seat;
  const [errors, outsideRequests] = [watchPages(context), hearOutside()];
  context.on('console', (message) => noteMutant(message.text()));
  const { expectedErrors: expected } = options;
  reported.push({ errors, judged: 0, ...(expected && { expected }) });

  const result: OpenedWorkbench = {
    page,
    url: workbench.url,
    vaultFolder: workbench.vaultFolder,
    model,
    errors,
    outsideRequests,
    readNote: async (notePath) => {
      const read = (): Promise<string> => readFile(path.join(vault.folder, notePath), 'utf8');
      const text = await read();
      if (text !== '') return text;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return read();
    },
    writeNote: async (notePath, text) => {
      if (options.asks !== true) await allowInstructions(page, { [notePath]: text }, settings);
      await writeFiles(vault.folder, { [notePath]: text });
    },
    intercept: workbench.intercept,
    command: (id) => runCommand(page, id.includes(':') ? id : `docent:${id}`),
    reload: async (between) => {
      if (between === undefined) return reloadPage(page, errors);
      await page.goto('about:blank');
      await between();
      await page.goto(workbench.url);
      await untilReady(page, errors);
    },
    async screenshot(name) {
      if (!keepsPictures) return untilDrawn(page);
      await mkdir(picturesFolder, { recursive: true });
      await page.screenshot({ path: path.join(picturesFolder, `${name}.png`) });
    },
    async close() {
      if (!opened.delete(result)) return;
      await leaveSeat(seat);
      await model?.close();
      await vault.remove();
    },
  };
  opened.add(result);
  await page.goto(workbench.url);
  await untilReady(page, errors);
  if (options.synced !== true) await rememberEntered(page, settings);
  return result;
}

/** Waits until the page is drawn as it is now, as for a picture. */
function untilDrawn(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))),
  );
}

/** Stores on the device of the page that its user entered what the settings name. */
async function rememberEntered(page: Page, settings: Record<string, unknown>): Promise<void> {
  await page.evaluate((entered) => {
    for (const [name, value] of Object.entries(entered)) window.app.saveLocalStorage(`docent-${name}`, value);
  }, enteredHere(settings));
}

/** Stores on the device of the page that its user allowed these files, and the texts in the settings. */
export async function allowInstructions(
  page: Page,
  files: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const added = letIn(files, settings);
  if (added === null || page.isClosed()) return;
  await page.evaluate(
    ([key = '', more = '{}']) => {
      const known = window.app.loadLocalStorage(key) as string | null;
      const record = { ...(JSON.parse(known ?? '{}') as object), ...(JSON.parse(more) as object) };
      window.app.saveLocalStorage(key, JSON.stringify(record));
    },
    [letInKey, added],
  );
}

/** Shows an open workbench in this theme, as a change of its setting would. */
export function showTheme({ page }: OpenedWorkbench, theme: 'dark' | 'light'): Promise<void> {
  return page.evaluate((name) => window.app.setTheme(name), theme);
}

/** Looks at what is shown in both themes, first in the light one, and saves a picture of each by this name. */
export async function lookInThemes(
  workbench: OpenedWorkbench,
  name: string,
  look: (theme: 'dark' | 'light') => Promise<void> = async () => {},
): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await showTheme(workbench, theme);
    await workbench.screenshot(`${name}-${theme}`);
    await look(theme);
  }
}

/** Closes a workbench, and expects that its page reported no error and asked nothing of other machines. */
export async function closeQuiet({ errors, outsideRequests, close }: OpenedWorkbench): Promise<void> {
  await close();
  expect(errors).toEqual([]);
  expect(outsideRequests).toEqual([]);
}

async function createVault(source: string | Record<string, string>) {
  const parent = await mkdtemp(path.join(await realpath(tmpdir()), vaultParentPrefix));
  const folder = path.join(parent, typeof source === 'string' ? path.basename(source) : 'vault');
  if (typeof source === 'string') await cp(source, folder, { recursive: true });
  else await mkdir(folder);
  if (typeof source !== 'string') await writeFiles(folder, source);
  return { folder, remove: () => rm(parent, { recursive: true, force: true }) };
}

/** Writes the files by their paths below the folder, with the folders that they need. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Writes into the folder of a vault that its user turned the plugin on, and the plugin's settings. */
export async function enablePlugin(folder: string, settings: Record<string, unknown>): Promise<void> {
  await mkdir(path.join(folder, pluginFolder), { recursive: true });
  await writeFiles(folder, { '.obsidian/community-plugins.json': JSON.stringify(['docent']) });
  if (Object.keys(settings).length > 0) {
    await writeFiles(folder, { [`${pluginFolder}/data.json`]: JSON.stringify(settings, null, 2) });
  }
}
