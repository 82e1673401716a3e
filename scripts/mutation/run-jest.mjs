// Starts jest over sources that contain a switch at each drawn site.
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const jestProgram = path.join(root, 'node_modules/jest/bin/jest.js');
const part = (name) => path.join(root, 'scripts/mutation', name);

/**
 * @param projects of jest
 * @param parameters the tests to run, and how
 * @param environment the variables of setup.cjs, order.cjs, reporter.cjs and switch.cjs
 * @param results where the reporter writes
 * @returns {files: the lines of the reporter, one for each file that ran; ended: whether that was all of them; ranOut:
 * whether the limit in milliseconds was reached; code}
 */
export async function runJest({ projects, parameters, environment, results, limit }) {
  await rm(results, { force: true });
  const options = ['--selectProjects', ...projects, '--silent', '--passWithNoTests'];
  const plugs = [
    `--setupFiles=${part('setup.cjs')}`,
    `--testSequencer=${part('order.cjs')}`,
    `--reporters=${part('reporter.cjs')}`,
  ];
  const child = spawn(process.execPath, [jestProgram, ...options, ...plugs, ...parameters], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, DOCENT_SECOND_TRY: '', ...environment, DOCENT_MUTATION_RESULTS: results },
  });
  let ranOut = false;
  const timer = setTimeout(() => {
    ranOut = true;
    child.kill('SIGKILL');
  }, limit);
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  clearTimeout(timer);
  const lines = await readLines(results);
  return { files: lines.filter(({ ended }) => !ended), ended: lines.some(({ ended }) => ended), ranOut, code };
}

/** Returns the JSON lines of a file that others append to; empty if nobody has written. */
export async function readLines(file) {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
