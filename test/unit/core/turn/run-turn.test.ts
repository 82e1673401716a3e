import * as z from 'zod/v4';
import { describeFailure, fail, succeed } from '../../../../src/core/ports/failure';
import type { Mention } from '../../../../src/core/session/entry';
import { tool, type TurnToolContext } from '../../../../src/core/tools/tool';
import { addDelta, turnLimits } from '../../../../src/core/turn/run-turn';
import { words } from '../../../../src/text';
import { goalBench } from '../../../support/goals';
import { noSpace } from '../../../support/memory-ports';
import { breakOff, call, finish, say, think, type Step } from '../../../support/scripted-model';
import { noSubagents } from '../../../support/subagents';
import { expectSoon } from 'obsidian-workbench/testing/cost';
import { failureOf, kindsOf, resultsOf, runScript } from './turn-bench';

const read = (id: string, path: string) => call(id, 'read', { path });

describe('a turn without tools', () => {
  it('streams, stores and ends', async () => {
    const { events, records, end } = await runScript([[think('hm'), say('Tea '), say('is fine.'), finish()]]);
    expect(end).toBe('complete');
    expect(events.map(({ type }) => type)).toEqual([
      'request-planned',
      'reasoning-delta',
      'text-delta',
      'text-delta',
      'answer-ended',
      'turn-ended',
    ]);
    expect(records[1]).toEqual({
      kind: 'assistant',
      parts: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Tea is fine.' },
      ],
      end: 'complete',
      model: 'test/scripted',
      usage: { inputTokens: 10, outputTokens: 5 },
    });
  });

  it('refuses before sending what exceeds the window', async () => {
    const { model, records, end } = await runScript([], { question: 'x'.repeat(20_000), contextWindow: 2_048 });
    expect(model.plans).toEqual([]);
    expect(end).toBe('failed');
    expect(failureOf(records)).toMatchObject({ kind: 'context-length', action: 'new-chat' });
    expect(kindsOf(records)).toEqual(['user', 'failure']);
  });

  it.each<[string, Step[], string]>([
    ['nothing at all', [finish()], words.failures.answerEmpty],
    ['only blanks', [say(' \n'), finish()], words.failures.answerEmpty],
    ['only reasoning', [think('hm'), finish()], words.failures.answerEmpty],
    ['a refusal', [finish('refusal')], words.failures.answerRefused],
    ['a refusal within the text', [say('I can'), finish('refusal')], words.failures.answerRefused],
    ['nothing up to the limit', [finish('length')], words.failures.answerUsedUp],
    ['only reasoning up to the limit', [think('hm'), finish('length')], words.failures.answerUsedUp],
  ])('F29 shows %s as such and does not loop', async (_name, steps, text) => {
    const { model, records, end } = await runScript([steps]);
    expect([end, model.plans.length]).toEqual(['failed', 1]);
    expect(failureOf(records)?.words).toBe(text);
  });

  it('F29 says what to do when thoughts have used up the length of the answer', async () => {
    const { records } = await runScript([[think('hm'), finish('length')]]);
    expect(failureOf(records)).toMatchObject({ kind: 'limit', actions: ['retry', 'open-settings', 'new-chat'] });
    expect(failureOf(records)?.remedy).toContain('maximum answer length');
  });

  it('keeps a text that reached the length limit', async () => {
    const { records, end } = await runScript([[say('Long'), finish('length')]]);
    expect(end).toBe('complete');
    expect(records[1]).toMatchObject({ end: 'length', parts: [{ text: 'Long' }] });
  });

  it('F24 calls an answer without a terminal event interrupted and keeps its text', async () => {
    const { records, end } = await runScript([[say('Half'), read('a', 'x')]]);
    expect(end).toBe('interrupted');
    expect(kindsOf(records)).toEqual(['user', 'assistant', 'failure']);
    expect(records[1]).toMatchObject({ end: 'interrupted', parts: [{ type: 'text', text: 'Half' }] });
  });

  it.each([
    ['no end', []],
    ['a failure of the connection', [breakOff({ kind: 'network', words: 'Gone.', remedy: '' })]],
  ] as const)('says that the app was in the background, and offers to go on: %s', async (_name, end) => {
    const { answerCutOff, answerCutOffAway, answerCutOffRemedy, answerNotBegunRemedy } = words.failures;
    const away = await runScript([[say('Half'), ...end]], { isAway: true });
    expect(away.records[1]).toMatchObject({ parts: [{ text: 'Half' }] });
    const more = { remedy: answerCutOffRemedy, actions: ['go-on', 'retry'] };
    expect(failureOf(away.records)).toEqual({ kind: 'interrupted', words: answerCutOffAway, ...more });
    const before = await runScript([[...end]], { isAway: true });
    expect(failureOf(before.records)).toMatchObject({
      words: answerCutOffAway,
      remedy: answerNotBegunRemedy,
      actions: ['retry'],
    });
    const here = await runScript([[say('Half'), ...end]]);
    expect(failureOf(here.records)?.words).toBe(end.length === 0 ? answerCutOff : 'Gone.');
  });

  it('blames the background for no failure of another kind', async () => {
    const failure = { kind: 'overloaded', words: 'Busy.', remedy: 'Wait.' } as const;
    expect(failureOf((await runScript([[say('Half'), breakOff(failure)]], { isAway: true })).records)).toEqual(failure);
  });

  it('F25 keeps the text before a failure of the provider, and shows the failure', async () => {
    const failure = { kind: 'overloaded', words: 'Busy.', remedy: 'Wait.' } as const;
    const { records, events, end } = await runScript([[say('Half'), breakOff(failure)]]);
    expect(end).toBe('failed');
    expect(records[1]).toMatchObject({ end: 'failed', parts: [{ text: 'Half' }] });
    expect(records[2]).toEqual({ kind: 'failure', failure });
    expect(events.at(-2)).toEqual({ type: 'failure', failure });
  });
});

