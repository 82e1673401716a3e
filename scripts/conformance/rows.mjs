// Determines which rows are proved, from the ids of a table of requirements and the tests of a jest report whose names
// contain them. `R146@request` in a name claims that the test shows the row where a user or a provider meets it; `R146`
// alone that code which is handed its facts does what the row requires.
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Where a row can be met, in the order in which one is chosen if there are several. */
export const reachKinds = ['request', 'dom', 'disk', 'build'];

/**
 * The only folder whose tests run the built plugin; test/e2e/driver/reach.ts checks each claim against what its test
 * read.
 */
const placeOfClaims = 'test/e2e/';

/** Returns the ids that begin a row of the table, in its order. */
export function rowsOfTable(markdown) {
  return [...new Set(Array.from(markdown.matchAll(/^\|\s*(R\d{3})\s*\|/gm), ([, id]) => id))];
}

/**
 * Returns full names, files and outcomes of all tests of a jest report; a test that did not run proves nothing. A file
 * is null if the report omits it.
 */
export function testsOf(report) {
  const files = report.testResults ?? [];
  return files.flatMap(({ name: file, assertionResults = [] }) =>
    assertionResults.map(({ fullName, status }) => ({
      name: fullName,
      passed: status === 'passed',
      file: file === undefined ? null : path.relative(root, file).split(path.sep).join('/'),
    })),
  );
}

/**
 * Adds up rows. A row has passed if at least one test names it and all that do have passed. Its `reach` is the first
 * kind that a test claims where claims count, if all claims of that kind have passed; without one the row is missing.
 * Without a table the rows are those that tests name, and none is missing.
 */
export function addUpRows(known, tests) {
  const rows = {};
  const claims = {};
  for (const { name, passed, file } of tests) {
    for (const { row, kind } of namesIn(name)) {
      if (known.length > 0 && !known.includes(row)) continue;
      const entry = (rows[row] ??= { tests: [], passed: true });
      if (!entry.tests.includes(name)) entry.tests.push(name);
      entry.passed &&= passed;
      if (kind === null || !mayClaim(file)) continue;
      const outcomes = (claims[row] ??= {});
      outcomes[kind] = (outcomes[kind] ?? true) && passed;
    }
  }
  const reachesOf = (row) => reachKinds.filter((kind) => claims[row]?.[kind] === true);
  const sorted = Object.entries(rows)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([row, entry]) => [row, { ...entry, reach: reachesOf(row)[0] ?? null, reaches: reachesOf(row) }]);
  return { rows: Object.fromEntries(sorted), missing: known.filter((row) => reachesOf(row).length === 0) };
}

/** Returns whether a test in this file, by its path from the root, may claim where it shows a row. */
export function mayClaim(file) {
  return file !== null && file.startsWith(placeOfClaims);
}

/** Returns the rows in the titles of a test file's text. */
export function rowsNamedIn(text) {
  const titles = text.matchAll(/\b(?:it|test|describe)(?:\.each.*?)?\(\s*(['"`])(.*?)\1/gs);
  return [...titles].flatMap(([, , title]) => namesIn(title).map(({ row }) => row));
}

/** Returns claims anywhere in a text, of any kind: `R146@request`. */
export function claimsIn(text) {
  return text.match(/\bR\d{3}@\w*/g) ?? [];
}

export function isKnownClaim(claim) {
  return reachKinds.includes(claim.slice('R000@'.length));
}

/** Ignores a kind that does not exist. */
function namesIn(title) {
  return Array.from(title.matchAll(/\b(R\d{3})\b(?:@(\w+))?/g), ([, row, kind]) => ({
    row,
    kind: reachKinds.includes(kind) ? kind : null,
  }));
}
