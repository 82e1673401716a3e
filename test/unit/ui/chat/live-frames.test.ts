/** @jest-environment jsdom */
import type { AnswerItem } from '../../../../src/core/chat/transcript';
import { LiveFrames } from '../../../../src/ui/state/live-frames';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Streams so many characters a millisecond for two seconds; returns how often they were drawn in the second one. */
async function drawingsAt(perMillisecond: number, before = perMillisecond): Promise<number> {
  let [length, drawings] = [0, 0];
  const frames = new LiveFrames(window, (): AnswerItem => {
    drawings += 1;
    return { type: 'answer', id: 'live', parts: [{ type: 'text', text: 'x'.repeat(length) }], end: null, model: '' };
  });
  for (let time = 0; time < 2_000; time += 1) {
    if (time === 1_000) drawings = 0;
    length += time < 1_000 ? before : perMillisecond;
    frames.schedule();
    jest.advanceTimersByTime(1);
    // After a drawing, which says in a microtask how long it took. Waiting for timers would take a real millisecond.
    await Promise.resolve();
  }
  frames.cancel();
  return drawings;
}

it.each([1, 2])('draws text that someone may read at each frame: %i characters a millisecond', async (speed) => {
  const drawings = await drawingsAt(speed);
  expect(drawings).toBeGreaterThanOrEqual(23);
  expect(drawings).toBeLessThanOrEqual(25);
});

it.each([3, 8])('draws text that comes faster than anyone reads a quarter as often: %i', async (speed) => {
  const drawings = await drawingsAt(speed);
  expect(drawings).toBeGreaterThanOrEqual(5);
  expect(drawings).toBeLessThanOrEqual(7);
});

it('draws by how fast text comes now, not by how fast it came before', async () => {
  expect(await drawingsAt(1, 16)).toBeGreaterThanOrEqual(22);
  expect(await drawingsAt(8, 0)).toBeLessThanOrEqual(8);
});

it('draws on in the window that it is moved to when the first one is closed', async () => {
  const closed = { setTimeout: () => 1, clearTimeout: () => undefined } as unknown as Window;
  let drawings = 0;
  const frames = new LiveFrames(closed, () => {
    drawings += 1;
    return null;
  });
  frames.schedule();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(drawings).toBe(0);
  frames.moveTo(window);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(drawings).toBe(1);
});
