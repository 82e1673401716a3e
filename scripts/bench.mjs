// npm run bench -- NAME… [--vault PATH] --json: measures parts of the project; docs/how-to/measure.md explains the keys.
import { fork } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build/bundle-node.mjs';
import { checkVault, runScript, UserError } from './run-script.mjs';

/** A part is a module in test/bench that exports measure({ vault, progress }) and returns its figures. */
const parts = ['startup', 'prompt', 'tokens', 'cache', 'stream', 'pane', 'vault'];
/** The modules that are not named after their part. */
const modules = new Map([['pane', 'chats/chats.mjs']]);

const help = `npm run bench -- [${parts.join('] [')}] [options]

  --vault PATH   measure over this vault where a part uses one, instead of the demo vault
  --rounds N     measure what is measured many times N times only: quicker, and less steady
  --json         print one JSON object and nothing else

Without a name, all parts are measured. Progress goes to standard error.`;

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      vault: { type: 'string', default: path.join(root, 'test/support/demo-vault') },
      rounds: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return console.log(help);
  const unknown = positionals.find((name) => !parts.includes(name));
  if (unknown !== undefined) throw new UserError(`There is no part “${unknown}”: choose from ${parts.join(', ')}.`);
  if (values.rounds !== undefined && !/^[1-9]\d?$/.test(values.rounds))
    throw new UserError(`--rounds takes a whole number from 1 to 99, not “${values.rounds}”.`);
  const vault = await checkVault(values.vault);
  const figures = {};
  for (const name of parts.filter((part) => positionals.length === 0 || positionals.includes(part))) {
    console.error(name);
    figures[name] = await runPart(name, vault, values.rounds);
  }
  console.log(values.json ? JSON.stringify(figures) : printFigures(figures));
});

function runPart(name, vault, rounds) {
  const child = fork(
    path.join(root, 'test/bench/run-part.mjs'),
    [path.join(root, 'test/bench', modules.get(name) ?? `${name}.mjs`), vault, ...(rounds ? [rounds] : [])],
    // Everything that a part prints is progress, on either output.
    { stdio: ['ignore', process.stderr, process.stderr, 'ipc'] },
  );
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', () => reject(new UserError(`The part “${name}” could not be measured: the reason is above.`)));
  });
}

function printFigures(figures) {
  const lines = Object.entries(figures).flatMap(([part, values]) => [
    part,
    ...Object.entries(values).flatMap(([key, value]) =>
      typeof value === 'object'
        ? [`  ${key}`, ...Object.entries(value).map(([name, number]) => `    ${name}: ${number}`)]
        : [`  ${key}: ${value}`],
    ),
  ]);
  return lines.join('\n');
}
