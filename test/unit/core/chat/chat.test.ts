import type { Chat } from '../../../../src/core/chat/chat';
import { type ChatPorts, type ChatState, type Outgoing, queueKeyOf } from '../../../../src/core/chat/chat-view-state';
import { OpenChats } from '../../../../src/core/chat/open-chats';
import { unsavedOf } from '../../../../src/core/ports/device';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import type { Mention } from '../../../../src/core/session/entry';
import { chatBench, rested, scriptedBench, shown, until } from '../../../support/chat-bench';
import { logPorts } from '../../../support/memory-ports';
import { breakOff, call, finish, say, scriptedModel } from '../../../support/scripted-model';
import { expectSoon } from 'obsidian-workbench/testing/cost';

const portsOf = (chat: Chat): ChatPorts => (chat as unknown as { ports: ChatPorts }).ports;
/** The role and the text of each message. */
const textsOf = (plan: Pick<RequestPlan, 'messages'> | undefined): [string, string][] =>
  (plan?.messages ?? []).map(({ role, parts }) => [role, parts.map((p) => ('text' in p ? p.text : '')).join('\n')]);
const tick = (milliseconds = 5) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('sending', () => {
  it('S3 has the user entry on disk before the model is asked', async () => {
    let onDisk: string[] = [];
    const bench = scriptedBench([() => void (onDisk = bench.store.linesOf('c1')), say('Fine.'), finish()]);
    const chat = await bench.open();
    expect((await chat.send('What about tea?', [])).ok).toBe(true);
    const state = await until(chat, rested);
    // The message, the head of the requests, the start of the chat, and the reference texts: all that is sent.
    expect(onDisk).toHaveLength(4);
    expect(onDisk[0]).toContain('What about tea?');
    expect(shown(state)).toEqual(['user: What about tea?', 'answer (complete): Fine.']);
  });

  it('F5 refuses when the message cannot be stored: nothing is sent, nothing shown, a later try works', async () => {
    const bench = scriptedBench([say('Now.'), finish()]);
    bench.store.fault = (append) => (append === 1 ? 'torn' : 'full');
    const chat = await bench.open();
    const refused = await chat.send('text stays with the caller', []);
    expect(!refused.ok && refused.failure.kind).toBe('storage');
    expect([chat.current.running, shown(chat.current), bench.model.plans.length]).toEqual([false, [], 0]);
    expect((await chat.send('again', [])).ok).toBe(true);
    expect(shown(await until(chat, rested))).toEqual(['user: again', 'answer (complete): Now.']);
    expect(shown((await bench.open()).current)).toEqual(['user: again', 'answer (complete): Now.']);
  });

  it.each([
    [2, 'the head of the requests', []],
    [3, 'the start of the chat', []],
    [4, 'the reference texts', []],
    [5, 'the texts around the message', [{ kind: 'note' as const, id: 'A.md', label: 'A' }]],
  ])('F5 sends nothing when record %i cannot be stored: %s', async (failing, _name, mentions) => {
    const bench = scriptedBench([say('Now.'), finish()]);
    bench.store.fault = (append) => (append === failing ? 'lost' : 'full');
    const chat = await bench.open();
    await chat.send('q', mentions);
    expect(shown(await until(chat, rested))).toEqual(['user: q', 'failure: storage']);
    expect(bench.model.plans).toEqual([]);
  });

  it.each([5, 6, 7])('F5 says so when record %i of the turn cannot be stored, and goes no further', async (failing) => {
    const bench = scriptedBench(
      [say('Looking. '), call('a', 'read', { path: 'A' }), finish('tool-calls')],
      [say('Done.'), finish()],
    );
    bench.store.fault = (append) => (append === failing ? 'lost' : 'full');
    const chat = await bench.open();
    await chat.send('q', []);
    const state = await until(chat, rested);
    expect(bench.notes.join()).toContain('storage');
    expect(bench.model.plans).toHaveLength(failing === 7 ? 2 : 1);
    // The text that was shown is on the device, so that the next start brings it back.
    const again = await bench.open();
    expect(shown(again.current).join()).toContain(failing === 7 ? 'Done.' : 'Looking.');
    expect(state.running).toBe(false);
  });

  it('F5 comes to rest when a picture of the message breaks, and a later try works', async () => {
    const bench = scriptedBench([say('Now.'), finish()]);
    let isBroken = true;
    const settle = (mentions: readonly Mention[]): Promise<readonly Mention[]> =>
      isBroken ? Promise.reject(new Error('boom')) : Promise.resolve(mentions);
    Object.assign(bench.ports, { images: { settle } });
    const chat = await bench.open();
    const refused = await chat.send('text stays with the caller', []);
    expect([refused.ok, chat.current.running, shown(chat.current)]).toEqual([false, false, []]);
    isBroken = false;
    await chat.send('again', []);
    expect(shown(await until(chat, rested))).toEqual(['user: again', 'answer (complete): Now.']);
  });

  it('F5 comes to rest when the store throws, and the next message is stored and answered', async () => {
    const bench = scriptedBench([say('One.'), finish()], [say('Two.'), finish()]);
    const { append } = bench.store;
    let throws = 1;
    bench.store.append = (id, lines) => {
      if (!lines.includes('"k":"assistant"') || throws === 0) return append(id, lines);
      throws -= 1;
      throw new Error('boom');
    };
    const chat = await bench.open();
    await chat.send('a', []);
    expect(shown(await until(chat, rested))).toEqual(['user: a', 'failure: protocol']);
    await chat.send('b', []);
    expect(shown(await until(chat, rested)).slice(2)).toEqual(['user: b', 'answer (complete): Two.']);
  });

  it('F5 answers all the same when an open note cannot be saved, and notes it', async () => {
    const bench = scriptedBench([say('Fine.'), finish()]);
    Object.assign(bench.ports, { flush: () => Promise.reject(new Error('disk full')) });
    const chat = await bench.open();
    await chat.send('q', []);
    expect(shown(await until(chat, rested))).toEqual(['user: q', 'answer (complete): Fine.']);
    expect(bench.notes).toEqual(['disk full']);
  });

  it('notes what kept a turn from beginning, for the diagnostics', async () => {
    const bench = chatBench();
    const chat = await bench.open();
    await chat.send('q', []);
    expect(shown(await until(chat, rested))).toEqual(['user: q', 'failure: model-missing']);
    expect(bench.notes).toEqual([expect.stringMatching(/^model-missing: No .+\.$/)]);
  });

  it('prepares no further request after an answer where nothing is summarised by itself', async () => {
    const bench = scriptedBench([say('Fine.'), finish()]);
    let prepared = 0;
    Object.assign(bench.ports, { refresh: () => Promise.resolve(void (prepared += 1)) });
    bench.settings = { ...bench.settings, compaction: 'manual' };
    const chat = await bench.open();
    await chat.send('q', []);
    await until(chat, rested);
    expect(prepared).toBe(1);
  });

  it('says which model is missing, and keeps the message', async () => {
    const chat = await chatBench().open();
    await chat.send('q', []);
    expect(shown(await until(chat, rested))).toEqual(['user: q', 'failure: model-missing']);
  });

  it('shows a defect of the model as a failure, and keeps the text shown before it', async () => {
    const bench = scriptedBench([
      say('Half'),
      () => {
        throw new Error('boom');
      },
    ]);
    const chat = await bench.open();
    await chat.send('q', []);
    expect(shown(await until(chat, rested))).toEqual(['user: q', 'answer (failed): Half', 'failure: protocol']);
  });

  it('R002 plans from the log: what was said before is in the next request', async () => {
    const bench = scriptedBench([say('One.'), finish()], [say('Two.'), finish()]);
    const chat = await bench.open();
    await chat.send('first', []);
    await until(chat, rested);
    await chat.send('second', [{ kind: 'note', id: 'A.md', label: 'A' }]);
    await until(chat, rested);
    const texts = textsOf(bench.model.plans[1]);
    // The environment, the first turn, the attached note with its reply, and the message.
    expect(texts.map(([role]) => role)).toEqual(['user', 'user', 'assistant', 'user', 'assistant', 'user']);
    expect(texts.slice(1, 3)).toEqual([
      ['user', 'first'],
      ['assistant', 'One.'],
    ]);
    expect(texts[3]?.[1]).toContain('<note path="A.md">\nalpha\n</note>');
    expect(texts[5]?.[1]).toMatch(/^second\n<context_status>/);
  });

  it.each([
    ['8K', 8_192, false],
    ['16K', 16_384, false],
    ['32K', 32_768, true],
    ['128K', 131_072, false],
    ['200K', 200_000, true],
  ] as const)('K1 K6 an attached note is in turns 1, 2 and 3, in a window of %s', async (_name, window, caches) => {
    const bench = chatBench();
    const answers = [1, 2, 3].map(() => [say('Fine.'), finish()]);
    const model = scriptedModel(answers, { contextWindow: window, cachesPrompts: caches });
    bench.model = model;
    const chat = await bench.open();
    for (const mentions of [[{ kind: 'note' as const, id: 'A.md', label: 'A' }], [], []]) {
      await chat.send('q', mentions);
      await until(chat, rested);
    }
    const copies = model.plans.map((plan) => JSON.stringify([plan.system, plan.messages]).split('alpha').length - 1);
    expect(copies).toEqual([1, 1, 1]);
    for (const [earlier, later] of [
      [model.plans[0], model.plans[1]],
      [model.plans[1], model.plans[2]],
    ]) {
      expect([later?.system, later?.tools]).toEqual([earlier?.system, earlier?.tools]);
      expect(later?.messages.slice(0, earlier?.messages.length)).toEqual(earlier?.messages);
    }
  });

  it('asks again without the attempt that was cut off', async () => {
    const failure = { kind: 'network', words: 'Off.', remedy: 'Wait.' } as const;
    const bench = scriptedBench([say('Half'), breakOff(failure)], [say('Whole.'), finish()]);
    const chat = await bench.open();
    await chat.send('q', [{ kind: 'note', id: 'A.md', label: 'A' }]);
    await until(chat, rested);
    chat.resend();
    await until(chat, rested);
    expect(bench.model.plans[1]?.messages).toEqual(bench.model.plans[0]?.messages);
    expect(JSON.stringify(bench.model.plans[1]?.messages).split('alpha')).toHaveLength(2);
    expect(shown(chat.current).at(-1)).toBe('answer (complete): Whole.');
  });

  it('asks again with what changed since the attempt that was cut off', async () => {
    const failure = { kind: 'network', words: 'Off.', remedy: 'Wait.' } as const;
    const bench = scriptedBench([say('Half'), breakOff(failure)], [say('Whole.'), finish()], [say('Yes.'), finish()]);
    const chat = await bench.open();
    await chat.send('q', []);
    await until(chat, rested);
    await chat.choose({ mode: 'planning' });
    chat.resend();
    await until(chat, rested);
    await chat.send('And?', []);
    await until(chat, rested);
    const notices = bench.model.plans.map(({ messages }) => JSON.stringify(messages).split('<mode_notice>').length - 1);
    expect(notices).toEqual([0, 1, 1]);
    expect(bench.model.plans[1]?.messages.at(-1)?.parts).toContainEqual({ type: 'text', text: 'q' });
  });
});

