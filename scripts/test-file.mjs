// npm run test:file -- FILE… [options of jest]: runs these test files in the project of jest that their folder belongs
// to.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { runScript, UserError } from './run-script.mjs';
import { projectOf, testFolders } from './test-folders.mjs';

const root = path.resolve(import.meta.dirname, '..');
const jest = path.join(root, 'node_modules/jest/bin/jest.js');
const usage = 'npm run test:file -- test/unit/core/chat/chat.test.ts -t "part of a title"';

await runScript(async () => {
  const given = process.argv.slice(2);
  const firstOption = given.findIndex((argument) => argument.startsWith('-'));
  const files = (firstOption === -1 ? given : given.slice(0, firstOption)).map(inRoot);
  const options = given.slice(files.length);
  if (files.length === 0) throw new UserError(`Name a test file first, then options of jest, such as: ${usage}.`);
  const selected = [...new Set(files.map(checkedProjectOf))];
  const parameters = [jest, '--selectProjects', ...selected, '--runTestsByPath', ...files, ...options];
  const child = spawn(process.execPath, parameters, { cwd: root, stdio: 'inherit' });
  process.exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve(code ?? 1));
  });
});

/** Returns the path as jest compares it: relative to the root, with forward slashes. */
function inRoot(file) {
  return path.relative(root, path.resolve(file)).replaceAll(path.sep, '/');
}

function checkedProjectOf(file) {
  if (!existsSync(path.join(root, file)))
    throw new UserError(`There is no file ${file}: give its path, such as in ${usage}.`);
  const project = projectOf(file);
  if (project !== null) return project;
  const folders = Object.values(testFolders).flat().join(', ');
  throw new UserError(`${file} is no test file: give one that ends in .test.ts, below ${folders}.`);
}