describe('a turn with tools', () => {
  it('runs two steps with the same head and tools, and every result before it is used', async () => {
    const { model, records, events, end, kit } = await runScript([
      [say('Looking. '), read('a', 'A.md'), finish('tool-calls')],
      [read('b', 'B.md'), finish('tool-calls')],
      [say('Done.'), finish()],
    ]);
    expect(end).toBe('complete');
    expect(kit.runs).toEqual(['read A.md', 'read B.md']);
    expect(kindsOf(records)).toEqual(['user', 'assistant', 'tool-result', 'assistant', 'tool-result', 'assistant']);
    expect(model.plans.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
    expect(model.plans[2]?.messages.slice(0, 3)).toEqual(model.plans[1]?.messages);
    expect(events.filter(({ type }) => type === 'tool-call-started')[0]).toMatchObject({ title: 'Read A.md' });
    expect(records[2]).toMatchObject({ text: 'text of A.md', isError: false, sources: [{ path: 'A.md' }] });
  });

  it('R002 keeps the system prompt, byte for byte, in every continuation', async () => {
    const { model } = await runScript([
      [read('a', 'A'), finish('tool-calls')],
      [read('b', 'B'), finish('tool-calls')],
      [say('Done.'), finish()],
    ]);
    expect(model.plans.map(({ system }) => system)).toEqual(Array(3).fill('You are a careful reader.'));
    expect(new Set(model.plans.map(({ tools }) => tools)).size).toBe(1);
  });

  it('reads side by side and answers in the order of the calls', async () => {
    const { records, kit } = await runScript([
      [read('a', 'slow'), read('b', 'quick'), read('c', 'quicker'), finish('tool-calls')],
      [say('Done.'), finish()],
    ]);
    expect(kit.maxAtOnce).toBe(3);
    expect(resultsOf(records)).toEqual(['text of slow', 'text of quick', 'text of quicker']);
  });

  it.each<[string, Step, RegExp]>([
    ['bad JSON', call('a', 'read', '{"path": "A'), /not valid JSON/],
    ['JSON that is no object', call('a', 'read', '7'), /arguments of read are invalid/],
    ['an unknown tool', call('a', 'delete_everything', {}), /No tool has the name “delete_everything”.*read, refuse/],
    ['a name from the prototype', call('a', 'constructor', {}), /No tool has the name/],
    ['a schema error', call('a', 'read', { path: 5 }), /arguments of read are invalid:[\s\S]*path[\s\S]*call it again/],
    ['nothing for arguments', call('a', 'read', ''), /arguments of read are invalid/],
    ['__proto__', call('a', 'read', '{"__proto__":{"path":"x"}}'), /arguments of read are invalid/],
  ])('F28 does not run a call with %s and lets the model mend it', async (_name, bad, text) => {
    const { records, kit, end, model } = await runScript([
      [bad, finish('tool-calls')],
      [say('Sorry.'), finish()],
    ]);
    expect(kit.runs).toEqual([]);
    expect(end).toBe('complete');
    expect(resultsOf(records)[0]).toMatch(text);
    expect(model.plans[1]?.messages.at(-1)).toMatchObject({ role: 'tool', parts: [{ isError: true, callId: 'a' }] });
  });

  it('hands a refusal of a tool, and a defect in one, to the model', async () => {
    const { records, end } = await runScript([
      [call('a', 'refuse', { path: 'A' }), call('b', 'break', { path: 'B' }), finish('tool-calls')],
      [say('I see.'), finish()],
    ]);
    expect(end).toBe('complete');
    expect(resultsOf(records)).toEqual([
      '!No A. Look elsewhere.',
      '!break failed unexpectedly. Do not retry. Continue without it and say what is missing. Detail: boom',
    ]);
  });

  it('H7 F24 never runs a call without a terminal event', async () => {
    const { kit, end } = await runScript([[say('Let me'), read('a', 'A')]]);
    expect([end, kit.runs]).toEqual(['interrupted', []]);
  });

  it('H7 F28 runs no call of an answer that reached its length limit, and says so to the model', async () => {
    const { kit, records, end } = await runScript([
      [read('a', 'A'), read('b', 'B'), finish('length')],
      [say('Shorter.'), finish()],
    ]);
    expect([end, kit.runs]).toEqual(['complete', []]);
    expect(resultsOf(records)).toEqual(Array(2).fill(`!${words.failures.callCutOff}`));
  });

  it('H7 runs no call of a refused answer', async () => {
    const { kit, records, end } = await runScript([[read('a', 'A'), finish('refusal')]]);
    expect([end, kit.runs]).toEqual(['failed', []]);
    expect(records[1]).toMatchObject({ end: 'refusal', parts: [] });
  });

  it('H12 F28 runs one call id at most once in an answer', async () => {
    const { kit, records, model } = await runScript([
      [read('a', 'A'), read('a', 'B'), finish('tool-calls')],
      [say('Done.'), finish()],
    ]);
    expect(kit.runs).toEqual(['read A']);
    expect(resultsOf(records)).toEqual(['text of A', `!${words.failures.repeatedCallId}`]);
    expect(model.plans[1]?.messages.at(-1)).toMatchObject({ parts: [{ callId: 'a', text: 'text of A' }] });
  });

  it('F31 stops after three identical failures', async () => {
    const same: Step[] = [call('a', 'refuse', { path: 'A' }), finish('tool-calls')];
    const { records, end, model, kit } = await runScript([same, same, same, same]);
    expect([end, model.plans.length, kit.runs.length]).toEqual(['limit', 3, turnLimits.identicalFailures]);
    expect(failureOf(records)?.kind).toBe('limit');
  });

  it('F31 stops after three identical failures, whatever succeeds beside them', async () => {
    const step = (path: string): Step[] => [call('a', 'refuse', { path: 'A' }), read('b', path), finish('tool-calls')];
    const { records, end, model } = await runScript(['B', 'C', 'D', 'E'].map(step));
    expect([end, model.plans.length]).toEqual(['limit', 3]);
    expect(failureOf(records)?.kind).toBe('limit');
  });

  it('F31 lets a model try in other words, and forgets failures that were mended', async () => {
    const attempt = (path: string): Step[] => [call('a', 'refuse', { path }), finish('tool-calls')];
    const { end } = await runScript([...['A', 'B', 'A', 'B', 'C'].map(attempt), [say('No.'), finish()]]);
    expect(end).toBe('complete');
  });

  it('F28 F31 runs no more than forty calls a turn', async () => {
    const many = Array.from({ length: 15 }, (_, index) => read(`k${index}`, `${index}`));
    const step: Step[] = [...many, finish('tool-calls')];
    const { kit, end, records } = await runScript([step, step, step, step]);
    expect([end, kit.runs.length]).toEqual(['limit', 30]);
    expect(resultsOf(records).slice(-15)).toEqual(Array(15).fill(`!${words.failures.tooManyCalls}`));
  });

  it('F28 refuses a thousand calls in one answer', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => read(`k${index}`, `${index}`));
    const { kit, end } = await runScript([[...many, finish('tool-calls')]]);
    expect([end, kit.runs.length]).toEqual(['limit', 0]);
  });
});

