/** THE list of settings, in the order of the tab. A new setting is one file and one line here. */
import type { SettingRow } from '../setting-row';
import { agentFolderRow } from './agent-folder';
import { contextStatusRow } from './context-status';
import { contextWindowRow } from './context-window';
import { modeRow } from './mode';
import { modelRow } from './model';
import { providersRow } from './providers';
import { tierRow } from './tier';

export const settingRows: readonly SettingRow[] = [
  modelRow,
  modeRow,
  tierRow,
  providersRow,
  agentFolderRow,
  contextStatusRow,
  contextWindowRow,
];
