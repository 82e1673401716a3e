/** @jest-environment jsdom */
/** The notes that follow their chats, exports, and what becomes of their copies in the journal. */
import { Platform } from 'obsidian';
import { closeTestApps } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import { Journal } from '../../../src/core/writing/apply/journal';
import type { Writer } from '../../../src/core/writing/apply/write-steps';
import { words } from '../../../src/text';
import { clock } from '../../../src/vault/device';
import { digestOf } from '../../../src/vault/hash';
import { createJournalFiles } from '../../../src/vault/journal-files';
import { openWriting } from '../../../src/vault/writing';
import { countingIdentifiers, digest, memoryDevice } from '../../support/memory-ports';
import { type WritingChat, writingChat } from '../../support/writing-chat';

afterEach(closeTestApps);
passTimeQuickly();

const journalFolder = '.obsidian/plugins/docent/journal';
const done = { ok: true, value: undefined };
const noteOf = (chat: string, text = ''): string => `---\nchat: ${chat}\n---\n${text}`;
const notices = (): string[] => [...document.querySelectorAll('.notice-message')].map((each) => each.textContent);

async function writerIn({ writing }: WritingChat): Promise<Writer> {
  const writer = await writing.ports.writer();
  if (!writer.ok) throw new Error(writer.failure.words);
  return writer.value;
}
const stepsIn = ({ journal }: Writer): unknown[] =>
  journal.operations().map(({ call: { step, changeset, path, to, taint } }) => [step, changeset, path, to, taint]);

describe('the notes that follow their chats', () => {
  const files = {
    'Docent/chats/A.md': noteOf('a', 'One.\n'),
    'Docent/chats/picture.png': 'x',
    'Docent/chats/Older/B.md': noteOf('b'),
    'Docent/Chats.md': noteOf('c'),
    'Docent/chatsAB.md': noteOf('d'),
    'Link.md': '[[A]]\n',
  };

  it('are the notes right in their folder, hidden as they are', async () => {
    const bench = await writingChat({ files });
    const { chatNotes } = bench.writing;
    expect(chatNotes.folder()).toBe('Docent/chats');
    expect(chatNotes.list()).toEqual([{ path: 'Docent/chats/A.md', chat: 'a' }]);
    expect(await chatNotes.read('Docent/chats/A.md')).toBe(noteOf('a', 'One.\n'));
    for (const path of [
      'Docent/chats/None.md',
      'Docent/chats/picture.png',
      'Docent/chats/Older/B.md',
      'Docent/Chats.md',
    ]) {
      expect(await chatNotes.read(path)).toBeNull();
      expect((await chatNotes.trash('a', path, () => true)).ok).toBe(false);
    }
    expect(await chatNotes.read('Docent/chatsAB.md')).toBeNull();
    bench.adapter.readBinary = () => Promise.reject(new Error('EACCES'));
    expect(await chatNotes.read('Docent/chats/A.md')).toBeNull();
  });

  it('are none without their folder, and none can be read that is no text', async () => {
    const bench = await writingChat({ files: { 'A.md': 'a' } });
    expect(bench.writing.chatNotes.list()).toEqual([]);
    await bench.adapter.mkdir('Docent/chats');
    await bench.adapter.writeBinary('Docent/chats/A.md', Uint8Array.of(0xff, 0xfe, 0xfd).buffer);
    expect(await bench.writing.chatNotes.read('Docent/chats/A.md')).toBeNull();
  });

  it('are made, edited, moved, and trashed, each with one record in the journal', async () => {
    const bench = await writingChat({ files });
    const { chatNotes } = bench.writing;
    const [fresh, moved] = ['Docent/chats/New.md', 'Docent/chats/Old.md'];
    const note = { chat: 'n', path: fresh, taint: 'server' };
    const seen: (string | null)[] = [];
    const remake = (text: string | null): string => {
      seen.push(text);
      return noteOf('n', `Words ${seen.length}.\n`);
    };
    expect(await chatNotes.write(note, remake)).toEqual(done);
    const writer = await writerIn(bench);
    expect(stepsIn(writer)).toEqual([['create', 'chat-note-n', fresh, null, 'server']]);
    expect(await chatNotes.write(note, remake)).toEqual(done);
    expect(seen).toEqual([null, noteOf('n', 'Words 1.\n')]);
    expect(await bench.read(fresh)).toBe(noteOf('n', 'Words 2.\n'));
    expect(stepsIn(writer)).toEqual([['edit', 'chat-note-n', fresh, null, 'server']]);
    expect(await chatNotes.write(note, () => null)).toEqual(done);
    expect(await bench.read(fresh)).toBe(noteOf('n', 'Words 2.\n'));
    expect(stepsIn(writer)).toEqual([['edit', 'chat-note-n', fresh, null, 'server']]);

    expect(await chatNotes.write({ chat: 'a', path: 'Docent/chats/A.md', taint: null }, () => noteOf('a'))).toEqual(
      done,
    );
    const others = ['edit', 'chat-note-a', 'Docent/chats/A.md', null, null];
    expect(await chatNotes.move('n', fresh, moved)).toEqual(done);
    expect(await bench.read(moved)).toBe(noteOf('n', 'Words 2.\n'));
    expect(stepsIn(writer)).toEqual([others, ['move', 'chat-note-n', fresh, moved, null]]);

    const refused = await chatNotes.trash('n', moved, (text) => text === 'Another.');
    expect(refused).toMatchObject({ ok: false, failure: { words: words.writing.changedBoth(moved) } });
    expect(await bench.read(moved)).toBe(noteOf('n', 'Words 2.\n'));
    expect(await chatNotes.trash('n', moved, (text) => text === noteOf('n', 'Words 2.\n'))).toEqual(done);
    expect(await bench.adapter.exists(moved)).toBe(false);
    expect(stepsIn(writer)).toEqual([others, ['delete', 'chat-note-n', moved, null, null]]);
  });
});

