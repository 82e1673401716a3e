// npm start: builds the plugin and opens it in the workbench, an emulated Obsidian in the browser.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readServeArguments, serve, serveFlags, serveHelp } from 'obsidian-workbench/server';
import { watchPlugin } from '../esbuild.config.mjs';
import { watchStyles } from './build/build-styles.mjs';
import { buildPage, buildPluginFolder, buildProbe, folders } from './build/built-folders.mjs';
import { importBundled } from './build/bundle-node.mjs';
import { runScript, UserError } from './run-script.mjs';

const help = `npm start -- [options]

  --vault PATH   work on a copy of this vault instead of the demo vault
${serveHelp}
  --scripted     answer from a scripted model instead of a real one
  --probe        load the probe plugin too`;

const flag = { type: 'boolean', default: false };
const options = { ...serveFlags, scripted: flag, probe: flag, help: { ...flag, short: 'h' } };

await runScript(async () => {
  const { values } = parseArgs({ options });
  if (values.help) return console.log(help);
  if (values.scripted && values['in-place']) {
    throw new UserError(
      '--scripted changes the settings of the vault, so it works on a copy only: leave --in-place out.',
    );
  }
  const given = await readServeArguments(values, folders.demoVault);
  await Promise.all([values.probe ? buildProbe() : null, buildPluginFolder(), buildPage()]);
  await serve(given, {
    plugins: [folders.plugin, ...(values.probe ? [folders.probe] : [])],
    assets: folders.assets,
    async prepare(vault) {
      await writeFile(path.join(vault, '.obsidian/community-plugins.json'), JSON.stringify(['docent']));
      // The demo vault is the user's own; another vault asks about its instruction files, as it would in Obsidian.
      const deviceValues = values.vault === undefined ? await allowInstructions(vault) : {};
      return values.scripted ? startModel(vault, deviceValues) : { options: { deviceValues } };
    },
    started: watchSources,
  });
});

async function allowInstructions(vault) {
  const { letInFolder } = await importBundled('test/support/model-server/let-in.ts');
  return letInFolder(vault);
}

async function startModel(vault, given) {
  const modelServer = await importBundled('test/support/model-server/index.ts');
  const { url, close } = await modelServer.startScriptedModel({ delayMs: 20 });
  const settings = modelServer.scriptedSettings(url);
  await writeFile(path.join(vault, '.obsidian/plugins/docent/data.json'), JSON.stringify(settings, null, 2));
  console.error(`Scripted model: ${url}`);
  const entered = Object.entries(modelServer.enteredHere(settings));
  const deviceValues = {
    ...given,
    ...Object.fromEntries(entered.map(([name, value]) => [`docent-${name}`, value])),
  };
  return { options: { secrets: modelServer.scriptedSecrets, deviceValues }, close };
}

/** Rebuilds the plugin when its sources change and reloads the page. */
async function watchSources(workbench) {
  // Each watcher reports its first build too, which the page that opens already has.
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
