/** Words about context and requests: tokens used, what a provider reads again, costs of chats. */
import { grouped } from './count';

const tokens = grouped;

export function status() {
  return {
    contextBar: 'Context',
    used: (percent: number, used: string, full: string) => `${used} of ${full} tokens (${percent}% full)`,
    warning: 'The context window is filling up. Select this bar to see what uses it.',
    critical: 'The context window is almost full.',
    overfull: 'The context window is full. With your next message, older parts are cleared or summarized.',
    freeTokens: 'Select this bar to free tokens.',
    fixedParts: 'Instructions and tools use most of the context window. Select this bar to choose what to leave out.',
    clearedSoon: 'When a message doesn’t fit, older parts are no longer sent. They stay in this chat.',
    summarySoon: (point: string) => `Older messages are summarized at ${point} tokens.`,
    point: (point: string) => `Older messages are summarized here, at ${point} tokens`,
    statusBar: (percent: number) => `Docent: context ${percent}% full`,

    list: 'Context',
    listLead:
      'The context is all that the model gets with your next message. It is counted in tokens, pieces of words that models count and charge for. Each action shows how many tokens it frees or adds.',
    parts: {
      section: 'Sections',
      note: 'Notes',
      image: 'Images',
      result: 'Tool results',
      exchange: 'Messages',
      round: 'Steps left out',
    },
    nothingListed: 'Nothing is sent yet.',
    showPrompt: 'Show prompt',
    pinned: 'Pinned',
    forms: {
      whole: 'Sent whole',
      pinned: 'Pinned',
      outline: 'Outline',
      masked: 'Cleared',
      dropped: 'Left out',
    },
    acts: {
      whole: 'Send whole',
      pinned: 'Pin',
      unpin: 'Unpin',
      outline: 'Outline only',
      masked: 'Clear',
      dropped: 'Leave out',
      summarise: 'Summarize up to here',
    },
    act: (name: string, effect: number) =>
      effect === 0 ? name : effect < 0 ? `${name} (frees ${tokens(-effect)})` : `${name} (adds ${tokens(effect)})`,
    /** Where only the next request shows the number of tokens. */
    actUncounted: (name: string) => `${name} (tokens unknown)`,
    actOn: (act: string, item: string) => `${act}: ${item}`,
    moreActs: (item: string) => `More actions: ${item}`,
    tokensOf: (count: string) => `${count} tokens`,
    sectionNames: (id: string) => id.replace(/-/g, ' ').replace(/^./, (first) => first.toUpperCase()),
    exchangeOf: (text: string, messages: number) =>
      `“${text}”, ${messages === 1 ? '1 message' : `${messages} messages`}`,
    roundOf: (text: string) => `A step of “${text}”`,
    resultOf: (name: string, text: string) => `${name}: ${text}`,
    /** Why a section is not in its full form. */
    outlined: 'you chose its outline',
    changed: 'Done. This applies from your next message.',

    compact: {
      name: 'Summarize older messages',
      description: 'Frees tokens. To focus the summary on a topic, type it after the command.',
    },
    context: { name: 'Context', description: 'Lists everything in the next request with its tokens.' },
    summarise: 'Summarize older messages',
    summarising: 'Summarizing older messages…',
    divider: (removed: number, retained: number) =>
      `${removed === 1 ? '1 message' : `${tokens(removed)} messages`} summarized, ${tokens(retained)} unchanged`,
    dividerTokens: (before: number, after: number) => `${tokens(before)} → ${tokens(after)} tokens`,
    dividerUndone: 'Undone: the messages are sent again. While they fit, Docent summarizes only when you ask.',
    remainingTopic: (topic: string) => `Not summarized: the messages since this topic began: ${topic}.`,
    writerMissing: (model: string, reason: string) =>
      `Written by this chat’s model, because ${model} couldn’t be used: ${reason}`,
    ownUnusable: (path: string, reason: string) => `${path} wasn’t used. ${reason}`,
    ownHoldsForm: (tag: string) =>
      `It contains ${tag}, which Docent uses to read summaries. Describe in words what to keep.`,
    ownTooLong: (most: number) => `It is longer than ${tokens(most)} tokens.`,
    byExtraction: 'Created without a model, from the text of the messages.',
    notByModel: (reason: string) =>
      `The model couldn’t write it: ${reason} If it doesn’t say enough, undo it and summarize again.`,
    summaryNoRoom: 'The messages don’t fit its context window.',
    summaryUnusable: 'Its answer was no usable summary.',
    summaryTooLong: 'Its summary freed too few tokens.',
    retainedParts: 'Still sent in full: the goal, AGENTS.md, active skills, and pinned messages.',
    retainedFocus: (focus: string) => `Focus: ${focus}`,
    showSnapshot: 'Show the summary',
    editSnapshot: 'Edit',
    undo: 'Undo',
    snapshotTitle: 'The summary',
    snapshotLead: 'The model gets this instead of the older messages. They stay in this chat, and you can undo it.',
    snapshotElsewhere: 'This is about another chat, not the one that is open.',
    snapshotEffect: (before: number, after: number) =>
      `The next request goes from ${tokens(before)} to ${tokens(after)} tokens.`,
    snapshotParts: {
      overall_goal: 'Goal',
      active_constraints: 'Rules and limits',
      key_knowledge: 'Key facts',
      artifact_trail: 'Notes created or changed',
      file_system_state: 'Notes read and moved',
      recent_actions: 'Recent actions',
      task_state: 'Plan',
    },
    accept: 'Use this summary',
    save: 'Save',
    discard: 'Cancel',

    settings: {
      compaction: 'Summarize older messages',
      compactionDesc:
        'Replaces older messages with a summary before the context window is full. You can read, edit, and undo each summary.',
      compactionChoices: { automatic: 'Automatically', manual: 'Only when I ask' },
      share: 'When to summarize',
      shareDesc: 'Percent of the context window, from 20 to 95. Leave empty to let Docent choose.',
      shareBad: 'Enter a whole number from 20 to 95, or leave it empty.',
      topics: 'Keep the current topic',
      topicsDesc:
        'Summarizes only what came before the current topic. A small extra request finds where it starts. If off, about a third of the messages stays.',
      cap: 'Maximum tokens before summarizing',
      capDesc:
        'Limits the cost of models with a large context window. A token is about three quarters of a word. At least 1,024. Leave empty for no limit.',
      capBad: 'Enter a whole number of at least 1,024, or leave it empty.',
      models: 'Models for summaries',
      modelsDesc:
        'Choose which model writes summaries. The model of the chat is usually cheapest, because its provider can reuse the messages it already read.',
      modelsNamed: (count: number) =>
        count === 0 ? 'Model of the chat' : count === 1 ? '1 chosen' : `${count} chosen`,
      modelsOf: (provider: string) => `Chats with any ${provider} model`,
      modelsSame: 'Model of the chat',
      modelsAsProvider: 'Same as the provider’s other models',
      modelsNone: 'Set up a provider first.',
      check: 'Check summaries',
      checkDesc: 'Uses a second request to find what a summary left out.',
      checkChoices: { auto: 'Only large summaries', on: 'Always', off: 'Never' },
      saveState: 'Save progress before summarizing',
      saveStateDesc: 'Writes a saved state, a note on the progress so far, to the folder “states” in the agent folder.',
    },

    trimmed: (count: number) =>
      `${count === 1 ? 'The oldest part does' : `The ${count} oldest parts do`} not fit and ${count === 1 ? 'is' : 'are'} left out. Nothing is deleted from this chat; to send a part again, select the bar above the message box.`,
    masked: (count: number) =>
      count === 1
        ? 'One older tool result was cleared to free tokens; the model gets only a placeholder.'
        : `${count} older tool results were cleared to free tokens; the model gets only placeholders.`,
    notesOutlined: (paths: readonly string[]) => {
      const [first = '', ...others] = paths;
      return others.length === 0
        ? `${first} doesn’t fit as a whole, so only its outline is sent.`
        : `${first} and ${others.length} more ${others.length === 1 ? 'note' : 'notes'} don’t fit, so only their outlines are sent.`;
    },
    refused: {
      'too-little': 'This chat is still too short to summarize.',
      'fixed-part':
        'Instructions and tools use most of the context window, so summarizing won’t help. Choose a lower instruction level or a model with a larger context window.',
      'nothing-to-cut': 'This is the newest message and its answer, so there is nothing older to summarize.',
      'not-smaller': 'A summary wouldn’t free enough tokens, so the messages are unchanged.',
      stopped: 'Summarizing was stopped. Nothing was changed.',
    },
    refusedRemedy: 'Select the bar above the message box to leave out what you don’t need, or start a new chat.',
    busy: 'Docent is still answering.',
    busyRemedy: 'Wait until the answer is done, or stop it.',
    outdated: 'The chat has changed since this summary was written.',
    outdatedRemedy: 'Summarize again.',

    recallTitle: (handle: string) => `Look up result ${handle}`,
    recallMissing: (handle: string) => `No result in this chat has the handle ${handle}.`,
    recallMissingRemedy: 'Copy the handle from the shortened result.',
    saveTitle: (name: string) => `Save the progress so far as “${name}”`,
    loadTitle: (name: string) => (name === '' ? 'List saved states' : `Load the saved state “${name}”`),
    stateMissing: (name: string) => `The saved state ${name} was not found.`,
    stateMissingRemedy: (names: readonly string[]) =>
      names.length === 0 ? 'No state has been saved yet. Continue without one.' : `Use one of: ${names.join(', ')}.`,
    nameEmpty: 'A state needs a name.',
    nameEmptyRemedy: 'Give a few words.',
    stateName: 'Before summarizing',
    stateLineLeftOut: '(A line is left out here: in a note, it would run or load something.)',
    stateNotSaved: 'The state wasn’t saved, because its note would contain something that runs or loads.',
    stateNotSavedRemedy: 'Ask Docent to save it, and check the note in the review.',
  };
}

