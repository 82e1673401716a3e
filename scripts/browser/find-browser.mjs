// Finds a Chromium that starts: the one named by DOCENT_BROWSER, a headless shell (an installed one, or the one packaged
// for npm), or any installed browser. A headless shell draws no window of its own, which costs up to a second a window.
//   node scripts/browser/find-browser.mjs   prints its path
import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { chromium } from 'playwright-core';
import { runScript, UserError } from '../run-script.mjs';
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

/**
 * Finds a browser that starts.
 * @throws UserError if none does
 */
export async function findBrowser() {
  const named = process.env.DOCENT_BROWSER;
  if (named) {
    const { works, reason } = await tryToLaunch(plainBrowser(named));
    if (works) return works;
    throw new UserError(
      `DOCENT_BROWSER names ${named}, which does not start (${reason}): name another browser, or unset it to have one found.`,
    );
  }
  const tried = [];
  for (const candidates of [installedShells, packagedBrowser, installedBrowsers]) {
    for (const { path: file, launch } of await candidates()) {
      const { works, reason } = await launch();
      if (works) return works;
      tried.push(`${file}: ${reason}`);
    }
  }
  throw new UserError(describeMissing(tried));
}

/**
 * @param tried a line for each browser that is there but does not start
 * @returns one sentence for the user
 */
export function describeMissing(tried) {
  const found =
    tried.length === 0 ? 'No Chromium was found' : `No Chromium was found that starts (${tried.join('; ')})`;
  return `${found}: install chromium-headless-shell, Chrome or Chromium, or name one with DOCENT_BROWSER=/path/to/chrome.`;
}

const plainBrowser = (executablePath) => ({ executablePath, args: quietArguments, env: {} });
const asCandidate = (file) => ({ path: file, launch: () => tryToLaunch(plainBrowser(file)) });

async function packagedBrowser() {
  const launch = async (extracted) => {
    // The packaged binary comes without the zygote helper.
    const plain = { executablePath: extracted.executablePath, args: [...quietArguments, '--no-zygote'], env: {} };
    const first = await tryToLaunch(plain);
    if (first.works || !/shared librar|fontconfig/i.test(first.detail)) return first;
    return tryToLaunch({ ...plain, env: await extractSystemFiles(extracted) });
  };
  const packaged = 'the packaged one';
  try {
    const extracted = await extractPackagedChromium();
    if (!extracted) return [];
    const guarded = () => launch(extracted).catch(({ message }) => ({ reason: message }));
    return [{ path: packaged, launch: guarded }];
  } catch (thrown) {
    // It could not be unpacked, as on a full disk.
    return [{ path: packaged, launch: async () => ({ reason: thrown.message }) }];
  }
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
    return { reason: reasonOf(detail), detail };
  }
}

/** Says in a few words why a browser does not start, from the log of playwright-core. */
function reasonOf(detail) {
  if (/ENOENT/.test(detail)) return 'there is no such file';
  if (/EACCES/.test(detail)) return 'it may not be executed';
  const lines = stripVTControlCharacters(detail).split('\n');
  const logged = lines.find((line) => /error while loading|FATAL|ERROR/.test(line));
  if (logged !== undefined) return logged.replace(/^[\s-]*(?:\[pid=\d+\]\s*)?(?:\[err\]\s*)?/, '').trim();
  const [, code, signal] = /exitCode=(\w+), signal=(\w+)/.exec(detail) ?? [];
  // On a time-out, the driver ends the browser itself.
  if (/Timeout/.test(lines[0])) return `it does not answer within ${launchTimeoutMs / 1000} seconds`;
  if (code !== undefined) return code === 'null' ? `it was ended by ${signal}` : `it ends at once with code ${code}`;
  return lines[0].replace(/^browserType\.launch: /, '').replace(/\.$/, '');
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
  const files = [...onPath(shellNames), ...(await playwrightBrowsers('chromium_headless_shell-', inside))];
  return (await presentOf(files)).map(asCandidate);
}

async function installedBrowsers() {
  const inside = {
    darwin: ['chrome-mac/Chromium.app/Contents/MacOS/Chromium'],
    win32: ['chrome-win/chrome.exe', 'chrome-win64/chrome.exe'],
    linux: ['chrome-linux/chrome', 'chrome-linux64/chrome'],
  };
  const files = [...onPath(names), ...usualPlaces(), ...(await playwrightBrowsers('chromium-', inside))];
  return (await presentOf(files)).map(asCandidate);
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

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await runScript(async () => console.log((await findBrowser()).executablePath));
