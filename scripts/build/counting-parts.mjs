// Generates what src/tokens needs for counting, at build time: `docent:packed-ranks` and `docent:count-worker`.
import path from 'node:path';
import { build } from 'esbuild';
import { packedRanks, ranksFile } from './packed-ranks.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const workerEntry = path.join(root, 'src/tokens/count-worker.ts');

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
 * Wraps a value in a function: the engine skips the body of a function that is not called yet, without storing or
 * hashing it. It parses an arrow function with the part that it is in.
 */
function asFunction(value) {
  return `export default function () { return ${JSON.stringify(value)}; }`;
}
