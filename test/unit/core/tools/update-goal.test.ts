import { tokensByRule } from '../../../../src/core/markup/budget';
import { describeFailure } from '../../../../src/core/ports/failure';
import { tools } from '../../../../src/core/tools';
import { declare, type Tool } from '../../../../src/core/tools/tool';
import { fakeVault } from '../../../support/fake-vault';
import { type GoalBench, goalBench } from '../../../support/goals';
import { noSubagents } from '../../../support/subagents';

const tool = tools.find(({ name }) => name === 'update_goal') as Tool;
const vault = fakeVault({});

let bench: GoalBench;
beforeEach(() => {
  bench = goalBench();
});

async function call(args: object): Promise<string> {
  const place = { skillFolders: [], goals: bench.goals, subagents: noSubagents };
  const outcome = await tool.run(tool.parameters.parse(args), vault, new AbortController().signal, place);
  return outcome.ok ? outcome.value.text : `${outcome.failure.kind}: ${describeFailure(outcome.failure)}`;
}

const current = () => bench.goals.getActiveGoal();

describe('update_goal', () => {
  it('R121 R117 K17 sets a goal and carries it to its end, one change a call', async () => {
    expect(await call({ action: 'goal', text: 'Launch the boat', priority: 'high' })).toBe('Recorded.');
    await call({ action: 'checkpoint', text: 'List the faults' });
    expect(await call({ action: 'checkpoint', text: 'Order bolts', status: 'blocked', reason: 'no price' })).toBe(
      'Recorded. 0 of 2 checkpoints are done.',
    );
    await call({ action: 'checkpoint', text: 'List the faults', status: 'completed' });
    await call({ action: 'decision', text: 'Bronze bolts', reason: 'no rust', status: 'locked' });
    await call({ action: 'artifact', text: 'Projects/Bolts.md' });
    await call({ action: 'next', text: 'Ring the yard' });
    expect(current()).toMatchObject({
      description: 'Launch the boat',
      priority: 'high',
      checkpoints: [
        { description: 'List the faults', status: 'completed' },
        { description: 'Order bolts', status: 'pending', blocker: 'no price' },
      ],
      decisions: [{ description: 'Bronze bolts', rationale: 'no rust', locked: true }],
      artifacts: [{ type: 'note', path: 'Projects/Bolts.md', action: 'created' }],
      next: 'Ring the yard',
    });
    expect(await call({ action: 'complete', text: 'Afloat.' })).toBe('Recorded. The goal is completed.');
    expect(current()).toMatchObject({ status: 'completed' });
  });

  it('R121 says of a checkpoint that is blocked without a reason that none was given', async () => {
    await call({ action: 'goal', text: 'Launch' });
    await call({ action: 'checkpoint', text: 'Order bolts', status: 'blocked' });
    expect(current()?.checkpoints).toMatchObject([{ status: 'pending', blocker: 'no reason given' }]);
  });

  it('R262 each call of next replaces the step', async () => {
    await call({ action: 'goal', text: 'Launch' });
    await call({ action: 'next', text: 'One' });
    await call({ action: 'next', text: 'Two' });
    expect(current()?.next).toBe('Two');
  });

  it('K17 K18 records whose change it was, and changes the chat alone', async () => {
    await call({ action: 'goal', text: 'Launch' });
    expect(bench.entries).toMatchObject([{ kind: 'goal', origin: 'model-tool', event: { type: 'created' } }]);
    expect(tool.effect).toBe('chat');
  });

  it('R115 tells the model why a locked decision stays', async () => {
    await call({ action: 'goal', text: 'Launch' });
    await call({ action: 'decision', text: 'Bronze', status: 'locked' });
    expect(await call({ action: 'decision', text: 'bronze', reason: 'cheaper' })).toMatch(
      /^refused: This decision is locked\./,
    );
  });

  it('says what is wrong with a call', async () => {
    expect(await call({ action: 'next', text: 'One' })).toMatch(/^not-found: .*Set a goal first/);
    expect(await call({ action: 'checkpoint', text: 'One', status: 'locked' })).toBe(
      'invalid-input: “locked” is not a status of a checkpoint. Use one of: pending, in-progress, completed, blocked.',
    );
    expect(tool.parameters.safeParse({ action: 'burn', text: '' }).success).toBe(false);
  });

  it('is short in the request, and says in the pane what it does', () => {
    const tokens = tokensByRule(JSON.stringify(declare(tool)));
    expect(tokens).toBeLessThan(330);
    expect(tool.title({ action: 'checkpoint', text: 'One' })).toBe('Goal: checkpoint “One”');
  });
});
