// Builds the plugin, the page of the workbench and the probe plugin, each into its folder of dist/.
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as workbench from 'obsidian-workbench/build';
import { buildPlugin } from '../../esbuild.config.mjs';
import { buildStyles } from './build-styles.mjs';
import { root } from './bundle-node.mjs';
import { writeInOneStep } from './write-in-one-step.mjs';

const dist = path.join(root, 'dist');

export const folders = {
  assets: path.join(dist, 'workbench'),
  plugin: path.join(dist, 'plugin'),
  probe: path.join(dist, 'probe'),
  demoVault: path.join(root, 'test/support/demo-vault'),
};

/** The three files that a vault needs, in one folder; returns esbuild's report on main.js. */
export async function buildPluginFolder(folder = folders.plugin) {
  await mkdir(folder, { recursive: true });
  const built = await buildPlugin(path.join(folder, 'main.js'));
  await writeInOneStep(path.join(folder, 'manifest.json'), await readFile(path.join(root, 'manifest.json')));
  await buildStyles(path.join(folder, 'styles.css'));
  return built;
}

/** Builds the page of the workbench with the icons that the plugin's sources name. */
export const buildPage = () =>
  workbench.buildPage({ folder: folders.assets, iconsOf: [path.join(root, 'src'), workbench.probeSources] });

/** Builds the workbench's own plugin, which uses every part of the API. */
export const buildProbe = () => workbench.buildProbe(folders.probe);
