// Builds what the workbench is started with, each into its folder of dist/: the plugin, the page, the probe plugin.
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import * as workbench from 'obsidian-workbench/build';
import { buildPlugin } from '../../esbuild.config.mjs';
import { buildStyles } from './build-styles.mjs';
import { root } from './bundle-node.mjs';

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
  await copyInOneStep(path.join(root, 'manifest.json'), path.join(folder, 'manifest.json'));
  await buildStyles(path.join(folder, 'styles.css'));
  return built;
}

/** The page of the workbench, with the drawings of the icons that the plugin's sources name. */
export const buildPage = () =>
  workbench.buildPage({ folder: folders.assets, iconsOf: [path.join(root, 'src'), workbench.probeSources] });

/** The workbench's own plugin that tries everything out. */
export const buildProbe = () => workbench.buildProbe(folders.probe);

/** A server or another build may read the file at any moment, so it is whole at any moment. */
async function copyInOneStep(from, to) {
  const unfinished = `${to}.${process.pid}.tmp`;
  try {
    await copyFile(from, unfinished);
    await rename(unfinished, to);
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw thrown;
  }
}
