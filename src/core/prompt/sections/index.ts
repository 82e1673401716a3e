/** THE ordered list of prompt sections. A new section is one file and one line here. */
import type { Section } from '../section';
import { activeGoalSection } from './active-goal';
import { activeSkillsSection } from './active-skills';
import { additionalInstructionsSection } from './additional-instructions';
import { availablePromptsSection } from './available-prompts';
import { availableSkillsSection } from './available-skills';
import { availableWorkspacesSection } from './available-workspaces';
import { contextNotesSection } from './context-notes';
import { contextStatusSection } from './context-status';
import { coreMandatesSection } from './core-mandates';
import { customPromptsSection } from './custom-prompts';
import { dayNoticeSection } from './day-notice';
import { editorContextSection } from './editor-context';
import { environmentSection } from './environment';
import { filesSection } from './files';
import { finalReminderSection } from './final-reminder';
import { gitSection } from './git';
import { goalProgressSection } from './goal-progress';
import { guidelinesSection } from './guidelines';
import { hookNoticeSection } from './hook-notice';
import { mcpServersSection } from './mcp-servers';
import { modeNoticeSection } from './mode-notice';
import { modeTemplateSection } from './mode-template';
import { permissionsSection } from './permissions';
import { planningWorkflowSection } from './planning-workflow';
import { preambleSection } from './preamble';
import { previousContextSection } from './previous-context';
import { primaryWorkflowSection } from './primary-workflow';
import { projectContextSection } from './project-context';
import { reminderSection } from './reminder';
import { reviewContextSection } from './review-context';
import { sanityChecksSection } from './sanity-checks';
import { selectedPromptSection } from './selected-prompt';
import { selectedWorkspaceSection } from './selected-workspace';
import { subAgentsSection } from './sub-agents';
import { systemExtraSection } from './system-extra';
import { toolHintsSection } from './tool-hints';
import { toolsAndContextSection } from './tools-and-context';
import { urlContextSection } from './url-context';
import { userMemorySection } from './user-memory';
import { vaultListingSection } from './vault-listing';
import { workspacesSection } from './workspaces';

/** Ordered as the tiered profile has them; each section says itself where the flat profile puts it. */
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
