/** A log whose files others change while it is open: vanished, cut, replaced, and continued on another device. */
import { shown } from '../../../support/chat-bench';
import { answer, entry, result, toolCall, user } from '../../../support/entries';
import { countingIdentifiers, digest, logPorts, type MemoryStore, memoryStore } from '../../../support/memory-ports';
import { foldTranscript } from '../../../../src/core/chat/transcript';
import type { EntryBody, SessionEntry } from '../../../../src/core/session/entry';
import { encodeEntry } from '../../../../src/core/session/log-format';
import { succeed } from '../../../../src/core/ports/failure';
import { foldLog } from '../../../../src/core/request/history';
import { SessionLog } from '../../../../src/core/session/session-log';
import { expectCostBelow, expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { mergeShards } from '../../../support/merge-shards';

const lineOf = (each: SessionEntry): string => encodeEntry(each, digest);
const byKey = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function openOn(store: MemoryStore, device: string): Promise<SessionLog> {
  const identifiers = countingIdentifiers(device);
  const opened = await SessionLog.open('c1', logPorts(store, { writer: device, session: 's', identifiers }));
  if (!opened.ok) throw new Error(opened.failure.words);
  return opened.value;
}

/** A device with a shard of its own in the folder. */
async function deviceOn(logs: MemoryStore['logs'], device: string): Promise<SessionLog> {
  const store = memoryStore(logs, device);
  return openOn(store, device);
}

async function add(log: SessionLog, ...bodies: EntryBody[]): Promise<void> {
  for (const body of bodies) expect((await log.append(body)).ok).toBe(true);
}

const said = (entries: readonly SessionEntry[]): string[] =>
  entries.flatMap((each) => {
    if (each.kind === 'user') return [each.text];
    if (each.kind === 'log-restored') return [`restored ${each.lines}`];
    return each.kind === 'assistant' ? [each.parts.map((part) => ('text' in part ? part.text : '')).join('')] : [];
  });

const restartedText = async (logs: MemoryStore['logs']): Promise<string[]> => said((await deviceOn(logs, 'z')).entries);

describe('a log whose files are not as they were', () => {
  const spoils: readonly (readonly [string, (logs: MemoryStore['logs']) => void])[] = [
    ['vanished', (logs) => logs.clear()],
    ['vanished in part', (logs) => logs.get('c1')?.delete('a')],
    ['emptied', (logs) => logs.get('c1')?.set('a', '')],
    ['cut in the middle of a line', (logs) => logs.get('c1')?.set('a', (logs.get('c1')?.get('a') ?? '').slice(0, -9))],
    ['filled with NUL bytes', (logs) => logs.get('c1')?.set('a', '\0'.repeat(3000))],
    [
      'set back to an older copy',
      (logs) => {
        const text = logs.get('c1')?.get('a') ?? '';
        logs.get('c1')?.set('a', text.slice(0, text.indexOf('\n') + 1));
      },
    ],
  ];

  it.each(spoils)('F10 gets back all its entries when its file was %s', async (_how, spoil) => {
    const logs: MemoryStore['logs'] = new Map();
    const log = await deviceOn(logs, 'a');
    await add(log, user('one'), answer('1'), user('two'), answer('2'));
    spoil(logs);
    await add(log, user('three'));
    const again = await restartedText(logs);
    expect(again.filter((text) => !text.startsWith('restored'))).toEqual(['one', '1', 'two', '2', 'three']);
    expect(again.filter((text) => text.startsWith('restored'))).toHaveLength(1);
    expect(said(log.entries)).toEqual(again);
  });

  it('gets back what an earlier session and another device wrote, when their files vanished', async () => {
    const logs: MemoryStore['logs'] = new Map();
    await add(await deviceOn(logs, 'b'), user('from b'), answer('to b'));
    const log = await deviceOn(logs, 'a');
    await add(log, user('from a'));
    logs.clear();
    await add(log, answer('to a'));
    expect(await restartedText(logs)).toEqual(['from b', 'to b', 'from a', 'restored 3', 'to a']);
  });

  it('brings back a line of a newer version, byte for byte', async () => {
    const logs: MemoryStore['logs'] = new Map();
    const newer = lineOf(entry({ kind: 'from-the-future', more: 1 } as unknown as EntryBody));
    logs.set('c1', new Map([['b', newer]]));
    const log = await deviceOn(logs, 'a');
    logs.get('c1')?.delete('b');
    await add(log, { kind: 'title', title: 'Mine' });
    expect(logs.get('c1')?.get('a')).toContain(newer);
  });

  it('brings back an entry byte for byte to which a newer version has added', async () => {
    const logs: MemoryStore['logs'] = new Map();
    const record = lineOf(entry(user('one'))).replace(/,"c":"\w+"\}\n$/, ',"z":"new"}');
    const newer = `${record.slice(0, -1)},"c":"${digest(record).slice(0, 16)}"}\n`;
    logs.set('c1', new Map([['b', newer]]));
    const log = await deviceOn(logs, 'a');
    expect(said(log.entries)).toEqual(['one']);
    logs.get('c1')?.delete('b');
    await add(log, user('two'));
    expect(logs.get('c1')?.get('a')).toContain(newer);
  });

  it('takes no message into a chat that a newer version wrote in part, but a name and a place in the list', async () => {
    const logs: MemoryStore['logs'] = new Map();
    const newer = lineOf(entry({ kind: 'from-the-future', more: 1 } as unknown as EntryBody));
    const known = [user('one'), answer('1')].map((body) => lineOf(entry(body)));
    logs.set('c1', new Map([['b', known.join('') + newer]]));
    const log = await deviceOn(logs, 'a');
    expect([log.isReadOnly, said(log.entries)]).toEqual([true, ['one', '1']]);
    for (const body of [user('two'), answer('2'), { kind: 'choices', choices: { model: 'm' } } as const]) {
      expect(await log.append(body)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    }
    await add(log, { kind: 'chat-list', pinned: true });
    expect(said((await deviceOn(logs, 'z')).entries)).toEqual(['one', '1']);
  });

  it('says how many entries were written back, once, and a torn line that is whole elsewhere is no damage', async () => {
    const logs: MemoryStore['logs'] = new Map();
    const log = await deviceOn(logs, 'a');
    await add(log, user('one'), answer('1'));
    logs.get('c1')?.set('a', (logs.get('c1')?.get('a') ?? '').slice(0, -30));
    await add(log, user('two'), answer('2'));
    const again = await deviceOn(logs, 'z');
    expect(said(again.entries)).toEqual(['one', '1', 'restored 1', 'two', '2']);
    expect(again.damaged).toBe(0);
    expect(shown({ items: foldTranscript(again.entries) })).toContain(
      'relief: One entry was missing from this chat’s files and was restored.',
    );
  });

  it('writes nothing back while the files are as they were, and never reads them', async () => {
    const store = memoryStore(new Map(), 'a');
    let reads = 0;
    const counted: MemoryStore = { ...store, shards: (...asked) => ((reads += 1), store.shards(...asked)) };
    const log = await openOn(counted, 'a');
    for (let turn = 0; turn < 5; turn += 1) await add(log, user('q'), answer('a'));
    expect(await log.look()).toBe(false);
    expect(reads).toBe(1);
    expect(store.linesOf('c1')).toHaveLength(10);
  });

  it('reads only the shard that grew, and appends to ten megabytes as cheaply as to none', async () => {
    const long = answer('x'.repeat(1000));
    const shards = new Map<string, string>();
    for (let shard = 0; shard < 10; shard += 1) {
      const lines = Array.from({ length: 900 }, (_, at) => lineOf(entry(long, { id: `b${shard}x${at}`, writer: 'b' })));
      shards.set(`b-${shard}`, lines.join(''));
    }
    const store = memoryStore(new Map([['c1', shards]]), 'a');
    const reads: (readonly string[] | undefined)[] = [];
    const counted: MemoryStore = { ...store, shards: (id, names) => (reads.push(names), store.shards(id, names)) };
    const log = await openOn(counted, 'a');
    expect(log.entries).toHaveLength(9000);
    shards.set('b-3', (shards.get('b-3') ?? '') + lineOf(entry(user('more'), { writer: 'b' })));
    expect(await log.look()).toBe(true);
    expect(reads).toEqual([undefined, ['b-3']]);
    // The store in memory counts the bytes of all shards for its marks, which a disk has at hand.
    const marks = await store.marks?.('c1');
    const cheap = await openOn({ ...store, marks: () => Promise.resolve(marks ?? succeed([])) }, 'b');
    await expectCostBelow(5, () => cheap.append({ kind: 'choices', choices: {} }));
  });

  it('reads what a conflict copy holds besides, and keeps what only its own file has', async () => {
    const logs: MemoryStore['logs'] = new Map();
    const log = await deviceOn(logs, 'a');
    await add(log, user('one'), answer('1'));
    const shards = logs.get('c1');
    const old = shards?.get('a') ?? '';
    const other = lineOf(entry(user('elsewhere'), { writer: 'b', lamport: 40 }));
    shards?.set('a.sync-conflict-20261123-101010-ABCDEFG', old + other);
    shards?.set('a', old.slice(0, old.indexOf('\n') + 1));
    expect(await log.look()).toBe(true);
    expect(said(log.entries)).toEqual(['one', '1']);
    log.join();
    expect(said(log.entries)).toEqual(['one', '1', 'elsewhere']);
    await add(log, user('last'));
    expect(said(log.entries).at(-1)).toBe('last');
  });

  it('loses nothing when files cannot be listed or read for a while', async () => {
    const store = memoryStore(new Map(), 'a');
    let isDown = false;
    const refused = { ok: false as const, failure: { kind: 'storage' as const, words: 'EIO', remedy: '' } };
    const flaky: MemoryStore = {
      ...store,
      shards: (...asked) => (isDown ? Promise.resolve(refused) : store.shards(...asked)),
    };
    const log = await openOn(flaky, 'a');
    await add(log, user('one'));
    store.logs.clear();
    store.logs.set('c1', new Map([['a', 'rubbish\n']]));
    isDown = true;
    await add(log, user('two'));
    isDown = false;
    await add(log, user('three'));
    expect((await restartedText(store.logs)).filter((text) => !text.startsWith('restored'))).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it('reads a file that could not be read when the chat was opened as soon as it can be', async () => {
    const logs: MemoryStore['logs'] = new Map();
    await add(await deviceOn(logs, 'b'), user('from b'), answer('to b'));
    const store = memoryStore(logs, 'a');
    const { shards } = store;
    store.shards = async (...asked) => {
      const read = await shards(...asked);
      return succeed(
        (read.ok ? read.value : []).map(({ name }) => ({ name, text: 'EBUSY\n', isUnread: true as const })),
      );
    };
    const log = await openOn(store, 'a');
    expect([said(log.entries), log.damaged]).toEqual([[], 1]);
    store.shards = shards;
    await add(log, user('from a'));
    expect(await log.look()).toBe(true);
    log.join();
    expect([said(log.entries), log.damaged]).toEqual([['from b', 'to b', 'from a'], 0]);
    expect(await restartedText(logs)).toEqual(['from b', 'to b', 'from a']);
  });

  it('reads on in its other files while one cannot be read, also if that one never can', async () => {
    const logs: MemoryStore['logs'] = new Map();
    await add(await deviceOn(logs, 'b'), user('from b'));
    const other = await deviceOn(logs, 'c');
    await add(other, user('from c'));
    const store = memoryStore(logs, 'a');
    const { shards } = store;
    const locked = new Set(['b']);
    store.shards = async (...asked) => {
      const read = await shards(...asked);
      const isUnread = true as const;
      return succeed(
        (read.ok ? read.value : []).map((each) =>
          locked.has(each.name) ? { name: each.name, text: 'EACCES\n', isUnread } : each,
        ),
      );
    };
    const log = await openOn(store, 'a');
    await add(other, user('more of c'));
    expect(await log.look()).toBe(true);
    log.join();
    expect([said(log.entries), log.damaged]).toEqual([['from c', 'more of c'], 1]);
    // What is missing in a file is written back, and not what may be in a new one that cannot be read yet.
    const shard = logs.get('c1')!;
    const whole = shard.get('c') ?? '';
    shard.set('c', whole.slice(0, whole.indexOf('\n') + 1));
    expect(await log.look()).toBe(true);
    expect(shard.get('a')).toContain('more of c');
    expect(shard.get('a')).not.toContain('from c');
    shard.delete('c');
    shard.set('c-moved', whole);
    locked.add('c-moved');
    await log.look();
    expect(shard.get('a')).not.toContain('from c');
    locked.clear();
    await log.look();
    log.join();
    expect(said(log.entries).filter((text) => !text.startsWith('restored'))).toEqual(['from b', 'from c', 'more of c']);
    expect(shard.get('a')).not.toContain('from c');
  });

  it('F5 holds an answer that the disk refuses, and stores it with the next entry', async () => {
    const store = memoryStore(new Map(), 'a');
    store.fault = (append) => (append === 2 || append === 3 ? 'torn' : 'full');
    const log = await openOn(store, 'a');
    await add(log, user('one'));
    expect((await log.append(answer('1'))).ok).toBe(false);
    expect((await log.append(user('two'))).ok).toBe(false);
    expect(said(log.entries)).toEqual(['one', '1']);
    await add(log, user('two'), answer('2'));
    expect(await restartedText(store.logs)).toEqual(['one', '1', 'two', '2']);
    expect(said(log.entries)).toEqual(['one', '1', 'two', '2']);
  });
});

describe('turns of two devices at the same time', () => {
  /** Both devices know the first turn and ask; each learns of the other only afterwards. */
  async function concurrent(): Promise<MemoryStore['logs']> {
    const logs: MemoryStore['logs'] = new Map();
    const a = await deviceOn(logs, 'a');
    await add(a, user('first'), answer('first answer'));
    const b = await deviceOn(logs, 'b');
    const turnOf = async (log: SessionLog, name: string): Promise<void> => {
      const asked = await log.append(user(name));
      log.answering(asked.ok ? asked.value.id : null);
      await add(log, answer('looking', toolCall(`${name}-1`)), result(`${name}-1`), answer(`answer to ${name}`));
      log.answering(null);
    };
    await Promise.all([turnOf(a, 'qA'), turnOf(b, 'qB')]);
    return logs;
  }
  const inOrder = ['first', 'first answer', 'qA', 'looking', 'answer to qA', 'qB', 'looking', 'answer to qB'];

  it('joins each answer to its own question, on every device alike', async () => {
    const logs = await concurrent();
    const shards = [...(logs.get('c1') ?? [])].map(([name, text]) => ({ name, text }));
    expect(said(mergeShards(shards, digest).entries)).toEqual(inOrder);
    expect(said(mergeShards([...shards].reverse(), digest).entries)).toEqual(inOrder);
  });

  it('does so in logs that do not say whose turn an entry is', async () => {
    const logs = await concurrent();
    const { entries } = mergeShards(
      [...(logs.get('c1') ?? [])].map(([name, text]) => ({ name, text })),
      digest,
    );
    const without = [...entries]
      .sort((x, y) => x.lamport - y.lamport || byKey(x.writer, y.writer))
      .map(({ turn: _turn, ...rest }) => lineOf(rest as SessionEntry));
    expect(said(mergeShards([{ name: 'all', text: without.join('') }], digest).entries)).toEqual(inOrder);
  });

  it('sends the model question and answer in turn', async () => {
    const logs = await concurrent();
    const messages = foldLog((await deviceOn(logs, 'c')).entries);
    expect(messages.map(({ role }) => role).join(' ')).toBe(
      'user assistant user assistant tool assistant user assistant tool assistant',
    );
  });

  it('shows where the chat went on elsewhere', async () => {
    const logs = await concurrent();
    const items = shown({ items: foldTranscript((await deviceOn(logs, 'c')).entries) });
    expect(items).toEqual([
      'user: first',
      'answer (complete): first answer',
      'user: qA',
      'answer (complete): looking[read_note: result of qA-1]answer to qA',
      'relief: Continued on another device from here.',
      'user: qB',
      'answer (complete): looking[read_note: result of qB-1]answer to qB',
    ]);
  });

  it('keeps an answer with its question although another device asked and chose in between', async () => {
    const question = entry(user('qA'), { writer: 'a' });
    const later = entry(user('qB'), { writer: 'b' });
    const choice = entry({ kind: 'choices', choices: { mode: 'planning' } }, { writer: 'b' });
    const again = entry(answer('to qA'), { writer: 'a', session: 'after a restart', turn: question.id });
    const text = [question, later, choice, again].map(lineOf).join('');
    const { entries } = mergeShards([{ name: 'x', text }], digest);
    expect(entries.map(({ id }) => id)).toEqual([question.id, again.id, later.id, choice.id]);
  });

  it('leaves the order of one device as it is', async () => {
    const log = await deviceOn(new Map(), 'a');
    const kinds: EntryBody[] = [
      user('one'),
      { kind: 'choices', choices: { mode: 'planning' } },
      answer('1'),
      { kind: 'title', title: 'T' },
      user('two'),
      answer('2'),
      { kind: 'choices', choices: { tier: 2 } },
    ];
    await add(log, ...kinds);
    const merged = mergeShards([{ name: 'a', text: log.entries.map(lineOf).join('') }], digest);
    expect(merged.entries.map(({ kind }) => kind)).toEqual(kinds.map(({ kind }) => kind));
  });

  it('merges, gathers, and finds missing lines in linear time', async () => {
    const textOf = (count: number): string => {
      const lines: string[] = [];
      for (let at = 0; at < count; at += 1) {
        const writer = at % 2 === 0 ? 'a' : 'b';
        lines.push(lineOf(entry(at % 6 < 2 ? user('q') : answer('a'), { writer, id: `e${at}`, lamport: at })));
      }
      return lines.join('');
    };
    const run = (text: string) => async (): Promise<void> => {
      const logs: MemoryStore['logs'] = new Map([['c1', new Map([['b', text]])]]);
      const log = await deviceOn(logs, 'a');
      logs.get('c1')?.delete('b');
      await log.look();
    };
    await expectGrowthBelow(2.6, run(textOf(6000)), run(textOf(3000)));
  });
});
