// Finds a Chromium that starts: the one named by DOCENT_BROWSER, a headless shell (an installed one, or the one packaged
// for npm), or any installed browser. A headless shell draws no window of its own, which costs up to a second a window.
//   node scripts/browser/find-browser.mjs   prints its path
import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { extractPackagedChromium, extractSystemFiles } from './packaged-chromium.mjs';

/** @typedef {{ executablePath: string, args: string[], env: Record<string, string> }} Browser */

/** Runs quietly and in isolation: no background requests, prompts or sync. */
const quietArguments = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];
const launchTimeoutMs = 30_000;

const remedy =
  'No Chromium was found that starts. Install chromium-headless-shell, Chrome or Chromium, or name one with ' +
  'DOCENT_BROWSER=/path/to/chrome.';

/** Finds a browser; rejects with words for the user if none starts. */
export async function findBrowser() {
  const named = process.env.DOCENT_BROWSER;
  if (named) {
    const browser = await tryToLaunch({ executablePath: named, args: quietArguments, env: {} });
    if (browser.works) return browser.works;
    throw new Error(`The browser named by DOCENT_BROWSER does not start: ${named} (${browser.reason}).`);
  }
  const shell = await firstThatStarts(await installedShells());
  if (shell) return shell;
  const packaged = await findPackaged();
  if (packaged.works) return packaged.works;
  const installed = await firstThatStarts(await installedBrowsers());
  if (installed) return installed;
  throw new Error(packaged.reason ? `${remedy} (The packaged one: ${packaged.reason}.)` : remedy);
}

async function firstThatStarts(executablePaths) {
  for (const executablePath of executablePaths) {
    const { works } = await tryToLaunch({ executablePath, args: quietArguments, env: {} });
    if (works) return works;
  }
  return null;
}

async function findPackaged() {
  const extracted = await extractPackagedChromium();
  if (!extracted) return {};
  // The packaged binary comes without the zygote helper.
  const plain = { executablePath: extracted.executablePath, args: [...quietArguments, '--no-zygote'], env: {} };
  const first = await tryToLaunch(plain);
  if (first.works || !/shared librar|fontconfig/i.test(first.detail)) return first;
  return tryToLaunch({ ...plain, env: await extractSystemFiles(extracted) });
}

/**
 * Playwright starts the browser without Chromium's sandbox, which root and many containers lack; it only loads our own
 * pages.
 */
async function tryToLaunch(browser) {
  try {
    await access(browser.executablePath, constants.X_OK);
    const launched = await chromium.launch(launchOptions(browser));
    await launched.close();
    return { works: browser };
  } catch (thrown) {
    const detail = String(thrown.message);
    const line = detail.split('\n').find((text) => /error while loading|FATAL|ERROR|ENOENT|EACCES/.test(text));
    return { reason: (line ?? detail.split('\n')[0]).trim(), detail };
  }
}

/** Returns the options with which playwright-core's `chromium.launch` starts the browser. */
export function launchOptions({ executablePath, args, env }) {
  return { executablePath, args, env: { ...process.env, ...env }, headless: true, timeout: launchTimeoutMs };
}

const shellNames = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'];
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

async function installedShells() {
  const inside = {
    darwin: ['chrome-mac/headless_shell'],
    win32: ['chrome-win/headless_shell.exe'],
    linux: ['chrome-linux/headless_shell', 'chrome-headless-shell-linux64/chrome-headless-shell'],
  };
  return presentOf([...onPath(shellNames), ...(await playwrightBrowsers('chromium_headless_shell-', inside))]);
}

async function installedBrowsers() {
  const inside = {
    darwin: ['chrome-mac/Chromium.app/Contents/MacOS/Chromium'],
    win32: ['chrome-win/chrome.exe', 'chrome-win64/chrome.exe'],
    linux: ['chrome-linux/chrome', 'chrome-linux64/chrome'],
  };
  return presentOf([...onPath(names), ...usualPlaces(), ...(await playwrightBrowsers('chromium-', inside))]);
}

function onPath(programs) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return folders.flatMap((folder) => programs.map((name) => path.join(folder, name + suffix)));
}

async function presentOf(candidates) {
  const present = await Promise.all(
    candidates.map((file) =>
      access(file).then(
        () => true,
        () => false,
      ),
    ),
  );
  return [...new Set(candidates.filter((_, index) => present[index]))];
}

function usualPlaces() {
  if (process.platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'];
    const folders = ['/Applications', path.join(homedir(), 'Applications')];
    return folders.flatMap((folder) => apps.map((app) => path.join(folder, `${app}.app/Contents/MacOS/${app}`)));
  }
  if (process.platform === 'win32') {
    const { LOCALAPPDATA, PROGRAMFILES, 'PROGRAMFILES(X86)': programFiles86 } = process.env;
    const files = ['Google/Chrome/Application/chrome.exe', 'Chromium/Application/chrome.exe'];
    return [LOCALAPPDATA, PROGRAMFILES, programFiles86]
      .filter(Boolean)
      .flatMap((folder) => [...files, 'Microsoft/Edge/Application/msedge.exe'].map((file) => path.join(folder, file)));
  }
  return ['/opt/google/chrome/chrome', '/usr/lib/chromium/chromium', '/snap/bin/chromium'];
}

/** Lists the browsers that `npx playwright install` installs, the newest first. */
async function playwrightBrowsers(prefix, inside) {
  const cache = {
    darwin: 'Library/Caches/ms-playwright',
    win32: 'AppData/Local/ms-playwright',
    linux: '.cache/ms-playwright',
  };
  const folder = path.join(homedir(), cache[process.platform] ?? cache.linux);
  const versions = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(prefix));
  const files = inside[process.platform] ?? inside.linux;
  return versions
    .sort()
    .reverse()
    .flatMap((version) => files.map((file) => path.join(folder, version, file)));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log((await findBrowser()).executablePath);
  } catch (thrown) {
    console.error(thrown.message);
    process.exitCode = 1;
  }
}
