/** THE ordered list of prompt sections. A new section is one file and one line here. */
import type { Section } from '../section';
import { contextStatusSection } from './context-status';
import { coreMandatesSection } from './core-mandates';
import { editorContextSection } from './editor-context';
import { dayNoticeSection, environmentSection } from './environment';
import { gitSection } from './git';
import { activeGoalSection, goalProgressSection } from './goal';
import { guidelinesSection } from './guidelines';
import { hookNoticeSection } from './hook-notice';
import { mcpServersSection } from './mcp-servers';
import { modeNoticeSection, modeTemplateSection } from './mode';
import { contextNotesSection, filesSection } from './notes';
import { permissionsSection } from './permissions';
import { preambleSection } from './preamble';
import { previousContextSection } from './previous-context';
import { availablePromptsSection, customPromptsSection, selectedPromptSection } from './prompts';
import { finalReminderSection, reminderSection, sanityChecksSection } from './reminders';
import { reviewContextSection } from './review-context';
import { activeSkillsSection, availableSkillsSection, namedSkillsSection } from './skills';
import { subAgentsSection } from './sub-agents';
import { toolHintsSection, toolsAndContextSection } from './tools';
import { urlContextSection } from './url-context';
import {
  additionalInstructionsSection,
  projectContextSection,
  systemExtraSection,
  userMemorySection,
} from './user-instructions';
import { vaultListingSection } from './vault-listing';
import { planningWorkflowSection, primaryWorkflowSection } from './workflows';
import { availableWorkspacesSection, selectedWorkspaceSection, workspacesSection } from './workspaces';

/** In the order of a request; each section defines its own position in a prompt without a history. */
export const sections: readonly Section[] = [
  modeTemplateSection,
  preambleSection,
  coreMandatesSection,
  activeGoalSection,
  subAgentsSection,
  availableSkillsSection,
  activeSkillsSection,
  mcpServersSection,
  hookNoticeSection,
  planningWorkflowSection,
  primaryWorkflowSection,
  guidelinesSection,
  permissionsSection,
  gitSection,
  additionalInstructionsSection,
  sanityChecksSection,
  finalReminderSection,
  toolsAndContextSection,
  projectContextSection,
  systemExtraSection,
  userMemorySection,
  vaultListingSection,
  availableWorkspacesSection,
  availablePromptsSection,
  selectedWorkspaceSection,
  selectedPromptSection,
  contextNotesSection,
  previousContextSection,
  environmentSection,
  filesSection,
  workspacesSection,
  namedSkillsSection,
  customPromptsSection,
  toolHintsSection,
  urlContextSection,
  reviewContextSection,
  editorContextSection,
  goalProgressSection,
  dayNoticeSection,
  modeNoticeSection,
  contextStatusSection,
  reminderSection,
];
