/** What a summary without a model covers, how its size is judged, and when there is none. */
import { type CompactionInput, compactHistory } from '../../../../../src/core/context/compaction/compact-history';
import { tinyWindow } from '../../../../../src/core/ports/model';
import type { Message } from '../../../../../src/core/ports/message';
import type { RequestPlan } from '../../../../../src/core/ports/request-plan';
import { foldLog } from '../../../../../src/core/request/history';
import type { SessionEntry } from '../../../../../src/core/session/entry';
import { answer, entry, user } from '../../../../support/entries';
import { noTotals, scriptedModel } from '../../../../support/scripted-model';
import { never } from '../../../../support/turn-world';

/** Tokens of a request besides its history. */
const fixed = 1_000;
const plan = (messages: readonly Message[]): Promise<RequestPlan> => {
  const history = Math.ceil(JSON.stringify(messages).length / 4);
  const totals = { ...noTotals, history, all: fixed + history, window: 100_000, reserve: 1_000 };
  return Promise.resolve({ totals } as RequestPlan);
};
const talk = (count: number): SessionEntry[] =>
  Array.from({ length: count }, (_, at) => [
    entry(user(`Question ${at}? ${'word '.repeat(400)}`)),
    entry(answer(`Answer ${at}. ${'word '.repeat(400)}`)),
  ]).flat();

async function compact(entries: readonly SessionEntry[], changes: Partial<CompactionInput> = {}) {
  const model = scriptedModel([], { summarises: false });
  const compacted = await compactHistory({
    ...{ entries, size: 0, trigger: 'automatic', focus: '', upTo: null, goal: null, own: null, notices: [] },
    ...{ point: 60_000, model, apart: false, ask: plan, plan, signal: never },
    settings: { compactionCheck: 'off', compactionTopics: true },
    ...changes,
  });
  expect(model.plans).toEqual([]);
  return compacted;
}

const reasonOf = async (...given: Parameters<typeof compact>): Promise<string> => {
  const compacted = await compact(...given);
  return compacted.ok ? 'a summary' : compacted.reason;
};

async function bodyOf(...given: Parameters<typeof compact>) {
  const compacted = await compact(...given);
  if (!compacted.ok) throw new Error(compacted.reason);
  return compacted.body;
}

it('covers the oldest messages, counts what goes and stays, and says nothing that is not asked', async () => {
  const entries = talk(10);
  const body = await bodyOf(entries);
  const { covers, removed, before, after } = body;
  expect(covers).toEqual(entries.slice(0, covers.length).map(({ id }) => id));
  expect([removed, body.kept]).toEqual([covers.length, entries.length - covers.length]);
  expect(body.kept).toBeGreaterThanOrEqual(4);
  expect(before).toBe((await plan(foldLog(entries))).totals.all);
  expect(after).toBeLessThanOrEqual(0.8 * before);
  expect(body).toMatchObject({ kind: 'summary', by: 'extraction', trigger: 'automatic', focus: '' });
  expect(Object.keys(body).filter((key) => ['topic', 'notices'].includes(key))).toEqual([]);
});

it('takes less of a tiny window than of a larger one', async () => {
  const sentence = (at: number): string =>
    `Plank ${at} of the hull is ${at} feet of oak, laid by hand number ${at % 7}. `;
  const entries = Array.from({ length: 30 }, (_, at) => [
    entry(user(`What of plank ${at}? ${sentence(at)}`)),
    entry(answer(Array.from({ length: 12 }, (__, more) => sentence(at * 12 + more)).join(''))),
  ]).flat();
  const tokensIn = async (window: number): Promise<number> => {
    const sized = async (messages: readonly Message[]): Promise<RequestPlan> => {
      const { totals } = await plan(messages);
      return { totals: { ...totals, window } } as RequestPlan;
    };
    const { snapshot } = await bodyOf(entries, { plan: sized, point: 6_000 });
    return Object.values(snapshot).join('').length / 4;
  };
  const [tiny, large] = await Promise.all([tokensIn(tinyWindow), tokensIn(tinyWindow + 1)]);
  expect(tiny).toBeLessThan(0.7 * large);
});

it('ends where the user says, and has what the user asked for and what could not be done', async () => {
  const entries = talk(10);
  const changes = {
    upTo: entries[4]?.id ?? '',
    focus: 'bolts',
    trigger: 'manual',
    notices: ['No such model.'],
  } as const;
  const body = await bodyOf(entries, changes);
  expect(body.covers).toEqual(entries.slice(0, 6).map(({ id }) => id));
  expect(body).toMatchObject({ removed: 6, kept: 14, focus: 'bolts', trigger: 'manual', notices: ['No such model.'] });
});

it('is judged without what the next request adds, and recorded with it', async () => {
  const entries = talk(10);
  const { before, after } = await bodyOf(entries);
  const more = await bodyOf(entries, { size: before + 500 });
  expect([more.before, more.after]).toEqual([before + 500, after + 500]);
  const less = await bodyOf(entries, { size: before - 500 });
  expect([less.before, less.after]).toEqual([before, after]);
});

it('is none where nothing can go, where it would free too little, or once it was stopped', async () => {
  expect(await reasonOf(talk(1))).toBe('nothing-to-cut');
  const entries = talk(10);
  const upTo = entries[4]?.id ?? '';
  // The size has to be below the point.
  expect([await reasonOf(entries, { point: 900, upTo }), await reasonOf([], {})]).toEqual([
    'not-smaller',
    'nothing-to-cut',
  ]);
  const large = async (messages: readonly Message[]): Promise<RequestPlan> => {
    const { totals } = await plan(messages);
    return { totals: { ...totals, all: totals.all + 50_000 } } as RequestPlan;
  };
  expect(await reasonOf(entries, { plan: large, upTo: entries[0]?.id ?? '' })).toBe('not-smaller');
  expect(await reasonOf(entries, { signal: AbortSignal.abort() })).toBe('stopped');
});
