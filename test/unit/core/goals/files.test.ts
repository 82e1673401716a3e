/** What becomes of a goal's artifacts when files are written and renamed. */
import { eventsOfRenames, recordFiles } from '../../../../src/core/goals/goal-request';
import { maxItems } from '../../../../src/core/goals/goal-state';
import { type GoalBench, goalBench } from '../../../support/goals';

const made = (path: string) => ({ path, action: 'created' }) as const;
const artifactsOf = ({ goals }: GoalBench): string[] =>
  (goals.getActiveGoal()?.artifacts ?? []).map(({ path, action }) => `${action} ${path}`);

describe('files that were written', () => {
  it('R125 are artifacts of the goal under way; without one nothing is recorded', async () => {
    const bench = goalBench();
    expect(await recordFiles(bench.goals, [made('A.md')])).toMatchObject({ ok: true });
    expect(bench.entries).toEqual([]);
    await bench.goals.createGoal('Launch');
    expect(await recordFiles(bench.goals, [made('A.md'), made('B.md')])).toMatchObject({ ok: true });
    expect(artifactsOf(bench)).toEqual(['created A.md', 'created B.md']);
  });

  it('R125 are no failure when the goal is completed', async () => {
    const bench = goalBench();
    const goal = await bench.goals.createGoal('Launch');
    if (goal.ok) await bench.goals.completeGoal(goal.value.id, 'Done.');
    expect(await recordFiles(bench.goals, [made('A.md')])).toMatchObject({ ok: true });
    expect(artifactsOf(bench)).toEqual([]);
  });

  it('R125 are no failure when the goal takes no more, and what it has is kept up', async () => {
    const bench = goalBench();
    await bench.goals.createGoal('Launch');
    const many = Array.from({ length: maxItems }, (_, index) => made(`${index}.md`));
    await recordFiles(bench.goals, many);
    const recorded = await recordFiles(bench.goals, [made('More.md'), { path: '0.md', action: 'deleted' }]);
    expect(recorded).toMatchObject({ ok: true });
    expect(artifactsOf(bench)).toHaveLength(maxItems);
    expect(artifactsOf(bench)).toContain('deleted 0.md');
  });

  it('F5 are a failure when the log cannot take them', async () => {
    const bench = goalBench();
    await bench.goals.createGoal('Launch');
    bench.store.fault = () => 'lost';
    expect(await recordFiles(bench.goals, [made('A.md')])).toMatchObject({ ok: false, failure: { kind: 'storage' } });
  });
});

it('R116 a folder that is renamed says nothing of files whose names only begin like its own', async () => {
  const bench = goalBench();
  await bench.goals.createGoal('Launch');
  await recordFiles(bench.goals, [made('Boat/Keel.md'), made('Boathouse.md')]);
  const renames = [
    { from: 'Boat', to: 'Ship' },
    { from: 'Shiphouse.md', to: 'Shed.md' },
    { from: 'Ship/Keel.md', to: 'Keel.md' },
  ];
  const events = eventsOfRenames(bench.goals.state, renames);
  expect(events.map((event) => 'from' in event && event.from)).toEqual(['Boat', 'Ship/Keel.md']);
});
