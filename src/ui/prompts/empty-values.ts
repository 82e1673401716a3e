/** Finds the prompts of a message whose variables have no value, and words them for the user before anything is sent. */
import { baseName } from '../../core/library/user-notes';
import { findEmptyVariables, type PromptVariable } from '../../core/prompt/user-text';
import type { Mention } from '../../core/session/entry';
import { words } from '../../text';
import type { EmptyPrompt, PromptsPorts } from '../state/ports';
import { textOfPrompt } from './use-prompts';

type Ports = Pick<PromptsPorts, 'vault' | 'registry' | 'readNote' | 'valuesFor'>;

/**
 * Returns the prompts whose variables would be empty now, each with the reasons.
 * @param selected the prompt of the chat, to which nothing can be written
 */
export async function findEmptyPrompts(
  mentions: readonly Mention[],
  selected: string | null,
  ports: Ports,
): Promise<readonly EmptyPrompt[]> {
  const named = mentions
    .filter(({ kind }) => kind === 'prompt')
    .map(({ id, label, arguments: written = '' }) => ({ id, name: label, written }));
  const ofChat = selected === null ? [] : [{ id: selected, name: nameOf(selected, ports), written: null }];
  const signal = new AbortController().signal;
  const found = await Promise.all(
    [...named, ...ofChat].map(async ({ id, name, written }): Promise<EmptyPrompt> => {
      const text = await textOfPrompt(id, ports, signal);
      const empty = text === null ? [] : findEmptyVariables(text, await ports.valuesFor(text, written ?? '', signal));
      // Nothing is ever written after the name of a chat's prompt.
      const missing = written === null ? empty.filter((each) => each !== 'arguments') : empty;
      return { id, reasons: describeEmpty(name, missing) };
    }),
  );
  return found.filter(({ reasons }) => reasons !== '');
}

function nameOf(id: string, { registry }: Pick<Ports, 'registry'>): string {
  return registry.get(id)?.name ?? baseName(id);
}

/** Returns a sentence per variable. */
function describeEmpty(name: string, variables: readonly PromptVariable[]): string {
  const say = words.prompts;
  return variables.map((variable) => say.emptyVariable(name, variable, say.empty[variable])).join(' ');
}
