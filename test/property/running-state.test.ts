/** What a session keeps of its log as it grows equals what the whole log gives, for any log and after every entry. */
import * as fc from 'fast-check';
import { foldTranscript, Transcript } from '../../src/core/chat/transcript';
import { foldChoices } from '../../src/core/context/chat-choices';
import { foldCompacted, foldTurnMemory, skillsIn } from '../../src/core/context/turn-context';
import { foldGoals } from '../../src/core/goals/fold-goals';
import { foldLog, visibleEntries } from '../../src/core/request/history';
import { type EntryBody, type SessionEntry, type Snapshot, snapshotParts } from '../../src/core/session/entry';
import {
  contextFilesIn,
  findChatStart,
  foldForms,
  foldReference,
  isSummarized,
  lastRebuild,
  spentBySubagentsIn,
  spentIn,
  summaryInForce,
  targetOf,
} from '../../src/core/session/log-state';
import { withFurther } from '../../src/core/session/session-log';
import { defaultSettings } from '../../src/core/settings/settings';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { answer, result, user } from '../support/entries';
import { expectSame } from 'obsidian-workbench/testing/expect-same';
import { seed } from './hostile-text';

const size = 16;
const kind = <Kind extends string>(name: Kind) => fc.constant(name);
/** Ids are places, so that entries speak of one another. */
const id = fc.integer({ min: 0, max: size }).map((place) => `e${place}`);
const text = fc.constantFrom('one', 'two', '');
const cost = fc.constantFrom(undefined, { inputTokens: 1, outputTokens: 1, cost: 0.1 });
const part = fc.record({ section: fc.constantFrom('files', 'reminder'), text });
const snapshot = text.map(
  (said) => Object.fromEntries(Object.keys(snapshotParts).map((key) => [key, said])) as Snapshot,
);
const target = fc.oneof(
  id.map((each) => targetOf.exchange(each)),
  id.map((each) => targetOf.round(each)),
  id.map((each) => targetOf.result(each)),
  id.map((each) => targetOf.note(each, 'A.md')),
  fc.constant(targetOf.section('files')),
);
const form = fc.constantFrom(
  'whole' as const,
  'pinned' as const,
  'outline' as const,
  'masked' as const,
  'dropped' as const,
);
const start = { date: 'd', isoDate: '2026-01-01', week: 1, time: '10:00', app: {} };
const summary = fc.record({
  kind: kind('summary'),
  snapshot,
  covers: fc.uniqueArray(id, { maxLength: 8 }),
  continues: id,
  by: kind('model'),
  trigger: kind('manual'),
  focus: text,
  before: fc.constant(2),
  after: fc.constant(1),
  removed: fc.constant(1),
  kept: fc.constant(1),
  paths: fc.constant([]),
  skills: fc.constant(['S.md']),
});
const mode = fc.constantFrom('assistant' as const, 'planning' as const);
const body = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kind('user'), text, mentions: fc.constant([]) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('assistant'),
      parts: fc.array(
        fc.oneof(
          fc.record({ type: kind('text'), text }),
          fc.record({ type: kind('tool-call'), id, name: text, argumentsText: fc.constant('{}') }),
        ),
        { maxLength: 2 },
      ),
      end: kind('complete'),
      model: fc.constant('m'),
      usage: cost,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('tool-result'),
      callId: id,
      name: fc.constantFrom('read', 'activate_skill'),
      text,
      isError: fc.boolean(),
      sources: fc.constant([{ path: 'S.md' }]),
      additions: fc.constantFrom([], [{ kind: 'context-file' as const, source: 'AGENTS.md', text: 'Be kind.' }]),
      usage: cost,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('turn-zone'),
      before: fc.array(part, { maxLength: 1 }),
      after: fc.array(part, { maxLength: 1 }),
      mode,
      editor: fc.constant(null),
      told: fc.constantFrom({}, { 'note:A.md': 'p1' }, { 'note:B.md': 'p2' }),
    }),
  },
  fc.record({
    kind: kind('hook-context'),
    additions: fc.constant([{ kind: 'hook' as const, source: 'h', text: 'rain' }]),
    reports: fc.array(text, { maxLength: 1 }),
  }),
  fc.record({
    kind: kind('context-forms'),
    forms: fc.array(fc.record({ target, form }), { minLength: 1, maxLength: 3 }),
    by: fc.constantFrom('user' as const, 'window' as const),
  }),
  summary,
  fc.record({ kind: kind('summary-edited'), summary: id, snapshot }),
  fc.record({ kind: kind('summary-undone'), summary: id }),
  fc.record({ kind: kind('chat-began'), start: fc.constant(start) }),
  fc.record({ kind: kind('reference-sent'), head: text, reason: text, items: fc.constant([]) }),
  fc.record({
    kind: kind('prompt-rebuilt'),
    sections: fc.constant([]),
    reasons: fc.constant([]),
    model: fc.constant('m'),
    tier: fc.constantFrom(1 as const, 5 as const),
    mode,
    headMode: mode,
    automatic: fc.boolean(),
    window: fc.constant(null),
    head: fc.constant({}),
  }),
  fc.record({
    kind: kind('goal'),
    origin: kind('user'),
    event: fc.oneof(
      fc.record({ type: kind('created'), description: text, priority: kind('high') }),
      fc.record({ type: kind('undone'), event: id }),
    ),
  }),
  fc.record({ kind: kind('choices'), choices: fc.record({ mode }) }),
  fc.record({ kind: kind('log-restored'), lines: fc.constant(2) }),
  fc.record({
    kind: kind('request-beside'),
    model: text,
    usage: fc.constant({ inputTokens: 1, outputTokens: 1, cost: 2 }),
  }),
  fc.record({ kind: kind('changes-undone'), changeset: id, operations: fc.constant([]), told: text }),
  fc.record({ kind: kind('changes-staged'), changeset: id, changes: fc.constant([]), dropped: fc.constant([]) }),
  fc.record({ kind: kind('failure'), failure: fc.constant({ kind: 'network' as const, words: 'w', remedy: 'r' }) }),
) as fc.Arbitrary<EntryBody>;

