// npm test: every check in order, then one last line with the counts. Nothing is skipped and nothing leaves the machine.
//   --only NAME[,NAME]   some of: types, lint, oxlint, unused, format, build, unit, property, conformance, mutants, browser
//   --changed [--since REV]   types, format, unused exports, and lint and tests of what differs from the last commit, or from REV
//   --long               all twenty seeds of chaos instead of three that the commit draws, and the longest walks in full
//   --seeds N[,N]        these seeds of chaos
//   --mutant-seed S      which mutants are drawn (by the day)
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { buildPage, buildPluginFolder, buildProbe } from './build/built-folders.mjs';
import { root } from './build/bundle-node.mjs';
import { allMutants, chooseMutants, runMutants } from './conformance/mutants.mjs';
import { judgeReach } from './conformance/reach.mjs';
import { forShortLives } from './engine-options.mjs';
import { runScript, UserError } from './run-script.mjs';
import { projectOf } from './test-folders.mjs';
import { failedTests, readSuites, secondTries, reportTimes } from './test-report.mjs';

const tool = (name) => path.join(root, 'node_modules', name);
const jestProgram = tool('jest/bin/jest.js');
/**
 * Compiles and collects with one thread: all cores are busy, and helpers take a tenth more. Jest hands such options on to
 * its workers, and tests to the scripts that they run.
 */
