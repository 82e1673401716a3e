/** What a person can do about a filling window: summarise with a word on what matters, look, edit, undo, pin, leave out. */
import type { Chat } from '../../../../../src/core/chat/chat';
import { ResultCaps, type SummaryDraft } from '../../../../../src/core/context/compaction/context-reducer';
import type { Outcome } from '../../../../../src/core/ports/failure';
import { foldLog } from '../../../../../src/core/request/history';
import { exceedsWindow } from '../../../../../src/core/request/plan-request';
import { targetOf } from '../../../../../src/core/session/log-state';
import { defaultSettings } from '../../../../../src/core/settings/settings';
import { call, finish, say } from '../../../../support/scripted-model';
import { hostState, promptSettings } from '../../../../support/turn-world';
import { testTools } from '../../../../support/test-tools';
import { ask, entriesOf, type LongBench, longBench, longModel, stored, talk, wordyModel } from './long-chat';

const never = new AbortController().signal;

async function requestOf(chat: Chat): Promise<string> {
  const plan = await chat.preview('And now?', [], never);
  if (!plan.ok) throw new Error(plan.failure.words);
  const { system, messages, tools } = plan.value;
  return JSON.stringify({ system, messages, tools });
}

function drafted(outcome: Outcome<SummaryDraft>): SummaryDraft {
  if (!outcome.ok) throw new Error(outcome.failure.words);
  return outcome.value;
}

function byHand(bench: LongBench): LongBench {
  bench.settings = { ...defaultSettings, compaction: 'manual' };
  return bench;
}

