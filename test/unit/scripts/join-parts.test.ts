/** The one file that the parts of the plugin become. */
import { joinParts } from '../../../scripts/build/join-parts.mjs';

interface Counter {
  count: () => number;
  countLater: () => Promise<number>;
  /** How often it was counted. */
  counted: () => number;
}

const parts = [
  {
    path: '/out/main.js',
    text: `import { count, made } from './chunk-AB12.js'; export const counted = () => made; import * as path from 'node:path'; export { count };
           export const base = path.basename('notes/tide.md');
           export const countLater = async () => (await import('./later-CD34.js')).countTwice();`,
  },
  {
    path: '/out/later-CD34.js',
    text: `import { count } from './chunk-AB12.js'; export const countTwice = () => count() * 2;`,
  },
  {
    path: '/out/chunk-AB12.js',
    text: `export let made = 0; export const count = () => (made += 1); export const text = "./notes.js";`,
  },
];

const options = {
  platform: 'browser',
  target: 'es2021',
  minify: true,
  supported: { 'dynamic-import': false },
} as const;

/** Runs a script as Obsidian does, which wraps it in a function. */
function run(code: string): Counter & { base: string } {
  const module = { exports: {} };
  const load = new Function('module', 'exports', 'require', code) as (...given: unknown[]) => void;
  load(module, module.exports, require);
  return module.exports as Counter & { base: string };
}

it('the parts share what they export, at once and later, and modules from outside', async () => {
  const { base, count, countLater } = run(await joinParts(parts, options));
  expect(base).toBe('tide.md');
  expect([count(), await countLater(), count()]).toEqual([1, 4, 3]);
});

it('what a part exports is as it is now, also after it was changed there', async () => {
  const { count, counted } = run(await joinParts(parts, options));
  count();
  count();
  expect(counted()).toBe(2);
});

it('what a function assigns in a pattern or a loop counts as changed', async () => {
  const other = {
    path: '/out/chunk-AB12.js',
    text: `let a = 1, b = 2, c = 3; const swap = () => { [a, b] = [b, a]; for (c of [7]); }; export { a, b as second, c as third, swap };`,
  };
  const main = {
    path: '/out/main.js',
    text: `import { a as first, second, third, swap } from './chunk-AB12.js'; export const count = () => { swap(); return [first, second, third].join(''); };`,
  };
  expect(run(await joinParts([other, main], options)).count()).toBe('217');
});

it('what nothing changes is taken once, into a variable', async () => {
  const code = await joinParts(parts, options);
  expect(code).toMatch(/var ?\{ ?count ?\} ?= ?require\(0\)/);
  expect(code.match(/\bget \w+\(\)/g)).toEqual(['get made()']);
});

it('an export or an import that the bundler does not write is refused by name', async () => {
  for (const text of ['export default 1;', 'export * from "./later-CD34.js";', 'import made from "obsidian";'])
    await expect(joinParts([{ path: '/out/main.js', text }], options)).rejects.toThrow('/out/main.js');
});

it('the parts carry no helpers and name one another by numbers', async () => {
  const code = await joinParts(parts, options);
  expect(code).not.toMatch(/getOwnPropertyDescriptor|defineProperty/);
  expect(code).not.toMatch(/AB12|CD34/);
  expect(code).toContain('./notes.js');
});
