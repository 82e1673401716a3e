/** Usage of chats: what the logs report, added up by day, model and chat, and as a table that does nothing. */
import { answer, entry, result, user } from '../../../support/entries';
import { countingIdentifiers, digest, logPorts, memoryStore, randomBy } from '../../../support/memory-ports';
import {
  cacheShare,
  groupUsage,
  isUsage,
  totalUsage,
  type UsageBy,
  type UsagePlace,
  type UsedChat,
  usageIn,
  usageTable,
} from '../../../../src/core/chat/usage';
import type { Usage } from '../../../../src/core/ports/message';
import { copyEntries } from '../../../../src/core/session/copy-entries';
import type { EntryBody, SessionEntry } from '../../../../src/core/session/entry';
import { SessionLog } from '../../../../src/core/session/session-log';
import { activeContentIn } from '../../../../src/core/writing/guard/active-content';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { mergeShards } from '../../../support/merge-shards';

const place: UsagePlace = {
  day: (time) => new Date(time).toISOString().slice(0, 10),
  isMetered: (model) => model !== 'reader/built-in',
};
const day = 86_400_000;
const start = Date.UTC(2026, 10, 1);
const by: readonly UsageBy[] = ['day', 'month', 'model', 'chat'];

const answered = (model: string, usage?: Usage): EntryBody => ({
  ...{ kind: 'assistant', parts: [{ type: 'text', text: 'x' }], end: 'complete', model },
  ...(usage !== undefined && { usage }),
});
const subagent = (usage: Usage): EntryBody => ({ ...result('c', 'run_subagent'), usage }) as EntryBody;
const at = (time: number, body: EntryBody, id: string): SessionEntry => entry(body, { time, id });

/** A chat of random requests over two months, and what a plain reading of it adds up to. */
function randomChat(id: string, chance: () => number) {
  const models = ['anthropic/opus', 'openai/gpt', 'reader/built-in', 'local/x'];
  const entries: SessionEntry[] = [];
  const reported: { readonly usage: Usage; readonly model: string; readonly day: string }[] = [];
  let unreported = 0;
  for (let index = 0; index < 30; index += 1) {
    const time = start + Math.floor(chance() * 60 * day);
    const model = models[Math.floor(chance() * models.length)] as string;
    const usage: Usage = {
      inputTokens: Math.floor(chance() * 5000),
      outputTokens: Math.floor(chance() * 500),
      ...(chance() < 0.5 && { cacheReadTokens: Math.floor(chance() * 1000) }),
      ...(chance() < 0.6 && { cost: chance() }),
    };
    const kind = Math.floor(chance() * 6);
    const body: EntryBody =
      kind === 0
        ? user('q')
        : kind === 1
          ? { kind: 'request-beside', model, usage }
          : kind === 2
            ? subagent({ ...usage, model })
            : kind === 3
              ? answered(model)
              : kind === 4
                ? answered(model, { ...usage, copied: true })
                : answered(model, usage);
    entries.push(at(time, body, `${id}-${index}`));
    if (kind === 3 && model !== 'reader/built-in') unreported += 1;
    if ([1, 2, 5].includes(kind)) reported.push({ usage, model, day: place.day(time) });
  }
  return { chat: { id, title: id, usage: usageIn(entries, place) } satisfies UsedChat, reported, unreported };
}

it('takes stored usage for damaged if a single row of it is', () => {
  const row = { day: '2026-11-27', model: 'openai/scripted', requests: 1, input: 100 };
  expect([[], [row], [row, { ...row, cost: 1 }]].map(isUsage)).toEqual([true, true, true]);
  const damaged = [
    null,
    row,
    [row, null],
    [row, { ...row, day: 1 }],
    [row, { day: row.day }],
    [{ ...row, input: '100' }],
  ];
  expect(damaged.filter(isUsage)).toEqual([]);
});

