/** The list of chats: read from the logs, brought up to date, searched, and changed by entries of the logs alone. */
import { ChatIndex, type ChatSummary } from '../../../../src/core/chat/chat-index';
import { groupUsage, totalUsage, type UsagePlace } from '../../../../src/core/chat/usage';
import { OpenChats } from '../../../../src/core/chat/open-chats';
import { escapeText, SentEscapes } from '../../../../src/core/markup/escapes';
import { unsavedOf } from '../../../../src/core/ports/device';
import { fail, succeed } from '../../../../src/core/ports/failure';
import type { EntryBody } from '../../../../src/core/session/entry';
import { SessionLog } from '../../../../src/core/session/session-log';
import { chatBench, until } from '../../../support/chat-bench';
import {
  countingIdentifiers,
  digest,
  logPorts,
  memoryDevice,
  type MemoryStore,
  memoryStore,
  noSpace,
} from '../../../support/memory-ports';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';

const said = (text: string): EntryBody => ({ kind: 'user', text, mentions: [] });
const answered = (text: string, cost = 0): EntryBody => ({
  ...{ kind: 'assistant', parts: [{ type: 'text', text }], end: 'complete', model: 'anthropic/opus' },
  usage: { inputTokens: 10, outputTokens: 5, ...(cost > 0 && { cost }) },
});

const identifiers = countingIdentifiers();
const usagePlace: UsagePlace = { day: (time) => new Date(time).toISOString().slice(0, 10), isMetered: () => true };

/** Writes a chat as the writer of a device does. */
async function write(store: MemoryStore, id: string, ...bodies: readonly EntryBody[]): Promise<void> {
  const log = await SessionLog.open(id, logPorts(store, { writer: store.shard, session: store.shard, identifiers }));
  if (!log.ok) throw new Error('no log');
  for (const body of bodies) await log.value.append(body);
}

function open(store: MemoryStore, device = memoryDevice()) {
  const reads: string[] = [];
  const shards: MemoryStore['shards'] = (id, names) => {
    reads.push(id);
    return store.shards(id, names);
  };
  const counted = { ...store, conversations: () => store.conversations(), shards };
  const chats = new OpenChats(chatBench().allPorts(), logPorts(counted, { identifiers }));
  const trashed: string[] = [];
  const index = new ChatIndex({
    ...{ store: counted, digest, memory: unsavedOf({ device }), usagePlace },
    annotate: (id, body) => chats.annotate(id, body),
    trash: (id) => {
      trashed.push(id);
      return Promise.resolve(store.logs.delete(id) ? succeed(undefined) : fail(noSpace));
    },
  });
  return { index, chats, reads, trashed, device };
}

const titles = (index: ChatIndex): string[] => index.chats.map(({ title }) => title);

