/** How many tokens the first request of a chat takes, part by part, counted exactly. */
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { textOf } from '../../src/core/ports/message';
import type { Block, RequestPlan } from '../../src/core/ports/request-plan';
import { sections } from '../../src/core/prompt/sections';
import { DiskAdapter } from './disk-adapter';
import { closeApp, openApp } from './open-app';
import { openDocent } from './open-docent';

export const parts = ['tools', 'template', 'composition', 'own_notes', 'lists', 'turn'] as const;
export type Part = (typeof parts)[number];

export interface FirstRequest {
  /** The tokens of all parts. The vault listing is counted separately, because it has a limit of its own. */
  readonly first_request_tokens: number;
  readonly first_request_parts: Readonly<Record<Part, number>>;
  /** The vault listing. */
  readonly reference_tokens: number;
}

const firstQuestion = 'What did we decide about the keel bolts, and who has to do what next?';

/** Default settings, Assistant at tier 5 with all tools. */
export async function measureFirstRequest(folder: string): Promise<FirstRequest> {
  const app = await openApp(new DiskAdapter(folder));
  const docent = await openDocent(app);
  try {
    const chat = await docent.startChat();
    await chat.choose({ mode: 'assistant', tier: 5 });
    const plan = await chat.preview(firstQuestion, [], new AbortController().signal);
    if (!plan.ok) throw new Error(plan.failure.words);
    return countParts(plan.value);
  } finally {
    docent.close();
    await closeApp(app);
  }
}

export function countParts(plan: RequestPlan): FirstRequest {
  const encoder = new Tiktoken(o200k);
  const count = (text: string): number => encoder.encode(text, [], []).length;
  const tokens: Record<Part | 'listing', number> = {
    tools: plan.tools.length === 0 ? 0 : count(JSON.stringify(plan.tools)),
    template: 0,
    composition: 0,
    own_notes: 0,
    lists: 0,
    turn: count(textOf(plan.messages.at(-1)?.parts ?? [])),
    listing: 0,
  };
  // The texts around the user's message are already counted in `turn`.
  const elsewhere = plan.blocks.filter(({ place }) => place === 'system' || place === 'first-message');
  for (const block of elsewhere) tokens[partOf(block)] += count(block.text);
  const { listing, ...counted } = tokens;
  return {
    first_request_tokens: parts.reduce((sum, part) => sum + counted[part], 0),
    first_request_parts: counted,
    reference_tokens: listing,
  };
}

const composition = new Set(sections.filter((section) => section.composition === true).map(({ id }) => id));

/**
 * Assigns a block to a part by its zone. The mode's template and the listings of the vault, whose ids begin with
 * `vault-`, are recognized by the id of their section.
 */
function partOf({ section, zone, place }: Block): Part | 'listing' {
  if (section === 'mode-template') return 'template';
  if (section.startsWith('vault-')) return 'listing';
  if (zone === 'instructions') return composition.has(section) ? 'composition' : 'own_notes';
  return zone === 'reference' && place === 'system' ? 'lists' : 'turn';
}
