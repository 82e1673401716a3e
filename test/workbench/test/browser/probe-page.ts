/** Opens the workbench with the probe and another plugin, and gives tests access to the probe. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type ProbePlugin from '../../src/probe/main';
import { builtFolders, openPage, type OpenedPage, type PageOptions } from './open-page';

export interface ProbePage {
  workbench: OpenedPage;
  page: Page;
  /** Runs one of the probe's trials and gives what it saw. */
  trial<T = unknown>(name: string, given?: unknown): Promise<T>;
  /** What the probe noted since it was last asked. */
  takeLog(): Promise<string[]>;
  /** Waits until the probe has noted this; the log stays. */
  untilNoted(text: string): Promise<void>;
  /** What the probe keeps in its data.json. */
  readSettings(): Promise<Record<string, unknown>>;
}

export const probeVault = {
  'Links.md': '# Links\n\nA paragraph about birch.\n',
  'Read.md':
    '---\ntitle: A title\n---\n# Read\n\nThis is a **badge** here.\n\n```probe\none\ntwo\n```\n\nTo [[Links]] and [[Nowhere]].\n',
  'Write.md': 'the probe is here\n',
  'View.probefile': 'seen',
  'Edit.probetext': 'before',
  'Folder/Inner.md': 'inner',
};

/** A plugin that does not depend on the probe. */
const otherPlugin = path.join(__dirname, '../second-plugin');

export async function openProbe(options: Partial<PageOptions> = {}): Promise<ProbePage> {
  const { probe } = builtFolders();
  const workbench = await openPage({ vault: probeVault, plugins: [otherPlugin, probe], ...options });
  const { page } = workbench;
  return {
    workbench,
    page,
    trial: (name, given) =>
      page.evaluate(
        async ([wanted, value]) => {
          const plugin = window.app.plugins.getPlugin('probe') as unknown as ProbePlugin;
          return (await plugin.trials[wanted as string]?.(value)) as never;
        },
        [name, given],
      ),
    takeLog: () => page.evaluate(() => (window.app.plugins.getPlugin('probe') as unknown as ProbePlugin).log.splice(0)),
    untilNoted: async (text) => {
      const isNoted = (wanted: string): boolean =>
        (window.app.plugins.getPlugin('probe') as unknown as ProbePlugin).log.includes(wanted);
      await page.waitForFunction(isNoted, text, { timeout: 10_000 }).catch(async () => {
        const log = await page.evaluate(() => (window.app.plugins.getPlugin('probe') as unknown as ProbePlugin).log);
        throw new Error(`“${text}” was not noted; this was:\n${log.join('\n')}`);
      });
    },
    readSettings: () => readSettings(workbench),
  };
}

/**
 * Gives the tests of a file one probe, opened before the first of them. After the last one it is closed; its page must
 * have had no error and have asked nothing of another machine.
 */
export function shareProbe(): ProbePage {
  const shared = {} as ProbePage;
  beforeAll(async () => {
    Object.assign(shared, await openProbe());
  });
  afterAll(async () => {
    expect(shared.workbench.errors).toEqual([]);
    expect(shared.workbench.outsideRequests).toEqual([]);
    await shared.workbench.close();
  });
  return shared;
}

/** Reads the file again while it is being written. */
async function readSettings(workbench: OpenedPage): Promise<Record<string, unknown>> {
  for (const end = Date.now() + 5_000; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    try {
      return JSON.parse(await workbench.readNote('.obsidian/plugins/probe/data.json')) as Record<string, unknown>;
    } catch (thrown) {
      if (Date.now() > end) throw thrown;
    }
  }
}

/** A server on this machine that answers with what it is sent. */
export async function startEcho(): Promise<{ url: string; close(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.writeHead(request.url === '/404' ? 404 : 200, { 'content-type': 'application/json' });
      const body = Buffer.concat(parts).toString();
      response.end(JSON.stringify({ method: request.method, body, type: request.headers['content-type'] ?? null }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
