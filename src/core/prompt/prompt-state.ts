/** Whether a prompt can be used, and why not: switched off, invalid, without its tools, or gone (R128). */
import { words } from '../../text';
import type { Vault } from '../ports/vault';
import type { RegisteredPrompt } from './prompt-registry';
import { lacking, promptPropertiesOf } from './user-notes';

export interface PromptState {
  readonly kind: 'offered' | 'off' | 'missing-tools' | 'invalid' | 'gone';
  /** One plain sentence; empty when there is nothing to say. */
  readonly reason: string;
}

export interface PromptPlace {
  readonly vault: Pick<Vault, 'file' | 'outline'>;
  readonly registered: (id: string) => RegisteredPrompt | undefined;
  /** Names of the tools that are offered. */
  readonly toolNames: readonly string[];
}

export function stateOfPrompt(id: string, { vault, registered, toolNames }: PromptPlace): PromptState {
  if (vault.file(id) !== undefined) {
    const { properties, problem } = promptPropertiesOf(vault, id);
    if (properties === undefined) return { kind: 'invalid', reason: problem };
    if (properties.disabled) return { kind: 'off', reason: words.prompts.isOff };
    return stateByTools(properties.requiredTools, toolNames);
  }
  const known = registered(id);
  if (known === undefined || known.source === 'config') return { kind: 'gone', reason: words.prompts.isGone };
  return stateByTools(known.requiredTools, toolNames);
}

function stateByTools(required: readonly string[] | undefined, offered: readonly string[]): PromptState {
  const missing = lacking(required, offered);
  if (missing.length === 0) return { kind: 'offered', reason: '' };
  return { kind: 'missing-tools', reason: words.agentFolder.toolsMissing(missing) };
}
