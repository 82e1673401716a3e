// Runs before each test file: switches one mutant on, or records which sites the file reaches.
const { appendFileSync } = require('node:fs');

const { DOCENT_MUTATION_ACTIVE: active, DOCENT_MUTATION_HITS: hits } = process.env;

if (active) globalThis.__docentMutant = Number(active);
if (hits) {
  const loading = new Set();
  const inTests = new Set();
  globalThis.__docentHit = (number) => {
    if (inTests.has(number)) return;
    const { testPath, currentTestName } = globalThis.expect.getState();
    const inTest = currentTestName !== undefined;
    if (!inTest && loading.has(number)) return;
    (inTest ? inTests : loading).add(number);
    appendFileSync(hits, `${JSON.stringify({ number, file: testPath, inTest })}\n`);
  };
}
