/** Pages of the workbench that a test opens: what goes wrong in them, and how they are used from outside. */
import type { BrowserContext, Page } from 'playwright-core';

/** Milliseconds in which a page has loaded its vault and its plugin. */
const readyTimeoutMs = 30_000;

export interface Watched {
  /** Errors of the pages and what they printed as such, as they come. */
  readonly errors: string[];
  /** Addresses of other machines that the pages asked. */
  readonly outsideRequests: string[];
}

export function watchPages(context: BrowserContext): Watched {
  const errors: string[] = [];
  const outsideRequests: string[] = [];
  context.on('weberror', (error) => errors.push(error.error().stack ?? String(error.error())));
  context.on('console', (message) => {
    // The browser reports every 404, but requesting a file that may be missing is not an error.
    const isAnsweredRefusal =
      /^Failed to load resource/.test(message.text()) && message.location().url.includes('/api/');
    if (message.type() === 'error' && !isAnsweredRefusal) errors.push(message.text());
  });
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isLocal = hostname === '127.0.0.1' || hostname === 'localhost';
    if (/^(?:https?|wss?):$/.test(protocol) && !isLocal) outsideRequests.push(request.url());
  });
  return { errors, outsideRequests };
}

/** Waits until the vault and the plugin are loaded; says what went wrong if they never are. */
export async function untilReady(page: Page, errors: readonly string[]): Promise<void> {
  const isReady = (): boolean => document.body.classList.contains('workbench-ready');
  await page.waitForFunction(isReady, undefined, { timeout: readyTimeoutMs }).catch(() => {
    throw new Error(`The workbench was not ready in ${readyTimeoutMs / 1000} s.\n${errors.join('\n')}`);
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
