// Lets Node run the TypeScript of this package: compiles a file into dist/ of the package and loads it from there.
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const packageFolder = path.resolve(import.meta.dirname, '../..');

/** CommonJS packages that are bundled into an ES module still call `require`. */
const commonJsNames = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);`;

/**
 * @param entry a path below the folder of the package
 * @param name of the compiled file in dist/, without its ending
 * @returns the exports of the module
 */
export async function importSource(entry, name) {
  const dist = path.join(packageFolder, 'dist');
  const file = path.join(dist, `${name}.mjs`);
  const unfinished = path.join(dist, `${name}.${process.pid}.tmp.mjs`);
  await mkdir(dist, { recursive: true });
  try {
    await build({
      absWorkingDir: packageFolder,
      entryPoints: [entry],
      outfile: unfinished,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      alias: { obsidian: path.join(packageFolder, 'src/obsidian/obsidian.ts') },
      banner: { js: commonJsNames },
      logLevel: 'warning',
    });
    // Another process may load the file at any moment, so it must never be incomplete.
    await rename(unfinished, file);
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw thrown;
  }
  return import(pathToFileURL(file).href);
}
