/** Time that passes quickly: for tests of what waits by the clock for a while and otherwise does its work in memory. */

/** Milliseconds that pass in about one. Short enough that what takes real time, such as a digest, is not late. */
const step = 25;

/** Milliseconds after a test in which what the plugin defers may end. */
const grace = 2_000;

/**
 * Lets the time of each test of the file or block pass as many times as fast. Call it after other hooks of the file, so
 * that what those close ends in the same time.
 */
export function passTimeQuickly(): void {
  let isOver = false;
  let passing = Promise.resolve();
  const pass = async (): Promise<void> => {
    while (!isOver) await jest.advanceTimersByTimeAsync(step);
  };
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] });
    isOver = false;
    passing = pass();
  });
  afterEach(async () => {
    isOver = true;
    await passing;
    await jest.advanceTimersByTimeAsync(grace);
    const left = jest.getTimerCount();
    jest.useRealTimers();
    if (left > 0) throw new Error(`The test leaves nothing behind, but left ${left} timers.`);
  });
}
