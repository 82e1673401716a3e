// After the browser suite. Browsers and vaults are closed and removed by the test files that opened them.
export default function tearDown() {
  delete process.env.DOCENT_E2E;
}
