// npm run scoreboard -- [--json]: what the worst model, disk and sync can do to a vault, and what without each defence.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defences } from '../test/scoreboard/defences.mjs';
import { importBundled, root } from './build/bundle-node.mjs';
import { switchDefences } from './build/weave-defences.mjs';
import { runScript, UserError } from './run-script.mjs';

const help = `npm run scoreboard -- [options]

  --json                  print one JSON object and nothing else
  --full                  every goal over every carrier in every wrapper, instead of every pair of them
  --write                 store the figures, and put their table into SECURITY.md
  --without [ID[,ID]…]    only what each of these defences prevents; all of them by default

Progress goes to standard error. The exit code is 1 when a figure is not as it should be.`;

await runScript(async () => {
  const flag = { type: 'boolean', default: false };
  const { values, positionals } = parseArgs({
    options: { json: flag, full: flag, write: flag, without: flag, help: { ...flag, short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) return console.log(help);
  const only = values.without ? positionals.flatMap((ids) => ids.split(',')) : [];
  const unknown = values.without ? only.find((id) => !defences.some((each) => each.id === id)) : positionals[0];
  if (unknown !== undefined)
    throw new UserError(`There is no “${unknown}”. After --without, name defences of test/scoreboard/defences.mjs.`);
  const plugins = [switchDefences(root, defences)];
  const { measure, measureWithout } = await importBundled('test/scoreboard/measure.ts', { plugins });
  const { findFaults, findIdle, printTable, putTable } = await importBundled('test/scoreboard/judge-board.ts');
  const progress = (text) => console.error(text);
  const board = values.without
    ? await measureWithout({ progress, ...(only.length > 0 && { only }) })
    : await measure({ full: values.full, progress });
  const faults = values.without ? findIdle(board) : findFaults(board);
  if (values.write && !values.without && faults.length === 0) {
    await writeFile(path.join(root, 'test/scoreboard/measured.json'), `${JSON.stringify(board, null, 2)}\n`);
    const page = path.join(root, 'SECURITY.md');
    await writeFile(page, putTable(await readFile(page, 'utf8'), board));
  }
  const isShort = values.json || values.without;
  await new Promise((resolve) => {
    process.stdout.write(`${isShort ? JSON.stringify(board) : printTable(board)}\n`, resolve);
  });
  for (const fault of faults) console.error(`!! ${fault}`);
  // The emulated page has timers that are still pending.
  process.exit(faults.length === 0 ? 0 : 1);
});