it('adds up to what the logs report, by every group and from any day on', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const chance = randomBy(seed);
    const chats = Array.from({ length: 5 }, (_, index) => randomChat(`c${index}`, chance));
    const since = seed % 2 === 0 ? null : place.day(start + Math.floor(chance() * 60) * day);
    const counted = chats.flatMap(({ reported }) => reported).filter(({ day: of }) => since === null || of >= since);
    const sumOf = (count: (usage: Usage) => number): number =>
      counted.reduce((sum, { usage }) => sum + count(usage), 0);
    for (const each of by) {
      const total = totalUsage(
        groupUsage(
          chats.map(({ chat }) => chat),
          each,
          since,
        ),
      );
      expect(total).toMatchObject({
        requests: counted.length,
        input: sumOf(({ inputTokens }) => inputTokens),
        output: sumOf(({ outputTokens }) => outputTokens),
        cached: sumOf(({ cacheReadTokens }) => cacheReadTokens ?? 0),
        cacheable: sumOf(({ cacheReadTokens, inputTokens }) => (cacheReadTokens === undefined ? 0 : inputTokens)),
        unpriced: sumOf(({ cost }) => (cost === undefined ? 1 : 0)),
      });
      expect(total.cost ?? 0).toBeCloseTo(
        sumOf(({ cost }) => cost ?? 0),
        9,
      );
      if (since === null) expect(total.unreported).toBe(chats.reduce((sum, { unreported }) => sum + unreported, 0));
    }
    const models = groupUsage(
      chats.map(({ chat }) => chat),
      'model',
      since,
    );
    for (const { key, requests } of models) expect(requests).toBe(counted.filter(({ model }) => model === key).length);
  }
});

it('leaves an unknown price and an unknown share of the cache unknown, and counts a price of zero as known', () => {
  const chat = (usage: Usage): UsedChat => {
    return { id: 'c', title: 'c', usage: usageIn([at(start, answered('m/x', usage), '1')], place) };
  };
  const [unknown] = groupUsage([chat({ inputTokens: 10, outputTokens: 1 })], 'model', null);
  expect([unknown?.cost, unknown?.unpriced, unknown && cacheShare(unknown)]).toEqual([null, 1, null]);
  const [free] = groupUsage([chat({ inputTokens: 10, outputTokens: 1, cost: 0, cacheReadTokens: 0 })], 'model', null);
  expect([free?.cost, free?.unpriced, free && cacheShare(free)]).toEqual([0, 0, 0]);
});

it('counts what a chat took over from another one only there', async () => {
  const store = memoryStore();
  const ports = logPorts(store, { identifiers: countingIdentifiers() });
  const [old, fresh] = [SessionLog.start('old', ports), SessionLog.start('new', ports)];
  await old.append(user('q'));
  await old.append(answered('m/x', { inputTokens: 100, outputTokens: 10, cost: 1 }));
  // One that was cut off, of which no report came.
  await old.append(answered('m/x'));
  await copyEntries(old.entries, fresh);
  await fresh.append(answered('m/x', { inputTokens: 7, outputTokens: 1, cost: 0.5 }));
  const sums = [old, fresh].map(({ entries }) => totalUsage(usageIn(entries, place).map(sumOfRow)));
  expect(sums.map(({ input, cost, unreported }) => [input, cost, unreported])).toEqual([
    [100, 1, 1],
    [7, 0.5, 0],
  ]);
  const read = await store.shards('new');
  const merged = mergeShards(read.ok ? read.value : [], digest);
  expect(usageIn(merged.entries, place)).toEqual(usageIn(fresh.entries, place));
});

const sumOfRow = (row: UsedChat['usage'][number]) =>
  groupUsage([{ id: 'c', title: 'c', usage: [row] }], 'day', null)[0] ?? totalUsage([]);

