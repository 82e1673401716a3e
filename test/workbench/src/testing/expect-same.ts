/** Expectations for properties, which ask some hundred thousand questions. */
import { isDeepStrictEqual } from 'node:util';

/** Expects as `toEqual` does. `expect` takes twenty microseconds each time, so it is called only to say what differs. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
