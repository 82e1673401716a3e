/** Whether a compaction may run, before any request. */
import { checkCompactionAllowed } from '../../../../../src/core/context/compaction/run-compaction';
import type { RequestTotals } from '../../../../../src/core/ports/request-plan';
import type { EntryBody, SessionEntry } from '../../../../../src/core/session/entry';
import { entry, user } from '../../../../support/entries';

/** A request of 100,000 tokens in a window of 160,000, most of it history. */
const full: RequestTotals = {
  ...{ instructions: 10_000, reference: 10_000, tools: 10_000, turn: 0, history: 70_000, all: 100_000 },
  ...{ reserve: 20_000, window: 160_000, exact: true },
};
const gateOf = (totals: Partial<RequestTotals>, bodies: readonly object[] = [], trigger = 'automatic') =>
  checkCompactionAllowed({
    trigger: trigger as 'automatic',
    totals: { ...full, ...totals },
    point: 100_000,
    entries: bodies.map((body): SessionEntry => entry(body as EntryBody)),
  });

it.each<[string, Partial<RequestTotals>, string]>([
  ['at the point', {}, 'open'],
  ['below the point', { all: 99_999 }, 'closed'],
  ['with instructions of half the window', { instructions: 60_000 }, 'open'],
  ['with instructions of more', { instructions: 60_001 }, 'fixed-part'],
  ['with reference texts of more', { reference: 60_001 }, 'fixed-part'],
  ['with tools of more', { tools: 60_001 }, 'fixed-part'],
  ['with the history that is worth a summary', { history: 8_000 }, 'open'],
  ['with less of it', { history: 7_999 }, 'closed'],
  ['with less of it in a request that fits no more', { history: 7_999, all: 140_001 }, 'open'],
  ['with less of it in a request that just fits', { history: 7_999, all: 140_000 }, 'closed'],
  ['with no history', { history: 0 }, 'closed'],
])('decides on an automatic run %s', (_when, totals, gate) => {
  expect(gateOf(totals)).toBe(gate);
});

it('in a small window takes a quarter of it for enough', () => {
  const small = { instructions: 100, reference: 100, tools: 100, window: 20_002, reserve: 0, all: 100_000 };
  const inWindow = (history: number, all: number) =>
    checkCompactionAllowed({
      ...{ trigger: 'automatic', point: 10, entries: [] },
      totals: { ...full, ...small, history, all },
    });
  expect([inWindow(5_000, 15_000), inWindow(4_999, 15_000)]).toEqual(['open', 'closed']);
});

it('a run by hand needs a history alone', () => {
  expect(gateOf({ history: 0 }, [], 'manual')).toBe('too-little');
  expect(gateOf({ history: 1, all: 1 }, [{ kind: 'summary-refused', trigger: 'automatic' }], 'manual')).toBe('open');
});

it.each<[string, readonly object[], string]>([
  ['once it ran after the newest message', [user('a'), { kind: 'summary', trigger: 'automatic' }], 'closed'],
  ['once it ran where no message is', [{ kind: 'summary', trigger: 'automatic' }], 'closed'],
  ['where the user ran one', [user('a'), { kind: 'summary', trigger: 'manual' }], 'open'],
  ['in the next message', [user('a'), { kind: 'summary', trigger: 'automatic' }, user('b')], 'open'],
  ['after a refusal', [user('a'), { kind: 'summary-refused', trigger: 'automatic' }, user('b')], 'closed'],
  ['after an undo, while all fits', [{ kind: 'summary-undone' }, user('b')], 'closed'],
  [
    'after a refusal in the same turn, though the user ran one since',
    [user('a'), { kind: 'summary-refused', trigger: 'automatic' }, { kind: 'summary', trigger: 'manual' }],
    'closed',
  ],
  [
    'after a refusal and a run by hand',
    [{ kind: 'summary-refused', trigger: 'automatic' }, { kind: 'summary', trigger: 'manual' }, user('b')],
    'open',
  ],
])('decides on an automatic run %s', (_when, bodies, gate) => {
  expect(gateOf({}, bodies)).toBe(gate);
});

it('an automatic run after an undo waits until the history fits no more', () => {
  const undone = [{ kind: 'summary-undone' }];
  expect([gateOf({ all: 140_000 }, undone), gateOf({ all: 140_001 }, undone)]).toEqual(['closed', 'open']);
});
