/** The prompt behind a plan: what its sections and facts would give in other forms is asked there. */
import type { RequestPlan } from '../ports/request-plan';
import type { ProvidedPrompt } from '../prompt/provide-prompt';

const prompts = new WeakMap<RequestPlan, ProvidedPrompt>();

/** The plan itself, so that a call can stand around it. */
export function rememberPrompt(plan: RequestPlan, prompt: ProvidedPrompt): RequestPlan {
  prompts.set(plan, prompt);
  return plan;
}

/** Null for a plan that was made without a chat. */
export function promptBehind(plan: RequestPlan): ProvidedPrompt | null {
  return prompts.get(plan) ?? null;
}
