// The ranks of o200k_base as main.js contains them. Packing takes a second, so the result is cached on disk.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { packRanks } from './pack-ranks.mjs';

const require = createRequire(import.meta.url);
const root = path.resolve(import.meta.dirname, '../..');
export const ranksFile = path.join(root, 'node_modules/js-tiktoken/dist/ranks/o200k_base.js');

const packer = path.join(import.meta.dirname, 'pack-ranks.mjs');
const cache = path.join(root, 'node_modules/.cache/docent');

let packed = null;

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