describe('the records of such a note', () => {
  it('of other devices, of the first layout, and of a write that was cut off stay', async () => {
    const path = 'Docent/chats/A.md';
    const bench = await writingChat({ files: { [path]: noteOf('a'), 'Cut.md': 'half' } });
    const call = { step: 'edit', changeset: 'chat-note-a', change: 'x', to: null, undoes: null, taint: null } as const;
    /** Records a write that has ended, unless only its start is wanted. */
    const record = async (journal: Journal, at: string, isOpen = false): Promise<string> => {
      const op = await journal.begin({ ...call, path: at, calls: [] });
      const versions = await Promise.all(['old', 'new'].map((each) => journal.keep(new TextEncoder().encode(each))));
      const [pre, post] = versions.map((each) => (each.ok ? each.value : null));
      if (!op.ok || !pre || !post) throw new Error('not recorded');
      await journal.intend(op.value, pre, post, []);
      if (!isOpen) await journal.commit(op.value, post);
      return op.value;
    };
    const store = createJournalFiles(bench.adapter, journalFolder, 'other');
    const ports = { store, digest, hash: digestOf, clock, identifiers: countingIdentifiers('o') };
    const other = await Journal.open(ports);
    if (!other.ok) throw new Error(other.failure.words);
    const elsewhere = await record(other.value, path);
    const first = await record(other.value, path);
    // The first layout had one folder for all devices.
    const log = `${journalFolder}/devices/other/log`;
    const segment = (await bench.adapter.list(log)).files[0] ?? '';
    const lines = (await bench.read(segment)).split('\n');
    await bench.adapter.mkdir(`${journalFolder}/log`);
    const ofFirst = lines.filter((line) => line.includes(first));
    await bench.adapter.write(`${journalFolder}/log/old.jsonl`, `${ofFirst.join('\n')}\n`);
    await bench.adapter.write(segment, lines.filter((line) => !line.includes(first)).join('\n'));

    const { journal } = await writerIn(bench);
    const whole = await record(journal, path);
    const cutOff = await record(journal, 'Cut.md', true);
    expect(bench.writing.interrupted()).toEqual([]);
    const removals = jest.spyOn(journal, 'delete');
    const { chatNotes, ports: writing } = bench.writing;
    const note = { chat: 'a', path, taint: null };
    expect(await chatNotes.write(note, () => noteOf('a', 'More.\n'))).toEqual(done);
    const ids = journal.operations().map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([elsewhere, first, cutOff]));
    expect([ids.length, ids.includes(whole)]).toEqual([4, false]);
    expect(removals.mock.calls).toEqual([[[whole]]]);
    // A write that finds nothing of its own to drop, and one that fails, write no record of that.
    expect(await chatNotes.write({ ...note, chat: 'b' }, () => noteOf('a', 'Of b.\n'))).toEqual(done);
    expect((await chatNotes.move('a', path, '../A.md')).ok).toBe(false);
    expect(removals).toHaveBeenCalledTimes(1);

    const cut = bench.writing.interrupted();
    expect(cut.map(({ path: at, operation }) => [at, operation.id])).toEqual([['Cut.md', cutOff]]);
    await writing.queue.run(() => Promise.resolve(null));
    expect(bench.writing.interrupted()).toHaveLength(1);
    expect(await bench.writing.settleAt('None.md', 'before')).toEqual(done);
    expect(await bench.writing.settleAt('Cut.md', 'before')).toEqual(done);
    expect([await bench.read('Cut.md'), bench.writing.interrupted()]).toEqual(['old', []]);
  });
});

