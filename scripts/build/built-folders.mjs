// Builds the plugin, the page of the workbench and the probe plugin, each into its folder of dist/.
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as workbench from 'obsidian-workbench/build';
import { buildPlugin } from '../../esbuild.config.mjs';
import { buildStyles } from './build-styles.mjs';
import { root, stampOf } from './bundle-node.mjs';
import { writeInOneStep } from './write-in-one-step.mjs';

const dist = path.join(root, 'dist');

export const folders = {
  assets: path.join(dist, 'workbench'),
  plugin: path.join(dist, 'plugin'),
  probe: path.join(dist, 'probe'),
  demoVault: path.join(root, 'test/support/demo-vault'),
};

const stampFile = path.join(dist, 'plugin.stamp');
const reportFile = path.join(dist, 'plugin.json');
const files = [
  ...['main.js', 'manifest.json', 'styles.css'].map((name) => path.join(folders.plugin, name)),
  reportFile,
];
/** All that the three files are made of; the guide is in docs. */
const madeOf = [
  ...['src', 'docs', 'scripts', 'esbuild.config.mjs', 'manifest.json', 'package.json', 'tsconfig.json'],
  'node_modules/.package-lock.json',
].map((name) => path.join(root, name));

/**
 * Writes the three files that a vault needs, unless they are those of these sources: a build takes three seconds.
 * Returns the report on main.js.
 */
export async function buildPluginFolder() {
  const stamp = await readFile(stampFile, 'utf8').catch(() => '');
  if (stamp !== stampOf([...madeOf, ...files])) return writePluginFolder();
  return JSON.parse(await readFile(reportFile, 'utf8'));
}

/** Builds the three files; returns {bytes, gzipBytes, metafile} of main.js, the last as esbuild reports it. */
export async function writePluginFolder() {
  await mkdir(folders.plugin, { recursive: true });
  // What changes while it is built makes the stamp an old one.
  const before = stampOf(madeOf);
  const [main, manifest, styles] = files;
  const built = await buildPlugin(main);
  await writeInOneStep(manifest, await readFile(path.join(root, 'manifest.json')));
  await buildStyles(styles);
  await writeInOneStep(reportFile, JSON.stringify(built));
  if (stampOf(madeOf) === before) await writeInOneStep(stampFile, stampOf([...madeOf, ...files]));
  return built;
}

/** Builds the page of the workbench with the icons that the plugin's sources name. */
export const buildPage = () =>
  workbench.buildPage({ folder: folders.assets, iconsOf: [path.join(root, 'src'), workbench.probeSources] });

/** Builds the workbench's own plugin, which uses every part of the API. */
export const buildProbe = () => workbench.buildProbe(folders.probe);
