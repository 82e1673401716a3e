// npm run screenshots: takes the pictures of docs/images from the workbench, each from a walk through the built plugin.
// Its model is a script; the notes, the requests, the review and the chats on disk are real.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { importBundled, root } from './build/bundle-node.mjs';
import { buildPage, buildPluginFolder, folders } from './build/built-folders.mjs';
import { findBrowser, launchOptions } from './browser/find-browser.mjs';
import { limitColors } from './pages/limit-colors.mjs';
import { runScript } from './run-script.mjs';

const images = path.join(root, 'docs/images');
const desktop = { name: 'desktop', viewport: { width: 1200, height: 800 }, scale: 1 };
const phone = { name: 'phone', viewport: { width: 450, height: 800 }, scale: 2, isPhone: true };

const modelId = 'openrouter/demo-model';

/** The pictures of each look: ten for the directory, half of them dark, and the review in light for the README. */
const looks = [
  { device: desktop, theme: 'dark', subjects: ['answer', 'review', 'inspector'] },
  { device: desktop, theme: 'light', subjects: ['review', 'chats', 'settings'] },
  { device: phone, theme: 'dark', subjects: ['review', 'settings'] },
  { device: phone, theme: 'light', subjects: ['answer', 'chats', 'inspector'] },
];

/** What is asked, in order, and the steps in which the scripted model answers. */
const turns = [
  {
    asks: 'When do we leave for Inch Varra?',
    steps: [
      call('search_notes', { query: 'leave for Inch Varra' }),
      { text: 'On the first settled morning after 4 July ([[Now]]).' },
    ],
  },
  {
    asks: 'Which recipe did I promise for Thursday?',
    steps: [
      call('search_notes', { query: 'promised recipe Thursday Table' }),
      { text: '[[Plum and almond tart]], for 2 July ([[Now]]).' },
    ],
  },
  {
    asks: 'What is left to do before the storage paper goes out?',
    steps: [
      call('search_notes', { query: 'storage paper what is left' }),
      { text: 'Shorten the discussion by about a third: see [[Seed storage paper#What is left]].' },
    ],
  },
  {
    asks: 'What did we decide about the keel bolts?',
    steps: [
      call('search_notes', { query: 'keel bolts' }),
      call('read_note', { path: 'Projects/Whimbrel keel bolts.md' }),
      {
        text: [
          'You replaced bolts **3 and 5**, and trusted Callum over the survey.',
          '- The survey said all seven were sound; Callum drew them and found two wasted ([[Whimbrel keel bolts#What we found]]).',
          '- Two new ones in silicon bronze, M16 × 340, £46 each, went in on 14 March ([[Whimbrel keel bolts#What we did]]).',
          'Still open: the refund for the bolt you ordered by mistake ([[Now#Waiting for]]).',
        ].join('\n\n'),
      },
    ],
  },
  {
    asks: 'The refund came, and the float switch is fixed. Update Now.',
    steps: [
      call('read_note', { path: 'Now.md' }),
      {
        toolCalls: [
          edit(
            'What is left is cosmetic, plus the bilge pump float switch, which sticks.',
            'What is left is cosmetic.',
          ),
          edit('- The foundry to refund the eighth keel bolt, which was ordered by mistake.\n', ''),
        ],
      },
      {
        text: 'Both are listed in [[Now#Waiting for]] and [[Whimbrel refit#Hull]]. Two changes are ready for your review.',
      },
    ],
  },
];

function call(name, given) {
  return { toolCalls: [{ name, arguments: given }] };
}

function edit(oldText, newText) {
  return { name: 'edit_note', arguments: { path: 'Now.md', oldText, newText } };
}

await runScript(async () => {
  await Promise.all([buildPluginFolder(), buildPage(), mkdir(images, { recursive: true })]);
  const browser = await chromium.launch(launchOptions(await findBrowser()));
  const taken = [];
  try {
    for (const look of looks) taken.push(...(await takePictures(look, browser)));
  } finally {
    await browser.close();
  }
  const old = (await readdir(images)).filter((name) => !taken.includes(name));
  await Promise.all(old.map((name) => rm(path.join(images, name))));
});

async function takePictures({ device, theme, subjects }, browser) {
  const opened = await openLook({ device, theme }, browser);
  const taken = [];
  try {
    const walk = walkThrough(opened.page, device);
    for (const subject of ['answer', 'review', 'chats', 'inspector', 'settings']) {
      await walk[subject]();
      if (!subjects.includes(subject)) continue;
      const name = `${subject}-${device.name}-${theme}.png`;
      await writeFile(path.join(images, name), limitColors(await opened.page.screenshot()));
      taken.push(name);
    }
  } finally {
    await opened.close();
  }
  return taken;
}

