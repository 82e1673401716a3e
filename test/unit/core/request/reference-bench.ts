/** A chat in small: turn after turn over a fake vault, with the entries that its log would have. */
import type { Message } from '../../../../src/core/ports/message';
import type { ModelDescription } from '../../../../src/core/ports/model';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { assemblePrompt } from '../../../../src/core/prompt/assemble-prompt';
import { gatherFacts } from '../../../../src/core/prompt/section';
import { sections } from '../../../../src/core/prompt/sections';
import type { TurnContext } from '../../../../src/core/prompt/world';
import { layoutFor, planOver } from '../../../../src/core/request/plan-request';
import { type SelectedReference, selectReference } from '../../../../src/core/request/select-reference';
import type { EntryBody, SessionEntry } from '../../../../src/core/session/entry';
import { foldReference } from '../../../../src/core/session/log-state';
import type { Tier } from '../../../../src/core/settings/mode';
import { entry } from '../../../support/entries';
import type { FakeVault } from '../../../support/fake-vault';
import { roughTokenizer } from '../../../support/memory-ports';
import { never, worldOf } from '../../../support/turn-world';

export const caching: ModelDescription = {
  id: 'anthropic/claude-sonnet-5',
  label: 'claude-sonnet-5',
  contextWindow: 200_000,
  outputLimit: 8_000,
  nativeTools: true,
  cachesPrompts: true,
};

const chosen = sections.filter(({ id }) =>
  ['preamble', 'vault-listing', 'context-notes', 'available-prompts', 'environment', 'files'].includes(id),
);

export interface TurnOptions {
  readonly turn?: Partial<TurnContext>;
  readonly free?: string | null;
  readonly model?: ModelDescription;
  readonly promotes?: boolean;
  /** Highest if absent. */
  readonly tier?: Tier;
}

export interface PlayedTurn {
  readonly settled: SelectedReference;
  readonly plan: RequestPlan;
}

export class ReferenceBench {
  readonly entries: SessionEntry[] = [];
  readonly messages: Message[] = [];

  constructor(readonly vault: FakeVault) {}

  async play({ turn = {}, free = null, model = caching, promotes, tier = 5 }: TurnOptions = {}): Promise<PlayedTurn> {
    const world = worldOf(this.vault, { contextWindow: model.contextWindow, ...turn });
    const facts = await gatherFacts(chosen, world, never);
    const prompt = assemblePrompt({
      sections: chosen,
      facts,
      tokenizer: roughTokenizer,
      layout: layoutFor(model, tier),
    });
    const reference = foldReference(this.entries);
    const settled = selectReference({
      ...{ prompt, model, kept: reference, free, tools: 'tools', tokenizer: roughTokenizer },
      ...(promotes === undefined ? {} : { promotes }),
    });
    const { changes, sent } = settled;
    this.append({ kind: 'user', text: 'Hello?', mentions: [] });
    if (sent !== null) this.append(sent);
    const before = changes.parts;
    if (before.length > 0)
      this.append({ kind: 'turn-zone', before, after: [], mode: 'assistant', editor: null, told: changes.told });
    this.messages.push({
      role: 'user',
      parts: [...before.map(({ text }) => text), 'Hello?'].map((text) => ({ type: 'text', text })),
    });
    const plan = planOver(settled, {
      ...{ conversationId: 'c1', model, messages: [...this.messages], tools: [], tokenizer: roughTokenizer },
    });
    this.messages.push({ role: 'assistant', parts: [{ type: 'text', text: 'Yes.' }] });
    return { settled, plan };
  }

  private append(body: EntryBody): void {
    this.entries.push(entry(body));
  }
}

/** Returns all text before the conversation as one string. */
export function headOf({ system, messages, blocks }: RequestPlan): string {
  const opening = blocks.find(({ place }) => place === 'first-message')?.text;
  const texts = messages.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join('\n'));
  return [system, ...texts.slice(0, opening === undefined ? 0 : texts.indexOf(opening) + 1)].join('\n');
}
