/** Facts by name: what sections may need. A new fact is one file and one line here. */
export { attachedNotes } from './attached-notes';
export { availablePrompts } from './available-prompts';
export { availableWorkspaces } from './available-workspaces';
export { contextStatus } from './context-status';
export { customPrompts } from './custom-prompts';
export { modeTemplate } from './mode-template';
export { previousContext } from './previous-context';
export { selectedPrompt } from './selected-prompt';
export { selectedWorkspace } from './selected-workspace';
export { toolHints } from './tool-hints';
export { toolsAndContext } from './tools-and-context';
export { vaultStructure } from './vault-structure';
export { workspaceReferences } from './workspace-references';
