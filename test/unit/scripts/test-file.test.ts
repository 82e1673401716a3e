import { expectRefusal, runScript } from './run-script';

describe('npm run test:file', () => {
  it.each([
    ['no file', [], /^Name a test file first/],
    ['an option before the file', ['-t', 'says', 'test/unit/registries.test.ts'], /^Name a test file first/],
    ['a file that is not there', ['test/e2e/gone.test.ts'], /^There is no file test\/e2e\/gone\.test\.ts: /],
    ['a part of a name', ['registries'], /^There is no file registries: /],
    ['a file beside the tests', ['test/goldens/golden.ts'], /^test\/goldens\/golden\.ts is no test file: /],
    ['a folder', ['test/unit/core'], /^test\/unit\/core is no test file: /],
  ])('refuses %s in one sentence, and runs nothing', async (_what, given, sentence) => {
    const result = await runScript('test-file.mjs', ...given);
    expectRefusal(result);
    expect(result.words).toMatch(sentence);
  });
});
