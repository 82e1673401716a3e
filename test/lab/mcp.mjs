// The experiment `mcp`: connects the built plugin in a browser to servers that nobody here wrote, and to those of the
// official SDKs in all modes: looks, allows, and has a scripted model call every tool.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser, launchOptions } from '../../scripts/browser/find-browser.mjs';
import { importBundled, root } from '../../scripts/build/bundle-node.mjs';
import { buildPage, buildPluginFolder, folders } from '../../scripts/build/built-folders.mjs';

/** Its own folder of packages, with a lock file. */
export const packages = path.join(root, 'test/lab/mcp');

const installed = (name) => path.join(packages, 'node_modules', name);
const sdk = (file) => path.join(root, 'test/support/mcp-server', file);

/** What a tool of the reference server takes; the others take nothing. */
const everythingArguments = {
  echo: { message: 'tea' },
  'get-annotated-message': { messageType: 'success', includeImage: true },
  'get-resource-links': { count: 2 },
  'get-resource-reference': { resourceType: 'Text', resourceId: 1 },
  'get-structured-content': { location: 'New York' },
  'get-sum': { a: 2, b: 3 },
  'gzip-file-as-resource': { name: 'a.txt.gz', data: 'data:text/plain;base64,aGVsbG8=', outputType: 'resource' },
  'simulate-research-query': { topic: 'tides' },
  'trigger-long-running-operation': { duration: 66, steps: 66 },
  'trigger-url-elicitation': { url: 'https://example.com/' },
};

/** Needs tasks, which Docent refuses, or asks for what it gives no server. */
const needsMore = ['simulate-research-query', 'trigger-sampling-request', 'trigger-sampling-request-async'];

const stepping = { steps: { steps: 5, pause: 20 }, echo: { said: 'tea' }, large: { kilobytes: 400 } };
const servers = [
  {
    name: 'everything',
    file: installed('@modelcontextprotocol/server-everything/dist/index.js'),
    args: everythingArguments,
  },
  { name: 'sessions', file: sdk('sdk-server.mjs'), mode: 'sessions', args: stepping },
  { name: 'stateless', file: sdk('sdk-server.mjs'), mode: 'stateless', args: stepping },
  { name: 'modern', file: sdk('stateless-server.mjs'), mode: 'modern', args: stepping },
  { name: 'dual', file: sdk('stateless-server.mjs'), mode: 'dual', args: stepping },
  {
    name: 'git',
    file: installed('@cyanheads/git-mcp-server/dist/index.js'),
    args: { git_set_working_dir: { path: root } },
    only: ['git_set_working_dir', 'git_status'],
  },
];

export async function measure({ progress }) {
  await Promise.all([buildPluginFolder(), buildPage()]);
  const browser = await chromium.launch(launchOptions(await findBrowser()));
  const measured = [];
  try {
    for (const server of servers) {
      progress(`${server.name} …`);
      const figures = await playServer(browser, server).catch((error) => ({ failed: String(error.message ?? error) }));
      measured.push({ server: server.name, ...figures });
      progress(`  ${JSON.stringify(figures)}`);
    }
  } finally {
    await browser.close();
  }
  return { revision_of_everything: '2026.8.31', servers: measured };
}

/** @returns the figures as lines for people */
export function print({ servers: measured }) {
  return measured
    .map(({ server, failed, answered, tools, problems = [] }) =>
      failed === undefined
        ? `${server}: ${answered} of ${tools} tools answered${problems.length === 0 ? '' : `; ${problems.join('; ')}`}`
        : `${server}: failed: ${failed}`,
    )
    .join('\n');
}

async function playServer(browser, server) {
  const started = await startServer(server);
  const view = await openChat(browser, server.name, started.url).catch(async (error) => {
    await started.stop();
    throw error;
  });
  try {
    return await callAll(view, server);
  } finally {
    await view.close();
    await started.stop();
  }
}

