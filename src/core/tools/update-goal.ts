/** update_goal: updates the goal of the chat, one change per call (R121, R262, K17). */
import * as z from 'zod/v4';
import { words } from '../../text';
import type { GoalRequest } from '../goals/goal-request';
import { activeGoalIn, type Goals, goalProgressOf } from '../goals/goal-state';
import { fail, type Outcome, succeed } from '../ports/failure';
import { tool } from './tool';

const statuses = {
  goal: [],
  checkpoint: ['pending', 'in-progress', 'completed', 'blocked'],
  decision: ['open', 'locked'],
  artifact: ['created', 'modified', 'deleted'],
  next: [],
  complete: [],
} as const;

const parameters = () =>
  z.object({
    action: z.enum(['goal', 'checkpoint', 'decision', 'artifact', 'next', 'complete']),
    text: z.string().describe('Path for artifact, outcome for complete.'),
    status: z
      .enum(['pending', 'in-progress', 'completed', 'blocked', 'open', 'locked', 'created', 'modified', 'deleted'])
      .optional(),
    reason: z.string().optional(),
    priority: z.enum(['high', 'medium', 'low']).optional(),
  });

type Asked = z.infer<ReturnType<typeof parameters>>;

export const updateGoal = tool({
  name: 'update_goal',
  agent: 'chat',
  description:
    'Records the goal of this chat. For work of several steps, set a goal and checkpoints. Then report what is ' +
    'finished, blocked or decided. Repeat the text of an entry to update it.',
  parameters,
  effect: 'chat',
  fromTier: 3,
  title: ({ action, text }) => words.goals.toolTitle(words.goals.toolActions[action], text.trim()),
  async run(asked, _vault, _signal, { goals }) {
    const request = requestOf(asked);
    if (!request.ok) return request;
    const changed = await goals.request(request.value);
    return changed.ok ? succeed({ text: stateOf(changed.value), sources: [] }) : changed;
  },
});

function requestOf({ action, text, status, reason, priority }: Asked): Outcome<GoalRequest> {
  const known: readonly string[] = statuses[action];
  if (status !== undefined && known.length > 0 && !known.includes(status)) {
    return fail({
      kind: 'invalid-input',
      words: words.goals.wrongStatus(action, status),
      remedy: words.goals.wrongStatusRemedy(known),
    });
  }
  switch (action) {
    case 'goal':
      return succeed({ action, description: text, ...(priority && { priority }) });
    case 'checkpoint':
      return status === 'blocked'
        ? succeed({ action, description: text, status: 'pending', blocker: reason ?? 'no reason given' })
        : succeed({ action, description: text, status: isCheckpointStatus(status) ? status : 'pending' });
    case 'decision':
      return succeed({ action, description: text, locked: status === 'locked', ...(reason && { rationale: reason }) });
    case 'artifact':
      return succeed({ action, path: text, change: isChange(status) ? status : 'created' });
    case 'next':
      return succeed({ action, description: text });
    case 'complete':
      return succeed({ action, summary: text });
  }
}

function isCheckpointStatus(status: Asked['status']): status is 'pending' | 'in-progress' | 'completed' {
  return status === 'pending' || status === 'in-progress' || status === 'completed';
}

function isChange(status: Asked['status']): status is 'created' | 'modified' | 'deleted' {
  return status === 'created' || status === 'modified' || status === 'deleted';
}

/** Returns a short state, because the next request contains the whole goal. */
function stateOf(goals: Goals): string {
  const goal = activeGoalIn(goals);
  if (goal === null) return 'Recorded.';
  if (goal.status === 'completed') return 'Recorded. The goal is completed.';
  const { completed, total } = goalProgressOf(goal);
  return total === 0 ? 'Recorded.' : `Recorded. ${completed} of ${total} checkpoints are done.`;
}
