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

it('has on the device what was said when a turn ends without its answer, and nothing of an attempt made again', () => {
  const written: (string | null)[] = [];
  const checkpoint = new Checkpoint(answer, {
    unsaved: {
      write: (_key: string, text: string | null) => Promise.resolve(succeed(void written.push(text))),
    } as never,
    clock: { now: () => 0 } as never,
    sent: { used: () => [] },
    failed: () => undefined,
  });
  checkpoint.observe({ type: 'text-delta', text: 'Half' } as never);
  checkpoint.observe({ type: 'turn-ended', end: 'complete' } as never);
  expect(JSON.parse(written.at(-1) ?? 'null')).toMatchObject({ turn: 't', parts: [{ type: 'text', text: 'Half' }] });
  checkpoint.observe({ type: 'turn-ended', end: 'narrowed' } as never);
  expect(written.at(-1)).toBeNull();
});
