// npm run eval -- --provider NAME --model NAME: has a model solve tasks over a vault, and judges what it sent and wrote.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { importBundled, root } from './build/bundle-node.mjs';
import { checkVault, runScript, UserError } from './run-script.mjs';

const help = `npm run eval -- --provider NAME --model NAME [options]

  --provider NAME  a provider of Docent, such as anthropic or ollama; or scripted
  --model NAME     the provider's name of the model; of scripted: perfect, lazy or obedient
  --base-url URL   another address of the provider
  --window N       the model's context window in tokens
  --level N        the instruction level, 1 to 5; by the context window unless given
  --task ID        only this task; may be given again
  --vault PATH     tasks made from the notes of this vault, instead of the list over the demo vault
  --json           print one JSON object and nothing else

The API key is read from the environment variable DOCENT_EVAL_KEY. Each task runs over a copy of the vault in memory;
all changes that the model proposes are accepted. The requests cost what the provider charges.`;

const text = { type: 'string' };

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      ...{ provider: text, model: text, 'base-url': text, window: text, level: text, vault: text },
      task: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return console.log(help);
  const { provider, model, 'base-url': baseUrl, task: only } = values;
  if (!provider || !model) throw new UserError('Name the provider and the model: --provider ollama --model qwen3:8b.');
  const { runEval, formatReport } = await importBundled('test/bench/over-a-vault.ts');
  const report = await runEval({
    ...{ provider, model, only, key: process.env['DOCENT_EVAL_KEY'] ?? '' },
    demoVault: path.join(root, 'test/support/demo-vault'),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(values.vault === undefined ? {} : { vault: await checkVault(values.vault) }),
    ...(values.window === undefined ? {} : { window: numberIn(values.window, '--window', 1_024, 10_000_000) }),
    ...(values.level === undefined ? {} : { level: numberIn(values.level, '--level', 1, 5) }),
    progress: (line) => console.error(line),
  });
  console.log(values.json ? JSON.stringify(report) : formatReport(report));
  process.exit();
});

function numberIn(given, option, least, most) {
  const number = Number(given);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new UserError(`${option} takes a whole number from ${least} to ${most}, not “${given}”.`);
}