describe('the list', () => {
  it('shows what was said, by whom, for how much, and nothing of chats that were only opened', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('  Which boat\n is blue? '), answered('The dinghy.', 0.25), answered('Yes.', 0.5));
    await write(store, 'c2', { kind: 'choices', choices: { mode: 'assistant' } });
    const { index } = open(store);
    await index.refresh();
    expect(index.chats).toHaveLength(1);
    const shown: Partial<ChatSummary> = { id: 'c1', title: 'Which boat is blue?', isNamed: false, messages: 1 };
    expect(index.chats[0]).toMatchObject({ ...shown, model: 'anthropic/opus', spent: 0.75, problem: '', damaged: 0 });
  });

  it.each([
    ['[[Oatcakes]] how much salt?', 'Oatcakes how much salt?'],
    ['Compare [[Recipes/Oatcakes]] with [[Recipes/Bread|the bread]]', 'Compare Oatcakes with the bread'],
    ['What does [[ mean? And ]?', 'What does [[ mean? And ]?'],
    ['[[Recipes/]] and [[|x]] and ![[mast.svg]]', '[[Recipes/]] and [[|x]] and !mast.svg'],
  ])('names notes in the title of %s as Obsidian shows them', async (text, title) => {
    const store = memoryStore();
    await write(store, 'c1', said(text));
    const { index } = open(store);
    await index.refresh();
    expect(titles(index)).toEqual([title]);
  });

  it('reads only logs that changed, also after a restart, and all of them when the stored index is damaged', async () => {
    const store = memoryStore();
    for (const id of ['c1', 'c2', 'c3']) await write(store, id, said(`Question of ${id}`));
    const first = open(store);
    await first.index.refresh();
    await first.index.refresh();
    expect(first.reads).toHaveLength(3);
    await write(store, 'c2', answered('Now there is more.'));
    const second = open(store, first.device);
    await second.index.refresh();
    expect(second.reads).toEqual(['c2']);
    store.logs.delete('c3');
    const third = open(store, first.device);
    await third.index.refresh();
    expect([third.reads, titles(third.index)]).toEqual([[], ['Question of c1', 'Question of c2']]);
    const { version, chats } = JSON.parse(first.device.get('chat-index') ?? '') as { version: number; chats: object[] };
    const unsummarized = chats.map((chat) => ({ ...chat, summary: undefined }));
    const unmarked = chats.map((chat) => ({ ...chat, mark: 1 }));
    const partly = [unsummarized, unmarked, [null]].map((list) => JSON.stringify({ version, chats: list }));
    for (const damage of [...partly, 'half a', '[]', '{"version":1,"chats":[]}']) {
      first.device.set('chat-index', damage);
      const again = open(store, first.device);
      await again.index.refresh();
      expect(titles(again.index)).toEqual(['Question of c1', 'Question of c2']);
    }
  });

  it('follows the files while a list is in view, and costs nothing else', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('First'));
    const { index, reads } = open(store);
    index.touched();
    expect(reads).toEqual([]);
    const release = index.show();
    await index.refresh();
    await write(store, 'c1', said('More'));
    index.touched();
    await index.refresh();
    expect(index.find('c1')?.messages).toBe(2);
    release();
    reads.length = 0;
    await write(store, 'c1', said('Even more'));
    index.touched();
    await Promise.resolve();
    expect(reads).toEqual([]);
  });

  it('tells who listens of each change, until they listen no more', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('First'));
    const { index } = open(store);
    const heard: (readonly string[])[] = [];
    const release = index.subscribe(() => void heard.push(titles(index)));
    await index.refresh();
    expect(heard.at(-1)).toEqual(['First']);
    release();
    const before = heard.length;
    await write(store, 'c2', said('Second'));
    await index.refresh();
    expect([heard.length, titles(index).length]).toEqual([before, 2]);
  });

  it.each(['the chat', 'one of its files'])('reads a chat again once %s can be read', async (what) => {
    const store = memoryStore();
    await write(store, 'c1', said('Boats'));
    const { shards } = store;
    const unread = [{ name: 'a', text: 'EBUSY\n', isUnread: true as const }];
    store.shards = () => Promise.resolve(what === 'the chat' ? fail(noSpace) : succeed(unread));
    const { index, device } = open(store);
    await index.refresh();
    expect([titles(index), index.find('c1')?.problem === '']).toEqual([[''], what !== 'the chat']);
    store.shards = shards;
    const again = open(store, device);
    for (const each of [index, again.index, again.index]) await each.refresh();
    expect([titles(index), titles(again.index), again.reads]).toEqual([['Boats'], ['Boats'], []]);
  });

  it('names the folders that cannot be listed, and shows what it knows of their chats', async () => {
    const store = memoryStore();
    for (const id of ['c1', 'c2']) await write(store, id, said(`Question of ${id}`));
    const { index, reads, device } = open(store);
    await index.refresh();
    const { conversations } = store;
    const refuse = (...ids: readonly string[]): void => {
      store.conversations = async () => {
        const listed = await conversations();
        const rest = (listed.ok ? listed.value : []).filter(({ id }) => !ids.includes(id));
        const unlisted = ids.map((id) => {
          return { id, modified: 0, size: 0, unlisted: { folder: `Docent/chats/${id}`, detail: `EIO of ${id}` } };
        });
        return succeed([...rest, ...unlisted]);
      };
    };
    refuse('c2', 'c9');
    await index.refresh();
    expect([titles(index), reads.length]).toEqual([['Question of c1', 'Question of c2'], 2]);
    expect(index.failure?.words).toBe(
      'Couldn’t list the files of some chats: “Docent/chats/c2”, “Docent/chats/c9”. (EIO of c2)',
    );
    refuse('c2');
    const again = open(store, device).index;
    await again.refresh();
    expect([titles(again), again.find('c2')?.problem]).toEqual([['Question of c1', 'Question of c2'], '']);
    expect(again.failure?.words).toBe('Couldn’t list the files of a chat: “Docent/chats/c2”. (EIO of c2)');
    refuse('a', 'b', 'c', 'd', 'e');
    await again.refresh();
    expect(again.failure?.words).toContain('“Docent/chats/c”, 2 more. (EIO of a)');
    refuse();
    await again.refresh();
    expect([again.failure, titles(again)]).toEqual([null, ['Question of c1', 'Question of c2']]);
  });

  it('says why a chat cannot be read, or not in full', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('Whole'));
    await write(store, 'c2', said('Torn'));
    store.logs.get('c2')?.set('b', '{"v":1,"id":"x"\n');
    await write(store, 'c3', said('Refused'));
    const { shards } = store;
    store.shards = (id, names) => (id === 'c3' ? Promise.resolve(fail(noSpace)) : shards(id, names));
    const { index } = open(store);
    await index.refresh();
    expect(index.find('c2')).toMatchObject({ title: 'Torn', damaged: 1 });
    expect(index.find('c3')?.problem).toContain(noSpace.words);
    store.conversations = () => Promise.resolve(fail(noSpace));
    await index.refresh();
    expect([index.failure?.words, index.chats.length]).toEqual([noSpace.words, 3]);
  });

  it('lists 10,000 chats of the stored index with little work', async () => {
    const store = memoryStore();
    const { index: first, device } = open(store);
    await first.refresh();
    const summary = { ...emptyOf('c'), title: 'A title of some length', messages: 4 };
    const dayAt = (at: number): string => new Date(1_700_000_000_000 + at * 600_000).toISOString().slice(0, 10);
    const usageAt = (at: number) =>
      ['anthropic/claude-opus', 'openai/gpt'].map((model, index) => ({
        ...{ day: dayAt(at), model, requests: 3, input: 12_345, output: 678 },
        ...(index === 0 ? { cached: 9_000, cacheable: 12_345, cost: 0.0123 } : { unpriced: 3 }),
      }));
    const chats = Array.from({ length: 10_000 }, (_, at) => ({
      ...{ summary: { ...summary, id: `c${at}`, changed: (at * 7919) % 10_007, usage: usageAt(at) }, mark: '0:100' },
    }));
    device.set('chat-index', JSON.stringify({ version: 4, chats }));
    store.conversations = () =>
      Promise.resolve(succeed(chats.map(({ summary: { id } }) => ({ id, modified: 0, size: 100 }))));
    await expectCostBelow(100, async () => {
      const { index, reads } = open(store, device);
      await index.refresh();
      expect([index.chats.length, reads.length]).toEqual([10_000, 0]);
      const days = groupUsage(index.used, 'day', null);
      expect([days.length, totalUsage(days).requests]).toEqual([71, 60_000]);
    });
  });
});

