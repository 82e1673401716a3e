/** The goal of the chat in the prompt: the goal itself, and its progress (R112, R118). */
import { goalProgressOf } from '../../goals/goal-state';
import { lines, oneLine, sentences } from '../../markup/prose';
import { toolNames } from '../../markup/variables';
import type { Goal } from '../../session/goal-entry';
import type { Tier } from '../../settings/mode';
import { turnState } from '../facts/turn-state';
import { type Fact, section } from '../section';

/** The goal of this chat, stored outside its history (R112). */
export const activeGoal: Fact<Goal | null> = {
  id: 'active-goal',
  gather: ({ turn }) => turn.goal,
};

/** The goal of this chat: it remains in the prompt even if the history is summarized (R112, R118, R119). */
export const activeGoalSection = section({
  id: 'active-goal',
  tag: 'active_goal',
  zone: 'instructions',
  afterBase: true,
  buildOrder: 16,
  priority: 96,
  trim: 'never',
  needs: { goal: activeGoal, state: turnState },
  when: ({ goal }) => goal !== null,
  full: ({ goal, state }) => {
    if (goal === null) return [];
    const text = formatGoalHead(goal, state.tier);
    const reporting = goalReporting(goal, state);
    return [reporting === '' ? text : `${text}\n\n${reporting}`];
  },
  brief: ({ goal, state }) => (goal === null ? [] : [formatGoalHead(goal, state.tier)]),
});

export interface LiveGoal {
  /** Null if the goal of which the messages report progress is no longer sent. */
  readonly goal: Goal | null;
  readonly tier: Tier;
  /** Whether the messages report progress, of this goal or of one before it. */
  readonly wasReported?: boolean;
}

/** The goal at this turn, and whether progress was reported before (R112, K5). */
export const goalProgress: Fact<LiveGoal | null> = {
  id: 'goal-progress',
  gather: ({ turn: { goal, tier, lastSent } }) => {
    const wasReported = lastSent?.has('goal-progress') === true;
    return goal === null && !wasReported ? null : { goal, tier, wasReported };
  },
};

/** The goal's progress, sent near the user's message since it changes with the work (R118, R126, R262, K5). */
export const goalProgressSection = section({
  id: 'goal-progress',
  tag: 'goal_progress',
  zone: 'turn',
  onChange: true,
  buildOrder: 116,
  priority: 88,
  trim: 'never',
  needs: { live: goalProgress },
  when: ({ live }) =>
    live !== null && (live.wasReported === true || (live.goal?.status !== 'paused' && hasMoved(live.goal))),
  full: ({ live }) => {
    const goal = live?.goal ?? null;
    if (live === null || goal === null || !hasMoved(goal)) return [withdrawn(goal)];
    return [[sumUp(goal), formatGoalProgress(goal, live.tier)].filter(Boolean).join('\n\n')];
  },
  brief: ({ live }) => {
    const goal = live?.goal ?? null;
    return [
      goal === null || !hasMoved(goal) ? withdrawn(goal) : [sumUp(goal), nextOf(goal)].filter(Boolean).join('\n'),
    ];
  },
});

/** Without these words, the progress that an earlier message reports would pass for that of the goal as it is now. */
function withdrawn(goal: Goal | null): string {
  const now = goal === null ? 'No goal is active.' : 'Nothing of the current goal is recorded yet.';
  return `${now} Progress reported before no longer holds.`;
}

function hasMoved(goal: Goal | null): boolean {
  return goal !== null && (goal.status === 'completed' || formatGoalProgress(goal, 1) !== '');
}

function sumUp(goal: Goal): string {
  const { completed, total, percentage } = goalProgressOf(goal);
  const state = goal.status === 'completed' ? 'The goal is completed' : 'The goal is under way';
  return total === 0 ? `${state}.` : `${state}: ${completed} of ${total} checkpoints done (${percentage} %).`;
}

function nextOf({ next }: Goal): string {
  return next === undefined || next === '' ? '' : `Next: ${next}`;
}

