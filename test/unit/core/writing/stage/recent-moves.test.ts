/** What was renamed while changes waited: in Obsidian, as it is stored on the device, and outside of it. */
import { succeed } from '../../../../../src/core/ports/failure';
import type { FileEntry, Vault } from '../../../../../src/core/ports/vault';
import type { FileChange } from '../../../../../src/core/writing/changeset/changeset';
import { findMovedNote, RecentMoves } from '../../../../../src/core/writing/stage/follow-notes';
import { digest, fakeClock, memoryDevice } from '../../../../support/memory-ports';

function recorded(...moves: readonly (readonly [from: string, to: string])[]) {
  const device = memoryDevice();
  const clock = fakeClock(1_000);
  const recent = new RecentMoves(device, clock);
  for (const [from, to] of moves) recent.add(from, to);
  return { device, recent, again: new RecentMoves(device, clock) };
}

it.each<[string, (readonly [string, string])[], string, string | null]>([
  ['a note that was renamed', [['A.md', 'B.md']], 'A.md', 'B.md'],
  ['a note that was not', [['A.md', 'B.md']], 'C.md', null],
  ['a note in a folder that was renamed', [['In', 'Out']], 'In/Deep/A.md', 'Out/Deep/A.md'],
  ['a note in a folder with a longer name', [['In', 'Out']], 'Inner/A.md', null],
  [
    'a note that was renamed twice',
    [
      ['A.md', 'B.md'],
      ['B.md', 'C.md'],
    ],
    'A.md',
    'C.md',
  ],
  [
    'a note that was renamed before its folder',
    [
      ['In/A.md', 'In/B.md'],
      ['In', 'Out'],
    ],
    'In/A.md',
    'Out/B.md',
  ],
  [
    'a note that was renamed back',
    [
      ['A.md', 'B.md'],
      ['B.md', 'A.md'],
    ],
    'A.md',
    null,
  ],
])('finds %s', (_what, moves, path, found) => {
  const { recent, again } = recorded(...moves);
  expect([recent.find(path, 0), again.find(path, 0)]).toEqual([found, found]);
});

it('counts no move before the time at which the note was at its path', () => {
  const { recent } = recorded(['A.md', 'B.md']);
  expect([recent.find('A.md', 1_000), recent.find('A.md', 1_001)]).toEqual(['B.md', null]);
});

it('stores the notes of a folder that was just moved with it', () => {
  const { device } = recorded(['In', 'Out'], ['In/A.md', 'Out/A.md'], ['In/B.md', 'Other/B.md']);
  const stored = JSON.parse(device.get('moves') ?? '') as unknown;
  expect(stored).toEqual([
    { from: 'In', to: 'Out', at: 1_000 },
    { from: 'In/B.md', to: 'Other/B.md', at: 1_000 },
  ]);
});

it('drops the oldest of more than 200 moves', () => {
  const moves = Array.from({ length: 201 }, (_, at) => [`${at}.md`, `${at} moved.md`] as const);
  const { recent, again } = recorded(...moves);
  for (const each of [recent, again]) {
    expect([each.find('0.md', 0), each.find('1.md', 0), each.find('200.md', 0)]).toEqual([
      ...[null, '1 moved.md', '200 moved.md'],
    ]);
  }
});

it.each([
  ['{', null],
  ['{}', null],
  ['null', null],
  ['[null,1,"a",{"from":"A.md"},{"from":"A.md","to":1,"at":1},{"from":"A.md","to":"X.md"}]', null],
  ['[null,{"from":1,"to":"X.md","at":1},{"from":"A.md","to":"B.md","at":5}]', 'B.md'],
])('reads what is stored as far as it is sound: %s', (stored, found) => {
  const device = memoryDevice(new Map([['moves', stored]]));
  expect(new RecentMoves(device, fakeClock()).find('A.md', 0)).toBe(found);
});

describe('a note that was moved outside of Obsidian', () => {
  const text = 'Rui steers.\n';
  const change = {
    ...{ id: 'c', from: 'A.md', to: 'A.md', text: 'Rui rows.\n', calls: [], taint: null },
    base: { hash: digest(text), text, modified: 5 },
  } as unknown as FileChange;
  /** Looks among notes with these texts; by default all have the size and the time of the note. */
  async function find(texts: Readonly<Record<string, string>>, more: Partial<FileEntry> = {}) {
    const read: string[] = [];
    const vault = {
      files: () =>
        Object.keys(texts).map(
          (path) => ({ path, kind: 'note', size: text.length, modified: 5, ...more }) as FileEntry,
        ),
      read: (path: string) => {
        read.push(path);
        return Promise.resolve(succeed({ path, text: texts[path] ?? '', size: 0, modified: 5 }));
      },
    } as unknown as Vault;
    return { found: await findMovedNote(change, vault, digest), read: read.length };
  }
  const notes = (count: number, last: string): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`${at}.md`, at === count - 1 ? last : 'Mhairi bails']),
    );

  it('is found by its text among those of its size and time, with or without a byte order mark', async () => {
    expect(await find({ 'B.md': text, 'C.md': 'Mhairi bails' })).toEqual({ found: 'B.md', read: 2 });
    for (const [size, found] of [
      [text.length + 3, 'B.md'],
      [text.length + 2, null],
      [text.length + 4, null],
      [text.length - 1, null],
    ] as const)
      expect((await find({ 'B.md': text }, { size })).found).toBe(found);
    expect((await find({ 'B.md': text }, { modified: 6 })).found).toBeNull();
    expect((await find({ 'B.md': text }, { kind: 'image' as never })).found).toBeNull();
  });

  it('is nowhere for certain if two notes are the same', async () => {
    expect((await find({ 'B.md': text, 'C.md': text })).found).toBeNull();
  });

  it('is looked for in fifty of them at most', async () => {
    expect(await find(notes(50, text))).toEqual({ found: '49.md', read: 50 });
    expect(await find(notes(51, text))).toEqual({ found: null, read: 50 });
  });
});
