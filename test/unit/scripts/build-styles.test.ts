/** The style sheet that is released: the sources as they are now, made one. */
import { readFileSync } from 'node:fs';
import { bundleStyles } from '../../../scripts/build/build-styles.mjs';
import { expectNoFaults } from '../expect-no-faults';

const remedy = 'styles.css is older than the sheets in src/ui: run `npm run build` and commit what it made.';

it('styles.css is what its sources make', async () => {
  const made = await bundleStyles();
  expectNoFaults(readFileSync('styles.css', 'utf8') === made ? [] : [remedy]);
});

it('styles.css begins with one line that says what it is made of', () => {
  const [banner, next = ''] = readFileSync('styles.css', 'utf8').split('\n');
  expect(banner).toMatch(/^\/\* Made from src\/ui\/styles\.css by “npm run build”.* \*\/$/);
  expect(next).toMatch(/^\/\* src\/ui\//);
});
