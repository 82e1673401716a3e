// Generates what src/tokens needs for counting, at build time: `docent:packed-ranks` and `docent:count-worker`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { packRanks } from './pack-ranks.mjs';

const require = createRequire(import.meta.url);
const root = path.resolve(import.meta.dirname, '../..');
const ranksFile = path.join(root, 'node_modules/js-tiktoken/dist/ranks/o200k_base.js');
const workerEntry = path.join(root, 'src/tokens/count-worker.ts');

const packer = path.join(import.meta.dirname, 'pack-ranks.mjs');
const cache = path.join(root, 'node_modules/.cache/docent');

let packed = null;

/**
 * Returns the ranks of o200k_base as main.js contains them. Packing takes a second, so the result is cached on disk.
 */
export function packedRanks() {
  packed ??= readCache() ?? pack();
  return packed;
}

/** Returns a file name derived from the inputs: other ranks, or another packer, have another file. */
function cacheFile() {
  const made = createHash('sha256');
  for (const file of [ranksFile, packer]) made.update(readFileSync(file));
  return path.join(cache, `ranks-${made.digest('hex').slice(0, 16)}.json`);
}

function readCache() {
  const file = cacheFile();
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

function pack() {
  const ranks = packRanks(require('js-tiktoken/ranks/o200k_base'));
  const unfinished = path.join(cache, `${process.pid}.tmp`);
  mkdirSync(cache, { recursive: true });
  writeFileSync(unfinished, JSON.stringify(ranks));
  // Written atomically, because several processes may pack at the same time.
  renameSync(unfinished, cacheFile());
  return ranks;
}

/** Returns the worker's whole code as one script. */
export async function bundleWorker() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [workerEntry],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2021',
    minify: true,
    charset: 'ascii',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const sources = Object.keys(metafile.inputs).map((file) => path.join(root, file));
  return { code: outputFiles[0].text, sources };
}

/** A plugin of esbuild. */
export const countingParts = {
  name: 'counting-parts',
  setup(builder) {
    // The file itself stays the source, so that the notices and the sizes by package name where the data is from.
    builder.onResolve({ filter: /^docent:packed-ranks$/ }, () => ({ path: ranksFile, suffix: '?packed' }));
    builder.onLoad({ filter: /[\\/]o200k_base\.js$/ }, ({ suffix }) =>
      suffix === '?packed' ? { contents: asFunction(packedRanks()), watchFiles: [ranksFile] } : undefined,
    );
    builder.onResolve({ filter: /^docent:count-worker$/ }, () => ({ path: workerEntry, suffix: '?code' }));
    builder.onLoad({ filter: /[\\/]count-worker\.ts$/ }, async ({ suffix }) => {
      if (suffix !== '?code') return undefined;
      const { code, sources } = await bundleWorker();
      return { contents: asFunction(code), loader: 'js', watchFiles: sources };
    });
  },
};

/**
 * Wraps a value in a function: while main.js is compiled, the engine skips the body of a function that is not called
 * yet, without storing or hashing it.
 */
function asFunction(value) {
  return `export default () => (${JSON.stringify(value)});`;
}