const emptyOf = (id: string): ChatSummary => ({
  ...{ id, title: '', isNamed: false, started: 0, changed: 0, messages: 0, model: '', goal: '', spent: 0, size: 0 },
  ...{ isPinned: false, isDeleted: false, problem: '', damaged: 0, unknown: 0, forkOf: '' },
  usage: [],
});

describe('what the user does with a chat', () => {
  it('leaves half of no character in a title that is too long', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('First'));
    const { index } = open(store);
    await index.refresh();
    await index.rename('c1', `${'x'.repeat(199)}😀`);
    expect(index.find('c1')?.title).toBe('x'.repeat(199));
  });

  it('renames, pins, deletes and restores it by entries of its log, which another device reads', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('First'));
    await write(store, 'c2', said('Second'));
    const { index } = open(store);
    await index.refresh();
    await index.rename('c1', `  The <b>keel</b>\n${'x'.repeat(3_000)}`);
    await index.pin('c1', true);
    const renamed = index.find('c1');
    expect([renamed?.title.startsWith('The <b>keel</b> x'), renamed?.title.length]).toEqual([true, 200]);
    expect(titles(index)[0]).toBe(renamed?.title);
    await index.setDeleted('c2', true);
    const elsewhere = open(store);
    await elsewhere.index.refresh();
    expect(elsewhere.index.find('c1')).toMatchObject({ isPinned: true, isNamed: true });
    expect(elsewhere.index.find('c2')?.isDeleted).toBe(true);
    await elsewhere.index.setDeleted('c2', false);
    await elsewhere.index.rename('c1', ' ');
    await index.refresh();
    expect(index.find('c1')).toMatchObject({ title: 'First', isNamed: false, isPinned: true });
    expect(index.find('c2')?.isDeleted).toBe(false);
    expect(store.linesOf('c2')).toHaveLength(3);
  });

  it('agrees on both devices after both renamed and deleted it', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('First'));
    store.shard = 'b';
    await write(store, 'c1', { kind: 'title', title: 'By b' }, { kind: 'chat-list', deleted: true });
    const ofB = store.logs.get('c1')?.get('b') ?? '';
    store.logs.get('c1')?.delete('b');
    store.shard = 'a';
    await write(store, 'c1', { kind: 'title', title: 'By a' });
    store.logs.get('c1')?.set('b', ofB);
    const [one, other] = [open(store).index, open(store).index];
    await Promise.all([one.refresh(), other.refresh()]);
    expect(one.chats).toEqual(other.chats);
    expect(one.find('c1')?.isDeleted).toBe(true);
  });

  it('renames a chat that is open through its own log, and shows nothing of it among the messages', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('First'), answered('Done.'));
    const { index, chats } = open(store);
    const opened = await chats.open('c1');
    if (!opened.ok) throw new Error('not opened');
    const before = opened.value.current.items.length;
    await index.rename('c1', 'Renamed');
    expect(index.find('c1')?.title).toBe('Renamed');
    await until(opened.value, ({ items }) => items.length === before);
  });

  it('moves its files to the trash', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('First'));
    const { index, trashed } = open(store);
    await index.refresh();
    expect((await index.trash('c1')).ok).toBe(true);
    expect([trashed, index.chats]).toEqual([['c1'], []]);
    expect((await index.trash('c1')).ok).toBe(false);
  });
});

