/** The journal's files: one folder for each device, over one folder and over a file sync with conflict copies. */
import { MemoryAdapter } from 'obsidian-workbench/jest';
import { Journal } from '../../../../src/core/writing/apply/journal';
import { pruneJournal } from '../../../../src/core/writing/apply/prune-journal';
import { digestOf } from '../../../../src/vault/hash';
import { createJournalFiles, createProvenanceFiles } from '../../../../src/vault/journal-files';
import { words } from '../../../../src/text';
import { countingIdentifiers, digest, fakeClock, memoryDevice } from '../../../support/memory-ports';

const folder = '.obsidian/plugins/docent/journal';
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const call = {
  step: 'edit',
  changeset: 's',
  change: 'c',
  path: 'A.md',
  to: null,
  undoes: null,
  taint: null,
} as const;

const filesOf = (adapter: MemoryAdapter): string[] =>
  adapter.paths().filter((path) => /\.jsonl$|[0-9a-f]{64}$/.test(path));

async function open(adapter: MemoryAdapter, writer: string, clock = fakeClock()) {
  const store = createJournalFiles(adapter, folder, writer);
  const identifiers = countingIdentifiers(`${writer}-`);
  const journal = await Journal.open({ store, digest, hash: digestOf, clock, identifiers, device: 'a phone' });
  if (!journal.ok) throw new Error(journal.failure.words);
  return { store, journal: journal.value, clock };
}

/** Records one write with both of its copies, and returns its name. */
async function record(journal: Journal, before: string, after: string): Promise<string> {
  const op = await journal.begin({ ...call, calls: ['x'] });
  const [pre, post] = [await journal.keep(bytesOf(before)), await journal.keep(bytesOf(after))];
  if (!op.ok || !pre.ok || !post.ok) throw new Error('not recorded');
  await journal.intend(op.value, pre.value, post.value, []);
  await journal.commit(op.value, post.value);
  return op.value;
}

/** What a file sync brings to another device; a file that both changed becomes a conflict copy. */
async function sync(from: MemoryAdapter, to: MemoryAdapter): Promise<void> {
  for (const path of filesOf(from)) {
    const bytes = await from.readBinary(path);
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const above = parts.slice(0, depth).join('/');
      if (!(await to.exists(above))) await to.mkdir(above);
    }
    const isOther =
      (await to.exists(path)) &&
      digestOf(new Uint8Array(await to.readBinary(path))) !== digestOf(new Uint8Array(bytes));
    const place = isOther ? path.replace(/(\.\w+)?$/, ' (conflicted copy)$1') : path;
    await to.writeBinary(place, bytes);
  }
}

it('two devices over one folder write apart, read each other, and remove only what is their own', async () => {
  const adapter = new MemoryAdapter({ files: {} });
  const [one, two] = [await open(adapter, 'w1'), await open(adapter, 'w2')];
  const first = await record(one.journal, 'a', 'b');
  const second = await record(two.journal, 'b', 'c');
  const places = filesOf(adapter).map((path) => path.slice(folder.length).replace(/[^/]*$/, ''));
  expect(new Set(places)).toEqual(
    new Set(['/devices/w1/log/', '/devices/w1/copies/', '/devices/w2/log/', '/devices/w2/copies/']),
  );
  expect((await one.journal.refresh()).ok).toBe(true);
  expect(one.journal.operations().map(({ id, writer }) => [id, writer])).toEqual([
    [first, 'w1'],
    [second, 'w2'],
  ]);
  expect(one.journal.operation(second)?.call.device).toBe('a phone');
  const post = one.journal.operation(second)?.post ?? '';
  expect(await one.journal.bytes(post)).toEqual({ ok: true, value: bytesOf('c') });
  // The other device runs since before this write: its view is old, and what it tidies up is its own.
  one.clock.advance(40 * 86_400_000);
  const before = filesOf(adapter).filter((path) => path.includes('/w2/'));
  expect((await pruneJournal(one.journal, one)).ok).toBe(true);
  expect(filesOf(adapter).filter((path) => path.includes('/w2/'))).toEqual(before);
  expect(filesOf(adapter).filter((path) => path.includes('/w1/copies/'))).toEqual([]);
  const again = await open(adapter, 'w1', one.clock);
  expect(again.journal.operations().map(({ id }) => id)).toEqual([second]);
});

