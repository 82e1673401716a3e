/** Puts together the orchestrator of a chat: its store of templates, its registry and its builder (R003). */
import { words } from '../../text';
import type { PromptRegistry } from '../library/prompt-registry';
import type { Vault } from '../ports/vault';
import { type AskedTemplate, PromptOrchestrator } from '../prompt/prompt-orchestrator';
import type { Section } from '../prompt/section';
import { SystemPromptBuilder } from '../prompt/system-prompt-builder';
import { builtInTemplates, type ServedTemplate, type TieredPromptStore } from '../prompt/tiered-prompt-store';
import type { ModeId } from '../settings/mode';

export interface OrchestratorPorts {
  readonly vault: Vault;
  readonly sections: readonly Section[];
  /** The built-in ones unless given. */
  readonly templates?: Pick<TieredPromptStore, 'serve'>;
  /** Prompts that are known by an id, such as the skills of servers. */
  readonly registry?: Pick<PromptRegistry, 'get' | 'list'>;
  /** Notes an event for the diagnostics. */
  note?(words: string): void;
}

export function createOrchestrator(ports: OrchestratorPorts): PromptOrchestrator {
  const { vault, sections, templates = builtInTemplates, registry } = ports;
  const read = async (path: string): Promise<string> => {
    const outcome = await vault.read(path);
    if (!outcome.ok) throw new Error(outcome.failure.words);
    return outcome.value.text;
  };
  // The same prompt is written again and again while a message is typed; it is noted once.
  let last = '';
  return new PromptOrchestrator(
    templates,
    (served, asked) => {
      const told = describeServed(served, asked);
      if (told !== last) ports.note?.(told);
      last = told;
    },
    registry,
    new SystemPromptBuilder(read, undefined, sections),
  );
}

/** Which step of the chain served a template that was not the one asked for (R005, R104). */
function describeServed(served: ServedTemplate, asked: AskedTemplate): string {
  const say = words.diagnostics.templates;
  const nameOf = (mode: ModeId): string => words.settings.modes[mode];
  return served.step === 'built-in'
    ? say.builtInServed(nameOf(asked.mode), asked.tier)
    : say.otherServed(asked.mode, asked.tier, served.mode, served.tier);
}