it('orders days from the newest, and models and chats by what they cost', () => {
  const chats: UsedChat[] = [
    { id: 'a', title: 'A', usage: [{ day: '2026-11-02', model: 'm/1', requests: 1, input: 9, cost: 1 }] },
    { id: 'b', title: 'B', usage: [{ day: '2026-12-01', model: 'm/2', requests: 1, input: 5, cost: 2 }] },
    { id: 'c', title: 'C', usage: [{ day: '2026-11-03', model: 'm/3', requests: 1, input: 800, unpriced: 1 }] },
  ];
  const keys = (each: UsageBy): string[] => groupUsage(chats, each, null).map(({ key }) => key);
  expect(by.map(keys)).toEqual([
    ['2026-12-01', '2026-11-03', '2026-11-02'],
    ['2026-12', '2026-11'],
    ['m/2', 'm/1', 'm/3'],
    ['b', 'a', 'c'],
  ]);
});

describe('the table', () => {
  const row = { day: '2026-11-02', model: 'm/1', requests: 2, input: 9, output: 1 };
  const heads = ['Day', 'Model', 'Chat', 'Requests', 'In', 'Out', 'Cached', 'Cost', 'Unpriced', 'Unreported'];

  it('has a line for each chat, day and model, and leaves unknown figures empty', () => {
    const table = usageTable(
      [
        { id: 'a', title: 'The "blue" boat, again', usage: [{ ...row, cost: 0.000_000_25, cached: 3, cacheable: 9 }] },
        { id: 'b', title: '', usage: [{ ...row, day: '2026-11-01', unpriced: 2 }] },
        { id: 'c', title: 'Old', usage: [{ ...row, day: '2026-10-01' }] },
        { id: 'd', title: 'Cut off', usage: [{ day: '2026-11-03', model: 'm/1', unreported: 1 }] },
      ],
      '2026-11-01',
      heads,
    );
    expect(table.split('\n')).toEqual([
      heads.join(','),
      '2026-11-01,"m/1","b",2,9,1,,,2,0',
      '2026-11-02,"m/1","The ""blue"" boat, again",2,9,1,3,0.00000025,0,0',
      '2026-11-03,"m/1","Cut off",0,0,0,,,0,1',
      '',
    ]);
  });

  it('does nothing in a spreadsheet, whatever a chat or a model is called', () => {
    const names = [
      ...[
        '=cmd|calc',
        '@SUM(1)',
        '+x()',
        '-x()',
        '\t=x',
        ' =x',
        'a,=x',
        'a;@b',
        '"=x"',
        '\uff1dx',
        '\n=x',
        "a\r\n=x,'",
      ],
      ...['![a](https://evil.example/x)', '<img src=//evil.example>', '`$= dv.pages()`', '\u200b=x', 'a"\n=x'],
    ];
    const chance = randomBy(3);
    const pieces = ['=', '@', '+', '-', ',', ';', '"', '\n', '\t', ' ', 'x', '(', ')', '|', '\uff1d', '1'];
    for (let index = 0; index < 300; index += 1)
      names.push(Array.from({ length: 8 }, () => pieces[Math.floor(chance() * pieces.length)]).join(''));
    for (const name of names) {
      const table = usageTable([{ id: 'a', title: name, usage: [{ ...row, model: name }] }], null, heads);
      expect([name, activeContentIn('usage.csv', table)]).toEqual([name, []]);
      expect([name, table.split('\n').length]).toEqual([name, 3]);
    }
  });
});

it('costs in proportion to the entries', async () => {
  const log = (count: number): SessionEntry[] =>
    Array.from({ length: count }, (_, index) =>
      at(
        start + index * 60_000,
        index % 2 === 0 ? answer('x') : answered(`m/${index % 7}`, { inputTokens: 5, outputTokens: 2 }),
        `${index}`,
      ),
    );
  const [large, small] = [log(40_000), log(20_000)];
  await expectGrowthBelow(
    2.6,
    () => usageIn(large, place),
    () => usageIn(small, place),
  );
});
