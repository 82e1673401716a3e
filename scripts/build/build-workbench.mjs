// Builds what the workbench is made of into dist/: the page, its theme and fonts, the server, the scripted model.
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildPlugin } from '../../esbuild.config.mjs';
import { buildStyles } from './build-styles.mjs';
import { bundleNode, root } from './bundle-node.mjs';
import { iconsAsset, lucideInUse } from './lucide-in-use.mjs';
import { writeInOneStep } from './write-in-one-step.mjs';

const source = path.join(root, 'test/workbench');
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

/** The page: emulator, theme and fonts. */
export async function buildPage() {
  await mkdir(path.join(folders.assets, 'fonts'), { recursive: true });
  await Promise.all([buildEmulator(), buildTheme(), copyFonts()]);
  await copyInOneStep(path.join(source, 'src/obsidian/index.html'), path.join(folders.assets, 'index.html'));
  await writeInOneStep(path.join(folders.assets, iconsAsset.name), iconsAsset.content);
}

/** The probe plugin, a folder of its own. */
export async function buildProbe() {
  const folder = path.join(source, 'src/probe');
  await mkdir(folders.probe, { recursive: true });
  await bundleInOneStep(path.join(folders.probe, 'main.js'), {
    entryPoints: [path.join(folder, 'main.ts')],
    format: 'cjs',
    external: ['obsidian', '@codemirror/*', '@lezer/*'],
  });
  for (const name of ['manifest.json', 'styles.css']) {
    await copyInOneStep(path.join(folder, name), path.join(folders.probe, name)).catch(() => {});
  }
  return folders.probe;
}

export async function importServer() {
  const file = await bundleNode('test/workbench/src/server/index.ts', { outfile: path.join(dist, 'server.mjs') });
  return import(pathToFileURL(file).href);
}

export async function importScriptedModel() {
  const outfile = path.join(dist, 'scripted-model.mjs');
  const file = await bundleNode('test/support/model-server/index.ts', { outfile });
  return import(pathToFileURL(file).href);
}

async function buildEmulator() {
  await bundleInOneStep(path.join(folders.assets, 'workbench.js'), {
    entryPoints: [path.join(source, 'src/obsidian/page.ts')],
    format: 'iife',
    alias: { obsidian: path.join(source, 'src/obsidian/obsidian.ts') },
    plugins: [lucideInUse],
    loader: { '.md': 'text' },
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
}

/** All style sheets of the theme folder in the order of their names; one named index.css brings its own order. */
async function buildTheme() {
  const folder = path.join(source, 'theme');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.css')).sort();
  const wanted = names.includes('index.css') ? ['index.css'] : names;
  await bundleInOneStep(path.join(folders.assets, 'theme.css'), {
    stdin: {
      contents: wanted.map((name) => `@import './${name}';`).join('\n'),
      resolveDir: folder,
      loader: 'css',
    },
    external: ['/fonts/*'],
    loader: { '.woff2': 'dataurl' },
  });
}

async function copyFonts() {
  const files = path.join(root, 'node_modules/@fontsource-variable/inter/files');
  for (const name of (await readdir(files)).filter((file) => /-wght-(?:normal|italic)\.woff2$/.test(file))) {
    await copyInOneStep(path.join(files, name), path.join(folders.assets, 'fonts', name));
  }
}

async function bundleInOneStep(outfile, options) {
  const result = await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'warning',
    outfile,
    write: false,
    ...options,
  });
  await writeInOneStep(outfile, result.outputFiles[0].contents);
}

async function copyInOneStep(from, to) {
  await writeInOneStep(to, await readFile(from));
}
