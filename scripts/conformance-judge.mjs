// Runs jest over the tests that name a mutant's rows, with the mutant in place, and says whether one of them noticed.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const jestProgram = path.join(root, 'node_modules/jest/bin/jest.js');
/** Where tests stand, and the project of jest that runs them; the browser is too slow for one run a mutant. */
const projects = { unit: 'unit', goldens: 'unit', property: 'property', conformance: 'conformance', e2e: null };
const longestRun = 180_000;

/** Paths and texts of all tests. */
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

export function namesRow(text, rows) {
  return rows.some((row) => new RegExp(`\\b${row}\\b`).test(text));
}

/**
 * Jest's report of the tests that name one of the rows; null when there is none, or jest did not finish.
 * @param mutant changes one source; without it the sources are as they are
 */
export async function runTests(rows, tests, mutant) {
  const projectOf = (file) => projects[file.split('/')[1]];
  const files = tests.filter(({ text }) => namesRow(text, rows)).flatMap(({ file }) => (projectOf(file) ? [file] : []));
  if (files.length === 0) return null;
  const folder = await mkdtemp(path.join(tmpdir(), 'mutant-'));
  const report = path.join(folder, 'report.json');
  const selected = [...new Set(files.map(projectOf))];
  const parameters = [
    ...[jestProgram, '--silent', '--json', `--outputFile=${report}`, '--testNamePattern', `\\b(${rows.join('|')})\\b`],
    ...['--selectProjects', ...selected, ...(mutant ? ['--runInBand'] : []), '--runTestsByPath', ...files],
  ];
  const environment = { ...process.env, DOCENT_MUTANT: mutant ? JSON.stringify(mutant) : '' };
  const options = { cwd: root, stdio: 'ignore', env: environment, timeout: longestRun, killSignal: 'SIGKILL' };
  const child = spawn(process.execPath, parameters, options);
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  try {
    return JSON.parse(await readFile(report, 'utf8'));
  } catch {
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A mutant is killed by tests that name one of its rows and fail on an assertion or an error of their own. A file that
 * cannot be loaded, a test that ran out of time and one that fails without the mutant too prove nothing.
 */
export function judge({ id, rows }, report, failedBefore = new Set()) {
  const results = report?.testResults ?? [];
  const ran = results.flatMap(({ assertionResults = [] }) => assertionResults);
  const named = ran.filter(({ fullName, status }) => status !== 'pending' && namesRow(fullName, rows));
  const failed = named.filter(
    ({ fullName, status, failureMessages = [] }) =>
      status === 'failed' && !failedBefore.has(fullName) && !failureMessages.every(isTimeout),
  );
  const by = [...new Set(failed.map(({ fullName }) => fullName))];
  const verdict = { id, rows, killed: by.length > 0, by };
  return verdict.killed ? verdict : { ...verdict, why: whyNot(report, results, named, failedBefore) };
}

function whyNot(report, results, named, failedBefore) {
  if (report === null) return 'no test file names its rows, or jest did not finish';
  const broken = results.filter(({ status, assertionResults = [] }) => status === 'failed' && !assertionResults.length);
  if (broken.length > 0)
    return `could not be loaded: ${broken.map(({ name }) => path.relative(root, name)).join(', ')}`;
  if (named.length === 0) return 'no test names its rows';
  const before = named.filter(({ fullName }) => failedBefore.has(fullName)).length;
  const failing = before === 0 ? '' : ` (${before} of them fail without the mutant, too)`;
  return `${named.length} tests name its rows, and none noticed${failing}`;
}

function isTimeout(message) {
  return message.includes('Exceeded timeout of');
}