it('a file sync with conflict copies loses no record, and a copy that is cut off is passed over', async () => {
  const [here, there] = [new MemoryAdapter({ files: {} }), new MemoryAdapter({ files: {} })];
  const one = await open(here, 'w1');
  const first = await record(one.journal, 'a', 'b');
  await sync(here, there);
  const second = await record(one.journal, 'b', 'c');
  await sync(here, there);
  const [copy = ''] = filesOf(there).filter((path) => path.includes('conflicted'));
  expect(copy).toMatch(/\/devices\/w1\/log\/.*\.jsonl$/);
  const two = await open(there, 'w2', one.clock);
  expect(two.journal.operations().map(({ id, state }) => [id, state])).toEqual([
    [first, 'committed'],
    [second, 'committed'],
  ]);
  const pre = two.journal.operation(first)?.pre ?? '';
  await there.write(`${folder}/devices/w1/copies/${pre}`, 'cut');
  const missing = await two.journal.bytes(pre, two.journal.operation(first));
  expect(missing).toMatchObject({ ok: false, failure: { words: expect.stringContaining('another device (a phone)') } });
  await there.mkdir(`${folder}/copies`);
  await there.write(`${folder}/copies/${pre}`, 'a');
  expect(await two.journal.bytes(pre)).toEqual({ ok: true, value: bytesOf('a') });
});

it('reads the first layout, and goes on without a segment of another device that cannot be read', async () => {
  const adapter = new MemoryAdapter({ files: {} });
  const one = await open(adapter, 'w1');
  const first = await record(one.journal, 'a', 'b');
  const old = filesOf(adapter).filter((path) => path.includes('/w1/'));
  await adapter.mkdir(`${folder}/log`);
  await adapter.mkdir(`${folder}/copies`);
  for (const path of old) await adapter.rename(path, path.replace('/devices/w1', ''));
  const two = await open(adapter, 'w2', one.clock);
  expect(two.journal.operations().map(({ id, writer }) => [id, writer])).toEqual([[first, null]]);
  const pre = two.journal.operation(first)?.pre ?? '';
  expect(await two.journal.bytes(pre)).toEqual({ ok: true, value: bytesOf('a') });
  const third = await open(adapter, 'w3', one.clock);
  const own = await record(third.journal, 'b', 'c');
  const read = adapter.read.bind(adapter);
  adapter.read = (path) => (path.includes('/w3/') ? Promise.reject(new Error('EIO')) : read(path));
  const last = await open(adapter, 'w4', one.clock);
  expect(last.journal.operations().map(({ id }) => id)).toEqual([first]);
  expect(last.journal.isWhole).toBe(true);
  expect(own).toMatch(/^w3\./);
});

it('opens without a segment of its own that cannot be read, and neither removes anything nor writes to it', async () => {
  const adapter = new MemoryAdapter({ files: {} });
  const early = await open(adapter, 'w1');
  const first = await record(early.journal, 'a', 'b');
  const [segment = ''] = filesOf(adapter).filter((path) => path.endsWith('.jsonl'));
  early.clock.advance(3 * 86_400_000);
  const read = adapter.read.bind(adapter);
  const isUnread = { value: true };
  adapter.read = (path) =>
    isUnread.value && path === segment ? Promise.reject(new Error('EIO: i/o error')) : read(path);
  // A process that goes on, and one that begins.
  await early.journal.refresh();
  const before = new Map(await Promise.all(filesOf(adapter).map(async (path) => [path, await read(path)] as const)));
  const identifiers = countingIdentifiers('later-');
  const opened = await Journal.open({ store: early.store, digest, hash: digestOf, clock: early.clock, identifiers });
  if (!opened.ok) throw new Error(opened.failure.words);
  const later = opened.value;
  expect(later.operation(first)).toBeUndefined();
  expect(later.isWhole).toBe(false);
  const second = await record(early.journal, 'b', 'c');
  const third = await record(later, 'c', 'd');
  early.clock.advance(40 * 86_400_000);
  for (const journal of [later, early.journal]) {
    expect((await pruneJournal(journal, { store: early.store, clock: early.clock })).ok).toBe(true);
  }
  for (const [path, text] of before) expect([path, await read(path)]).toEqual([path, text]);
  isUnread.value = false;
  const again = await open(adapter, 'w1');
  expect(again.journal.isWhole).toBe(true);
  // All are too old by then; each was in a file that could be read.
  for (const id of [first, second, third]) expect(again.journal.isDeleted(id)).toBe(true);
});

