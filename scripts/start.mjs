// npm start: builds the plugin and opens it in the workbench, an emulated Obsidian in the browser.
import { spawn } from 'node:child_process';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { watchPlugin } from '../esbuild.config.mjs';
import { watchStyles } from './build/build-styles.mjs';
import { buildPage, buildPluginFolder, buildProbe, folders } from './build/built-folders.mjs';
import { importBundled } from './build/bundle-node.mjs';
import { runScript, UserError } from './run-script.mjs';

const defaultPort = 5178;
const portsToTry = 20;
const pluginFolder = '.obsidian/plugins/docent';

const help = `npm start -- [options]

  --vault PATH   work on a copy of this vault instead of the demo vault
  --in-place     with --vault: work on the folder itself
  --port N       listen on this port (${defaultPort}, or the next free one)
  --phone        the phone layout, without Node modules
  --light        the light theme
  --desktop      allow Node modules as the desktop app does
  --scripted     answer from a scripted model instead of a real one
  --chaos SEED   randomise what Obsidian does not promise
  --probe        load the probe plugin too
  --no-open      do not open a browser`;

const flag = { type: 'boolean', default: false };
const options = {
  vault: { type: 'string' },
  port: { type: 'string' },
  chaos: { type: 'string' },
  'in-place': flag,
  phone: flag,
  light: flag,
  desktop: flag,
  scripted: flag,
  probe: flag,
  'no-open': flag,
  help: { ...flag, short: 'h' },
};

await runScript(async () => {
  const { values } = parseArgs({ options });
  if (values.help) return console.log(help);
  if (values.scripted && values['in-place']) {
    throw new UserError(
      '--scripted changes the settings of the vault, so it works on a copy only: leave --in-place out.',
    );
  }
  const vault = await checkVault(values.vault, values['in-place']);
  const port = values.port === undefined ? null : readNumber(values.port, '--port', 65_535);
  const chaosSeed = values.chaos === undefined ? null : readNumber(values.chaos, '--chaos', 2 ** 31 - 1);

  if (port !== null) await checkPort(port);
  const { startWorkbench, copyVault } = await import('obsidian-workbench/server');
  await Promise.all([values.probe ? buildProbe() : null, buildPluginFolder(), buildPage()]);

  const closers = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const model = values.scripted ? await startModel(closers) : null;
    const copy = values['in-place'] ? null : await copyVault(vault);
    if (copy) {
      closers.push(copy.remove);
      await enablePlugin(copy.folder, model?.settings);
    } else {
      // Obsidian stores a plugin's settings in the plugin's folder; here only that folder is needed.
      await mkdir(path.join(vault, pluginFolder), { recursive: true });
    }
    const workbench = await listen(startWorkbench, port, {
      vault: copy?.folder ?? vault,
      inPlace: true,
      plugins: [folders.plugin, ...(values.probe ? [folders.probe] : [])],
      assets: folders.assets,
      liveReload: true,
      options: {
        chaosSeed,
        phone: values.phone,
        desktop: values.desktop,
        theme: values.light ? 'light' : 'dark',
        vaultName: path.basename(vault),
        secrets: model?.secrets ?? {},
      },
    });
    closers.push(workbench.close);
    closers.push(await watchSources(workbench));
    console.error(`Vault: ${workbench.vaultFolder}${copy ? ' (a copy, removed at the end)' : ''}`);
    if (model) console.error(`Scripted model: ${model.url}`);
    console.log(`Docent workbench: ${workbench.url}`);
    if (!values['no-open']) openBrowser(workbench.url);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => close().finally(() => process.exit()));
});

async function checkVault(given, inPlace) {
  if (given === undefined) {
    if (inPlace) throw new UserError('--in-place works on a folder of yours: name it with --vault PATH.');
    return folders.demoVault;
  }
  const vault = path.resolve(given);
  const stats = await stat(vault).catch(() => null);
  if (!stats) throw new UserError(`There is no folder at ${vault}: name an existing vault with --vault PATH.`);
  if (!stats.isDirectory()) throw new UserError(`${vault} is a file: name the folder of a vault with --vault PATH.`);
  return vault;
}

function readNumber(text, name, maximum) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= maximum) return number;
  throw new UserError(`${name} takes a whole number from 0 to ${maximum}, not “${text}”.`);
}

async function startModel(closers) {
  const { startScriptedModel, scriptedSecrets, scriptedSettings } = await importBundled(
    'test/support/model-server/index.ts',
  );
  const model = await startScriptedModel({ delayMs: 20 });
  closers.push(model.close);
  return { url: model.url, settings: scriptedSettings(model.url), secrets: scriptedSecrets };
}

/** Enables the plugin, only ever in a copy: the configuration of the user's own vault stays unchanged. */
async function enablePlugin(vault, settings) {
  const configuration = path.join(vault, '.obsidian');
  const plugin = path.join(vault, pluginFolder);
  await mkdir(plugin, { recursive: true });
  await writeFile(path.join(configuration, 'community-plugins.json'), JSON.stringify(['docent']));
  if (settings) await writeFile(path.join(plugin, 'data.json'), JSON.stringify(settings, null, 2));
}

/** Reports a busy port before the build, which takes longer than this check. */
async function checkPort(port) {
  const probe = createServer();
  await new Promise((resolve, reject) => {
    probe.once('error', (thrown) => reject(explainPort(thrown, port)));
    probe.listen(port, '127.0.0.1', resolve);
  });
  await new Promise((resolve) => probe.close(resolve));
}

function explainPort(thrown, port) {
  if (thrown.code === 'EADDRINUSE') {
    return new UserError(`Port ${port} is in use: choose another with --port N, or leave --port out.`);
  }
  if (thrown.code !== 'EACCES') return thrown;
  return new UserError(`Port ${port} needs more rights: choose one above 1023 with --port N.`);
}

async function listen(startWorkbench, port, settings) {
  const candidates = port === null ? Array.from({ length: portsToTry }, (_, index) => defaultPort + index) : [port];
  for (const candidate of candidates) {
    try {
      return await startWorkbench({ ...settings, port: candidate });
    } catch (thrown) {
      if (port !== null || thrown.code !== 'EADDRINUSE') throw explainPort(thrown, candidate);
    }
  }
  throw new UserError(`The ports from ${defaultPort} on are in use: choose a free one with --port N.`);
}

/** Rebuilds the plugin when its sources change and reloads the page. */
async function watchSources(workbench) {
  // Each tells of a first build, which the page that opens has already.
  const reloadAfterFirst = () => {
    let built = 0;
    return () => {
      if (built++ > 0) workbench.reload();
    };
  };
  const stops = await Promise.all([
    watchPlugin(path.join(folders.plugin, 'main.js'), reloadAfterFirst()),
    watchStyles(path.join(folders.plugin, 'styles.css'), reloadAfterFirst()),
  ]);
  return () => Promise.all(stops.map((stop) => stop()));
}

function openBrowser(url) {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return;
  const [command, ...args] = { darwin: ['open', url], win32: ['cmd', '/c', 'start', '""', url] }[process.platform] ?? [
    'xdg-open',
    url,
  ];
  const opener = spawn(command, args, { stdio: 'ignore', detached: true });
  // If no browser can be opened, the printed address is enough.
  opener.on('error', () => {});
  opener.unref();
}
