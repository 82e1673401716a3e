/** A World for facts: a fake vault, and the state of a chat with nothing chosen. */
import type { HostState } from '../../src/core/context/chat-tools';
import type { Vault } from '../../src/core/ports/vault';
import { builtInTemplates } from '../../src/core/prompt/tiered-prompt-store';
import type { DeviceFacts, PromptSettings, TurnContext, World } from '../../src/core/prompt/world';
import { fakeVault } from './fake-vault';

export const promptSettings: PromptSettings = {
  interactive: true,
  agentName: 'Assistant',
  sanityChecks: 'auto',
  additionalInstructions: '',
  brevity: 'brief',
  contextFiles: ['AGENTS.md'],
  contextFilesIn: 'prompt',
};

export const device: DeviceFacts = {
  date: 'Friday, November 20, 2026',
  isoDate: '2026-11-20',
  week: 47,
  time: '09:30',
  app: {},
  operatingSystem: 'Linux',
  appVersion: '1.13.1',
  platform: 'desktop',
  repository: false,
};

export function turnContext(changes: Partial<TurnContext> = {}): TurnContext {
  return {
    sessionId: 'c1',
    workspaceId: 'default',
    modelId: 'test/scripted',
    mode: 'assistant',
    tier: 3,
    modernModel: false,
    permissionMode: 'review',
    toolNames: ['search_notes', 'read_note'],
    toolAgents: null,
    contextNotes: [],
    mentions: [],
    selectedPrompt: null,
    selectedWorkspace: null,
    contextStatus: null,
    goal: null,
    activeSkills: [],
    mcpServers: [],
    hooked: false,
    fetchedPages: [],
    review: null,
    editor: null,
    knownEditor: null,
    headMode: changes.mode ?? 'assistant',
    earlierMode: null,
    reminderDue: false,
    contextWindow: 200_000,
    ...changes,
  };
}

export function worldOf(vault: Vault = fakeVault({}), turn: Partial<TurnContext> = {}): World {
  return {
    vault,
    turn: turnContext(turn),
    prompts: {
      template: (mode, tier, own) => builtInTemplates.serve(mode, tier, own).text,
      registered: () => undefined,
      listed: () => [],
      suffixes: [],
    },
    agentFolder: 'Docent',
    settings: promptSettings,
    device,
    toolDescriptions: { search_notes: 'Searches the notes.' },
    readNote: (path, signal) => vault.read(path, signal),
  };
}

export const never = new AbortController().signal;

export const hostState: HostState = {
  settings: () => promptSettings,
  device: () => device,
  editor: () => null,
};
