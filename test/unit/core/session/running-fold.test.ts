/** Folds over logs that grow: what they give, and which items they go over again. */
import {
  continueWith,
  copyOfLog,
  findLast,
  findLastIndex,
  type FoldSteps,
  runningFold,
} from '../../../../src/core/session/running-fold';

/** A fold that gives its items in a list, and the items that it went over. */
function collecting(more: Partial<FoldSteps<number, number[]>> = {}) {
  const added: number[] = [];
  const fold = runningFold<number, number[]>({
    start: () => [],
    add: (state, item) => {
      added.push(item);
      state.push(item);
      return state;
    },
    ...more,
  });
  return { fold, added };
}
const copies = { copy: (state: number[]) => [...state] };

it('goes over each item of a log that grows once', () => {
  const { fold, added } = collecting();
  const log = [1, 2];
  expect(fold(log)).toEqual([1, 2]);
  log.push(3);
  expect([...fold(log), ...fold(log)]).toEqual([1, 2, 3, 1, 2, 3]);
  expect(added).toEqual([1, 2, 3]);
});

it('goes over a log again that became shorter, or whose new item changes what earlier ones mean', () => {
  const { fold, added } = collecting({ isRestart: (_state, item) => item.toFixed().startsWith('-') });
  const log = [1];
  fold(log);
  log.push(2);
  expect([fold(log), added]).toEqual([
    [1, 2],
    [1, 2],
  ]);
  log.push(3, -4);
  expect([fold(log), added]).toEqual([
    [1, 2, 3, -4],
    [1, 2, 1, 2, 3, -4],
  ]);
  log.length = 1;
  expect(fold(log)).toEqual([1]);
});

it('goes over only what a log has more than the one that it continues, and leaves that one as it was', () => {
  const { fold, added } = collecting(copies);
  const log = [1, 2];
  fold(log);
  const longer = continueWith(log, 3);
  expect([fold(longer), fold(log), added]).toEqual([
    [1, 2, 3],
    [1, 2],
    [1, 2, 3],
  ]);
  const copy = copyOfLog(log);
  copy.push(5);
  expect([fold(copy), log, added]).toEqual([
    [1, 2, 5],
    [1, 2],
    [1, 2, 3, 5],
  ]);
});

it('goes over all of a log whose base has grown since, or whose state cannot be copied', () => {
  const log = [1];
  const longer = continueWith(log, 2);
  log.push(9);
  expect(collecting(copies).fold(longer)).toEqual([1, 2]);
  const { fold, added } = collecting();
  expect([fold(log), fold(continueWith(log, 3)), added]).toEqual([
    [1, 9],
    [1, 9, 3],
    [1, 9, 1, 9, 3],
  ]);
});

it('finds the last item with a property, up to an end', () => {
  const isEven = (item: number): boolean => item % 2 === 0;
  expect([findLast([2, 3, 4, 5], isEven), findLast([3], isEven), findLast([], isEven)]).toEqual([
    4,
    undefined,
    undefined,
  ]);
  expect([findLastIndex([2, 3, 4, 5], isEven), findLastIndex([2, 3, 4, 5], isEven, 2)]).toEqual([2, 0]);
  expect([findLastIndex([3], isEven), findLastIndex([2], isEven, 0)]).toEqual([-1, -1]);
});
