/** @jest-environment jsdom */
/** Which items of a long chat are in the page, and that what a reader looks at stays where it is. */
import { h, render } from 'preact';
import { act } from 'preact/test-utils';
import { installDom } from 'obsidian-workbench/jest';
import { MountedRange, useShown } from '../../../../src/ui/chat/mounted-range';

const items = (length: number): { readonly id: string }[] => Array.from({ length }, (_, place) => ({ id: `${place}` }));

beforeEach(() => installDom(window));

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

it('mounts as many of a chat that has become shorter, as by another branch', () => {
  const shorten = (now: number): object => {
    const range = new MountedRange(() => undefined);
    range.show(items(200), true);
    return range.show(items(now), true);
  };
  // The last turn is answered again: nothing older comes into the page.
  expect([shorten(200), shorten(196)]).toEqual([
    { from: 170, to: 200 },
    { from: 170, to: 196 },
  ]);
  for (const now of [195, 172, 171, 170, 169, 100])
    expect([now, shorten(now)]).toEqual([now, { from: now - 30, to: now }]);
});

interface Layout {
  /** The place of the first mounted item. */
  readonly from: number;
  /** Pixels of each mounted item. */
  readonly heights: readonly number[];
  /** Pixels from the top of the view to the first of them. */
  readonly top: number;
  readonly view?: number;
  readonly scrolled?: number;
}

/** A list as the page lays it out, below something else, and with a line at the top of the view that is no item. */
function listOf({ from, heights, top, view = 300, scrolled = 1_000 }: Layout): HTMLElement {
  const list = document.createElement('div');
  list.getBoundingClientRect = () => ({ top: 40 }) as DOMRect;
  Object.defineProperty(list, 'clientHeight', { value: view });
  list.scrollTop = scrolled;
  const line = list.appendChild(document.createElement('div'));
  line.getBoundingClientRect = () => ({ top: 40 }) as DOMRect;
  Object.defineProperty(line, 'offsetHeight', { value: 5 });
  let at = 40 + top;
  for (const [index, height] of heights.entries()) {
    const item = list.appendChild(document.createElement('div'));
    item.dataset['place'] = `${from + index}`;
    const itemTop = at;
    item.getBoundingClientRect = () => ({ top: itemTop }) as DOMRect;
    Object.defineProperty(item, 'offsetHeight', { value: height });
    at += height;
  }
  return list;
}

it('takes the heights that it measured for room, their mean for others, and a usual one before', () => {
  const range = new MountedRange(() => undefined);
  range.show(items(5), true);
  expect(range.room(1, 3)).toBe(240);
  const gap = jest.spyOn(window, 'getComputedStyle').mockReturnValue({ rowGap: '10px' } as CSSStyleDeclaration);
  range.settle(listOf({ from: 0, heights: [50, 150], top: 0, view: 0 }), false);
  expect(range.room(0, 2)).toBe(240);
  range.settle(listOf({ from: 0, heights: [50, 0, 140], top: 0 }), false);
  expect([range.room(0, 3), range.room(0, 1), range.room(3, 5)]).toEqual([210, 60, 140]);
  range.settle(listOf({ from: 0, heights: [80], top: 0 }), false);
  expect([range.room(0, 3), range.room(3, 4)]).toEqual([240, 80]);
  gap.mockRestore();
});

it('puts what the reader looks at back where it was when something above it grows, unless the end is followed', () => {
  const grow = (isFollowing: boolean, scrolledSince = 0): number => {
    const range = new MountedRange(() => undefined);
    range.show(items(5), isFollowing);
    range.scrolled(listOf({ from: 0, heights: [100, 100, 400], top: -150 }));
    const grown = listOf({ from: 0, heights: [130, 100, 400], top: -150, scrolled: 1_000 + scrolledSince });
    range.settle(grown, isFollowing);
    return grown.scrollTop;
  };
  expect([grow(false), grow(true)]).toEqual([1_030, 1_000]);
  // Scrolled since then: what is in view now stays.
  expect(grow(false, 20)).toBe(1_020);
});

it('scrolls to the item that was asked for, also after others came before it', () => {
  const range = new MountedRange(() => undefined);
  range.show(items(100), true);
  range.toPlace(50, 100);
  range.addBefore(20);
  expect(range.show(items(120), false)).toEqual({ from: 55, to: 85 });
  const list = listOf({ from: 69, heights: [200, 100], top: 0 });
  range.settle(list, false);
  // A little room is left above it.
  expect(list.scrollTop).toBe(1_192);
});

it('leaves the end mounted where it is when others come before it', () => {
  const range = new MountedRange(() => undefined);
  expect(range.show(items(50), true)).toEqual({ from: 20, to: 50 });
  range.addBefore(50);
  expect([range.show(items(100), true), range.isAtEnd]).toEqual([{ from: 70, to: 100 }, true]);
  range.toPlace(10, 100);
  expect([range.show(items(100), false), range.isAtEnd]).toEqual([{ from: 0, to: 30 }, false]);
  range.toEnd();
  expect([range.show(items(100), true), range.isAtEnd]).toEqual([{ from: 70, to: 100 }, true]);
});

