// Writes a line for each test file as soon as it has run, so that nothing is lost when a mutant hangs the next one, and
// one when all have run.
const { appendFileSync } = require('node:fs');

const { DOCENT_MUTATION_RESULTS: results, DOCENT_MUTATION_ACTIVE: active } = process.env;

module.exports = class {
  onTestResult({ path }, { testResults, perfStats, testExecError, failureMessage }) {
    const failed = testResults.filter(({ status }) => status === 'failed');
    const line = {
      file: path,
      milliseconds: perfStats.runtime,
      passed: failed.length === 0 && !testExecError,
      failures: failed.map(({ fullName, duration, failureMessages }) => ({
        name: fullName,
        milliseconds: duration ?? 0,
        timedOut: failureMessages.every((message) => message.includes('Exceeded timeout of')),
      })),
      message: (failureMessage ?? '').slice(0, 2000),
      durations: active
        ? undefined
        : Object.fromEntries(testResults.map(({ fullName, duration }) => [fullName, duration ?? 0])),
    };
    appendFileSync(results, `${JSON.stringify(line)}\n`);
    // The first file that fails decides the mutant.
    if (active && !line.passed) process.exit(1);
  }

  onRunComplete() {
    appendFileSync(results, `${JSON.stringify({ ended: true })}\n`);
  }
};
