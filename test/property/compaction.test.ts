/** Relief never loses anything: whatever is summarised, put aside or left out, the log is whole and requests stay sound. */
import * as fc from 'fast-check';
import { chooseCover } from '../../src/core/context/compaction/choose-cover';
import { pinnedExchanges } from '../../src/core/context/compaction/exchanges';
import { foldCompacted } from '../../src/core/context/compaction/fold-compacted';
import { extractSnapshot } from '../../src/core/context/compaction/extract-snapshot';
import { gateOf } from '../../src/core/context/compaction/gate';
import { judgeSnapshot } from '../../src/core/context/compaction/judge-snapshot';
import { snapshotPartNames } from '../../src/core/context/compaction/read-snapshot';
import { oldestParts } from '../../src/core/context/compaction/trim-oldest';
import { outputsToMask } from '../../src/core/context/mask-tool-output';
import { foldGoals } from '../../src/core/goals/fold-goals';
import type { Message } from '../../src/core/message';
import { contextFilesIn } from '../../src/core/session/context-files-in';
import { targetOf } from '../../src/core/session/context-form';
import type { EntryBody, SessionEntry } from '../../src/core/session/entry';
import { foldLog, interruptedResult } from '../../src/core/session/fold-messages';
import { foldTurnMemory } from '../../src/core/session/fold-turn-memory';
import { seenEntries } from '../../src/core/session/seen-entries';
import { hostileText, seed } from './hostile-text';

const runs = { numRuns: 20_000, seed };

type Step = 'ask' | 'answer' | 'calls' | 'goal' | 'pin' | 'pin-result' | 'summary' | 'undo' | 'mask' | 'trim';
const step = fc.constantFrom<Step>(
  'ask',
  'ask',
  'ask',
  'answer',
  'answer',
  'calls',
  'calls',
  'goal',
  'pin',
  'pin-result',
  'summary',
  'undo',
  'mask',
  'trim',
);
const steps = fc.tuple(fc.array(step, { minLength: 8, maxLength: 22 }), fc.nat({ max: 300 }));

/** Plays steps to a log; each entry has an id of its own. */
function logOf([list, keptTokens]: readonly [readonly Step[], number]): SessionEntry[] {
  const log: SessionEntry[] = [];
  const add = (body: EntryBody): void => {
    const id = `e${log.length}`;
    log.push({ ...body, id, conversation: 'c', writer: 'w', session: 's', lamport: log.length, time: 0 });
  };
  const last = (kind: SessionEntry['kind']): string | undefined => log.filter((each) => each.kind === kind).at(-1)?.id;
  list.forEach((each, index) => {
    const words = `${each} ${index} `.repeat(1 + ((index * 7) % 40));
    if (each === 'ask') {
      add({ kind: 'user', text: words, mentions: [] });
      add({
        kind: 'turn-zone',
        before: [],
        after: [{ section: 'reminder', text: `zone ${index}` }],
        mode: 'assistant',
        editor: null,
      });
    }
    if (each === 'answer')
      add({ kind: 'assistant', parts: [{ type: 'text', text: words }], end: 'complete', model: 'm' });
    if (each === 'calls') {
      const parts = [0, 1].map((at) => ({
        type: 'tool-call' as const,
        id: `${index}-${at}`,
        name: 'read',
        argumentsText: '{}',
      }));
      add({ kind: 'assistant', parts, end: 'tool-calls', model: 'm' });
      for (const { id } of parts) {
        add({
          kind: 'tool-result',
          callId: id,
          name: 'read',
          text: `${words} ${id}`,
          isError: false,
          sources: [{ path: `${index}.md` }],
        });
      }
    }
    if (each === 'goal') {
      add({ kind: 'goal', event: { type: 'created', description: words, priority: 'high' }, origin: 'user' });
    }
    const pinned = each === 'pin' ? last('user') : last('tool-result');
    if ((each === 'pin' || each === 'pin-result') && pinned !== undefined) {
      const target = each === 'pin' ? targetOf.exchange(pinned) : targetOf.result(pinned);
      add({ kind: 'context-forms', forms: [{ target, form: 'pinned' }], by: 'user' });
    }
    if (each === 'summary') add(summaryOf(log, keptTokens) ?? { kind: 'title', title: 't' });
    const summary = last('summary');
    if (each === 'undo' && summary !== undefined) add({ kind: 'summary-undone', summary });
    if (each === 'mask')
      add({
        kind: 'context-forms',
        forms: outputsToMask(log, seenEntries(log), { protect: 20, least: 1 }),
        by: 'window',
      });
    if (each === 'trim')
      add({ kind: 'context-forms', forms: oldestParts(log, seenEntries(log), keptTokens / 4), by: 'window' });
  });
  return log;
}