const waiting = ({ current }: { readonly current: ChatState }): string[] => current.queued.map(({ text }) => text);

describe('the queue', () => {
  it('answers messages in order, one after the other', async () => {
    const bench = scriptedBench([say('1'), finish()], [say('2'), finish()], [say('3'), finish()]);
    const chat = await bench.open();
    await Promise.all([chat.send('a', []), chat.send('b', []), chat.send('c', [])]);
    expect(waiting(chat)).toEqual(['b', 'c']);
    await until(chat, ({ items }) => items.length === 6);
    expect(shown(chat.current).filter((line) => line.startsWith('user'))).toEqual(['user: a', 'user: b', 'user: c']);
    expect(waiting(chat)).toEqual([]);
  });

  it('gives waiting messages back when it is stopped', async () => {
    const bench = scriptedBench([say('1'), 'hang']);
    const chat = await bench.open();
    expect(chat.isIdle).toBe(true);
    await chat.send('a', []);
    expect(chat.isIdle).toBe(false);
    await chat.send('b', [{ kind: 'note', id: 'A.md', label: 'A' }]);
    await until(chat, ({ live }) => live !== null);
    expect(chat.stop()).toEqual([{ text: 'b', mentions: [{ kind: 'note', id: 'A.md', label: 'A' }] }]);
    expect(shown(await until(chat, rested))).toEqual(['user: a', 'answer (stopped): 1']);
    expect(chat.isIdle).toBe(true);
  });

  it('moves, removes, and sends a message at once, which stops the answer; the others wait on', async () => {
    const bench = scriptedBench([say('1'), 'hang'], [say('d!'), 'hang']);
    const chat = await bench.open();
    for (const text of ['a', 'b', 'c', 'd']) await chat.send(text, []);
    await until(chat, ({ live }) => live !== null);
    const [b, c, d] = chat.current.queued as [Outgoing, Outgoing, Outgoing];
    chat.moveQueued(c, -1);
    expect(waiting(chat)).toEqual(['c', 'b', 'd']);
    chat.moveQueued(c, -1);
    chat.moveQueued(d, 1);
    expect(waiting(chat)).toEqual(['c', 'b', 'd']);
    expect([chat.withdraw(b), chat.withdraw(b)]).toEqual([true, false]);
    expect(JSON.parse((await unsavedOf(bench).read(queueKeyOf(chat.id))) ?? '')).toEqual(
      [c, d].map((message) => ({ ...message, at: expect.any(Number) as number })),
    );
    chat.sendNow(d);
    await until(chat, ({ live }) => live?.parts.some((part) => part.type === 'text' && part.text === 'd!') === true);
    expect(shown(chat.current)).toEqual(['user: a', 'answer (stopped): 1', 'user: d']);
    expect(waiting(chat)).toEqual(['c']);
    chat.sendNow(d);
    chat.moveQueued(d, 1);
    expect(waiting(chat)).toEqual(['c']);
    expect(chat.stop().map(({ text }) => text)).toEqual(['c']);
    await until(chat, rested);
  });

  it('F5 keeps a waiting message that cannot be stored', async () => {
    const bench = scriptedBench([say('1'), finish()]);
    // The first turn has five records, of which the last is its answer.
    bench.store.fault = (append) => (append === 6 ? 'lost' : 'full');
    const chat = await bench.open();
    await chat.send('a', []);
    await chat.send('b', []);
    await until(chat, ({ items }) => items.some(({ type }) => type === 'failure'));
    expect(shown(chat.current)).toEqual(['user: a', 'answer (complete): 1', 'failure: storage']);
    expect([waiting(chat), chat.isIdle]).toEqual([['b'], false]);
    expect(chat.stop().map(({ text }) => text)).toEqual(['b']);
  });

  it('F5 sends a message that could not be stored as soon as the user asks for it, before the others', async () => {
    const bench = scriptedBench([say('1'), finish()], [say('c!'), finish()], [say('b!'), finish()]);
    bench.store.fault = (append) => (append === 6 ? 'lost' : 'full');
    const chat = await bench.open();
    for (const text of ['a', 'b', 'c']) await chat.send(text, []);
    await until(chat, ({ items }) => items.some(({ type }) => type === 'failure'));
    chat.sendNow(chat.current.queued[1] as Outgoing);
    await until(chat, ({ items, running, queued }) => items.length === 7 && !running && queued.length === 0);
    expect(shown(chat.current).slice(3)).toEqual([
      ...['user: c', 'answer (complete): c!'],
      ...['user: b', 'answer (complete): b!'],
    ]);
    expect(await unsavedOf(bench).read(queueKeyOf(chat.id))).toBeNull();
  });
});

