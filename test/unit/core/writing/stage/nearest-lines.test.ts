/** Where a passage that a note does not hold may have been meant. */
import { shorten } from '../../../../../src/core/writing/changeset/diff';
import { nearestLines } from '../../../../../src/core/writing/stage/edit-text';

it('names the lines that are most alike, the best first, and of equals the upper one', () => {
  const text = [
    'Order ten bronze bolts',
    'Something else entirely',
    'Order twelve bronze bolts for the keel',
    'Order twelve bronze bolts for the keel.',
    'Order twelve bronze bolts for the keel',
    'Ring the yard',
  ].join('\n');
  expect(nearestLines(text, 'order twelve bronze bolts for the KEEL')).toEqual([
    { number: 3, text: 'Order twelve bronze bolts for the keel' },
    { number: 5, text: 'Order twelve bronze bolts for the keel' },
    { number: 4, text: 'Order twelve bronze bolts for the keel.' },
  ]);
  expect(nearestLines(text, 'Order ten bronze bolt').map(({ number }) => number)).toEqual([1, 3, 5]);
});

it('goes by the first line of the passage that says anything, and names none that is unlike it', () => {
  expect(nearestLines('One\nRing the yard', '\n  \n  Ring the yards\nOne')).toEqual([
    { number: 2, text: 'Ring the yard' },
  ]);
  expect(nearestLines('Completely other words', 'Ring the yard')).toEqual([]);
  expect(nearestLines('\n\n', 'Ring the yard')).toEqual([]);
  expect(nearestLines('Ring the yard', ' \n ')).toEqual([]);
  expect(nearestLines('b\na\nab', 'a')).toEqual([{ number: 2, text: 'a' }]);
});

it('shows the beginning of a long line', () => {
  const long = 'word '.repeat(60);
  expect(nearestLines(long, long)).toEqual([{ number: 1, text: `${long.slice(0, 160)}…` }]);
  expect(shorten(`  ${'x'.repeat(160)} `)).toBe('x'.repeat(160));
  expect(shorten(`${'x'.repeat(159)}🌊 and more`)).toBe(`${'x'.repeat(159)}…`);
});