describe('a turn whose records cannot be stored', () => {
  const script: Step[][] = [
    [say('Looking. '), read('a', 'A'), finish('tool-calls')],
    [say('Done.'), finish()],
  ];

  it.each([1, 2, 3])('F5 goes no further when record %i fails', async (failingRecord) => {
    const { end, events, records, model, kit } = await runScript(script, { failingRecord });
    expect(end).toBe('failed');
    expect(events.at(-2)).toMatchObject({ type: 'failure', failure: { kind: 'storage' } });
    expect(records).toHaveLength(failingRecord);
    expect(model.plans).toHaveLength(failingRecord === 3 ? 2 : 1);
    expect(kit.runs).toHaveLength(failingRecord === 1 ? 0 : 1);
  });
});

describe('stopping a turn', () => {
  const script: Step[][] = [
    [think('hm'), say('Looking. '), read('a', 'A'), finish('tool-calls')],
    [say('Half '), say('done.'), finish()],
  ];

  it('F30 stops at any event: what was shown is kept, no more is asked, nothing comes late', async () => {
    const { events: all } = await runScript(script);
    for (let at = 0; at < all.length - 1; at += 1) {
      const abort = new AbortController();
      let seen = 0;
      const { end, records, model, events } = await runScript(script, {
        abort,
        onEvent: () => (seen++ === at ? abort.abort() : undefined),
      });
      const shown = events.flatMap((event) => (event.type === 'text-delta' ? event.text : [])).join('');
      const recorded = records.flatMap((body) =>
        body.kind === 'assistant' ? body.parts.map((part) => (part.type === 'text' ? part.text : '')) : [],
      );
      const lastAnswer = all[at]?.type === 'answer-ended' && at > 6;
      expect([at, end]).toEqual([at, lastAnswer ? 'complete' : 'stopped']);
      expect(recorded.join('')).toBe(shown);
      const before = records.length;
      const asked = model.plans.length;
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect([records.length, model.plans.length]).toEqual([before, asked]);
    }
  });

  it('F30 sends nothing when it is stopped before the request', async () => {
    const abort = new AbortController();
    const { model, end } = await runScript(script, {
      abort,
      onEvent: ({ type }) => (type === 'request-planned' ? abort.abort() : undefined),
    });
    expect([end, model.plans.length]).toEqual(['stopped', 0]);
  });

  it.each<[string, Step[]]>([
    ['a model that ignores it', [say('a'), 'hang']],
    ['a tool that never returns', [call('a', 'hang', { path: 'x' }), finish('tool-calls')]],
  ])('F30 stops %s within 200 ms', async (_name, steps) => {
    await expectSoon(200, async () => {
      const abort = new AbortController();
      let stoppedAt = 0;
      setTimeout(() => {
        stoppedAt = Date.now();
        abort.abort();
      }, 20);
      const { end, records } = await runScript([steps], { abort });
      expect(end).toBe('stopped');
      expect(resultsOf(records).every((text) => text === `!${words.failures.callStopped}`)).toBe(true);
      return Date.now() - stoppedAt;
    });
  });
});

