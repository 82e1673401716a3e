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

describe('the text of an answer under way', () => {
  /** A checkpoint with a clock that a test sets, with the lengths that were saved, null for none. */
  function measured() {
    const world = { now: 0, saved: [] as (number | null)[], waiting: [] as (() => void)[] };
    const write = (_key: string, text: string | null) => {
      const parts = text === null ? null : (JSON.parse(text) as { parts: { text: string }[] }).parts;
      world.saved.push(parts && parts.reduce((sum, part) => sum + part.text.length, 0));
      return Promise.resolve(succeed(undefined));
    };
    const checkpoint = new Checkpoint(answer, {
      unsaved: { write } as never,
      clock: { now: () => world.now } as never,
      after: (_milliseconds, act) => {
        world.waiting.push(act);
        return () => world.waiting.splice(world.waiting.indexOf(act), 1);
      },
      sent: { used: () => [] },
      failed: () => undefined,
    });
    const say = (length: number, type = 'text-delta') =>
      checkpoint.observe({ type, text: 'x'.repeat(length) } as never);
    return { world, checkpoint, say };
  }

  it('is saved after a second, or after 2,048 characters', () => {
    const { world, say } = measured();
    say(2_047);
    expect(world.saved).toEqual([]);
    say(1, 'reasoning-delta');
    expect(world.saved).toEqual([2_048]);
    world.now = 999;
    say(1);
    world.now = 1_000;
    say(1);
    expect(world.saved).toEqual([2_048, 2_050]);
    world.now = 1_999;
    say(1);
    expect(world.saved).toHaveLength(2);
    world.now = 2_000;
    say(1);
    expect(world.saved).toEqual([2_048, 2_050, 2_052]);
  });

  it('is saved a second after it pauses, once, and not after it was saved otherwise', () => {
    const { world, say } = measured();
    say(1);
    say(1);
    expect(world.waiting).toHaveLength(1);
    for (const act of [...world.waiting]) act();
    expect([world.saved, world.waiting]).toEqual([[2], []]);
    say(1);
    expect(world.waiting).toHaveLength(1);
    say(2_048);
    expect([world.saved, world.waiting]).toEqual([[2, 2_051], []]);
  });

  it('has to grow by a quarter where it is long, measured without an attempt that was dropped', () => {
    const { world, checkpoint, say } = measured();
    say(40_000);
    say(10_000);
    expect(world.saved).toEqual([40_000]);
    say(3_334);
    expect(world.saved).toEqual([40_000, 53_334]);
    checkpoint.observe({ type: 'turn-ended', end: 'narrowed' } as never);
    say(2_048);
    expect(world.saved).toEqual([40_000, 53_334, null, 2_048]);
  });

  it('is gone once the log has it, and is not saved later by what waited', () => {
    const { world, checkpoint, say } = measured();
    say(2_048);
    say(1);
    checkpoint.observe({ type: 'answer-ended' } as never);
    expect([world.saved, world.waiting]).toEqual([[2_048, null], []]);
    say(1);
    expect(world.waiting).toHaveLength(1);
    checkpoint.observe({ type: 'answer-ended' } as never);
    checkpoint.observe({ type: 'turn-ended', end: 'complete' } as never);
    expect([world.saved, world.waiting]).toEqual([[2_048, null, null], []]);
  });
});
