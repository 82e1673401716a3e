import { foldChoices } from '../../../../src/core/context/chat-choices';
import { fail, succeed } from '../../../../src/core/ports/failure';
import type { SessionEntry } from '../../../../src/core/session/entry';
import { encodeEntry } from '../../../../src/core/session/log-format';
import { SessionLog } from '../../../../src/core/session/session-log';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { words } from '../../../../src/text';
import { answer, entry, user } from '../../../support/entries';
import { countingIdentifiers, digest, logPorts, memoryStore, noSpace } from '../../../support/memory-ports';

async function reopen(store: ReturnType<typeof memoryStore>, ids = 'r'): Promise<SessionLog> {
  const opened = await SessionLog.open('c1', logPorts(store, { session: 's2', identifiers: countingIdentifiers(ids) }));
  if (!opened.ok) throw new Error('not opened');
  return opened.value;
}

describe('SessionLog', () => {
  it('stores nothing before the first entry', async () => {
    const store = memoryStore();
    const log = SessionLog.start('c1', logPorts(store));
    expect([store.appends, log.entries]).toEqual([0, []]);
    expect((await reopen(store)).entries).toEqual([]);
  });

  it('S1 gives what it stored back, in order, with rising logical time', async () => {
    const store = memoryStore();
    const log = SessionLog.start('c1', logPorts(store));
    await Promise.all(['a', 'b', 'c'].map((text) => log.append(user(text))));
    const again = await reopen(store);
    expect(again.entries).toEqual(log.entries);
    expect(again.entries.map(({ lamport }) => lamport)).toEqual([1, 2, 3]);
    const next = await again.append(user('d'));
    expect(next.ok && next.value).toMatchObject({ lamport: 4, session: 's2', writer: 'w1', conversation: 'c1' });
  });

  it('stores nothing once its files were taken away, shows what has happened all the same, and looks at no others', async () => {
    const store = memoryStore();
    const log = SessionLog.start('c1', logPorts(store));
    await log.append(user('a'));
    expect(await log.leave(() => Promise.resolve(succeed(undefined)))).toEqual(succeed(undefined));
    expect([await log.append(user('b')), await log.append(answer('An answer.'))]).toMatchObject([
      { ok: false, failure: { words: words.branches.trashed } },
      { ok: false },
    ]);
    expect(log.entries.map(({ kind }) => kind)).toEqual(['user', 'assistant']);
    store.logs.get('c1')?.set('other', encodeEntry(entry(user('c'), { id: 'c', lamport: 9 }), digest));
    expect([await log.look(), store.appends]).toEqual([false, 1]);
  });

  it('writes an entry out once, since one that stages a long note has all of it', async () => {
    const log = SessionLog.start('c1', logPorts(memoryStore()));
    const write = jest.spyOn(JSON, 'stringify');
    await log.append(user('Once.'));
    const written = write.mock.results.filter(({ value }) => String(value).includes('Once.'));
    write.mockRestore();
    expect(written).toHaveLength(1);
  });

  it.each([2 ** 53 - 1, 2 ** 53, 1e300, 7.5])(
    'goes on in order after an entry at the logical time %d',
    async (lamport) => {
      const store = memoryStore();
      await SessionLog.start('c1', logPorts(store)).append(user('a'));
      store.logs.get('c1')?.set('other', encodeEntry(entry(user('odd'), { id: 'odd', lamport }), digest));
      for (const texts of ['bcd', 'efg', 'hij']) {
        const log = await reopen(store, texts);
        for (const text of texts) expect((await log.append(user(text))).ok).toBe(true);
      }
      const log = await reopen(store);
      const read = log.entries.map((each) => (each.kind === 'user' ? each.text : ''));
      expect(read.filter((text) => text !== 'odd').join('')).toBe('abcdefghij');
      expect([read.includes('odd'), log.damaged]).toEqual([true, 0]);
    },
  );

  it('lets the app go on while it reads a long log', async () => {
    const store = memoryStore();
    const log = SessionLog.start('c1', logPorts(store));
    for (let part = 0; part < 40; part += 1) await log.append(user('x'.repeat(25_000)));
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    const again = await reopen(store);
    clearImmediate(next);
    expect(again.entries).toHaveLength(40);
    expect(turns).toBeGreaterThan(20);
  });

  it('S2 F2 starts on a fresh line after an append that was torn', async () => {
    const store = memoryStore();
    store.fault = (append) => (append === 2 ? 'torn' : 'full');
    const log = SessionLog.start('c1', logPorts(store));
    expect((await log.append(user('a'))).ok).toBe(true);
    expect(await log.append(user('b'))).toEqual(fail(noSpace));
    expect((await log.append(user('c'))).ok).toBe(true);
    expect(log.entries.map((each) => each.kind === 'user' && each.text)).toEqual(['a', 'c']);
    const again = await reopen(store);
    expect(again.entries).toEqual(log.entries);
    expect(again.damaged).toBe(1);
  });

  it('has an entry once that was written although its append failed, and is appended again', async () => {
    const store = memoryStore();
    store.fault = (append) => (append === 2 ? 'unsaid' : 'full');
    const log = SessionLog.start('c1', logPorts(store));
    expect([(await log.append(user('a'))).ok, (await log.append(user('b'))).ok]).toEqual([true, false]);
    for (const text of ['b', 'b']) expect((await log.append(user(text))).ok).toBe(true);
    // The second one after it is another message of the same words.
    expect((await reopen(store)).entries).toMatchObject(['a', 'b', 'b'].map((text) => ({ text })));
  });

  it.each(['torn', 'lost'] as const)(
    'F5 loses nothing that was acknowledged when append %s at any operation',
    async (how) => {
      for (let failing = 1; failing <= 6; failing += 1) {
        const store = memoryStore();
        store.fault = (append) => (append === failing ? how : 'full');
        const log = SessionLog.start('c1', logPorts(store));
        const acknowledged: string[] = [];
        for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) {
          const outcome = await log.append(user(text));
          if (outcome.ok) acknowledged.push(outcome.value.id);
        }
        expect(acknowledged).toHaveLength(5);
        expect((await reopen(store)).entries.map(({ id }) => id)).toEqual(acknowledged);
      }
    },
  );

  it('passes on why a conversation cannot be opened', async () => {
    const store = { ...memoryStore(), shards: () => Promise.resolve(fail(noSpace)) };
    expect(await SessionLog.open('c1', logPorts(store))).toEqual(fail(noSpace));
  });
});