// What changes seldom is in `active_goal`, among the instructions; what changes with the work is in `goal_progress`,
// near the user's message (K5).

interface Marks {
  readonly completed: string;
  readonly 'in-progress': string;
  readonly pending: string;
  readonly locked: string;
}

const ascii: Marks = { completed: '[x]', 'in-progress': '[~]', pending: '[ ]', locked: '[locked]' };
const pictures: Marks = { completed: '✅', 'in-progress': '🔄', pending: '⏳', locked: '🔒' };

/** Maximum artifacts sent. */
const shownArtifacts = 12;

/** Uses ASCII marks where tokens are scarce (K27). */
function marksAt(tier: Tier): Marks {
  return tier <= 2 ? ascii : pictures;
}

/** Formats the goal and locked decisions, which change seldom. */
export function formatGoalHead(goal: Goal, tier: Tier): string {
  const locked = goal.decisions.filter((decision) => decision.locked);
  const head = lines(
    `CURRENT GOAL: ${oneLine(goal.description)}`,
    `Priority: ${goal.priority}`,
    `Status: ${goal.status}`,
  );
  if (locked.length === 0) return head;
  const settled = locked.map((each) => `${marksAt(tier).locked} ${oneLine(each.description)}${reasonOf(each)}`);
  return `${head}\n\n${lines('Settled decisions:', ...settled)}`;
}

/**
 * Formats checkpoints, open decisions, artifacts, and the next step, which change with the work. Empty for a goal
 * without them.
 */
export function formatGoalProgress(goal: Goal, tier: Tier): string {
  const marks = marksAt(tier);
  const open = goal.decisions.filter((decision) => !decision.locked);
  const parts = [
    listed(
      'Checkpoints:',
      goal.checkpoints.map(
        ({ status, description, blocker }, index) =>
          `${index + 1}. ${marks[status]} ${oneLine(description)}` +
          (blocker === undefined || blocker === '' ? '' : ` (blocked: ${oneLine(blocker)})`),
      ),
    ),
    listed(
      'Open decisions:',
      open.map((each) => `- ${oneLine(each.description)}${reasonOf(each)}`),
    ),
    listed('Artifacts:', artifactRows(goal.artifacts)),
    goal.next === undefined || goal.next === '' ? '' : `Next: ${oneLine(goal.next)}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/**
 * Returns how the model reports progress: with the tool if it is declared, otherwise with marker lines in its answer
 * (R121).
 */
function goalReporting(
  goal: Goal,
  { tier, toolNames: offered }: { readonly tier: Tier; readonly toolNames: readonly string[] },
): string {
  if (goal.status !== 'active') return '';
  if (offered.includes(toolNames.updateGoal)) {
    return `Record with ${toolNames.updateGoal} each checkpoint that is finished and each decision that is settled.`;
  }
  const first = goal.checkpoints.find(({ status }) => status !== 'completed');
  const sample = first === undefined ? 'the checkpoint' : oneLine(first.description);
  return sentences(
    'When a checkpoint is finished, end the answer with this line, outside code:',
    `[CHECKPOINT] ${sample} - COMPLETED.`,
    tier >= 2 && 'Report the next step in the same way: [NEXT] and the step.',
    tier >= 3 &&
      'Report a settled decision as [DECISION] and its words - LOCKED. Report a new note as [ARTIFACT] Created and its path.',
  );
}

/** Lists the newest artifacts; earlier ones can be found in the vault. */
function artifactRows(artifacts: Goal['artifacts']): string[] {
  const earlier = artifacts.length - shownArtifacts;
  const rows = artifacts.slice(-shownArtifacts).map(({ action, type, path }) => `- ${action} ${type}: ${path}`);
  return earlier > 0 ? [`(${earlier} earlier)`, ...rows] : rows;
}

function listed(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : lines(title, ...rows);
}

function reasonOf({ rationale }: { readonly rationale: string }): string {
  return rationale.trim() === '' ? '' : ` (${oneLine(rationale)})`;
}
