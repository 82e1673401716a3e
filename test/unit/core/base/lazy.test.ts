/** Values that are made once, when they are first used. */
import { lazy, lazyLoad, remember, rememberOf } from '../../../../src/core/base/lazy';

/** A function that counts its calls and gives their number. */
function counter() {
  let calls = 0;
  return () => (calls += 1);
}

it('makes a value on first use, and once, also where it is undefined', () => {
  const next = counter();
  const value = lazy(next);
  expect([next(), value(), value()]).toEqual([1, 2, 2]);
  const nothing = lazy(() => void next());
  expect([nothing(), nothing(), next()]).toEqual([undefined, undefined, 4]);
});

it('loads a value once, shows it once it is there, and tries again after a failure', async () => {
  const next = counter();
  const loading = lazyLoad(async () => {
    const call = await Promise.resolve(next());
    if (call === 1) throw new Error('first');
    return call;
  });
  await expect(loading.load()).rejects.toThrow('first');
  expect(loading.loaded).toBeNull();
  const both = [loading.load(), loading.load()];
  expect([loading.loaded, await Promise.all(both), loading.loaded]).toEqual([null, [2, 2], 2]);
  expect([await loading.load(), next()]).toEqual([2, 3]);
});

it('remembers what it found of so many texts, and begins anew after that', () => {
  const asked: string[] = [];
  const find = remember(2, (text) => {
    asked.push(text);
    return text.length;
  });
  expect(['', 'b', '', 'b'].map(find)).toEqual([0, 1, 0, 1]);
  expect(asked).toEqual(['', 'b']);
  expect(['cc', 'b', 'cc'].map(find)).toEqual([2, 1, 2]);
  expect(asked).toEqual(['', 'b', 'cc', 'b']);
});

it('remembers what it found of an object, also nothing', () => {
  const next = counter();
  const item = {};
  const find = rememberOf((_item: object, more: number) => (next() > 1 ? undefined : more));
  expect([find(item, 5), find(item, 6)]).toEqual([5, 5]);
  const other = {};
  expect([find(other, 5), find(other, 5), next()]).toEqual([undefined, undefined, 3]);
});
