// Which suites are asked about mutants: those of the units first, and for what they leave, the walks in the browser.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buildPlugin } from '../../esbuild.config.mjs';
import { buildPage, buildPluginFolder, buildProbe } from '../build/built-folders.mjs';

const require = createRequire(import.meta.url);
const { weave } = require('./switch.cjs');
const root = path.resolve(import.meta.dirname, '../..');

/**
 * Each gives {projects, tests, environment, nearest, most}: the projects of jest; how the tests of the dry run are
 * chosen; the environment with a mutant on, or with none for 0; how many of the nearest test files run first, in a
 * process of their own, since one that hangs is noticed soon; how many run at most, since what runs while a module
 * loads is reached by every file that imports it, however far away.
 */
export const stages = {
  unit: ({ sites, listed }) => ({
    projects: ['unit', 'property'],
    tests: ['--findRelatedTests', ...new Set(sites.map(({ file }) => file))],
    environment: () => ({ DOCENT_MUTATION_SITES: listed }),
    nearest: 8,
    most: 45,
  }),
  async browser({ sites, folder }) {
    const plugins = [weaving(sites)];
    const plain = path.join(folder, 'plugin');
    await Promise.all([buildPluginFolder(), buildPage(), buildProbe()]);
    await mkdir(plain, { recursive: true });
    await buildPlugin(path.join(plain, 'main.js'), plugins);
    const built = await readFile(path.join(plain, 'main.js'), 'utf8');
    const folders = new Map();
    for (const { number } of [{ number: 0 }, ...sites])
      folders.set(number, await writePlugin(path.join(folder, `plugin-${number}`), withMutant(built, number)));
    return {
      projects: ['browser'],
      tests: [],
      environment: (active) => ({ DOCENT_BUILT: 'yes', DOCENT_PLUGIN: folders.get(active) }),
      nearest: 2,
      most: 12,
    };
  },
};

/** Puts the switches into the sources as esbuild reads them. */
function weaving(sites) {
  return {
    name: 'mutants',
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, async ({ path: file }) => {
        const own = sites.filter((site) => path.join(root, site.file) === file);
        if (own.length === 0) return undefined;
        return { contents: weave(await readFile(file, 'utf8'), own), loader: file.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}

/** Without a mutant the page says which sites it comes by, once each, on its console. */
function withMutant(code, number) {
  const told = `globalThis.__docentHit = ((told) => (number) => {
    if (!told.has(number)) told.add(number), console.debug('docent-mutant ' + number);
  })(new Set());`;
  return number === 0 ? `${told}\n${code}` : `globalThis.__docentMutant = ${number};\n${code}`;
}

async function writePlugin(folder, code) {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'main.js'), code);
  for (const name of ['manifest.json', 'styles.css']) await copyFile(path.join(root, name), path.join(folder, name));
  return folder;
}
