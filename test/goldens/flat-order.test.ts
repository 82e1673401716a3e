/** The order of all sections in the flat profile, so that the place of a new one shows in the diff. */
import { inFlatOrder } from '../../src/core/prompt/assemble-prompt';
import { sections } from '../../src/core/prompt/sections';
import { expectGolden } from './golden';

it('R144 the flat order is the one agreed on', () => {
  expectGolden('flat-order.txt', inFlatOrder(sections).map(({ id, zone }) => `${id} (${zone})`).join('\n'));
});
