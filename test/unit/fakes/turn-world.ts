/** A World for facts: a fake vault, and the state of a chat with nothing chosen. */
import type { Vault } from '../../../src/core/ports';
import type { TurnContext, World } from '../../../src/core/prompt/world';
import { fakeVault } from './fake-vault';

export function turnContext(changes: Partial<TurnContext> = {}): TurnContext {
  return {
    sessionId: 'c1',
    workspaceId: 'default',
    mode: 'assistant',
    tier: 3,
    agentName: 'Assistant',
    toolAgents: null,
    contextNotes: [],
    mentions: [],
    selectedPrompt: null,
    selectedWorkspace: null,
    contextStatus: null,
    previousContext: null,
    ...changes,
  };
}

export function worldOf(vault: Vault = fakeVault({}), turn: Partial<TurnContext> = {}): World {
  return {
    vault,
    turn: turnContext(turn),
    agentFolder: 'Docent',
    toolDescriptions: { search_notes: 'Searches the notes.' },
    readNote: (path, signal) => vault.read(path, signal),
  };
}

export const never = new AbortController().signal;