const sparing = [...forShortLives, '--single-threaded'];
const eslint = [...sparing, tool('eslint/bin/eslint.js'), '--max-warnings', '0'];
/** The rules that oxlint applies to the plugin in a tenth of the time; `npm run lint` and `--long` apply them with both. */
const twice = Object.keys(JSON.parse(await readFile(path.join(root, '.oxlintrc.json'), 'utf8')).overrides[0].rules);
const withoutTwice = twice.flatMap((rule) => ['--rule', `@typescript-eslint/${rule.replace('typescript/', '')}: off`]);
const oxlint = [tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'];
const oxfmt = [tool('oxfmt/bin/oxfmt'), '--check'];
// The native compiler checks in a third of the time; the linter's rules need the program of the older one. Its four
// checkers would each work out again what the others have.
const typescript = [tool('typescript-native/bin/tsc'), '--noEmit', '--singleThreaded', '-p', '.'];

/**
 * The native compiler and what oxlint knows of types are programs in Go: they end before it pays to collect what they
 * drop, and one thread takes less time than two that wait for each other. Beyond the limit, they do collect.
 */
const forGo = { GOGC: 'off', GOMEMLIMIT: '2GiB', GOMAXPROCS: '1' };

/**
 * The slowest first, after the build, for which the walks wait: each takes one core, and as many run at a time as there
 * are cores.
 */
const checks = {
  build: [path.join(root, 'scripts/build/check-build.mjs')],
  lint: [...eslint, ...withoutTwice, '.'],
  types: typescript,
  unused: [...sparing, path.join(root, 'scripts/build/check-unused.mjs')],
  oxlint,
  format: oxfmt,
};
const suites = ['unit', 'property', 'conformance', 'mutants', 'browser'];
const results = path.join(root, 'dist/test');
const cores = availableParallelism();
/**
 * A tenth of a test's time goes into waiting, for the disk or another process, and a third of a walk's: with one worker
 * more than cores, an eighth of their time was left.
 */
const workers = cores + 2;
const drawnMutants = 30;
const longSeeds = Array.from({ length: 20 }, (_, index) => index + 1);
const drawnSeeds = 3;
/** One may be due to the machine; more are a fault of the tests. */
const maxSecondTries = 3;
const dayInMilliseconds = 86_400_000;

/** The counts so far; each part is printed when it ends. */
class Run {
  start = Date.now();
  phases = [];
  reports = [];
  counts = { passed: 0, failed: 0 };

  add(name, { passed, failed, notes = [], seconds }) {
    this.counts.passed += passed;
    this.counts.failed += failed;
    this.phases.push({ name, seconds, failed });
    const said = notes.map((note) => `, ${note}`).join('');
    console.log(`── ${name}: ${passed} passed, ${failed} failed${said} (${seconds.toFixed(1)} s)`);
  }

  async end() {
    await reportTimes(path.join(results, 'times.json'), this);
    if (this.counts.failed > 0) process.exitCode = 1;
    // A part that failed at the start is far above the last lines, which are all that some logs keep.
    const failed = this.phases.filter((phase) => phase.failed > 0).map(({ name }) => name);
    if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`);
    console.log(`\n${this.counts.passed} passed, ${this.counts.failed} failed`);
  }
}

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      changed: { type: 'boolean', default: false },
      since: { type: 'string', default: 'HEAD' },
      long: { type: 'boolean', default: false },
      seeds: { type: 'string' },
      'mutant-seed': { type: 'string', default: String(Math.floor(Date.now() / dayInMilliseconds)) },
    },
  });
  const all = [...Object.keys(checks), ...suites];
  const wanted = values.only?.split(',') ?? all;
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new UserError(`There is no check “${unknown}”. Choose from ${all.join(', ')}.`);
  const seeds = await chooseSeeds(values);

  await mkdir(results, { recursive: true });
  const run = new Run();
  if (values.changed) await runChanged(run, values.since);
  else await runAll(run, wanted, { seeds, long: values.long, mutantSeed: values['mutant-seed'] });
  await run.end();
});

async function runAll(run, wanted, { seeds, long, mutantSeed }) {
  const chosen = long ? { ...checks, lint: [...eslint, '.'] } : checks;
  const checked = runChecks(
    run,
    Object.entries(chosen).filter(([name]) => wanted.includes(name)),
  );
  const inJest = suites.filter((name) => wanted.includes(name) && name !== 'mutants');
  const environment = { DOCENT_LONG: long ? 'yes' : 'no' };
  if (inJest.includes('browser')) {
    // The check of the build leaves the plugin in its folder.
    await checked.ended('build');
    await Promise.all([buildPluginFolder(), buildPage(), buildProbe()]);
    Object.assign(environment, { WORKBENCH_CHAOS_SEEDS: seeds.join(','), DOCENT_BUILT: 'yes' });
    console.log(`\n── chaos by the seeds ${seeds.join(', ')}`);
  }
  // The linter takes as long as all other checks and one more: the tests begin on the core that is free.
  await checked.first;
  if (inJest.length > 0) await runSuites(run, inJest, { environment });
  await checked.all;
  if (wanted.includes('mutants')) {
    console.log('\n── mutants');
    run.add('mutants', await timed(() => holdMutants(mutantSeed, run.reports)));
  }
  // With fewer suites, rows that the others show would seem unproved.
  if (suites.every((name) => wanted.includes(name) || name === 'mutants')) await holdRows(run);
}

/**
 * Runs what a change of a few files can have broken, in about a minute. Of the browser suite, only changed walks run.
 */
async function runChanged(run, revision) {
  const files = await changedFiles(revision);
  if (files.length === 0)
    throw new UserError(`Nothing differs from ${revision}: name another commit with --since REV.`);
  const plugin = files.filter((file) => /^(?:src\/.*\.tsx?|package\.json|manifest\.json|LICENSE)$/.test(file));
  const walks = files.filter((file) => projectOf(file) === 'browser');
  const checked = runChecks(run, [
    ['types', [...typescript, '--incremental', '--tsBuildInfoFile', path.join(results, 'types.tsbuildinfo')]],
    ...(plugin.length > 0 ? [['lint', [...eslint, ...withoutTwice, ...plugin]]] : []),
    ['unused', checks.unused],
    ['oxlint', oxlint],
    ['format', oxfmt],
  ]);
  await checked.all;
  const related = files.filter((file) => !walks.includes(file)).map((file) => path.join(root, file));
  if (related.length > 0) {
    await runSuites(run, ['unit', 'property', 'conformance'], {
      parameters: ['--passWithNoTests', '--findRelatedTests', ...related],
    });
  }
  if (walks.length > 0) await runSuites(run, ['browser'], { parameters: ['--runTestsByPath', ...walks] });
}

async function changedFiles(revision) {
  const git = async (...given) => (await promisify(execFile)('git', given, { cwd: root })).stdout.split('\n');
  const lists = await Promise.all([
    git('diff', '--name-only', '--diff-filter=d', revision, '--'),
    git('ls-files', '--others', '--exclude-standard'),
  ]).catch((thrown) => {
    throw new UserError(
      `git does not tell what changed since ${revision}: ${thrown.stderr?.split('\n')[0] || thrown.message}.`,
    );
  });
  return lists.flat().filter((file) => file !== '' && existsSync(path.join(root, file)));
}

/**
 * Returns three seeds that the commit decides, so that each commit uses different ones and a failure is reproducible.
 */
async function chooseSeeds({ seeds, long }) {
  if (seeds !== undefined) {
    const chosen = seeds.split(',').map(Number);
    if (chosen.every((seed) => Number.isInteger(seed) && seed > 0)) return chosen;
    throw new UserError(`--seeds takes whole numbers from 1 on, with commas between them, not “${seeds}”.`);
  }
  if (long) return longSeeds;
  const git = promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: root });
  const commit = await git.then(
    ({ stdout }) => stdout.trim(),
    () => 'no commit',
  );
  const placeOf = (seed) => createHash('sha256').update(`${commit} ${seed}`).digest('hex');
  return longSeeds.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)).slice(0, drawnSeeds);
}

/**
 * Fails for a row that no test shows any more where a user meets it, and for one that is missing in the stored list.
 */
async function holdRows(run) {
  const result = await timed(async () => {
    const { conformance, failures } = await judgeReach(run.reports);
    for (const failure of failures) console.log(failure);
    const notes = [`${conformance.missing.length} rows without reach`];
    return { passed: failures.length === 0 ? 1 : 0, failed: failures.length, notes };
  });
  run.add('rows', result);
}

async function timed(work) {
  const start = Date.now();
  const result = await work();
  return { ...result, seconds: (Date.now() - start) / 1000 };
}

/**
 * Returns promises of the first core that is free again and of the end of all checks, and `ended`, which gives the one of
 * a check by its name; a check that does not run has ended.
 */
function runChecks(run, chosen) {
  const waiting = chosen.map(([name, command]) => {
    let end;
    const ended = new Promise((resolve) => (end = resolve));
    return { name, command, end, ended };
  });
  const endOf = new Map(waiting.map(({ name, ended }) => [name, ended]));
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name, command, end } = next;
      let output = '';
      const result = await timed(async () => {
        const code = await runNode(command, forGo, (text) => (output += text));
        return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
      });
      console.log(`\n── ${name}`);
      process.stdout.write(output);
      run.add(name, result);
      end();
    }
  };
  const working = Array.from({ length: cores }, work);
  return { first: Promise.race(working), all: Promise.all(working), ended: (name) => endOf.get(name) };
}

/**
 * Passes each mutant that is killed and fails each survivor. Tests that failed without any mutant are known from the
 * suites' reports.
 */
async function holdMutants(seed, reports) {
  const chosen = chooseMutants(allMutants(), { sample: drawnMutants, seed });
  const failedBefore = reports.length > 0 ? new Set(reports.flatMap(failedTests)) : undefined;
  const { mutants, survivors } = await runMutants(chosen, { processes: cores, failedBefore });
  for (const { id, rows, killed, why } of mutants)
    if (!killed) console.log(`SURVIVED ${id} (${rows.join(' ')}): ${why}`);
  return { passed: mutants.length - survivors.length, failed: survivors.length, notes: [`seed ${seed}`] };
}

/**
 * Runs jest once for all the suites, so that none waits for the last file of another, and what walks wait for is filled
 * by tests that only compute.
 */
async function runSuites(run, names, { environment = {}, parameters = [] } = {}) {
  console.log(`\n── ${names.join(', ')}`);
  const outputFile = path.join(results, `${names[0]}.json`);
  await rm(outputFile, { force: true });
  const jest = [...sparing, jestProgram, '--selectProjects', ...names, '--json', `--outputFile=${outputFile}`];
  const start = Date.now();
  const code = await runNode([...jest, `--maxWorkers=${workers}`, ...parameters], {
    ...environment,
    DOCENT_SECOND_TRY: 'yes',
  });
  const seconds = (Date.now() - start) / 1000;
  const report = await readFile(outputFile, 'utf8').then(JSON.parse, () => null);
  if (!report) return run.add(names.join(', '), { passed: 0, failed: 1, notes: ['the suites did not run'], seconds });
  run.reports.push(report);
  const again = secondTries(report);
  for (const { fullName, status, reason } of again) console.log(`SECOND TRY (${status}) ${fullName}\n${reason}`);
  const parts = readSuites(report, names, { emptyIsFine: parameters.length > 0 });
  for (const part of parts) run.add(part.name, { ...part, seconds: seconds * part.share });
  const isUnexplained = code !== 0 && parts.every(({ failed }) => failed === 0);
  if (isUnexplained)
    run.add(names.join(', '), { passed: 0, failed: 1, notes: [`jest ended with ${code}`], seconds: 0 });
  if (again.length === 0) return;
  const tooMany = again.length > maxSecondTries;
  const notes = [`${again.length} needed one${tooMany ? `, more than ${maxSecondTries}` : ''}`];
  run.add('second tries', { passed: 0, failed: tooMany ? 1 : 0, notes, seconds: 0 });
}

/**
 * @param onOutput receives all output of the program; without it, the output is printed to standard output as it
 * arrives
 */
function runNode(command, environment = {}, onOutput = null) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      stdio: onOutput === null ? ['ignore', 1, 1] : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput);
    child.on('error', reject);
    child.on('close', resolve);
  });
}
