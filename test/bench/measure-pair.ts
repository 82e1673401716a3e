/** The first request of a mode and tier in figures, and which bounds of the design it breaks. */
import type { Block, RequestPlan } from '../../src/core/ports/request-plan';
import { templateBudgets } from '../../src/core/prompt/prompt-orchestrator';
import { sections } from '../../src/core/prompt/sections';
import { compositionBudgets } from '../../src/core/request/fit';
import type { ModeId, Tier } from '../../src/core/settings/mode';

/** All figures are tokens by o200k, counted exactly. */
export interface PromptPair {
  readonly mode: ModeId;
  readonly tier: Tier;
  readonly window: number;
  readonly template: number;
  readonly template_budget: number;
  /** Of the template's budget, from 0 to 1. */
  readonly template_share: number;
  readonly composition: number;
  readonly composition_budget: number;
  readonly listing: number;
  readonly listing_budget: number;
  readonly tools: number;
  /** The tokens of workspaces, prompts and the other lists of the prompt, except the listing of the vault. */
  readonly lists: number;
  /** The tokens of the user's message and of the texts around it. */
  readonly turn: number;
  /** The whole first request. */
  readonly total: number;
  /** The tokens that a prompt may use after space for the answer is reserved. */
  readonly room: number;
  /** The bounds that do not hold, in words; empty when all is well. */
  readonly broken: readonly string[];
}

/** From tier 2 on a template fills at least this share of its budget, in a chat that may edit notes. */
const minShare = 0.6;
/** Held by the first request in the largest tier; the listing of the vault is held to a bound of its own. */
const maxTokens = { request: 6_000, tools: 2_000, template: 1_300, lists: 500, turn: 300 } as const;

const composed = new Set(sections.filter(({ composition }) => composition === true).map(({ id }) => id));

/**
 * Pure. The plan must have been counted exactly.
 * @param mayEdit whether the chat may edit notes; templates say less in one that may not
 */
export function measurePair(mode: ModeId, tier: Tier, { blocks, totals }: RequestPlan, mayEdit = true): PromptPair {
  const sum = (belongs: (block: Block) => boolean): number =>
    blocks.reduce((tokens, block) => (belongs(block) ? tokens + block.tokens : tokens), 0);
  const isListing = ({ section }: Block): boolean => section.startsWith('vault-');
  const template = sum(({ section }) => section === 'mode-template');
  const figures = {
    mode,
    tier,
    window: totals.window,
    template,
    template_budget: templateBudgets[tier],
    template_share: Math.round((template / templateBudgets[tier]) * 1_000) / 1_000,
    composition: sum(({ section }) => composed.has(section)),
    composition_budget: compositionBudgets[tier],
    listing: sum(isListing),
    listing_budget: Math.min(Math.floor(totals.window * 0.02), 4_000),
    tools: totals.tools,
    lists: sum((block) => block.zone === 'reference' && block.place === 'system' && !isListing(block)),
    turn: totals.turn + sum(({ place }) => place === 'first-message'),
    total: totals.all,
    room: totals.window - totals.reserve,
  };
  return { ...figures, broken: brokenBounds(figures, mayEdit) };
}

function brokenBounds(pair: Omit<PromptPair, 'broken'>, mayEdit: boolean): string[] {
  const { tier } = pair;
  const bounds: [name: string, tokens: number, bound: number][] = [
    ['template', pair.template, pair.template_budget],
    ['composition', pair.composition, pair.composition_budget],
    ['listing', pair.listing, pair.listing_budget],
    ['first request', pair.total, pair.room],
  ];
  if (tier === 5) {
    bounds.push(
      ['first request without the listing', pair.total - pair.listing, maxTokens.request],
      ['tools', pair.tools, maxTokens.tools],
      ['template', pair.template, maxTokens.template],
      ['lists', pair.lists, maxTokens.lists],
      ['turn', pair.turn, maxTokens.turn],
    );
  }
  const over = bounds.filter(([, tokens, bound]) => tokens > bound);
  const words = over.map(([name, tokens, bound]) => `${name} ${tokens} is over ${bound}`);
  const least = Math.ceil(pair.template_budget * minShare);
  return mayEdit && tier >= 2 && pair.template < least
    ? [...words, `template ${pair.template} is under ${least}`]
    : words;
}
