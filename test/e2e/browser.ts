/** The one browser that the tests of a file share, and its windows. */
import { chromium, type Browser, type BrowserContext } from 'playwright-core';

interface SetUp {
  launch: { executablePath: string; args: string[]; headless: boolean; timeout: number };
  env: Record<string, string>;
  folders: { assets: string; plugin: string; probe: string | null; demoVault: string };
}

/** Names of other machines do not resolve: a test cannot reach them even by mistake. */
const loopbackOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

let launching: Promise<Browser> | undefined;

export async function closeBrowser(): Promise<void> {
  await (await launching)?.close();
  launching = undefined;
}

/** The folders that the global set-up built. */
export const builtFolders = (): SetUp['folders'] => readSetUp().folders;

export async function newContext(look: { phone: boolean; theme: 'dark' | 'light' }): Promise<BrowserContext> {
  launching ??= launch();
  const browser = await launching;
  return browser.newContext({
    colorScheme: look.theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...(look.phone
      ? { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
      : { viewport: { width: 1280, height: 800 } }),
  });
}

function launch(): Promise<Browser> {
  const { launch: options, env } = readSetUp();
  const processEnvironment = Object.fromEntries(
    Object.entries({ ...process.env, ...env }).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return chromium.launch({ ...options, args: [...options.args, loopbackOnly], env: processEnvironment });
}

function readSetUp(): SetUp {
  const setUp = process.env.DOCENT_E2E;
  if (setUp === undefined) throw new Error('Run this through jest’s “browser” project: its set-up finds the browser.');
  return JSON.parse(setUp) as SetUp;
}
