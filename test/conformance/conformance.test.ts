/** The conformance script reads tables and reports as it says, and every test name holds only rows that there are. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addUpRows, rowsNamedIn, rowsOfTable, testsOf } from '../../scripts/conformance-rows.mjs';

const run = promisify(execFile);
const root = join(__dirname, '../..');
const table = `
| # | Seed | Requirement |
|---|---|---|
| R001 | S0 | First, see R009 |
| R002 | S1 | Second |
| R002 | S1 | twice |
|R003| S2 | Third |
| K1 | a conflict | R004 |
Prose about R005.
`;
const report = {
  testResults: [
    {
      assertionResults: [
        { fullName: 'prompt R001 says so', status: 'passed' },
        { fullName: 'prompt R001 R003 says more', status: 'passed' },
        { fullName: 'prompt XR002 and R0021 are no rows', status: 'passed' },
      ],
    },
    {
      assertionResults: [
        { fullName: 'R003 fails here', status: 'failed' },
        { fullName: 'R777 is unknown', status: 'passed' },
      ],
    },
    {},
  ],
};

describe('the conformance script', () => {
  it('finds the rows of a table', () => {
    expect(rowsOfTable(table)).toEqual(['R001', 'R002', 'R003']);
  });

  it('counts a row as proved when a test names it and all that do have passed', () => {
    expect(addUpRows(rowsOfTable(table), testsOf(report))).toEqual({
      rows: {
        R001: { tests: ['prompt R001 says so', 'prompt R001 R003 says more'], passed: true },
        R003: { tests: ['prompt R001 R003 says more', 'R003 fails here'], passed: false },
      },
      missing: ['R002'],
    });
  });

  it.each(['pending', 'todo', 'skipped', 'failed'])('takes a test that is %s for no proof', (status) => {
    const tests = testsOf({ testResults: [{ assertionResults: [{ fullName: 'R001 x', status }] }] });
    expect(addUpRows(['R001'], tests).rows).toEqual({ R001: { tests: ['R001 x'], passed: false } });
  });

  it('lists the rows that tests name when there is no table', () => {
    expect(addUpRows([], testsOf(report))).toMatchObject({ rows: { R777: { passed: true } }, missing: [] });
  });

  it('prints one JSON object, over several reports, and fails when a row does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
    const reportOf = (name: string, status: string): string => {
      const file = join(folder, name);
      const fullName = 'R001 x';
      writeFileSync(file, JSON.stringify({ testResults: [{ assertionResults: [{ fullName, status }] }] }));
      return file;
    };
    const script = join(root, 'scripts/conformance.mjs');
    const good = reportOf('good.json', 'passed');
    const { stdout } = await run(process.execPath, [script, '--json', '--results', good]);
    const printed = JSON.parse(stdout) as { rows: Record<string, unknown>; missing: string[] };
    expect(printed.rows).toEqual({ R001: { tests: ['R001 x'], passed: true } });
    expect(printed.missing).toHaveLength(264);
    const bad = [script, '--json', '--results', good, '--results', reportOf('bad.json', 'failed')];
    await expect(run(process.execPath, bad)).rejects.toMatchObject({ code: 1 });
    writeFileSync(join(folder, 'broken.json'), '{');
    await expect(run(process.execPath, [script, '--results', join(folder, 'broken.json')])).rejects.toMatchObject({
      stderr: expect.stringContaining('not a JSON report') as string,
    });
  }, 20_000);
});

describe('the rows', () => {
  const known = rowsOfTable(readFileSync(join(root, 'docs/spec/requirements.md'), 'utf8'));

  it('are the 265 of the specification', () => {
    expect(known).toEqual(Array.from({ length: 265 }, (_, index) => `R${String(index + 1).padStart(3, '0')}`));
  });

  it('are the only ones that tests name', () => {
    const files = ['unit', 'property', 'goldens', 'e2e'].flatMap((folder) =>
      readdirSync(join(root, 'test', folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.test\.tsx?$/.test(path))
        .map((path) => readFileSync(join(root, 'test', folder, path), 'utf8')),
    );
    const named = files.flatMap(rowsNamedIn);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((row) => !known.includes(row))).toEqual([]);
  });
});
