// Which suites run for mutants: the unit tests first and, for the survivors, the browser walks.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buildPlugin } from '../../esbuild.config.mjs';
import { buildPage, buildPluginFolder, buildProbe } from '../build/built-folders.mjs';

const require = createRequire(import.meta.url);
const { weave } = require('./switch.cjs');
const root = path.resolve(import.meta.dirname, '../..');

/**
 * Each returns {projects, tests, environment, nearest, maxFiles}: the projects of jest; how the tests of the dry run are
 * chosen; the environment with a mutant on, or with none for 0; how many of the nearest test files run first, in a
 * process of their own, so that one that hangs is noticed soon; and the maximum to run, because code that runs while a
 * module loads is reached by every file that imports it, however indirectly.
 */
export const stages = {
  unit: ({ sites, listed }) => ({
    projects: ['unit', 'property'],
    tests: ['--findRelatedTests', ...new Set(sites.map(({ file }) => file))],
    environment: () => ({ DOCENT_MUTATION_SITES: listed }),
    nearest: 8,
    maxFiles: 45,
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
      maxFiles: 12,
    };
  },
};

/** Inserts the switches into the sources as esbuild reads them. */
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

/** Enables a mutant; without one, the page logs each site that it reaches, once, to its console. */
function withMutant(code, number) {
  const reportOnce = `globalThis.__docentHit = ((reported) => (number) => {
    if (!reported.has(number)) reported.add(number), console.debug('docent-mutant ' + number);
  })(new Set());`;
  return number === 0 ? `${reportOnce}\n${code}` : `globalThis.__docentMutant = ${number};\n${code}`;
}

async function writePlugin(folder, code) {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'main.js'), code);
  for (const name of ['manifest.json', 'styles.css']) await copyFile(path.join(root, name), path.join(folder, name));
  return folder;
}
