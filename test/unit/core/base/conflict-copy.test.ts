import { conflictCopiesIn, isConflictCopyOf, originalOf } from '../../../../src/core/base/conflict-copy';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const sure: readonly (readonly [service: string, mark: string])[] = [
  ['Syncthing', '.sync-conflict-20261124-101500-ABCDEFG'],
  ['Syncthing without a device', '.sync-conflict-20261124-101500'],
  ['Obsidian Sync', ' (Conflicted copy Ada’s phone 202611241015)'],
  ['Dropbox', " (Ada's conflicted copy 2026-11-24)"],
  ['Dropbox without a name', ' (conflicted copy 2026-11-24)'],
  ['iCloud, in words', ' (conflicted copy from Ada (phone) 2026-11-24)'],
  ['Nextcloud', ' (conflicted copy 2026-11-24 101500)'],
  ['ownCloud', '_conflict-20261124-101500'],
  ['Seafile', ' (SFConflict ada@example.org 2026-11-24-10-15-00)'],
  ['Resilio', '.Conflict'],
  ['OneDrive', '-DESKTOP-AB12CD3'],
];
const likely: readonly (readonly [string, string])[] = [
  ['iCloud', ' 2'],
  ['Google Drive', ' (1)'],
  ['OneDrive with a name of the user', '-Ada PC'],
];

describe('names of conflict copies', () => {
  it.each(sure)('%s', (_service, mark) => {
    for (const [name, ending] of [
      ['data', '.json'],
      ['w1-s1', '.jsonl'],
      ['My plan v1.2', '.md'],
      ['0a1b2c', ''],
    ] as const) {
      expect(originalOf(`${name}${mark}${ending}`)).toBe(`${name}${ending}`);
      expect(isConflictCopyOf(`${name}${mark}${ending}`, `${name}${ending}`)).toBe(true);
    }
    expect(originalOf(`${mark}.md`)).toBeNull();
  });

  it.each(likely)('%s, of one of its own files alone', (_service, mark) => {
    expect(isConflictCopyOf(`data${mark}.json`, 'data.json')).toBe(true);
    expect(originalOf(`Plan${mark}.md`)).toBeNull();
  });

  it.each([
    ...[
      'Plan.md',
      'Plan 2026.md',
      'Plan-b.md',
      'How to solve a conflicted copy.md',
      'Notes (conflict).md',
      'conflict.md',
    ],
    ...['sync-conflict-20261124-101500.md', 'A.sync-conflict-soon.md', ''],
    // No disk takes a name of over 255 characters.
    `${'A'.repeat(240)} (conflicted copy 2026-11-24).md`,
  ])('“%s” is none', (name) => {
    expect(originalOf(name)).toBeNull();
  });

  it.each([
    ...['data.json', 'data.damaged-2026-11-24T10.json', 'database.json', 'data.json.bak', 'mydata 2.json'],
    ...['data (1).text', 'atad 2.json'],
  ])('“%s” is none of the settings', (name) => expect(isConflictCopyOf(name, 'data.json')).toBe(false));

  it('may be as long as a disk takes, or begin with a dot', () => {
    const copy = ' (conflicted copy 2026-11-24).md';
    expect(originalOf(`${'A'.repeat(255 - copy.length)}${copy}`)).toBe(`${'A'.repeat(255 - copy.length)}.md`);
    expect(originalOf(`${'A'.repeat(256 - copy.length)}${copy}`)).toBeNull();
    expect([isConflictCopyOf('.docent 2', '.docent'), isConflictCopyOf('a 2.md', 'a.md')]).toEqual([true, true]);
  });

  it('are found among paths next to their originals alone', () => {
    const copy = 'A/Plan.sync-conflict-20261124-101500-ABCDEFG.md';
    const other = 'A/Plan (Conflicted copy phone 202611241015).md';
    expect([...conflictCopiesIn(['A/Plan.md', copy, 'B/Plan.md', other])]).toEqual([['A/Plan.md', [copy, other]]]);
    expect(conflictCopiesIn([copy, 'B/Plan.md']).size).toBe(0);
    const atRoot = copy.slice('A/'.length);
    expect([...conflictCopiesIn([atRoot, 'Plan.md'])]).toEqual([['Plan.md', [atRoot]]]);
  });

  it('costs in proportion to the names, also for hostile ones', async () => {
    const hostile = [' (', ' (a conflicted copy', '-DESKTOP-', '.sync-conflict-', ' (SFConflict '].map((each) =>
      each.repeat(60).slice(0, 240),
    );
    const paths = (count: number): string[] =>
      Array.from({ length: count }, (_, at) => `F${at}/N${hostile[at % hostile.length]}).md`);
    const [large, small] = [paths(40_000), paths(20_000)];
    await expectGrowthBelow(
      2.5,
      () => conflictCopiesIn(large),
      () => conflictCopiesIn(small),
    );
  });
});