describe('the search', () => {
  const { signal } = new AbortController();

  it('finds chats with all words, in titles first, and where the words are', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('Which anchor?'), answered(`${'Before. '.repeat(20)}The Bruce anchor holds in mud.`));
    await write(store, 'c2', said('Mud'), answered('An anchor is not needed.'));
    await write(store, 'c3', said('Anchor and mud'), { kind: 'title', title: 'Mud anchor' });
    await write(store, 'c4', said('The anchor only'));
    const { index } = open(store);
    await index.refresh();
    const hits = await index.search(' ANCHOR  mud ', signal);
    expect(hits.map(({ chat }) => chat.id)).toEqual(['c3', 'c1', 'c2']);
    const [, first] = hits;
    expect(first?.place?.isAnswer).toBe(true);
    expect(first?.passage.slice(first.found?.start, first.found?.end).toLowerCase()).toBe('anchor');
    await index.setDeleted('c1', true);
    expect((await index.search('bruce', signal)).length).toBe(0);
    expect(await index.search('  ', signal)).toEqual([]);
  });

  it('shows the message with most of the words, from 40 characters before the longest one, and none for a title', async () => {
    const store = memoryStore();
    await write(
      store,
      'c1',
      said('mud'),
      answered('A tide'),
      answered(`${'x'.repeat(39)} anchor\nin mud ${'y'.repeat(200)}`),
    );
    await write(store, 'c2', said(`${'x'.repeat(40)} keel`), { kind: 'title', title: 'Rope' });
    const { index } = open(store);
    await index.refresh();
    const [both] = await index.search('mud anchor', signal);
    expect(both?.place?.isAnswer).toBe(true);
    expect([both?.passage.slice(0, 52), both?.passage.length]).toEqual([`${'x'.repeat(39)} anchor in mu`, 160]);
    expect([both?.found, both?.marks.length]).toEqual([{ start: 40, end: 46 }, 2]);
    const [one] = await index.search('keel', signal);
    expect([one?.passage, one?.found]).toEqual([`…${'x'.repeat(39)} keel`, { start: 41, end: 45 }]);
    const [title] = await index.search('rope', signal);
    expect(title).toMatchObject({ place: null, passage: '', found: null, marks: [] });
    // A word of the title and one of a message.
    expect((await index.search('rope keel', signal)).map(({ passage }) => passage)).toEqual([one?.passage]);
    expect(await index.search('rope tide', signal)).toEqual([]);
  });

  it('shows the words that it found behind letters that are apart from their accents, and behind capitals with a dot', async () => {
    const store = memoryStore();
    await write(store, 'c1', said(`${'u\u0308'.repeat(200)} keel`));
    await write(store, 'c2', said(`${'\u0130'.repeat(200)} anchor \u0130stanbul`));
    const { index } = open(store);
    await index.refresh();
    for (const word of ['keel', 'anchor']) {
      const [hit] = await index.search(word, signal);
      expect(hit?.passage.slice(hit.found?.start, hit.found?.end)).toBe(word);
    }
    expect((await index.search('istanbul', signal)).map(({ chat }) => chat.id)).toEqual(['c2']);
  });

  it('finds and shows what an answer says as the chat shows it, also where the model wrote an escape', async () => {
    const store = memoryStore();
    const text = escapeText('Write <note> around it.');
    const sent = new SentEscapes();
    sent.add(text);
    const answer = { ...answered(text), escapes: sent.used([text]) } as EntryBody;
    await write(store, 'c1', said('How?'), answer);
    const { index } = open(store);
    await index.refresh();
    const [hit] = await index.search('<note>', signal);
    expect([text, hit?.passage]).toEqual(['Write &lt;note> around it.', 'Write <note> around it.']);
    expect(await index.search('lt;note', signal)).toEqual([]);
  });

  it('marks each word of the query in the passage, first where it is a word of its own', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('At 13: what of number 3, and of the numbers?'));
    await write(store, 'c2', said(`keel ${'x'.repeat(200)} anchors`));
    const { index } = open(store);
    await index.refresh();
    const marked = async (query: string): Promise<unknown> => {
      const [hit] = await index.search(query, signal);
      return hit?.marks.map(({ start, end }) => hit.passage.slice(start, end + 1));
    };
    expect(await marked('number 3')).toEqual(['number ', '3,']);
    expect(await marked('1 what')).toEqual(['13', 'what ']);
    expect(await marked('number numb')).toEqual(['number ']);
    expect(await marked('anchors keel')).toEqual(['anchors']);
    expect(await marked('x keel')).toEqual(['keel ', 'xx']);
  });

  it('cuts a passage between characters, at both ends', async () => {
    const store = memoryStore();
    await write(store, 'c1', said(`${'🌊'.repeat(30)}a keel ${'🌊'.repeat(90)}`));
    const { index } = open(store);
    await index.refresh();
    const [hit] = await index.search('keel', signal);
    expect(hit?.passage).toBe(`…${'🌊'.repeat(19)}a keel ${'🌊'.repeat(57)}`);
    expect(hit?.passage.slice(hit.found?.start, hit.found?.end)).toBe('keel');
  });

  it('reads a chat once, and again after it changed', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('Which anchor?'));
    const { index, reads } = open(store);
    await index.refresh();
    reads.length = 0;
    await index.search('anchor', signal);
    await index.search('boat', signal);
    expect(reads).toEqual(['c1']);
    await write(store, 'c1', answered('The boat.'));
    await index.refresh();
    expect(await index.search('boat', signal)).toHaveLength(1);
  });

  it('finds what a file says that could not be read for the search before', async () => {
    const store = memoryStore();
    await write(store, 'c1', said('Which anchor?'), answered('A Bruce.'));
    const { index } = open(store);
    await index.refresh();
    const { shards } = store;
    store.shards = () => Promise.resolve(succeed([{ name: 'a', text: 'EBUSY\n', isUnread: true }]));
    expect(await index.search('bruce', signal)).toEqual([]);
    store.shards = shards;
    expect(await index.search('bruce', signal)).toHaveLength(1);
  });

  it('lets the app go on while a long chat is read for the list and for the search', async () => {
    const store = memoryStore();
    await write(store, 'c1', ...Array.from({ length: 40 }, () => said(`anchor ${'x'.repeat(25_000)}`)));
    const { index } = open(store);
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    await index.refresh();
    const toList = turns;
    const hits = await index.search('anchor', signal);
    clearImmediate(next);
    expect([index.chats.length, hits.length]).toEqual([1, 1]);
    expect(toList).toBeGreaterThan(20);
    expect(turns - toList).toBeGreaterThan(20);
  });

  it('searches 10,000 chats that it has read with little work', async () => {
    const store = memoryStore();
    const text = 'Notes about the keel, the anchor and the weather of the week. '.repeat(16);
    const line = async (id: string): Promise<void> => write(store, id, said('Which anchor?'), answered(text));
    await line('c0');
    const written = [...(store.logs.get('c0')?.values() ?? [])].join('');
    store.conversations = () =>
      Promise.resolve(succeed(Array.from({ length: 10_000 }, (_, at) => ({ id: `c${at}`, modified: at, size: 1 }))));
    store.shards = () => Promise.resolve(succeed([{ name: 'a', text: written }]));
    const { index } = open(store);
    await index.refresh();
    await index.search('keel', signal);
    await expectCostBelow(300, async () => {
      expect((await index.search('weather anchor', signal)).length).toBe(10_000);
      expect(await index.search('zebra', signal)).toEqual([]);
    });
  }, 60_000);

  it('stops when it is not wanted any more', async () => {
    const store = memoryStore();
    for (let at = 0; at < 5; at += 1) await write(store, `c${at}`, said(`anchor ${'x'.repeat(30_000)}`));
    const { index, reads } = open(store);
    await index.refresh();
    reads.length = 0;
    const stop = new AbortController();
    const searching = index.search('anchor', stop.signal);
    stop.abort();
    await searching;
    expect(reads.length).toBeLessThan(3);
  });
});
