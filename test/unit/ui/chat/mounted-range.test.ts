import { MountedRange } from '../../../../src/ui/chat/mounted-range';

const items = (length: number): { readonly id: string }[] => Array.from({ length }, (_, place) => ({ id: `${place}` }));

it('mounts a whole chat of forty items wherever the reader is taken', () => {
  for (const place of [0, 17, 18, 39]) {
    const range = new MountedRange(() => undefined);
    range.show(items(40), true);
    range.toPlace(place, 40);
    expect(range.show(items(40), false)).toEqual({ from: 0, to: 40 });
  }
});

it('mounts thirty of a longer one, around the place or at its end', () => {
  const at = (place: number): object => {
    const range = new MountedRange(() => undefined);
    range.show(items(100), true);
    range.toPlace(place, 100);
    return range.show(items(100), false);
  };
  expect([at(0), at(50), at(84), at(90)]).toEqual([
    { from: 0, to: 30 },
    { from: 35, to: 65 },
    { from: 69, to: 99 },
    { from: 70, to: 100 },
  ]);
});

it('leaves what someone reads where it is while others are added', () => {
  const read = (before: number, now: number): object => {
    const range = new MountedRange(() => undefined);
    for (let length = Math.max(1, before - 10); length <= before; length += 1) range.show(items(length), true);
    return range.show(items(now), false);
  };
  // The answer that was followed to its end, after four turns since the chat was opened.
  expect(read(1_005, 1_005)).toEqual({ from: 965, to: 1_005 });
  // The newest of forty, or the first of them.
  expect(read(40, 41)).toEqual({ from: 0, to: 40 });
  expect(read(40, 60)).toEqual({ from: 0, to: 40 });
});
