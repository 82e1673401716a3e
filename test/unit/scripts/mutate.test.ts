/** Mutants are drawn by the seed alone, each one parses, and a switch gives either the original or the mutant. */
import { resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { earlyEnd, judgeRun, orderFiles, type KnownFile } from '../../../scripts/mutation/run-mutants.mjs';
import { drawSites, findSites, parses, type Site } from '../../../scripts/mutation/sites.mjs';
import { applySite, weave } from '../../../scripts/mutation/switch.cjs';
import { expectRefusal, runScript, runScripts, type ScriptResult } from './run-script';

const file = 'src/core/sample.ts';
const inFunction = (body: string): string => `function sample(a: any, b: any, c: any) {\n${body}\n}`;
const show = ({ operator, before, after }: Site): string => `${operator}: ${before} → ${after}`;
const shown = (text: string): string[] => findSites(file, text).map(show);

describe('the sites of a source', () => {
  it.each([
    ['if (a) c();', ['condition: a → !(a)', 'statement: c(); → ;']],
    ['while (a) b();', ['condition: a → !(a)', 'statement: b(); → ;']],
    ['do b(); while (a);', ['condition: a → !(a)', 'statement: b(); → ;']],
    ['return a ? b : c;', ['condition: a → !(a)']],
    ['return a && b;', ['condition: a → !(a)', 'swap: a && b → (a) || (b)']],
    ['return a || b;', ['condition: a → !(a)', 'swap: a || b → (a) && (b)']],
    ['if (a === b) return c;', ['swap: a === b → (a) !== (b)']],
    ['return a !== b;', ['swap: a !== b → (a) === (b)']],
    ['return a < b;', ['swap: a < b → (a) <= (b)']],
    ['return a <= b;', ['swap: a <= b → (a) < (b)']],
    ['return a > b;', ['swap: a > b → (a) >= (b)']],
    ['return a >= b;', ['swap: a >= b → (a) > (b)']],
    ['return a + b;', ['swap: a + b → (a) - (b)']],
    ['return a - b;', ['swap: a - b → (a) + (b)']],
    ['return a ?? b;', ['fallback: a ?? b → (a) && (b)']],
    ['return [true, false];', ['boolean: true → false', 'boolean: false → true']],
    ['return [7, 0, 100, 20_000];', ['number: 7 → 8', 'number: 0 → 1', 'number: 100 → 101', 'number: 20_000 → 40000']],
    ["return { 'a-b': 'c' };", ["string: 'c' → ''"]],
    ['return `${a}-`;', ["string: `${a}-` → ''"]],
    ['return a.filter(b);', ['filter: b → () => true']],
    [
      'return a.some(b) || a?.every(c);',
      expect.arrayContaining(['someEvery: some → every', 'someEvery: every → some']),
    ],
    ['return a.slice(b, 3);', ['slice: b → (b) + 1', 'number: 3 → 4']],
  ])('in %s', (body, expected) => {
    expect(shown(inFunction(body))).toEqual(expected);
  });

  it.each([
    ['const is = (a: any): boolean => a.is();', 'return: a.is() → !(a.is())'],
    ['function is(a: any): a is Date { return a.is(); }', 'return: a.is() → !(a.is())'],
    ['async function is(a: any): Promise<boolean> { return a.is(); }', 'return: a.is() → !(a.is())'],
    ['function find(a: any): Date | undefined { return a; }', 'return: a → undefined'],
    ['function find(a: any): Date | null { return a; }', 'return: a → null'],
    ['function list(a: any): readonly Date[] { return a; }', 'return: a → []'],
    ['function name(a: any): string { return a; }', "return: a → ''"],
  ])('are returns whose type says what else may come: %s', (text, expected) => {
    expect(shown(text)).toEqual([expected]);
  });

  it.each([
    ['types', "type A = 'a' | 1; interface B { c: 'd' } let e: 'f' | true;"],
    ['imports and exports', "import { a } from 'b'; export { c } from 'd'; const e = () => import('f');"],
    ['what is only declared', "declare const a: number; declare module 'b' {}"],
    ['prose', `const a = '${'word '.repeat(9)}';`],
    ['the words of a defect', "function a() { throw new Error('broken'); }"],
    ['empty strings, and texts put together', "const a = (b: any) => 'x-' + b + '';"],
    ['returns of which the type says nothing', 'function a(b: any): Date { return b; }'],
    ['markup', 'const a = <b class="c">d</b>;'],
  ])('are none in %s', (what, text) => {
    const found = findSites(what === 'markup' ? `${file}x` : file, text);
    const others = what.startsWith('empty') ? ["string: 'x-' → ''"] : [];
    expect(found.map(show)).toEqual(others);
  });

  it('are none in words for people', () => {
    expect(findSites('src/text/en/chat.ts', 'export const a = true;')).toEqual([]);
  });

  it('keep their names when the file changes elsewhere, and no two have one', () => {
    const text = 'const a = 1;\nconst b = () => [1, 1];';
    const ids = findSites(file, text).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    const moved = findSites(file, `const added = true;\n\n${text}`).map(({ id }) => id);
    expect(moved.slice(1)).toEqual(ids);
  });
});

describe('the draw', () => {
  const sites = findSites(file, `const many = [${Array.from({ length: 200 }, (_, index) => index).join()}];`);

  it('is decided by the seed alone', () => {
    const drawn = drawSites(sites, 20, 'one');
    expect(drawSites([...sites].reverse(), 20, 'one')).toEqual(drawn);
    expect(drawSites(sites, 20, 'other')).not.toEqual(drawn);
    expect(drawn).toHaveLength(20);
  });

  it('keeps its places when sites come and go', () => {
    const drawn = drawSites(sites, 20, 'one');
    const without = sites.filter((site) => site !== drawn[3]);
    expect(drawSites(without, 19, 'one')).toEqual(drawn.filter((site) => site !== drawn[3]));
  });
});

describe('a switch', () => {
  const text = [
    'export function sample(list: number[] | undefined, limit: number, log: string[]): string[] {',
    "  if (limit > 5) log.push('large');",
    "  else log.push('small');",
    "  if (list?.some((each) => each === limit) || list?.slice(0, limit).every((each) => each < 3)) log.push('has');",
    '  return (list ?? [1, 2]).filter((each) => each + 1 > 2 && each !== 4).map((each) => `${each}!`);',
    '}',
    "export const nested = (a: boolean, b: boolean): boolean => (a ? !b : b && ('x' as const) === 'x');",
  ].join('\n');
  const sites = findSites(file, text).map((site, index) => ({ ...site, number: index + 1 }));
  const woven = weave(text, sites);
  const inputs: [number[] | undefined, number][] = [[undefined, 5], [[1, 2, 3, 4], 2], [[1, 1], 6], [[4, 0], 4]]; // prettier-ignore

  /** The same text with all switches is asked for with each of them. */
  const transpiled = new Map<string, string>();
  function transpile(source: string): string {
    const options = { compilerOptions: { module: ts.ModuleKind.CommonJS } };
    const made = transpiled.get(source) ?? ts.transpileModule(source, options).outputText;
    transpiled.set(source, made);
    return made;
  }

  function evaluate(source: string, globals: object): string {
    const exports: any = {};
    runInNewContext(transpile(source), { exports, ...globals });
    return JSON.stringify([
      ...inputs.map(([list, limit]) => {
        const log: string[] = [];
        return [exports.sample(list, limit, log), log];
      }),
      [true, false].flatMap((a) => [exports.nested(a, true), exports.nested(a, false)]),
    ]);
  }

  it('gives the original when no mutant is on, and tells which it reached', () => {
    const reached = new Set<number>();
    const result = evaluate(woven, { __docentHit: (number: number) => reached.add(number) });
    expect(result).toBe(evaluate(text, {}));
    expect([...reached].sort((a, b) => a - b)).toEqual(sites.map(({ number }) => number));
  });

  it.each(sites)('gives the mutant when it is on: $operator $before → $after', (site) => {
    const mutant = applySite(text, site);
    expect(parses(file, mutant)).toBe(true);
    const attempt = (source: string, globals: object): string => {
      try {
        return evaluate(source, globals);
      } catch (thrown) {
        return (thrown as Error).message;
      }
    };
    expect(attempt(woven, { __docentMutant: site.number })).toBe(attempt(mutant, {}));
  });

  it('keeps every line in its place', () => {
    expect(parses(file, woven)).toBe(true);
    expect(woven.split('\n')).toHaveLength(text.split('\n').length);
  });

  it('is not put into a text that has changed since', () => {
    expect(() => weave(`${text.slice(0, 10)} ${text.slice(10)}`, sites)).toThrow('has changed');
  });
});

describe('the verdict', () => {
  const [near, imports, far] = ['test/unit/core/sample.test.ts', 'test/unit/b.test.ts', 'test/unit/a.test.ts'].map(
    (path) => resolve(path),
  ) as [string, string, string];
  const known = new Map<string, KnownFile>([
    [far, { milliseconds: 1, text: '', durations: { quick: 10, slow: 15_000 } }],
    [imports, { milliseconds: 20, text: "from '../../src/core/sample'", durations: {} }],
    [near, { milliseconds: 300, text: '', durations: {} }],
  ]);
  const failing = (...failures: [name: string, timedOut: boolean][]): Parameters<typeof judgeRun>[0] => ({
    files: [{ file: far, passed: false, failures: failures.map(([name, timedOut]) => ({ name, milliseconds: 20_000, timedOut })) }], // prettier-ignore
    ranOut: false,
    code: 1,
  });
  const passing = { file: far, passed: true, failures: [] };

  it('comes from the nearest tests first', () => {
    expect(orderFiles({ file }, [far, imports, near], { known, reached: new Map() })).toEqual([near, imports, far]);
  });

  it('is that a failing test kills, and a file that cannot be loaded', () => {
    expect(judgeRun(failing(['quick', false]), [far], known)).toEqual({
      verdict: 'killed',
      by: 'test/unit/a.test.ts: quick',
      file: far,
    });
    expect(judgeRun(failing(), [far], known)).toMatchObject({ verdict: 'killed' });
  });

  it('is that running out of time kills only what took far less before', () => {
    expect(judgeRun(failing(['quick', true]), [far], known)?.by).toContain('timeout');
    expect(judgeRun(failing(['slow', true]), [far], known)).toMatchObject({ verdict: 'undecided' });
    expect(judgeRun({ files: [passing], ranOut: true, code: null }, [far, near], known)).toEqual({
      verdict: 'killed',
      by: 'timeout of test/unit/core/sample.test.ts',
      file: near,
    });
  });

  it('is open after tests that passed, and a kill when the mutant ended jest', () => {
    expect(judgeRun({ files: [passing], ranOut: false, code: 0 }, [far], known)).toBeNull();
    expect(judgeRun({ files: [], ranOut: false, code: 134 }, [far], known)).toEqual({
      verdict: 'killed',
      by: 'end of jest, with code 134, in test/unit/a.test.ts',
      file: far,
    });
  });

  it('waits for a whole run without a mutant', () => {
    const ended = (given: object): string | null =>
      earlyEnd({ files: [passing], ended: false, ranOut: false, code: 0, ...given });
    expect(ended({ ended: true })).toBeNull();
    expect(ended({})).toContain('ended with code 0 without a mutant, after 1 files.');
    expect(ended({ files: [], code: 1 })).toContain('ended with code 1 without a mutant, after 0 files.');
    expect(ended({ ranOut: true, code: null })).toContain('ran out of time without a mutant, after 1 files.');
  });
});

describe('npm run mutate', () => {
  const wrong: [string[], string][] = [
    [['--sample', 'many'], '--sample takes a whole number from 1 on, not “many”.'],
    [['--sample', '0'], '--sample takes a whole number'],
    [['src/nowhere'], 'No source begins with “src/nowhere”'],
    [['test/unit'], 'No source begins with “test/unit”'],
    [['src/text/en/chat.ts'], 'There is nothing to mutate in src/text/en/chat.ts'],
    [['--wrong'], "Unknown option '--wrong'"],
  ];
  const draw = ['--list', '--sample', '5', '--seed', 'x', 'src/core/search'];
  let results: readonly ScriptResult[];
  beforeAll(async () => {
    results = await runScripts('mutate.mjs', [...wrong.map(([given]) => given), draw]);
  });

  it.each(wrong)('says what is wrong with %j', (given, words) => {
    const result = results[wrong.findIndex((each) => each[0] === given)]!;
    expectRefusal(result);
    expect(result.words).toContain(words);
  });

  it('lists the same draw for the same seed', async () => {
    const [first, second] = [results.at(-1)!, await runScript('mutate.mjs', ...draw)];
    expect(first.out).toBe(second.out);
    const { mutants } = JSON.parse(first.out) as { mutants: Site[] };
    expect(mutants).toHaveLength(5);
    expect(mutants.every((site) => site.file.startsWith('src/core/search'))).toBe(true);
  });
});
