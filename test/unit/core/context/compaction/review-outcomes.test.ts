/** What the user decided about proposed changes is reported with the next message, also if those before it are not sent. */
import { chooseCoveredEntries, limitsFor } from '../../../../../src/core/context/compaction/choose-cut';
import { foldLog, visibleEntries } from '../../../../../src/core/request/history';
import type { EntryBody, SessionEntry } from '../../../../../src/core/session/entry';
import { targetOf } from '../../../../../src/core/session/log-state';
import { answer, entry, user } from '../../../../support/entries';

function settled(told: string): EntryBody {
  const none = { id: 'cs', changes: [] }.changes;
  const base = { by: 'user' as const, approved: {}, applied: none, results: [], failed: [], waiting: none };
  return { kind: 'changes-settled', changeset: 'cs', ...base, reason: '', told };
}

const choice: EntryBody = { kind: 'choices', choices: { mode: 'planning' } };

function log(): SessionEntry[] {
  return [
    ...[user('one'), answer('I propose a change.'), settled('Rejected: too long.'), choice],
    ...[user('two'), answer('I propose another.'), settled('Applied.')],
    ...[user('three'), answer('Yes.')],
  ].map((body) => entry(body));
}

function texts(entries: readonly SessionEntry[]): string[] {
  return foldLog(entries).map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join(' '));
}

function summaryOf(entries: readonly SessionEntry[], upTo: string | undefined): SessionEntry {
  const cover = chooseCoveredEntries(entries, visibleEntries(entries), limitsFor(1_000, 1_000), upTo);
  const numbers = { before: 100, after: 10, removed: 1, kept: 1, paths: [], skills: [] };
  const parts = ['overall_goal', 'active_constraints', 'key_knowledge', 'artifact_trail', 'file_system_state'];
  const snapshot = Object.fromEntries(
    [...parts, 'recent_actions', 'task_state'].map((name) => [name, 'none']),
  ) as never;
  const { covers = [], continues = '' } = cover ?? {};
  return entry({ kind: 'summary', snapshot, covers, continues, by: 'model', trigger: 'manual', focus: '', ...numbers });
}

it('stays with the message that reports it when a summary covers what comes before', () => {
  const entries = log();
  const [, , , , second] = entries;
  const whole = texts(entries).find((text) => text.includes('two'));
  expect(whole).toContain('Rejected: too long.');
  const summarized = [...entries, summaryOf(entries, entries[0]?.id)];
  expect(texts(summarized)[2]).toBe(whole);
  // The next summary covers it with that message.
  const again = [...summarized, summaryOf(summarized, second?.id)];
  expect(texts(again).join('\n')).not.toContain('Rejected');
  expect(texts(again)[2]).toBe(texts(entries).find((text) => text.includes('three')));
});

it('is not among what is summarized before it was reported', () => {
  const entries = log();
  const cover = chooseCoveredEntries(entries, visibleEntries(entries), limitsFor(1_000, 1_000), entries[0]?.id);
  expect(cover?.older.map(({ kind }) => kind)).toEqual(['user', 'assistant']);
});

it('stays with the message that reports it when the exchange before is left out, and leaves with that message', () => {
  const entries = log();
  const dropped = (...messages: (SessionEntry | undefined)[]): SessionEntry[] => {
    const forms = messages.map((each) => ({ target: targetOf.exchange(each?.id ?? ''), form: 'dropped' as const }));
    return [...entries, entry({ kind: 'context-forms', forms, by: 'window' })];
  };
  const [first, , , , second] = entries;
  expect(texts(dropped(first))).toEqual(texts(entries).slice(2));
  expect(texts(dropped(first, second))).toEqual(texts(entries).slice(4));
});