describe('stopping', () => {
  it.each<[string, (chat: { stop(): unknown; close(): void }) => void]>([
    ['stop', (chat) => void chat.stop()],
    ['unload', (chat) => chat.close()],
  ])('F13 F30 %s at each change: it rests within 200 ms and nothing comes late', async (_name, end) => {
    const script = () =>
      scriptedBench(
        [say('Looking. '), call('a', 'read', { path: 'A' }), finish('tool-calls')],
        [say('Half '), say('done.'), finish()],
      );
    const dry = script();
    let changes = 0;
    const first = await dry.open();
    first.subscribe(() => void (changes += 1));
    await first.send('q', []);
    await until(first, rested);
    for (let at = 1; at <= changes; at += 1) {
      const bench = script();
      const chat = await bench.open();
      let seen = 0;
      let longest = '';
      chat.subscribe(({ live }) => {
        const text = live?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
        if (text.length > longest.length) longest = text;
        if (++seen === at) end(chat);
      });
      void chat.send('q', []);
      // Eighty looks of at least 2 ms: on a busy machine each takes longer, and so does what it waits for.
      let looks = 0;
      for (; chat.current.running || seen === 0; looks += 1) await tick(2);
      expect(looks).toBeLessThan(80);
      const appends = bench.store.appends;
      await tick(30);
      expect(bench.store.appends).toBe(appends);
      const again = shown((await bench.open()).current);
      expect(again[0]).toBe('user: q');
      expect(again.join()).toContain(longest.trim());
      expect(again.join().split('Looking.').length).toBeLessThanOrEqual(2);
    }
  });

  it.each<[string, Parameters<typeof scriptedBench>]>([
    ['a model that ignores it', [[say('a'), 'hang']]],
    ['a tool that never returns', [[call('a', 'hang', { path: 'x' }), finish('tool-calls')]]],
  ])('F30 stops %s within 200 ms', async (_name, answers) => {
    await expectSoon(200, async () => {
      const bench = scriptedBench(...answers);
      const chat = await bench.open();
      await chat.send('q', []);
      await tick(20);
      const started = Date.now();
      chat.stop();
      await until(chat, rested);
      return Date.now() - started;
    });
  });

  it('F30 stops a note that is never read within 200 ms, before anything is sent', async () => {
    const bench = scriptedBench([say('never'), finish()]);
    Object.assign(bench.vault, { read: () => new Promise(() => undefined) });
    const chat = await bench.open();
    await chat.send('q', [{ kind: 'note', id: 'A.md', label: 'A' }]);
    chat.stop();
    await until(chat, rested);
    expect([shown(chat.current), bench.model.plans.length]).toEqual([['user: q'], 0]);
  });

  it('F13 has the whole text on the device before an unload returns, and listeners are gone', async () => {
    const bench = scriptedBench([say('Everything so far'), 'hang']);
    bench.store.fault = (append) => (append > 4 ? 'hang' : 'full');
    const chat = await bench.open();
    await chat.send('q', []);
    await until(chat, ({ live }) => live !== null);
    let notifications = 0;
    chat.subscribe(() => void (notifications += 1));
    chat.close();
    expect([...bench.device.values.values()].join()).toContain('Everything so far');
    await tick();
    expect(notifications).toBe(0);
    bench.store.fault = () => 'full';
    expect(shown((await bench.open()).current)).toEqual(['user: q', 'answer (interrupted): Everything so far']);
  });
});

