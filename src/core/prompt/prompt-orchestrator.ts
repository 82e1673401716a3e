/** PromptOrchestrator: finds templates, knows their budgets, and has the system prompt of a chat written (R004-R007). */
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
import type { ModelSuffix, PromptLookup, World } from './world';

/** Tokens of a template, by tier (R088-R092). */
export const templateBudgets: Readonly<Record<Tier, number>> = { 1: 200, 2: 500, 3: 1000, 4: 1500, 5: 1500 };

export type AskedTemplate = Pick<ServedTemplate, 'mode' | 'tier'>;

/** Where a conversation keeps its system prompt. */
export interface CurrentContext {
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
  /** What the prompt is made from and counted with. */
  readonly contextPool: Omit<PromptConfig, 'assemble' | 'world'> & { readonly world: Omit<World, 'prompts'> };
  /** Whether a person is there to answer, whatever the settings say. */
  readonly interactive?: boolean;
}

export class PromptOrchestrator {
  /** @param report told whenever a template other than the one asked for was served (R005) */
  constructor(
    private readonly store: Pick<TieredPromptStore, 'serve'>,
    private readonly report: (served: ServedTemplate, asked: AskedTemplate) => void = () => undefined,
    private readonly registry: Pick<PromptRegistry, 'get' | 'list'> = new PromptRegistry(),
    private readonly builder: Pick<SystemPromptBuilder, 'assemble'> = { assemble: assemblePrompt },
    private readonly suffixes: readonly ModelSuffix[] = modelSuffixes,
  ) {}

  /** @param own the user's own text for this mode and tier, as readOwnTemplate gives it */
  getSystemPromptForTierAndMode(mode: ModeId, tier: Tier, own?: string | null): string {
    const served = this.store.serve(mode, tier, own);
    if (served.step !== 'exact' && served.step !== 'own') this.report(served, { mode, tier });
    return served.text;
  }

  /** Tokens that the template of a tier may have. */
  getSystemPromptTokenBudget(tier: Tier): number {
    return templateBudgets[tier];
  }

  /** Builds the prompt, and puts it at the head of the conversation unless it is there already, byte for byte. */
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
      template: (mode, tier, own) => this.getSystemPromptForTierAndMode(mode, tier, own),
      registered: (id) => this.registry.get(id),
      listed: () => this.registry.list(),
      suffixes: this.suffixes,
    };
  }
}

// The two public entries of prompt construction: the system prompt, and the prompt that has a history summarised (R001).

/**
 * For the start of a chat, for every change of what it is told, and for a prompt that runs without a chat (R013).
 * @param userMemory told in place of the memory note
 * @param interactiveOverride whether a person is there to answer, whatever the settings say
 */
export function getCoreSystemPrompt(
  config: PromptConfig,
  userMemory?: string,
  interactiveOverride?: boolean,
): Promise<ProvidedPrompt> {
  return providePrompt(config, userMemory, interactiveOverride);
}

/**
 * Stands after the history that is to be summarised (R014).
 * @param own the user's `compaction.md`, read anew each time with readPromptFile (R263)
 */
export function getCompressionPrompt(goal: Goal | null = null, own: string | null = null): string {
  return compressionPrompt(goal, own);
}
