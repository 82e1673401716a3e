/** Words about context and requests: tokens used, cache misses, costs of chats. */
import { grouped } from './count';

const tokens = grouped;

export const status = () => ({
  contextBar: 'Context',
  used: (percent: number, used: string, full: string) => `${used} of ${full} tokens (${percent}% full)`,
  warning: 'The window is filling up.',
  critical: 'The window is nearly full.',
  fixedParts: 'What goes with every message fills most of this window. Choose here what to leave out.',
  clearedSoon: 'Older parts are hidden from the model once a message does not fit.',
  summarySoon: (point: string) => `Older messages are summarised at ${point} tokens.`,
  point: (point: string) => `Older messages are summarised here, at ${point} tokens`,
  statusBar: (percent: number) => `Docent: ${percent}% full`,

  list: 'Context',
  listLead: 'Each change shows first what it does to the next request.',
  parts: {
    section: 'Sections',
    note: 'Notes',
    image: 'Images',
    result: 'Tool results',
    exchange: 'Messages',
    round: 'Steps left out',
  },
  nothingListed: 'Nothing is sent yet.',
  showPrompt: 'Show the prompt',
  pinned: 'Pinned',
  forms: {
    whole: 'Sent whole',
    pinned: 'Pinned',
    outline: 'Outline',
    masked: 'Hidden from the model',
    dropped: 'Left out',
  },
  acts: {
    whole: 'Send whole',
    pinned: 'Pin',
    unpin: 'Unpin',
    outline: 'Outline only',
    masked: 'Hide from the model',
    dropped: 'Leave out',
    summarise: 'Summarise up to here',
  },
  act: (name: string, effect: number) =>
    effect === 0 ? name : effect < 0 ? `${name} (frees ${tokens(-effect)})` : `${name} (adds ${tokens(effect)})`,
  /** Where only the next request shows the number of tokens. */
  actUncounted: (name: string) => `${name} (counted then)`,
  actOn: (act: string, item: string) => `${act}: ${item}`,
  tokensOf: (count: string) => `${count} tokens`,
  sectionNames: (id: string) => id.replace(/-/g, ' ').replace(/^./, (first) => first.toUpperCase()),
  exchangeOf: (text: string, messages: number) => `“${text}”, ${messages === 1 ? '1 message' : `${messages} messages`}`,
  roundOf: (text: string) => `A step of “${text}”`,
  resultOf: (name: string, text: string) => `${name}: ${text}`,
  /** Why a section is not in its full form. */
  outlined: 'you asked for the outline',
  changed: 'Done. It holds from the next message on.',

  compact: {
    name: 'Summarise older messages',
    description: 'Makes room. Words behind it say what to keep in view.',
  },
  context: { name: 'Context', description: 'Lists all parts with their tokens.' },
  summarise: 'Summarise older messages',
  summarising: 'Summarising older messages…',
  divider: (removed: number, retained: number) =>
    `${removed === 1 ? '1 message' : `${removed} messages`} summarised, ${retained} kept as they are`,
  dividerTokens: (before: number, after: number) => `${tokens(before)} → ${tokens(after)} tokens`,
  dividerUndone:
    'Taken back: the messages are sent again. While they fit, the next summary is made only when you ask for one.',
  remainingTopic: (topic: string) => `What stayed begins with: ${topic}.`,
  writerMissing: (model: string, reason: string) =>
    `The model of this chat wrote it, since ${model} could not be used: ${reason}`,
  ownUnusable: (path: string, reason: string) => `${path} was not used. ${reason}`,
  ownHoldsForm: (tag: string) => `It holds ${tag}, by which summaries are read. Say in words what is to be kept.`,
  ownTooLong: (most: number) => `It is longer than ${tokens(most)} tokens.`,
  byExtraction: 'Created without a model.',
  retainedParts: 'Kept apart from it: the goal, AGENTS.md, skills in use, and pinned messages.',
  retainedFocus: (focus: string) => `In view: ${focus}`,
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
    topics: 'End summaries where a topic begins',
    topicsDesc: 'A small request finds where the topic at hand begins. Otherwise about a third stays as it is.',
    cap: 'Summarise at the latest at',
    capDesc: 'Tokens, from 1,024 up, whatever the window holds. Leave empty for no such limit.',
    capBad: 'Enter a whole number from 1,024 up, or leave it empty.',
    models: 'Models that summarise',
    modelsDesc: 'By the model of the chat. The same model is usually the cheapest: it has read the messages already.',
    modelsNamed: (count: number) => (count === 0 ? 'The same model' : count === 1 ? '1 chosen' : `${count} chosen`),
    modelsOf: (provider: string) => `All models of ${provider}`,
    modelsSame: 'The same model',
    modelsAsProvider: 'As for all',
    modelsNone: 'Set up a provider first.',
    check: 'Check summaries',
    checkDesc: 'A second request looks for what a summary left out.',
    checkChoices: { auto: 'Large ones', on: 'Always', off: 'Never' },
    saveState: 'Save a state first',
    saveStateDesc: 'Writes a note to the states folder before older messages are summarised.',
  },

  trimmed: (count: number) =>
    `${count === 1 ? 'The oldest part does' : `The ${count} oldest parts do`} not fit and ${count === 1 ? 'is' : 'are'} left out. All stays in this chat, and the list of what is in the window sends it again.`,
  masked: (count: number) =>
    count === 1
      ? 'One older tool result is now hidden from the model.'
      : `${count} older tool results are now hidden from the model.`,
  notesOutlined: (paths: readonly string[]) => {
    const [first = '', ...others] = paths;
    return others.length === 0
      ? `There is too little room for the whole of ${first}, so only its outline is sent.`
      : `There is too little room for ${first} and ${others.length} more ${others.length === 1 ? 'note' : 'notes'}, so only their outlines are sent.`;
  },
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
  recallMissing: (handle: string) => `No result in this chat has the handle ${handle}.`,
  recallMissingRemedy: 'Copy the handle from the shortened result.',
  saveTitle: (name: string) => `Save the state “${name}”`,
  loadTitle: (name: string) => (name === '' ? 'List saved states' : `Load the state “${name}”`),
  stateMissing: (name: string) => `The saved state ${name} was not found.`,
  stateMissingRemedy: (names: readonly string[]) =>
    names.length === 0 ? 'No state has been saved yet. Continue without one.' : `Use one of: ${names.join(', ')}.`,
  nameEmpty: 'A state needs a name.',
  nameEmptyRemedy: 'Give a few words.',
  stateName: 'Before summarising',
  stateLineLeftOut: '(A line is left out here: in a note, it would run or load something.)',
  stateNotSaved: 'The state was not saved, because its note would run or load something.',
  stateNotSavedRemedy: 'Ask for it in the chat, and look at it in the review.',
});

