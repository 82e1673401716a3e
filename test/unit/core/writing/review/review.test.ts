/** What becomes of decisions when the user edits a part of a change. */
import { acceptAll, type FileChange, rejectAll } from '../../../../../src/core/writing/changeset/changeset';
import { carryDecision, decidePart } from '../../../../../src/core/writing/review/review';

const before = 'One.\nTwo.\nThree.\nFour.\nFive.\n';
const changeTo = (text: string): FileChange => ({
  id: 'a',
  from: 'A.md',
  to: 'A.md',
  base: { hash: 'hash', text: before },
  text,
  calls: [],
  taint: null,
});
const proposed = changeTo('First.\nTwo.\nThird.\nFour.\nFifth.\n');

it('keeps a rejected hunk rejected when another one is edited', () => {
  const decided = decidePart(proposed, acceptAll, { hunk: 0 }, false, 'Keep it.');
  const edited = changeTo('First.\nTwo.\nThe third.\nFour.\nFifth.\n');
  expect(carryDecision(proposed, edited, decided)).toEqual({ hunks: [1, 2], move: true, reason: 'Keep it.' });
});

it('accepts what the user wrote, though it was rejected before', () => {
  const edited = changeTo('First.\nTwo.\nThe third.\nFour.\nFifth.\n');
  expect(carryDecision(proposed, edited, rejectAll).hunks).toEqual([1]);
});

it('follows hunks whose numbers change, and ends with all when none is rejected any more', () => {
  const last = decidePart(proposed, acceptAll, { hunk: 2 }, false);
  expect(carryDecision(proposed, changeTo('First.\nTwo.\nThree.\nFour.\nFifth.\n'), last).hunks).toEqual([0]);
  expect(carryDecision(proposed, changeTo('First.\nTwo.\nThird.\nFour.\nFive.\n'), last).hunks).toBe('all');
  expect(carryDecision(undefined, proposed)).toEqual(acceptAll);
});
