// Runs a test file as jest does, and fails it by name if it leaves something behind: a pending timer after all its
// tests, or a file in the temporary folder; or if something was drawn with an icon that there is none of, which in
// Obsidian is an empty place. Time limits are longer than written.
const asyncHooks = require('node:async_hooks');
const { accessSync, constants, statfsSync } = require('node:fs');
const { mkdtemp, readdir, realpath, rm } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { createRequire } = require('node:module');
const { setImmediate: turn, setTimeout: wait } = require('node:timers/promises');
const { default: circus } = require('jest-circus/runner');
require('./shared-scripts.cjs');

/** Milliseconds in which what the plugin defers, such as a draft or a batch of events, may finish. */
const graceMilliseconds = 300;

/**
 * How many times its time limit a test may take. The limits end what hangs and are written for a machine with nothing
 * else to do: one on which everything takes three times as long is no failure.
 */
const patience = 3;

/**
 * A folder in memory: creating a file on a disk can take sixty times as long, and tests and browsers create thousands.
 * Containers often give it less room than the largest vaults of the tests need.
 */
const memory = { folder: '/dev/shm', minBytes: 2 ** 30 };

/** Reads modules as the environment of jest does that uses jsdom. */
const requireOfJsdom = createRequire(require.resolve('jest-environment-jsdom'));

const workbench = path.join(__dirname, '../../test/workbench/');

const ends = ['test_fn_success', 'test_fn_failure', 'hook_success', 'hook_failure'];

if (process.env.TMPDIR === undefined && hasRoomInMemory()) process.env.TMPDIR = memory.folder;

function hasRoomInMemory() {
  try {
    accessSync(memory.folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory.folder);
    return bavail * bsize >= memory.minBytes;
  } catch {
    return false;
  }
}

module.exports = async function run(globalConfig, config, environment, runtime, testPath, ...rest) {
  if (environment.dom !== undefined) delayStyles();
  const builtIns = spareLoads(runtime, environment, config.sandboxInjectedGlobals);
  const timers = followTimers(environment);
  const icons = new Set();
  // The workbench's own tests draw what is not there.
  if (!testPath.startsWith(workbench)) environment.global.reportMissingIcon = (id) => icons.add(id);
  const before = process.env.TMPDIR;
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'docent-test-'));
  const setFolder = (value) => {
    for (const { env } of [process, environment.global.process ?? process]) {
      if (value === undefined) delete env.TMPDIR;
      else env.TMPDIR = value;
    }
  };
  setFolder(folder);
  try {
    const result = await runOneByOne(() => circus(globalConfig, config, environment, runtime, testPath, ...rest));
    await timers.settled();
    const files = (await readdir(folder)).map((name) => `${name} in the folder for temporary files`);
    for (const left of [...timers.waiting(), ...files]) addFailure(result, `leaves nothing behind, but left ${left}`);
    const replaced = Object.keys(builtIns).filter((name) => environment.global[name] !== builtIns[name]);
    for (const name of replaced) addFailure(result, `replaces no built-in, which modules do not see, but did ${name}`);
    for (const id of icons) addFailure(result, `draws icons that there are, but also “${id}”`);
    return result;
  } finally {
    setFolder(before);
    await rm(folder, { recursive: true, force: true });
  }
};

/** The text of each module of jest itself that a test file loads. */
const internalSources = new Map();

/**
 * Loads modules without what jest does again for each of them: it reads each built-in that the configuration hands to
 * modules from the test's context twice, and each file, although it knows the compiled one.
 */
function spareLoads({ executor, transformCache }, environment, names) {
  const builtIns = Object.fromEntries(names.map((name) => [name, environment.global[name]]));
  executor.environment = {
    // Jest looks whether it is still there: a module that is loaded after the end of its test is not run.
    get global() {
      return environment.global && builtIns;
    },
    getVmContext: () => environment.getVmContext(),
  };
  const { transform } = transformCache;
  // Without the text of the file, the transformer reads it only if it does not know what it compiles to.
  const unread = Object.create(transformCache, { fileCache: { value: { readFile: () => undefined } } });
  transformCache.transform = (file, options) => {
    if (!options?.isInternalModule) return transform.call(unread, file, options);
    if (!internalSources.has(file)) internalSources.set(file, transform.call(transformCache, file, options));
    return internalSources.get(file);
  };
  return builtIns;
}

