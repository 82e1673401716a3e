/** PromptOrchestrator: finds templates, knows their budgets, and builds the system prompt of a chat (R004-R007). */
import { PromptRegistry } from '../library/prompt-registry';
import type { Goal } from '../session/goal-entry';
import type { ModeId, Tier } from '../settings/mode';
import { assemblePrompt } from './assemble-prompt';
import { compressionPrompt } from './background-prompts';
import {
  changeBetween,
  type PromptChange,
  type PromptConfig,
  type ProvidedPrompt,
  providePrompt,
} from './provide-prompt';
import { modelSuffixes } from './sections/mode';
import type { SystemPromptBuilder } from './system-prompt-builder';
import type { ServedTemplate, TieredPromptStore } from './tiered-prompt-store';
import type { ModelSuffix, PromptLookup, TemplateRecord, World } from './world';

/** Maximum tokens of a template, by tier (R088-R092). */
export const templateBudgets: Readonly<Record<Tier, number>> = { 1: 200, 2: 500, 3: 1000, 4: 1500, 5: 1500 };

export type AskedTemplate = Pick<ServedTemplate, 'mode' | 'tier'>;

/** The chat's current system prompt, and how to replace it. */
interface CurrentContext {
  /** Null before the first one. */
  readonly prompt: ProvidedPrompt | null;
  replace(next: ProvidedPrompt, change: PromptChange): void;
}

export interface SystemPromptUpdate {
  readonly mode: ModeId;
  readonly tier: Tier;
  /** Paths of notes, or ids of the registry. */
  readonly activeSkills: readonly string[];
  readonly activeGoal: Goal | null;
  readonly currentContext: CurrentContext;
  /** The inputs of the prompt, except for the parts that the orchestrator adds. */
  readonly contextPool: Omit<PromptConfig, 'assemble' | 'world'> & { readonly world: Omit<World, 'prompts'> };
  /** Whether a user is present to answer; overrides the settings. */
  readonly interactive?: boolean;
}

export class PromptOrchestrator {
  /** @param report called whenever a template other than the requested one was used (R005) */
  constructor(
    private readonly store: Pick<TieredPromptStore, 'serve'>,
    private readonly report: (served: ServedTemplate, asked: AskedTemplate) => void = () => undefined,
    private readonly registry: Pick<PromptRegistry, 'get' | 'list'> = new PromptRegistry(),
    private readonly builder: Pick<SystemPromptBuilder, 'assemble'> = { assemble: assemblePrompt },
    private readonly suffixes: readonly ModelSuffix[] = modelSuffixes,
  ) {}

  /**
   * @param own the user's own text for this mode and tier, as readOwnTemplate gives it
   * @param record what a built-in template is filled from
   */
  getSystemPromptForTierAndMode(mode: ModeId, tier: Tier, own?: string | null, record?: TemplateRecord): string {
    const served = this.store.serve(mode, tier, own, record);
    if (served.step !== 'exact' && served.step !== 'own') this.report(served, { mode, tier });
    return served.text;
  }

  /** Returns the maximum tokens of a tier's template. */
  getSystemPromptTokenBudget(tier: Tier): number {
    return templateBudgets[tier];
  }

  /** Builds the system prompt, and replaces the chat's current one unless they are equal byte for byte. */
  async updateSystemPrompt(update: SystemPromptUpdate): Promise<ProvidedPrompt> {
    const { mode, tier, activeSkills, activeGoal, currentContext, contextPool, interactive } = update;
    const turn = { ...contextPool.world.turn, mode, tier, activeSkills, goal: activeGoal };
    const world = { ...contextPool.world, turn, prompts: this.lookup };
    const assemble: PromptConfig['assemble'] = (assembly) => this.builder.assemble(assembly);
    const next = await getCoreSystemPrompt({ ...contextPool, world, assemble }, undefined, interactive);
    const change = changeBetween(currentContext.prompt, next);
    if (change !== null) currentContext.replace(next, change);
    return next;
  }

  private get lookup(): PromptLookup {
    return {
      template: (mode, tier, own, record) => this.getSystemPromptForTierAndMode(mode, tier, own, record),
      registered: (id) => this.registry.get(id),
      listed: () => this.registry.list(),
      suffixes: this.suffixes,
    };
  }
}

/**
 * Public entry for the system prompt (R001): at the start of a chat, on every change of its content, and for prompts
 * that run without a chat (R013).
 * @param userMemory replaces the memory note
 * @param interactiveOverride whether a user is present to answer; overrides the settings
 */
export function getCoreSystemPrompt(
  config: PromptConfig,
  userMemory?: string,
  interactiveOverride?: boolean,
): Promise<ProvidedPrompt> {
  return providePrompt(config, userMemory, interactiveOverride);
}

/**
 * Public entry for the summary prompt (R001), which is sent after the history to summarize (R014).
 * @param own the user's `compaction.md`, read with readPromptFile for each summary (R263)
 */
export function getCompressionPrompt(goal: Goal | null = null, own: string | null = null): string {
  return compressionPrompt(goal, own);
}
