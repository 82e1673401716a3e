/** What is undone or done again of settled changes, and what the log and the model get to know of it. */
import { operationsDue, undoneEntry, type UndoneOperation } from '../../../../../src/core/writing/apply/undo';
import type { SettledChanges } from '../../../../../src/core/writing/changeset/change-log';
import { fail, type Failure, succeed } from '../../../../../src/core/ports/failure';
import { words } from '../../../../../src/text';

const failure: Failure = { kind: 'refused', words: 'It was edited since.', remedy: '' };
const ended = (operation: string, path: string, by: string | null): UndoneOperation => ({
  ...{ operation, path },
  outcome: succeed({ operation: by, path, retainedLinks: [] }),
});
const failed = (operation: string, path: string): UndoneOperation => ({ operation, path, outcome: fail(failure) });

it('records each operation with the one that reversed it, or why there is none, and names each note once', () => {
  const results = [
    ended('o1', 'A.md', 'u1'),
    ended('o2', 'A.md', 'u2'),
    failed('o3', 'B.md'),
    ended('o4', 'C.md', null),
  ];
  const body = {
    ...{ kind: 'changes-undone', changeset: 's' },
    pairs: [
      { operation: 'o1', by: 'u1' },
      { operation: 'o2', by: 'u2' },
    ],
    failed: [{ operation: 'o3', failure }],
  };
  const paths = ['A.md', 'C.md'];
  expect(undoneEntry('s', false, results)).toEqual({ ...body, redo: false, told: words.writing.reportUndone(paths) });
  expect(undoneEntry('s', true, results)).toEqual({ ...body, redo: true, told: words.writing.reportRedone(paths) });
});

it('says nothing to the model where nothing was undone', () => {
  for (const redo of [true, false]) expect(undoneEntry('s', redo, [failed('o3', 'B.md')]).told).toBe('');
});

it('undoes what is not undone, does again what is, of one change or of all', () => {
  const tip = (operation: string, undone: boolean) => ({ operation, undone });
  const change = (id: string, ...tips: readonly object[]) => ({ change: { id }, tips });
  const applied = [change('a', tip('o1', false), tip('o2', true)), change('b', tip('o3', false))];
  const settled = { applied } as unknown as SettledChanges;
  expect(operationsDue(settled, undefined, false)).toEqual(['o1', 'o3']);
  expect(operationsDue(settled, undefined, true)).toEqual(['o2']);
  expect([operationsDue(settled, 'a', false), operationsDue(settled, 'b', true)]).toEqual([['o1'], []]);
  expect(operationsDue(undefined, undefined, false)).toEqual([]);
});
