import { foldGoals } from '../../../../src/core/goals/fold-goals';
import type { GoalState } from '../../../../src/core/goals/goal-state';
import type { Outcome } from '../../../../src/core/ports/failure';
import { copyEntries, SessionLog } from '../../../../src/core/session/session-log';
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
