// Runs tests of jest as its parent asks, one run after another, each with a mutant in place. Starting jest and compiling
// the modules that nearly all tests read takes longer than most of these runs.
const path = require('node:path');
const { formatTestResults } = require('@jest/test-result');
const { createScriptTransformer } = require('@jest/transform');
const { createTestScheduler } = require('jest');
const { readConfigs } = require('jest-config');
const { default: Runtime } = require('jest-runtime');
const ShortestFirst = require('../jest/shortest-first.cjs');
const { chooseMutant } = require('./jest-mutant.cjs');

const root = path.resolve(__dirname, '../..');

async function open() {
  const { globalConfig, configs } = await readConfigs({ _: [], $0: '', rootDir: root, silent: true, runInBand: true }, [
    root,
  ]);
  return { globalConfig: { ...globalConfig, reporters: [] }, configs, contexts: new Map() };
}

/** Returns what the tests of a project share, made when the first of them runs. */
async function contextOf({ configs, contexts }, project) {
  if (!contexts.has(project)) {
    const config = configs.find(({ displayName }) => displayName.name === project);
    contexts.set(
      project,
      await Runtime.createContext(config, { console, maxWorkers: 1, watch: false, watchman: false }),
    );
  }
  return contexts.get(project);
}

/**
 * @param files {file, project} of each test file
 * @param pattern what the names of tests must match
 * @param bail whether the first failure ends the run
 * @returns jest's report
 */
async function runTests(jest, { files, pattern, mutant, bail }) {
  chooseMutant(mutant);
  const tests = [];
  for (const { file, project } of files)
    tests.push({ context: await contextOf(jest, project), path: path.join(root, file) });
  const globalConfig = { ...jest.globalConfig, testNamePattern: pattern, bail: bail ? 1 : 0 };
  const contexts = [...jest.contexts.values()];
  const ordered = new ShortestFirst({ contexts, globalConfig }).sort(tests);
  const scheduler = await createTestScheduler(globalConfig, { startRun: () => undefined });
  await forget(jest, mutant);
  const results = await scheduler.scheduleTests(ordered, stopsAtFirst());
  await forget(jest, mutant);
  return formatTestResults(results);
}

/** Ends a run without ending the process, as in the watch mode of jest. */
function stopsAtFirst() {
  let isInterrupted = false;
  return {
    isWatchMode: () => true,
    isInterrupted: () => isInterrupted,
    setState: (state) => void (isInterrupted = state.interrupted),
  };
}

/** Jest keeps what it compiled of a file until the file is written again, which no mutant does. */
async function forget({ contexts }, mutant) {
  if (mutant === null) return;
  const file = path.join(root, mutant.file);
  for (const { config } of contexts.values()) {
    const { transformedFiles } = (await createScriptTransformer(config))._cache;
    for (const key of transformedFiles.keys()) if (key.startsWith(file)) transformedFiles.delete(key);
  }
}

const opened = open();
let last = Promise.resolve();
process.on('message', (asked) => {
  last = last.then(async () => process.send(await runTests(await opened, asked)));
});
// What tests left behind would keep it running.
process.on('disconnect', () => process.exit());
