// npm run contract: writes the vault contract as one script for the developer console of a real Obsidian.
//   --print          writes the script to standard output too, for a pipe to the clipboard
//   --compare FILE   instead, compares observations recorded there with the emulator's
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { importBundled, root } from './build/bundle-node.mjs';
import { runScript, UserError } from './run-script.mjs';

const contract = path.join(root, 'test/workbench/src/contract');
const target = path.join(root, 'dist/vault-contract.js');

await runScript(async () => {
  const { values } = parseArgs({
    options: { print: { type: 'boolean', default: false }, compare: { type: 'string' } },
  });
  if (values.compare !== undefined) return compare(values.compare);
  await writeScript();
  if (values.print) process.stdout.write(await readFile(target, 'utf8'));
  console.error(`Wrote ${path.relative(root, target)}.
In a test vault of Obsidian: open the developer console (Ctrl+Shift+I), paste the script, then run
  await observeVault(app)
It works in a folder of its own, copies what it saw to the clipboard and names what the emulator does otherwise.
Save that as FILE and run  npm run contract -- --compare FILE`);
});

async function writeScript() {
  await mkdir(path.dirname(target), { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [path.join(contract, 'console.ts')],
    outfile: target,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2021',
    charset: 'ascii',
    logLevel: 'warning',
  });
}

async function compare(file) {
  const [recorded, expected, { findDifferences }] = await Promise.all([
    readObservations(path.resolve(file)),
    readObservations(path.join(contract, 'expected-observations.json')),
    importBundled('test/workbench/src/contract/find-differences.ts'),
  ]);
  const differences = findDifferences(expected, recorded);
  for (const name of differences) {
    const show = (value) => (value === undefined ? 'nothing' : JSON.stringify(value));
    console.log(`${name}\n  emulator: ${show(expected[name])}\n  recorded: ${show(recorded[name])}`);
  }
  console.log(`${Object.keys(recorded).length} observations, ${differences.length} unlike the emulator's.`);
  if (differences.length > 0) process.exitCode = 1;
}

async function readObservations(file) {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UserError(`There is no file ${file}.`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError(`${file} is not JSON.`);
  }
}
