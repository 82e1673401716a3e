/** Options that make the builder say everything, taken from the values of the sections. */
import type { WorkspaceSummary } from '../../src/core/library/user-notes';
import type { WorkspaceData } from '../../src/core/library/workspaces';
import type { SystemPromptOptions } from '../../src/core/prompt/system-prompt-builder';
import { sectionValues } from './section-values';

interface Reference {
  readonly summary: WorkspaceSummary;
  readonly data: WorkspaceData | null;
}

const value = (section: string, name: string): any => sectionValues[section]?.[name];
const references = value('workspaces', 'references') as Reference[];

export const everyOption: SystemPromptOptions = {
  modeText: value('mode-template', 'template'),
  contextStatus: value('context-status', 'status'),
  previousContext: value('previous-context', 'previous'),
  sessionId: 'c1',
  workspaceId: 'default',
  toolAgents: value('tools-and-context', 'tools').agents,
  vaultStructure: { rootFolders: ['Journal', 'R&D'], rootFiles: ['Now.md', 'a<b.md'] },
  availableWorkspaces: value('available-workspaces', 'workspaces'),
  availablePrompts: value('available-prompts', 'prompts'),
  contextNotes: ['Now.md', 'Empty.md', 'Gone.md'],
  messageEnhancement: {
    tools: value('tool-hints', 'tools'),
    prompts: value('custom-prompts', 'prompts'),
    notes: [
      { path: 'Now.md', content: 'attached already' },
      { path: 'Mentioned.md', content: 'From the suggester: 1 < 2' },
    ],
    workspaces: references.map(({ summary }) => summary),
  },
  customPrompt: value('selected-prompt', 'prompt'),
  loadedWorkspaceData: value('selected-workspace', 'workspace').loaded,
};

const notes: Readonly<Record<string, string>> = { 'Now.md': '# Now\n\nUse a < b && c.', 'Empty.md': '' };

export async function readNote(path: string): Promise<string> {
  const text = notes[path];
  if (text === undefined) throw new Error('no such file');
  return text;
}

export async function loadWorkspace(id: string): Promise<WorkspaceData | null> {
  return references.find(({ summary }) => summary.id === id)?.data ?? null;
}