describe('a reader who scrolls', () => {
  /** Scrolls in a chat in which thirty items around a place are mounted; returns what is mounted then. */
  function scroll(around: number | null, layout: Layout, length = 100): unknown {
    let changes = 0;
    const range = new MountedRange(() => (changes += 1));
    range.show(items(length), true);
    if (around !== null) range.toPlace(around, length);
    range.scrolled(listOf(layout));
    const { from, to } = range.show(items(length), false);
    return [from, to, changes];
  }
  const five = [100, 100, 100, 100, 100];

  it('has what comes into view mounted', () => {
    expect(scroll(50, { from: 36, heights: five, top: -50 })).toEqual([23, 53, 1]);
    expect(scroll(50, { from: 58, heights: five, top: -50 })).toEqual([45, 75, 1]);
    expect(scroll(80, { from: 90, heights: five, top: 0 })).toEqual([70, 100, 1]);
    expect(scroll(20, { from: 5, heights: five, top: 0 })).toEqual([0, 30, 1]);
  });

  it('changes nothing in the middle, at the ends, in a short chat, or in a view that is hidden', () => {
    expect(scroll(50, { from: 39, heights: five, top: 0 })).toEqual([35, 65, 0]);
    expect(scroll(50, { from: 58, heights: five, top: 0 })).toEqual([35, 65, 0]);
    expect(scroll(null, { from: 95, heights: five, top: 0, view: 600 })).toEqual([70, 100, 0]);
    expect(scroll(0, { from: 0, heights: five, top: 0 })).toEqual([0, 30, 0]);
    expect(scroll(null, { from: 0, heights: five, top: 0 }, 40)).toEqual([0, 40, 0]);
    expect(scroll(50, { from: 36, heights: five, top: -50, view: 0 })).toEqual([35, 65, 0]);
  });

  it('has what is there mounted after a jump past all that was', () => {
    const jump = (scrolled: number): unknown => scroll(84, { from: 69, heights: [], top: 0, view: 600, scrolled });
    expect([jump(1_200), jump(6_000), jump(11_400)]).toEqual([
      [0, 30, 1],
      [37, 67, 1],
      [70, 100, 1],
    ]);
    // The view ends in the middle of an item.
    expect(scroll(84, { from: 69, heights: [], top: 0, view: 660, scrolled: 6_000 })).toEqual([38, 68, 1]);
  });
});

describe('a list that gets another size', () => {
  /** A list with these measures, in a page that says when its size has changed. */
  function open({
    top = 0,
    before = null as number | null,
    follows = false,
    follow = (_list: HTMLElement) => {},
  } = {}) {
    const size = { clientHeight: 200, scrollHeight: 1_000 };
    const element = document.body.createDiv();
    for (const name of ['clientHeight', 'scrollHeight'] as const) {
      Object.defineProperty(element, name, { get: () => size[name] });
    }
    element.scrollTop = top;
    const position = { current: before };
    const watched = new Set<Element>();
    let changed = (): void => undefined;
    class FakeObserver {
      constructor(hear: () => void) {
        changed = hear;
      }

      observe(each: Element): void {
        watched.add(each);
      }

      disconnect(): void {
        watched.clear();
      }
    }
    Object.assign(window, { ResizeObserver: FakeObserver });
    let followed = 0;
    const List = (): null => {
      useShown(
        { current: element },
        position,
        () => {
          followed += 1;
          follow(element);
        },
        () => follows,
      );
      return null;
    };
    const root = document.body.createDiv();
    act(() => render(h(List, null), root));
    return {
      element,
      position,
      watched,
      /** Where the list is, and where it was read, after it got this height. */
      resize: (clientHeight: number): [number, number | null] => {
        size.clientHeight = clientHeight;
        if (watched.has(element)) changed();
        return [element.scrollTop, position.current];
      },
      followed: () => followed,
      close: () => act(() => render(null, root)),
    };
  }

  afterEach(() => void Reflect.deleteProperty(window, 'ResizeObserver'));

  it('stays at its end when it gets smaller, for a reader who does not follow', () => {
    const list = open({ top: 799, before: 799 });
    expect(list.resize(150)).toEqual([1_000, 1_000]);
    list.element.scrollTop = 850;
    expect(list.resize(100)).toEqual([1_000, 1_000]);
    expect(list.followed()).toBe(2);
  });

  it.each([
    ['above its end', { top: 798, before: 798 }, 150],
    ['that gets higher', { top: 800, before: 800 }, 250],
    ['as high as before', { top: 800, before: 800 }, 200],
    ['that a reader follows', { top: 800, before: 800, follows: true }, 150],
  ])('leaves a list %s where it is', (_what, given, height) => {
    const list = open(given);
    expect(list.resize(height)).toEqual([given.top, given.before]);
    expect(list.followed()).toBe(1);
  });

  it('does nothing while it is hidden, and is back where it was read once it is shown', () => {
    const list = open({ top: 0, before: 420 });
    expect(list.resize(0)).toEqual([0, 420]);
    expect(list.followed()).toBe(0);
    expect(list.resize(200)).toEqual([420, 420]);
    expect(list.followed()).toBe(1);
    // It has only had a size again since, which took no room from it.
    list.element.scrollTop = 800;
    list.resize(0);
    expect(list.resize(200)).toEqual([800, 420]);
  });

  it.each([
    ['at its top', { top: 0, before: 0 }, [0, 0]],
    ['nowhere yet', { top: 0, before: null }, [0, null]],
    ['at a place', { top: 7, before: 420 }, [7, 420]],
    ['right below its top', { top: 0, before: 1 }, [1, 1]],
  ] as const)('which was read %s is put back only if it lost its place', (_what, given, expected) => {
    expect(open(given).resize(250)).toEqual(expected);
  });

  it('is left to what follows it, which knows no place that was lost', () => {
    const seen: (number | null)[] = [];
    const list = open({
      ...{ top: 0, before: 420 },
      follow: (element) => {
        seen.push(list.position.current);
        element.scrollTop = 800;
        list.position.current = 800;
      },
    });
    expect(list.resize(250)).toEqual([800, 800]);
    expect(seen).toEqual([null]);
    list.close();
    expect([...list.watched]).toEqual([]);
    const atTop = open({ before: 0, follow: () => void seen.push(atTop.position.current) });
    atTop.resize(250);
    expect(seen).toEqual([null, 0]);
  });
});
