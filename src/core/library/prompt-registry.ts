/** PromptRegistry: all known prompts: built in, from a server, or from the user's notes. */
import { subscribeTo } from '../base/async';
import { words } from '../../text';
import { isEqual } from '../base/equality';
import { compareText } from '../base/list-edits';
import { bodyOf } from '../markdown/properties';
import type { McpPromptArgument } from '../ports/network';
import type { Vault } from '../ports/vault';
import { baseName, lacking, type NoteReader, promptPropertiesOf, promptsIn } from './user-notes';

/** Where a prompt comes from (R129): `config` is a user's note. */
export type PromptSource = 'static' | 'mcp' | 'config';

export interface RegisteredPrompt {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly description?: string;
  /** Tools without which the prompt cannot be used (R128). */
  readonly requiredTools?: readonly string[];
  readonly tags?: readonly string[];
  readonly source: PromptSource;
  /** What a server needs to write it; the user is asked for it when the prompt is chosen. */
  readonly arguments?: readonly McpPromptArgument[];
  /** Whether its arguments were filled in, so that it is one of many and not offered again. */
  readonly isFilled?: true;
  /** The server that registered it. */
  readonly serverName?: string;
  readonly version?: string;
  /** Milliseconds since the epoch. */
  readonly registeredAt: number;
}

/** A prompt, and the required tools that are not declared. */
export interface PromptAvailability {
  readonly prompt: RegisteredPrompt;
  readonly missingTools: readonly string[];
}

/** The ids that one change of the registry affected. */
export interface RegistryChange {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export class PromptRegistry {
  private prompts: ReadonlyMap<string, RegisteredPrompt> = new Map();
  private sorted: readonly RegisteredPrompt[] | null = null;
  private readonly listeners = new Set<(change: RegistryChange) => void>();