const count = grouped;

const places: Readonly<Record<string, string>> = {
  tools: 'the tools',
  model: 'the model',
  'vault-listing': 'the vault listing',
  'context-notes': 'the pinned notes',
  conversation: 'the messages',
};

const placeNames: Readonly<Record<string, string>> = {
  tools: 'Tools',
  model: 'Model',
  system: 'System prompt',
  conversation: 'Messages',
};

/** Words about requests: what a provider reads again and why, and what uses too much of a context window. */
export function request() {
  return {
    place: (place: string): string => places[place] ?? place.replace(/-/g, ' '),
    nameOf: (place: string): string =>
      placeNames[place] ?? place.replace(/-/g, ' ').replace(/^./, (first) => first.toUpperCase()),
    prefixHeld: 'Nothing to read again: the provider can reuse all of the previous request.',
    prefixBroke: (name: string, again: string, reasons: readonly string[]): string =>
      `“${name}” changed, so the provider must read everything after it again${again === '' ? '' : ` (${again})`}${reasons.length === 0 ? '.' : `: ${reasons.join('; ')}.`}`,
    /** @param money null where requests cost nothing, or nobody knows how much */
    sentAgain: (tokens: string, money: number | null, isUnpriced: boolean): string =>
      money !== null
        ? `≈ ${tokens} tokens billed again, ${dollars(money)}`
        : isUnpriced
          ? `≈ ${tokens} tokens billed again, price unknown`
          : `≈ ${tokens} tokens read again`,
    created: (path: string): string => `note created: ${path}`,
    changed: (path: string): string => `note changed: ${path}`,
    missing: (path: string): string => `note deleted: ${path}`,
    textChanged: 'its text changed',
    added: 'it was added',
    left: 'it was removed',
    toolsChanged: (names: readonly string[]): string => `tools added, removed, or changed: ${names.join(', ')}`,
    messageChanged: (number: number): string => `message ${number} was replaced`,

    unreported: 'The provider hasn’t reported how much of this request it reused.',
    cacheOfRequest: (read: string, written: string, other: string): string =>
      `This request: ${read} tokens reused from earlier requests (usually cheaper), ${written} stored for reuse, ${other} neither.`,
    cacheOfTurn: (read: string, written: string, other: string): string =>
      `Since your message: ${read} tokens reused, ${written} stored for reuse, ${other} neither.`,
    cacheOfChat: (read: string, written: string, other: string): string =>
      `Since this chat was opened: ${read} tokens reused, ${written} stored for reuse, ${other} neither.`,
    isNew: 'new since the previous request',
    changedLines: (added: number, removed: number): string =>
      [
        ...(added === 0 ? [] : [`${added} ${added === 1 ? 'line' : 'lines'} added`]),
        ...(removed === 0 ? [] : [`${removed} ${removed === 1 ? 'line' : 'lines'} removed`]),
      ].join(', '),
    moreLines: (lines: number): string => `Show ${tokens(lines)} more ${lines === 1 ? 'line' : 'lines'}`,
    messageTitle: (number: number, role: string): string => `${number}. ${role}`,
    marked: 'stored for reuse up to here',
    markers: (places: readonly string[]): string =>
      `What has been unchanged longest is sent first. Docent asks the provider to store this request for reuse up to: ${places.join(', ')}.`,
    markedSystem: 'the system prompt',
    markedMessage: (number: number): string => `message ${number}`,

    tooLong: (needed: number, room: number, parts: readonly string[]): string =>
      `This request needs about ${count(needed)} tokens, but the model accepts ${count(room)}.` +
      (parts.length === 0 ? '' : ` Its largest parts: ${parts.join(', ')}.`),
    partOf: (part: string, tokens: number): string => `${part} ${count(tokens)}`,
    message: 'your message',
    results: 'tool results',
    answers: 'answers since your message',
    earlier: 'earlier messages',
    tooLongRemedy:
      'Start a new chat, choose a model with a larger context window, or leave out parts in Context and send again.',
    tooLongFixedRemedy: 'Choose a model with a larger context window, or leave out parts in Context and send again.',
  };
}

