/** The built plugin in a window of the workbench, with a chat and a scripted model. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startWorkbench } from 'obsidian-workbench/server';
import type { Browser, Page } from 'playwright-core';
import { folders } from '../../../scripts/build/built-folders.mjs';
import { enteredHere, scriptedSecrets, scriptedSettings, startScriptedModel } from '../../support/model-server';
import { letInFolder } from '../../support/model-server/let-in';
import type { ModelRequest, ScriptStep } from '../../support/model-server/script';
import { writeVault } from '../../e2e/driver/stored-chat';

interface WindowSettings {
  /** The answer to every request. */
  readonly script: (request: ModelRequest) => ScriptStep;
  /** How many messages the stored chat has; without any there is none. */
  readonly messages?: number;
  /** How many of the newest messages no summary covers; all if absent. */
  readonly uncovered?: number;
  /** Notes of the vault, by path. */
  readonly notes?: Readonly<Record<string, string>>;
  readonly isPhone?: boolean;
  /** Whether the chat view is left to be opened. */
  readonly isClosed?: boolean;
}

/** Opens a window with an empty chat, measures in it, and removes all that was made for it. */
export async function openWindow<Figures>(
  browser: Browser,
  { script, messages = 0, uncovered = messages, notes = {}, isPhone = false, isClosed = false }: WindowSettings,
  measure: (page: Page, modelUrl: string) => Promise<Figures>,
): Promise<Figures> {
  const model = await startScriptedModel({ script });
  const vault = await mkdtemp(path.join(tmpdir(), 'docent-bench-'));
  const settings = scriptedSettings(model.url);
  await writeVault(vault, settings, messages, uncovered, notes);
  const entered = Object.entries(enteredHere(settings)).map(([name, value]) => [`docent-${name}`, value]);
  const deviceValues = { ...letInFolder(vault), ...Object.fromEntries(entered) };
  const workbench = await startWorkbench({
    vault,
    inPlace: true,
    plugins: [folders.plugin],
    assets: folders.assets,
    options: { chaosSeed: null, phone: isPhone, desktop: false, theme: 'dark', secrets: scriptedSecrets, deviceValues },
  });
  const viewport = isPhone ? { width: 390, height: 800 } : { width: 1280, height: 800 };
  const page = await browser.newPage({ viewport });
  try {
    await page.goto(workbench.url);
    await page.waitForSelector('.workbench-ready', { timeout: 300_000 });
    await stopReportingTraffic(page);
    if (!isClosed) await openChatView(page);
    return await measure(page, model.url);
  } finally {
    await page.close();
    await workbench.close();
    await model.close();
    await rm(vault, { recursive: true, force: true });
  }
}

export async function openChatView(page: Page): Promise<void> {
  await page.evaluate(() => window.app.commands.executeCommandById('docent:open-chat'));
  await page.locator('.docent-composer-input').waitFor();
}

/** A page as the driver keeps it on its own side, where alone it can turn off what it turned on. */
interface DrivenPage {
  readonly delegate: { readonly _mainFrameSession: { readonly _client: { send(method: string): Promise<unknown> } } };
}

/**
 * The driver has each page report every piece of every response. For a fast answer, that takes a seventh of the main
 * thread's time, which no user's window spends.
 */
async function stopReportingTraffic(page: Page): Promise<void> {
  const { _connection: connection } = page as unknown as {
    readonly _connection: { toImpl(page: Page): DrivenPage };
  };
  await connection.toImpl(page).delegate._mainFrameSession._client.send('Network.disable');
}
