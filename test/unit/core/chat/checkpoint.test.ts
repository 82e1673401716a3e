/** The text of a running answer on the device: that it cannot be saved is said once an answer. */
import { Checkpoint } from '../../../../src/core/chat/checkpoint';
import { fail, type Failure, succeed } from '../../../../src/core/ports/failure';

const refusal: Failure = { kind: 'refused', words: 'The device is full.', remedy: 'Free up space.' };
const answer = { conversation: 'c', turn: 't', branch: '', model: 'p/m' };

function checkpointOn(write: () => ReturnType<typeof fail> | ReturnType<typeof succeed>) {
  let now = 0;
  const failures: Failure[] = [];
  const checkpoint = new Checkpoint(answer, {
    unsaved: { write: () => Promise.resolve().then(write) } as never,
    clock: { now: () => (now += 2_000) } as never,
    sent: { used: () => [] },
    failed: (failure) => failures.push(failure),
  });
  const say = async (text: string): Promise<void> => {
    checkpoint.observe({ type: 'text-delta', text } as never);
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return { failures, say };
}

it('says once that the device takes nothing, however often it is tried', async () => {
  const { failures, say } = checkpointOn(() => fail(refusal));
  for (const text of ['one', 'two', 'three']) await say(text);
  expect(failures).toEqual([refusal]);
});

it('says why a write threw, and nothing of writes that succeed', async () => {
  let isBroken = true;
  const { failures, say } = checkpointOn(() => {
    if (isBroken) throw new Error('broken');
    return succeed(undefined);
  });
  await say('one');
  isBroken = false;
  await say('two');
  expect(failures.map(({ words }) => words)).toEqual([expect.stringContaining('broken')]);
});