describe('after a crash', () => {
  it('F3 shows a message that was stored and never sent, and can answer it', async () => {
    const bench = chatBench();
    bench.model = scriptedModel([['hang'], [say('Here.'), finish()]]);
    const chat = await bench.open();
    await chat.send('q', []);
    const again = await bench.open();
    expect(shown(again.current)).toEqual(['user: q']);
    again.resend();
    expect(shown(await until(again, rested))).toEqual(['user: q', 'answer (complete): Here.']);
  });

  it('F4 opens a log cut at every record: what is there is shown, and a dangling call is never run again', async () => {
    const full = scriptedBench(
      [say('Looking. '), call('a', 'read', { path: 'A' }), call('b', 'read', { path: 'B' }), finish('tool-calls')],
      [call('c', 'refuse', { path: 'C' }), finish('tool-calls')],
      [say('Done.'), finish()],
    );
    const first = await full.open();
    await first.send('q', []);
    await until(first, rested);
    const lines = full.store.linesOf('c1');
    expect(lines).toHaveLength(10);
    for (let cut = 0; cut <= lines.length; cut += 1) {
      const bench = Object.assign(chatBench({ vault: full.vault }), {
        model: scriptedModel([[say('Going on.'), finish()]]),
      });
      bench.store.logs.set(
        'c1',
        new Map([
          [
            'old',
            lines
              .slice(0, cut)
              .map((line) => `${line}\n`)
              .join(''),
          ],
        ]),
      );
      const chat = await bench.open();
      const before = shown(chat.current);
      // After the message come the head of the requests, the start of the chat and the reference texts, none shown.
      expect(before.length).toBe(cut <= 4 ? Math.min(cut, 1) : 2);
      await chat.send('continue', []);
      await until(chat, rested);
      expect(bench.kit.runs).toEqual([]);
      const messages = bench.model.plans[0]?.messages ?? [];
      const calls = messages.flatMap((m) =>
        m.role === 'assistant' ? m.parts.flatMap((p) => ('id' in p ? p.id : [])) : [],
      );
      const answers = messages.flatMap((m) => (m.role === 'tool' ? m.parts.map((p) => p.callId) : []));
      expect(answers).toEqual(calls);
      expect(messages.at(-1)).toMatchObject({ role: 'user', parts: [{ text: 'continue' }] });
    }
  });

  it('S3 I2 brings back the text of the last second before a crash, once', async () => {
    const bench = scriptedBench([
      say('First. '),
      () => bench.clock.advance(1_000),
      say('Second. '),
      say('lost'),
      'hang',
    ]);
    const chat = await bench.open();
    await chat.send('q', []);
    await until(chat, ({ live }) => live !== null && JSON.stringify(live.parts).includes('lost'));
    const again = await bench.open();
    expect(shown(again.current)).toEqual(['user: q', 'answer (interrupted): First. Second. ']);
    expect(bench.device.values.size).toBe(0);
    expect(shown((await bench.open()).current)).toHaveLength(2);
  });

  it('S3 keeps a checkpoint every 2 KB even when no time passes', async () => {
    const bench = scriptedBench([say('x'.repeat(2_048)), 'hang']);
    const chat = await bench.open();
    await chat.send('q', []);
    await until(chat, ({ live }) => live !== null);
    expect(shown((await bench.open()).current)[1]).toContain('x'.repeat(2_048));
  });

  it('F4 shows an answer once when the crash came between the log and the checkpoint', async () => {
    const bench = scriptedBench([say('x'.repeat(3_000)), finish()]);
    const chat = await bench.open();
    let left: string | undefined;
    chat.subscribe(() => (left ??= bench.device.values.get('checkpoint-c1')));
    await chat.send('q', []);
    await until(chat, rested);
    expect(left).toBeDefined();
    bench.device.set('checkpoint-c1', left ?? null);
    expect(shown((await bench.open()).current)).toEqual(['user: q', `answer (complete): ${'x'.repeat(3_000)}`]);
    expect(bench.device.values.size).toBe(0);
  });

  it.each(['{', '{}', '7', '{"model":"m","parts":[{"type":"tool-call"}]}'])(
    'pays no heed to a checkpoint that is damaged: %s',
    async (text) => {
      const bench = chatBench();
      bench.device.set('checkpoint-c1', text);
      expect(shown((await bench.open()).current)).toEqual([]);
      expect(bench.device.values.size).toBe(0);
    },
  );

  it('keeps a checkpoint on the device when the log cannot take it', async () => {
    const bench = chatBench();
    bench.device.set('checkpoint-c1', JSON.stringify({ model: 'm', parts: [{ type: 'text', text: 'kept' }] }));
    bench.store.fault = () => 'lost';
    await bench.open();
    bench.store.fault = () => 'full';
    expect(shown((await bench.open()).current)).toEqual(['answer (interrupted): kept']);
  });
});