it('adds what a model thinks on to its thought, after what it has said', () => {
  const said = [{ type: 'text', text: 'First.' }] as const;
  const thought = addDelta(said, { type: 'reasoning-delta', text: 'Hm' });
  expect(addDelta(thought, { type: 'reasoning-delta', text: ', well.' })).toEqual([
    ...said,
    { type: 'reasoning', text: 'Hm, well.' },
  ]);
});

it('gives a thought what its end brings for the provider, after what was said before', () => {
  const said = [{ type: 'text', text: 'First.' }] as const;
  const thought = addDelta(said, { type: 'reasoning-delta', text: 'Hm' });
  const providerData = { format: 'anthropic', data: { signature: 'abc' } } as never;
  const ended = addDelta(thought, { type: 'reasoning-end', providerData });
  expect(ended).toEqual([...said, { type: 'reasoning', text: 'Hm', providerData }]);
  expect(addDelta(ended, { type: 'reasoning-end', providerData }).slice(2)).toEqual([
    { type: 'reasoning', text: '', providerData },
  ]);
});

it('keeps a thought as it is whose end brings nothing for the provider', () => {
  const thought = [{ type: 'reasoning', text: 'Hm' }] as const;
  expect(addDelta(thought, { type: 'reasoning-end' })).toEqual(thought);
  expect(addDelta(thought, { type: 'waiting', words: 'Busy.', milliseconds: 1 })).toEqual(thought);
});

