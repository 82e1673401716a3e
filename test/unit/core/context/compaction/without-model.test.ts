/** A summary that the model did not write: which of its answers are none, and why it was so, as the user sees it. */
import { defaultSettings } from '../../../../../src/core/settings/settings';
import { snapshotParts } from '../../../../../src/core/session/entry';
import { words } from '../../../../../src/text';
import { breakOff } from '../../../../support/scripted-model';
import { type LongModel, longBench, longModel, snapshotText, stored, talk, wordyModel } from './long-chat';

const say = words.status;

async function firstSummary(summaries: LongModel['summaries']) {
  const bench = longBench(wordyModel(3));
  bench.model.summaries = summaries;
  await talk(await bench.open(), 12);
  const [made] = stored(bench, 'summary');
  if (made === undefined) throw new Error('There is no summary.');
  return { ...made, asked: bench.model.summaryPlans.length };
}

const everyPart = (text: string): string =>
  snapshotText(Object.fromEntries(Object.keys(snapshotParts).map((name) => [name, text])));

describe('an answer that would leave nothing of the messages', () => {
  it.each<[string, string]>([
    ['says none in each part', everyPart('none')],
    ['says so in other letters', everyPart('**None.**')],
    ['repeats the form that it was shown', snapshotText(snapshotParts)],
    ['repeats the form in its goal', snapshotText({ overall_goal: snapshotParts.overall_goal })],
  ])('R245 is no summary: it %s', async (_what, answer) => {
    const { by, snapshot, notices } = await firstSummary([answer]);
    expect([by, snapshot.overall_goal, notices]).toEqual([
      'extraction',
      'Question 1 about the boat?',
      [say.notByModel(say.summaryUnusable)],
    ]);
  });

  it('R245 is one if any of its parts says something', async () => {
    const { by, snapshot, notices } = await firstSummary([
      everyPart('none').replace(/<key_knowledge>\nnone/, '<key_knowledge>\nBolts are bronze.'),
    ]);
    expect([by, snapshot.key_knowledge, snapshot.overall_goal]).toEqual(['model', 'Bolts are bronze.', 'none']);
    expect(notices).toBeUndefined();
  });
});

const failure = { kind: 'overloaded', words: 'The harbour is busy.', remedy: 'Wait.' } as const;

describe('a summary without the model says why', () => {
  it.each<[string, LongModel['summaries'], string]>([
    ['the request failed', [[breakOff(failure)]], failure.words],
    ['the second request failed', ['no snapshot', [breakOff(failure)]], failure.words],
    ['the answer was none', ['All went well.'], say.summaryUnusable],
    ['the answer was empty', ['', ' \n\t '], say.summaryUnusable],
    ['it was cut off', [[{ type: 'text-delta', text: 'a' }]], words.failures.answerCutOff],
    ['it freed too little', [snapshotText({ key_knowledge: 'more than it got '.repeat(20_000) })], say.summaryTooLong],
  ])('R245 R248 %s', async (_what, summaries, why) => {
    const { by, notices } = await firstSummary(summaries);
    expect([by, notices]).toEqual(['extraction', [say.notByModel(why)]]);
  });

  it('R245 R248 not if the model wrote it, or cannot write any', async () => {
    expect((await firstSummary([snapshotText()])).notices).toBeUndefined();
    const bench = longBench(wordyModel(3, { summarises: false }));
    await talk(await bench.open(), 12);
    expect(stored(bench, 'summary')[0]).toMatchObject({ by: 'extraction' });
    expect(stored(bench, 'summary')[0]?.notices).toBeUndefined();
  });

  it('R231 the spending limit of the chat', async () => {
    const bench = longBench(wordyModel(3));
    const chat = await bench.open();
    await talk(chat, 4);
    const { description } = longModel({ prices: { input: 1_000_000, output: 0, date: null } });
    Object.assign(bench.model, { description });
    bench.settings = { ...defaultSettings, spendingLimit: 1 };
    const drafted = await chat.summarise({});
    expect(drafted).toMatchObject({ ok: true, value: { body: { by: 'extraction' } } });
    const [notice = ''] = (drafted.ok && drafted.value.body.notices) || [];
    expect(notice).toContain('limit');
  });

  it('R245 asks no model with other instructions than those that the user chose', async () => {
    const blocked = { kind: 'configuration', words: 'system.md is missing.', remedy: 'Make it.' } as const;
    let custom: null | { readonly blocked: typeof blocked } = null;
    const bench = longBench(wordyModel(3), { ports: { customTemplate: () => Promise.resolve(custom) } });
    const chat = await bench.open();
    await talk(chat, 4);
    custom = { blocked };
    const drafted = await chat.summarise({});
    expect(bench.model.summaryPlans).toEqual([]);
    expect(drafted).toMatchObject({
      value: { body: { by: 'extraction', notices: [say.notByModel('system.md is missing.')] } },
    });
  });
});
