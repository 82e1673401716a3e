/** THE list of settings; those of one part of the tab stand in this order. A new setting is one file and one line here. */
import type { SettingRow } from '../setting-row';
import { additionalInstructionsRow } from './additional-instructions';
import { agentFolderRow } from './agent-folder';
import { agentNameRow } from './agent-name';
import { brevityRow } from './brevity';
import { clippingFoldersRow } from './clipping-folders';
import { compactionRow } from './compaction';
import { compactionCapRow } from './compaction-cap';
import { compactionCheckRow } from './compaction-check';
import { compactionModelsRow } from './compaction-models';
import { compactionShareRow } from './compaction-share';
import { compactionTopicsRow } from './compaction-topics';
import { contextFilesRow } from './context-files';
import { contextFilesInRow } from './context-files-in';
import { contextStatusRow } from './context-status';
import { contextWindowRow } from './context-window';
import { instructionNotesRow } from './instruction-notes';
import { journalRow } from './journal';
import { keptFoldersRow } from './kept-folders';
import { keptTagsRow } from './kept-tags';
import { modeRow } from './mode';
import { modelRow } from './model';
import { modelFactsRow } from './model-facts';
import { permissionRow } from './permission';
import { promptExportRow } from './prompt-export';
import { promptsRow } from './prompts';
import { providersRow } from './providers';
import { sanityChecksRow } from './sanity-checks';
import { saveStateFirstRow } from './save-state-first';
import { sectionSwitchesRow } from './section-switches';
import { serversRow } from './servers';
import { spendingRow } from './spending';
import { systemPromptRow } from './system-prompt';
import { tierRow } from './tier';
import { userTemplatesRow } from './user-templates';

export const settingRows: readonly SettingRow[] = [
  modelRow,
  contextWindowRow,
  modelFactsRow,
  providersRow,
  modeRow,
  permissionRow,
  tierRow,
  promptsRow,
  brevityRow,
  sanityChecksRow,
  agentNameRow,
  additionalInstructionsRow,
  spendingRow,
  agentFolderRow,
  keptFoldersRow,
  keptTagsRow,
  clippingFoldersRow,
  journalRow,
  contextFilesRow,
  contextFilesInRow,
  serversRow,
  contextStatusRow,
  compactionRow,
  compactionShareRow,
  compactionCapRow,
  compactionModelsRow,
  compactionTopicsRow,
  compactionCheckRow,
  saveStateFirstRow,
  systemPromptRow,
  instructionNotesRow,
  userTemplatesRow,
  sectionSwitchesRow,
  promptExportRow,
];
