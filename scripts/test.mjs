// npm test: every check in order, then one last line with the counts. Nothing is skipped and nothing leaves the machine.
//   --only NAME[,NAME]   some of: types, lint, format, build, unit, property, conformance, mutants, browser
//   --chaos-seeds N      how many seeds the browser suite runs its chaos tests with (20)
//   --mutant-seed S      which mutants are drawn (by the day)
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './bundle-node.mjs';
import { allMutants, chooseMutants, runMutants } from './conformance-mutants.mjs';
import { runScript, UserError } from './fail.mjs';

const tool = (name) => path.join(root, 'node_modules', name);

const checks = {
  types: [tool('typescript/bin/tsc'), '--noEmit', '-p', '.'],
  lint: [tool('eslint/bin/eslint.js'), '.', '--max-warnings', '0'],
  format: [tool('prettier/bin/prettier.cjs'), '--check', '.', '--log-level', 'warn'],
  build: [path.join(root, 'scripts/check-build.mjs')],
};
const suites = ['unit', 'property', 'conformance', 'mutants', 'browser'];
const results = path.join(root, 'dist/test');
const drawnMutants = 30;
const dayInMilliseconds = 86_400_000;

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      'chaos-seeds': { type: 'string', default: '20' },
      'mutant-seed': { type: 'string', default: String(Math.floor(Date.now() / dayInMilliseconds)) },
    },
  });
  const all = [...Object.keys(checks), ...suites];
  const wanted = values.only?.split(',') ?? all;
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new UserError(`There is no check “${unknown}”. Choose from ${all.join(', ')}.`);
  const seedCount = Number(values['chaos-seeds']);
  if (!/^\d+$/.test(values['chaos-seeds']) || seedCount < 1) {
    throw new UserError(`--chaos-seeds takes a whole number from 1 on, not “${values['chaos-seeds']}”.`);
  }
  const seeds = { DOCENT_CHAOS_SEEDS: Array.from({ length: seedCount }, (_, index) => index + 1).join(',') };
  const environment = { ...seeds, DOCENT_SECOND_TRY: 'yes' };

  await mkdir(results, { recursive: true });
  const total = { passed: 0, failed: 0 };
  const show = (name, { passed, failed, note = '', seconds }) => {
    total.passed += passed;
    total.failed += failed;
    console.log(`── ${name}: ${passed} passed, ${failed} failed${note} (${seconds.toFixed(1)} s)`);
  };
  // The checks use one core each, so that they run beside one another; a suite has all cores to itself.
  const chosen = Object.keys(checks).filter((name) => wanted.includes(name));
  const checked = chosen.map((name) => timed(() => runCheck(name)));
  for (const [index, name] of chosen.entries()) {
    const result = await checked[index];
    console.log(`\n── ${name}`);
    process.stdout.write(result.output);
    show(name, result);
  }
  for (const name of suites.filter((candidate) => wanted.includes(candidate))) {
    console.log(`\n── ${name}`);
    const run = name === 'mutants' ? () => holdMutants(values['mutant-seed']) : () => runSuite(name, environment);
    show(name, await timed(run));
  }
  if (total.failed > 0) process.exitCode = 1;
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
});

async function timed(run) {
  const start = Date.now();
  const result = await run();
  return { ...result, seconds: (Date.now() - start) / 1000 };
}

/** A mutant that is killed passes, a survivor fails. */
async function holdMutants(seed) {
  const { mutants, survivors } = await runMutants(chooseMutants(allMutants(), { sample: drawnMutants, seed }));
  for (const { id, rows, killed, why } of mutants)
    if (!killed) console.log(`SURVIVED ${id} (${rows.join(' ')}): ${why}`);
  return { passed: mutants.length - survivors.length, failed: survivors.length, note: `, seed ${seed}` };
}

async function runCheck(name) {
  let output = '';
  const code = await runNode(checks[name], {}, (text) => (output += text));
  return { output, ...(code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }) };
}

/** A suite that cannot run, or holds no tests, counts as one failure. */
async function runSuite(name, environment) {
  const outputFile = path.join(results, `${name}.json`);
  await rm(outputFile, { force: true });
  // Left to itself, jest leaves one core idle, which is half of a small machine.
  const workers = `--maxWorkers=${availableParallelism()}`;
  const jest = [tool('jest/bin/jest.js'), '--selectProjects', name, '--json', `--outputFile=${outputFile}`, workers];
  const code = await runNode(jest, environment);
  const report = await readFile(outputFile, 'utf8').then(JSON.parse, () => null);
  if (!report) return { passed: 0, failed: 1, note: ', the suite did not run' };
  const { numPassedTests: passed, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTotalTests } = report;
  let failed = numFailedTests + numRuntimeErrorTestSuites;
  if (failed === 0 && (code !== 0 || numTotalTests === 0)) failed = 1;
  const again = report.testResults.flatMap((file) => file.assertionResults.filter((test) => test.invocations > 1));
  for (const { fullName, status } of again) console.log(`SECOND TRY (${status}) ${fullName}`);
  const notes = [
    numTotalTests === 0 && 'no tests were found',
    numPendingTests > 0 && `${numPendingTests} skipped`,
    again.length > 0 && `${again.length} needed a second try`,
  ];
  const note = notes
    .filter(Boolean)
    .map((each) => `, ${each}`)
    .join('');
  return { passed, failed, note };
}

/** @param tell gets all output of the program; without it, the output is shown on standard output as it comes */
function runNode(command, environment = {}, tell = null) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      stdio: tell === null ? ['ignore', 1, 1] : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', tell);
    child.on('error', reject);
    child.on('close', resolve);
  });
}
