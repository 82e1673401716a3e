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