const entryOf = (each: EntryBody, place: number, writer = 'w'): SessionEntry => ({
  ...each,
  ...{ id: `e${place}`, conversation: 'c', writer, session: 's', lamport: place + 1, time: place },
});
const log = fc
  .array(fc.tuple(body, fc.constantFrom('w', 'w', 'w', 'v')), { maxLength: size })
  .map((bodies) => bodies.map(([each, writer], place) => entryOf(each, place, writer)));

/** All that is read of a log; it is valid until the log grows. */
const read = (entries: readonly SessionEntry[]) => ({
  visible: visibleEntries(entries),
  messages: foldLog(entries),
  memory: foldTurnMemory(entries),
  compacted: foldCompacted(entries),
  goals: foldGoals(entries),
  choices: foldChoices(entries, defaultSettings),
  skills: skillsIn(visibleEntries(entries)),
  files: contextFilesIn(visibleEntries(entries)),
  spent: spentIn(entries),
  spentBySubagents: spentBySubagentsIn(entries),
  forms: foldForms(entries),
  summary: summaryInForce(entries),
  isSummarized: isSummarized(entries),
  start: findChatStart(entries),
  reference: foldReference(entries),
  rebuilt: lastRebuild(entries),
});

/** The newest summary that no later entry undid. */
function plainSummary(entries: readonly SessionEntry[]): string | undefined {
  const summaries = entries.filter(
    ({ kind: is, id: own }, place) =>
      is === 'summary' &&
      !entries.slice(place).some((later) => later.kind === 'summary-undone' && later.summary === own),
  );
  return summaries.at(-1)?.id;
}

it('equals the whole fold after every entry, and before one that is not there yet', () => {
  fc.assert(
    fc.property(log, body, (entries, further) => {
      const growing: SessionEntry[] = [];
      const transcript = new Transcript();
      for (const each of entries) {
        growing.push(each);
        transcript.follow(growing);
        const whole = [...growing];
        expectSame(read(growing), read(whole));
        expectSame(transcript.items, foldTranscript(whole));
        const ahead = withFurther(growing, further);
        expectSame(read(ahead), read([...ahead]));
        // What might come leaves no trace in what is there.
        expectSame(read(growing), read([...growing]));
        expectSame(summaryInForce(growing)?.id, plainSummary(growing));
        const costs = growing.map((one) => ('usage' in one ? (one.usage?.cost ?? 0) : 0));
        expectSame(
          spentIn(growing),
          costs.reduce((sum, spent) => sum + spent, 0),
        );
      }
    }),
    { numRuns: 1_500, seed },
  );
});

it('leaves what was folded of a shorter log as it was sent', () => {
  const growing = [user('a'), answer('b')].map((each, place) => entryOf(each, place));
  const [messages, memory] = [foldLog(growing), foldTurnMemory(growing)];
  const before = structuredClone({ messages, memory });
  growing.push(entryOf(user('c'), 2), entryOf({ kind: 'hook-context', additions: [], reports: ['r'] }, 3));
  foldLog(growing);
  foldTurnMemory(growing);
  expect({ messages, memory }).toEqual(before);
});

/** Adds as many entries, one at a time, and reads after each what a turn reads of its log. */
function grow(count: number): void {
  const growing: SessionEntry[] = [];
  const transcript = new Transcript();
  for (let place = 0; place < count; place += 1) {
    growing.push(entryOf(place % 3 === 0 ? user('a') : place % 3 === 1 ? answer('b') : result('x'), place));
    transcript.follow(growing);
    visibleEntries(growing);
    summaryInForce(growing);
    spentIn(growing);
    foldGoals(growing);
    foldTurnMemory(growing);
    foldReference(growing);
    skillsIn(visibleEntries(growing));
  }
  if (transcript.items.length === 0) throw new Error('Nothing was shown.');
}

it('costs as much for each entry, however long the log', async () => {
  await expectGrowthBelow(
    8,
    () => grow(20_000),
    () => grow(5_000),
  );
});
