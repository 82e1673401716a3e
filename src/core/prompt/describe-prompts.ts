/** All prompts there are, usable or not, as the list of prompts shows them (R128, R129, R131). */
import type { Vault } from '../ports/vault';
import type { PromptSource, RegisteredPrompt } from './prompt-registry';
import { type PromptState, stateOfPrompt } from './prompt-state';
import { baseName, promptsIn } from './user-notes';

export interface DescribedPrompt {
  /** The path of its note, or the id under which it is registered. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly source: PromptSource;
  readonly serverName?: string;
  readonly tags: readonly string[];
  readonly requiredTools: readonly string[];
  readonly version?: string;
  readonly state: PromptState;
}

/** The user's own by path, then all others by id. */
export function describePrompts(
  vault: Vault,
  agentFolder: string,
  registered: readonly RegisteredPrompt[],
  toolNames: readonly string[],
): DescribedPrompt[] {
  const others = registered.filter(({ source }) => source !== 'config');
  const place = { vault, registered: (id: string) => others.find((prompt) => prompt.id === id), toolNames };
  const notes = promptsIn(vault, agentFolder).read.map(({ path, properties }): DescribedPrompt => {
    const { name, description = '', tags = [], requiredTools = [], version } = properties ?? {};
    return {
      id: path,
      name: name ?? baseName(path),
      description,
      source: 'config',
      tags,
      requiredTools,
      ...(version === undefined ? {} : { version }),
      state: stateOfPrompt(path, place),
    };
  });
  return [
    ...notes,
    ...others.map((prompt): DescribedPrompt => {
      const { id, name, description = '', source, serverName, tags = [], requiredTools = [], version } = prompt;
      return {
        id,
        name,
        description,
        source,
        ...(serverName === undefined ? {} : { serverName }),
        tags,
        requiredTools,
        ...(version === undefined ? {} : { version }),
        state: stateOfPrompt(id, place),
      };
    }),
  ];
}
