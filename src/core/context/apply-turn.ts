/** Applies a turn's system prompt to its chat: what was prepared holds from here on, and what it changed is told (R007). */
import { headOf, type ProvidedPrompt } from '../prompt/provide-prompt';
import { type ActiveState, activeStateOf, announceActive, type ContextEvents } from './context-events';
import type { Emitter } from './emitter';
import type { PreparedTurn } from './prepare-turn';

/** What a chat keeps of the turn that was applied last. */
export interface AppliedTurn {
  readonly prompt: ProvidedPrompt;
  readonly active: ActiveState;
}

export interface ApplyInput {
  readonly ports: { readonly hooks: { readonly active: readonly { readonly id: string }[] } };
  readonly applied: AppliedTurn | null;
  readonly prepared: PreparedTurn;
  /** Reasons that were told since the last turn. */
  readonly noted: ReadonlySet<string>;
}

/** A prompt that stayed the same, byte for byte, is no event. */
export function applyTurn(
  events: Pick<Emitter<ContextEvents>, 'emit'>,
  { ports, applied, prepared, noted }: ApplyInput,
): AppliedTurn {
  const { prompt, change, turn } = prepared;
  const active = activeStateOf(turn, ports.hooks.active);
  if (change !== null) {
    const tokens = headOf(prompt).reduce((sum, block) => sum + block.tokens, 0);
    const reasons = [...new Set([...noted, ...change.reasons])];
    events.emit('system-prompt-updated', { sections: change.sections, reasons, tokens });
  }
  announceActive(events, applied?.active ?? null, active);
  return { prompt, active };
}
