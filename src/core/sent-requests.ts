/** The requests of a chat in this session as they were sent, each with what its provider reported of it. */
import type { Usage } from './ports/message';
import type { RequestPlan } from './ports/request-plan';

export interface SentRequest {
  readonly plan: RequestPlan;
  /** Null until the provider has reported it, and when it never does. */
  readonly usage: Usage | null;
}

/** Older ones are forgotten; the log has what was said in them. */
const most = 40;

export function addRequest(requests: readonly SentRequest[], plan: RequestPlan): readonly SentRequest[] {
  return [...requests, { plan, usage: null }].slice(-most);
}

/** Puts a report with the newest request. */
export function addReport(requests: readonly SentRequest[], usage: Usage | undefined): readonly SentRequest[] {
  const last = requests.at(-1);
  return last === undefined || usage === undefined ? requests : [...requests.slice(0, -1), { ...last, usage }];
}
