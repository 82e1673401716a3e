/** THE list of settings, in the order of the tab. A new setting is one file and one line here. */
import type { SettingRow } from '../setting-row';
import { additionalInstructionsRow } from './additional-instructions';
import { agentFolderRow } from './agent-folder';
import { agentNameRow } from './agent-name';
import { brevityRow } from './brevity';
import { compactionRow } from './compaction';
import { compactionCheckRow } from './compaction-check';
import { compactionShareRow } from './compaction-share';
import { contextFilesRow } from './context-files';
import { contextFilesInRow } from './context-files-in';
import { contextStatusRow } from './context-status';
import { contextWindowRow } from './context-window';
import { instructionNotesRow } from './instruction-notes';
import { modeRow } from './mode';
import { modelRow } from './model';
import { promptExportRow } from './prompt-export';
import { promptsRow } from './prompts';
import { providersRow } from './providers';
import { sanityChecksRow } from './sanity-checks';
import { saveStateFirstRow } from './save-state-first';
import { sectionSwitchesRow } from './section-switches';
import { systemPromptRow } from './system-prompt';
import { tierRow } from './tier';
import { userTemplatesRow } from './user-templates';

export const settingRows: readonly SettingRow[] = [
  modelRow,
  modeRow,
  tierRow,
  providersRow,
  agentFolderRow,
  promptsRow,
  contextFilesRow,
  contextFilesInRow,
  contextStatusRow,
  contextWindowRow,
  compactionRow,
  compactionShareRow,
  compactionCheckRow,
  saveStateFirstRow,
  agentNameRow,
  brevityRow,
  sanityChecksRow,
  additionalInstructionsRow,
  systemPromptRow,
  instructionNotesRow,
  userTemplatesRow,
  sectionSwitchesRow,
  promptExportRow,
];