const count = grouped;

const places: Readonly<Record<string, string>> = {
  tools: 'the tools',
  model: 'the model',
  'vault-listing': 'the vault listing',
  'context-notes': 'the context notes',
  conversation: 'the conversation',
};

/** Words about requests: why a prompt cache missed, and what uses too much of a context window. */
export const request = () => ({
  place: (place: string): string => places[place] ?? place.replace(/-/g, ' '),
  prefixHeld: 'All of the request before is sent again as it was.',
  prefixBroke: (place: string, reasons: readonly string[]): string =>
    `Cache miss at ${places[place] ?? place.replace(/-/g, ' ')}${reasons.length === 0 ? '.' : `: ${reasons.join('; ')}.`}`,
  created: (path: string): string => `note created: ${path}`,
  changed: (path: string): string => `note changed: ${path}`,
  missing: (path: string): string => `note gone: ${path}`,
  textChanged: 'its text changed',
  added: 'it was added',
  left: 'it was left out',
  toolsChanged: (names: readonly string[]): string => `other tools: ${names.join(', ')}`,
  messageChanged: (number: number): string => `message ${number} is another one`,

  requestNumber: (number: number): string => `Request ${number}`,
  chosenRequest: 'Which request',
  unreported: 'The provider has not reported what it kept of this request.',
  cacheOfRequest: (read: string, written: string, other: string): string =>
    `Of this request: ${read} tokens read from the provider’s cache, ${written} written to it, ${other} neither.`,
  cacheOfTurn: (read: string, written: string, other: string): string =>
    `Of this turn: ${read} read, ${written} written, ${other} neither.`,
  cacheOfChat: (read: string, written: string, other: string): string =>
    `Of this chat since it was opened: ${read} read, ${written} written, ${other} neither.`,
  tier: (tier: string): string => (tier === 'active' ? 'changed of late' : tier),
  isNew: 'new since the request before',
  changes: 'Changes since the request before',
  changedLines: (added: number, removed: number): string =>
    [
      ...(added === 0 ? [] : [`${added} ${added === 1 ? 'line' : 'lines'} added`]),
      ...(removed === 0 ? [] : [`${removed} ${removed === 1 ? 'line' : 'lines'} gone`]),
    ].join(', '),
  sameAsBefore: 'Word for word the same as the request before.',
  moreLines: (lines: number): string => `Show ${lines} more ${lines === 1 ? 'line' : 'lines'}`,
  messageTitle: (number: number, role: string): string => `${number}. ${role}`,
  marked: 'cache marker at its end',
  markers: (places: readonly string[]): string =>
    places.length === 0 ? 'No cache markers.' : `Cache markers after: ${places.join(', ')}.`,
  markedSystem: 'the system prompt',
  markedMessage: (number: number): string => `message ${number}`,

  tooLong: (needed: number, room: number, parts: readonly string[]): string =>
    `This request needs about ${count(needed)} tokens, and the model has room for ${count(room)}.` +
    (parts.length === 0 ? '' : ` Its largest parts: ${parts.join(', ')}.`),
  partOf: (part: string, tokens: number): string => `${part} ${count(tokens)}`,
  message: 'your message',
  results: 'results of tools',
  answers: 'answers of this turn',
  earlier: 'earlier messages',
  tooLongRemedy:
    'Start a new chat, choose a model with a larger window, or leave out parts of the context and send again.',
  tooLongFixedRemedy:
    'Choose a model with a larger window in the settings, or leave out parts of the context and send again.',
});

