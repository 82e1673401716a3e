/** What becomes of decisions when the user edits a part of a change. */
import {
  acceptAll,
  type ChangeDecision,
  type FileChange,
  rejectAll,
} from '../../../../../src/core/writing/changeset/changeset';
import { decidePart, Decisions } from '../../../../../src/core/writing/review/review';

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

function carryDecision(from: FileChange | undefined, to: FileChange, decision: ChangeDecision = acceptAll) {
  const decisions = new Decisions();
  if (from !== undefined) decisions.set(from, decision);
  decisions.edited(from, to);
  return decisions.on(to);
}

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

describe('a decision on a part', () => {
  const made: FileChange = { ...changeTo('New.\n'), from: null, base: null };

  it('is none once every hunk is rejected, and all once every hunk is accepted again', () => {
    const reject = (decision: typeof acceptAll, hunk: number) => decidePart(proposed, decision, { hunk }, false);
    const none = [0, 1, 2].reduce(reject, acceptAll);
    expect(none).toEqual({ hunks: 'none', move: true });
    const back = decidePart(proposed, none, { hunk: 1 }, true, 'Only this.');
    expect(back).toEqual({ hunks: [1], move: true, reason: 'Only this.' });
    expect([0, 2].reduce((decision, hunk) => decidePart(proposed, decision, { hunk }, true), back)).toEqual({
      hunks: 'all',
      move: true,
      reason: 'Only this.',
    });
  });

  it('takes a new note as a whole', () => {
    expect(decidePart(made, acceptAll, { hunk: 0 }, false, 'No.')).toEqual({
      hunks: 'none',
      move: true,
      reason: 'No.',
    });
    expect(decidePart(made, rejectAll, { hunk: 0 }, true)).toEqual({ hunks: 'all', move: false });
  });

  it('decides the move without the text, and all with both', () => {
    const some = decidePart(proposed, acceptAll, { hunk: 0 }, false);
    expect(decidePart(proposed, some, 'move', false)).toEqual({ hunks: [1, 2], move: false });
    expect(decidePart(proposed, some, 'all', false)).toEqual({ hunks: 'none', move: false });
    expect(decidePart(proposed, rejectAll, 'all', true)).toEqual({ hunks: 'all', move: true });
  });

  it('on a note that the user edits back to what was rejected accepts nothing', () => {
    const first = changeTo('First.\nTwo.\nThree.\nFour.\nFive.\n');
    expect(carryDecision(first, first, rejectAll).hunks).toBe('none');
  });
});

describe('a decision on a proposal that the agent changes', () => {
  const decided = (from: FileChange, to: FileChange, decision: ChangeDecision): ChangeDecision => {
    const decisions = new Decisions();
    decisions.set(from, decision);
    return decisions.on(to);
  };
  const moved = (text: string | null): FileChange => ({ ...proposed, to: 'B.md', text });
  const deleted: FileChange = { ...proposed, to: null, text: null };

  it('is none once nothing of the change is left', () => {
    const decisions = new Decisions();
    decisions.set(proposed, rejectAll);
    decisions.edited(proposed, undefined);
    expect(decisions.on(proposed)).toEqual(acceptAll);
  });

  it('keeps a move rejected, and accepts one that is new', () => {
    expect(decided(moved(proposed.text), moved(null), rejectAll)).toEqual({ hunks: 'none', move: false });
    expect(decided(proposed, moved(proposed.text), { hunks: 'all', move: false })).toEqual(acceptAll);
  });

  it('keeps a deletion rejected, and accepts one that is new', () => {
    expect(decided(deleted, { ...deleted }, rejectAll)).toEqual({ hunks: 'none', move: true });
    expect(decided(proposed, deleted, rejectAll)).toEqual({ hunks: 'all', move: true });
    expect(decided(deleted, moved(null), rejectAll)).toEqual({ hunks: 'all', move: true });
  });

  it('keeps rejected what is where the note itself changed from before a rejected hunk on', () => {
    const on = (base: string, text: string): FileChange => ({ ...changeTo(text), base: { hash: base, text: base } });
    const [old, now] = ['A\nK\nA long third line.\nC\nD\nE\n', 'A\nK\nb\nAnother long line.\nD\nE\n'];
    const first = on(old, old.replace('C', 'X'));
    const later = on(now, now.replace('A', 'W').replace('b', 'y').replace('E', 'Z'));
    expect(decided(first, later, { hunks: 'none', move: true })).toEqual({ hunks: [0, 2], move: true });
  });
});
