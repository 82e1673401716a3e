/**
 * Goal: how the chat's goal is written. What changes seldom stands in `active_goal`, among the instructions; what moves
 * with the work stands in `goal_progress`, near the user's message (K5). Small windows get all of it in one place.
 */
import { lines, oneLine, sentences } from '../markup/prose';
import { toolNames } from '../markup/variables';
import type { Goal } from '../session/goal-entry';
import type { Tier } from '../settings/mode';

interface Marks {
  readonly completed: string;
  readonly 'in-progress': string;
  readonly pending: string;
  readonly locked: string;
}

const ascii: Marks = { completed: '[x]', 'in-progress': '[~]', pending: '[ ]', locked: '[locked]' };
const pictures: Marks = { completed: '✅', 'in-progress': '🔄', pending: '⏳', locked: '🔒' };

/** Artifacts that are told. */
const shownArtifacts = 12;

/** Plain marks where tokens are dear (K27). */
function marksAt(tier: Tier): Marks {
  return tier <= 2 ? ascii : pictures;
}

/** Windows up to this size get the flat profile, where the whole goal stands in the system prompt. */
const largestWholeWindow = 32 * 1024;

export function isGoalWhole({ contextWindow }: { readonly contextWindow: number }): boolean {
  return contextWindow <= largestWholeWindow;
}

/** All there is to the goal: R118 in one text. */
export function formatGoal(goal: Goal, tier: Tier): string {
  return [formatGoalHead(goal, tier), formatGoalProgress(goal, tier)].filter((part) => part !== '').join('\n\n');
}

/** The goal itself and what is settled: changes seldom. */
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

/** Checkpoints, open decisions, artifacts and the next step: changes as the work goes on. Empty for a bare goal. */
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

/** How the model reports on the goal: by the tool where it has it, else by lines that are read from its answer (R121). */
export function goalReporting(
  goal: Goal,
  { tier, toolNames: offered }: { readonly tier: Tier; readonly toolNames: readonly string[] },
): string {
  if (goal.status !== 'active') return '';
  if (offered.includes(toolNames.updateGoal)) {
    return `Record with ${toolNames.updateGoal} when a checkpoint is really finished or a decision is settled.`;
  }
  const first = goal.checkpoints.find(({ status }) => status !== 'completed');
  const sample = first === undefined ? 'the checkpoint' : oneLine(first.description);
  return sentences(
    'When a checkpoint is really finished, end the answer with a line of its own, outside code:',
    `[CHECKPOINT] ${sample} - COMPLETED.`,
    tier >= 2 && 'The next step likewise: [NEXT] and the step.',
    tier >= 3 && 'So too [DECISION] the decision - LOCKED and [ARTIFACT] Created the path.',
  );
}

/** The newest ones; earlier ones are found in the vault. */
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
