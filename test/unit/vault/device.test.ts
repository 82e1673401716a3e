/** @jest-environment jsdom */
/** What the platform gives: idle time, chance, and one window at a time. */
import { randomText, runExclusively, timing } from '../../../src/vault/device';

afterEach(() => jest.restoreAllMocks());

describe('idle time', () => {
  it('is waited for, for a second at most, unless the wait is stopped', () => {
    const asked: unknown[] = [];
    const stopped: number[] = [];
    Object.assign(window, {
      requestIdleCallback: (act: () => void, options: unknown) => asked.push([act, options]),
      cancelIdleCallback: (request: number) => void stopped.push(request),
    });
    try {
      const act = jest.fn();
      const stop = timing.whenIdle(act);
      expect(asked).toEqual([[act, { timeout: 1_000 }]]);
      stop();
      expect(stopped).toEqual([1]);
    } finally {
      Object.assign(window, { requestIdleCallback: undefined, cancelIdleCallback: undefined });
    }
  });

  it('is a short wait where nobody says when the app is idle', () => {
    jest.useFakeTimers();
    try {
      const act = jest.fn();
      timing.whenIdle(act);
      const stopped = jest.fn();
      timing.whenIdle(stopped)();
      jest.advanceTimersByTime(49);
      expect(act).not.toHaveBeenCalled();
      jest.advanceTimersByTime(1);
      expect([act.mock.calls.length, stopped.mock.calls.length]).toEqual([1, 0]);
    } finally {
      jest.useRealTimers();
    }
  });
});

it('gives random text of 43 characters that need no escape in an address', () => {
  jest.spyOn(window.crypto, 'getRandomValues').mockImplementation((list) => {
    if (list instanceof Uint8Array)
      list.set(Array.from({ length: list.length }, (_, at) => [0xfb, 0xef, 0xff][at % 3] ?? 0));
    return list;
  });
  expect(randomText()).toBe(`${'--__'.repeat(10)}--8`);
  jest.restoreAllMocks();
  const texts = Array.from({ length: 20 }, randomText);
  for (const text of texts) expect(text).toMatch(/^[\w-]{43}$/);
  expect(new Set(texts).size).toBe(20);
});

describe('work of one window at a time', () => {
  it('asks the platform for the lock of its name', async () => {
    const asked: string[] = [];
    const locks = {
      request: (name: string, run: () => unknown) => {
        asked.push(name);
        return run();
      },
    };
    Object.defineProperty(window.navigator, 'locks', { value: locks, configurable: true });
    try {
      expect(await runExclusively('chats', () => Promise.resolve(5))).toBe(5);
      expect(asked).toEqual(['chats']);
    } finally {
      Object.defineProperty(window.navigator, 'locks', { value: undefined, configurable: true });
    }
  });

  it('runs at once where there are no locks', async () => {
    Object.defineProperty(window.navigator, 'locks', { value: undefined, configurable: true });
    expect(await runExclusively('chats', () => Promise.resolve(5))).toBe(5);
  });
});