it('saves an export under a name that is free, and records it', async () => {
  const bench = await writingChat({ files: { 'A.md': 'a' } });
  const { saveExport } = bench.writing;
  expect(await saveExport('Chat v1.2.md', 'One.')).toEqual({ ok: true, value: 'Docent/exports/Chat v1.2.md' });
  expect(await saveExport('Chat v1.2.md', 'Two.')).toEqual({ ok: true, value: 'Docent/exports/Chat v1.2 2.md' });
  expect(await saveExport('Chat v1.2.md', 'Three.')).toEqual({ ok: true, value: 'Docent/exports/Chat v1.2 3.md' });
  expect(await bench.read('Docent/exports/Chat v1.2.md')).toBe('One.');
  expect(await bench.read('Docent/exports/Chat v1.2 3.md')).toBe('Three.');
  const records = (await writerIn(bench)).journal.operations();
  expect(records.map(({ call: { step, path, calls } }) => [step, path, calls])).toEqual([
    ['create', 'Docent/exports/Chat v1.2.md', []],
    ['create', 'Docent/exports/Chat v1.2 2.md', []],
    ['create', 'Docent/exports/Chat v1.2 3.md', []],
  ]);
  const { usage, measure } = bench.writing;
  expect(usage()).toMatchObject({ operations: 0 });
  expect(await measure()).toMatchObject({ operations: 3 });
  expect(usage()).toEqual(await measure());
  jest.spyOn(bench.app.vault, 'createBinary').mockRejectedValue(new Error('No space.'));
  expect(await saveExport('Other.md', 'x')).toMatchObject({ ok: false, failure: { kind: 'storage' } });
});

it('keeps what can be undone when the clock is ten years ahead at one start', async () => {
  const bench = await writingChat({ files: { 'A.md': 'a' } });
  expect((await bench.writing.saveExport('B.md', 'One.')).ok).toBe(true);
  const real = Date.now.bind(Date);
  const later = jest.spyOn(Date, 'now').mockImplementation(() => real() + 3_650 * 86_400_000);
  expect(await (await bench.reopen()).writing.start()).toEqual(done);
  later.mockRestore();
  const again = await bench.reopen();
  expect((await writerIn(again)).journal.operations().map(({ call }) => call.path)).toEqual(['Docent/exports/B.md']);
});

it('gives the hash of the bytes that the user may let the agent read, and may ask the user', async () => {
  const { writing } = await writingChat({ files: { 'A.md': 'a', 'Docent/chats/B.md': 'b' } });
  const { hashFile } = writing.ports.staging;
  expect(await hashFile('A.md')).toEqual({ ok: true, value: digestOf(new TextEncoder().encode('a')) });
  for (const path of ['None.md', 'Docent/chats/B.md']) expect((await hashFile(path)).ok).toBe(false);
  expect(writing.ports.canAsk()).toBe(true);
});

