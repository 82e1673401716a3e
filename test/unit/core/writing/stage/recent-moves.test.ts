/** What was renamed in Obsidian while changes waited, as it is stored on the device. */
import { RecentMoves } from '../../../../../src/core/writing/stage/follow-notes';
import { fakeClock, memoryDevice } from '../../../../support/memory-ports';

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
