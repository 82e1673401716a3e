#!/usr/bin/env node
// obsidian-workbench PLUGIN_FOLDER: opens a built plugin in the workbench and reloads the page after each build.
import { watch } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildPage, pageFolder } from './build/index.mjs';
import { readManifest, readServeArguments, serve, serveFlags, serveHelp, UserError } from './server/door.mjs';

const help = `obsidian-workbench PLUGIN_FOLDER [options]

Opens the plugin whose manifest.json and built main.js are in the folder, and reloads the page when they change.

  --vault PATH   work on a copy of this vault instead of a new one
${serveHelp}`;

const pluginFiles = ['main.js', 'manifest.json', 'styles.css'];
const quietMilliseconds = 100;

try {
  await main();
} catch (thrown) {
  const isUsage = thrown.code?.startsWith?.('ERR_PARSE_ARGS');
  if (isUsage) console.error(`${thrown.message.split('. ')[0].replace(/\.$/, '')}: see --help.`);
  else console.error(thrown instanceof UserError ? thrown.message : thrown);
  process.exitCode = 1;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { ...serveFlags, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return console.log(help);
  if (positionals.length !== 1) throw new UserError('Name the folder of one plugin: obsidian-workbench PLUGIN_FOLDER.');
  const folder = path.resolve(positionals[0]);
  await readManifest(folder);
  const given = await readServeArguments(values);
  await buildPage();
  await serve(given, {
    plugins: [folder],
    assets: pageFolder,
    started: (workbench) => followPlugin(folder, () => workbench.reload()),
  });
}

/** Waits for a pause in the changes, because a build writes several files, and a file in several steps. */
function followPlugin(folder, changed) {
  let waiting;
  const watcher = watch(folder, (_event, name) => {
    if (name !== null && !pluginFiles.includes(name)) return;
    clearTimeout(waiting);
    waiting = setTimeout(changed, quietMilliseconds);
  });
  return () => {
    clearTimeout(waiting);
    watcher.close();
  };
}
