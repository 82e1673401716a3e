/** @jest-environment jsdom */
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { followAway, watchAway } from '../../../src/vault/device';

beforeEach(() => createTestApp({ bare: true }));
afterEach(closeTestApps);

it('knows whether the app was in the background since a request began', () => {
  let look = (): void => {};
  followAway((listener) => (look = listener));
  let hidden = false;
  Object.defineProperty(activeDocument, 'hidden', { configurable: true, get: () => hidden });
  const show = (isHidden: boolean): void => {
    hidden = isHidden;
    look();
  };
  const wasAway = watchAway();
  expect(wasAway()).toBe(false);
  show(true);
  expect(wasAway()).toBe(true);
  // A request of a hook or a rewrite may begin there.
  expect(watchAway()()).toBe(true);
  show(false);
  expect([wasAway(), watchAway()()]).toEqual([true, false]);
});
