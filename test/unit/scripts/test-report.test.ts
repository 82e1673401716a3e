/** What `npm test` counts and reports: no test that failed, was skipped or was retried is missing from the report. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { failedTests, readSuites, secondTries, reportTimes } from '../../../scripts/test-report.mjs';

const test = (fullName: string, status = 'passed', invocations = 1) => ({ fullName, status, invocations });
const file = (name: string, seconds: number, ...assertionResults: object[]) => ({
  name: path.resolve(name),
  startTime: 1_000,
  endTime: 1_000 + seconds * 1_000,
  status: assertionResults.some((each) => 'status' in each && each.status === 'failed') ? 'failed' : 'passed',
  assertionResults,
});
const report = {
  testResults: [
    file('test/unit/a.test.ts', 3, test('a holds'), test('a fails', 'failed'), test('a is left out', 'pending')),
    file('test/goldens/b.test.ts', 1, test('b holds')),
    file('test/property/c.test.ts', 4, test('c holds at the second try', 'passed', 2)),
  ],
};

describe('the counts', () => {
  it('are told for each suite, with its part of the time', () => {
    expect(readSuites(report, ['unit', 'property'])).toEqual([
      { name: 'unit', passed: 2, failed: 1, notes: ['1 skipped'], share: 0.5 },
      { name: 'property', passed: 1, failed: 0, notes: [], share: 0.5 },
    ]);
  });

  it('take a file that could not run for a failure', () => {
    const broken = { ...file('test/unit/a.test.ts', 0), status: 'failed' };
    expect(readSuites({ testResults: [broken] }, ['unit'])).toMatchObject([{ passed: 0, failed: 1 }]);
  });

  it('take a suite without tests for a failure, unless files were chosen', () => {
    const empty = { testResults: [] };
    expect(readSuites(empty, ['browser'])).toMatchObject([{ failed: 1, notes: ['no tests were found'] }]);
    expect(readSuites(empty, ['browser'], { emptyIsFine: true })).toMatchObject([{ failed: 0, notes: [] }]);
  });

  it('name what failed and what was tried again', () => {
    expect(failedTests(report)).toEqual(['a fails']);
    expect(secondTries(report)).toEqual([{ fullName: 'c holds at the second try', status: 'passed', reason: '' }]);
    const reason = `Error: \u001b[31mlate\u001b[39m\n\n    at place.ts:1\n${'    at deep.ts:2\n'.repeat(40)}`;
    const late = { ...test('d', 'passed', 2), retryReasons: [reason] };
    const [tried] = secondTries({ testResults: [file('test/unit/d.test.ts', 1, late)] });
    expect(tried?.reason).toBe(
      `  Error: late\n${['      at place.ts:1', ...Array<string>(13).fill('      at deep.ts:2')].join('\n')}`,
    );
  });
});

it('the times are left as JSON and told, the slowest files first', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-times-'));
  const target = path.join(folder, 'times.json');
  const lines: string[] = [];
  const printed = jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  await reportTimes(target, {
    start: Date.now() - 8_000,
    phases: [{ name: 'unit', seconds: 4.04 }],
    reports: [report],
  });
  printed.mockRestore();
  const times = JSON.parse(readFileSync(target, 'utf8'));
  expect(times).toMatchObject({
    phases: [{ name: 'unit', seconds: 4 }],
    slowest: [
      { file: 'test/property/c.test.ts', seconds: 4, tests: 1 },
      { file: 'test/unit/a.test.ts', seconds: 3, tests: 3 },
      { file: 'test/goldens/b.test.ts', seconds: 1, tests: 1 },
    ],
  });
  expect(times.seconds).toBeGreaterThanOrEqual(8);
  expect(lines.join('\n')).toContain('Times: unit 4 s; in all 8 s');
  expect(lines.join('\n')).toMatch(/ 4\.0 s {2}test\/property\/c\.test\.ts \(1\)/);
  rmSync(folder, { recursive: true });
});