it.each([
  ['a phone', { isPhone: true, isTablet: false }],
  ['a tablet', { isPhone: false, isTablet: true }],
  ['a computer', { isPhone: false, isTablet: false }],
])('names %s as the device of a write', async (device, platform) => {
  const bench = await writingChat({ files: {} });
  const before = { isPhone: Platform.isPhone, isTablet: Platform.isTablet };
  Object.assign(Platform, platform);
  try {
    expect((await bench.writing.saveExport('A.md', '')).ok).toBe(true);
    expect((await writerIn(bench)).journal.operations()[0]?.call.device).toBe(device);
  } finally {
    Object.assign(Platform, before);
  }
});

describe('a journal that cannot be opened', () => {
  const unread = words.writing.journalRefused('EACCES');
  const closed = async (bench: WritingChat): Promise<void> => {
    await bench.adapter.mkdir(`${journalFolder}/log`);
    const { list } = bench.adapter;
    bench.adapter.list = (path) =>
      path.startsWith(journalFolder) ? Promise.reject(new Error('EACCES')) : list.call(bench.adapter, path);
    await bench.adapter.mkdir(`${journalFolder}/devices`);
  };

  it('is told at the start, and stops every write until it can', async () => {
    const bench = await writingChat({ files: { 'Docent/chats/A.md': noteOf('a') } });
    const { list } = bench.adapter;
    await closed(bench);
    const { writing } = bench;
    const refused = { ok: false, failure: { kind: 'storage', words: unread } };
    expect(await writing.start()).toMatchObject(refused);
    expect(notices().join()).toContain(unread);
    const note = { chat: 'a', path: 'Docent/chats/A.md', taint: null };
    expect(await writing.chatNotes.write(note, () => 'x')).toMatchObject(refused);
    expect(await writing.saveExport('A.md', '')).toMatchObject(refused);
    expect(await writing.prune()).toMatchObject(refused);
    expect(await writing.retired(false)).toMatchObject(refused);
    expect([writing.usage(), await writing.measure(), writing.unread(), writing.unrecordedEnds()]).toEqual([
      ...[null, null, null, 0],
    ]);
    bench.adapter.list = list;
    expect(await writing.start()).toEqual(done);
    expect(await writing.prune()).toMatchObject({ ok: true });
  });
});

it('tells of a part of the journal of this device that cannot be read', async () => {
  const bench = await writingChat({ files: { 'A.md': 'a' } });
  expect((await bench.writing.saveExport('B.md', '')).ok).toBe(true);
  expect(bench.writing.unread()).toBeNull();
  const { read } = bench.adapter;
  bench.adapter.read = (path) =>
    path.endsWith('.jsonl') ? Promise.reject(new Error('EIO')) : read.call(bench.adapter, path);
  const again = await bench.reopen();
  const failure = { kind: 'storage', words: words.writing.journalUnread };
  expect(await again.writing.start()).toEqual(done);
  expect(again.writing.unread()).toMatchObject(failure);
  expect(notices().join()).toContain(words.writing.journalUnread);
});

it('keeps the journal in the folder that a plugin of this name has, unless the manifest names one', async () => {
  const bench = await writingChat({ files: {} });
  const writing = openWriting({
    ...{ app: bench.app, realPaths: null, device: memoryDevice(), manifest: { id: 'other-name' } },
    changes: { followMoves: () => undefined, hearIndexed: () => () => undefined, expect: () => undefined } as never,
    disk: { withWaiting: bench.vault, instructions: { written: () => undefined } } as never,
    agentFolder: () => 'Docent',
    instructionPlaces: () => [],
  });
  const writer = await writing.ports.writer();
  const call = { step: 'create', changeset: 's', change: 'c', path: 'A.md', to: null, undoes: null } as const;
  expect(writer.ok && (await writer.value.journal.begin({ ...call, calls: [], taint: null })).ok).toBe(true);
  const folders = bench.adapter.paths().filter((path) => path.includes('/journal/'));
  expect(folders.some((path) => path.startsWith('.obsidian/plugins/other-name/journal/devices/'))).toBe(true);
});