function summaryOf(log: readonly SessionEntry[], keptTokens: number): (EntryBody & { kind: 'summary' }) | null {
  const cover = chooseCover(log, seenEntries(log), { share: 0.7, exchanges: 2, keptTokens });
  if (cover === null) return null;
  const { covers, older } = cover;
  const snapshot = extractSnapshot({ entries: older, goal: null, tokens: 200 });
  const numbers = { before: 100, after: 10, removed: 1, kept: 1 };
  return {
    kind: 'summary',
    snapshot,
    covers,
    by: 'extraction',
    trigger: 'manual',
    focus: '',
    ...numbers,
    paths: [],
    skills: [],
  };
}

function with_(log: readonly SessionEntry[], body: EntryBody): SessionEntry[] {
  return [
    ...log,
    { ...body, id: `n${log.length}`, conversation: 'c', writer: 'w', session: 's', lamport: log.length, time: 0 },
  ];
}

/** Every call is answered right behind it, by a result that was recorded, and no result stands alone. */
function isPairSafe(messages: readonly Message[]): boolean {
  return messages.every((message, index) => {
    if (message.role === 'assistant') {
      const calls = message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));
      const next = messages[index + 1];
      if (calls.length === 0) return true;
      if (next?.role !== 'tool') return false;
      return calls.every((call) => next.parts.some((part) => part.callId === call && part.text !== interruptedResult));
    }
    return message.role !== 'tool' || messages[index - 1]?.role === 'assistant';
  });
}

