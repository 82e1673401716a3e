// Mutants: the sources with one thing removed. Each must fail a test that names one of its rows; a list entry may have
// no row, and then a test that names the entry.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { rowsOfEntries, unreachableEntries } from '../../test/conformance/mutants/entries.mjs';
import { patches } from '../../test/conformance/mutants/index.mjs';
import { entryMutants } from './entries.mjs';
import { judge, keysOf, readTests, runTests, TestProcess } from './judge.mjs';
import { rowsNamedIn } from './rows.mjs';
import { UserError } from '../run-script.mjs';
import jestMutant from './jest-mutant.cjs';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Returns all mutants of what a chat can show: {id, rows, file}, an entry's `names` and `array`, and either `append` or
 * `find` and `replace`.
 */
export function allMutants() {
  const entries = entryMutants()
    .filter(({ id }) => !Object.hasOwn(unreachableEntries, id))
    .map((mutant) => ({ ...mutant, rows: rowsOfEntries[mutant.id] ?? [] }));
  return [...entries, ...patches.map(({ name, ...patch }) => ({ id: `patch:${name}`, ...patch }))];
}

/**
 * Returns the mutants whose id or rows contain the text; of these, a sample that the seed alone decides. A mutant's
 * rank in the draw does not depend on other mutants.
 */
export function chooseMutants(mutants, { only = '', sample, seed = '1' } = {}) {
  const wanted = mutants.filter(({ id, rows }) => id.includes(only) || rows.includes(only));
  if (sample === undefined) return wanted;
  const placed = wanted.map((mutant) => {
    return { mutant, place: createHash('sha256').update(`${seed} ${mutant.id}`).digest('hex') };
  });
  const drawn = placed.toSorted((a, b) => (a.place < b.place ? -1 : 1)).slice(0, sample);
  return wanted.filter((mutant) => drawn.some((each) => each.mutant === mutant));
}

/** @throws with the names of all mutants that cannot be created */
export async function checkMutants(mutants) {
  const problems = await Promise.all(mutants.map(problemOf));
  const messages = problems.filter((problem) => problem !== null);
  if (messages.length > 0) throw new UserError(messages.join('\n'));
}

async function problemOf(mutant) {
  if (keysOf(mutant).length === 0) return `${mutant.id}: no row stands beside it in test/conformance/mutants.`;
  const text = await readFile(path.join(root, mutant.file), 'utf8').catch(() => null);
  if (text === null) return `${mutant.id}: there is no file ${mutant.file}.`;
  try {
    return jestMutant.applyMutant(mutant, text) === text ? `${mutant.id}: it changes nothing.` : null;
  } catch (thrown) {
    return thrown.message;
  }
}

/**
 * Runs the mutants, `processes` at a time.
 * @param options.report called with each verdict as soon as it is known
 * @param options.failedBefore names of tests that fail without any mutant, if known; else they are run first
 * @returns {mutants: [{id, rows, killed, by}], survivors: [id], unguarded: [row]}
 */
export async function runMutants(mutants, options = {}) {
  const { processes = 2, report = () => {}, everyMutant = allMutants() } = options;
  await checkMutants(mutants);
  const tests = await readTests();
  const started = Array.from({ length: processes }, () => new TestProcess());
  const verdicts = [];
  try {
    const failedBefore = options.failedBefore ?? (await failuresOf(mutants, tests, started));
    const waiting = [...mutants.entries()];
    const work = async (process) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, mutant] = next;
        verdicts[index] = judge(mutant, await runTests([mutant], tests, mutant, process), failedBefore);
        report(verdicts[index]);
      }
    };
    await Promise.all(started.map(work));
  } finally {
    for (const process of started) process.end();
  }
  return {
    mutants: verdicts,
    survivors: verdicts.filter(({ killed }) => !killed).map(({ id }) => id),
    unguarded: unguardedRows(tests, everyMutant),
  };
}

/** Returns the names of the tests that fail without any mutant; each process runs a part of them. */
async function failuresOf(mutants, tests, processes) {
  if (mutants.length === 0) return new Set();
  const reports = await Promise.all(
    processes.map((process, at) => {
      const part = tests.filter((_, index) => index % processes.length === at);
      return runTests(mutants, part, null, process);
    }),
  );
  const results = reports.flatMap((report) => report?.testResults ?? []);
  const ran = results.flatMap(({ assertionResults = [] }) => assertionResults);
  return new Set(ran.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName));
}

/** Returns rows that a test names and no mutant has. */
export function unguardedRows(tests, mutants) {
  const guarded = new Set(mutants.flatMap(({ rows }) => rows));
  return [...new Set(tests.flatMap(({ text }) => rowsNamedIn(text)))].filter((row) => !guarded.has(row)).sort();
}

export function printMutants({ mutants, survivors, unguarded }) {
  for (const { id, rows, killed, by, why } of mutants) {
    const proved = rows.length > 0 ? rows.join(' ') : 'no row';
    console.log(`${killed ? 'killed  ' : 'SURVIVED'} ${id} (${proved}): ${killed ? by[0] : why}`);
  }
  if (unguarded.length > 0) console.log(`\nWith a test, but without a mutant: ${unguarded.join(' ')}`);
  console.log(`\n${mutants.length - survivors.length} mutants killed, ${survivors.length} survived`);
}
