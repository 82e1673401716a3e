/** THE list of tools, in the order in which they are listed to people; requests sort them by name. */
import { activateSkill } from './activate-skill';
import { findNotes } from './find-notes';
import { listFolder } from './list-folder';
import { loadState } from './load-state';
import { noteLinks } from './note-links';
import { noteOutline } from './note-outline';
import { readNote } from './read-note';
import { readNotes } from './read-notes';
import { recallOutput } from './recall-output';
import { runSubagent } from './run-subagent';
import { saveState } from './save-state';
import { searchNotes } from './search-notes';
import type { Tool } from './tool';
import { updateGoal } from './update-goal';

export const tools: readonly Tool[] = [
  searchNotes,
  findNotes,
  listFolder,
  readNote,
  readNotes,
  noteOutline,
  noteLinks,
  activateSkill,
  updateGoal,
  runSubagent,
  recallOutput,
  saveState,
  loadState,
];