/**
 * Starts the run of a file with a plain record of the test under way. The one of Node costs every promise of the process
 * time, once more for each file that the process has run: after 150 files, a promise took 160 times as long. Tests run
 * one by one, so the test under way is known without it.
 */
function runOneByOne(run) {
  // It cannot be assigned to from Node 22.23 on.
  const original = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: UnderWay, enumerable: true, configurable: true });
  try {
    // The module that runs the tests is read before the first wait.
    return run();
  } finally {
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', original);
  }
}

/** Knows one value at a time: that of the call which began last and is not over. */
class UnderWay {
  #value;

  getStore() {
    return this.#value;
  }

  run(value, callback) {
    const before = this.#value;
    const restore = () => void (this.#value = before);
    this.#value = value;
    const result = callback();
    if (typeof result?.then !== 'function') restore();
    else result.then(restore, restore);
    return result;
  }
}

/**
 * Lets elements of jsdom make their style when it is first used. Making one takes longer than the rest of an element,
 * and few are ever used.
 */
function delayStyles() {
  for (const name of ['HTMLElement', 'SVGElement']) {
    const { prototype } = requireOfJsdom(`jsdom/lib/jsdom/living/nodes/${name}-impl.js`).implementation;
    const { _initElementCSSInlineStyle: make } = prototype;
    if (make === noStyle || make === undefined) continue;
    prototype._initElementCSSInlineStyle = noStyle;
    Object.defineProperty(prototype, '_style', {
      configurable: true,
      get() {
        const { _settingCssText: isSetting } = this;
        make.call(this);
        this._settingCssText = isSetting;
        return this._style;
      },
      set(value) {
        Object.defineProperty(this, '_style', { value, writable: true, configurable: true });
      },
    });
  }
}

function noStyle() {
  // The first use makes it.
}

/** Tracks timers; fake timers, which a test puts over these, are not waited for. */
function followTimers(environment) {
  const { global } = environment;
  const waiting = new Map();
  let current = 'before the first test';
  const handleEvent = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = async (event, state) => {
    if (event.name === 'run_start') extendLimits(state);
    if (event.name === 'test_start') current = `since “${event.test.name}”`;
    await handleEvent?.(event, state);
    // What a test or hook left to fail fails now, while it is known whose it is.
    if (ends.includes(event.name)) await turn();
  };
  for (const [start, stop, isOver] of [
    ['setTimeout', 'clearTimeout', true],
    ['setInterval', 'clearInterval', false],
  ]) {
    const [realStart, realStop] = [global[start], global[stop]];
    const following = function (callback, delay, ...given) {
      const timer = Reflect.apply(realStart, this, [
        (...args) => {
          if (isOver) waiting.delete(timer);
          return callback(...args);
        },
        delay,
        ...given,
      ]);
      waiting.set(timer, `a timer of ${delay ?? 0} ms ${current}`);
      return timer;
    };
    // Code that looks up properties of the real one, such as Node's promisify, finds them.
    Object.defineProperties(following, Object.getOwnPropertyDescriptors(realStart));
    global[start] = following;
    global[stop] = function (timer) {
      waiting.delete(timer);
      return Reflect.apply(realStop, this, [timer]);
    };
  }
  const settled = async () => {
    for (const end = Date.now() + graceMilliseconds; waiting.size > 0 && Date.now() < end;) await wait(10);
  };
  return { settled, waiting: () => [...new Set(waiting.values())] };
}

function extendLimits(state) {
  state.testTimeout *= patience;
  const extend = (block) => {
    for (const item of [...block.hooks, ...block.children]) {
      if (item.timeout !== undefined) item.timeout *= patience;
      if (item.type === 'describeBlock') extend(item);
    }
  };
  extend(state.rootDescribeBlock);
}

function addFailure(result, title) {
  const message = `${result.testFilePath}: ${title}.`;
  result.numFailingTests += 1;
  result.failureMessage = [result.failureMessage, message].filter(Boolean).join('\n');
  result.testResults.push({
    ancestorTitles: [],
    title,
    fullName: title,
    status: 'failed',
    failureMessages: [message],
    failureDetails: [],
    numPassingAsserts: 0,
    invocations: 1,
    duration: 0,
    location: null,
  });
}