/** Words of the inspector. */
export function inspector() {
  return {
    title: 'Prompt',
    openView: 'Open in tab',
    noChat: 'Open a chat to see its prompt, all that is sent to the model.',
    next: 'Next request',
    sent: 'Sent requests',
    nextNone: 'The next request is shown once a model is set up and a chat is open.',
    sentNone: 'Nothing has been sent in this chat since Obsidian started.',
    chosenRequest: 'Choose a request',
    requestOf: (number: number, kind: string, tokens: string) =>
      [`Request ${number}`, kind, `${tokens} tokens`].filter((part) => part !== '').join(' · '),
    purposes: { summary: 'Summary', rewrite: 'Rewrite', commit: 'Commit message' },
    subagent: (name: string) => `Subagent ${name}`,
    total: (used: string, room: string) => `${used} of ${room} tokens`,
    copy: 'Copy prompt',
    shares: 'Tokens by part',
    percent: (share: number) => `${share}%`,
    changes: 'Changes since the previous request',
    sameAsBefore: 'Same as the previous request.',
    planned: (planned: string, sent: string) => `Planned before sending: ${planned} tokens. Sent: ${sent} tokens.`,
    plannedChanges: 'Changes since it was planned',
    sameAsPlanned: 'Sent as planned, word for word.',
    search: 'Search this prompt',
    found: (count: number) => (count === 1 ? '1 part found' : `${count} parts found`),
    notFound: 'No part contains this text.',
    groups: { system: 'System prompt', messages: 'Messages', tools: 'Tools' },
    earlier: (count: number, all: number) => `Show ${tokens(count)} of ${tokens(all)} earlier messages`,
    more: (count: number, all: number) => `Show ${tokens(count)} of ${tokens(all)} more`,
    moreCharacters: (count: number, all: number) => `Show ${tokens(count)} of ${tokens(all)} more characters`,
    openSource: (path: string) => `Open ${path}`,
    zones: { instructions: '', reference: 'notes and vault', history: 'earlier messages', turn: 'this message' },
    tiers: {
      L0: 'unchanged longest, sent first',
      L1: 'unchanged for a long time',
      L2: 'unchanged for some time',
      L3: 'unchanged for a short time',
      active: 'new or just changed, sent last',
    },
    outcomes: {
      full: '',
      brief: 'short version',
      trimmed: 'end cut off',
      dropped: 'not sent',
      repeated: 'sent earlier in this chat',
    },
    madeVisible: (count: number) =>
      count === 1 ? '1 invisible character made visible' : `${count} invisible characters made visible`,
    invisible: (count: number) => (count === 1 ? '1 invisible character' : `${count} invisible characters`),
    estimate: 'Numbers with ≈ are estimates.',
  };
}

