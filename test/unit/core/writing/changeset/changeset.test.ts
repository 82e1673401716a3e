import {
  acceptAll,
  type ChangeDecision,
  type FileChange,
  hunksOfChange,
  rejectAll,
  reviewChangeset,
  withText,
} from '../../../../../src/core/writing/changeset/changeset';
import {
  describeChangeset,
  describeRejections,
  propertyChanges,
  viewHunks,
} from '../../../../../src/core/writing/changeset/describe-changeset';
import { hunksOf, mergeTexts, wordsOf } from '../../../../../src/core/writing/changeset/diff';
import { badgesOf } from '../../../../../src/core/writing/guard/policy';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { diskOf } from '../../../../support/fault-adapter';
import { changesetOf, createOf, deleteOf, editOf, moveOf, yaml } from '../../../../support/writing-bench';

const before = '---\nstatus: open\ntags: [a]\n---\n# Head\n\nOne.\nTwo.\nThree.\n\nFour.\n';
const after = '---\nstatus: done\ntags: [a]\n---\n# Head\n\nOne.\n2.\nThree.\n\nFour.\nFive.\n';
const disk = diskOf({ 'A.md': before, 'B.md': 'b\n' });
const edit = editOf(disk, 'A.md', after);
const review = (change: FileChange, decision: ChangeDecision) => reviewChangeset(changesetOf(change), () => decision);

