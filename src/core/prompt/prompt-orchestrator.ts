/** PromptOrchestrator: finds the template for a mode and tier, knows its budget, and says which step served it (R004-R006). */
import type { ModeId, Tier } from '../mode';
import type { ServedTemplate, TieredPromptStore } from './tiered-prompt-store';

/** Tokens of a template, by tier (R088-R092). */
export const templateBudgets: Readonly<Record<Tier, number>> = { 1: 200, 2: 500, 3: 1000, 4: 1500, 5: 1500 };

export class PromptOrchestrator {
  /** @param report told whenever a template other than the one asked for was served (R005) */
  constructor(
    private readonly store: Pick<TieredPromptStore, 'serve'>,
    private readonly report: (served: ServedTemplate) => void = () => undefined,
  ) {}

  getSystemPromptForTierAndMode(mode: ModeId, tier: Tier): string {
    const served = this.store.serve(mode, tier);
    if (served.step !== 'exact') this.report(served);
    return served.text;
  }

  /** Tokens that the template of a tier may have. */
  getSystemPromptTokenBudget(tier: Tier): number {
    return templateBudgets[tier];
  }
}