describe('by hand', () => {
  it('R240 skips point and latch, but has nothing to do in an empty chat, and says so', async () => {
    const bench = byHand(longBench());
    const chat = await bench.open();
    const empty = await chat.summarise({});
    expect(empty).toMatchObject({ ok: false, failure: { words: 'This chat is still too short to summarize.' } });
    await talk(chat, 1);
    expect(await chat.summarise({})).toMatchObject({ ok: false });
    await talk(chat, 12, 2);
    drafted(await chat.summarise({}));
    expect(bench.model.summaryPlans).toHaveLength(1);
    expect(stored(bench, 'summary')).toEqual([]);
  });

  it('R237 R245 carries the focus into the request, and edited words into the chat', async () => {
    const bench = byHand(longBench());
    const chat = await bench.open();
    await talk(chat, 20);
    const draft = drafted(await chat.summarise({ focus: 'the bolts' }));
    const asked = JSON.stringify(bench.model.summaryPlans[0]?.messages.at(-1));
    expect(asked).toContain('cares most about this: the bolts');
    await chat.contextEvents.accept(draft, { ...draft.body.snapshot, key_knowledge: 'Bolts: M8, bronze.' });
    expect(await requestOf(chat)).toContain('Bolts: M8, bronze.');
    const [summary] = stored(bench, 'summary');
    expect(summary).toMatchObject({ trigger: 'manual', focus: 'the bolts' });
    const id = chat.contextEvents.inForce?.id ?? '';
    await chat.contextEvents.edit(id, { ...draft.body.snapshot, key_knowledge: 'Bolts: M10.' });
    const request = await requestOf(chat);
    expect(request).toContain('Bolts: M10.');
    expect(request).not.toContain('M8');
  });

  it('R247 undo gives the same request bytes, also after a reload, one summary after the other', async () => {
    const bench = byHand(longBench(longModel({ contextWindow: 40_000, cachesPrompts: true })));
    const chat = await bench.open();
    await talk(chat, 20);
    const first = await requestOf(chat);
    await chat.contextEvents.accept(drafted(await chat.summarise({})));
    await talk(chat, 20, 21);
    const second = await requestOf(chat);
    await chat.contextEvents.accept(drafted(await chat.summarise({})));
    expect(await requestOf(chat)).not.toBe(second);
    const again = await bench.open();
    await again.contextEvents.undo(again.contextEvents.inForce?.id ?? '');
    expect(await requestOf(again)).toBe(second);
    const log = entriesOf(bench);
    const taken = again.contextEvents.inForce?.id ?? '';
    await again.contextEvents.undo(taken);
    const messages = foldLog(entriesOf(bench));
    const whole = foldLog(log.filter(({ kind }) => kind !== 'summary'));
    expect(messages).toEqual(whole);
    expect(
      JSON.stringify(messages).startsWith(JSON.stringify(foldLog(log.slice(0, 30)).slice(0, 10)).slice(0, -1)),
    ).toBe(true);
    expect(first).toContain('Question 1 about');
  });

  it('R240 R247 taking one back holds the automatic ones off, until one by hand or until not all of it fits', async () => {
    const bench = longBench();
    const chat = await bench.open();
    for (let turn = 1; stored(bench, 'summary').length === 0; turn += 1) await talk(chat, 1, turn);
    await chat.contextEvents.undo(chat.contextEvents.inForce?.id ?? '');
    await talk(chat, 3, 90);
    expect(stored(bench, 'summary')).toHaveLength(1);
    const undone = chat.current.items.find(({ type }) => type === 'summary');
    expect(undone).toMatchObject({ undone: true });
    await talk(chat, 12, 93);
    // A summary is better than leaving the oldest out.
    expect(stored(bench, 'summary').length).toBeGreaterThan(1);
    const left = stored(bench, 'context-forms').flatMap(({ forms }) => forms.filter(({ form }) => form === 'dropped'));
    expect(left).toEqual([]);
    await chat.contextEvents.undo(chat.contextEvents.inForce?.id ?? '');
    await chat.contextEvents.accept(drafted(await chat.summarise({})));
    await talk(chat, 30, 100);
    expect(stored(bench, 'summary').length).toBeGreaterThan(2);
    expect(bench.model.plans.filter(exceedsWindow)).toEqual([]);
  });

  it('R247 pins keep their messages word for word, and a list can end a summary where the user says', async () => {
    const bench = byHand(longBench());
    const chat = await bench.open();
    await talk(chat, 12);
    const users = entriesOf(bench).filter(({ kind }) => kind === 'user');
    await chat.contextEvents.change([{ target: targetOf.exchange(users[1]?.id ?? ''), form: 'pinned' }]);
    await chat.contextEvents.accept(drafted(await chat.summarise({ upTo: users[8]?.id ?? '' })));
    const request = await requestOf(chat);
    for (const [turn, stays] of [
      [1, false],
      [2, true],
      [9, false],
      [10, true],
      [12, true],
    ] as const) {
      expect([turn, request.includes(`Question ${turn} about`)]).toEqual([turn, stays]);
    }
  });

  it('R247 refuses a draft that the chat has left behind', async () => {
    const bench = byHand(longBench());
    const chat = await bench.open();
    await talk(chat, 12);
    const old = drafted(await chat.summarise({}));
    await talk(chat, 12, 13);
    await chat.contextEvents.accept(drafted(await chat.summarise({})));
    expect(await chat.contextEvents.accept(old)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    const { body } = drafted(await chat.summarise({}));
    const { continues: _continues, ...alone } = body;
    const strangers = [
      { ...body, covers: [...body.covers, 'of another chat'] },
      { ...body, continues: 'of another chat' },
      alone,
    ];
    for (const [at, other] of strangers.entries()) {
      const refused = await chat.contextEvents.accept({ ...old, body: other });
      expect([at, refused]).toMatchObject([at, { ok: false, failure: { kind: 'refused' } }]);
    }
    expect(await chat.contextEvents.accept({ ...old, body })).toMatchObject({ ok: true });
  });

  it('R240 one at a time: not while an answer is under way', async () => {
    const bench = byHand(longBench());
    const chat = await bench.open();
    await talk(chat, 12);
    const running = chat.summarise({});
    expect(await chat.summarise({})).toMatchObject({ ok: false, failure: { words: 'Docent is still answering.' } });
    drafted(await running);
  });
});

describe('results', () => {
  const long = Array.from({ length: 900 }, (_, line) => `line ${line} of the report`).join('\n');
  /** A vault with a report that is longer than a result may be. */
  function withReport(): LongBench {
    const kit = testTools();
    const tools = kit.tools.map((each) => ({
      ...each,
      run: () => Promise.resolve({ ok: true as const, value: { text: long, sources: [] } }),
    }));
    const bench = byHand(longBench(longModel(), { kit: { ...kit, tools } }));
    bench.model.reply = (question) =>
      question === '' ? 'Read.' : [call('c', 'read', { path: 'report' }), finish('tool-calls')];
    return bench;
  }

  it('R243 K35 a long result is sent as its two ends, the log keeps it whole, and recall_output reads it', async () => {
    const bench = withReport();
    const chat = await bench.open();
    await ask(chat, 'Read the report');
    const sent = bench.model.plans[1]?.messages.at(-1)?.parts[0];
    const text = sent !== undefined && 'text' in sent ? sent.text : '';
    expect(text).toContain('line 0 of');
    expect(text).toContain('line 899 of');
    expect(text).not.toContain('line 400 of');
    for (let line = 870; line < 900; line += 1) expect(text).toContain(`line ${line} of`);
    expect(text.length / 4).toBeLessThan(0.15 * 16_384 + 100);
    const handle = /handle "([^"]+)"/.exec(text)?.[1] ?? '';
    expect(stored(bench, 'tool-result')[0]?.text).toBe(long);
    expect(chat.contextEvents.outputs(new ResultCaps(16_384)).read(handle)?.text).toBe(long);
  });

  it('R243 old results are put aside many at once, never those of the newest message or pinned ones', async () => {
    const bench = withReport();
    const chat = await bench.open();
    for (const turn of [1, 2, 3, 4, 5, 6, 7, 8]) await ask(chat, `Read report ${turn}`);
    const batches = stored(bench, 'context-forms');
    expect(batches.length).toBeGreaterThan(0);
    expect(batches.length).toBeLessThan(4);
    const last = bench.model.plans.at(-1);
    const texts = (last?.messages ?? []).flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? part.text : [])),
    );
    expect(texts.filter((text) => text.includes('was cleared to save tokens')).length).toBeGreaterThan(0);
    expect(texts.at(-1)).toContain('line 899 of');
    const handle = /Call recall_output with handle "([^"]+)" to see it/.exec(texts[0] ?? '')?.[1] ?? '';
    expect(chat.contextEvents.outputs(new ResultCaps(16_384)).read(handle)?.text).toBe(long);
    const pinned = entriesOf(bench).filter(({ kind }) => kind === 'tool-result')[6]?.id ?? '';
    await chat.contextEvents.change([{ target: targetOf.result(pinned), form: 'pinned' }]);
    for (const turn of [9, 10, 11, 12]) await ask(chat, `Read report ${turn}`);
    const forms = stored(bench, 'context-forms').flatMap(({ forms: changed, by }) => (by === 'window' ? changed : []));
    expect(forms.map(({ target }) => target)).not.toContain(targetOf.result(pinned));
    expect(bench.model.plans.filter(exceedsWindow)).toEqual([]);
  });
});

