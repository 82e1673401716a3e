/**
 * What the app's libraries return: the parts of code with their colors, formulas, and diagrams, from libraries of the
 * test.
 *
 * @jest-environment jsdom
 */
import { installDom } from 'obsidian-workbench/jest';
import { appLibraries } from '../../../../src/ui/render/libraries';

const tokens = [
  'let ',
  { type: 'string', content: ['"a ', { type: 'variable', alias: ['own', 'no name at all'], content: 'b' }, '"'] },
  { type: 'unknown', alias: 'number', content: '1' },
];
let made: readonly unknown[] = tokens;
let read = (_text: string): readonly unknown[] => made;

/** What is asked of MathJax and Mermaid, in order. */
const done: string[] = [];
let drawMath = (source: string): HTMLElement => {
  const drawn = document.createElement('mjx-container');
  drawn.textContent = source;
  return drawn;
};
let parses: unknown = true;
let render = (text: string, _place: Element): Promise<{ svg: string }> =>
  Promise.resolve({ svg: `<svg>${text}</svg>` });
const noteOf = (text: string): string => text.replace(/^%%.*%%\n/, '');

jest.mock('obsidian', () => ({
  ...jest.requireActual<object>('obsidian'),
  loadMathJax: () => Promise.resolve(void done.push('load MathJax')),
  renderMath: (source: string, display: boolean) => {
    done.push(`${display ? 'display' : 'inline'} ${source}`);
    return drawMath(source);
  },
  finishRenderMath: () => Promise.resolve(void done.push('style')),
  loadMermaid: () =>
    Promise.resolve({
      parse: (text: string, options: object) => {
        done.push(`parse ${noteOf(text)} ${JSON.stringify(options)}`);
        return Promise.resolve(parses);
      },
      render: (id: string, text: string, place: Element) => {
        done.push(`render ${id} ${place.className} ${place.ariaHidden} ${document.body.contains(place)}`);
        return render(text, place);
      },
    }),
  loadPrism: () =>
    Promise.resolve({ languages: { ts: {}, broken: 'no grammar' }, tokenize: (text: string) => read(text) }),
}));

const code = 'let "a b"1';

it('gives each part the names and the color of the innermost token', async () => {
  expect(await appLibraries.colors(code, 'ts')).toEqual([
    { text: 'let ', names: [] },
    { text: '"a ', names: ['string', 'docent-code-string'] },
    { text: 'b', names: ['variable', 'own', 'docent-code-property'] },
    { text: '"', names: ['string', 'docent-code-string'] },
    { text: '1', names: ['unknown', 'number', 'docent-code-value'] },
  ]);
});

describe('code of 20,000 characters', () => {
  const long = 'let a = 1;\n'.repeat(1_819).slice(0, 20_000);
  const usual = read;
  /** Milliseconds that each reading took. */
  let times: number[] = [];

  /** Lets reading a text take time, by its length in thousands of characters. */
  function take(time: (thousands: number) => number): void {
    times = [];
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    read = (text) => {
      times.push(time(text.length / 1_000));
      now += times.at(-1) ?? 0;
      return [text];
    };
  }

  afterEach(() => {
    jest.restoreAllMocks();
    read = usual;
  });

  it.each<[string, (thousands: number) => number]>([
    ['takes as long as it is', (thousands) => thousands],
    ['takes longer at first', (thousands) => (times.length === 0 ? 100 : thousands)],
  ])('gets its colors if reading it %s', async (_what, time) => {
    take(time);
    expect(await appLibraries.colors(long, 'ts')).toEqual([{ text: long, names: [] }]);
  });

  // As Prism reads C#, SCSS, and CSS that were made for it.
  it.each<[string, (thousands: number) => number]>([
    ['square', (thousands) => 7 * thousands ** 2],
    ['square, with less', (thousands) => 1.1 * thousands ** 2],
    ['cube', (thousands) => thousands ** 3],
  ])('stays as it is if the time grows with its %s, and holds up nothing until that is known', async (_what, time) => {
    take(time);
    expect(await appLibraries.colors(long, 'ts')).toBeNull();
    expect(time(20)).toBeGreaterThan(400);
    expect(Math.max(...times)).toBeLessThan(130);
    expect(times.reduce((sum, each) => sum + each, 0)).toBeLessThan(400);
  });
});

