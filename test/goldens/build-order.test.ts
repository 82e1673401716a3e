/** The order of all sections in a prompt without a history, so that the place of a new one shows in the diff. */
import { inBuildOrder } from '../../src/core/prompt/assemble-prompt';
import { sections } from '../../src/core/prompt/sections';
import { expectGolden } from './golden';

it('R144 the order of a built prompt is the one agreed on', () => {
  expectGolden('build-order.txt', inBuildOrder(sections).map(({ id, zone }) => `${id} (${zone})`).join('\n'));
});