/** Formats dollars with as many digits as needed; never shows zero for a cost. */
export function dollars(amount: number): string {
  if (amount === 0) return '$0.00';
  if (amount < 0.001) return 'less than $0.001';
  return `$${amount.toFixed(amount < 0.1 ? 3 : 2)}`;
}

export function spending() {
  return {
    dollars,
    settings: {
      notice: {
        name: 'Spending notice per chat',
        desc: 'Shows a notice once a chat has cost this many dollars, by list prices. Models without a known price aren’t counted. Also applies to rewrites and commit messages.',
      },
      limit: {
        name: 'Spending limit per chat',
        desc: 'In dollars. Stops a chat that costs too much: nothing more is sent until you raise the limit. Also applies to rewrites and commit messages.',
      },
      none: 'No limit',
      bad: 'Enter an amount in dollars without a thousands separator, such as 0.50 or 1000, or leave it empty.',
    },
    limitReached: (spent: number, next: number, limit: number) =>
      `This chat has cost ${dollars(spent)}, and sending this would cost about ${dollars(next)} more; your limit is ${dollars(limit)}.`,
    limitRemedy: 'Raise the limit in settings, start a new chat, or choose a cheaper model.',
    noticeReached: (spent: number, notice: number) =>
      `This chat has cost about ${dollars(spent)}; you asked for a notice at ${dollars(notice)}.`,
    /** Of a window that asks a model without a chat, such as that of a commit message. */
    window: {
      limitReached: (spent: number, next: number, limit: number) =>
        `The answers in this dialog have cost ${dollars(spent)}, and sending this would cost about ${dollars(next)} more; your limit is ${dollars(limit)}.`,
      limitRemedy: 'Raise the limit in settings, or choose a cheaper model.',
      noticeReached: (spent: number, notice: number) =>
        `The answers in this dialog have cost about ${dollars(spent)}; you asked for a notice at ${dollars(notice)}.`,
    },
    next: (amount: number) => `Sending this costs about ${dollars(amount)}, plus the answer.`,
    chat: (amount: number) => `This chat has cost about ${dollars(amount)}.`,
    listPrices: ({ date, source = '', isOld }: { date: string | null; source?: string; isOld?: true }) =>
      `Price as of ${date}, from ${source}.${isOld ? ' It is more than 90 days old.' : ''}`,
    priceUnknown: 'The price of this model is unknown.',
    ownPrices: 'Price from your settings or the provider’s list of models.',
  };
}
