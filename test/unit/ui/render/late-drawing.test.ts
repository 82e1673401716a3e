/**
 * Drawing that waits for its turn.
 *
 * @jest-environment jsdom
 */
import { whenSeen } from '../../../../src/ui/render/late-drawing';
import { eventually } from '../../eventually';
import { newTarget } from './drawing-context';

it('draws what waits behind a drawing that failed, in its order', async () => {
  const element = newTarget();
  const drawn: string[] = [];
  whenSeen(element, () => Promise.reject(new Error('This one cannot be drawn.')));
  whenSeen(element, () => void drawn.push('second'));
  whenSeen(element, () => {
    throw new Error('Nor can this one.');
  });
  whenSeen(element, () => void drawn.push('fourth'));
  await eventually(() => drawn.length === 2, 'the drawings behind the failed ones');
  expect(drawn).toEqual(['second', 'fourth']);
});