it('shows and stores the thoughts of a model that writes its calls as text', async () => {
  const thought = { type: 'reasoning-delta', text: 'Tea or coffee?' } as const;
  const { events, records } = await runScript([[thought, say('Tea.'), finish()]], { nativeTools: false });
  expect(events).toContainEqual(thought);
  expect(records[1]).toMatchObject({
    parts: [
      { ...thought, type: 'reasoning' },
      { type: 'text', text: 'Tea.' },
    ],
  });
});

describe('what is stored around the calls of a turn', () => {
  const script: Step[][] = [
    [read('a', 'A'), finish('tool-calls')],
    [say('Done.'), finish()],
  ];

  it('F5 sends nothing when what a hook reported of the request cannot be stored', async () => {
    const hooks = { beforeModel: () => Promise.resolve({ changes: [], reports: ['A hook said so.'] }) };
    const { end, events, model } = await runScript(script, { failingRecord: 1, input: { hooks } });
    expect([end, model.plans.length]).toEqual(['failed', 0]);
    expect(events.slice(0, 2)).toEqual([
      { type: 'hook-reported', words: 'A hook said so.' },
      { type: 'failure', failure: noSpace },
    ]);
  });

  it('F5 goes no further when what a hook reported of a result cannot be stored', async () => {
    const appendContext = () => Promise.resolve({ additions: [], reports: ['A hook failed.'] });
    const { end, events, model, kit } = await runScript(script, { failingRecord: 3, input: { appendContext } });
    expect([end, model.plans.length, kit.runs]).toEqual(['failed', 1, ['read A']]);
    expect(events.at(-2)).toEqual({ type: 'failure', failure: noSpace });
  });

  it('F5 goes on when what the step staged cannot be stored, and says so', async () => {
    const endStep = () => Promise.resolve(fail(noSpace));
    const { end, events } = await runScript(script, { input: { endStep } });
    expect(end).toBe('complete');
    expect(events.filter(({ type }) => type === 'failure')).toEqual([{ type: 'failure', failure: noSpace }]);
  });
});

describe('the images of a result', () => {
  const picture = { mediaType: 'image/png', bytes: new Uint8Array([1]) };
  const look = tool({
    ...{ name: 'look', agent: 'notes', description: 'd', effect: 'reads', title: () => 'Look' },
    parameters: () => z.object({}),
    run: () =>
      Promise.resolve(succeed({ text: 'Two.', sources: [], untrustedSource: 'files', pictures: [picture, picture] })),
  });
  const imagesAfter = async (keepImage?: TurnToolContext['keepImage']) => {
    const place = { skillFolders: [], goals: goalBench().goals, subagents: noSubagents };
    const script = [
      [call('l', 'look', {}), finish('tool-calls')],
      [say('Done.'), finish()],
    ];
    const { records } = await runScript(script, {
      input: { tools: [look], place: keepImage === undefined ? place : { ...place, keepImage } },
    });
    return records.flatMap((body) => (body.kind === 'tool-result' ? (body.images ?? []) : []));
  };
  const nameOf = words.servers.imageName;
  const lost = (at: number, problem: string): Mention => {
    return { kind: 'image', id: nameOf('files', at), label: nameOf('files', at), apart: true, problem };
  };

  it('are stored under the name of their server and a number', async () => {
    const kept = (id: string): Mention => ({ kind: 'image', id, label: id });
    expect(await imagesAfter((given, name) => Promise.resolve(succeed(kept(`${given.mediaType} ${name}`))))).toEqual([
      kept(`image/png ${nameOf('files', 1)}`),
      kept(`image/png ${nameOf('files', 2)}`),
    ]);
  });

  it('are told of in words where one cannot be stored, or none can', async () => {
    const { imageUnkept } = words.servers;
    expect(await imagesAfter()).toEqual([lost(1, imageUnkept), lost(2, imageUnkept)]);
    expect(await imagesAfter(() => Promise.resolve(fail(noSpace)))).toEqual([
      lost(1, describeFailure(noSpace)),
      lost(2, describeFailure(noSpace)),
    ]);
  });
});
