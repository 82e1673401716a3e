/** THE list of checks, in the order of the view. A new check is one file and one line here. */
import type { Check } from '../check';
import { conflictCopiesCheck } from './conflict-copies';
import { contextFilesCheck, instructionsCheck, memoryCheck } from './context-files';
import { eventsCheck } from './events';
import { modelCheck } from './model';
import { promptsCheck, workspacesCheck } from './prompts';
import { settingsCheck } from './settings';
import { skillsCheck } from './skills';
import { subagentsCheck } from './subagents';
import { systemPromptCheck } from './system-prompt';
import { templatesCheck } from './templates';
import { variablesCheck } from './variables';
import { writesCheck } from './writes';

export const checks: readonly Check[] = [
  modelCheck,
  systemPromptCheck,
  templatesCheck,
  promptsCheck,
  workspacesCheck,
  skillsCheck,
  subagentsCheck,
  variablesCheck,
  instructionsCheck,
  contextFilesCheck,
  memoryCheck,
  settingsCheck,
  conflictCopiesCheck,
  writesCheck,
  eventsCheck,
];
