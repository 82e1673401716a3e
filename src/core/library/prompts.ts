/** Prompts for the interface: the available ones, the list of all, and the note of a new one (R128, R129). */
import type { FileEntry, NoteOutline, Vault } from '../ports/vault';
import { fileNameFor } from './agent-folder';
import { type PromptSource, type PromptState, type RegisteredPrompt, stateOfPrompt } from './prompt-registry';
import { baseName, type ChatFields, lacking, listPrompts, type PromptSummary, promptsIn } from './user-notes';

export interface OfferedPrompt extends PromptSummary {
  readonly source: PromptSource;
}

export interface PromptLibrary {
  /** Only the notes of the agent folder are used. */
  readonly vault: {
    files(): readonly FileEntry[];
    outline(path: string): NoteOutline | undefined;
  };
  readonly agentFolder: string;
  /** In the order of the registry. */
  readonly registered: readonly RegisteredPrompt[];
  /** A prompt that needs any other tool is left out (R128). */
  readonly toolNames: readonly string[];
}

interface CachedOffer {
  readonly registered: readonly RegisteredPrompt[];
  readonly tools: string;
  readonly offered: readonly OfferedPrompt[];
}

const cache = new WeakMap<readonly PromptSummary[], CachedOffer>();

/**
 * Returns the prompts that can be used now: the user's notes, then those of servers and the built-in ones (R129).
 * Returns the same array until something changes.
 */
export function offeredPrompts(library: PromptLibrary): readonly OfferedPrompt[] {
  const { vault, agentFolder, registered, toolNames } = library;
  const all = listPrompts(vault, agentFolder);
  const tools = toolNames.join(' ');
  const known = cache.get(all);
  if (known?.registered === registered && known.tools === tools) return known.offered;
  const notes = listPrompts(vault, agentFolder, toolNames).map((prompt) => ({ ...prompt, source: 'config' as const }));
  const others = registered
    .filter(({ isFilled }) => isFilled !== true)
    .filter(({ source, requiredTools }) => source !== 'config' && lacking(requiredTools, toolNames).length === 0)
    .map(({ id, name, description = '', source }) => ({ id, name, description, source }));
  const offered = [...notes, ...others];
  cache.set(all, { registered, tools, offered });
  return offered;
}

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

/**
 * Returns all prompts, usable or not, for the list of prompts (R128, R129, R131): the user's own by path, then all
 * others by id.
 */
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

export interface PromptDraft extends Partial<ChatFields> {
  readonly name: string;
  readonly description: string;
  readonly text: string;
  readonly tags?: readonly string[];
  readonly requiredTools?: readonly string[];
  readonly version?: string;
}

/**
 * Returns the text of a new prompt note. Values are quoted as JSON, which is valid YAML, so that no character in a name
 * is special.
 */
export function promptNote(draft: PromptDraft): string {
  const { name, description, text, mode, model, permission } = draft;
  const property = (key: string, value: string | readonly string[] = ''): string[] => {
    const isList = typeof value !== 'string';
    const written = isList ? `[${value.map((item) => JSON.stringify(item)).join(', ')}]` : JSON.stringify(value.trim());
    return value.length === 0 || written === '""' ? [] : [`${key}: ${written}`];
  };
  const lines = [
    `name: ${JSON.stringify(name.trim())}`,
    ...property('description', description),
    ...property('tags', draft.tags),
    ...property('requiredTools', draft.requiredTools),
    ...property('version', draft.version),
    ...property('mode', mode),
    ...property('model', model),
    ...property('permission', permission),
    ...property('pinned', draft.pinned),
  ];
  return `---\n${lines.join('\n')}\n---\n\n${text.trim()}\n`;
}

/** Returns an unused path in this folder, derived from the prompt's name. */
export function freePromptPath(folder: string, name: string, isTaken: (path: string) => boolean): string {
  const start = fileNameFor(name, 'Prompt');
  for (let number = 1; ; number += 1) {
    const path = `${folder}/${start}${number === 1 ? '' : ` ${number}`}.md`;
    if (!isTaken(path)) return path;
  }
}
