/** Plans the next request of a turn and lets hooks change it, before breakpoints are placed and anything is sent (R141). */
import { words } from '../../text';
import { orAborted } from '../base/async';
import type { ModelRequestChange } from '../hooks/hook';
import type { RequestPlan } from '../ports/request-plan';
import { exceedsWindow } from '../request/plan-request';
import type { Addition, EntryBody } from '../session/entry';
import type { TurnInput } from './turn-input';

export interface NextPlan {
  readonly plan: RequestPlan;
  /** What has to be in the log before the request is sent, so that it stays as sent; null for nothing. */
  readonly entry: (EntryBody & { readonly kind: 'hook-context' }) | null;
}

/**
 * Null as soon as the signal fires, however long counting takes.
 * Texts join the newest message, so that all that was sent before keeps its bytes, and the request is counted anew; a
 * text that does not fit is left out. Other changes hold for this request alone.
 */
export async function planNext(input: Pick<TurnInput, 'plan' | 'hooks' | 'signal'>): Promise<NextPlan | null> {
  return (await orAborted(planWithHooks(input), input.signal)) ?? null;
}

async function planWithHooks(input: Pick<TurnInput, 'plan' | 'hooks' | 'signal'>): Promise<NextPlan> {
  const planned = await input.plan();
  if (exceedsWindow(planned)) return { plan: planned, entry: null };
  const hooked = await input.hooks.beforeModel(planned, input.signal);
  const reports = [...hooked.reports];
  let additions: readonly Addition[] = [];
  let plan = planned;
  for (const { label, change } of hooked.changes) {
    if (change.text !== undefined) {
      const more = [...additions, { kind: 'hook' as const, source: label, text: change.text }];
      const longer = await input.plan({ kind: 'hook-context', additions: more, reports: [] });
      if (exceedsWindow(longer)) reports.push(words.hooks.noRoom(label));
      else [additions, plan] = [more, longer];
    }
  }
  for (const { label, change } of hooked.changes) {
    reports.push(...describeChange(label, change));
    plan = configure(plan, change);
  }
  const isNothing = additions.length + reports.length === 0;
  return { plan, entry: isNothing ? null : { kind: 'hook-context', additions, reports } };
}

function configure(plan: RequestPlan, { maxOutputTokens, temperature }: ModelRequestChange): RequestPlan {
  return {
    ...plan,
    maxOutputTokens: Math.min(plan.maxOutputTokens, maxOutputTokens ?? plan.maxOutputTokens),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

function describeChange(label: string, { maxOutputTokens, temperature }: ModelRequestChange): string[] {
  return [
    ...(maxOutputTokens === undefined ? [] : [words.hooks.shorterAnswer(label, maxOutputTokens)]),
    ...(temperature === undefined ? [] : [words.hooks.temperature(label, temperature)]),
  ];
}
