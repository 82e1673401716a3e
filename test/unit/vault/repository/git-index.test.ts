/** @jest-environment node */
/** Indexes as git writes them, and indexes that are cut, that lie about their counts, or that name other places. */
import { createHash } from 'node:crypto';
import { parseSettings } from '../../../../src/vault/repository/git-folder';
import { isOwnPath, parseIndex } from '../../../../src/vault/repository/git-index';
import { findStaged, type Version } from '../../../../src/vault/repository/git-status';
import { matchesName, parseAttributes } from '../../../../src/vault/repository/line-ends';
import { expectCostBelow, expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

function entryOf(path: string): Buffer {
  const name = Buffer.from(path);
  const head = Buffer.alloc(62);
  head.writeUInt32BE(1_700_000_000, 8);
  head.writeUInt32BE(500_000_000, 12);
  head.writeUInt32BE(0o100644, 24);
  head.writeUInt32BE(7, 36);
  head.fill(0xab, 40, 60);
  head.writeUInt16BE(Math.min(name.length, 0xfff), 60);
  return Buffer.concat([head, name, Buffer.alloc(8 - ((62 + name.length) % 8))]);
}

interface IndexOptions {
  readonly version?: number;
  readonly count?: number;
  readonly after?: Buffer;
}

function indexOf(paths: readonly string[], { version = 2, count = paths.length, after }: IndexOptions = {}): Buffer {
  const entries = paths.map(entryOf);
  const body = Buffer.concat([Buffer.from('DIRC'), u32(version), u32(count), ...entries, after ?? Buffer.alloc(0)]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

function said(bytes: Uint8Array): string {
  const read = parseIndex(new Uint8Array(bytes));
  return read.ok ? 'read' : read.failure.words;
}

it('reads the paths, times, sizes and names of an index', () => {
  const read = parseIndex(new Uint8Array(indexOf(['Boat.md', 'Notes/Späti.md', 'x'.repeat(4_090)])));
  expect(read.ok && read.value.map(({ path }) => path)).toEqual(['Boat.md', 'Notes/Späti.md', 'x'.repeat(4_090)]);
  expect(read.ok && read.value[0]).toMatchObject({
    ...{ modified: 1_700_000_000_500, hasFineTime: true, size: 7, mode: 0o100644, stage: 0, oid: 'ab'.repeat(20) },
    ...{ isIgnored: false, isAnnounced: false },
  });
});

it('says at every length that a cut index is damaged, and never throws', () => {
  const whole = indexOf(['Boat.md', 'Rope.md']);
  for (let length = 0; length < whole.length; length += 1) expect(said(whole.subarray(0, length))).toContain('damaged');
  // Without the hash, so that the entries themselves are read to their end.
  for (let length = 13; length < whole.length - 20; length += 1) {
    expect(said(Buffer.concat([whole.subarray(0, length), Buffer.alloc(20)]))).toMatch(/damaged|split/);
  }
});

it('does not believe a count that the file has no room for', async () => {
  for (const count of [3, 200_000, 200_001, 0xffffffff]) {
    const bytes = indexOf(['Boat.md', 'Rope.md'], { count });
    await expectCostBelow(20, () => expect(said(bytes)).toContain('damaged'));
  }
});

it.each(['C:\\x', 'a\\..\\b', '..\\x', 'a\\b.md', 'c:x', 'a/c:x'])(
  'leaves out the name %s, and reads the others',
  (path) => {
    const read = parseIndex(indexOf(['Boat.md', path, 'Crew.md']));
    expect(read.ok && read.value.map((entry) => entry.path)).toEqual(['Boat.md', 'Crew.md']);
  },
);

it.each([
  ...['../Boat.md', 'a/../../Boat.md', '/etc/passwd', '.git/config', 'a/.GIT/x', './a', 'a//b', 'a/'],
  ...['.git./config', '.git /config', 'GIT~1/config', '.g\u200cit/config'],
])('takes an index that names %j for damaged', (path) => {
  expect(isOwnPath(path)).toBe(false);
  expect(said(indexOf(['Boat.md', path]))).toContain('damaged');
});

it('says what it is of other versions, and of an extension that changes the entries', () => {
  expect(said(indexOf(['Boat.md'], { version: 4 }))).toContain('version 4');
  expect(said(indexOf(['Boat.md'], { version: 99 }))).toContain('version 99');
  const extension = (name: string): Buffer => Buffer.concat([Buffer.from(name), u32(4), Buffer.alloc(4)]);
  expect(said(indexOf(['Boat.md'], { after: extension('TREE') }))).toBe('read');
  expect(said(indexOf(['Boat.md'], { after: Buffer.concat([extension('TREE'), extension('sdir')]) }))).toContain(
    'sparse',
  );
  const endless = Buffer.concat([Buffer.from('TREE'), u32(0xffffffff)]);
  expect(said(indexOf(['Boat.md'], { after: endless }))).toBe('read');
});

it('reads an index twice as long in twice the time', async () => {
  const paths = (count: number) => indexOf(Array.from({ length: count }, (_, at) => `Notes/Note ${at}.md`));
  const [small, large] = [paths(20_000), paths(40_000)];
  await expectGrowthBelow(
    3,
    () => said(large),
    () => said(small),
  );
});

it('finds what is staged of twice as many files in twice the time', async () => {
  const of = (count: number) => {
    const read = parseIndex(new Uint8Array(indexOf(Array.from({ length: count }, (_, at) => `Notes/Note ${at}.md`))));
    const entries = read.ok ? read.value : [];
    const half = entries.filter((_, at) => at % 2 === 0).map(({ path }) => [path, { mode: 1, oid: 'a' }] as const);
    const others = entries.map(({ path }) => [`Old/${path}`, { mode: 1, oid: 'a' }] as const);
    return { entries, committed: new Map<string, Version>([...half, ...others]) };
  };
  const [small, large] = [of(15_000), of(30_000)];
  expect(findStaged(small.committed, small.entries)).toHaveLength(30_000);
  const run = ({ committed, entries }: typeof small) => findStaged(committed, entries);
  await expectGrowthBelow(
    3,
    () => run(large),
    () => run(small),
  );
});

it('reads settings as git does, and follows no file that they include', () => {
  const text =
    '\ufeff[core]\r\n\tautocrlf = input ; why\n[Core]\n  WorkTree="a;b" # c\n[remote "origin"]\n\turl = x\n[include]\npath = /etc/x\n' +
    '[core] bare\n[broken\nautocrlf = true\n[extensions]\nlong = one\\\n two\nquoted = "a\\"b" \\\\ \\; c\n';
  expect(Object.fromEntries(parseSettings(text))).toEqual({
    ...{ 'core.autocrlf': 'input', 'core.worktree': 'a;b', 'core.bare': 'true' },
    ...{ 'include.path': '/etc/x', 'extensions.long': 'one two' },
    'extensions.quoted': 'a"b \\ ; c',
  });
});

it('compares names with patterns, in time by their lengths', async () => {
  const cases: readonly (readonly [pattern: string, name: string, expected: boolean])[] = [
    ['*.md', 'Boat.md', true],
    ['*.md', 'Boat.mdx', false],
    ['B?at*', 'Boat.md', true],
    ['[A-C]oat.md', 'Boat.md', true],
    ['[!A-C]oat.md', 'Boat.md', false],
    ['[]a]', ']', true],
    ['\\*.md', '*.md', true],
    ['\\*.md', 'a.md', false],
    ['*a*b*', 'xxaxxbxx', true],
    ['[', '[', true],
    ['', '', true],
  ];
  for (const [pattern, name, expected] of cases)
    expect([pattern, name, matchesName(pattern, name)]).toEqual([pattern, name, expected]);
  await expectCostBelow(60, () => matchesName('*a'.repeat(150), 'a'.repeat(4_000) + 'b'));
  expect(parseAttributes('# no\n!a text\n*.md text\n"q q" text\n\n').length).toBe(1);
  expect(parseAttributes('*.md text\n'.repeat(100_000)).length).toBe(1_000);
});
