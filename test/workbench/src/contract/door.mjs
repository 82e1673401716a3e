// Entry point obsidian-workbench/contract: the script for a real Obsidian, and the comparison of what it observed.
import { build } from 'esbuild';
import { importSource, packageFolder } from '../build/import-source.mjs';

export async function contractScript() {
  const { outputFiles } = await build({
    absWorkingDir: packageFolder,
    entryPoints: ['src/contract/console.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2021',
    charset: 'ascii',
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

export async function compareObservations(recorded) {
  const { expected, findDifferences } = await importSource('src/contract/index.ts', 'contract');
  return findDifferences(expected, recorded).map((name) => ({
    name,
    emulator: expected[name],
    recorded: recorded[name],
  }));
}
