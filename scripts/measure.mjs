// npm run measure -- house [--json]: counts what the architecture test bounds, over the sources as they are;
// npm run measure -- duplicates [--json]: blocks of code that are written twice;
// npm run measure -- models --catalogue FILE: whether the table of models agrees with a saved catalogue;
// npm run measure -- picture: the rooms as they import one another;
// npm run measure -- figures [--write] [--json]: the figures of README.md;
// npm run measure -- styles --against REF [--json] [WALK…]: whether pages look as with the style sheet of a commit.
import { parseArgs } from 'node:util';
import { bounds, drawHouse, faultsOf, measureHouse } from './house.mjs';
import { fewestLines, findDuplicates } from './measure/duplicates.mjs';
import { measureStyles } from './measure-styles.mjs';
import { compareModels } from './model-table.mjs';
import { measureFigures, writePoints } from './pages/readme-figures.mjs';
import { runScript, UserError } from './run-script.mjs';

const help = `npm run measure -- house [--json]
npm run measure -- picture
  files, median lines, slivers, circles of files and of rooms, floors of core, the fullest folder of src, test and scripts
The exit code is 1 when a bound is broken; each fault is one sentence.
npm run measure -- duplicates [--json]
  blocks of ${fewestLines} lines or more that are written twice in src and test, also with other names in them
The exit code is 1 when there is one.
npm run measure -- styles --against REF [--json] [WALK…]
  differences between the styles that styles.css of the commit REF and the sheets of now give the elements of a page
The exit code is 1 when there is one.
npm run measure -- models --catalogue FILE [--missing] [--json]
  what the table of models and a saved catalogue of models.dev or LiteLLM say differently, with the entries for the table
The exit code is 1 when there is a difference. Set the date and the source of the table after you took entries over.
npm run measure -- figures [--write] [--json]
  the figures of README.md, measured; --write puts them into the page and into docs/figures.json`;
const maxShown = 20;

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      against: { type: 'string' },
      catalogue: { type: 'string' },
      missing: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const [what, ...more] = positionals;
  if (what === 'models') return reportModels(values);
  if (what === 'duplicates' && more.length === 0) return reportDuplicates(values);
  if (what === 'styles') return reportStyles(values, more);
  if (what === 'figures' && more.length === 0) return reportFigures(values);
  if (more.length > 0 || !['house', 'picture'].includes(what))
    throw new UserError('Say what to measure: npm run measure -- house, picture, figures, or styles --against REF.');
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

function reportDuplicates({ json }) {
  const found = findDuplicates();
  const isWithin = ({ first, second }, folder) => [first, second].every(({ file }) => file.startsWith(folder));
  const src = found.filter((pair) => isWithin(pair, 'src/')).length;
  if (json) console.log(JSON.stringify({ src, test: found.length - src, blocks: found }));
  else
    for (const { lines, first, second } of found)
      console.log(
        `${first.file}:${first.from}-${first.to} ~ ${second.file}:${second.from}-${second.to} (${lines} lines)`,
      );
  if (found.length > 0) process.exitCode = 1;
}

async function reportModels({ catalogue, missing, json }) {
  if (catalogue === undefined)
    throw new UserError('Say what to compare with: npm run measure -- models --catalogue FILE.');
  const differences = await compareModels(catalogue, { missing });
  if (json) console.log(JSON.stringify(differences));
  else
    for (const { provider, before, entry } of differences)
      console.log(`${provider}, ${before === null ? 'missing' : 'differs'}: ${JSON.stringify(entry)}`);
  if (differences.length > 0) process.exitCode = 1;
}

async function reportFigures({ write, json }) {
  const figures = await measureFigures({ write });
  console.log(json ? JSON.stringify(figures) : writePoints(figures));
}

async function reportStyles({ against, json }, walks) {
  if (against === undefined)
    throw new UserError('Say what to compare with: npm run measure -- styles --against REF, a commit of git.');
  const { looks, first, idle } = await measureStyles(against, walks);
  if (json) console.log(JSON.stringify({ looks, first, idle }));
  else {
    for (const [look, { sights, elements, differences }] of Object.entries(looks))
      console.log(`${look}: ${differences} differences in ${sights} sights, ${elements} elements`);
    for (const { sight, look, element, property, before, after } of first.slice(0, maxShown))
      console.log(`${look}, “${sight}”: ${element}: ${property} was ${before}, is ${after}`);
    console.log(`selectors that match nothing there: ${idle.length}${idle.length > 0 ? ' (--json names them)' : ''}`);
  }
  if (Object.values(looks).some(({ differences }) => differences > 0)) process.exitCode = 1;
}
