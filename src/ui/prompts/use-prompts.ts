/** usePrompts: all prompts and their tokens, read again whenever the vault or the registry changes. */
import { useEffect, useState } from 'preact/hooks';
import { settleCounts, showTokens } from '../../core/diagnostics/check';
import { type DescribedPrompt, describePrompts } from '../../core/library/prompts';
import { bodyOf } from '../../core/markdown/properties';
import type { PromptsPorts } from '../state/ports';

export interface ListedPrompt extends DescribedPrompt {
  /** As it is shown; null until it is counted, and for a note that cannot be read. */
  readonly tokens: string | null;
}

export function usePrompts(ports: PromptsPorts): readonly ListedPrompt[] {
  const [prompts, setPrompts] = useState<readonly ListedPrompt[]>(() => describe(ports).map(withoutTokens));
  useEffect(() => {
    let abort = new AbortController();
    const look = async (): Promise<void> => {
      abort.abort();
      abort = new AbortController();
      const { signal } = abort;
      const described = describe(ports);
      const texts = await Promise.all(described.map(({ id }) => textOfPrompt(id, ports, signal)));
      await settleCounts(
        texts.filter((text) => text !== null),
        ports.tokenizer,
      );
      if (signal.aborted) return;
      const tokens = texts.map((text) => (text === null ? null : showTokens(text, ports.tokenizer)));
      setPrompts(described.map((prompt, index) => ({ ...prompt, tokens: tokens[index] ?? null })));
    };
    const release = ports.onChange(() => void look());
    void look();
    return () => {
      release();
      abort.abort();
    };
  }, [ports]);
  return prompts;
}

function describe(ports: PromptsPorts): DescribedPrompt[] {
  const toolNames = ports.tools.map(({ name }) => name);
  return describePrompts(ports.vault, ports.settings().agentFolder, ports.registry.list(), toolNames);
}

function withoutTokens(prompt: DescribedPrompt): ListedPrompt {
  return { ...prompt, tokens: null };
}

/** Returns the text without properties and with unresolved variables; null if it cannot be read. */
export async function textOfPrompt(
  id: string,
  ports: Pick<PromptsPorts, 'vault' | 'registry' | 'readNote'>,
  signal: AbortSignal,
): Promise<string | null> {
  if (ports.vault.file(id) === undefined) {
    const registered = ports.registry.get(id);
    return registered === undefined || registered.source === 'config' ? null : registered.content;
  }
  const outcome = await ports.readNote(id, signal);
  return outcome.ok ? bodyOf(outcome.value.text) : null;
}
