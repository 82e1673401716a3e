// npm run lab -- kv|eval|mcp [--window N] [--vault PATH] [--json]: experiments with real engines and servers;
// docs/how-to/measure.md explains the keys. What they need is not part of the project: it is installed into test/lab on the first run.
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build/bundle-node.mjs';
import { runScript, UserError } from './run-script.mjs';

const folder = path.join(root, 'test/lab');

/**
 * An experiment is a module in test/lab that exports measure({ vault, windows, progress }) and print(figures); what it
 * needs is in a folder with a package and a lock file.
 */
const experiments = ['kv', 'eval', 'mcp'];
const packagesOf = (name) => (name === 'mcp' ? path.join(folder, 'mcp') : folder);

const help = `npm run lab -- kv|eval|mcp [options]

  --window N     plan the chats for this context window; may be given again (32768 unless given)
  --vault PATH   the vault of the sessions, instead of the demo vault
  --json         print one JSON object and nothing else`;

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      window: { type: 'string', multiple: true, default: ['32768'] },
      vault: { type: 'string', default: path.join(root, 'test/support/demo-vault') },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return console.log(help);
  const [name = '', ...others] = positionals;
  if (others.length > 0 || !experiments.includes(name))
    throw new UserError(`Name one experiment: npm run lab -- ${experiments.join(', or ')}.`);
  const windows = values.window.map(Number);
  if (windows.some((window) => !Number.isInteger(window) || window < 2_048)) {
    throw new UserError('A window is a whole number of tokens, 2048 or more: --window 32768.');
  }
  const packages = packagesOf(name);
  if (!(await stat(path.join(packages, 'node_modules')).catch(() => null))) await install(packages);
  const { measure, print } = await import(`../test/lab/${name}.mjs`);
  const figures = await measure({ vault: values.vault, windows, progress: (text) => console.error(text) });
  console.log(values.json ? JSON.stringify(figures) : print(figures));
});

async function install(packages) {
  const shown = path.relative(root, packages);
  console.error(`Installing what it needs into ${shown} …`);
  const code = await new Promise((resolve) => {
    const npm = spawn('npm', ['ci', '--ignore-scripts'], {
      cwd: packages,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    npm.once('error', () => resolve(1));
    npm.once('exit', resolve);
  });
  if (code !== 0) throw new UserError(`It could not be installed: run \`npm ci\` in ${shown} and read what it says.`);
}
