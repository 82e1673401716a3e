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

it('the parts share one copy of the helpers and name one another by numbers', async () => {
  const code = await joinParts(parts, options);
  expect(code.match(/Object\.getOwnPropertyDescriptor/g)).toHaveLength(1);
  expect(code).not.toMatch(/AB12|CD34/);
  expect(code).toContain('./notes.js');
});
