// Which rows are proved: the ids of a table of requirements, and the tests of a jest report whose names hold them.

/** Ids that begin a row of the table, in its order. */
export function rowsOfTable(markdown) {
  return [...new Set(Array.from(markdown.matchAll(/^\|\s*(R\d{3})\s*\|/gm), ([, id]) => id))];
}

/** Full names and outcomes of all tests of a jest report; a test that did not run proves nothing. */
export function testsOf(report) {
  const files = report.testResults ?? [];
  return files.flatMap(({ assertionResults = [] }) =>
    assertionResults.map(({ fullName, status }) => ({ name: fullName, passed: status === 'passed' })),
  );
}

/**
 * A row is proved when at least one test names it and all that do have passed.
 * Without a table the rows are those that tests name, and none is missing.
 */
export function addUpRows(known, tests) {
  const rows = {};
  for (const { name, passed } of tests) {
    for (const [row] of name.matchAll(/\bR\d{3}\b/g)) {
      if (known.length > 0 && !known.includes(row)) continue;
      const entry = (rows[row] ??= { tests: [], passed: true });
      if (!entry.tests.includes(name)) entry.tests.push(name);
      entry.passed &&= passed;
    }
  }
  const sorted = Object.fromEntries(Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { rows: sorted, missing: known.filter((row) => !Object.hasOwn(rows, row)) };
}

/** Rows that stand in the titles of a test file's text. */
export function rowsNamedIn(text) {
  const titles = text.matchAll(/\b(?:it|test|describe)(?:\.each.*?)?\(\s*(['"`])(.*?)\1/gs);
  return [...titles].flatMap(([, , title]) => title.match(/\bR\d{3}\b/g) ?? []);
}
