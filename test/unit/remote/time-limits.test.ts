/** What a request waits for at most, and what lets it wait longer. */
import { limits } from '../../../src/remote/mcp-ports';
import { RemoteFailure } from '../../../src/remote/remote-failure';
import { type Patience, withDeadline } from '../../../src/remote/send-request';

/** A clock that a test sets on. */
function clockOf() {
  const due = new Map<() => void, number>();
  let now = 0;
  return {
    timing: {
      after: (milliseconds: number, act: () => void) => {
        const once = (): void => {
          due.delete(once);
          act();
        };
        due.set(once, now + milliseconds);
        return () => void due.delete(once);
      },
    },
    open: () => due.size,
    pass: async (milliseconds: number) => {
      now += milliseconds;
      for (const [act, at] of [...due]) if (at <= now) act();
      await new Promise((resolve) => setTimeout(resolve));
    },
  };
}

function begin(more: { readonly signal?: AbortSignal; readonly closed?: AbortSignal } = {}) {
  const clock = clockOf();
  let patience: Patience | undefined;
  let inner: AbortSignal | undefined;
  let finish: (value: string) => void = () => undefined;
  let ended: unknown = 'waits';
  const waiting = withDeadline({ timing: clock.timing, milliseconds: 100, ...more }, (signal, given) => {
    [inner, patience] = [signal, given];
    return new Promise<string>((resolve) => (finish = resolve));
  });
  waiting.then(
    (value) => (ended = value),
    (thrown: unknown) => (ended = thrown instanceof RemoteFailure ? thrown.kind : thrown),
  );
  return {
    clock,
    patience: () => patience as Patience,
    isStopped: () => inner?.aborted,
    finish: (value: string) => finish(value),
    ended: () => ended,
  };
}

it('ends a wait that is overdue, and the work with it', async () => {
  const { clock, ended, isStopped } = begin();
  await clock.pass(99);
  expect([ended(), isStopped()]).toEqual(['waits', false]);
  await clock.pass(1);
  expect([ended(), isStopped(), clock.open()]).toEqual(['silent', true, 0]);
});

it('begins the limit again with each sign of progress, but not without end', async () => {
  const { clock, ended, patience } = begin();
  for (let signs = 0; signs < 5; signs += 1) {
    await clock.pass(90);
    patience().extend();
  }
  expect(ended()).toBe('waits');
  // The longer limit began with the first sign.
  patience().hold();
  await clock.pass(limits.progressMilliseconds - 361);
  expect(ended()).toBe('waits');
  await clock.pass(1);
  expect([ended(), clock.open()]).toEqual(['silent', 0]);
});

it('does not count the time in which the user is asked, and counts again afterwards', async () => {
  const { clock, ended, patience } = begin();
  const [goOn, goOnToo] = [patience().hold(), patience().hold()];
  await clock.pass(1_000);
  goOn();
  await clock.pass(1_000);
  expect(ended()).toBe('waits');
  goOnToo();
  await clock.pass(99);
  expect(ended()).toBe('waits');
  await clock.pass(1);
  expect(ended()).toBe('silent');
});

it('leaves nothing behind when the work is done', async () => {
  const [stop, close] = [new AbortController(), new AbortController()];
  const { clock, ended, patience, finish } = begin({ signal: stop.signal, closed: close.signal });
  finish('done');
  await clock.pass(0);
  patience().extend();
  patience().hold()();
  expect([ended(), clock.open()]).toEqual(['done', 0]);
});

it.each([
  ['stopped', 'signal'],
  ['closed', 'closed'],
])('says that it was %s, before and while it waits', async (kind, name) => {
  const control = new AbortController();
  const during = begin({ [name]: control.signal });
  control.abort();
  const before = begin({ [name]: control.signal });
  await during.clock.pass(0);
  expect([during.ended(), during.isStopped(), during.clock.open()]).toEqual([kind, true, 0]);
  expect([before.ended(), before.isStopped(), before.clock.open()]).toEqual([kind, undefined, 0]);
});
