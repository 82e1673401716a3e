import type { EntryBody, SessionEntry } from '../../../../src/core/session/entry';
import { decodeLine, encodeEntry, readEnd } from '../../../../src/core/session/log-format';
import { answer, entry, result, toolCall, user } from '../../../support/entries';
import { digest } from '../../../support/memory-ports';
import { mergeShards } from '../../../support/merge-shards';
import { expectNoFaults } from '../../expect-no-faults';

const hostile = 'ü 𝒳 \u2028 \ud800 "quoted" \\ \u0000 <b> \r\n line';
const bodies: EntryBody[] = [
  { kind: 'user', text: hostile, mentions: [{ kind: 'note', id: 'a.md', label: 'a' }] },
  { ...answer('Hello', { type: 'reasoning', text: 'why', providerData: { sig: 'x' } }, toolCall('k')), end: 'stopped' },
  { ...answer('Hi'), usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3 } },
  result('k', hostile, true),
  {
    kind: 'tool-result',
    callId: 'k',
    name: 'n',
    text: 't',
    isError: false,
    sources: [],
    additions: [{ kind: 'context-file', source: 'A/AGENTS.md', text: hostile }],
  },
  { kind: 'hook-context', additions: [{ kind: 'hook', source: 'W', text: hostile }], reports: ['Late.'] },
  { kind: 'failure', failure: { kind: 'network', words: 'Off.', remedy: 'On.', action: 'retry' } },
  { kind: 'choices', choices: { mode: 'planning', tier: 'auto', selectedPrompt: null } },
  { kind: 'title', title: 'Tea' },
  {
    kind: 'chat-began',
    start: {
      date: hostile,
      isoDate: '2026-11-22',
      week: 47,
      time: '14:05',
      app: { links: 'markdown', plugins: ['Tasks'] },
    },
  },
];
const entries: SessionEntry[] = bodies.map((body) => entry(body));
const text = entries.map((each) => encodeEntry(each, digest)).join('');
const whole = new Set(entries.map((each) => JSON.stringify(sorted(each))));

function sorted(each: SessionEntry): unknown {
  return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What was read and differs from all that was written. */
function inventedIn(read: readonly SessionEntry[]): string[] {
  return read.map((each) => JSON.stringify(sorted(each))).filter((each) => !whole.has(each));
}

describe('the line format', () => {
  it.each(bodies.map((body) => [body.kind, body] as const))('gives a %s entry back as it was', (_kind, body) => {
    const original = entry(body);
    const line = encodeEntry(original, digest);
    expect(line.endsWith('\n') && !line.slice(0, -1).includes('\n')).toBe(true);
    expect(decodeLine(line, digest)).toMatchObject({ type: 'entry', entry: original });
  });

  it.each([
    { kind: 'hook-context', additions: [{ kind: 'order', source: 'W', text: 'x' }], reports: [] },
    { kind: 'hook-context', additions: [] },
    { ...result('k'), additions: [{ source: 'W' }] },
  ])('R139 R140 knows no entry whose additions are not sound: %j', (body) => {
    expect(decodeLine(encodeEntry(entry(body as unknown as EntryBody), digest), digest)).toEqual({ type: 'unknown' });
  });

  it('tells blank, damaged and unknown lines apart', () => {
    const line = encodeEntry(entry(user('x')), digest);
    const sign = (json: string) => `${json.slice(0, -1)},"c":"${digest(json).slice(0, 16)}"}`;
    const record = {
      v: 1,
      id: 'i',
      conv: 'c',
      w: 'w',
      s: 's',
      lam: 1,
      t: 1,
      k: 'user',
      b: { text: 'x', mentions: [] },
    };
    expect(decodeLine('  \r', digest)).toBeNull();
    expect(decodeLine(line.replace('"x"', '"y"'), digest)).toEqual({ type: 'damaged' });
    expect(decodeLine('{}', digest)).toEqual({ type: 'damaged' });
    expect(decodeLine(sign(JSON.stringify(record)), digest)?.type).toBe('entry');
    for (const change of [{ v: 3 }, { k: 'later' }, { k: 'constructor' }, { b: { text: 5 } }, { lam: -1 }]) {
      expect(decodeLine(sign(JSON.stringify({ ...record, ...change })), digest)).toEqual({ type: 'unknown' });
    }
    expect(decodeLine(sign('{not json}'), digest)).toEqual({ type: 'unknown' });
  });

  it('takes no line whose time is no date', () => {
    const whole = entry(user('x'));
    for (const change of [{ time: 1e16 }, { time: -1e16 }])
      expect(decodeLine(encodeEntry({ ...whole, ...change }, digest), digest)).toEqual({ type: 'unknown' });
  });

  it('F2 survives a cut at every byte: the records before it stay, and the next one is intact', () => {
    const bytes = Buffer.from(text, 'utf8');
    const next = entry(user('after the crash'));
    const nextLine = encodeEntry(next, digest);
    const ends = entries.map((_, index) =>
      Buffer.byteLength(
        entries
          .slice(0, index + 1)
          .map((each) => encodeEntry(each, digest))
          .join(''),
      ),
    );
    const faults: string[] = [];
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const torn = bytes.subarray(0, cut).toString('utf8');
      const needsBreak = torn !== '' && !torn.endsWith('\n');
      const read = mergeShards([{ name: 'a', text: `${torn}${needsBreak ? '\n' : ''}${nextLine}` }], digest);
      // A record whose line end alone was lost is whole.
      const complete = ends.filter((end) => end - 1 <= cut).length;
      if (read.entries.length !== complete + 1) throw new Error(`Cut at byte ${cut}: ${read.entries.length} entries.`);
      expect(read.entries.at(-1)).toEqual(next);
      faults.push(...inventedIn(read.entries.slice(0, -1)).map((each) => `Cut at byte ${cut}: reads ${each}.`));
    }
    expectNoFaults(faults);
  });

  it('F8 never invents: 4,000 bit flips lose the lines they touch and nothing else', () => {
    const bytes = Buffer.from(text, 'utf8');
    let seed = 42;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const faults: string[] = [];
    for (let count = 0; count < 4_000; count += 1) {
      const flipped = Buffer.from(bytes);
      const at = random(bytes.length);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << random(8));
      const read = mergeShards([{ name: 'a', text: flipped.toString('utf8') }], digest);
      const lost = entries.length - read.entries.length;
      faults.push(...inventedIn(read.entries).map((each) => `Flip ${count}: reads ${each}.`));
      if (lost > 2) faults.push(`Flip ${count}: loses ${lost} entries.`);
      if (lost > 0 && read.damaged + read.unknown === 0) faults.push(`Flip ${count}: loses ${lost} without a word.`);
    }
    expectNoFaults(faults);
  });
});

