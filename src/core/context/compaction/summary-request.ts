/** The request for a summary: the same head and tools and the older messages as they were sent, the instruction last (R237, R245). */
import type { Message } from '../../ports/message';
import type { RequestPlan } from '../../ports/request-plan';
import { getCompressionPrompt } from '../../prompt/prompt-orchestrator';
import { foldMessages } from '../../request/history';
import { writeResult } from '../../request/history-text';
import { exceedsWindow } from '../../request/plan-request';
import type { SessionEntry } from '../../session/entry';
import type { Goal } from '../../session/goal-entry';
import { sizeOfAll } from './entry-size';
import { exchangesOf } from './exchanges';

export interface SummaryQuestion {
  /** What the older part is to the model, the summary in force first. */
  readonly older: readonly SessionEntry[];
  readonly goal: Goal | null;
  readonly focus: string;
  /** The user's own words on what to keep. */
  readonly own: string | null;
  /** Whether the system prompt tells the summary in force. */
  readonly summaryInPrompt: boolean;
  /** Whether another model answers, so that no beginning can be shared and what was told around messages may go. */
  readonly apart: boolean;
  plan(messages: readonly Message[]): Promise<RequestPlan>;
}

/** Texts around messages that tell of a moment, not of the work. */
const momentary = ['context-status', 'editor-context', 'reminder', 'mode-notice'];

/** @returns the messages to plan with, or null when not even a shortened copy fits the window of the model */
export async function summaryRequest(question: SummaryQuestion): Promise<readonly Message[] | null> {
  const { older, summaryInPrompt, apart } = question;
  const sent = older.filter(({ kind }) => kind !== 'summary' || !summaryInPrompt);
  let entries: readonly SessionEntry[] = apart ? sent.map(withoutMoments) : sent;
  const messages = (): readonly Message[] => [...foldMessages(entries), instructionOf(question)];
  const write = (): Promise<RequestPlan> => question.plan(messages());
  let plan = await write();
  if (!exceedsWindow(plan)) return messages();
  entries = entries.map(shortened);
  plan = await write();
  for (let attempt = 0; exceedsWindow(plan); attempt += 1) {
    const fewer = withoutOldest(entries, plan.totals.all + plan.totals.reserve - plan.totals.window);
    if (fewer.length === 0 || attempt === mostAttempts) return null;
    entries = fewer;
    plan = await write();
  }
  return messages();
}

const mostAttempts = 6;

/** Whole exchanges go, the newest never. */
function withoutOldest(entries: readonly SessionEntry[], tokens: number): readonly SessionEntry[] {
  const gone = new Set<SessionEntry>();
  let won = 0;
  for (const exchange of exchangesOf(entries).slice(0, -1)) {
    if (won >= tokens) break;
    for (const entry of exchange.entries) gone.add(entry);
    won += sizeOfAll(exchange.entries);
  }
  return gone.size === 0 ? [] : entries.filter((entry) => !gone.has(entry));
}

function instructionOf({
  older,
  goal,
  focus,
  own,
}: Pick<SummaryQuestion, 'older' | 'goal' | 'focus' | 'own'>): Message {
  const text = [
    '[End of the conversation]',
    getCompressionPrompt(goal, own),
    older.some(({ kind }) => kind === 'summary')
      ? 'An earlier snapshot stands for the messages before these. Take up all of it that still holds.'
      : '',
    focus === '' ? '' : `The user asks to keep in view above all: ${focus}`,
  ];
  return said(text.filter((part) => part !== '').join('\n\n'));
}

/** What is said after a draft that cannot be used. */
export function mendRequest(asked: readonly Message[], draft: string, problem: string): readonly Message[] {
  return [
    ...asked,
    ...(draft.trim() === '' ? [] : [answered(draft)]),
    said(`This snapshot cannot be used. ${problem} Write the whole <state_snapshot> again, and nothing else.`),
  ];
}

/** What is said to have a draft looked over (R246). */
export function checkRequest(asked: readonly Message[], draft: string): readonly Message[] {
  return [
    ...asked,
    answered(draft),
    said(
      'Compare the snapshot with the conversation: look for rules, paths, decisions, results and open steps that it lacks or gets wrong. Then write the whole final <state_snapshot>, mended or the same, and nothing else.',
    ),
  ];
}

function said(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

function answered(text: string): Message {
  return { role: 'assistant', parts: [{ type: 'text', text }] };
}

function withoutMoments(entry: SessionEntry): SessionEntry {
  if (entry.kind !== 'turn-zone') return entry;
  const lasting = ({ section }: { readonly section: string }): boolean => !momentary.includes(section);
  return { ...entry, before: entry.before.filter(lasting), after: entry.after.filter(lasting) };
}

function shortened(entry: SessionEntry): SessionEntry {
  if (entry.kind === 'tool-result') return { ...entry, text: writeResult(entry, 'masked') };
  return entry.kind === 'turn-zone' ? { ...entry, before: [], after: [] } : entry;
}
