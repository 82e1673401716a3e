/** Tool names that prompt texts speak of: the one registry, so that no text spells a name itself (R143, K25). */
export const toolNames = {
  searchNotes: 'search_notes',
  findNotes: 'find_notes',
  listFolder: 'list_folder',
  readNote: 'read_note',
  readNotes: 'read_notes',
  noteOutline: 'note_outline',
  noteLinks: 'note_links',
  recallOutput: 'recall_output',
  createNote: 'create_note',
  editNote: 'edit_note',
  appendToNote: 'append_to_note',
  setProperties: 'set_properties',
  moveNote: 'move_note',
  deleteNote: 'delete_note',
  remember: 'remember',
  saveState: 'save_state',
  loadState: 'load_state',
  loadWorkspace: 'load_workspace',
  updateGoal: 'update_goal',
  writeTodos: 'write_todos',
  askUser: 'ask_user',
  activateSkill: 'activate_skill',
  runSubagent: 'run_subagent',
  exitPlanMode: 'exit_plan_mode',
  fetchPage: 'fetch_page',
  gitStatus: 'git_status',
  gitDiff: 'git_diff',
  gitLog: 'git_log',
} as const;

/** Tools that look and change nothing. */
export const readingTools: readonly string[] = [
  toolNames.searchNotes,
  toolNames.findNotes,
  toolNames.listFolder,
  toolNames.readNote,
  toolNames.readNotes,
  toolNames.noteOutline,
  toolNames.noteLinks,
  toolNames.recallOutput,
];

/** Tools that change notes. */
export const writingTools: readonly string[] = [
  toolNames.createNote,
  toolNames.editNote,
  toolNames.appendToNote,
  toolNames.setProperties,
  toolNames.moveNote,
  toolNames.deleteNote,
];

/** Tools that Plan works with: reading, asking, writing the plan, presenting it (R079). */
export const planTools: readonly string[] = [
  ...readingTools,
  toolNames.askUser,
  toolNames.createNote,
  toolNames.editNote,
  toolNames.appendToNote,
  toolNames.exitPlanMode,
];