describe('merging shards', () => {
  const line = (each: SessionEntry) => encodeEntry(each, digest);

  it('S5 F11 takes the union of shards and their conflict copies, each record once', () => {
    const [a, b, c] = [user('a'), user('b'), user('c')].map((body, index) => entry(body, { lamport: index + 1 }));
    if (a === undefined || b === undefined || c === undefined) throw new Error('three entries');
    const merged = mergeShards(
      [
        { name: 'x.jsonl', text: line(c) + line(a) },
        { name: 'x (Conflicted copy).jsonl', text: line(a) + line(b) },
      ],
      digest,
    );
    expect(merged).toEqual({ entries: [a, b, c], damaged: 0, unknown: 0 });
  });

  it('F12 sorts by logical time, then writer, then session, never by the clock', () => {
    const at = (lamport: number, writer: string, session: string, time: number) =>
      entry(user('x'), { lamport, writer, session, time });
    const sessions = ['p', 'q', 'r', 's', 't', 'u'].map((session) => at(2, 'b', session, 1));
    const inOrder = [at(1, 'b', 's', 900), at(2, 'a', 's', 5), ...sessions];
    const shards = [...inOrder].reverse().map((each, index) => ({ name: `${index}`, text: line(each) }));
    expect(mergeShards(shards, digest).entries).toEqual(inOrder);
  });

  it('F8 counts what it cannot read and keeps the rest', () => {
    const good = entry(user('good'));
    const merged = mergeShards([{ name: 'a', text: `garbage\n\n${line(good)}{"half":` }], digest);
    expect(merged).toEqual({ entries: [good], damaged: 2, unknown: 0 });
  });
});