/** Formats dollars with as many digits as needed; never shows zero for a cost. */
export function dollars(amount: number): string {
  if (amount === 0) return '$0.00';
  if (amount < 0.001) return 'less than $0.001';
  return `$${amount.toFixed(amount < 0.1 ? 3 : 2)}`;
}

export const spending = () => ({
  dollars,
  settings: {
    notice: {
      name: 'Notify me when a chat costs more than',
      desc: 'A warning in the chat, in dollars by list prices; answers of unknown or no price count nothing. Also applies to each dialog that writes a commit message or rewrites text.',
    },
    limit: {
      name: 'Stop when a chat would cost more than',
      desc: 'In dollars. Nothing more is sent in that chat until you raise it. Also applies to each dialog that writes a commit message or rewrites text.',
    },
    none: 'No limit',
    bad: 'Enter an amount in dollars, such as 0.50, or leave it empty.',
  },
  limitReached: (spent: number, next: number, limit: number) =>
    `This chat has cost ${dollars(spent)}, and sending this would cost about ${dollars(next)} more; your limit is ${dollars(limit)}.`,
  limitRemedy: 'Raise the limit in the settings, start a new chat, or choose a cheaper model.',
  noticeReached: (spent: number, notice: number) =>
    `This chat has cost about ${dollars(spent)}; you wanted to be told at ${dollars(notice)}.`,
  /** Of a window that asks a model without a chat, such as that of a commit message. */
  window: {
    limitReached: (spent: number, next: number, limit: number) =>
      `The answers in this dialog have cost ${dollars(spent)}, and sending this would cost about ${dollars(next)} more; your limit is ${dollars(limit)}.`,
    limitRemedy: 'Raise the limit in the settings, or choose a cheaper model.',
    noticeReached: (spent: number, notice: number) =>
      `The answers in this dialog have cost about ${dollars(spent)}; you wanted to be told at ${dollars(notice)}.`,
  },
  next: (amount: number) => `Sending this costs about ${dollars(amount)}, before the answer.`,
  chat: (amount: number) => `This chat has cost about ${dollars(amount)}.`,
  listPrices: ({ date, source = '', isOld }: { date: string | null; source?: string; isOld?: true }) =>
    `By the price of ${date} from ${source}.${isOld ? ' It is more than 90 days old.' : ''}`,
  priceUnknown: 'The price of this model is unknown.',
  ownPrices: 'By the prices from your settings or from the provider’s list.',
});