/** Starts a server of its own process on a free port, and waits until it listens. */
async function startServer({ name, file, mode }) {
  const port = await freePort();
  const environment = {
    ...process.env,
    PORT: String(port),
    MCP_TRANSPORT_TYPE: 'http',
    MCP_HTTP_PORT: String(port),
    MCP_HTTP_HOST: '127.0.0.1',
    MCP_ALLOWED_ORIGINS: '*',
  };
  const child = spawn(process.execPath, [file, mode ?? 'streamableHttp'], { env: environment, cwd: tmpdir() });
  let said = '';
  const url = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} did not start: ${said.slice(-500)}`)), 30_000);
    const hear = (data) => {
      said += data;
      const own = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said)?.[0];
      if (mode !== undefined && own === undefined) return;
      if (mode === undefined && !/listening|started|running/i.test(said)) return;
      clearTimeout(timer);
      resolve(own ?? `http://127.0.0.1:${port}/mcp`);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${said.slice(-500)}`)));
  });
  return { url, stop: () => new Promise((resolve) => (child.once('exit', resolve), child.kill('SIGKILL'))) };
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Opens a chat over a small vault, with a model that says what the lab has put into its script. */
async function openChat(browser, name, url) {
  const { startWorkbench } = await import('obsidian-workbench/server');
  const { startScriptedModel, scriptedSettings, scriptedSecrets, enteredHere, readRequest } = await importBundled(
    'test/support/model-server/index.ts',
  );
  const next = [];
  const model = await startScriptedModel({ script: () => next.shift() ?? { text: 'Done.' } });
  const vault = await mkdtemp(path.join(tmpdir(), 'docent-lab-'));
  const settings = {
    ...scriptedSettings(model.url),
    // One that takes images.
    model: 'anthropic/scripted',
    mcpServers: [{ name, url, keyName: '', isOn: true }],
    permissionMode: 'review',
  };
  const plugin = path.join(vault, '.obsidian/plugins/docent');
  await mkdir(plugin, { recursive: true });
  await writeFile(path.join(vault, '.obsidian/community-plugins.json'), JSON.stringify(['docent']));
  await writeFile(path.join(plugin, 'data.json'), JSON.stringify(settings));
  await writeFile(path.join(vault, 'Now.md'), '# Now\n\nThe boat lies on the hard.\n');
  const entered = Object.fromEntries(
    Object.entries(enteredHere(settings)).map(([key, value]) => [`docent-${key}`, value]),
  );
  const workbench = await startWorkbench({
    vault,
    port: 0,
    inPlace: true,
    plugins: [folders.plugin],
    assets: folders.assets,
    options: {
      chaosSeed: null,
      phone: false,
      desktop: false,
      theme: 'dark',
      secrets: scriptedSecrets,
      deviceValues: entered,
    },
  });
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
  const page = await context.newPage();
  const close = async () => {
    await context.close();
    await workbench.close();
    await model.close();
    await rm(vault, { recursive: true, force: true });
  };
  await page.goto(workbench.url);
  await page.waitForSelector('.workbench-ready');
  return { page, name, next, model, close, readRequest };
}