  /** Registers a prompt in place of one with the same id (R010); ids of a server begin with its name (R130). */
  register(prompt: RegisteredPrompt): RegisteredPrompt {
    const id = prompt.serverName === undefined ? prompt.id : `${prompt.serverName}/${prompt.id}`;
    const registered = { ...prompt, id };
    this.set(new Map([...this.prompts, [id, registered]]));
    return registered;
  }
  unregister(id: string): boolean {
    const next = new Map(this.prompts);
    const had = next.delete(id);
    this.set(next);
    return had;
  }
  get(id: string): RegisteredPrompt | undefined {
    return this.prompts.get(id);
  }
  has(id: string): boolean {
    return this.prompts.has(id);
  }
  /** Sorted by id, so that no list depends on the order of registration; the same array until something changes. */
  list(): readonly RegisteredPrompt[] {
    this.sorted ??= [...this.prompts.values()].sort((a, b) => compareText(a.id, b.id));
    return this.sorted;
  }
  getByTag(tag: string): readonly RegisteredPrompt[] {
    return this.list().filter((prompt) => prompt.tags?.includes(tag) === true);
  }
  getBySource(source: PromptSource): readonly RegisteredPrompt[] {
    return this.list().filter((prompt) => prompt.source === source);
  }
  /** Replaces all prompts of a source, for example after the notes were read, in a single change. */
  replaceSource(source: PromptSource, prompts: readonly RegisteredPrompt[]): void {
    const others = this.list().filter((prompt) => prompt.source !== source);
    this.set(new Map([...others, ...prompts].map((prompt) => [prompt.id, prompt])));
  }
  /** Removes the prompts of a server, for example when it disconnects (R130). */
  clearMcpPrompts(serverName: string): void {
    this.replaceMcpPrompts(serverName, []);
  }
  /** Replaces the prompts of a server in a single change; no id that another prompt has is taken over (R130). */
  replaceMcpPrompts(serverName: string, prompts: readonly RegisteredPrompt[]): void {
    this.set(withMcpPrompts(this.prompts, serverName, prompts));
  }
  /** Returns a function that ends the subscription. Registering an equal prompt is not a change. */
  subscribe(listener: (change: RegistryChange) => void): () => void {
    return subscribeTo(this.listeners, listener);
  }
  private set(next: ReadonlyMap<string, RegisteredPrompt>): void {
    const change = changeBetween(this.prompts, next);
    this.prompts = next;
    this.sorted = null;
    if (change === null) return;
    for (const listener of this.listeners) listener(change);
  }
}

type Prompts = ReadonlyMap<string, RegisteredPrompt>;

/** Returns the prompts with these in place of those that a server had. */
function withMcpPrompts(before: Prompts, server: string, prompts: readonly RegisteredPrompt[]): Prompts {
  const next = new Map([...before].filter(([, prompt]) => !isListedBy(server, prompt)));
  for (const prompt of prompts) {
    const id = `${server}/${prompt.id}`;
    if (!next.has(id)) next.set(id, { ...prompt, id });
  }
  return next;
}

function isListedBy(server: string, { source, serverName, isFilled }: RegisteredPrompt): boolean {
  return source === 'mcp' && serverName === server && isFilled !== true;
}

/** Ignores the time of registration. */
function changeBetween(before: Prompts, after: Prompts): RegistryChange | null {
  const isSame = (prompt: RegisteredPrompt): boolean => {
    const known = before.get(prompt.id);
    return known !== undefined && isEqual(known, { ...prompt, registeredAt: known.registeredAt });
  };
  const added = [...after.keys()].filter((id) => !before.has(id));
  const removed = [...before.keys()].filter((id) => !after.has(id));
  const changed = [...after.values()].filter((prompt) => before.has(prompt.id) && !isSame(prompt)).map(({ id }) => id);
  return added.length + removed.length + changed.length === 0 ? null : { added, changed, removed };
}

/** Returns each prompt with the required tools that are not declared; a prompt that lacks none is available (R128). */
export function availabilityOf(
  prompts: readonly RegisteredPrompt[],
  toolNames: readonly string[],
): readonly PromptAvailability[] {
  return prompts.map((prompt) => ({
    prompt,
    missingTools: (prompt.requiredTools ?? []).filter((name) => !toolNames.includes(name)),
  }));
}

/**
 * Registers the user's usable prompt notes with their current texts (R129). Does nothing after the signal has fired.
 */
export async function registerNotes(
  registry: Pick<PromptRegistry, 'replaceSource'>,
  vault: Vault,
  agentFolder: string,
  readNote: NoteReader['readNote'],
  signal: AbortSignal,
): Promise<void> {
  const usable = promptsIn(vault, agentFolder).read.filter(({ properties }) => properties?.disabled === false);
  const read = await Promise.all(
    usable.map(async ({ path, properties }): Promise<RegisteredPrompt | null> => {
      const outcome = await readNote(path, signal);
      if (!outcome.ok || properties === undefined) return null;
      const { name, description, tags, requiredTools, version } = properties;
      return {
        id: path,
        name: name ?? baseName(path),
        content: bodyOf(outcome.value.text),
        ...(description === undefined ? {} : { description }),
        tags,
        requiredTools,
        ...(version === undefined ? {} : { version }),
        source: 'config',
        registeredAt: outcome.value.modified,
      };
    }),
  );
  const prompts = read.filter((prompt) => prompt !== null);
  if (!signal.aborted) registry.replaceSource('config', prompts);
}

/** Whether a prompt can be used, and if not, why: turned off, invalid, without its tools, or missing (R128). */
export interface PromptState {
  readonly kind: 'offered' | 'off' | 'missing-tools' | 'invalid' | 'gone';
  /** One plain sentence; empty if there is nothing to report. */
  readonly reason: string;
}

export interface PromptPlace {
  readonly vault: Pick<Vault, 'file' | 'outline'>;
  readonly registered: (id: string) => RegisteredPrompt | undefined;
  /** Names of the tools that are declared to the model. */
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
  if (known === undefined || known.source === 'config') return { kind: 'gone', reason: words.prompts.isMissing };
  return stateByTools(known.requiredTools, toolNames);
}

function stateByTools(required: readonly string[] | undefined, offered: readonly string[]): PromptState {
  const missing = lacking(required, offered);
  if (missing.length === 0) return { kind: 'offered', reason: '' };
  return { kind: 'missing-tools', reason: words.agentFolder.toolsMissing(missing) };
}