describe('compaction', () => {
  it('R247 R244 a summary covers entries of the log alone, leaves the log as it was, and never parts call and result', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const log = logOf(script);
        const copy = [...log];
        const summary = summaryOf(log, script[1]);
        expect(log).toEqual(copy);
        // What gives no summary is no case: all the runs are those that do.
        fc.pre(summary !== null);
        const ids = new Set(log.map(({ id }) => id));
        expect(summary.covers.filter((id) => !ids.has(id))).toEqual([]);
        const next = with_(log, summary);
        expect(next.slice(0, -1)).toEqual(log);
        expect(isPairSafe(foldLog(next))).toBe(true);
      }),
      runs,
    );
  });

  it('K2 R112 K28 no goal, no pin and no newest message is lost to a summary', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const log = logOf(script);
        const summary = summaryOf(log, script[1]);
        // What gives no summary is no case: all the runs are those that do.
        fc.pre(summary !== null);
        const next = with_(log, summary);
        expect(foldGoals(next)).toEqual(foldGoals(log));
        const seen = new Set(seenEntries(next).map(({ id }) => id));
        const shown = seenEntries(log).filter(({ kind }) => kind === 'user');
        const pins = pinnedExchanges(log);
        const mustStay = shown.filter(({ id }, index) => pins.has(id) || index === shown.length - 1);
        expect(mustStay.filter(({ id }) => !seen.has(id))).toEqual([]);
      }),
      runs,
    );
  });

  it('R247 undo gives the same request again, byte for byte, and what was told is remembered as before', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const log = logOf(script);
        const summary = summaryOf(log, script[1]);
        // What gives no summary is no case: all the runs are those that do.
        fc.pre(summary !== null);
        const next = with_(log, summary);
        const undone = with_(next, { kind: 'summary-undone', summary: next.at(-1)?.id ?? '' });
        expect(JSON.stringify(foldLog(undone))).toBe(JSON.stringify(foldLog(log)));
        expect(foldTurnMemory(undone)).toEqual(foldTurnMemory(log));
        expect(foldCompacted(undone)).toEqual(foldCompacted(log));
        expect(contextFilesIn(seenEntries(undone))).toEqual(contextFilesIn(seenEntries(log)));
      }),
      runs,
    );
  });

  it('R244 K28 the same history gives the same summary, and a later one takes the earlier one up', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const log = logOf(script);
        const summary = summaryOf(log, script[1]);
        expect(summaryOf(log, script[1])).toEqual(summary);
        // What gives no summary is no case: all the runs are those that do.
        fc.pre(summary !== null);
        const more = [
          ...with_(log, summary),
          ...logOf([['ask', 'answer', 'ask', 'answer', 'ask', 'answer', 'ask'], 0]).map((each) => ({
            ...each,
            id: `x${each.id}`,
          })),
        ];
        const later = summaryOf(more, script[1]);
        if (later !== null) expect(later.covers.slice(0, summary.covers.length)).toEqual(summary.covers);
      }),
      runs,
    );
  });

  it('R243 K35 putting results aside and leaving the oldest out keep pairs, pins, the newest message and every text in the log', () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 3_000 }), (script, tokens) => {
        const log = logOf(script);
        const pins = pinnedExchanges(log);
        const seen = seenEntries(log);
        const forms = [...outputsToMask(log, seen, { protect: tokens, least: 1 }), ...oldestParts(log, seen, tokens)];
        const next = with_(log, { kind: 'context-forms', forms, by: 'window' });
        expect(isPairSafe(foldLog(next))).toBe(true);
        expect(next.slice(0, -1)).toEqual(log);
        const after = new Set(seenEntries(next).map(({ id }) => id));
        const users = seen.filter(({ kind }) => kind === 'user');
        const mustStay = users.filter(({ id }, index) => pins.has(id) || index === users.length - 1);
        expect(mustStay.filter(({ id }) => !after.has(id))).toEqual([]);
        expect(forms.filter(({ target }) => target === targetOf.exchange(users.at(-1)?.id ?? ''))).toEqual([]);
      }),
      runs,
    );
  });

  it('R237 R235 whatever a model answers, a snapshot has seven parts that are not empty, or there is none', () => {
    const tagged = fc.array(
      fc.tuple(
        fc.constantFrom(...snapshotPartNames, 'state_snapshot', 'scratchpad', 'current_plan'),
        fc.constantFrom('<', '</'),
        hostileText,
      ),
      { maxLength: 12 },
    );
    const whole = fc
      .array(hostileText, { minLength: 7, maxLength: 7 })
      .map((texts) => snapshotPartNames.map((name, at) => `<${name}>${texts[at] ?? ''}</${name}>`).join(''));
    const answer = fc.oneof(
      hostileText,
      tagged.map((list) => list.map(([name, open, text]) => `${open}${name}>${text}`).join('')),
      whole.map((text) => `<state_snapshot>${text}</state_snapshot>`),
    );
    fc.assert(
      fc.property(answer, hostileText, (text, known) => {
        const judged = judgeSnapshot(text, known);
        const snapshot = judged.ok ? judged.snapshot : judged.repaired;
        if (snapshot === null) return;
        expect(Object.keys(snapshot)).toEqual(snapshotPartNames);
        expect(Object.values(snapshot).filter((part) => part === '')).toEqual([]);
      }),
      runs,
    );
  });

  it('R239 R240 R242 K23 nothing runs by itself below the point, twice in a turn, or behind a latch', () => {
    const number = fc.nat({ max: 40_000 });
    fc.assert(
      fc.property(steps, number, number, number, (script, all, history, point) => {
        const entries = logOf(script);
        const totals = {
          instructions: 100,
          reference: 0,
          tools: 100,
          turn: 0,
          history,
          all,
          reserve: 2_000,
          window: 16_000,
          exact: true,
        };
        const gate = gateOf({ trigger: 'automatic', totals, point, entries });
        const ran = entries
          .slice(entries.map(({ kind }) => kind).lastIndexOf('user') + 1)
          .some((each) => each.kind === 'summary' && each.trigger === 'automatic');
        const latched =
          entries.filter(({ kind }) => kind === 'summary' || kind === 'summary-undone').at(-1)?.kind ===
          'summary-undone';
        if (gate === 'open') expect([all >= point, history > 0, ran, latched]).toEqual([true, true, false, false]);
        expect(gateOf({ trigger: 'manual', totals, point, entries })).toBe(history === 0 ? 'too-little' : 'open');
      }),
      runs,
    );
  });
});