/** Opens the demo vault in a look, with a scripted model as its provider. */
async function openLook({ device, theme }, browser) {
  const { startWorkbench, copyVault } = await import('obsidian-workbench/server');
  const { letInFolder } = await importBundled('test/support/model-server/let-in.ts');
  const models = await importBundled('test/support/model-server/index.ts');
  const model = await models.startScriptedModel({ script: scriptOf(models) });
  const copy = await copyVault(folders.demoVault);
  const configuration = path.join(copy.folder, '.obsidian');
  await mkdir(path.join(configuration, 'plugins/docent'), { recursive: true });
  await writeFile(path.join(configuration, 'community-plugins.json'), JSON.stringify(['docent']));
  const settings = settingsFor(`${model.url}/openai/v1`, models.scriptedKeyName);
  await writeFile(path.join(configuration, 'plugins/docent/data.json'), JSON.stringify(settings));
  const entered = Object.entries(models.enteredHere(settings)).map(([name, value]) => [`docent-${name}`, value]);
  const workbench = await startWorkbench({
    vault: copy.folder,
    port: 0,
    inPlace: true,
    plugins: [folders.plugin],
    assets: folders.assets,
    options: {
      ...{ chaosSeed: null, phone: device.isPhone === true, desktop: false, theme, vaultName: 'demo-vault' },
      secrets: models.scriptedSecrets,
      deviceValues: { ...letInFolder(copy.folder), ...Object.fromEntries(entered) },
    },
  });
  const { viewport, scale, isPhone = false } = device;
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: scale,
    hasTouch: isPhone,
    isMobile: isPhone,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(workbench.url);
  await page.waitForSelector('.workbench-ready');
  const close = async () => {
    await context.close();
    await Promise.all([workbench.close(), model.close()]);
    await copy.remove();
  };
  return { page, close };
}

function settingsFor(baseUrl, keyName) {
  return {
    version: 1,
    model: modelId,
    providers: { openrouter: { baseUrl, keyName, models: ['demo-model'] } },
    modelFacts: { [modelId]: { contextWindow: 128_000, inputPrice: 1, outputPrice: 4 } },
  };
}

/** Answers each message of the walk by its steps, and anything else in one word. */
function scriptOf({ readRequest }) {
  let steps = [];
  return (request) => {
    const asked = readRequest(request).messages.findLast(({ role }) => role === 'user')?.text ?? '';
    const turn = turns.find(({ asks }) => asked.includes(asks));
    const isNew = turn !== undefined && steps.of !== turn;
    if (isNew) steps = Object.assign([...turn.steps], { of: turn });
    return steps.shift() ?? { text: 'Done.' };
  };
}

/** The steps of the walk, in their order; each leaves the page as its picture shows it. */
function walkThrough(page, device) {
  const run = (id) => page.evaluate((command) => window.app.commands.executeCommandById(`docent:${command}`), id);
  const chat = page.locator('.docent-pane').first();
  const ask = async (text) => {
    await chat.locator('.docent-composer-input').fill(text);
    await chat.locator('.docent-composer-input').press('Enter');
    await chat.locator('.docent-user', { hasText: text }).waitFor();
    await chat.locator('.docent-send.is-stop').waitFor({ state: 'detached' });
    await page.mouse.move(2, 2);
  };
  const settle = () => page.waitForTimeout(800);
  return {
    async answer() {
      await page.evaluate(() => window.app.workspace.openLinkText('Whimbrel keel bolts', '', false));
      await run('open-chat');
      await chat.locator('.docent-composer-input').waitFor();
      if (device.isPhone !== true) await widen(page, 240);
      const [last, ...earlier] = turns.slice(0, 4).reverse();
      for (const turn of earlier.reverse()) {
        await ask(turn.asks);
        await run('new-chat');
      }
      await ask(last.asks);
      await settle();
    },
    async review() {
      if (device.isPhone !== true) {
        await page.evaluate(() => window.app.workspace.openLinkText('Now', '', false));
        await page.evaluate(() => window.app.workspace.leftSplit.collapse());
      }
      await ask(turns[4].asks);
      await chat.locator('.docent-review').waitFor();
      await settle();
      const parts = chat.getByRole('checkbox', { name: /^Accept line/ });
      await parts.last().uncheck();
      const answer = chat.locator('.docent-answer').last();
      await answer.evaluate((shown) => shown.scrollIntoView({ block: 'start' }));
      await page.mouse.move(2, 2);
      await settle();
    },
    async chats() {
      await run('show-chats');
      await settle();
    },
    async inspector() {
      await page.keyboard.press('Escape');
      await run('show-prompt');
      await settle();
    },
    async settings() {
      await page.keyboard.press('Escape');
      await page.evaluate(() => {
        window.app.setting.open();
        window.app.setting.openTabById('docent');
      });
      await settle();
    },
  };
}

/** Drags the edge of the right sidebar to the left, as a person would. */
async function widen(page, by) {
  const edge = await page.locator('.mod-right-split > .workspace-leaf-resize-handle').boundingBox();
  if (edge === null) return;
  const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - by, y, { steps: 4 });
  await page.mouse.up();
}
