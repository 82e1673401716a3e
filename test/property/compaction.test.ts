/** Compaction loses nothing: after summarizing, clearing or dropping, the log is complete and requests stay valid. */
import * as fc from 'fast-check';
import { chooseCoveredEntries, pinnedExchanges } from '../../src/core/context/compaction/choose-cut';
import { selectOldestToOmit, outputsToMask } from '../../src/core/context/compaction/clear-old-parts';
import { extractSnapshot, judgeSnapshot, snapshotPartNames } from '../../src/core/context/compaction/snapshot';
import { checkCompactionAllowed } from '../../src/core/context/compaction/run-compaction';
import { foldCompacted, foldTurnMemory } from '../../src/core/context/turn-context';
import { foldGoals } from '../../src/core/goals/fold-goals';
import type { Message } from '../../src/core/ports/message';
import { foldLog, interruptedResult, visibleEntries } from '../../src/core/request/history';
import type { EntryBody, SessionEntry, Snapshot } from '../../src/core/session/entry';
import { contextFilesIn, coveredBy, coveredIn, targetOf } from '../../src/core/session/log-state';
import { findLast } from '../../src/core/session/running-fold';
import { drawn } from './drawn-cases';
import { hostileText } from './hostile-text';

const runs = drawn(20_000);

type Step =
  | 'ask'
  | 'answer'
  | 'calls'
  | 'goal'
  | 'pin'
  | 'pin-result'
  | 'summary'
  | 'undo'
  | 'refuse'
  | 'mask'
  | 'trim';
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
  'refuse',
  'mask',
  'trim',
);
/** Between exchanges that can be summarised, so that hardly a case is none. */
const steps = fc
  .tuple(fc.array(step, { minLength: 4, maxLength: 12 }), fc.nat({ max: 300 }))
  .map(([list, retainedTokens]) => [['ask', 'answer', ...list, ...ending], retainedTokens] as const);
const ending: readonly Step[] = ['ask', 'calls', 'answer', 'ask', 'answer', 'ask'];

/** Entries by their place in the log and by the step that adds them: equal ones of all logs are one object. */
const shared: Partial<Record<Step, readonly SessionEntry[]>>[][] = [];

/** Returns the entries of a step that are the same in every log that has it here; none for the other steps. */
function sharedEntries(each: Step, index: number, at: number): readonly SessionEntry[] {
  const here = ((shared[at] ??= [])[index] ??= {});
  here[each] ??= bodiesOf(each, index).map((body, place) => entryOf(body, at + place));
  return here[each];
}

function entryOf(body: EntryBody, at: number): SessionEntry {
  const header = { id: `e${at}`, conversation: 'c', writer: 'w', session: 's', lamport: at, time: 0 };
  // What would change an entry throws.
  return Object.freeze(Object.assign(body, header));
}

function bodiesOf(each: Step, index: number): EntryBody[] {
  const words = `${each} ${index} `.repeat(1 + ((index * 7) % 12));
  if (each === 'ask') {
    return [
      { kind: 'user', text: words, mentions: [] },
      {
        kind: 'turn-zone',
        before: [],
        after: [{ section: 'reminder', text: `zone ${index}` }],
        mode: 'assistant',
        editor: null,
      },
    ];
  }
  if (each === 'answer')
    return [{ kind: 'assistant', parts: [{ type: 'text', text: words }], end: 'complete', model: 'm' }];
  if (each === 'calls') {
    const parts = [0, 1].map((at) => ({
      type: 'tool-call' as const,
      id: `${index}-${at}`,
      name: 'read',
      argumentsText: '{}',
    }));
    const results = parts.map(({ id }): EntryBody => ({
      kind: 'tool-result',
      callId: id,
      name: 'read',
      text: `${words} ${id}`,
      isError: false,
      sources: [{ path: `${index}.md` }],
    }));
    return [{ kind: 'assistant', parts, end: 'tool-calls', model: 'm' }, ...results];
  }
  if (each === 'goal')
    return [{ kind: 'goal', event: { type: 'created', description: words, priority: 'high' }, origin: 'user' }];
  if (each === 'refuse') return [{ kind: 'summary-refused', reason: 'not-smaller', trigger: 'automatic' }];
  return [];
}

/** Plays steps to a log; each entry has an id of its own. */
function logOf([list, retainedTokens]: readonly [readonly Step[], number]): SessionEntry[] {
  const log: SessionEntry[] = [];
  const add = (body: EntryBody): void => void log.push(entryOf(body, log.length));
  const last = (kind: SessionEntry['kind']): string | undefined => findLast(log, (each) => each.kind === kind)?.id;
  list.forEach((each, index) => {
    log.push(...sharedEntries(each, index, log.length));
    const pinned = each === 'pin' ? last('user') : each === 'pin-result' ? last('tool-result') : undefined;
    if (pinned !== undefined) {
      const target = each === 'pin' ? targetOf.exchange(pinned) : targetOf.result(pinned);
      add({ kind: 'context-forms', forms: [{ target, form: 'pinned' }], by: 'user' });
    }
    if (each === 'summary') add(summaryOf(log, retainedTokens) ?? { kind: 'title', title: 't' });
    const summary = each === 'undo' ? last('summary') : undefined;
    if (summary !== undefined) add({ kind: 'summary-undone', summary });
    if (each === 'mask')
      add({
        kind: 'context-forms',
        forms: outputsToMask(log, visibleEntries(log), { protect: 20, least: 1 }),
        by: 'window',
      });
    if (each === 'trim')
      add({
        kind: 'context-forms',
        forms: selectOldestToOmit(log, visibleEntries(log), retainedTokens / 4),
        by: 'window',
      });
  });
  return log;
}

