import { foldGoals } from '../../../../src/core/goals/fold-goals';
import type { GoalState } from '../../../../src/core/goals/goal-state';
import type { Outcome } from '../../../../src/core/ports/failure';
import { foldLog } from '../../../../src/core/request/history';
import { copyEntries, entriesBeforeTaint, entriesUpTo } from '../../../../src/core/session/copy-entries';
import type { EntryBody, SessionEntry } from '../../../../src/core/session/entry';
import { targetOf } from '../../../../src/core/session/log-state';
import { SessionLog } from '../../../../src/core/session/session-log';
import { answer, result, toolCall, user } from '../../../support/entries';
import { goalBench } from '../../../support/goals';
import { countingIdentifiers, logPorts, memoryStore } from '../../../support/memory-ports';

const idOf = (made: Outcome<{ readonly id: string }>): string => (made.ok ? made.value.id : '');

function describeGoals({ list }: GoalState): unknown {
  return list.map(({ description, status, next, checkpoints, decisions, artifacts }) => ({
    ...{ description, status, next, artifacts },
    checkpoints: checkpoints.map((each) => [each.description, each.status]),
    decisions: decisions.map((each) => [each.description, each.rationale, each.locked]),
  }));
}

it('a copy of a log has the same goals, whatever the names of its entries', async () => {
  const { goals, log } = goalBench();
  const goal = idOf(await goals.createGoal('Launch'));
  const scraped = idOf(await goals.createCheckpoint(goal, 'Scrape'));
  const painted = idOf(await goals.createCheckpoint(goal, 'Paint'));
  await goals.updateCheckpoint(goal, scraped, 'completed');
  await goals.edit(goal, painted, 'Paint twice');
  await goals.lockDecision(goal, idOf(await goals.recordDecision(goal, 'Red below', 'As before')));
  await goals.recordArtifact(goal, 'note', 'Boats/Heron.md', 'modified');
  await goals.setNext(goal, 'Ring the yard');
  await goals.undo(goals.state.records.at(-1)?.id ?? '');
  const copy = SessionLog.start('c2', logPorts(memoryStore(), { identifiers: countingIdentifiers('copy-') }));
  await copyEntries(log.entries, copy);
  expect(describeGoals(foldGoals(copy.entries))).toEqual(describeGoals(goals.state));
  expect(describeGoals(goals.state)).toEqual([
    expect.objectContaining({
      checkpoints: [
        ['Scrape', 'completed'],
        ['Paint twice', 'pending'],
      ],
      decisions: [['Red below', 'As before', true]],
      next: undefined,
    }),
  ]);
});

describe('what the user left out of the requests', () => {
  const told = (entries: readonly SessionEntry[]): string => JSON.stringify(foldLog(entries));

  async function secretChat() {
    const log = SessionLog.start('c1', logPorts(memoryStore(), { identifiers: countingIdentifiers('own-') }));
    const add = async (body: EntryBody): Promise<string> => idOf(await log.append(body));
    const first = await add(user('my secret'));
    const files = '<files>\n<note path="Diary.md">\nthe diary\n</note>\n</files>';
    const before = [{ section: 'files', text: files }];
    await add({ kind: 'turn-zone', before, after: [], mode: 'assistant', editor: null });
    await add(answer('noted'));
    const second = await add(user('read on'));
    const zone = await add({ kind: 'turn-zone', before, after: [], mode: 'assistant', editor: null });
    await add(answer(toolCall('c')));
    const read = await add(result('c', 'the text of a letter'));
    await add(answer('done'));
    const last = await add(user('go on'));
    await add(answer('yes'));
    const forms = [
      { target: targetOf.exchange(first), form: 'dropped' as const },
      { target: targetOf.note(zone, 'Diary.md'), form: 'dropped' as const },
      { target: targetOf.result(read), form: 'dropped' as const },
    ];
    return { log, second, last, add, forms };
  }

  const hidden = ['my secret', 'the diary', 'the text of a letter'];

  async function copyOf(entries: readonly SessionEntry[]): Promise<string> {
    const copy = SessionLog.start('c2', logPorts(memoryStore(), { identifiers: countingIdentifiers('copy-') }));
    await copyEntries(entries, copy);
    expect(copy.entries.filter(({ kind }) => kind === 'user').length).toBeGreaterThan(1);
    return told(copy.entries);
  }

  it.each(['user', 'window'] as const)('is not sent by a fork of the chat either: left out by the %s', async (by) => {
    const { log, last, add, forms } = await secretChat();
    await add({ kind: 'context-forms', forms, by });
    for (const text of hidden) expect(told(log.entries)).not.toContain(text);
    const forked = await copyOf(entriesUpTo(log.entries, last));
    for (const text of hidden) expect(forked).not.toContain(text);
  });

  it('is not sent by a fork from a message before the user left it out', async () => {
    const { log, second, add, forms } = await secretChat();
    await add({ kind: 'context-forms', forms, by: 'user' });
    const forked = await copyOf(entriesUpTo(log.entries, second));
    for (const text of hidden) expect(forked).not.toContain(text);
  });

  it('is not sent by a chat that begins again before untrusted text came in', async () => {
    const { log, add, forms } = await secretChat();
    await add(user('fetch'));
    await add({ kind: 'tainted', source: 'a page' });
    await add({ kind: 'context-forms', forms, by: 'user' });
    const clean = await copyOf(entriesBeforeTaint(log.entries).entries);
    for (const text of hidden) expect(clean).not.toContain(text);
  });
});
