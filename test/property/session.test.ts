/** The log adds no entries of its own, and shards merge to one history in any order, even with duplicates (S5). */
import * as fc from 'fast-check';
import { foldTranscript } from '../../src/core/chat/transcript';
import type { Shard } from '../../src/core/ports/device';
import { foldMessages } from '../../src/core/request/history';
import type { EntryBody, SessionEntry } from '../../src/core/session/entry';
import { encodeEntry } from '../../src/core/session/log-format';
import { expectSame } from 'obsidian-workbench/testing/expect-same';
import { digest } from '../support/memory-ports';
import { drawn } from './drawn-cases';
import { hostileText } from './hostile-text';
import { mergeShards } from '../support/merge-shards';

const additions = fc.array(
  fc.record({
    kind: fc.constantFrom('hook' as const, 'context-file' as const),
    source: hostileText,
    text: hostileText,
  }),
  { maxLength: 2 },
);
const id = fc.constantFrom('a', 'b', 'c');
const body: fc.Arbitrary<EntryBody> = fc.oneof(
  fc.record({ kind: fc.constant('user' as const), text: hostileText, mentions: fc.constant([]) }),
  fc.record({
    kind: fc.constant('assistant' as const),
    parts: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text' as const), text: hostileText }),
        fc.record({ type: fc.constant('reasoning' as const), text: hostileText }),
        fc.record({
          type: fc.constant('tool-call' as const),
          id,
          name: fc.constant('read'),
          argumentsText: hostileText,
        }),
      ),
      { maxLength: 3 },
    ),
    end: fc.constantFrom('complete' as const, 'stopped' as const),
    model: fc.constant('m'),
  }),
  fc.record({
    kind: fc.constant('tool-result' as const),
    callId: id,
    name: fc.constant('read'),
    text: hostileText,
    isError: fc.boolean(),
    sources: fc.constant([]),
    additions,
  }),
  fc.record({
    kind: fc.constant('hook-context' as const),
    additions,
    reports: fc.array(hostileText, { maxLength: 1 }),
  }),
  fc.record({ kind: fc.constant('title' as const), title: hostileText }),
);

const entry: fc.Arbitrary<SessionEntry> = fc
  .record({
    id: fc.integer({ min: 0, max: 30 }).map((number) => `e${number}`),
    writer: fc.constantFrom('w1', 'w2', 'w3'),
    session: fc.constantFrom('s1', 's2'),
    lamport: fc.integer({ min: 0, max: 8 }),
    time: fc.integer({ min: 0, max: 5 }),
    body,
  })
  .map(({ body: inner, ...header }) => ({ ...inner, ...header, conversation: 'c1' }));

const lineOf = (each: SessionEntry): string => encodeEntry(each, digest);
const shard = fc
  .array(entry, { maxLength: 6 })
  .map((entries): Shard => ({ name: 's', text: entries.map(lineOf).join('') }));
const merge = (shards: readonly Shard[]) => JSON.stringify(mergeShards(shards, digest).entries);

describe('merging', () => {
  it('S5 F9 is commutative, associative and idempotent', () => {
    fc.assert(
      fc.property(shard, shard, shard, (a, b, c) => {
        const whole = merge([a, b, c]);
        const again = (text: string): Shard => ({
          name: 'again',
          text: (JSON.parse(text) as SessionEntry[]).map(lineOf).join(''),
        });
        expectSame(merge([c, a, b]), whole);
        expectSame(merge([again(merge([a, b])), c]), whole);
        expectSame(merge([a, again(merge([b, c]))]), whole);
        expectSame(merge([a, b, c, a, c]), whole);
      }),
      drawn(2_000),
    );
  });

  it('S5 F9 is complete: three devices that write offline and meet see the same union', () => {
    const writers = ['w1', 'w2', 'w3'];
    fc.assert(
      fc.property(fc.array(fc.record({ writer: fc.constantFrom(...writers), body }), { maxLength: 12 }), (steps) => {
        const shards = new Map(writers.map((writer) => [writer, '']));
        const lamport = new Map(writers.map((writer) => [writer, 0]));
        steps.forEach(({ writer, body: inner }, index) => {
          const next = (lamport.get(writer) ?? 0) + 1;
          lamport.set(writer, next);
          const header = { id: `e${index}`, conversation: 'c1', writer, session: 's', lamport: next, time: -index };
          shards.set(writer, (shards.get(writer) ?? '') + lineOf({ ...inner, ...header }));
        });
        const texts = [...shards].map(([name, text]) => ({ name, text }));
        const merged = mergeShards(texts, digest);
        expectSame(merged.entries.length, steps.length);
        expectSame(merge([...texts].reverse()), JSON.stringify(merged.entries));
        for (const writer of writers) {
          const own = merged.entries.filter((each) => each.writer === writer).map((each) => each.lamport);
          expectSame(
            own,
            [...own].sort((x, y) => x - y),
          );
        }
      }),
      drawn(2_000),
    );
  });

  it('F8 reads only what was written, whatever happened to the lines', () => {
    const damage = fc.record({
      at: fc.nat(10_000),
      what: fc.constantFrom('cut', 'repeat', 'swap', 'overwrite', 'insert'),
      with: hostileText,
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), damage, (entries, { at, what, with: junk }) => {
        const lines = entries.map(lineOf);
        let text = lines.join('');
        const spot = at % text.length;
        if (what === 'cut') text = text.slice(0, spot);
        if (what === 'repeat') text += text.slice(spot);
        if (what === 'swap') text = text.slice(spot) + text.slice(0, spot);
        if (what === 'overwrite') text = text.slice(0, spot) + junk + text.slice(spot + junk.length);
        if (what === 'insert') text = text.slice(0, spot) + junk + text.slice(spot);
        const written = new Set(lines);
        const found = mergeShards([{ name: 's', text }], digest).entries.map(lineOf);
        expectSame(
          found.filter((line) => !written.has(line)),
          [],
        );
      }),
      drawn(5_000),
    );
  });
});

describe('folding', () => {
  it('S3 always gives a history that a provider takes: each call has one result, right behind it', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 14 }), (entries) => {
        const messages = foldMessages(entries);
        messages.forEach((message, index) => {
          const next = messages[index + 1];
          if (message.role === 'assistant') {
            const calls = message.parts.flatMap((part) => (part.type === 'tool-call' ? part.id : []));
            const results = next?.role === 'tool' ? next.parts.map(({ callId }) => callId) : [];
            expectSame(results, [...new Set(calls)]);
            expectSame(message.parts.length > 0, true);
          }
          if (message.role === 'tool') expectSame(messages[index - 1]?.role, 'assistant');
        });
      }),
      drawn(5_000),
    );
  });

  it('shows every text of the log', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 14 }), (entries) => {
        const shown = JSON.stringify(foldTranscript(entries));
        const expectShown = (said: string): void => {
          const written = JSON.stringify(said);
          if (!shown.includes(written)) expect(shown).toContain(written);
        };
        for (const each of entries) {
          if (each.kind === 'user') expectShown(each.text);
          if (each.kind !== 'assistant') continue;
          // An empty thought, of which a provider sends only the seal, shows nothing.
          for (const part of each.parts.filter((one) => one.type !== 'reasoning' || one.text !== ''))
            expectShown(part.type === 'tool-call' ? part.id : part.text);
        }
      }),
      drawn(2_000),
    );
  });
});
