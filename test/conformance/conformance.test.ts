/** The conformance script reads tables and reports as it says, and every test name holds only rows that there are. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { compareMissing, judgeReach, readListedMissing } from '../../scripts/conformance/reach.mjs';
import {
  addUpRows,
  claimsIn,
  isKnownClaim,
  mayClaim,
  rowsNamedIn,
  rowsOfTable,
  testsOf,
} from '../../scripts/conformance/rows.mjs';

const folders: string[] = [];

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
  folders.push(folder);
  return folder;
}

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

const run = promisify(execFile);
const root = join(__dirname, '../..');
const known = rowsOfTable(readFileSync(join(root, 'docs/spec/requirements.md'), 'utf8'));
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

const inCode = { reach: null, reaches: [] };
const claiming = [
  ['R001@request R001@disk R005@build is sent and kept', 'passed'],
  ['R001 R004 in code, R002@dom on the page', 'passed'],
  ['R002@request R003@disk is not sent', 'failed'],
  ['R003@disk is kept', 'passed'],
] as const;
const fileOf = (file: string | undefined, tests: readonly (readonly [fullName: string, status: string])[]) => ({
  name: file && join(root, file),
  assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
});

describe('the conformance script', () => {
  it('finds the rows of a table', () => {
    expect(rowsOfTable(table)).toEqual(['R001', 'R002', 'R003']);
  });

  it('counts a row as proved when a test names it and all that do have passed', () => {
    expect(addUpRows(rowsOfTable(table), testsOf(report))).toEqual({
      rows: {
        R001: { tests: ['prompt R001 says so', 'prompt R001 R003 says more'], passed: true, ...inCode },
        R003: { tests: ['prompt R001 R003 says more', 'R003 fails here'], passed: false, ...inCode },
      },
      missing: ['R001', 'R002', 'R003'],
    });
  });

  it('tells by its reach each row that a test of the built plugin claims and shows', () => {
    const tests = testsOf({ testResults: [fileOf('test/e2e/driver/reach.test.ts', claiming)] });
    const { rows, missing } = addUpRows(['R001', 'R002', 'R003', 'R004', 'R005', 'R006'], tests);
    expect(Object.entries(rows).map(([row, { passed, reach, reaches }]) => [row, passed, reach, reaches])).toEqual([
      ['R001', true, 'request', ['request', 'disk']],
      ['R002', false, 'dom', ['dom']],
      ['R003', false, null, []],
      ['R004', true, null, []],
      ['R005', true, 'build', ['build']],
    ]);
    expect(missing).toEqual(['R003', 'R004', 'R006']);
  });

  it.each([
    'test/unit/core/reach.test.ts',
    'test/conformance/reach.test.ts',
    'src/test/e2e/driver/reach.test.ts',
    undefined,
  ])('takes a claim in %s for no reach', (file) => {
    const tests = testsOf({ testResults: [fileOf(file, claiming)] });
    expect(Object.values(addUpRows(['R001', 'R005'], tests).rows).map(({ reach }) => reach)).toEqual([null, null]);
  });

  it('takes a kind of reach that there is not for none', () => {
    const tests = testsOf({ testResults: [fileOf('test/e2e/a.test.ts', [['R001@screen shows it', 'passed']])] });
    expect(addUpRows(['R001'], tests)).toMatchObject({ rows: { R001: { reach: null } }, missing: ['R001'] });
  });

  it.each(['pending', 'todo', 'skipped', 'failed'])('takes a test that is %s for no proof', (status) => {
    const tests = testsOf({ testResults: [{ assertionResults: [{ fullName: 'R001 x', status }] }] });
    expect(addUpRows(['R001'], tests).rows).toEqual({ R001: { tests: ['R001 x'], passed: false, ...inCode } });
  });

  it('lists the rows that tests name when there is no table', () => {
    expect(addUpRows([], testsOf(report))).toMatchObject({ rows: { R777: { passed: true } }, missing: [] });
  });

  it('prints one JSON object, over several reports, and fails when a row does', async () => {
    const folder = temporaryFolder();
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
    expect(printed.rows).toEqual({ R001: { tests: ['R001 x'], passed: true, ...inCode } });
    expect(printed.missing).toHaveLength(265);
    const { stdout: summary } = await run(process.execPath, [script, '--results', good]);
    expect(summary).toMatch(/^R001 proved, in code only \(1\)$/m);
    expect(summary).toMatch(/^0 rows shown by reach, 1 in code only, 264 without a test, 0 with a failing test$/m);
    const bad = [script, '--json', '--results', good, '--results', reportOf('bad.json', 'failed')];
    await expect(run(process.execPath, bad)).rejects.toMatchObject({ code: 1 });
    writeFileSync(join(folder, 'broken.json'), '{');
    await expect(run(process.execPath, [script, '--results', join(folder, 'broken.json')])).rejects.toMatchObject({
      stderr: expect.stringContaining('not a JSON report') as string,
    });
  }, 20_000);
});

describe('the kept list of rows without reach', () => {
  it('fails by name with each row that joins it, and with each that it keeps for nothing', () => {
    expect(compareMissing(['R001', 'R004', 'R003'], ['R002', 'R003'])).toEqual({
      joined: ['R001', 'R004'],
      left: ['R002'],
      failures: [
        expect.stringMatching(/^R001 is shown by no test [^]*R001@request/),
        expect.stringMatching(/^R004 is shown by no test /),
        expect.stringMatching(/^R002 is shown [^]*take it off test\/conformance\/missing\.json\.$/),
      ],
    });
    expect(compareMissing(['R002'], ['R002'])).toEqual({ joined: [], left: [], failures: [] });
  });

  it('is held against reports, whose outcome is written', async () => {
    const output = join(temporaryFolder(), 'made/conformance.json');
    const listed = await readListedMissing();
    const { conformance, joined, left } = await judgeReach(
      [{ testResults: [fileOf('test/e2e/a.test.ts', claiming)] }],
      output,
    );
    expect(JSON.parse(readFileSync(output, 'utf8'))).toEqual(conformance);
    expect(conformance.missing).toHaveLength(262);
    expect(joined).toEqual(conformance.missing.filter((row) => !listed.includes(row)));
    expect(left).toEqual(listed.filter((row) => ['R001', 'R002', 'R005'].includes(row)));
  });

  it('is sorted, without doubles, and of rows that there are', async () => {
    const listed = await readListedMissing();
    expect(listed).toEqual([...new Set(listed)].sort());
    expect(listed.filter((row) => !known.includes(row))).toEqual([]);
  });
});

describe('claims of reach', () => {
  const texts = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.test\.tsx?$/.test(path) && path !== join('conformance', 'conformance.test.ts'))
    .map((path) => ({
      file: `test/${path.split(sep).join('/')}`,
      text: readFileSync(join(root, 'test', path), 'utf8'),
    }))
    .filter(({ text }) => claimsIn(text).length > 0);

  it('stand only where the built plugin runs', () => {
    const elsewhere = texts.filter(({ file }) => !mayClaim(file));
    expect(elsewhere.map(({ file, text }) => `${file}: ${claimsIn(text).join(' ')}`)).toEqual([]);
  });

  it('are of kinds that there are', () => {
    expect(texts.flatMap(({ text }) => claimsIn(text)).filter((claim) => !isKnownClaim(claim))).toEqual([]);
  });

  it('stand in files whose tests are guarded', () => {
    const guard = /from '\.{1,2}\/(?:driver\/)?(?:workbench|reach|reach-walk|begin-again)'/;
    expect(texts.filter(({ text }) => !guard.test(text)).map(({ file }) => file)).toEqual([]);
  });
});

describe('the rows', () => {
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
