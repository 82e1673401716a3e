import fc from 'fast-check';
import {
  applyEdits,
  compareText,
  editList,
  editsBetween,
  editsFor,
  followList,
  holdMadeFromFiles,
} from '../../../../src/core/base/list-edits';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at).padStart(6, '0'));

describe('edits of a sorted list', () => {
  it('makes the list that sorting would make, whether few or thousands change', () => {
    const list = numbered(400);
    const names = fc.array(fc.constantFrom(...numbered(600)), { maxLength: 300 });
    fc.assert(
      fc.property(names, names, (removed, added) => {
        const lost = [...new Set(removed)];
        const came = [...new Set(added)].filter((name) => !list.includes(name) || lost.includes(name));
        const expected = [...list.filter((name) => !lost.includes(name)), ...came].sort();
        const edits = editsFor(list, lost, came, compareText);
        expect(editList(list, edits)).toEqual(expected);
        expect(applyEdits(list.slice(), edits, (name) => name)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('joins more pieces than a call takes', () => {
    const list = numbered(40_000);
    const odd = list.filter((_, at) => at % 2 === 1);
    const next = editList(list, editsFor(list, odd, [], compareText));
    expect(next).toEqual(list.filter((_, at) => at % 2 === 0));
    expect(editsBetween(list, next)).toBeNull();
  });

  it('costs in proportion when thousands of items change', async () => {
    const change = (count: number) => () => {
      const list = numbered(count);
      const odd = list.filter((_, at) => at % 2 === 1);
      return applyEdits(list, editsFor(list, odd, [], compareText), (name) => name);
    };
    await expectGrowthBelow(4, change(80_000), change(40_000));
  });
});

describe('a list that follows another one', () => {
  /** A list whose items can be replaced, and the one of those that are not hidden. */
  const followed = (...items: readonly string[]) => {
    const rules = {};
    const whole = { list: items };
    const { current } = followList<string, object>(
      () => whole.list,
      () => rules,
      () => (item) => !item.startsWith('hidden'),
      compareText,
    );
    const replace = (removed: string, added: string): void => {
      whole.list = editList(whole.list, editsFor(whole.list, [removed], [added], compareText));
    };
    return { whole, current, replace };
  };

  it('stays the same object while only items that it does not show are edited', () => {
    const { current, replace } = followed('a', 'b', 'hidden c');
    const first = current();
    expect(first).toEqual(['a', 'b']);
    replace('hidden c', 'hidden d');
    expect(current()).toBe(first);
    replace('a', 'c');
    expect(current()).toEqual(['b', 'c']);
    expect(editsBetween(first, current())).not.toBeNull();
  });

  it('is what filtering the whole list would make, however much is hidden', () => {
    const name = fc.constantFrom(...numbered(60), ...numbered(60).map((each) => `${each} hidden`));
    const names = fc.uniqueArray(name, { maxLength: 120 });
    const change = fc.record({ removed: names, added: names, isLooked: fc.boolean() });
    fc.assert(
      fc.property(names, fc.array(change, { maxLength: 6 }), (first, changes) => {
        let list: readonly string[] = [...first].sort(compareText);
        const rules = {};
        let judged = 0;
        const judge = () => (item: string) => {
          judged += 1;
          return !item.endsWith('hidden');
        };
        const follow = followList<string, object>(
          () => list,
          () => rules,
          judge,
          compareText,
        );
        follow.current();
        for (const { removed, added, isLooked } of changes) {
          const came = added.filter((each) => !list.includes(each) || removed.includes(each));
          list = editList(list, editsFor(list, removed, came, compareText));
          judged = 0;
          if (isLooked) expect(follow.current()).toEqual(list.filter((each) => !each.endsWith('hidden')));
          expect(judged).toBeLessThanOrEqual(changes.length * 120);
        }
        expect(follow.current()).toEqual(list.filter((each) => !each.endsWith('hidden')));
      }),
      { numRuns: 300 },
    );
  });

  it('is the whole list itself while nothing is left out, and leaves that one its edits when something is', () => {
    const { whole, current, replace } = followed('a', 'b', 'c');
    const first = whole.list;
    expect(current()).toBe(whole.list);
    replace('a', 'd');
    expect(current()).toBe(whole.list);
    replace('b', 'hidden e');
    const part = current();
    expect(part).toEqual(['c', 'd']);
    replace('c', 'f');
    expect(current()).toEqual(['d', 'f']);
    expect(editsBetween(part, current())).not.toBeNull();
    expect(editsBetween(first, whole.list)).toHaveLength(3);
    expect(whole.list).toEqual(['d', 'f', 'hidden e']);
  });

  it('costs in proportion when thousands of items change, of which half are hidden', async () => {
    const change = (count: number) => {
      const whole = numbered(count).map((each, at) => (at % 2 === 0 ? each : `${each} hidden`));
      const rules = {};
      let list: readonly string[] = whole;
      const follow = followList<string, object>(
        () => list,
        () => rules,
        () => (item) => !item.endsWith('hidden'),
        compareText,
      );
      const touched = whole.filter((_, at) => at % 20 < 2);
      follow.current();
      return () => {
        list = editList(list, editsFor(list, touched, touched, compareText));
        expect(follow.current()).toHaveLength(count / 2);
      };
    };
    await expectGrowthBelow(4, change(40_000), change(20_000));
  });
});

describe('values made from files', () => {
  const entry = (path: string) => ({ path });
  const byPath = (a: { path: string }, b: { path: string }): number => compareText(a.path, b.path);

  it('are held until a file changes from which they were made, and no more than 64 of them', () => {
    const made: string[] = [];
    const held = holdMadeFromFiles<string>();
    const get = (files: readonly { path: string }[], key: string): string =>
      held.get(files, key, () => {
        made.push(key);
        return [`value of ${key}`, [`${key}.md`]];
      });
    let files: readonly { path: string }[] = [entry('a.md'), entry('b.md')];
    expect([get(files, 'a'), get(files, 'b'), get(files, 'a')]).toEqual(['value of a', 'value of b', 'value of a']);
    expect(made).toEqual(['a', 'b']);
    files = editList(files, editsFor(files, [files[0]!], [entry('a.md')], byPath));
    get(files, 'a');
    get(files, 'b');
    expect(made).toEqual(['a', 'b', 'a']);
    for (let key = 0; key < 63; key += 1) get(files, String(key));
    expect(get(files, '62')).toBe('value of 62');
    expect(made.slice(3)).toHaveLength(63);
    // The 65th took the place of all before it.
    get(files, 'b');
    expect(made.at(-1)).toBe('b');
  });
});
