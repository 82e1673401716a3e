// Writes jest's report to the file that DOCENT_REPORT names. Jest's own --outputFile stays empty after a run that ends
// at its first failure.
const { writeFileSync } = require('node:fs');
const { formatTestResults } = require('@jest/test-result');

module.exports = class ReportFile {
  onRunComplete(_contexts, results) {
    writeFileSync(process.env.DOCENT_REPORT, JSON.stringify(formatTestResults(results)));
  }
};
