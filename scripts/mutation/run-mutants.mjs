// Finds which test files reach which mutant in one run of the tests, and then runs for each mutant only those.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readLines, runJest } from './run-jest.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** The number of no mutant. */
const none = 0;
const longestDryRun = 3_600_000;
const slack = 20_000;
const patience = 5;
const short = (file) => path.relative(root, file);

/**
 * @param stage which suites are asked: one of stages.mjs
 * @param sites of sites.mjs
 * @param processes how many of jest run at a time
 * @param tell hears of each verdict as it comes
 * @returns one a site: {id, file, line, operator, before, after, verdict, by or why, seconds}
 */
export async function runMutants(sites, { stage, processes, tell }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'mutate-'));
  try {
    const numbered = sites.map((site, index) => ({ ...site, number: index + 1 }));
    const listed = path.join(folder, 'sites.json');
    await writeFile(listed, JSON.stringify(numbered));
    const asked = await stage({ sites: numbered, listed, folder });
    const dry = await runDry({ asked, folder, processes });
    tell(`${dry.files.size} test files ran without a mutant (${dry.seconds.toFixed(0)} s)`);
    for (const { file } of dry.broken) tell(`left out, for it fails without a mutant: ${short(file)}`);
    const verdicts = [];
    const waiting = [...numbered];
    const work = async () => {
      for (let site = waiting.shift(); site !== undefined; site = waiting.shift()) {
        const start = Date.now();
        const verdict = await runOne(site, dry, { asked, folder });
        const { id, file, line, operator, before, after } = site;
        const seconds = Math.round((Date.now() - start) / 100) / 10;
        verdicts[site.number - 1] = { id, file, line, operator, before, after, ...verdict, seconds };
        tell(`${verdict.verdict.padEnd(9)} ${file}:${line} ${operator} (${seconds} s)`);
      }
    };
    await Promise.all(Array.from({ length: processes }, work));
    return { drySeconds: Math.round(dry.seconds), mutants: verdicts };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One run with no mutant on: how long each test file takes, which fail, and which reach which site. */
async function runDry({ asked, folder, processes }) {
  const hits = path.join(folder, 'hits');
  const start = Date.now();
  const ran = (...parameters) =>
    runJest({
      projects: asked.projects,
      parameters,
      environment: { ...asked.environment(none), DOCENT_MUTATION_HITS: hits },
      results: path.join(folder, 'dry'),
      limit: longestDryRun,
    });
  const run = await ran(`--maxWorkers=${processes}`, ...asked.tests);
  if (run.files.length === 0 && run.code !== 0) throw new Error('Jest did not start.');
  const failed = run.files.filter((file) => !file.passed).map(({ file }) => file);
  // With nothing beside it: some tests measure time.
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

/** {verdict: killed, by}, or {verdict: survived or undecided, why}. */
async function runOne(site, dry, { asked, folder }) {
  const reached = dry.reached.get(site.number) ?? new Map();
  const reaching = [...reached.keys()].filter((file) => dry.files.has(file));
  if (reached.size === 0) return { verdict: 'survived', why: unreached };
  if (reaching.length === 0) return { verdict: 'undecided', why: 'the tests that reach it fail without it' };
  const ordered = orderFiles(site, reaching, { known: dry.files, reached }).slice(0, asked.most);
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
  const ran = reaching.length > asked.most ? `none of the nearest ${asked.most}` : 'none';
  return { verdict: 'survived', why: `${reaching.length} test files reach it, and ${ran} noticed` };
}

export const unreached = 'no test reaches it';

/** Those that mirror the source first, then those that import it, then those that reach it in a test; cheap ones first. */
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
 * The verdict with the test file that led to it; null when all files passed. A test that ran out of time counts only if
 * it took far less without the mutant.
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
