// npm run contract: writes the vault contract as one script for the developer console of a real Obsidian.
//   --print          writes the script to standard output too, for a pipe to the clipboard
//   --compare FILE   instead, compares observations recorded there with the emulator's
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compareObservations, contractScript } from 'obsidian-workbench/contract';
import { root } from './build/bundle-node.mjs';
import { runScript, UserError } from './run-script.mjs';

const target = path.join(root, 'dist/vault-contract.js');

await runScript(async () => {
  const { values } = parseArgs({
    options: { print: { type: 'boolean', default: false }, compare: { type: 'string' } },
  });
  if (values.compare !== undefined) return compare(values.compare);
  const script = await contractScript();
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, script);
  if (values.print) process.stdout.write(script);
  console.error(`Wrote ${path.relative(root, target)}.
In a test vault of Obsidian: open the developer console (Ctrl+Shift+I), paste the script, then run
  await observeVault(app)
It works in a folder of its own, copies what it saw to the clipboard and names what the emulator does otherwise.
Save that as FILE and run  npm run contract -- --compare FILE`);
});

async function compare(file) {
  const observed = await readObservations(path.resolve(file));
  const differences = await compareObservations(observed);
  const show = (value) => (value === undefined ? 'nothing' : JSON.stringify(value));
  for (const { name, emulator, recorded } of differences)
    console.log(`${name}\n  emulator: ${show(emulator)}\n  recorded: ${show(recorded)}`);
  console.log(`${Object.keys(observed).length} observations, ${differences.length} unlike the emulator's.`);
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
