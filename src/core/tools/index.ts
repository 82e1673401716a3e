/** THE list of tools, in the order in which they are listed to people; requests sort them by name. */
import { activateSkill } from './activate-skill';
import { findNotes } from './find-notes';
import { listFolder } from './list-folder';
import { noteLinks } from './note-links';
import { noteOutline } from './note-outline';
import { readNote } from './read-note';
import { readNotes } from './read-notes';
import { searchNotes } from './search-notes';
import type { Tool } from './tool';

export const tools: readonly Tool[] = [
  searchNotes,
  findNotes,
  listFolder,
  readNote,
  readNotes,
  noteOutline,
  noteLinks,
  activateSkill,
];
