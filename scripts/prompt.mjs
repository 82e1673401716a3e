// npm run prompt -- --question "…" [--vault PATH]: prints the request that a question would make, without Obsidian.
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { importBundled, root } from './build/bundle-node.mjs';
import { runScript, UserError } from './run-script.mjs';

const help = `npm run prompt -- --question "…" [options]
npm run prompt -- --pairs [--turns N] [--vault PATH] [--json]

  --vault PATH      the folder of a vault; nothing is written to it (the demo vault unless given)
  --question TEXT   what the user asks
  --mode MODE       assistant, developer, planning, debugger or user
  --tier TIER       auto, or 1 to 5
  --window N        the model's context window in tokens
  --note PATH       a note to attach; may be given again
  --prompt PATH     the note of a standing prompt
  --workspace PATH  the note of a workspace
  --reply           lets the built-in reader answer, and prints its answer too
  --json            prints the plan as JSON
  --pairs           prints what the first request takes in each mode and tier, and which whole turns a scripted model
                    finishes in each mode and window, over the demo vault unless another is named; a bound that is
                    broken is marked with !!, and the exit code is 1 then
  --turns N         how many questions --pairs asks in each mode and window; one unless given, none with 0

What is not given here is as the settings of Docent in that vault say.`;

const demoVault = path.join(root, 'test/support/demo-vault');
const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const options = {
  vault: text,
  question: text,
  mode: text,
  tier: text,
  window: text,
  note: { type: 'string', multiple: true, default: [] },
  prompt: text,
  workspace: text,
  reply: flag,
  json: flag,
  pairs: flag,
  turns: text,
  help: { ...flag, short: 'h' },
};

await runScript(async () => {
  const { values } = parseArgs({ options });
  if (values.help) return console.log(help);
  const { vault: given = demoVault, note: notes, help: _help, pairs, ...rest } = values;
  if (pairs) return printPairs(values);
  if (values.turns !== undefined) throw new UserError('--turns says how many turns --pairs measures: give both.');
  const vault = await checkVault(given);
  if (!rest.question?.trim()) throw new UserError('There is no question: say what to ask with --question "…".');
  const { printPrompt, WrongInput } = await importBundled('test/bench/over-a-vault.ts');
  const printed = await printPrompt({ ...rest, vault, notes }).catch((thrown) => {
    throw thrown instanceof WrongInput ? new UserError(thrown.message) : thrown;
  });
  await write(printed);
  // The emulated page has timers that are still pending.
  process.exit();
});

async function printPairs({
  vault: given = demoVault,
  json,
  note,
  reply,
  turns = '1',
  help: _help,
  pairs: _pairs,
  ...rest
}) {
  if (reply || note.length > 0 || Object.keys(rest).length > 0) {
    throw new UserError(
      '--pairs goes through all modes and tiers by itself: give it no more than --turns, --vault and --json.',
    );
  }
  if (!/^\d{1,4}$/.test(turns)) throw new UserError(`--turns takes a whole number, not “${turns}”: try --turns 5.`);
  const vault = await checkVault(given);
  const { printPromptPairs } = await importBundled('test/bench/over-a-vault.ts');
  const { text, broken } = await printPromptPairs(vault, Number(turns), json);
  await write(text);
  process.exit(broken === 0 ? 0 : 1);
}

async function checkVault(given) {
  const vault = path.resolve(given);
  const stats = await stat(vault).catch(() => null);
  if (!stats) throw new UserError(`There is no folder at ${vault}: name an existing vault with --vault PATH.`);
  if (!stats.isDirectory()) throw new UserError(`${vault} is a file: name the folder of a vault with --vault PATH.`);
  return realpath(vault);
}

/**
 * Writes everything before the process ends, even into a pipe; a reader that closes early, such as head, is not an
 * error.
 */
function write(printed) {
  return new Promise((resolve, reject) => {
    process.stdout.on('error', (thrown) => (thrown.code === 'EPIPE' ? resolve() : reject(thrown)));
    process.stdout.write(printed, () => resolve());
  });
}
