/** Pages of the workbench that a test opens: what goes wrong in them, and how they are used from outside. */
import type { BrowserContext, Page } from 'playwright-core';

/** Milliseconds in which a page has loaded its vault and its plugin. */
const readyTimeoutMs = 30_000;
/** Milliseconds in which a page that was not ready says how far it has come. */
const answerTimeoutMs = 2_000;

/** @returns errors of the pages and what they printed as such, as they come */
export function watchPages(context: BrowserContext): string[] {
  const errors: string[] = [];
  context.on('weberror', (error) => errors.push(error.error().stack ?? String(error.error())));
  context.on('console', (message) => {
    // The browser reports every 404, but requesting a file that may be missing is not an error.
    const isAnsweredRefusal =
      /^Failed to load resource/.test(message.text()) && message.location().url.includes('/api/');
    if (message.type() === 'error' && !isAnsweredRefusal) errors.push(message.text());
  });
  return errors;
}

/** Waits until the vault and the plugin are loaded; says what went wrong if they never are. */
export async function untilReady(page: Page, errors: readonly string[]): Promise<void> {
  try {
    await untilInPage(page, () => document.body.classList.contains('workbench-ready'), null, readyTimeoutMs);
  } catch {
    const known = [await stateOf(page), ...errors].join('\n');
    throw new Error(`The workbench was not ready in ${readyTimeoutMs / 1000} s.\n${known}`);
  }
}

/** Says how far a page has come. */
async function stateOf(page: Page): Promise<string> {
  const asked = page.evaluate(() => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    const { readyState, body } = document;
    return `${location.href} is ${readyState}, of the class “${body.className}”; loaded: ${loaded.join(' ')}`;
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, answerTimeoutMs, 'The page does not answer.');
  });
  return Promise.race([asked, late])
    .catch(String)
    .finally(() => clearTimeout(timer));
}

/**
 * Waits until the page is as asked for: it looks at once and whenever its elements change. The driver's own way would
 * put a third of a megabyte of script into the page, and have each frame drawn to look in it.
 */
export async function untilInPage<Given>(
  page: Page,
  isSo: (given: Given) => boolean,
  given: Given,
  timeoutMs: number,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Not within ${timeoutMs / 1000} s.`)), timeoutMs);
  });
  try {
    while (!(await Promise.race([lookUntil(page, isSo, given), late])));
  } finally {
    clearTimeout(timer);
  }
}

/** @returns false if the page was left for another one in between */
async function lookUntil<Given>(page: Page, isSo: (given: Given) => boolean, given: Given): Promise<boolean> {
  try {
    await page.evaluate(`(${String(lookAtChanges)})(${String(isSo)}, ${JSON.stringify(given)})`);
    return true;
  } catch (thrown) {
    if (/context was destroyed/.test(String(thrown))) return false;
    throw thrown;
  }
}

function lookAtChanges<Given>(isSo: (given: Given) => boolean, given: Given): Promise<void> | null {
  if (isSo(given)) return null;
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!isSo(given)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document, { attributes: true, childList: true, subtree: true });
  });
}

/** Loads the page again. */
export async function reloadPage(page: Page, errors: readonly string[]): Promise<void> {
  await page.reload();
  await untilReady(page, errors);
}

/** Runs a command of the app or of a plugin; throws if there is none, or if it does not apply here. */
export async function runCommand(page: Page, id: string): Promise<void> {
  const ran = await page.evaluate((command) => window.app.commands.executeCommandById(command), id);
  if (!ran) throw new Error(`There is no command ${id}, or it does not apply here.`);
}