async function callAll(view, { name, args = {}, only }) {
  const { page } = view;
  const tools = await lookAndAllow(page, name);
  const wanted = (only ?? tools).filter((tool) => !needsMore.includes(tool));
  await page.evaluate(() => window.app.commands.executeCommandById('docent:open-chat'));
  await page.locator('.docent-composer-input').waitFor();
  const problems = [];
  let answered = 0;
  let images = 0;
  let rows = 0;
  let progressShown = false;
  let longest = 0;
  for (const tool of wanted) {
    const began = Date.now();
    const result = await callTool(view, tool, args[tool] ?? {});
    longest = Math.max(longest, Date.now() - began);
    if (result.isAnswer) answered += 1;
    else problems.push(`${tool}: ${result.text.slice(0, 120)}`);
    images += result.images;
    rows += /\{"(?:rows|temperature|conditions)"/.test(result.text) ? 1 : 0;
    progressShown ||= result.sawProgress;
  }
  const cancelled = wanted.includes('cancelled') ? await stopSteps(view) : undefined;
  return {
    tools: wanted.length,
    answered,
    images_in_requests: images,
    rows_in_requests: rows,
    progress_shown: progressShown,
    longest_call_seconds: Math.round(longest / 1000),
    ...(cancelled !== undefined && { cancel_reached_server: cancelled }),
    ...(problems.length > 0 && { problems }),
  };
}

/** As a person does it in the settings. @returns the names of the tools that were allowed */
async function lookAndAllow(page, name) {
  await page.evaluate(() => {
    window.app.setting.open();
    window.app.setting.openTabById('docent');
  });
  const modal = page.locator('.modal.mod-settings');
  const row = modal
    .locator('.setting-item')
    .filter({ has: page.locator('.setting-item-name', { hasText: new RegExp(`^${name}$`) }) });
  await modal.locator('.setting-item-name', { hasText: /^MCP servers$/ }).click();
  await row.getByRole('button', { name: 'Connect' }).click();
  await row.getByRole('button', { name: 'Review tools' }).click({ timeout: 40_000 });
  await page.locator('.docent-offer-name code').first().waitFor();
  const tools = await page
    .locator('.docent-offer-parts section', { has: page.locator('h4', { hasText: /^Tools$/ }) })
    .locator('.docent-offer-name code')
    .allInnerTexts();
  await page.getByRole('button', { name: 'Allow on this device' }).click();
  await row.getByText('Ready:').waitFor();
  await page.keyboard.press('Escape');
  await modal.waitFor({ state: 'detached' });
  return tools;
}

/** Has the model call one tool, allows it, and answers what the server asks. */
async function callTool({ page, name, next, model, readRequest }, tool, args) {
  const before = model.requests.length;
  const declared = `${name}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  next.push({ toolCalls: [{ name: declared, arguments: args }] }, { text: 'Done.' });
  await say(page, `Call ${tool}.`);
  let sawProgress = false;
  for (const end = Date.now() + 120_000; Date.now() < end && model.requests.length < before + 2;) {
    const question = page.locator('.docent-network-question');
    if (await question.isVisible()) await answerQuestion(question);
    sawProgress ||= (await page.locator('.docent-run-progress').allInnerTexts()).some((text) => text.trim() !== '');
    await page.waitForTimeout(50);
  }
  await page
    .locator('.docent-send.is-stop')
    .waitFor({ state: 'detached' })
    .catch(() => undefined);
  const request = model.requests.at(-1);
  const said = JSON.stringify(request?.body ?? {});
  const results = readRequest(request).messages.flatMap(({ results: each = [] }) => each);
  const text = results.at(-1)?.text ?? '';
  return {
    isAnswer: model.requests.length >= before + 2 && text.includes(`Response of the server ${name}`),
    text,
    images: /"type":"image"/.test(said) && /\[image 1:/.test(text) ? 1 : 0,
    sawProgress,
  };
}

async function answerQuestion(question) {
  const field = question.locator('.docent-field input[type="text"]').first();
  if (await field.isVisible().catch(() => false)) {
    for (const input of await question.locator('.docent-field input[type="text"]').all()) {
      if ((await input.inputValue()) === '') await input.fill('1');
    }
    const answer = question.getByRole('button', { name: 'Answer', exact: true });
    await answer.click({ timeout: 2_000 }).catch(() => undefined);
    if (await question.isVisible()) {
      const refuse = question.getByRole('button', { name: 'Don’t answer' });
      await refuse.click({ timeout: 1_000 }).catch(() => undefined);
    }
    return;
  }
  const names = ['Send', 'Don’t answer'];
  for (const name of names) {
    const button = question.getByRole('button', { name, exact: true });
    if (await button.isEnabled({ timeout: 200 }).catch(() => false)) {
      await button.click({ timeout: 2_000 }).catch(() => undefined);
      return;
    }
  }
}

async function say(page, text) {
  await page.locator('.docent-composer-input').fill(text);
  await page.keyboard.press('Enter');
}

/** Stops a call of many steps, and asks the server whether it heard of that. */
async function stopSteps(view) {
  const { page, name, next } = view;
  next.push({ toolCalls: [{ name: `${name}_steps`, arguments: { steps: 2_000, pause: 20 } }] });
  await say(page, 'Call it for long.');
  const question = page.locator('.docent-network-question');
  await question.getByRole('button', { name: 'Send', exact: true }).click();
  await page.waitForTimeout(1_500);
  await page.locator('.docent-composer-input').press('Escape');
  await page.waitForTimeout(1_000);
  next.length = 0;
  const { text } = await callTool(view, 'cancelled', {});
  return /cancelled [1-9]/.test(text);
}