it.each([
  ['a language without a grammar', 'broken', tokens],
  ['a language that it does not know', 'constructor', tokens],
  ['parts that are not the code', 'ts', ['let']],
])('gives no colors for %s', async (_, language, parts) => {
  made = parts;
  expect(await appLibraries.colors(code, language)).toBeNull();
});

describe('a formula', () => {
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

  it('is drawn by a library that is loaded once, and styled once for all in a row', async () => {
    done.length = 0;
    const [one, two] = await Promise.all([appLibraries.math('x', false), appLibraries.math('y', true)]);
    expect([one?.textContent, two?.textContent]).toEqual(['x', 'y']);
    await settle();
    expect(done).toEqual(['load MathJax', 'inline x', 'display y', 'style']);
    await appLibraries.math('z', false);
    await settle();
    expect(done.slice(4)).toEqual(['inline z', 'style']);
  });

  it('is none where the library fails, or draws what is not allowed', async () => {
    done.length = 0;
    const usual = drawMath;
    drawMath = () => {
      throw new Error('Math input error');
    };
    expect(await appLibraries.math('x', false)).toBeNull();
    drawMath = () => document.createElement('img');
    expect(await appLibraries.math('x', false)).toBeNull();
    drawMath = usual;
    await settle();
    expect(done).toEqual(['inline x', 'inline x']);
  });
});

describe('a diagram', () => {
  beforeEach(() => {
    installDom(window);
    done.length = 0;
  });
  const renders = (): number => done.filter((each) => each.startsWith('render')).length;
  const benches = (): number => document.querySelectorAll('.docent-diagram-bench').length;

  it('is drawn in a hidden place of the page, in the colors of the app and without HTML in its labels', async () => {
    const looks = async (isDark: boolean): Promise<unknown> => {
      const svg = (await appLibraries.diagram('graph TD', isDark)) ?? '';
      return JSON.parse(/init: (.*)\}%%/.exec(svg)?.[1] ?? 'null');
    };
    const plain = { htmlLabels: false, useMaxWidth: false };
    const usual = {
      ...{ fontFamily: 'inherit', htmlLabels: false, flowchart: plain, class: plain, state: plain },
      journey: { textPlacement: 'tspan' },
    };
    expect(await looks(false)).toEqual({ theme: 'default', ...usual });
    expect(await looks(true)).toEqual({ theme: 'dark', ...usual });
    expect(done).toEqual([
      'parse graph TD {"suppressErrors":true}',
      'render docent-diagram-1 docent-diagram-bench true true',
      'parse graph TD {"suppressErrors":true}',
      'render docent-diagram-2 docent-diagram-bench true true',
    ]);
    expect(benches()).toBe(0);
  });

  it('is drawn once in each look, until thirty others were', async () => {
    await appLibraries.diagram('first', false);
    for (let count = 1; count < 30; count += 1) await appLibraries.diagram(`other ${count}`, false);
    await appLibraries.diagram('first', false);
    expect(renders()).toBe(30);
    await appLibraries.diagram('first', true);
    expect(renders()).toBe(31);
    await appLibraries.diagram('first', false);
    expect(renders()).toBe(32);
  });

  it('is none where the library cannot read or draw it, and leaves nothing in the page', async () => {
    parses = false;
    expect(await appLibraries.diagram('unread', false)).toBeNull();
    expect(renders()).toBe(0);
    parses = { diagramType: 'graph' };
    const usual = render;
    render = (_text, place) => {
      place.append('Syntax error');
      return Promise.reject(new Error('No.'));
    };
    expect(await appLibraries.diagram('undrawn', false)).toBeNull();
    expect(benches()).toBe(0);
    render = usual;
    expect(await appLibraries.diagram('undrawn', false)).toContain('undrawn');
  });

  it('is given up after ten seconds, and no other is drawn behind it', async () => {
    const usual = render;
    render = () => new Promise(() => undefined);
    jest.useFakeTimers();
    let drawn: unknown = 'drawing';
    void appLibraries.diagram('endless', false).then((svg) => (drawn = svg));
    await jest.advanceTimersByTimeAsync(9_999);
    expect([drawn, benches()]).toEqual(['drawing', 1]);
    await jest.advanceTimersByTimeAsync(1);
    expect([drawn, benches()]).toEqual([null, 0]);
    jest.useRealTimers();
    render = usual;
    expect(await appLibraries.diagram('next', false)).toBeNull();
  });
});
