// Runs jest over the tests that name a mutant's rows, or its list entry if it has no row, with the mutant in place, and
// decides whether one of them noticed.
import { fork } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { forShortLives } from '../engine-options.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const testProgram = path.join(root, 'scripts/conformance/run-tests.cjs');
/**
 * Folders of tests, and the project of jest that runs each. The browser is too slow for one run per mutant; the tests
 * of conformance run mutants themselves.
 */
const projects = { unit: 'unit', goldens: 'unit', property: 'property', conformance: null, e2e: null };
const maxMilliseconds = 180_000;
/** What jest keeps of each run fills the memory. */
const maxRuns = 40;

/** Returns paths and texts of all tests. */
export async function readTests() {
  const folders = await Promise.all(
    Object.keys(projects).map(async (folder) => {
      const files = await readdir(path.join(root, 'test', folder), { recursive: true });
      return files.filter((file) => /\.test\.tsx?$/.test(file)).map((file) => `test/${folder}/${file}`);
    }),
  );
  return Promise.all(
    folders
      .flat()
      .sort()
      .map(async (file) => ({ file, text: await readFile(path.join(root, file), 'utf8') })),
  );
}

/**
 * Returns what the title of a test must contain to count: one of the rows or, for an entry without rows, one of its
 * names.
 */
export function keysOf({ rows, names = [] }) {
  return rows.length > 0 ? rows : names;
}

export function namesKey(text, keys) {
  return keys.some((key) => new RegExp(`\\b${key}\\b`).test(text));
}

/** Returns true for a test over a whole list, which names entries only in the titles that it generates. */
function isOverList(text, { rows, array }) {
  return rows.length === 0 && new RegExp(`\\.each\\(\\s*${array}\\b`).test(text);
}

/**
 * Returns jest's report of the tests that name a key of these mutants; null if there is none, or if jest did not
 * finish.
 * @param mutant changes one source; without it the sources are unchanged
 * @param process a TestProcess, which runs them
 */
export async function runTests(judged, tests, mutant, process) {
  const keys = [...new Set(judged.flatMap(keysOf))];
  const projectOf = (file) => projects[file.split('/')[1]];
  const files = tests
    .filter(({ text }) => namesKey(text, keys) || judged.some((mutant) => isOverList(text, mutant)))
    .map(({ file }) => ({ file, project: projectOf(file) }))
    .filter(({ project }) => project !== null);
  if (files.length === 0) return null;
  const asked = { files, pattern: `\\b(${keys.join('|')})\\b`, mutant };
  const first = await process.run({ ...asked, bail: mutant !== null });
  // A file that cannot be loaded ends a run that stops at the first failure, though other tests may prove something.
  const provesNothing = first?.testResults?.some(
    ({ status, assertionResults = [] }) => status === 'failed' && !assertionResults.length,
  );
  return mutant && provesNothing ? process.run({ ...asked, bail: false }) : first;
}

/** A process of jest for one run after another; one that hangs, ends, or has run many times is replaced. */
export class TestProcess {
  #child = null;
  #runs = 0;

  /** Returns the report of run-tests.cjs; null if the process ended, or took too long. */
  async run(asked) {
    if (this.#runs >= maxRuns) this.end();
    const isUsed = this.#runs > 0;
    const { report, isLate } = await this.#runOnce(asked);
    if (report !== null) return report;
    this.end();
    // It may have ended by what an earlier run left behind.
    return isUsed && !isLate ? (await this.#runOnce(asked)).report : null;
  }

  async #runOnce(asked) {
    const child = (this.#child ??= fork(testProgram, { cwd: root, execArgv: forShortLives, stdio: 'ignore' }));
    this.#runs += 1;
    let timer;
    const result = await new Promise((resolve, reject) => {
      const end = () => resolve({ report: null, isLate: false });
      child.once('message', (report) => resolve({ report, isLate: false }));
      child.once('error', reject);
      child.once('exit', end);
      child.send(asked, (error) => error && end());
      timer = setTimeout(() => resolve({ report: null, isLate: true }), maxMilliseconds);
    });
    clearTimeout(timer);
    child.removeAllListeners();
    return result;
  }

  end() {
    this.#child?.kill('SIGKILL');
    this.#child = null;
    this.#runs = 0;
  }
}

/**
 * Judges a mutant: it is killed by tests that name one of its keys and fail on an assertion or an error of their own. A
 * file that cannot be loaded, a timeout, and a test that also fails without the mutant prove nothing.
 */
export function judge(mutant, report, failedBefore = new Set()) {
  const { id, rows } = mutant;
  const results = report?.testResults ?? [];
  const ran = results.flatMap(({ assertionResults = [] }) => assertionResults);
  const named = ran.filter(({ fullName, status }) => status !== 'pending' && namesKey(fullName, keysOf(mutant)));
  const failed = named.filter(
    ({ fullName, status, failureMessages = [] }) =>
      status === 'failed' && !failedBefore.has(fullName) && !failureMessages.every(isTimeout),
  );
  const by = [...new Set(failed.map(({ fullName }) => fullName))];
  const verdict = { id, rows, killed: by.length > 0, by };
  return verdict.killed ? verdict : { ...verdict, why: whyNot(mutant, report, named, failedBefore) };
}

function whyNot(mutant, report, named, failedBefore) {
  const what = mutant.rows.length > 0 ? 'its rows' : `it by ${keysOf(mutant).join(' or ')}`;
  if (report === null) return `no test file names ${what}, or jest did not finish`;
  const results = report.testResults ?? [];
  const broken = results.filter(({ status, assertionResults = [] }) => status === 'failed' && !assertionResults.length);
  if (broken.length > 0)
    return `could not be loaded: ${broken.map(({ name }) => path.relative(root, name)).join(', ')}`;
  if (named.length === 0) return `no test names ${what}`;
  const before = named.filter(({ fullName }) => failedBefore.has(fullName)).length;
  const failing = before === 0 ? '' : ` (${before} of them fail without the mutant, too)`;
  return `${named.length} tests name ${what}, and none noticed${failing}`;
}

function isTimeout(message) {
  return message.includes('Exceeded timeout of');
}
