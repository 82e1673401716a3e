// npm run conformance: which rows of docs/spec/requirements.md are proved where a user or a provider meets them, which
// in code only, and by which tests; with --mutants, whether those tests fail when what a row requires is removed.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { allMutants, chooseMutants, printMutants, runMutants } from './conformance/mutants.mjs';
import { compareMissing, readConformance, readListedMissing } from './conformance/reach.mjs';
import { runScript, UserError } from './run-script.mjs';

const help = `npm run conformance -- [options]
  --json            one JSON object on standard output: {rows: {R001: {tests, passed, reach, reaches}}, missing: []};
                    “missing” holds the rows that no test shows on a request, on the page, on the disk or in the build
  --results FILE    read jest's JSON report from a file, which may be given several times, instead of running the tests

npm run conformance -- --mutants [options]
  --only TEXT       the mutants whose id holds the text, or those of a row
  --sample N        N of them, drawn by the seed
  --seed S          (1)
  --processes N     how many run at a time (2)
  --json            {mutants: [{id, rows, killed, by}], survivors: [], unguarded: []}`;
const root = path.resolve(import.meta.dirname, '..');
const projects = ['unit', 'property', 'conformance', 'browser'];

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      results: { type: 'string', multiple: true },
      mutants: { type: 'boolean' },
      only: { type: 'string' },
      sample: { type: 'string' },
      seed: { type: 'string' },
      processes: { type: 'string', default: '2' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return console.log(help);
  if (values.mutants) return holdMutants(values);
  const reports = values.results ? await Promise.all(values.results.map(readReport)) : [await runTests()];
  const conformance = await readConformance(reports);
  if (values.json) console.log(JSON.stringify(conformance));
  else printTable(conformance);
  const failed = Object.values(conformance.rows).some(({ passed }) => !passed);
  // Reports passed in may be of one suite alone, which shows few rows.
  const { failures } = values.results
    ? { failures: [] }
    : compareMissing(conformance.missing, await readListedMissing());
  for (const failure of failures) console.error(failure);
  if (failed || failures.length > 0) process.exitCode = 1;
});

async function holdMutants({ only, sample, seed, processes, json }) {
  const chosen = chooseMutants(allMutants(), {
    only,
    seed,
    sample: sample === undefined ? undefined : wholeNumber('--sample', sample),
  });
  if (chosen.length === 0) throw new UserError(`No mutant has “${only}” in its id or among its rows.`);
  const report = ({ id, killed }) => console.error(`${killed ? 'killed  ' : 'SURVIVED'} ${id}`);
  const outcome = await runMutants(chosen, { processes: wholeNumber('--processes', processes), report });
  if (json) console.log(JSON.stringify(outcome));
  else printMutants(outcome);
  if (outcome.survivors.length > 0) process.exitCode = 1;
}

function wholeNumber(option, text) {
  if (!/^[1-9]\d*$/.test(text)) throw new UserError(`${option} takes a whole number from 1 on, not “${text}”.`);
  return Number(text);
}

async function readReport(file) {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UserError(`${file} could not be read.`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError(`${file} is not a JSON report of jest.`);
  }
}

async function runTests() {
  const folder = await mkdtemp(path.join(tmpdir(), 'conformance-'));
  const file = path.join(folder, 'report.json');
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const workers = `--maxWorkers=${availableParallelism()}`;
  const parameters = [jest, '--json', `--outputFile=${file}`, '--silent', workers, '--selectProjects', ...projects];
  // Jest's progress goes to standard error, so that standard output contains the result alone.
  const child = spawn(process.execPath, parameters, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  try {
    return await readReport(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function printTable({ rows, missing }) {
  const entries = Object.entries(rows);
  for (const [row, { tests, passed, reaches }] of entries) {
    const how = reaches.length > 0 ? `shown by ${reaches.join(', ')}` : 'in code only';
    console.log(`${row} ${passed ? 'proved' : 'FAILED'}, ${how} (${tests.length})`);
  }
  const inCode = missing.filter((row) => Object.hasOwn(rows, row));
  const untested = missing.filter((row) => !Object.hasOwn(rows, row));
  if (inCode.length > 0) console.log(`\nProved in code only: ${inCode.join(' ')}`);
  if (untested.length > 0) console.log(`\nWithout a test: ${untested.join(' ')}`);
  const failed = entries.filter(([, { passed }]) => !passed).length;
  const shown = entries.length - inCode.length;
  console.log(
    `\n${shown} rows shown by reach, ${inCode.length} in code only, ${untested.length} without a test, ${failed} with a failing test`,
  );
}
