// npm run measure -- house [--json]: counts what the architecture test bounds, over the sources as they are;
// npm run measure -- picture: the rooms as they import one another.
import { parseArgs } from 'node:util';
import { bounds, drawHouse, faultsOf, measureHouse } from './house.mjs';
import { runScript, UserError } from './run-script.mjs';

const help = `npm run measure -- house [--json]
npm run measure -- picture
  files, median lines, slivers, circles of files and of rooms, floors of core, the fullest folder of src, test and scripts
The exit code is 1 when a bound is broken; each fault is one sentence.`;

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) return console.log(help);
  const [what, ...more] = positionals;
  if (more.length > 0 || !['house', 'picture'].includes(what))
    throw new UserError('Say what to measure: npm run measure -- house, or npm run measure -- picture.');
  if (what === 'picture') return process.stdout.write(drawHouse());
  const { figures, ...found } = measureHouse();
  if (values.json) console.log(JSON.stringify(figures));
  else
    for (const [name, value] of Object.entries(figures))
      console.log(`${name} ${value} (${bounds[name] ?? 'no bound'})`);
  const faults = faultsOf({ figures, ...found });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
});