it.each([
  ['segments', 'list', words.writing.journalUnreadRemedy],
  ['blobs', 'list', words.writing.journalUnreadRemedy],
  ['append', 'write', words.writing.journalNotWrittenRemedy],
] as const)('says what helps when %s fails', async (name, method, remedy) => {
  const adapter = new MemoryAdapter({
    files: { [`${folder}/devices/w1/log/s.jsonl`]: '', [`${folder}/devices/w1/copies/x`]: '' },
  });
  const store = createJournalFiles(adapter, folder, 'w1');
  jest.spyOn(adapter, method).mockRejectedValue(new Error('EIO'));
  const outcome = name === 'append' ? await store.append('new', 'line\n') : await store[name]();
  expect(outcome).toEqual({
    ok: false,
    failure: { kind: 'storage', words: words.writing.journalRefused('EIO'), remedy },
  });
});

it('decodes each record once, however often the journal is read again', async () => {
  const store = createJournalFiles(new MemoryAdapter({ files: {} }), folder, 'w1');
  let digests = 0;
  const counted = (text: string): string => {
    digests += 1;
    return digest(text);
  };
  const ports = { store, digest: counted, hash: digestOf, clock: fakeClock(), identifiers: countingIdentifiers() };
  const journal = await Journal.open(ports);
  if (!journal.ok) throw new Error(journal.failure.words);
  for (let count = 0; count < 60; count += 1) {
    await record(journal.value, `text ${count}`, `text ${count + 1}`);
    await journal.value.refresh();
  }
  expect(journal.value.operations()).toHaveLength(60);
  // Three records for each write, encoded once and decoded once.
  expect(digests).toBe(60 * 3 * 2);
});

describe('files of which the disk says nothing', () => {
  const hideStats = (adapter: MemoryAdapter): void => {
    adapter.exists = (path) => Promise.resolve(adapter.paths().includes(path));
    const { stat } = adapter;
    adapter.stat = (path) => (/\.jsonl$|[0-9a-f]{64}$/.test(path) ? Promise.resolve(null) : stat.call(adapter, path));
  };
  const name = 'a'.repeat(64);

  it('are copies of no size that were never too old', async () => {
    const adapter = new MemoryAdapter({ files: { [`${folder}/devices/w1/copies/${name}`]: 'copy' } });
    hideStats(adapter);
    const blob = { writer: 'w1', hash: name, size: 0, modified: Infinity };
    expect(await createJournalFiles(adapter, folder, 'w1').blobs()).toEqual({ ok: true, value: [blob] });
  });

  it('are a record of provenance that is read, and goes on in the same file', async () => {
    const adapter = new MemoryAdapter({ files: { 'Docent/trust/w1.jsonl': 'one\n' } });
    hideStats(adapter);
    const files = createProvenanceFiles(adapter, () => 'Docent/trust', { device: memoryDevice(), writer: 'w1' });
    const path = 'Docent/trust/w1.jsonl';
    expect(await files.list()).toEqual({ ok: true, value: [{ name: path, version: '0 0' }] });
    expect((await files.append('w1', 'two\n')).ok).toBe(true);
    expect(await files.read(path)).toEqual({ ok: true, value: 'one\n\ntwo\n' });
  });

  it('are no missing copies if the disk does not say that they are missing', async () => {
    const adapter = new MemoryAdapter({ files: {} });
    const store = createJournalFiles(adapter, folder, 'w1');
    expect(await store.readBlob(name, 'w1')).toMatchObject({ failure: { kind: 'not-found' } });
    adapter.exists = () => Promise.reject(new Error('EIO'));
    expect(await store.readBlob(name, 'w1')).toMatchObject({ failure: { kind: 'storage' } });
  });
});
