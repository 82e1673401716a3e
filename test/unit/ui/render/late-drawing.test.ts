/**
 * Drawing that waits for its turn.
 *
 * @jest-environment jsdom
 */
import { copyFormulaSources, whenSeen } from '../../../../src/ui/render/late-drawing';
import { eventually } from '../../eventually';
import { draw, newTarget } from './drawing-context';

it('draws what waits behind a drawing that failed, in its order', async () => {
  const element = newTarget();
  const drawn: string[] = [];
  whenSeen(element, () => Promise.reject(new Error('This one cannot be drawn.')));
  whenSeen(element, () => void drawn.push('second'));
  whenSeen(element, () => {
    throw new Error('Nor can this one.');
  });
  whenSeen(element, () => void drawn.push('fourth'));
  await eventually(() => drawn.length === 2, 'the drawings behind the failed ones');
  expect(drawn).toEqual(['second', 'fourth']);
});

it('lets everything else have its turn after eight milliseconds of drawing', async () => {
  const done: (number | string)[] = [];
  // Turns are real ones only with it, which the page of the tests lacks.
  class Channel {
    readonly port1 = { close: () => undefined, onmessage: () => undefined };
    readonly port2 = {
      postMessage: () => {
        done.push('turn');
        setTimeout(() => this.port1.onmessage(), 0);
      },
    };
  }
  Object.assign(globalThis, { MessageChannel: Channel });
  let now = 100;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const element = newTarget();
    for (const milliseconds of [7, 1, 2, 7, 3]) {
      whenSeen(element, () => {
        now += milliseconds;
        done.push(milliseconds);
      });
    }
    await eventually(() => done.at(-1) === 3, 'the last drawing');
    expect(done).toEqual([7, 1, 'turn', 2, 7, 'turn', 3]);
  } finally {
    clock.mockRestore();
    Reflect.deleteProperty(globalThis, 'MessageChannel');
  }
});

it('draws what comes into view, once, where the window knows what is', async () => {
  const made: Watcher[] = [];
  class Watcher {
    readonly watched = new Set<Element>();
    constructor(
      readonly hear: (entries: readonly object[], own: Watcher) => void,
      readonly options: object,
    ) {
      made.push(this);
    }
    observe(element: Element): void {
      this.watched.add(element);
    }
    unobserve(element: Element): void {
      this.watched.delete(element);
    }
  }
  Object.assign(window, { IntersectionObserver: Watcher });
  try {
    const drawn: string[] = [];
    const [one, two] = [newTarget(), newTarget()];
    whenSeen(one, () => void drawn.push('one'));
    whenSeen(two, () => void drawn.push('two'));
    const [watcher] = made;
    expect([made.length, watcher?.options]).toEqual([1, { rootMargin: '400px', scrollMargin: '400px' }]);
    const see = async (target: Element, isIntersecting: boolean): Promise<unknown[]> => {
      watcher?.hear([{ target, isIntersecting }], watcher);
      await Promise.resolve();
      return [[...drawn], watcher?.watched.size];
    };
    expect(await see(one, false)).toEqual([[], 2]);
    expect(await see(one, true)).toEqual([['one'], 1]);
    expect(await see(one, true)).toEqual([['one'], 1]);
    expect(await see(two, true)).toEqual([['one', 'two'], 0]);
    whenSeen(one, () => void drawn.push('one again'));
    expect(await see(one, true)).toEqual([['one', 'two', 'one again'], 0]);
  } finally {
    Reflect.deleteProperty(window, 'IntersectionObserver');
  }
});

describe('formulas that are copied', () => {
  /** Draws two formulas, and selects from one node of them to another. */
  async function select(from: (target: HTMLElement) => Node, to: (target: HTMLElement) => Node): Promise<HTMLElement> {
    const math = (source: string): Promise<Element> =>
      Promise.resolve(createEl('mjx-container' as 'span', { text: source }));
    const none = (): Promise<null> => Promise.resolve(null);
    const target = draw('One $a+b$ two $c$ three', { libraries: { colors: none, diagram: none, math } as never });
    await eventually(() => target.querySelectorAll('mjx-container').length === 2, 'the formulas');
    const range = document.createRange();
    range.setStart(from(target), 0);
    range.setEnd(to(target), to(target).childNodes.length);
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(range);
    return target;
  }
  const sources = (target: Element): (string | null)[] =>
    [...target.querySelectorAll('.docent-math-source')].map(({ textContent }) => textContent);
  const formula = (at: number) => (target: Element) => target.querySelectorAll('.docent-math')[at]!;

  it('go as their sources, in front of what is drawn, until the next frame', async () => {
    const target = await select(
      (all) => all,
      (all) => all,
    );
    copyFormulaSources(target);
    expect(sources(target)).toEqual(['$a+b$', '$c$']);
    expect(formula(0)(target).firstElementChild?.className).toBe('docent-math-source');
    await eventually(() => sources(target).length === 0, 'the next frame');
    expect(formula(0)(target).textContent).toBe('a+b');
  });

  it('go as their sources if the selection begins in one, and no others', async () => {
    const inside = (all: Element): Node => formula(0)(all).querySelector('mjx-container')!.firstChild!;
    const target = await select(inside, (all) => formula(0)(all));
    copyFormulaSources(target);
    expect(sources(target)).toEqual(['$a+b$']);
    expect(document.getSelection()?.toString()).toContain('$a+b$');
    document.getSelection()?.removeAllRanges();
    await eventually(() => sources(target).length === 0, 'the next frame');
    copyFormulaSources(target);
    expect(sources(target)).toEqual([]);
  });
});
