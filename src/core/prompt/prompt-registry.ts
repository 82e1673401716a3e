/** PromptRegistry: the prompts that are known, whatever brought them: built in, from a server, or from the user's notes. */

/** Where a prompt comes from (R129): `config` is a note of the user. */
export type PromptSource = 'static' | 'mcp' | 'config';

export interface RegisteredPrompt {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly description?: string;
  /** Tools without which the prompt makes no sense (R128). */
  readonly requiredTools?: readonly string[];
  readonly tags?: readonly string[];
  readonly source: PromptSource;
  /** The server that registered it. */
  readonly serverName?: string;
  readonly version?: string;
  /** Milliseconds since the epoch. */
  readonly registeredAt: number;
}

/** Why a prompt is not offered; null when it is. */
export interface PromptAvailability {
  readonly prompt: RegisteredPrompt;
  readonly missingTools: readonly string[];
}

export class PromptRegistry {
  private readonly prompts = new Map<string, RegisteredPrompt>();

  /** Registers a prompt; one of the same id is replaced (R010). A server's prompts get its name before their id (R130). */
  register(prompt: RegisteredPrompt): RegisteredPrompt {
    const id = prompt.serverName === undefined ? prompt.id : `${prompt.serverName}/${prompt.id}`;
    const registered = { ...prompt, id };
    this.prompts.set(id, registered);
    return registered;
  }

  unregister(id: string): boolean {
    return this.prompts.delete(id);
  }

  get(id: string): RegisteredPrompt | undefined {
    return this.prompts.get(id);
  }

  has(id: string): boolean {
    return this.prompts.has(id);
  }

  /** Sorted by id, so that lists made of them do not depend on when each was registered. */
  list(): readonly RegisteredPrompt[] {
    return [...this.prompts.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  getByTag(tag: string): readonly RegisteredPrompt[] {
    return this.list().filter((prompt) => prompt.tags?.includes(tag) === true);
  }

  getBySource(source: PromptSource): readonly RegisteredPrompt[] {
    return this.list().filter((prompt) => prompt.source === source);
  }

  /** Forgets what a server registered, as when it disconnects (R130). */
  clearMcpPrompts(serverName: string): void {
    for (const { id, source, serverName: owner } of this.list()) {
      if (source === 'mcp' && owner === serverName) this.prompts.delete(id);
    }
  }
}

/** Each prompt with the tools it needs and lacks; those that lack none can be offered (R128). */
export function availabilityOf(
  prompts: readonly RegisteredPrompt[],
  toolNames: readonly string[],
): readonly PromptAvailability[] {
  return prompts.map((prompt) => ({
    prompt,
    missingTools: (prompt.requiredTools ?? []).filter((name) => !toolNames.includes(name)),
  }));
}
