/** The files of the record of whose text notes are: bounded as they are written, and all of them read. */
import { MemoryAdapter } from 'obsidian-workbench/jest';
import { Provenance } from '../../../../src/core/writing/guard/provenance';
import { createProvenanceFiles } from '../../../../src/vault/journal-files';
import { fakeClock, memoryDevice } from '../../../support/memory-ports';

const folder = 'Docent/trust';

function open(adapter: MemoryAdapter, writer = 'w', place = (): string => folder, device = memoryDevice()) {
  const files = createProvenanceFiles(adapter, place, { device, writer });
  return new Provenance({ files, device, clock: fakeClock(), writer });
}

const namesIn = (adapter: MemoryAdapter): string[] =>
  adapter
    .paths()
    .filter((path) => path.endsWith('.jsonl'))
    .map((path) => path.slice(folder.length + 1))
    .sort();

/** Lines of about two megabytes, in which the user trusted `Early.md`. */
const longText = [
  '{"op":"say","path":"Early.md","is":"own","marks":[],"t":1,"w":"w"}',
  ...Array.from({ length: 20_000 }, (_, at) => `{"op":"move","path":"${'x'.repeat(60)}${at}","to":"y","t":2,"w":"w"}`),
  '',
].join('\n');

it('a device goes on in a new file after a megabyte, and every file is read after a restart', async () => {
  const adapter = new MemoryAdapter({ files: { [`${folder}/w.jsonl`]: longText } });
  for (const path of ['A.md', 'B.md']) {
    const own = open(adapter);
    await own.refresh();
    own.mark(path, 'x.org', `operation of ${path}`);
    own.mark(`Other ${path}`, 'x.org', `other operation of ${path}`);
    await own.settled();
  }
  expect(adapter.textAt(`${folder}/w.jsonl`)).toBe(longText);
  expect(namesIn(adapter)).toEqual(['w-2.jsonl', 'w.jsonl']);
  const other = open(adapter, 'v');
  expect(await other.refresh()).toBeNull();
  expect(['A.md', 'B.md', 'Other B.md'].map((path) => other.has(path))).toEqual([true, true, true]);
  expect([other.saidOf('Early.md'), other.problem]).toEqual(['own', null]);
});

it.each([
  [999_999, ['w.jsonl']],
  [1_000_000, ['w-2.jsonl', 'w.jsonl']],
])('a file of %i bytes is followed by these files: %s', async (size, names) => {
  const adapter = new MemoryAdapter({ files: { [`${folder}/w.jsonl`]: 'x'.repeat(size) } });
  const files = createProvenanceFiles(adapter, () => folder, { device: memoryDevice(), writer: 'w' });
  expect((await files.append('w', 'one\n')).ok).toBe(true);
  expect(namesIn(adapter)).toEqual(names);
});

it('a large file of an early version is read, and followed by a new one', async () => {
  const adapter = new MemoryAdapter({ files: { [`${folder}/w.jsonl`]: longText.padEnd(9_000_000) } });
  const own = open(adapter);
  expect(await own.refresh()).toBeNull();
  expect([own.saidOf('Early.md'), own.problem]).toEqual(['own', null]);
  own.mark('A.md', 'x.org', 'o1');
  await own.settled();
  expect(namesIn(adapter)).toEqual(['w-2.jsonl', 'w.jsonl']);
});

it('a file that no device wrote is not read, which is said, and the others are', async () => {
  const adapter = new MemoryAdapter({ files: { [`${folder}/v.jsonl`]: 'x'.repeat(32_000_001) } });
  const own = open(adapter);
  own.mark('A.md', 'x.org', 'o1');
  await own.settled();
  const again = open(adapter);
  expect(await again.refresh()).toMatchObject({ kind: 'storage' });
  expect(again.has('A.md')).toBe(true);
  expect(again.problem).not.toBeNull();
});

it('the record goes along to another agent folder, also to one that a device hears of after a restart', async () => {
  const adapter = new MemoryAdapter({ files: {} });
  const [device, others] = [memoryDevice(), memoryDevice()];
  let place = folder;
  const own = open(adapter, 'w', () => place, device);
  const other = open(adapter, 'v', () => folder, others);
  await own.refresh();
  own.mark('A.md', 'x.org', 'o1');
  await own.settled();
  other.say('Web', 'others');
  await other.refresh();
  place = 'Archive/trust';
  await own.refresh();
  own.mark('B.md', 'x.org', 'o2');
  await own.settled();
  for (const [writer, known] of [
    ['w', device],
    ['v', others],
    ['u', memoryDevice()],
  ] as const) {
    const again = open(adapter, writer, () => place, known);
    expect(await again.refresh()).toBeNull();
    expect([again.has('A.md'), again.has('B.md'), again.saidOf('Web')]).toEqual([true, true, 'others']);
  }
  const before = adapter.textAt(`${place}/w.jsonl`);
  place = folder;
  await own.refresh();
  place = 'Archive/trust';
  await own.refresh();
  expect(adapter.textAt(`${place}/w.jsonl`)).toBe(before);
});
