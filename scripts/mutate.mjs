// npm run mutate: draws small changes of the sources at random, and reports which of them the tests notice.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runScript, UserError } from './run-script.mjs';
import { runMutants, unreached } from './mutation/run-mutants.mjs';
import { stages } from './mutation/stages.mjs';

const help = `npm run mutate -- --sample N --seed S [options] [PATH…]
  PATH            only sources whose path begins with it, such as src/core/writing
  --sample N      how many mutants are drawn (60)
  --seed S        any text; it alone decides the draw (1)
  --processes N   how many of jest run at a time (2)
  --browser       ask the walks in the browser about what the units leave
  --list          draw only, run nothing
One JSON object on standard output: {seed, sample, killed, survived, undecided, rate, mutants, survivors, unreached}.
The rate is killed / (killed + survived).`;
const root = path.resolve(import.meta.dirname, '..');

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      processes: { type: 'string', default: '2' },
      browser: { type: 'boolean' },
      list: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return console.log(help);
  const sample = wholeNumber('--sample', values.sample);
  const processes = wholeNumber('--processes', values.processes);
  const sources = await chooseSources(positionals);
  // The compiler takes half a second to load, so problems with the options are reported first.
  const { drawSites, findSites } = await import('./mutation/sites.mjs');
  const sites = await Promise.all(
    sources.map(async (file) => findSites(file, await readFile(path.join(root, file), 'utf8'))),
  );
  if (sites.flat().length === 0)
    throw new UserError(`There is nothing to mutate in ${positionals.join(', ')}: give other paths.`);
  const drawn = drawSites(sites.flat(), sample, values.seed);
  const start = Date.now();
  const report = (line) => console.error(line);
  if (values.list) return console.log(JSON.stringify({ seed: values.seed, sample, mutants: drawn }));
  const { drySeconds, mutants } = await runMutants(drawn, { stage: stages.unit, processes, report });
  if (values.browser) await askBrowser(drawn, mutants, { processes, report });
  const withVerdict = (verdict) => mutants.filter((mutant) => mutant.verdict === verdict);
  const [killed, survived] = [withVerdict('killed').length, withVerdict('survived').length];
  const outcome = {
    ...{ seed: values.seed, sample: drawn.length, killed, survived, undecided: withVerdict('undecided').length },
    rate: killed + survived === 0 ? null : Math.round((killed / (killed + survived)) * 1000) / 1000,
    ...{ seconds: Math.round((Date.now() - start) / 1000), drySeconds, mutants },
    survivors: withVerdict('survived').map(({ id }) => id),
    unreached: mutants.flatMap(({ id, why }) => (why === unreached ? [id] : [])),
  };
  console.log(JSON.stringify(outcome, null, 2));
});

/** Replaces the verdicts of mutants that survived the unit tests with those of the browser walks. */
async function askBrowser(drawn, mutants, settings) {
  const left = mutants.flatMap(({ verdict }, index) => (verdict === 'survived' ? [index] : []));
  if (left.length === 0) return;
  const sites = left.map((index) => drawn[index]);
  const walked = await runMutants(sites, { ...settings, stage: stages.browser });
  for (const [place, index] of left.entries()) {
    const [{ why }, { seconds, ...asked }] = [mutants[index], walked.mutants[place]];
    if (asked.verdict === 'killed') mutants[index] = { ...asked, seconds: mutants[index].seconds };
    else if (asked.verdict === 'survived') mutants[index].why = `units: ${why}; walks: ${asked.why}`;
    mutants[index].seconds = Math.round((mutants[index].seconds + seconds) * 10) / 10;
  }
}

function wholeNumber(option, text) {
  if (!/^[1-9]\d*$/.test(text)) throw new UserError(`${option} takes a whole number from 1 on, not “${text}”.`);
  return Number(text);
}

/** Returns the sources below these paths, or all of them. */
async function chooseSources(given) {
  const all = await readdir(path.join(root, 'src'), { recursive: true });
  const sources = all
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => `src/${file.split(path.sep).join('/')}`);
  const prefixes = given.map((each) => path.relative(root, path.resolve(each)).split(path.sep).join('/'));
  for (const [index, prefix] of prefixes.entries()) {
    if (prefix === '' || !sources.some((file) => file.startsWith(prefix)))
      throw new UserError(`No source begins with “${given[index]}”: give a path below src.`);
  }
  return sources.filter((file) => prefixes.length === 0 || prefixes.some((prefix) => file.startsWith(prefix))).sort();
}
