/** What `npm run measure -- styles` says of what the walks found, and when it cannot begin. */
import { sumSights } from '../../../scripts/measure-styles.mjs';
import type { ComparedSight, StyleDifference } from '../../e2e/driver/compare-styles';
import { expectRefusal, runScripts, type ScriptResult } from './run-script';

const difference: StyleDifference = { look: 'light', element: 'div', property: 'color', before: 'red', after: 'blue' };
const desktop: ComparedSight = {
  ...{ sight: 'shows the pane', elements: 10, looks: ['dark', 'light', 'phone'], differences: [difference] },
  ...{ count: { dark: 0, light: 1, phone: 2 }, idle: ['.a', '.b'] },
};
const phone: ComparedSight = {
  ...{ sight: 'shows it on a phone', elements: 4, looks: ['phone'], differences: [] },
  ...{ count: { dark: 0, light: 0, phone: 5 }, idle: ['.b', '.c'] },
};

it('sums the sights of each look, and keeps as idle what no sight shows', () => {
  expect(sumSights([desktop, phone])).toEqual({
    looks: {
      dark: { sights: 1, elements: 10, differences: 0 },
      light: { sights: 1, elements: 10, differences: 1 },
      phone: { sights: 2, elements: 14, differences: 7 },
    },
    first: [{ sight: 'shows the pane', ...difference }],
    idle: ['.b'],
  });
});

const incomplete = [['styles'], ['styles', '--against', 'no-such-commit']];
let results: readonly ScriptResult[];
beforeAll(async () => {
  results = await runScripts('measure.mjs', incomplete);
});

it.each(Object.keys(incomplete).map(Number))('says what is missing, in case %d', (index) => {
  const result = results[index]!;
  expectRefusal(result);
  expect(result.words).toContain('--against REF');
});
