// npm run install-plugin -- --vault PATH: builds the plugin and puts its three files into a vault.
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildPluginFolder, folders } from './build/built-folders.mjs';
import { runScript, UserError } from './run-script.mjs';

const usage = 'Name the vault to install into: npm run install-plugin -- --vault PATH';
const files = ['main.js', 'manifest.json', 'styles.css'];

await runScript(async () => {
  const { values } = parseArgs({ options: { vault: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) return console.log(usage);
  if (!values.vault) throw new UserError(usage);
  const vault = path.resolve(values.vault);
  await checkVault(vault);
  await buildPluginFolder();
  const target = path.join(vault, '.obsidian/plugins/docent');
  await mkdir(target, { recursive: true });
  await copyTogether(folders.plugin, target);
  console.log(
    `Docent is in ${target}. Switch it on in Obsidian under Settings → Community plugins, or reload it there.`,
  );
});

async function checkVault(vault) {
  const isFolder = async (folder) => (await stat(folder).catch(() => null))?.isDirectory() === true;
  if (!(await isFolder(vault))) throw new UserError(`There is no folder at ${vault}: name a vault with --vault PATH.`);
  if (!(await isFolder(path.join(vault, '.obsidian')))) {
    throw new UserError(
      `${vault} is not a vault: it has no .obsidian folder; open it once in Obsidian, then try again.`,
    );
  }
}

/**
 * Copies files together: all are written under temporary names first, so that a failure leaves the installed ones
 * unchanged.
 */
async function copyTogether(from, to) {
  const pairs = files.map((name) => [path.join(to, `.${name}.${process.pid}.tmp`), path.join(to, name)]);
  try {
    for (const [unfinished, finished] of pairs) {
      await writeFile(unfinished, await readFile(path.join(from, path.basename(finished))));
    }
    for (const [unfinished, finished] of pairs) await rename(unfinished, finished);
  } finally {
    for (const [unfinished] of pairs) await rm(unfinished, { force: true });
  }
}
