// Formats the end of a test run: counts by suite, second tries, times by part, and the slowest files.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { projectOf } from './test-folders.mjs';

const root = path.resolve(import.meta.dirname, '..');
const slowestShown = 10;
const linesOfReason = 15;

const fileOf = ({ name }) => path.relative(root, name).split(path.sep).join('/');
const secondsOf = ({ startTime, endTime }) => Math.max(0, endTime - startTime) / 1000;

/**
 * Returns the counts of each suite in a report of jest. A file that could not run counts as one failure, and so does a
 * suite without tests, unless a choice of files may have left it none.
 * @returns {{name, passed, failed, notes, share}[]} share: the part of the run's time that its files took
 */
export function readSuites(report, names, { emptyIsFine = false } = {}) {
  const total = report.testResults.reduce((sum, file) => sum + secondsOf(file), 0);
  return names.map((name) => {
    const files = report.testResults.filter((file) => projectOf(fileOf(file)) === name);
    const tests = files.flatMap(({ assertionResults }) => assertionResults);
    const count = (status) => tests.filter((test) => test.status === status).length;
    const broken = files.filter(
      ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(hasFailed),
    );
    const isEmpty = tests.length === 0 && broken.length === 0 && !emptyIsFine;
    return {
      name,
      passed: count('passed'),
      failed: count('failed') + broken.length + (isEmpty ? 1 : 0),
      notes: [
        ...(isEmpty ? ['no tests were found'] : []),
        ...(count('pending') > 0 ? [`${count('pending')} skipped`] : []),
      ],
      share: total === 0 ? 0 : files.reduce((sum, file) => sum + secondsOf(file), 0) / total,
    };
  });
}

const hasFailed = ({ status }) => status === 'failed';

/**
 * Returns the tests that were tried again, each with the first lines of why: what jest printed when it happened is far
 * above the end of a run, of which a server may keep no more.
 */
export function secondTries(report) {
  return report.testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ invocations }) => invocations > 1)
      .map(({ fullName, status, retryReasons = [] }) => ({ fullName, status, reason: firstLines(retryReasons) })),
  );
}

function firstLines(reasons) {
  const lines = stripVTControlCharacters(reasons.join('\n')).split('\n');
  const shown = lines.filter((line) => line.trim() !== '').slice(0, linesOfReason);
  return shown.map((line) => `  ${line.trimEnd()}`).join('\n');
}

/** Returns the full names of tests that failed. */
export function failedTests(report) {
  return report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(hasFailed).map(({ fullName }) => fullName),
  );
}

/**
 * Prints the times and writes them as JSON: {seconds, phases: [{name, seconds}], slowest: [{file, seconds, tests}]}.
 */
export async function reportTimes(target, { start, phases, reports }) {
  const files = reports
    .flatMap(({ testResults }) => testResults)
    .map((file) => ({ file: fileOf(file), seconds: round(secondsOf(file)), tests: file.assertionResults.length }))
    .sort((a, b) => b.seconds - a.seconds);
  const slowest = files.slice(0, slowestShown);
  const rounded = phases.map(({ name, seconds }) => ({ name, seconds: round(seconds) }));
  const seconds = round((Date.now() - start) / 1000);
  await writeFile(target, `${JSON.stringify({ seconds, phases: rounded, slowest, files }, null, 2)}\n`);
  console.log(`\nTimes: ${rounded.map((phase) => `${phase.name} ${phase.seconds} s`).join(', ')}; in all ${seconds} s`);
  if (slowest.length === 0) return;
  console.log('The slowest files:');
  for (const { file, seconds: spent, tests } of slowest)
    console.log(`  ${spent.toFixed(1).padStart(6)} s  ${file} (${tests})`);
}

function round(seconds) {
  return Math.round(seconds * 10) / 10;
}
