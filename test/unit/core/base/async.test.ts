/** Work that others may stop: streams, promises, bounded code, and long scans. */
import {
  createWorkBudget,
  eitherSignal,
  nextEventLoopTurn,
  raceAbort,
  rejectOnAbort,
  runBounded,
  type Steps,
  subscribeTo,
  takeSteps,
  takeStepsWithin,
  untilAborted,
  yieldToEventLoop,
} from '../../../../src/core/base/async';

const never = new Promise<never>(() => undefined);
const aborted = AbortSignal.abort();

/** A signal that can be fired, and how many listeners it has. */
function fireable() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...given: Parameters<typeof add>) => (
    (listeners += given[0] === 'abort' ? 1 : 0),
    add(...given)
  );
  signal.removeEventListener = (...given: Parameters<typeof remove>) => (
    (listeners -= given[0] === 'abort' ? 1 : 0),
    remove(...given)
  );
  return { signal, abort: () => controller.abort(), listening: () => listeners };
}

describe('a stream', () => {
  async function read(
    items: readonly (number | Promise<never>)[],
    signal: AbortSignal,
    onItem = (_item: number) => {},
  ) {
    const read: number[] = [];
    let closed = 0;
    const left = [...items];
    const stream = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          const value = await left.shift();
          return value === undefined ? { done: true as const, value } : { done: false as const, value };
        },
        return: () => ((closed += 1), Promise.reject(new Error('closed badly'))),
      }),
    };
    for await (const item of untilAborted<number>(stream, signal)) {
      read.push(item);
      onItem(item);
    }
    return { read, closed };
  }

  it('is read to its end, or until the signal fires, and is closed', async () => {
    expect(await read([1, 2], fireable().signal)).toEqual({ read: [1, 2], closed: 1 });
    expect(await read([1, 2], aborted)).toEqual({ read: [], closed: 1 });
    const { signal, abort } = fireable();
    expect(await read([1, 2, 3], signal, (item) => item === 2 && abort())).toEqual({ read: [1, 2], closed: 1 });
  });

  it('is left where it hangs', async () => {
    const { signal, abort } = fireable();
    expect(await read([1, never], signal, () => setTimeout(abort, 1))).toEqual({ read: [1], closed: 1 });
  });
});

