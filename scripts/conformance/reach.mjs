// Holds what jest reported against the rows and against the kept list of those that no test shows by reach.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addUpRows, rowsOfTable, testsOf } from './rows.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const table = path.join(root, 'docs/spec/requirements.md');
const keptList = path.join(root, 'test/conformance/missing.json');

/** @param reports jest's reports, parsed */
export async function readConformance(reports) {
  const known = rowsOfTable(await readFile(table, 'utf8').catch(() => ''));
  return addUpRows(known, reports.flatMap(testsOf));
}

/** Rows that the list keeps as shown by no test. */
export async function readKeptMissing() {
  return JSON.parse(await readFile(keptList, 'utf8'));
}

/**
 * Holds the rows without reach against the kept list.
 * @returns {joined, left, failures}: rows that came to be without reach, rows of the list that have it now, and one
 * sentence for each that says what to do
 */
export function compareMissing(missing, kept) {
  const joined = missing.filter((row) => !kept.includes(row)).sort();
  const left = kept.filter((row) => !missing.includes(row)).sort();
  const failures = [
    ...joined.map(
      (row) =>
        `${row} is shown by no test of the built plugin any more: mend or write one in test/e2e whose title says ${row}@request, @dom, @disk or @build.`,
    ),
    ...left.map(
      (row) => `${row} is shown by a test of the built plugin now: take it off test/conformance/missing.json.`,
    ),
  ];
  return { joined, left, failures };
}

/**
 * Adds up the reports of the unit, property, conformance and browser suites, writes the outcome and compares it with
 * the kept list. Reports of fewer suites make rows miss that are shown: call it only when all have run.
 * @param output where the outcome is written, as `npm run conformance -- --json` prints it
 * @returns {conformance, joined, left, failures}; all is well when `failures` is empty
 */
export async function judgeReach(reports, output = path.join(root, 'dist/test/conformance.json')) {
  const conformance = await readConformance(reports);
  await mkdir(path.dirname(output), { recursive: true });
  await writeFile(output, `${JSON.stringify(conformance)}\n`);
  return { conformance, ...compareMissing(conformance.missing, await readKeptMissing()) };
}