describe('the turns of a merged log', () => {
  const ask = (id: string, lamport: number, writer: string) => entry(user(id), { id, lamport, writer });
  const say = (text: string, lamport: number, writer: string, turn?: string) =>
    entry(answer(text), { id: text, lamport, writer, ...(turn === undefined ? {} : { turn }) });
  const inBranch = (text: string, lamport: number, writer: string) =>
    entry(answer(text), { id: text, lamport, writer, turn: 'q', branch: 'again' });
  const title = (id: string, lamport: number, writer: string) =>
    entry({ kind: 'title', title: id }, { id, lamport, writer });
  const order = (...each: readonly SessionEntry[]) =>
    mergeShards([{ name: 'a', text: each.map((one) => encodeEntry(one, digest)).join('') }], digest).entries.map(
      ({ id }) => id,
    );

  it.each<[string, SessionEntry[], string]>([
    [
      'follow one another, as their entries say',
      [ask('q', 1, 'a'), ask('r', 1, 'b'), say('A', 2, 'a', 'q'), say('B', 2, 'b', 'r'), say('A2', 3, 'a', 'q')],
      'q A A2 r B',
    ],
    [
      'follow one another in an older log, by their writers',
      [ask('q', 1, 'a'), ask('r', 1, 'b'), say('A', 2, 'a'), say('B', 2, 'b'), say('A2', 3, 'a')],
      'q A A2 r B',
    ],
    [
      'contain what their writer added between their entries, but not what comes after them',
      [
        ...[ask('q', 1, 'a'), ask('r', 1, 'b'), title('during', 2, 'a'), title('elsewhere', 2, 'c')],
        ...[say('A', 3, 'a', 'q'), title('after', 4, 'a')],
      ],
      'q during A r elsewhere after',
    ],
    [
      'begin with their message, not with what comes before it',
      [say('A', 1, 'a', 'q'), title('before', 2, 'a'), ask('q', 3, 'a'), say('A2', 4, 'a', 'q')],
      'A before q A2',
    ],
    ['are none for answers to no message', [say('A', 1, 'a'), ask('r', 2, 'b'), say('B', 3, 'c')], 'A r B'],
    [
      'are those of their branch',
      [
        ...[ask('q', 1, 'a'), say('A', 2, 'a', 'q')],
        entry({ kind: 'branch', message: 'q' }, { id: 'again', lamport: 3, writer: 'a' }),
        ...[inBranch('B', 4, 'a'), ask('r', 4, 'b'), inBranch('B2', 5, 'a'), say('R', 5, 'b', 'r')],
      ],
      'q A again B B2 r R',
    ],
  ])('%s', (_what, each, expected) => {
    expect(order(...each).join(' ')).toBe(expected);
    expect(order(...[...each].reverse()).join(' ')).toBe(expected);
  });
});

describe('the end of a log', () => {
  const line = (body: EntryBody, lamport: number, writer = 'w') =>
    encodeEntry(entry(body, { id: `${writer}${lamport}`, lamport, writer }), digest);
  const empty = line(user(''), 1).length;
  /** Lines of the user of a length in all. */
  const ofLength = (length: number) => [line(user('x'.repeat(length - empty)), 1)];
  const failure: EntryBody = { kind: 'failure', failure: { kind: 'network', words: 'x'.repeat(450), remedy: '' } };
  const idsOf = (...shards: readonly string[][]) =>
    readEnd(
      shards.map((lines, index) => ({ name: `${index}`, text: lines.join('') })),
      digest,
    )?.map(({ id }) => id) ?? null;

  it('is not read of a log below 200,000 characters', () => {
    expect(idsOf(ofLength(199_999))).toBeNull();
    expect(idsOf(ofLength(200_000))).toEqual(['w1']);
    expect(idsOf(ofLength(100_000), ofLength(99_999))).toBeNull();
    expect(idsOf(ofLength(100_000), ofLength(100_000))).toEqual(['w1']);
  });

  it('has at most 24 messages, and at most 400 lines', () => {
    const messages = Array.from({ length: 30 }, (_, at) => line(user('x'.repeat(10_000)), at + 1));
    expect(idsOf(messages)).toEqual(Array.from({ length: 24 }, (_, at) => `w${at + 7}`));
    const after = (count: number) => [
      line(user('q'), 1),
      ...Array.from({ length: count }, (_, at) => line(failure, at + 2)),
    ];
    expect(idsOf(after(399))).toHaveLength(400);
    expect(idsOf(after(400))).toBeNull();
  });

  it('has no more lines once they have 300,000 characters', () => {
    const last = (length: number) => [line(user('a'), 1), line(user('x'.repeat(length - empty)), 2)];
    expect(idsOf(last(300_000))).toEqual(['w1', 'w2']);
    expect(idsOf(last(300_001))).toEqual(['w2']);
  });

  it('is gathered from all files by logical time, and then by writer', () => {
    const long = 'x'.repeat(11_000);
    const shardOf = (writer: string, from: number) =>
      Array.from({ length: 20 }, (_, at) => line(user(long), from + 2 * at, writer));
    const ends = idsOf(shardOf('b', 1), [], ['\n', 'garbage\n', ...shardOf('a', 2)]);
    expect(ends?.slice(-4)).toEqual(['b37', 'a38', 'b39', 'a40']);
    expect(ends).toHaveLength(24);
    expect(idsOf(shardOf('b', 1), shardOf('a', 1))?.slice(-3)).toEqual(['b37', 'a39', 'b39']);
  });

  it('is not shown if it has branches', () => {
    const long = line(user('x'.repeat(200_000)), 1);
    const placed = encodeEntry(entry(answer('b'), { lamport: 2, branch: 'w9' }), digest);
    expect(idsOf([long, placed])).toBeNull();
    expect(idsOf([long, line({ kind: 'branch', message: 'w1' }, 2)])).toBeNull();
    expect(idsOf([long, line({ kind: 'message-deleted', message: 'w1', deleted: true }, 2)])).toBeNull();
    expect(idsOf([long, line({ kind: 'title', title: 't' }, 2)])).toEqual(['w1', 'w2']);
  });
});