type Summary = EntryBody & { kind: 'summary' };

/** @param write the snapshot of what is covered */
function summaryOf(
  log: readonly SessionEntry[],
  retainedTokens: number,
  write: (older: readonly SessionEntry[]) => Snapshot = () => describedSnapshot,
): Summary | null {
  const cover = chooseCoveredEntries(log, visibleEntries(log), { share: 0.7, exchanges: 2, retainedTokens });
  if (cover === null) return null;
  const { covers, continues, older } = cover;
  const numbers = { before: 100, after: 10, removed: 1, kept: 1 };
  return {
    kind: 'summary',
    snapshot: write(older),
    covers,
    ...(continues === undefined ? {} : { continues }),
    by: 'extraction',
    trigger: 'manual',
    focus: '',
    ...numbers,
    paths: [],
    skills: [],
  };
}

const describedSnapshot = Object.fromEntries(snapshotPartNames.map((name) => [name, `about ${name}`])) as Snapshot;
const extract = (older: readonly SessionEntry[]): Snapshot =>
  extractSnapshot({ entries: older, goal: null, tokens: 200 });

/** A log, the summary that it gives, and the log with it. */
interface Case {
  readonly script: readonly [readonly Step[], number];
  readonly log: readonly SessionEntry[];
  readonly summary: Summary;
  readonly next: readonly SessionEntry[];
}

/** The first case that breaks each of the clauses; what gives no summary is no case, so all the runs are those that do. */
function firstBroken<Name extends string>(clauses: Readonly<Record<Name, (given: Case) => boolean>>) {
  const broken: Partial<Record<Name, Case['script']>> = {};
  const names = Object.keys(clauses) as Name[];
  fc.assert(
    fc.property(steps, (script) => {
      const log = logOf(script);
      const summary = summaryOf(log, script[1]);
      fc.pre(summary !== null);
      const given = { script, log, summary, next: with_(log, summary) };
      for (const name of names) if (broken[name] === undefined && !clauses[name](given)) broken[name] = script;
    }),
    runs,
  );
  return broken;
}

const isEmpty = (list: readonly unknown[]): boolean => list.length === 0;
/** Compares plain data, with the order of keys: what is most often one object is not written out. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  if (Array.isArray(one) !== Array.isArray(other) || keys.length !== others.length) return false;
  const valueOf = (data: object, key: string): unknown => (data as Readonly<Record<string, unknown>>)[key];
  return keys.every((key, at) => key === others[at] && isSame(valueOf(one, key), valueOf(other, key)));
}
/** Returns what the chat has sent as plain data: sets and maps become lists. */
function memoryOf(entries: readonly SessionEntry[]): unknown {
  const { sent, notes, ...others } = foldTurnMemory(entries);
  return [others, [...sent], [...notes]];
}

const startsWith = (list: readonly unknown[], start: readonly unknown[]): boolean =>
  start.every((each, index) => each === list[index]);

function with_(log: readonly SessionEntry[], body: EntryBody): SessionEntry[] {
  return [
    ...log,
    { ...body, id: `n${log.length}`, conversation: 'c', writer: 'w', session: 's', lamport: log.length, time: 0 },
  ];
}

/** Checks that each call is followed directly by its recorded result, and that no result appears without its call. */
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

