/** THE ordered list of prompt sections. A new section is one file and one line here. */
import type { Section } from '../section';
import { availablePromptsSection } from './available-prompts';
import { availableWorkspacesSection } from './available-workspaces';
import { contextStatusSection } from './context-status';
import { customPromptsSection } from './custom-prompts';
import { filesSection } from './files';
import { modeTemplateSection } from './mode-template';
import { previousContextSection } from './previous-context';
import { selectedPromptSection } from './selected-prompt';
import { selectedWorkspaceSection } from './selected-workspace';
import { toolHintsSection } from './tool-hints';
import { toolsAndContextSection } from './tools-and-context';
import { vaultListingSection } from './vault-listing';
import { workspacesSection } from './workspaces';

export const sections: readonly Section[] = [
  contextStatusSection,
  previousContextSection,
  modeTemplateSection,
  toolsAndContextSection,
  vaultListingSection,
  availableWorkspacesSection,
  availablePromptsSection,
  filesSection,
  toolHintsSection,
  customPromptsSection,
  workspacesSection,
  selectedPromptSection,
  selectedWorkspaceSection,
];
