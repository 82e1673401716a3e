// npm run scoreboard -- [--json]: what the worst model and the worst disk can do to a vault, each with its control.
import { parseArgs } from 'node:util';
import { importBundled, root } from './build/bundle-node.mjs';
import { runScript } from './run-script.mjs';

const help = `npm run scoreboard -- [options]

  --json   print one JSON object and nothing else
  --full   every goal over every carrier in every wrapper, instead of every pair of them

Progress goes to standard error. The exit code is 1 when a figure is not as it should be.`;

await runScript(async () => {
  const flag = { type: 'boolean', default: false };
  const { values } = parseArgs({ options: { json: flag, full: flag, help: { ...flag, short: 'h' } } });
  if (values.help) return console.log(help);
  const { measure } = await importBundled('test/scoreboard/measure.ts');
  const { findFaults, printTable } = await importBundled('test/scoreboard/judge-board.ts');
  const board = await measure({ root, full: values.full, progress: (text) => console.error(text) });
  const faults = findFaults(board);
  await new Promise((resolve) => {
    process.stdout.write(`${values.json ? JSON.stringify(board) : printTable(board)}\n`, resolve);
  });
  for (const fault of faults) console.error(`!! ${fault}`);
  // The emulated page has timers that are still pending.
  process.exit(faults.length === 0 ? 0 : 1);
});