describe('a promise and a signal', () => {
  it('give the value, or nothing once the signal fires', async () => {
    const { signal, abort, listening } = fireable();
    expect(await raceAbort(Promise.resolve(1), signal)).toBe(1);
    await expect(raceAbort(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
    await yieldToEventLoop();
    expect(listening()).toBe(0);
    const waiting = raceAbort(never, signal);
    abort();
    expect(await waiting).toBeUndefined();
    expect(await raceAbort(Promise.reject(new Error('unseen')), signal)).toBeUndefined();
    expect(await raceAbort(Promise.resolve(1), signal)).toBeUndefined();
  });

  it('give the value, or the reason once the signal fires', async () => {
    const { signal, abort, listening } = fireable();
    const reason = () => new Error('stopped');
    expect(await rejectOnAbort(Promise.resolve(1), signal, reason)).toBe(1);
    await yieldToEventLoop();
    expect(listening()).toBe(0);
    const waiting = rejectOnAbort(never, signal, reason);
    abort();
    await expect(waiting).rejects.toThrow('stopped');
    await expect(rejectOnAbort(never, signal, reason)).rejects.toThrow('stopped');
  });
});

it('fires when either of two signals does, and lets go of both', () => {
  for (const which of [0, 1]) {
    const both = [fireable(), fireable()] as const;
    const either = eitherSignal(both[0].signal, both[1].signal);
    expect(either.signal.aborted).toBe(false);
    both[which]?.abort();
    expect(either.signal.aborted).toBe(true);
    either.release();
    expect(both.map(({ listening }) => listening())).toEqual([0, 0]);
  }
  expect(eitherSignal(new AbortController().signal, aborted).signal.aborted).toBe(true);
  const [one, other] = [fireable(), fireable()];
  const released = eitherSignal(one.signal, other.signal);
  released.release();
  one.abort();
  expect(released.signal.aborted).toBe(false);
});

it('goes on in the same turn of the event loop for all who wait for the next', async () => {
  const [one, other] = [nextEventLoopTurn(), nextEventLoopTurn()];
  expect(one).toBe(other);
  await one;
  expect(nextEventLoopTurn()).not.toBe(one);
});

describe('a long scan', () => {
  it('pauses after each 25,000 units, and stops once its signal fires', async () => {
    const { signal, abort } = fireable();
    const budget = createWorkBudget(signal);
    expect(budget.spend(24_999)).toBe(true);
    const pause = budget.spend(1);
    expect(pause).toBeInstanceOf(Promise);
    expect(await pause).toBe(true);
    expect(budget.spend(24_999)).toBe(true);
    const last = budget.spend(1);
    abort();
    expect([await last, budget.spend(0)]).toEqual([false, false]);
  });

  it('lets other tasks run in a pause', async () => {
    let ran = false;
    setImmediate(() => (ran = true));
    for (let turn = 0; turn < 20 && !ran; turn += 1) await yieldToEventLoop();
    expect(ran).toBe(true);
  });

  function* counting(): Steps<string> {
    yield 1;
    yield 2;
    return 'done';
  }

  it('takes its steps at once, or those that a budget allows', async () => {
    expect(takeSteps(counting())).toBe('done');
    const spent: number[] = [];
    const within = (answer: (units: number) => boolean | Promise<boolean>) => {
      spent.length = 0;
      return takeStepsWithin(counting(), { spend: (units) => (spent.push(units), answer(units)) });
    };
    expect([await within(() => true), [...spent]]).toEqual(['done', [1, 2]]);
    expect([await within(() => Promise.resolve(true)), [...spent]]).toEqual(['done', [1, 2]]);
    expect([await within(() => Promise.resolve(false)), [...spent]]).toEqual([null, [1]]);
    expect([await within((units) => units === 1), [...spent]]).toEqual([null, [1, 2]]);
  });
});

describe('code of others', () => {
  function bounded(act: (signal: AbortSignal) => unknown, stop = fireable()) {
    const world = { late: 0, settled: 0, cancelled: 0, signal: undefined as AbortSignal | undefined, pass: () => {} };
    const ended = runBounded(
      (signal) => {
        world.signal = signal;
        return act(signal);
      },
      {
        milliseconds: 5,
        after: (milliseconds, late) => {
          expect(milliseconds).toBe(5);
          world.pass = late;
          return () => (world.cancelled += 1);
        },
        stop: stop.signal,
        onLate: () => (world.late += 1),
        onSettled: () => (world.settled += 1),
      },
    );
    return { world, ended, stop };
  }

  it.each<[string, () => unknown, object]>([
    ['a value', () => 1, { type: 'value', value: 1 }],
    ['a later value', () => Promise.resolve(1), { type: 'value', value: 1 }],
    ['an error', () => Promise.reject(new Error('no')), { type: 'threw', thrown: new Error('no') }],
    [
      'an error at once',
      () => {
        throw new Error('no');
      },
      { type: 'threw', thrown: new Error('no') },
    ],
  ])('gives %s', async (_what, act, outcome) => {
    const { world, ended, stop } = bounded(act);
    expect(await ended).toEqual(outcome);
    await yieldToEventLoop();
    expect(world).toMatchObject({ late: 0, settled: 1, cancelled: 1 });
    expect([world.signal?.aborted, stop.listening()]).toEqual([false, 0]);
  });

  it('is told when nobody waits for it anymore, because it is late or stopped', async () => {
    const late = bounded(() => never);
    late.world.pass();
    expect(await late.ended).toEqual({ type: 'late' });
    expect([late.world.late, late.world.signal?.aborted, late.stop.listening()]).toEqual([1, true, 0]);
    const stopped = bounded(() => never);
    stopped.stop.abort();
    expect(await stopped.ended).toEqual({ type: 'stopped' });
    expect([stopped.world.late, stopped.world.signal?.aborted, stopped.world.cancelled]).toEqual([0, true, 1]);
  });

  it('does not begin where it is stopped before', async () => {
    const stop = fireable();
    stop.abort();
    const { world, ended } = bounded(() => 1, stop);
    expect([await ended, world.signal]).toEqual([{ type: 'stopped' }, undefined]);
  });
});

it('removes a listener by what adding it gave', () => {
  const listeners = new Set<() => void>();
  const listener = () => undefined;
  const remove = subscribeTo(listeners, listener);
  expect([...listeners]).toEqual([listener]);
  remove();
  expect(listeners.size).toBe(0);
});
