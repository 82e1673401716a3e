// Runs a test file of the browser suite with this process's browser, which the files use one after another.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import run from './runner.cjs';

const require = createRequire(import.meta.url);
/** The key under which the teardown that jest runs in this process finds the browser, if all files run here. */
const held = Symbol.for('docent.browser');

export default async function runInBrowser(globalConfig, config, environment, ...rest) {
  globalThis[held] ??= open();
  const browser = await globalThis[held];
  environment.global.testBrowser = browser;
  const handleEvent = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = async (event, state) => {
    // The hooks after it close what the walk saw when it failed, and a second try may never see it again.
    if (event.name === 'test_fn_failure') await printPages(event.test.name, browser);
    await handleEvent?.(event, state);
  };
  const translate = Error.prepareStackTrace;
  Error.prepareStackTrace = withoutDriver(translate);
  try {
    return await run(globalConfig, config, environment, ...rest);
  } finally {
    Error.prepareStackTrace = translate;
  }
}

/**
 * The browser’s driver reads the stack at each of its calls: for the message of a page that closes during it, and for the
 * place of a call that fails. Jest would look each frame up in source maps, which takes a tenth of a walk’s time in this
 * process. For the place, only our frames need that, and each of them once.
 */
function withoutDriver(translate) {
  const known = new Map();
  const lineOf = (error, frame) => {
    const line = `    at ${String(frame)}`;
    if (line.includes('/node_modules/')) return line;
    if (!known.has(line)) known.set(line, translate(error, [frame]).replace(/^.*\n/, ''));
    return known.get(line);
  };
  return (error, frames) => {
    const caller = frames[0]?.getFunctionName();
    if (caller === '_race') return String(error);
    if (caller !== 'captureRawStack') return translate(error, frames);
    return [String(error), ...frames.map((frame) => lineOf(error, frame))].join('\n');
  };
}

async function printPages(test, browser) {
  const pages = await browser.describePages();
  process.stderr.write(`What the pages showed when “${test}” failed:\n${pages.join('\n───\n')}\n`);
}

async function open() {
  const { sharedBrowser } = JSON.parse(process.env.DOCENT_E2E);
  const browser = await import(pathToFileURL(sharedBrowser));
  // In a worker of jest, `teardown` runs last; without it the open browser would keep the process alive.
  const worker = require.cache[path.join(path.dirname(require.resolve('jest-runner')), 'testWorker.js')];
  if (worker !== undefined) worker.exports.teardown = () => browser.close();
  await browser.start();
  return browser;
}
