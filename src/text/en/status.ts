/** Words about how full the window is, and about what makes room in it. */

const tokens = (count: number): string => count.toLocaleString('en');

export const status = {
  contextBar: 'Context',
  used: (used: string, room: string) => `${used} of ${room} tokens`,
  warning: 'The window is filling up.',
  critical: 'The window is nearly full.',
  summarySoon: (point: string) => `Older messages are summarised at ${point} tokens.`,
  point: (point: string) => `Older messages are summarised here, at ${point} tokens`,
  statusBar: (percent: number) => `Docent: ${percent}% full`,

  list: 'What is in the window',
  listLead: 'Each change shows first what it does to the next request.',
  parts: {
    section: 'Sections',
    note: 'Notes',
    result: 'Tool results',
    exchange: 'Messages',
  },
  nothingListed: 'Nothing is sent yet.',
  showPrompt: 'Show the prompt',
  pinned: 'Pinned',
  forms: {
    whole: 'Sent whole',
    pinned: 'Pinned',
    outline: 'Outline',
    masked: 'Put aside',
    dropped: 'Left out',
  },
  acts: {
    whole: 'Send whole',
    pinned: 'Pin',
    unpin: 'Unpin',
    outline: 'Outline only',
    masked: 'Put aside',
    dropped: 'Leave out',
    summarise: 'Summarise up to here',
  },
  act: (name: string, effect: number) =>
    effect === 0 ? name : effect < 0 ? `${name} (frees ${tokens(-effect)})` : `${name} (adds ${tokens(effect)})`,
  actOn: (act: string, item: string) => `${act}: ${item}`,
  tokensOf: (count: string) => `${count} tokens`,
  sectionNames: (id: string) => id.replace(/-/g, ' ').replace(/^./, (first) => first.toUpperCase()),
  exchangeOf: (text: string, messages: number) => `“${text}”, ${messages === 1 ? '1 message' : `${messages} messages`}`,
  resultOf: (name: string, text: string) => `${name}: ${text}`,
  changed: 'Done. It holds from the next message on.',

  compact: {
    name: 'Summarise older messages',
    description: 'Makes room. Words behind it say what to keep in view.',
  },
  context: { name: 'What is in the window', description: 'Lists all parts with their tokens.' },
  summarise: 'Summarise older messages',
  summarising: 'Summarising older messages…',
  divider: (removed: number, kept: number) =>
    `${removed === 1 ? '1 message' : `${removed} messages`} summarised, ${kept} kept as they are`,
  dividerTokens: (before: number, after: number) => `${tokens(before)} → ${tokens(after)} tokens`,
  dividerUndone: 'Taken back: the messages are sent again. The next summary is made only when you ask for one.',
  byExtraction: 'Put together without a model.',
  kept: 'Kept apart from it: the goal, AGENTS.md, skills in use, and pinned messages.',
  keptFocus: (focus: string) => `In view: ${focus}`,
  showSnapshot: 'Show the summary',
  editSnapshot: 'Edit',
  undo: 'Undo',
  snapshotTitle: 'The summary',
  snapshotLead: 'This will stand in place of the older messages. They stay in this chat, and you can undo it.',
  snapshotEffect: (before: number, after: number) =>
    `The next request goes from ${tokens(before)} to ${tokens(after)} tokens.`,
  snapshotParts: {
    overall_goal: 'Goal',
    active_constraints: 'Rules and limits',
    key_knowledge: 'What is known',
    artifact_trail: 'Notes made or changed',
    file_system_state: 'Notes read and moved',
    recent_actions: 'Last actions',
    task_state: 'Plan',
  },
  accept: 'Use this summary',
  save: 'Save',
  discard: 'Cancel',

  settings: {
    compaction: 'Summarise older messages',
    compactionDesc: 'Makes room before the window is full. Summaries are shown in the chat and can be undone.',
    compactionChoices: { automatic: 'By itself', manual: 'Only when asked' },
    share: 'When to summarise',
    shareDesc: 'Percent of the room, from 20 to 95. Leave empty for what suits the window.',
    shareBad: 'Enter a whole number from 20 to 95, or leave it empty.',
    check: 'Check summaries',
    checkDesc: 'A second request looks for what a summary left out.',
    checkChoices: { auto: 'Large ones', on: 'Always', off: 'Never' },
    saveState: 'Save a state first',
    saveStateDesc: 'Writes a note to the states folder before older messages are summarised.',
  },

  trimmed: (count: number) =>
    count === 1
      ? 'The oldest messages did not fit and are left out. They stay in this chat.'
      : `The oldest messages did not fit: ${count} parts are left out. They stay in this chat.`,
  masked: (count: number) =>
    count === 1 ? 'One older tool result is put aside.' : `${count} older tool results are put aside.`,
  refused: {
    'too-little': 'There is too little to summarise yet.',
    'fixed-part':
      'Instructions and tools fill most of this window, so a summary would not help. Choose a lower tier or a larger window.',
    'nothing-to-cut': 'There is nothing older to summarise: this is the newest message and its answer.',
    'not-smaller': 'A summary would not have made enough room, so the messages stay as they are.',
    stopped: 'Summarising was stopped. Nothing has changed.',
  },
  refusedRemedy: 'Leave out what is not needed in the list of what is in the window, or start a new chat.',
  busy: 'An answer is under way.',
  busyRemedy: 'Wait until it is done, or stop it.',
  outdated: 'The chat has changed since this summary was written.',
  outdatedRemedy: 'Summarise again.',

  recallTitle: (handle: string) => `Look up result ${handle}`,
  recallMissing: (handle: string) => `There is no result with the handle ${handle} in this chat.`,
  recallMissingRemedy: 'Handles stand in the results that were shortened.',
  saveTitle: (name: string) => `Save the state “${name}”`,
  loadTitle: (name: string) => (name === '' ? 'List saved states' : `Load the state “${name}”`),
  stateMissing: (name: string) => `There is no saved state ${name}.`,
  stateMissingRemedy: (names: readonly string[]) =>
    names.length === 0 ? 'No state has been saved yet.' : `There are: ${names.join(', ')}.`,
  nameEmpty: 'A state needs a name.',
  nameEmptyRemedy: 'Give a few words.',
  stateName: 'Before summarising',
};
