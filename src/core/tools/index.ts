/** THE list of tools, in the order shown to people; requests sort them by name. */
import { activateSkill } from './activate-skill';
import { appendToNote } from './append-to-note';
import { askUser } from './ask-user';
import { createNote } from './create-note';
import { deleteNote } from './delete-note';
import { editNote } from './edit-note';
import { exitPlanMode } from './exit-plan-mode';
import { findNotes } from './find-notes';
import { listFolder } from './list-folder';
import { loadState } from './load-state';
import { loadWorkspace } from './load-workspace';
import { moveNote } from './move-note';
import { noteLinks } from './note-links';
import { noteOutline } from './note-outline';
import { readNote } from './read-note';
import { readNotes } from './read-notes';
import { readServerResource } from './read-server-resource';
import { recallOutput } from './recall-output';
import { remember } from './remember';
import { runSubagent } from './run-subagent';
import { saveState } from './save-state';
import { searchNotes } from './search-notes';
import { setProperties } from './set-properties';
import type { Tool } from './tool';
import { updateGoal } from './update-goal';
import { writeTodos } from './write-todos';

export const tools: readonly Tool[] = [
  searchNotes,
  findNotes,
  listFolder,
  readNote,
  readNotes,
  noteOutline,
  noteLinks,
  createNote,
  editNote,
  appendToNote,
  setProperties,
  moveNote,
  deleteNote,
  loadWorkspace,
  activateSkill,
  updateGoal,
  runSubagent,
  recallOutput,
  readServerResource,
  saveState,
  loadState,
  remember,
  writeTodos,
  askUser,
  exitPlanMode,
];
