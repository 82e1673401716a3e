// Builds what the workbench is made of: the page with its theme and fonts, and the probe plugin.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { packageFolder } from './import-source.mjs';
import { iconsAsset, lucideInUse } from './lucide-in-use.mjs';
import { joinPrism } from './prism.mjs';

const require = createRequire(import.meta.url);
const emulator = path.join(packageFolder, 'src/obsidian');

/** The default folder of the built page: `buildPage` writes it, and the server reads it. */
export const pageFolder = path.join(packageFolder, 'dist/page');

/** The folder with the sources of the probe plugin. */
export const probeSources = path.join(packageFolder, 'src/probe');

/**
 * The page: emulator, theme, fonts, and the libraries that notes are drawn with.
 * @param iconsOf folders of sources: icons whose ids occur there are part of the page, all others are fetched
 */
export async function buildPage({ folder = pageFolder, iconsOf = [] } = {}) {
  await mkdir(path.join(folder, 'fonts'), { recursive: true });
  await Promise.all([buildEmulator(folder, iconsOf), buildTheme(folder), copyFonts(folder), buildLibraries(folder)]);
  await copyInOneStep(path.join(emulator, 'index.html'), path.join(folder, 'index.html'));
  await writeInOneStep(path.join(folder, iconsAsset.name), iconsAsset.content);
}

/** The probe plugin, a folder of its own. */
export async function buildProbe(folder) {
  await mkdir(folder, { recursive: true });
  await bundleInOneStep(path.join(folder, 'main.js'), {
    entryPoints: [path.join(probeSources, 'main.ts')],
    format: 'cjs',
    external: ['obsidian', '@codemirror/*', '@lezer/*'],
  });
  for (const name of ['manifest.json', 'styles.css'])
    await copyInOneStep(path.join(probeSources, name), path.join(folder, name));
}

async function buildEmulator(folder, iconsOf) {
  await bundleInOneStep(path.join(folder, 'workbench.js'), {
    entryPoints: [path.join(emulator, 'page.ts')],
    format: 'iife',
    alias: { obsidian: path.join(emulator, 'obsidian.ts') },
    plugins: [lucideInUse([emulator, ...iconsOf])],
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
}

/** All style sheets of the theme folder in the order of their names; one named index.css brings its own order. */
async function buildTheme(folder) {
  const sheets = path.join(packageFolder, 'theme');
  const names = (await readdir(sheets)).filter((name) => name.endsWith('.css')).sort();
  const wanted = names.includes('index.css') ? ['index.css'] : names;
  await bundleInOneStep(path.join(folder, 'theme.css'), {
    stdin: {
      contents: wanted.map((name) => `@import './${name}';`).join('\n'),
      resolveDir: sheets,
      loader: 'css',
    },
    external: ['/fonts/*'],
    loader: { '.woff2': 'dataurl' },
  });
}

async function copyFonts(folder) {
  const files = path.dirname(require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));
  for (const name of (await readdir(files)).filter((file) => /-wght-(?:normal|italic)\.woff2$/.test(file))) {
    await copyInOneStep(path.join(files, name), path.join(folder, 'fonts', name));
  }
}

/** MathJax with its fonts, Mermaid, and Prism with all its languages; the page fetches each when it is asked for. */
async function buildLibraries(folder) {
  const libraries = path.join(folder, 'libraries');
  await mkdir(path.join(libraries, 'fonts'), { recursive: true });
  await Promise.all([
    copyIfInstalled('mathjax/es5/tex-chtml-full.js', path.join(libraries, 'mathjax.js')),
    copyMathFonts(path.join(libraries, 'fonts')),
    copyIfInstalled('mermaid/dist/mermaid.min.js', path.join(libraries, 'mermaid.js')),
    buildPrism(path.join(libraries, 'prism.js')),
  ]);
}

/** Without the package, the page says what is missing when it is asked for it. */
async function copyIfInstalled(file, to) {
  const from = installed(file);
  if (from !== null) await copyInOneStep(from, to);
}

function installed(file) {
  try {
    return require.resolve(file);
  } catch {
    return null;
  }
}

async function copyMathFonts(folder) {
  const main = installed('mathjax/es5/output/chtml/fonts/woff-v2/MathJax_Main-Regular.woff');
  if (main === null) return;
  const from = path.dirname(main);
  const names = await readdir(from);
  await Promise.all(names.map((name) => copyInOneStep(path.join(from, name), path.join(folder, name))));
}

async function buildPrism(outfile) {
  const listed = installed('prismjs/components.js');
  if (listed !== null) await writeInOneStep(outfile, await joinPrism(listed));
}

async function bundleInOneStep(outfile, options) {
  const result = await build({
    absWorkingDir: packageFolder,
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

/** A server or another build may read the file at any moment, so it is whole at any moment. */
async function writeInOneStep(file, contents) {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(unfinished, contents);
    await rename(unfinished, file);
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw thrown;
  }
}
