/** SpendingLine: what the next request costs and what the chat has cost, by list prices; nothing where none are known. */
import type { ChatState } from '../../core/chat/chat-view-state';
import { priceOf } from '../../core/ports/model';
import type { RequestPlan } from '../../core/ports/request-plan';
import { words } from '../../text';
import type { ModelsPorts } from '../state/ports';

interface SpendingLineProps {
  readonly models: ModelsPorts;
  readonly plan: RequestPlan | null;
  readonly state: ChatState | null;
}

export function SpendingLine({ models, plan, state }: SpendingLineProps) {
  const prices = plan === null ? undefined : models.described(plan.modelId)?.prices;
  const spent = state?.spent ?? 0;
  if (prices === undefined && spent === 0) return null;
  const say = words.spending;
  return (
    <p class="docent-list-price">
      {plan !== null && prices !== undefined && <>{say.next(priceOf(plan, prices, cachedOf(plan, state)))} </>}
      {spent > 0 && <>{say.chat(spent)} </>}
      {prices !== undefined && (prices.date === null ? say.ownPrices : say.listPrices(prices.date))}
    </p>
  );
}

/** What the last request left in the provider's cache, as far as this one begins like it. */
function cachedOf(plan: RequestPlan, state: ChatState | null): number {
  const last = state?.requests?.at(-1);
  if (last?.usage == null || last.plan.modelId !== plan.modelId || last.plan.system !== plan.system) return 0;
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = last.usage;
  return cacheReadTokens + cacheWriteTokens;
}
