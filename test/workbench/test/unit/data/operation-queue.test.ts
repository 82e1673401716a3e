/** The order of operations on the vault, and what can be known of a moment between them. */
import { OperationQueue } from '../../../src/obsidian/vault/operation-queue';

it('tells the mark of the quiet moment, before what is asked while it is on its way', async () => {
  const queue = new OperationQueue();
  const quiet = queue.quiet();
  await queue.onPath('a.md', async () => {});
  expect(queue.changedSince(await quiet, 'a.md')).toBe(true);
});
