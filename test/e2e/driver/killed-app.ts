/** The app with a profile that lasts: browser and server are processes of their own, and can be killed at any moment. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { letInFolder } from '../../support/model-server/let-in';
import {
  enteredHere,
  scriptedSecrets,
  scriptedSettings,
  startScriptedModel,
  type Script,
} from '../../support/model-server';
import { enablePlugin, writeFiles } from './workbench';

interface SetUp {
  readonly launch: { readonly executablePath: string; readonly args: readonly string[] };
  readonly env: Record<string, string>;
  readonly folders: { readonly assets: string; readonly plugin: string };
}

export interface KilledApp {
  readonly vaultFolder: string;
  /** Starts server and browser over what was left, and waits until the plugin is ready. */
  start(): Promise<Page>;
  /** Kills both at once, as a power cut would. */
  kill(): Promise<void>;
  /** The texts of all logs, joined. */
  readLogs(): Promise<string>;
  read(notePath: string): Promise<string>;
  close(): Promise<void>;
}

const startMilliseconds = 30_000;

export async function createKilledApp(files: Readonly<Record<string, string>>, script: Script): Promise<KilledApp> {
  const { launch, env, folders } = JSON.parse(process.env.DOCENT_E2E ?? '{}') as SetUp;
  const parent = await mkdtemp(path.join(await realpath(tmpdir()), 'docent-killed-'));
  const vaultFolder = path.join(parent, 'vault');
  const profile = path.join(parent, 'profile');
  // What a killed process leaves goes with the rest.
  const temporaryFiles = path.join(parent, 'temporary');
  await mkdir(temporaryFiles);
  const model = await startScriptedModel({ script });
  await writeFiles(vaultFolder, files);
  await enablePlugin(vaultFolder, scriptedSettings(model.url));
  let port = 0;
  let running: ChildProcess[] = [];

  const startServer = (): Promise<string> => {
    const settings = {
      ...{ vault: vaultFolder, inPlace: true, port, plugins: [folders.plugin], assets: folders.assets },
      proxy: { loopbackOnly: true },
      options: {
        phone: false,
        theme: 'dark',
        chaosSeed: null,
        desktop: false,
        readOnly: false,
        secrets: scriptedSecrets,
        deviceValues: {
          ...letInFolder(vaultFolder),
          ...Object.fromEntries(
            Object.entries(enteredHere(scriptedSettings(model.url))).map(([name, value]) => [`docent-${name}`, value]),
          ),
        },
      },
    };
    const server = fork(path.resolve('test/e2e/driver/torn-server.mjs'), [JSON.stringify(settings)], {
      env: { ...process.env, TMPDIR: temporaryFiles },
    });
    running.push(server);
    return within('the server', (resolve) => server.once('message', (url) => resolve(String(url))));
  };
  const startBrowser = async (): Promise<Page> => {
    const asked = [
      ...launch.args,
      '--headless',
      '--no-sandbox',
      `--user-data-dir=${profile}`,
      '--remote-debugging-port=0',
    ];
    const browser = spawn(launch.executablePath, [...asked, 'about:blank'], {
      ...{ env: { ...process.env, ...env, TMPDIR: temporaryFiles }, detached: true },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running.push(browser);
    const address = await within<string>('the browser', (resolve) => {
      let said = '';
      browser.stderr?.on('data', (data: Buffer) => {
        said += data.toString();
        const found = /DevTools listening on (\S+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    // In a folder of its own, the driver's files would be there until it has heard that the browser was killed.
    const connected = await chromium.connectOverCDP(address, { artifactsDir: temporaryFiles });
    const [context] = connected.contexts();
    const page = context?.pages()[0] ?? (await context?.newPage());
    if (page === undefined) throw new Error('The browser has no window.');
    return page;
  };
  const kill = async (): Promise<void> => {
    const ended = running.map(
      (child) => child.exitCode ?? new Promise((resolve) => child.once('exit', () => resolve(0))),
    );
    for (const child of running) {
      // The browser leads a group, whose processes would outlive it.
      if (child.pid === undefined || child.exitCode !== null) continue;
      if (child.connected) child.kill('SIGKILL');
      else process.kill(-child.pid, 'SIGKILL');
    }
    running = [];
    await Promise.all(ended);
  };
  return {
    vaultFolder,
    async start() {
      const [url, page] = await Promise.all([startServer(), startBrowser()]);
      port = Number(new URL(url).port);
      await page.goto(url);
      const isReady = (): boolean => document.body.classList.contains('workbench-ready');
      await page.waitForFunction(isReady, undefined, { timeout: startMilliseconds });
      return page;
    },
    kill,
    async readLogs() {
      const folder = path.join(vaultFolder, 'Docent/chats');
      const names = await readdir(folder, { recursive: true }).catch(() => []);
      const logs = names
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => readFile(path.join(folder, name), 'utf8'));
      return (await Promise.all(logs)).join('');
    },
    read: (notePath) => readFile(path.join(vaultFolder, notePath), 'utf8'),
    async close() {
      await kill();
      await model.close();
      await rm(parent, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function within<Value>(what: string, act: (resolve: (value: Value) => void) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} did not start.`)), startMilliseconds);
    act((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
