/** The runner of all tests is patient, slows no promise, and fails by name what leaves a timer or a file behind or an
 * error unheard, or draws an icon that there is none of, and nothing else. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeTree } from 'obsidian-workbench/testing/folders';

const runner = path.resolve('scripts/jest/runner.cjs');
const jestProgram = path.resolve('node_modules/jest/bin/jest.js');

/** A module of one line, which two files read. */
const count = `let count = 0; exports.next = () => ++count; exports.List = Array; exports.stack = () => new Error().stack;`;
const counting = `
    const { List, next, stack } = require('./count.js');
    it('has modules of its own, and knows where it is in them', () => {
      expect([next(), next(), [] instanceof List]).toEqual([1, 2, true]);
      expect(stack()).toContain('count.js:1:${count.indexOf('new Error') + 1}');
    });`;

/** Engines from Node 22.23 on let nobody assign to it. */
const readOnly = `
    const hooks = require('node:async_hooks');
    const { AsyncLocalStorage } = hooks;
    Object.defineProperty(hooks, 'AsyncLocalStorage', { get: () => AsyncLocalStorage, enumerable: true, configurable: true });`;

const files = {
  'read-only.cjs': readOnly,
  'count.js': count,
  'count-1.test.js': counting,
  'count-2.test.js': counting,
  'clean.test.js': `
    const { mkdtempSync, rmSync } = require('node:fs');
    const { tmpdir } = require('node:os');
    const { promisify } = require('node:util');
    it('waits and clears up', async () => {
      const folder = mkdtempSync(tmpdir() + '/own-');
      await promisify(setTimeout)(5);
      clearInterval(setInterval(() => {}, 50));
      rmSync(folder, { recursive: true });
    });
    it('uses timers that are not real', () => {
      jest.useFakeTimers();
      setTimeout(() => {}, 1_000);
      jest.useRealTimers();
    });`,
  'rejection.test.js': `
    const { setImmediate: turn } = require('node:timers/promises');
    const { executionAsyncId } = require('node:async_hooks');
    it('uses promises that nothing follows', async () => {
      await null;
      expect(executionAsyncId()).toBe(0);
    });
    it('drops a promise that fails', () => void Promise.reject(new Error('Not heard.')));
    it('waits during an error', async () => {
      setImmediate(() => { throw new Error('Not caught.'); });
      await turn();
      await turn();
    });
    it('passes', () => turn());`,
  'style.test.js': `
    /** @jest-environment jsdom */
    it.each(['p', 'svg'])('gives each %s a style', (tag) => {
      const [element, other] = [0, 1].map(() => document.createElementNS(
        tag === 'p' ? 'http://www.w3.org/1999/xhtml' : 'http://www.w3.org/2000/svg', tag));
      element.setAttribute('style', 'COLOR:red');
      expect(element.getAttribute('style')).toBe('COLOR:red');
      expect(element.style.color).toBe('red');
      element.style.color = 'blue';
      expect(element.getAttribute('style')).toBe('color: blue;');
      expect([element.style === element.style, other.style.cssText]).toEqual([true, '']);
    });`,
  'slow.test.js': `
    const wait = require('node:util').promisify(setTimeout);
    describe('a slow machine', () => {
      beforeAll(() => wait(500), 400);
      it('takes longer than its limit', () => wait(500), 400);
      it('hangs', () => wait(350), 100);
    });`,
  'timer.test.js': `it('starts what it does not end', () => void setTimeout(() => {}, 60_000).unref());`,
  'icon.test.js': `it('draws what there is no icon of', () => void globalThis.reportMissingIcon('anchr'));`,
  'file.test.js': `
    const { writeFileSync } = require('node:fs');
    it('passes', () => writeFileSync(require('node:os').tmpdir() + '/forgotten.txt', ''));`,
};

it('names what was left, and by which test', async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'docent-runner-')));
  mkdirSync(folder, { recursive: true });
  writeTree(folder, files);
  const outputFile = path.join(folder, 'report.json');
  const config = { rootDir: folder, testRunner: runner, transform: {}, cacheDirectory: path.join(folder, 'cache') };
  await new Promise((resolve) =>
    execFile(
      process.execPath,
      [
        '--require',
        './read-only.cjs',
        jestProgram,
        '--config',
        JSON.stringify(config),
        '--json',
        `--outputFile=${outputFile}`,
        '--runInBand',
      ],
      { cwd: folder },
      resolve,
    ),
  );
  const report = JSON.parse(readFileSync(outputFile, 'utf8')) as {
    testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
  };
  rmSync(folder, { recursive: true });
  const failed = report.testResults.map(({ name, assertionResults }) => [
    path.basename(name),
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  ]);
  expect(Object.fromEntries(failed)).toEqual({
    'clean.test.js': [],
    'count-1.test.js': [],
    'count-2.test.js': [],
    'rejection.test.js': ['drops a promise that fails', 'waits during an error'],
    'style.test.js': [],
    'slow.test.js': ['a slow machine hangs'],
    'timer.test.js': ['leaves nothing behind, but left a timer of 60000 ms since “starts what it does not end”'],
    'icon.test.js': ['draws icons that there are, but also “anchr”'],
    'file.test.js': ['leaves nothing behind, but left forgotten.txt in the folder for temporary files'],
  });
}, 60_000);