describe('a summary', () => {
  const more = logOf([['ask', 'answer', 'ask', 'answer', 'ask', 'answer', 'ask'], 0]);
  const later = more.map((each) => ({ ...each, id: `x${each.id}` }));
  let broken: ReturnType<typeof firstBroken<'covers' | 'pairs' | 'keeps' | 'undo' | 'repeats'>>;
  // One pass for all clauses: making the logs is most of the work.
  beforeAll(() => {
    broken = firstBroken({
      covers: ({ log, summary, next }) => {
        const ids = new Set(log.map(({ id }) => id));
        const isKnown = isEmpty(summary.covers.filter((id) => !ids.has(id)));
        return isKnown && next.length === log.length + 1 && startsWith(next, log);
      },
      pairs: ({ next }) => isPairSafe(foldLog(next)),
      keeps: ({ log, next }) => {
        const seen = new Set(visibleEntries(next).map(({ id }) => id));
        const shown = visibleEntries(log).filter(({ kind }) => kind === 'user');
        const pins = pinnedExchanges(log);
        const mustStay = shown.filter(({ id }, index) => pins.has(id) || index === shown.length - 1);
        return isSame(foldGoals(next), foldGoals(log)) && isEmpty(mustStay.filter(({ id }) => !seen.has(id)));
      },
      undo: ({ log, next }) => {
        const undone = with_(next, { kind: 'summary-undone', summary: next.at(-1)?.id ?? '' });
        return (
          isSame(foldLog(undone), foldLog(log)) &&
          isSame(memoryOf(undone), memoryOf(log)) &&
          isSame(foldCompacted(undone), foldCompacted(log)) &&
          isSame(contextFilesIn(visibleEntries(undone)), contextFilesIn(visibleEntries(log)))
        );
      },
      repeats: ({ log, script: [, retainedTokens], summary, next }) => {
        const again = summaryOf([...log], retainedTokens, extract);
        const taken = summaryOf([...next, ...later], retainedTokens);
        const isRepeated =
          isSame(again, summaryOf(log, retainedTokens, extract)) && isSame(again?.covers, summary.covers);
        const isTakenUp = (further: Summary): boolean =>
          further.continues === next.at(-1)?.id && startsWith([...coveredBy(next, further)], [...coveredIn(next)]);
        return isRepeated && (taken === null || isTakenUp(taken));
      },
    });
  });

  it('R247 R244 covers entries of the log alone, and leaves the log as it was', () => {
    expect(broken.covers).toBeUndefined();
  });

  it('R244 never parts a call and its result', () => {
    expect(broken.pairs).toBeUndefined();
  });

  it('K2 R112 K28 loses no goal, no pin and no newest message', () => {
    expect(broken.keeps).toBeUndefined();
  });

  it('R247 taken back gives the same request again, byte for byte, and what was told is remembered as before', () => {
    expect(broken.undo).toBeUndefined();
  });

  it('R244 K28 is the same for the same history, and a later one takes it up', () => {
    expect(broken.repeats).toBeUndefined();
  });
});

describe('compaction', () => {
  it('R243 K35 putting results aside and leaving the oldest out keep pairs, pins, the newest message and every text in the log', () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 3_000 }), (script, tokens) => {
        const log = logOf(script);
        const pins = pinnedExchanges(log);
        const seen = visibleEntries(log);
        const forms = [
          ...outputsToMask(log, seen, { protect: tokens, least: 1 }),
          ...selectOldestToOmit(log, seen, tokens),
        ];
        const next = with_(log, { kind: 'context-forms', forms, by: 'window' });
        const after = new Set(visibleEntries(next).map(({ id }) => id));
        const users = seen.filter(({ kind }) => kind === 'user');
        const mustStay = users.filter(({ id }, index) => pins.has(id) || index === users.length - 1);
        const newest = targetOf.exchange(users.at(-1)?.id ?? '');
        return (
          isPairSafe(foldLog(next)) &&
          startsWith(next, log) &&
          isEmpty(mustStay.filter(({ id }) => !after.has(id))) &&
          isEmpty(forms.filter(({ target }) => target === newest))
        );
      }),
      runs,
    );
  });

  it('R243 whatever the user has outlined or left out, pairs hold, what was said stays unless it was left out, and whole again is as before', () => {
    const formChoices = fc.array(fc.tuple(fc.nat(), fc.constantFrom('outline', 'dropped', 'pinned', 'whole')), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(steps, formChoices, (script, choices) => {
        const log = logOf(script).filter(({ kind }) => kind !== 'context-forms' && !kind.startsWith('summary'));
        const users = log.filter(({ kind }) => kind === 'user');
        const forms = choices.map(([at, form]) => ({
          target: targetOf.exchange(users[at % users.length]?.id ?? ''),
          form,
        }));
        const next = with_(log, { kind: 'context-forms', forms, by: 'user' });
        const whole = forms.map(({ target }) => ({ target, form: 'whole' as const }));
        const back = with_(next, { kind: 'context-forms', forms: whole, by: 'user' });
        const last = new Map(forms.map(({ target, form }) => [target, form]));
        const shown = new Set(visibleEntries(next).map(({ id }) => id));
        return (
          isPairSafe(foldLog(next)) &&
          isSame(foldLog(back), foldLog(log)) &&
          users.every(({ id }) => shown.has(id) !== (last.get(targetOf.exchange(id)) === 'dropped'))
        );
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
        if (snapshot === null) return true;
        const isWhole = Object.keys(snapshot).join() === snapshotPartNames.join();
        return isWhole && !Object.values(snapshot).includes('');
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
        const gate = checkCompactionAllowed({ trigger: 'automatic', totals, point, entries });
        const ran = entries
          .slice(entries.map(({ kind }) => kind).lastIndexOf('user') + 1)
          .some((each) => (each.kind === 'summary' || each.kind === 'summary-refused') && each.trigger === 'automatic');
        const last = entries
          .filter(({ kind }) => kind === 'summary' || kind === 'summary-undone' || kind === 'summary-refused')
          .at(-1)?.kind;
        const fits = all <= totals.window - totals.reserve;
        const held = last === 'summary-refused' || (last === 'summary-undone' && fits);
        const isRight = gate !== 'open' || (all >= point && history > 0 && !ran && !held);
        const byHand = checkCompactionAllowed({ trigger: 'manual', totals, point, entries });
        return isRight && byHand === (history === 0 ? 'too-little' : 'open');
      }),
      runs,
    );
  });
});
