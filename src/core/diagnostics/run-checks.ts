/** Runs the checks and sums up what they found. */
import { words } from '../../text';
import { giveWay } from '../base/async';
import { foldChoices } from '../context/chat-choices';
import { effectiveTier } from '../context/context-window';
import { messageOf } from '../ports/failure';
import type { Check, CheckLevel, CheckPlace, CheckPorts, CheckReport, CheckResult, NextChoices } from './check';

/**
 * One report a check, in their order, giving way to the screen between two. A check that breaks is reported as such, and
 * the others go on; once aborted, none does.
 * @param choices those of the chat that the next request belongs to; null when none is open
 */
export async function runChecks(
  checks: readonly Check[],
  ports: CheckPorts,
  choices: NextChoices | null,
  scope: CheckPlace['scope'],
  signal: AbortSignal,
): Promise<readonly CheckReport[]> {
  const place = placeOf(ports, choices ?? { ...foldChoices([], ports.settings()), mentions: [] }, scope);
  const reports: CheckReport[] = [];
  for (const check of checks) {
    if (signal.aborted) break;
    reports.push(await runCheck(check, place, signal));
    await giveWay();
  }
  return reports;
}

async function runCheck(check: Check, place: CheckPlace, signal: AbortSignal): Promise<CheckReport> {
  const { id, label } = check;
  try {
    return { id, label, results: await check.run(place, signal) };
  } catch (thrown) {
    const broken: CheckResult = { level: 'error', words: words.diagnostics.failed(messageOf(thrown)) };
    return { id, label, results: [broken] };
  }
}

function placeOf(ports: CheckPorts, choices: NextChoices, scope: CheckPlace['scope']): CheckPlace {
  const model = ports.model(choices.model);
  const contextWindow = model.ok ? model.value.description.contextWindow : null;
  // Without a model there is no window to go by, so that only the device sets a bound.
  const bound = { contextWindow: contextWindow ?? Infinity };
  const tier = choices.tier === 'auto' ? effectiveTier(bound, ports.platform()) : choices.tier;
  return { ...ports, next: { ...choices, tier, contextWindow }, scope };
}

const severity: readonly CheckLevel[] = ['ok', 'note', 'warning', 'error'];

/** The gravest level of some results. */
export function worstOf(results: readonly CheckResult[]): CheckLevel {
  return severity[Math.max(0, ...results.map(({ level }) => severity.indexOf(level)))] ?? 'ok';
}

/** Warnings and errors. */
export function problemsIn(reports: readonly CheckReport[]): CheckResult[] {
  return reports.flatMap(({ results }) => results.filter(({ level }) => level === 'warning' || level === 'error'));
}

/** What needs a look before the next request is sent. */
export interface NeedsLook {
  /** Notes with a warning or an error, each counted once. */
  readonly notes: number;
  /** Whatever else has one. */
  readonly others: number;
  /** The gravest of them; null when all is well. */
  readonly first: CheckResult | null;
}

/** Counts what is wrong among the things that the next request uses. */
export function needsLook(reports: readonly CheckReport[]): NeedsLook {
  const used = problemsIn(reports).filter(({ inUse }) => inUse === true);
  const paths = new Set(used.flatMap(({ path }) => path ?? []));
  return {
    notes: paths.size,
    others: used.filter(({ path }) => path === undefined).length,
    first: used.find(({ level }) => level === 'error') ?? used[0] ?? null,
  };
}
