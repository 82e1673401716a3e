// Bundles a TypeScript entry for Node, with prose files as strings and `obsidian` as the emulator, and runs it:
//   node scripts/build/bundle-node.mjs ENTRY.ts [arguments for the entry]
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { promptTemplates } from './compile-template.mjs';
import { countingParts } from './counting-parts.mjs';
import { uniqueMark } from './write-in-one-step.mjs';

export const root = path.resolve(import.meta.dirname, '../..');

/** Left to Node: they start processes, load compiled code, find files in their own folder, or are too large to bundle each time. */
const notBundled = [
  'esbuild',
  '@swc/core',
  'jsdom',
  'playwright-core',
  'typescript',
  '@sparticuz/chromium',
  'js-tiktoken',
];

/** Defined because CommonJS packages inside an ES module still use `require` and the names of their file. */
const commonJsNames = [
  `import { createRequire as __createRequire } from 'node:module';`,
  `import { fileURLToPath as __fileURLToPath } from 'node:url';`,
  `const require = __createRequire(import.meta.url);`,
  `const __filename = __fileURLToPath(import.meta.url);`,
  `const __dirname = __fileURLToPath(new URL('.', import.meta.url));`,
].join('\n');

/** esbuild's options of every bundle for Node. */
export const forNode = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  // The workbench's server is compiled along, not once more when the bundle is loaded.
  conditions: ['typescript', 'module'],
  target: 'node20',
  loader: { '.md': 'text' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  alias: { obsidian: 'obsidian-workbench/obsidian' },
  external: notBundled,
  plugins: [promptTemplates, countingParts],
};

/** All that a bundle without options is made of: our sources, and the packages as they are installed. */
const madeOf = [
  'src',
  'docs',
  'scripts',
  'test',
  'package.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
].map((name) => path.join(root, name));

/**
 * Writes the bundle and returns its path; `options` are esbuild's, added to these. Without options, the bundle of the
 * same sources is used again: making it takes longer than most of what is run so.
 */
export async function bundleNode(entry, options) {
  const absolute = path.resolve(root, entry);
  if (options !== undefined) return writeBundle(absolute, options);
  const stamp = `// ${stampOf(madeOf)}\n`;
  const target = path.join(root, 'dist/node', bundleName(absolute));
  const first = await readStart(target, stamp.length);
  return first === stamp ? target : writeBundle(absolute, { outfile: target }, stamp);
}

async function writeBundle(absolute, { outfile, plugins = [], external = [], alias = {}, ...options }, stamp = '') {
  const target = outfile ?? path.join(root, 'dist/node', bundleName(absolute));
  const unfinished = target.replace(/\.mjs$/, `.${uniqueMark()}.tmp.mjs`);
  await mkdir(path.dirname(target), { recursive: true });
  try {
    await build({
      ...forNode,
      entryPoints: [absolute],
      outfile: unfinished,
      alias: { ...forNode.alias, ...alias },
      external: [...forNode.external, ...external],
      banner: { js: stamp + commonJsNames },
      logLevel: 'warning',
      plugins: [...forNode.plugins, ...plugins],
      ...options,
    });
    await rename(unfinished, target);
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw thrown;
  }
  return target;
}

/** Returns a text that differs when a file of these folders was written, added, renamed, or removed. */
export function stampOf(places) {
  const made = createHash('sha256');
  for (const file of places.flatMap(filesAt)) {
    // A file may vanish in between.
    const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    made.update(`${file}\0${size}\0${mtimeMs}\0`);
  }
  return made.digest('hex');
}

function filesAt(place) {
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) return [place];
  return readdirSync(place)
    .filter((name) => name !== 'node_modules' && name !== 'dist')
    .flatMap((name) => filesAt(path.join(place, name)));
}

async function readStart(file, length) {
  const handle = await open(file).catch(() => null);
  if (handle === null) return '';
  try {
    return (await handle.read(Buffer.alloc(length), 0, length)).buffer.toString();
  } finally {
    await handle.close();
  }
}

/** Bundles the entry, runs it in this process and returns its exports. */
export async function importBundled(entry, options) {
  return import(pathToFileURL(await bundleNode(entry, options)).href);
}

function bundleName(entry) {
  const digest = createHash('sha256').update(entry).digest('hex').slice(0, 8);
  return `${path.basename(entry).replace(/\.[^.]+$/, '')}-${digest}.mjs`;
}

async function bundleAndRun(entry) {
  if (entry === undefined) {
    console.error('Say which file to bundle and run: node scripts/build/bundle-node.mjs ENTRY.ts');
    process.exit(1);
  }
  const bundled = await bundleNode(entry).catch((thrown) => {
    if (!thrown.errors) console.error(thrown.message);
    process.exit(1);
  });
  process.argv.splice(1, 2, bundled);
  await import(pathToFileURL(bundled).href);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) void bundleAndRun(process.argv[2]);
