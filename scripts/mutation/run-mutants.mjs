// Finds which test files reach which mutant in one run of the tests, and then runs for each mutant only those.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UserError } from '../run-script.mjs';
import { readLines, runJest } from './run-jest.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** The number that means no mutant. */
const none = 0;
const maxDryRun = 3_600_000;
const slack = 20_000;
const patience = 5;
const short = (file) => path.relative(root, file);

/**
 * @param stage which suites run: one of stages.mjs
 * @param sites of sites.mjs
 * @param processes how many of jest run at a time
 * @param report called with each verdict as soon as it is known
 * @returns one per site: {id, file, line, operator, before, after, verdict, by or why, seconds}
 */
export async function runMutants(sites, { stage, processes, report }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'mutate-'));
  try {
    const numbered = sites.map((site, index) => ({ ...site, number: index + 1 }));
    const listed = path.join(folder, 'sites.json');
    await writeFile(listed, JSON.stringify(numbered));
    const asked = await stage({ sites: numbered, listed, folder });
    const dry = await runDry({ asked, folder, processes });
    report(`${dry.files.size} test files ran without a mutant (${dry.seconds.toFixed(0)} s)`);
    for (const { file } of dry.broken) report(`left out, for it fails without a mutant: ${short(file)}`);
    const verdicts = [];
    const waiting = [...numbered];
    const work = async () => {
      for (let site = waiting.shift(); site !== undefined; site = waiting.shift()) {
        const start = Date.now();
        const verdict = await runOne(site, dry, { asked, folder });
        const { id, file, line, operator, before, after } = site;
        const seconds = Math.round((Date.now() - start) / 100) / 10;
        verdicts[site.number - 1] = { id, file, line, operator, before, after, ...verdict, seconds };
        report(`${verdict.verdict.padEnd(9)} ${file}:${line} ${operator} (${seconds} s)`);
      }
    };
    await Promise.all(Array.from({ length: processes }, work));
    return { drySeconds: Math.round(dry.seconds), mutants: verdicts };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs once without a mutant: how long each test file takes, which fail, and which reach which site. */
async function runDry({ asked, folder, processes }) {
  const hits = path.join(folder, 'hits');
  const start = Date.now();
  const ran = (...parameters) =>
    runJest({
      projects: asked.projects,
      parameters,
      environment: { ...asked.environment(none), DOCENT_MUTATION_HITS: hits },
      results: path.join(folder, 'dry'),
      limit: maxDryRun,
    });
  const run = await ran(`--maxWorkers=${processes}`, ...asked.tests);
  const early = earlyEnd(run);
  if (early !== null) throw new UserError(early);
  const failed = run.files.filter((file) => !file.passed).map(({ file }) => file);
  // Without parallel runs, because some tests measure time.
  const again = failed.length > 0 ? (await ran('--runInBand', '--runTestsByPath', ...failed)).files : [];
  const results = run.files.map((result) => again.find(({ file }) => file === result.file) ?? result);
  const passed = results.filter((file) => file.passed);
  const reached = new Map();
  for (const { number, file, inTest } of await readLines(hits)) {
    const ofSite = reached.get(number) ?? new Map();
    reached.set(number, ofSite.set(file, inTest || ofSite.get(file) === true));
  }
  const seconds = (Date.now() - start) / 1000;
  const broken = results.filter((file) => !file.passed);
  for (const file of passed) file.text = await readFile(file.file, 'utf8');
  return { files: new Map(passed.map((file) => [file.file, file])), broken, reached, seconds };
}

/** Returns what to say of a run that ended before all its files had run, on which no verdict can rest; null if none did. */
export function earlyEnd({ files, ended, ranOut, code }) {
  if (ended) return null;
  const how = ranOut ? 'ran out of time' : `ended with code ${code}`;
  return `The tests ${how} without a mutant, after ${files.length} files. Run this again. If they end early once more, run “npm test”: it shows why.`;
}

/** Returns {verdict: killed, by}, or {verdict: survived or undecided, why}. */
async function runOne(site, dry, { asked, folder }) {
  const reached = dry.reached.get(site.number) ?? new Map();
  const reaching = [...reached.keys()].filter((file) => dry.files.has(file));
  if (reached.size === 0) return { verdict: 'survived', why: unreached };
  if (reaching.length === 0) return { verdict: 'undecided', why: 'the tests that reach it fail without it' };
  const ordered = orderFiles(site, reaching, { known: dry.files, reached }).slice(0, asked.maxFiles);
  const results = path.join(folder, String(site.number));
  const run = (files, active) =>
    runJest({
      projects: asked.projects,
      parameters: ['--runInBand', '--runTestsByPath', ...files],
      environment: {
        ...asked.environment(active),
        DOCENT_MUTATION_ACTIVE: String(active),
        DOCENT_MUTATION_ORDER: JSON.stringify(files),
      },
      results,
      limit: patience * files.reduce((sum, file) => sum + dry.files.get(file).milliseconds, 0) + slack,
    });
  for (const files of [ordered.slice(0, asked.nearest), ordered.slice(asked.nearest)]) {
    if (files.length === 0) continue;
    const { file, ...verdict } = judgeRun(await run(files, site.number), files, dry.files) ?? {};
    if (verdict.verdict === 'killed' && (await run([file], none)).files.every(({ passed }) => !passed))
      return { verdict: 'undecided', why: `${short(file)} failed, and again without the mutant` };
    if (verdict.verdict) return verdict;
  }
  const ran = reaching.length > asked.maxFiles ? `none of the nearest ${asked.maxFiles}` : 'none';
  return { verdict: 'survived', why: `${reaching.length} test files reach it, and ${ran} noticed` };
}

export const unreached = 'no test reaches it';

/**
 * Orders files: those that mirror the source first, then those that import it, then those that reach it in a test; fast
 * ones first.
 */
export function orderFiles({ file }, reaching, { known, reached }) {
  const stem = file.replace(/^src\//, '').replace(/\.tsx?$/, '');
  const distance = (test) => {
    const near = short(test).replace(/^test\/\w+\//, '');
    if (near.startsWith(`${stem}.`)) return 0;
    if (path.dirname(near) === path.dirname(stem)) return 1;
    if (known.get(test).text.includes(`src/${stem.replace(/\/index$/, '')}'`)) return 2;
    return reached.get(test) ? 3 : 4;
  };
  const cost = (test) => known.get(test).milliseconds;
  return [...reaching].sort((one, other) => distance(one) - distance(other) || cost(one) - cost(other));
}

/**
 * Returns the verdict with the test file that led to it; null if all files passed. A timeout counts only if the test
 * took far less time without the mutant.
 */
export function judgeRun({ files: results, ranOut, code }, files, known) {
  const failed = results.find(({ passed }) => !passed);
  const file = failed?.file ?? files[results.length] ?? files.at(-1);
  const killed = (by) => ({ verdict: 'killed', by, file });
  const undecided = (why) => ({ verdict: 'undecided', why, file });
  if (failed) {
    const { durations } = known.get(file);
    const noticed = failed.failures.find(({ timedOut }) => !timedOut);
    const late = failed.failures.find(({ name, milliseconds }) => patience * durations[name] < milliseconds);
    if (noticed) return killed(`${short(file)}: ${noticed.name}`);
    if (failed.failures.length === 0) return killed(`${short(file)}: cannot be loaded`);
    if (late) return killed(`timeout of ${short(file)}: ${late.name}`);
    return undecided(`a slow test ran out of time: ${failed.failures[0].name}`);
  }
  if (ranOut) return killed(`timeout of ${short(file)}`);
  // Such as one that fills the memory.
  return results.length < files.length ? killed(`end of jest, with code ${code}, in ${short(file)}`) : null;
}