describe('what can go wrong around it', () => {
  it('R244 one giant turn: results are put aside and the oldest steps left out, and it ends', async () => {
    const bench = longBench();
    let steps = 0;
    bench.model.reply = () => {
      steps += 1;
      return steps < 30
        ? [call(`c${steps}`, 'read', { path: `${steps} ${'text '.repeat(1_000)}` }), finish('tool-calls')]
        : 'Done.';
    };
    const chat = await bench.open();
    await ask(chat, 'Do it all');
    expect(bench.model.plans.filter(exceedsWindow)).toEqual([]);
    expect(bench.model.plans.length).toBe(30);
    expect(JSON.stringify(chat.current.items)).toContain('Done.');
    expect(stored(bench, 'tool-result')).toHaveLength(29);
    expect(JSON.stringify(bench.model.plans.at(-1)?.messages)).toContain('Do it all');
    // What was left out says so in the transcript, and the list sends it again.
    const said = chat.current.items.flatMap((item) => (item.type === 'relief' ? [item.text] : []));
    expect(said.join(' ')).toMatch(/left out\. Nothing is deleted from this chat; to send/);
    const plan = await chat.preview('And now?', [], never);
    if (!plan.ok) throw new Error(plan.failure.words);
    const [left] = chat.contextEvents.items(plan.value, chat.choices).filter(({ kind }) => kind === 'round');
    expect(left).toMatchObject({ label: 'Do it all', form: 'dropped', acts: [{ act: 'whole' }] });
    await chat.contextEvents.change([{ target: left?.target ?? '', form: 'whole' }]);
    const again = await chat.preview('And now?', [], never);
    const effect = left?.acts[0]?.effect ?? 0;
    expect(effect).toBeGreaterThan(100);
    expect(again).toMatchObject({ ok: true });
    if (again.ok) expect(again.value.totals.all - plan.value.totals.all).toBeGreaterThan(effect / 2);
  });

  it('R243 R244 when a summary would win too little, results that were read make room, and nothing is refused', async () => {
    const bench = longBench();
    const chat = await bench.open();
    await talk(chat, 4);
    let steps = 0;
    bench.model.reply = () => {
      steps += 1;
      const path = `${steps} ${'text '.repeat(1_000)}`;
      return steps < 5 ? [call(`c${steps}`, 'read', { path }), finish('tool-calls')] : 'Read.';
    };
    await ask(chat, 'Read them all');
    const results = entriesOf(bench).filter(({ kind }) => kind === 'tool-result');
    const [batch] = stored(bench, 'context-forms');
    expect(batch?.forms[0]).toEqual({ target: targetOf.result(results[0]?.id ?? ''), form: 'masked' });
    expect(stored(bench, 'summary-refused')).toEqual([]);
    expect(await requestOf(chat)).toContain('was cleared to save tokens');
  });

  it('K23 in a tiny window, after an answer that was cut off, the next request leaves a quarter for the answer', async () => {
    const free = async (reason: 'complete' | 'length') => {
      const bench = longBench(longModel({ contextWindow: 8_192, outputLimit: 8_192 }));
      const chat = await bench.open();
      const { model } = bench;
      let question = 0;
      // Until the answer may have no more than an eighth to a quarter.
      while ((model.plans.at(-1)?.totals.all ?? 0) < 6_300) await talk(chat, 1, (question += 1));
      model.reply = () => [say('It goes'), finish(reason)];
      await ask(chat, 'Write it all');
      model.reply = () => 'Short.';
      await ask(chat, 'Go on');
      expect(model.plans.filter(exceedsWindow)).toEqual([]);
      const { totals, maxOutputTokens = 0 } = model.plans.at(-1) ?? {};
      return [8_192 - (totals?.all ?? 0) >= 2_048, maxOutputTokens >= 1_800];
    };
    expect(await free('complete')).toEqual([false, false]);
    expect(await free('length')).toEqual([true, true]);
  });

  it.each([
    ['full by more than half, it is summarized', 9, 1],
    ['nearly empty, nothing is', 1, 0],
  ])('in a tiny window that new instructions rewrite: %s in the same break', async (_what, turns, summaries) => {
    let additionalInstructions = '';
    const settings = () => ({ ...promptSettings, additionalInstructions });
    const bench = longBench(longModel({ contextWindow: 8_192, outputLimit: 8_192 }), {
      ports: { hostState: { ...hostState, settings } },
    });
    const chat = await bench.open();
    await talk(chat, turns);
    expect(bench.model.plans.at(-1)?.totals.all ?? 0).toBeLessThan(6_000);
    expect(stored(bench, 'summary')).toHaveLength(0);
    additionalInstructions = 'Answer in British spelling.';
    await ask(chat, 'And now?');
    expect(stored(bench, 'summary')).toHaveLength(summaries);
    await ask(chat, 'And then?');
    expect(stored(bench, 'summary')).toHaveLength(summaries);
  });

  it('K23 a window that shrinks: the next request fits, and the log is whole', async () => {
    const bench = longBench(longModel({ contextWindow: 200_000, cachesPrompts: true }));
    const chat = await bench.open();
    await talk(chat, 60);
    const small = longModel({ contextWindow: 16_384, id: 'test/small' });
    Object.assign(bench, { model: small });
    await talk(chat, 3, 61);
    expect(small.plans).toHaveLength(3);
    expect(small.plans.filter(exceedsWindow)).toEqual([]);
    expect(stored(bench, 'user')).toHaveLength(63);
    expect(stored(bench, 'summary').length).toBeGreaterThan(0);
  });

  it('R247 a crash or a full disk at any write around a summary leaves a chat that opens, answers and fits (F32, F33)', async () => {
    const sound = longBench(wordyModel(3));
    await talk(await sound.open(), 12);
    const at = entriesOf(sound).findIndex(({ kind }) => kind === 'summary') + 1;
    expect(at).toBeGreaterThan(0);
    for (const fault of ['torn', 'lost'] as const) {
      for (let write = at - 2; write <= at + 2; write += 1) {
        const bench = longBench(wordyModel(3));
        const chat = await bench.open();
        bench.store.fault = (append) => (append === write ? fault : 'full');
        for (let turn = 1; turn <= 12; turn += 1) {
          await chat.send(`Question ${turn} about the boat?`, []);
          while (chat.current.running) await new Promise((resolve) => setTimeout(resolve, 0));
        }
        bench.store.fault = () => 'full';
        const again = await bench.open();
        await ask(again, 'Still there?');
        expect(bench.model.plans.filter(exceedsWindow)).toEqual([]);
        expect(again.current.damaged).toBeLessThanOrEqual(1);
        expect(JSON.stringify(bench.model.plans.at(-1)?.messages)).toContain('Still there?');
        const ids = new Set(entriesOf(bench).map(({ id }) => id));
        for (const { covers } of stored(bench, 'summary')) expect(covers.filter((id) => !ids.has(id))).toEqual([]);
      }
    }
  }, 60_000);

  it('R247 names each entry in one summary alone, however many there are', async () => {
    const bench = longBench(longModel({ contextWindow: 8_192, outputLimit: 8_192 }));
    await talk(await bench.open(), 60);
    const made = stored(bench, 'summary');
    expect(made.length).toBeGreaterThan(2);
    const named = made.flatMap(({ covers }) => covers);
    expect(new Set(named).size).toBe(named.length);
    // After a restart, what the first summaries replaced is still left out.
    await ask(await bench.open(), 'Still there?');
    expect(JSON.stringify(bench.model.plans.at(-1)?.messages)).not.toContain('Question 1 about');
  });

  it('R247 two chats that summarise at once keep apart', async () => {
    const model = longModel();
    const [one, two] = [longBench(model), longBench(model)];
    const chats = await Promise.all([one.open(), two.open()]);
    await Promise.all(chats.map((chat) => talk(chat, 30)));
    for (const bench of [one, two]) {
      const ids = new Set(entriesOf(bench).map(({ id }) => id));
      const made = stored(bench, 'summary');
      expect(made.length).toBeGreaterThan(0);
      for (const { covers } of made) expect(covers.filter((id) => !ids.has(id))).toEqual([]);
    }
  });

  it('R247 two devices that summarised the same chat: the newer summary holds, and nothing is lost', async () => {
    const bench = byHand(longBench());
    const chat = await bench.open();
    await talk(chat, 12);
    const other = await bench.open();
    const theirs = drafted(await other.summarise({}));
    await chat.contextEvents.accept(drafted(await chat.summarise({})));
    await other.contextEvents.accept(theirs, { ...theirs.body.snapshot, key_knowledge: 'from the other device' });
    const merged = await bench.open();
    const request = await requestOf(merged);
    expect(request.match(/about overall_goal/g)).toHaveLength(1);
    expect(stored(bench, 'user')).toHaveLength(12);
    expect(request).toContain('Question 12 about');
  });
});
