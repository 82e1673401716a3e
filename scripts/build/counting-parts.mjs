// What src/tokens counts with, made at build time: `docent:packed-ranks` and `docent:count-worker`.
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

/** The ranks of o200k_base as main.js holds them; packing takes a second, so they are kept for the next process. */
export function packedRanks() {
  packed ??= readKept() ?? pack();
  return packed;
}

/** Named by what they are made of: other ranks, or another packer, are other files. */
function keptFile() {
  const made = createHash('sha256');
  for (const file of [ranksFile, packer]) made.update(readFileSync(file));
  return path.join(cache, `ranks-${made.digest('hex').slice(0, 16)}.json`);
}

function readKept() {
  const file = keptFile();
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

function pack() {
  const ranks = packRanks(require('js-tiktoken/ranks/o200k_base'));
  const unfinished = path.join(cache, `${process.pid}.tmp`);
  mkdirSync(cache, { recursive: true });
  writeFileSync(unfinished, JSON.stringify(ranks));
  // Whole or not at all: several processes may pack at the same time.
  renameSync(unfinished, keptFile());
  return ranks;
}

/** The worker's whole code as one script. */
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

/** What stands in a function that is not called yet is passed over, neither kept nor hashed, when main.js is compiled. */
function asFunction(value) {
  return `export default () => (${JSON.stringify(value)});`;
}