describe('hunks', () => {
  it('are the runs of changed lines, with their lines before and after', () => {
    expect(
      hunksOfChange(edit).map(({ index, line, newLine, removed, added }) => [index, line, newLine, removed, added]),
    ).toEqual([
      [0, 2, 2, 'status: open\n', 'status: done\n'],
      [1, 8, 8, 'Two.\n', '2.\n'],
      [2, 12, 12, '', 'Five.\n'],
    ]);
  });

  it('show the words that differ', () => {
    expect(wordsOf('The old house.\n', 'The new house.\n')).toEqual([
      { kind: 'same', text: 'The ' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
      { kind: 'same', text: ' house.\n' },
    ]);
    expect(viewHunks(edit)[0]?.words?.map(({ kind }) => kind)).toContain('removed');
    expect(wordsOf('x'.repeat(50_000), 'y')).toBeNull();
  });

  it('F35 cost little in a long note, and one hunk stands for two texts that share nothing', async () => {
    const long = 'A line of some length, again and again.\n'.repeat(200_000);
    const [one, two] = [3, 7].map((step) =>
      Array.from({ length: 20_000 }, (_, index) => `${index * step} ${step}`).join('\n'),
    );
    const compare = (): void => {
      expect(hunksOf(long, `${long.slice(0, 4_000_000)}Here.\n${long.slice(4_000_000)}`)).toHaveLength(1);
      expect(hunksOf(one ?? '', two ?? '')).toHaveLength(1);
    };
    await expectCostBelow(5_000, compare);
  });
});

describe('reviewing a changeset', () => {
  it('keeps the accepted hunks and works the text out anew', () => {
    const { accepted, rejected } = review(edit, { hunks: [0, 2], move: false, reason: 'Keep the word.' });
    expect(accepted.changes[0]?.text).toBe(after.replace('2.\n', 'Two.\n'));
    expect(rejected[0]?.hunks?.map(({ index }) => index)).toEqual([1]);
    expect(describeRejections(rejected)).toBe(
      'The user rejected parts of the change of “A.md”: line 8: 2.. Reason: Keep the word.',
    );
  });

  it('accepts and rejects whole files, new ones and deletions only as a whole', () => {
    for (const change of [edit, createOf('N.md', 'x'), deleteOf(disk, 'B.md'), moveOf(disk, 'B.md', 'C.md')]) {
      expect(review(change, acceptAll)).toEqual({
        accepted: expect.objectContaining({ changes: [change] }),
        rejected: [],
      });
      const none = review(change, { ...rejectAll, reason: 'No.' });
      expect(none.accepted.changes).toEqual([]);
      expect(none.rejected).toMatchObject([{ hunks: null, reason: 'No.' }]);
      expect(describeRejections(none.rejected)).toContain('rejected the change');
    }
    expect(review(createOf('N.md', 'x'), { hunks: [0], move: true }).accepted.changes).toEqual([]);
  });

  it('takes a move apart from the text that moves', () => {
    const both = moveOf(disk, 'A.md', 'C.md', after);
    expect(review(both, { hunks: 'all', move: false }).accepted.changes[0]).toMatchObject({ to: 'A.md', text: after });
    expect(review(both, { hunks: 'none', move: true }).accepted.changes[0]).toMatchObject({ to: 'C.md', text: null });
    expect(describeRejections(review(both, { hunks: 'all', move: false }).rejected)).toBe(
      'The user rejected the move of “A.md”.',
    );
    const parts = describeRejections(review(both, { hunks: [0, 1], move: false }).rejected);
    expect(parts).toMatch(/^The user rejected parts .+ The user rejected the move of “A\.md”\.$/);
    expect(review(both, { hunks: [], move: false }).accepted.changes).toEqual([]);
  });

  it('takes the text that the user wrote instead', () => {
    expect(withText(edit, 'mine\n').text).toBe('mine\n');
    expect(withText(edit, before).text).toBeNull();
  });
});

describe('what is told of a changeset', () => {
  it('R213 counts notes and lines, keeps a line for each change, and the diff back for each edit', () => {
    const set = changesetOf(edit, createOf('N.md', 'x\ny\n'), moveOf(disk, 'B.md', 'C.md'), deleteOf(disk, 'B.md'));
    const described = describeChangeset(set);
    expect(described).toMatchObject({ notes: 4, addedLines: 5, removedLines: 2 });
    expect(described.log).toEqual([
      'edited A.md (+3 −2)',
      'created N.md (2 lines)',
      'moved B.md to C.md',
      'deleted B.md',
    ]);
    expect(described.reverseDiffs.map(({ path }) => path)).toEqual(['A.md']);
    expect(described.files.map(({ path, isNew }) => `${isNew ? '+' : ''}${path}`)).toEqual([
      ...['A.md', '+N.md', 'B.md', '+C.md', 'B.md'],
    ]);
    expect(described.reverseDiffs[0]?.diff).toContain('-2.\n+Two.');
  });

  it('counts a last line without a line end, and lines of text', () => {
    const counts = (from: string, to: string) => {
      const { addedLines, removedLines } = describeChangeset(changesetOf(editOf(diskOf({ 'A.md': from }), 'A.md', to)));
      return [addedLines, removedLines];
    };
    expect(counts('a\nb', 'a\nc')).toEqual([1, 1]);
    expect(counts('a\n', 'a\nb')).toEqual([1, 0]);
    expect(counts('a\nb\nc\n', 'a\n')).toEqual([0, 2]);
    expect(describeChangeset(changesetOf(createOf('N.md', '')))).toMatchObject({ addedLines: 0, removedLines: 0 });
    expect(describeChangeset(changesetOf(createOf('N.md', 'a'))).log).toEqual(['created N.md (1 line)']);
  });

  it('shows two lines around each edit in the diff back, and none for too many edits', () => {
    const lines = (count: number, mark: string) => Array.from({ length: count }, (_, at) => `${mark}${at}\n`).join('');
    const diffOf = (from: string, to: string) =>
      describeChangeset(changesetOf(editOf(diskOf({ 'A.md': from }), 'A.md', to))).reverseDiffs[0]?.diff;
    expect(diffOf('1\n2\n3\n4\n5\n6\n7\n', '1\n2\n3\nx\n5\n6\n7\n')).toBe(
      '--- A.md\n+++ A.md\n@@ -2,5 +2,5 @@\n 2\n 3\n-x\n+4\n 5\n 6\n',
    );
    expect(diffOf(lines(1_000, 'a'), lines(1_000, 'b'))).toContain('+a999');
    expect(diffOf(lines(1_001, 'a'), lines(1_001, 'b'))).toBeUndefined();
  });

  it('names what was rejected, with the reason if there is one', () => {
    const rejected = (change: FileChange, reason: string) =>
      describeRejections([{ change, hunks: null, move: false, reason }] as never);
    expect(rejected(edit, '  ')).toBe('The user rejected the change of “A.md”.');
    expect(rejected(edit, ' No. ')).toBe('The user rejected the change of “A.md”. Reason: No.');
    const both = [edit, createOf('N.md', 'x')].map((change) => ({ change, hunks: null, move: false, reason: '' }));
    expect(describeRejections(both as never).split('\n')).toHaveLength(2);
    const removed = review(editOf(disk, 'A.md', before.replace('Two.\n', '')), { hunks: [], move: true }).rejected;
    expect(describeRejections(removed)).toContain('A.md');
  });

  it('shows properties that were added and removed', () => {
    const changed = withText(edit, before.replace('tags: [a]', 'kind: b'));
    expect(propertyChanges(changed, yaml)).toEqual([
      { key: 'tags', before: ['a'], after: undefined },
      { key: 'kind', before: undefined, after: 'b' },
    ]);
    expect(propertyChanges(editOf(diskOf({ 'A.md': '---\n[\n---\n' }), 'A.md', before), yaml)).toBeNull();
  });

  it('shows properties by their values', () => {
    expect(propertyChanges(edit, yaml)).toEqual([{ key: 'status', before: 'open', after: 'done' }]);
    expect(propertyChanges(withText(edit, '---\n[\n---\n'), yaml)).toBeNull();
  });
});

describe('badges', () => {
  const kinds = (change: FileChange, mentioned: readonly string[] | null = null): string[] =>
    badgesOf(change, mentioned).map(({ kind }) => kind);

  it('mark what a reviewer must see', () => {
    expect(kinds(edit)).toEqual([]);
    expect(kinds(editOf(disk, 'A.md', `${before}<% x %>\n`))).toEqual(['active-content']);
    expect(kinds(editOf(disk, 'A.md', `${before}![](https://x.org/a)\n`))).toEqual(['remote-image', 'new-host']);
    expect(kinds(editOf(disk, 'A.md', '# Head\n'))).toEqual(['large-removal']);
    expect(kinds({ ...edit, taint: 'a page' })).toEqual(['tainted']);
  });

  it('mark notes that the user did not mention', () => {
    expect(kinds(edit, ['B.md'])).toEqual(['outside-mentioned']);
    expect(kinds(edit, ['A.md'])).toEqual([]);
    expect(kinds(moveOf(disk, 'B.md', 'x/C.md'), ['x/'])).toEqual(['outside-mentioned']);
    expect(kinds(createOf('N.md', 'x'), ['B.md'])).toEqual([]);
  });
});

describe('merging', () => {
  it.each<[string, string, string, string | null]>([
    ['a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'],
    ['a\nb\n', 'A\nb\n', 'B\nb\n', null],
    ['a\nb\n', 'A\nb\n', 'A\nb\n', 'A\nb\n'],
    ['a\n', 'x\na\n', 'A\n', 'x\nA\n'],
    ['a\n', 'a\ny\n', '', 'y\n'],
    ['a\n', 'x\n', '', null],
    ['', 'x\n', 'y\n', null],
    ['a\nb', 'a\nb\nc', 'A\nb', null],
    ['a\nm\nb', 'a\nm\nb\nc', 'A\nm\nb', 'A\nm\nb\nc'],
    // Without its line end, the last line would run into the one that was added below.
    ['a\n', 'a\nx\n', 'A', null],
    ['m\na\n', 'm\na\n\nx\n', 'm\nA', null],
    ['a\n', 'x\na\n', 'A', 'x\nA'],
    ['m\na\n', 'm\na\nx\n', 'm\n', 'm\nx\n'],
    [
      'constructor\n__proto__\n',
      'constructor\n__proto__\nx\n',
      'y\nconstructor\n__proto__\n',
      'y\nconstructor\n__proto__\nx\n',
    ],
  ])('%j with %j and %j', (base, mine, theirs, merged) => {
    expect(mergeTexts(mine, base, theirs)).toBe(merged);
    expect(mergeTexts(theirs, base, mine)).toBe(merged);
  });

  it.each([
    ['a\nb\n', 'a\r\nb\r\n', 'A\nb\n', 'A\r\nb\r\n'],
    ['a\nb\n', 'a\r\nb\r\n', 'a\nb\nc\n', 'a\r\nb\r\nc\r\n'],
    ['a\nb\n', 'a\r\nB\r\n', 'A\nb\n', null],
    ['a\nb\nc\n', 'a\r\nb\r\nC\r\n', 'A\nb\nc\n', 'A\r\nb\r\nC\r\n'],
    ['a\r\nb\r\n', 'a\nb\n', 'A\r\nb\r\n', 'A\nb\n'],
    ['a\r\nb\n', 'a\nb\n', 'A\r\nb\n', 'A\nb\n'],
    ['a\nb\nc\n', 'a\r\nb\nc\n', 'a\nb\nC\n', 'a\r\nb\nC\n'],
  ])('keeps the line endings of the current text: %j with %j and %j', (base, mine, theirs, merged) => {
    expect(mergeTexts(mine, base, theirs)).toBe(merged);
  });
});