describe('what a chat has chosen', () => {
  it('starts from the settings, and the newest choice of each kind wins', () => {
    const choices = [
      entry({ kind: 'choices', choices: { mode: 'planning', tier: 2 } }),
      entry({ kind: 'choices', choices: { mode: 'debugger', selectedPrompt: 'P.md' } }),
    ];
    expect(foldChoices(choices, { ...defaultSettings, contextNotes: ['A.md'] })).toEqual({
      model: 'reader/built-in',
      mode: 'debugger',
      tier: 2,
      permission: 'review',
      contextNotes: ['A.md'],
      selectedPrompt: 'P.md',
      selectedWorkspace: null,
      sectionsOff: [],
    });
  });
});

describe('the end of a long log', () => {
  const opened = async (store: ReturnType<typeof memoryStore>): Promise<readonly (readonly SessionEntry[])[]> => {
    const ends: (readonly SessionEntry[])[] = [];
    const log = await SessionLog.open('c1', logPorts(store), (entries) => {
      ends.push(entries);
      return Promise.resolve();
    });
    if (!log.ok) throw new Error('not opened');
    for (const end of ends) expect(log.value.entries.slice(-end.length)).toEqual(end);
    return ends;
  };

  it('is there before the rest is read, from a message on, as it is in the whole', async () => {
    const store = memoryStore();
    const log = SessionLog.start('c1', logPorts(store));
    const failure = { kind: 'refused' as const, words: 'No.', remedy: '' };
    for (let turn = 0; turn < 150; turn += 1) {
      await log.append(user(`${turn} ${'x'.repeat(2_000)}`));
      await log.append({ kind: 'failure', failure });
    }
    const [end = [], ...others] = await opened(store);
    expect([end.length, end[0]?.kind, others]).toEqual([48, 'user', []]);
  });

  it('is shown in another task than it was read in', async () => {
    const store = memoryStore();
    const log = SessionLog.start('c1', logPorts(store));
    for (let turn = 0; turn < 9; turn += 1) await log.append(user(`${turn} ${'x'.repeat(100_000)}`));
    const { shards } = store;
    const tasks: string[] = [];
    /** After more callbacks of this task than opening a log needs. */
    const endOfTask = async (): Promise<void> => {
      for (let callback = 0; callback < 1_000; callback += 1) await Promise.resolve();
    };
    const ports = logPorts({
      ...store,
      shards: async (id, names) => {
        const found = await shards(id, names);
        void endOfTask().then(() => tasks.push('task is over'));
        return found;
      },
    });
    await SessionLog.open('c1', ports, async () => void tasks.push('shown'));
    expect(tasks.slice(0, 2)).toEqual(['task is over', 'shown']);
  });

  it('is not read apart from a short log, and not shown without a message', async () => {
    const store = memoryStore();
    const log = SessionLog.start('c1', logPorts(store));
    await log.append(user('a'));
    expect(await opened(store)).toEqual([]);
    for (let turn = 0; turn < 9; turn += 1) await log.append({ kind: 'title', title: 'x'.repeat(100_000) });
    expect(await opened(store)).toEqual([]);
  });

  /** A log of three shards of 600 KB each, written at these times, and the shards in the order of their reading. */
  async function readInOrder(...times: readonly number[]): Promise<{ readonly read: string[]; readonly ends: number }> {
    const store = memoryStore();
    for (const [index, time] of times.entries()) {
      store.shard = `shard-${time}-${index}`;
      const log = await reopen(store, `r${index}-`);
      for (let turn = 0; turn < 6; turn += 1) await log.append(user(`${index} ${turn} ${'x'.repeat(100_000)}`));
    }
    const read: string[] = [];
    const { marks, shards } = store;
    const dated = (name: string): number => Number(name.split('-')[1]);
    const ports = logPorts({
      ...store,
      marks: async (id) => {
        const all = await marks!(id);
        return all.ok ? succeed(all.value.map((mark) => ({ ...mark, modified: dated(mark.name) }))) : all;
      },
      shards: async (id, names) => {
        const found = await shards(id, names);
        read.push(found.ok ? found.value.map(({ name }) => name).join(' ') : '');
        return found;
      },
    });
    let ends = 0;
    const log = await SessionLog.open('c1', ports, (entries) => {
      ends += 1;
      read.push('shown');
      expect(entries.at(-1)).toMatchObject({ text: expect.stringMatching(/^\d 5 /) as unknown });
      return Promise.resolve();
    });
    expect(log.ok && log.value.entries.length).toBe(times.length * 6);
    expect(log.ok && (await log.value.look())).toBe(false);
    return { read, ends };
  }

  it('is read from the shards written last, each of which is read once', async () => {
    const { read } = await readInOrder(1, 2, 3);
    expect(read).toEqual(['shard-3-2', 'shown', 'shard-1-0 shard-2-1']);
  });

  it('is taken from all of them where their times do not say which is the newest', async () => {
    const { read, ends } = await readInOrder(7, 7, 7);
    expect([read.at(-1), read.length, ends]).toEqual(['shown', 2, 1]);
  });
});
