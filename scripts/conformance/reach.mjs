// Compares jest's reports with the rows and with the stored list of rows that no test shows by reach.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addUpRows, rowsOfTable, testsOf } from './rows.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const table = path.join(root, 'docs/spec/requirements.md');
const missingList = path.join(root, 'test/conformance/missing.json');

/** @param reports jest's reports, parsed */
export async function readConformance(reports) {
  const known = rowsOfTable(await readFile(table, 'utf8').catch(() => ''));
  return addUpRows(known, reports.flatMap(testsOf));
}

/** Returns the rows that the stored list declares as shown by no test. */
export async function readListedMissing() {
  return JSON.parse(await readFile(missingList, 'utf8'));
}

/**
 * Compares the rows without reach with the stored list.
 * @returns {joined, left, failures}: rows that lost their reach, rows of the list that have it now, and one sentence
 * for each that says what to do
 */
export function compareMissing(missing, listed) {
  const joined = missing.filter((row) => !listed.includes(row)).sort();
  const left = listed.filter((row) => !missing.includes(row)).sort();
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
 * the stored list. With fewer suites, rows that are shown would seem missing: call it only after all have run.
 * @param output where the outcome is written, as `npm run conformance -- --json` prints it
 * @returns {conformance, joined, left, failures}; successful if `failures` is empty
 */
export async function judgeReach(reports, output = path.join(root, 'dist/test/conformance.json')) {
  const conformance = await readConformance(reports);
  await mkdir(path.dirname(output), { recursive: true });
  await writeFile(output, `${JSON.stringify(conformance)}\n`);
  return { conformance, ...compareMissing(conformance.missing, await readListedMissing()) };
}
