// After the browser suite. Vaults are removed by the test files that opened them; the workers of jest close their browsers.
export default async function tearDown() {
  delete process.env.DOCENT_E2E;
  const browser = await globalThis[Symbol.for('docent.browser')];
  await browser?.close();
}