describe('looking on', () => {
  it('S3 puts back what a crash cut off once, when two panes open the chat at the same time', async () => {
    const bench = chatBench();
    const ports = portsOf(await bench.open());
    bench.device.set('checkpoint-c1', JSON.stringify({ model: 'm', parts: [{ type: 'text', text: 'kept' }] }));
    const chats = new OpenChats(ports, logPorts(bench.store));
    const [one, two] = await Promise.all([chats.open('c1'), chats.open('c1')]);
    expect(one.ok && two.ok && one.value === two.value && shown(one.value.current)).toEqual([
      'answer (interrupted): kept',
    ]);
    expect(bench.store.linesOf('c1')).toHaveLength(1);
    chats.close();
  });

  it('shows the live text in order, and nothing live at the end', async () => {
    const bench = scriptedBench([say('a'), say('b'), finish()]);
    const chat = await bench.open();
    const texts: string[] = [];
    chat.subscribe(({ live }: ChatState) => {
      const part = live?.parts[0];
      if (part?.type === 'text') texts.push(part.text);
    });
    await chat.send('q', []);
    expect((await until(chat, rested)).live).toBeNull();
    expect(texts).toEqual(['a', 'ab']);
  });

  it('tells nobody who has left', async () => {
    const bench = scriptedBench([say('a'), finish()]);
    const chat = await bench.open();
    let notifications = 0;
    chat.subscribe(() => void (notifications += 1))();
    await chat.send('q', []);
    await until(chat, rested);
    expect(notifications).toBe(0);
  });

  it('previews the next request without sending or storing anything', async () => {
    const bench = scriptedBench();
    const chat = await bench.open();
    const plan = await chat.preview('draft', [{ kind: 'note', id: 'A.md', label: 'A' }], new AbortController().signal);
    const texts = plan.ok ? textsOf(plan.value) : [];
    expect(texts.map(([role]) => role)).toEqual(['user', 'user', 'assistant', 'user']);
    expect(texts[0]?.[1]).toContain('<environment>');
    expect(texts[1]?.[1]).toContain('alpha');
    expect(texts[3]).toEqual(['user', 'draft']);
    expect([bench.store.appends, bench.model.plans.length]).toEqual([0, 0]);
  });

  it('remembers its choices in the log', async () => {
    const bench = scriptedBench([say('a'), finish()]);
    const chat = await bench.open();
    await chat.choose({ mode: 'planning', tier: 5 });
    expect((await bench.open()).choices).toMatchObject({ mode: 'planning', tier: 5, model: 'reader/built-in' });
  });

  it('shares one live chat among panes, and closes it for all', async () => {
    const bench = scriptedBench([say('a'), finish()]);
    const chat = await bench.open();
    const chats = new OpenChats(portsOf(chat), logPorts(bench.store));
    const [one, two, other] = await Promise.all([chats.open('c1'), chats.open('c1'), chats.open(null)]);
    expect(one.ok && two.ok && one.value === two.value).toBe(true);
    expect(one.ok && other.ok && one.value !== other.value).toBe(true);
    expect(bench.store.appends).toBe(0);
    chats.close();
  });
});
