/** Words of the agent: tools and subagents, their notes, hooks, and expected failures. */

/** Words about tools: titles of calls, and what a call reports when it cannot run. */
export function tools() {
  return {
    searchTitle: (query: string) => `Search notes for “${query}”`,
    findTitle: (what: string) => (what === '' ? 'Find notes' : `Find notes: ${what}`),
    listTitle: (folder: string) => (folder === '' ? 'List the vault' : `List ${folder}`),
    readTitle: (note: string) => `Read ${note}`,
    readSeveralTitle: (count: number) => (count === 1 ? 'Read 1 note' : `Read ${count} notes`),
    outlineTitle: (note: string) => `Outline ${note}`,
    linksTitle: (note: string) => `Links of ${note}`,
    unreadCallTitle: 'A tool call that can’t be read',
    lookUpTitle: (names: readonly string[]) =>
      names.length === 0 ? 'Look up the tools' : `Look up ${names.join(', ')}`,
    nearest: (names: readonly string[]) => `Nearest: ${names.join(', ')}. Call again with the right path.`,
    pathIsFolder: (path: string) => `“${path}” is a folder.`,
    pathIsFolderRemedy: 'Give the path of a note.',
    folderMissing: (path: string) => `The folder “${path}” was not found.`,
    folderMissingRemedy: 'Name a folder that you have seen listed, or none for the whole vault.',
    headingMissing: (heading: string, path: string) => `“${path}” has no heading “${heading}”.`,
    noHeadingsRemedy: 'It has no headings. Read it without one.',
    headingMissingRemedy: (names: readonly string[]) => `Use one of its nearest headings: ${names.join('; ')}.`,
    blockMissing: (block: string, path: string) => `“${path}” has no block “^${block}”.`,
    blockMissingRemedy: (names: readonly string[]) =>
      names.length === 0
        ? 'It has no block ids. Read it by heading or lines.'
        : `Use one of its blocks: ${names.join(', ')}.`,
    linesMissing: (path: string, count: string) => `“${path}” has only ${count} lines.`,
    linesMissingRemedy: 'Read lines within this range.',
    linesOutsidePart: (path: string, range: string) => `That part of “${path}” is lines ${range}.`,
    queryEmpty: 'The query has no words.',
    queryEmptyRemedy: 'Give the words to search for.',
    searchNotStored: (detail: string) =>
      `Couldn’t store the search index on this device, so Docent rebuilds it each time Obsidian starts: ${detail}`,
    propertyUnrecognized: (property: string) => `“${property}” does not name a property.`,
    propertyUnrecognizedRemedy: 'Write it as name or name=value.',
  };
}

/** Words about the user's notes for the agent: skills, subagents, and problems with them. */
export function agentFolder() {
  return {
    followed: (folder: string) => `The agent folder is now “${folder}”. The setting follows it.`,
    missing: (folder: string) =>
      `The agent folder “${folder}” wasn’t found. Restore it, or enter its path in settings. Otherwise your next message creates a new one.`,
    chatsMissing: (folder: string) =>
      `The folder of your chats, “${folder}”, wasn’t found. Restore it, such as from the trash. Otherwise your next message creates a new one, without your earlier chats.`,
    question: 'Is this the agent folder?',
    questionText: (missing: string, found: string) =>
      `“${missing}” contains no chats, but “${found}” does. If you use it, the setting changes to it. If not, your next message creates a new folder, and these chats stay where they are.`,
    use: (found: string) => `Use “${found}”`,
    nameMissing: 'It has no name. Add a property “name”.',
    nameNotText: 'Its name is not text. Put the name in quotation marks.',
    nameTooLong: (most: number) => `Its name is longer than ${most} characters.`,
    nameShape: 'Its name must use lowercase letters, digits, and single hyphens, such as “weekly-review”.',
    nameElsewhere: (name: string, folder: string) =>
      `Its name “${name}” differs from its folder “${folder}”. Give both the same name.`,
    descriptionMissing:
      'It has no description. Add a property “description” that says what it does and when to use it.',
    descriptionTooLong: (most: number) => `Its description is longer than ${most} characters.`,
    fieldNotText: (field: string) => `Its “${field}” is not text.`,
    fieldTooLong: (field: string, most: number) => `Its “${field}” is longer than ${most} characters.`,
    fieldNotPairs: (field: string) => `Its “${field}” is not a set of names with values.`,
    fieldNotList: (field: string) => `Its “${field}” is not a list of names.`,
    fieldNotFlag: (field: string) => `Its “${field}” is neither true nor false.`,
    fieldNotOneOf: (field: string, ids: readonly string[]) => `Its “${field}” is none of ${ids.join(', ')}.`,
    pinnedMissing: (names: readonly string[]) =>
      `It pins notes that weren’t found: ${names.join(', ')}. Correct its property “pinned”.`,
    propertiesBroken: 'Its properties can’t be read. Open it and correct them.',
    toolsMissing: (names: readonly string[]) => `It needs tools that aren’t available: ${names.join(', ')}.`,
    workspaceFolderMissing: (folder: string) => `Its folder “${folder}” wasn’t found. Correct its property “folder”.`,
    notIndexed: 'Obsidian hasn’t read its properties yet. Wait a moment, or open it.',
    hiddenBy: (name: string, winner: string) => `This one isn’t used: the “${name}” at ${winner} comes first.`,
    skillTitle: (name: string) => `Use the skill “${name}”`,
    skillMissing: (name: string) => `The skill “${name}” was not found.`,
    skillMissingRemedy: (names: readonly string[]) =>
      names.length === 0 ? 'Continue without a skill.' : `Use one of: ${names.join(', ')}.`,
    skillElsewhere: (name: string) => `The skill “${name}” that is used is at another location.`,
    skillElsewhereRemedy: (location: string) => `Leave out location, or set it to ${location}.`,
    skillInvalid: (name: string, reason: string) => `The skill “${name}” cannot be used. ${reason}`,
    toolNotAllowed: (skill: string, tool: string) => `The skill “${skill}” does not allow ${tool} in this turn.`,
    toolNotAllowedRemedy: (allowed: readonly string[]) => `Use ${allowed.join(', ')}, or answer with what you have.`,
    resourceMissing: (files: readonly string[]) =>
      files.length === 1
        ? `Its text names ${files[0]}, and its folder has no such file.`
        : `Its text names files that its folder does not have: ${files.join(', ')}.`,
    toolsUnknown: (names: readonly string[]) =>
      `Its “allowed-tools” names no tool of Docent (${names.join(', ')}), so it limits nothing.`,
    skillInvalidRemedy: 'Tell the user, and continue without it.',
  };
}

/**
 * Words about subagents: titles of their calls, their steps, and why one cannot run. Models read the problems as well.
 */
export function subagents() {
  return {
    title: (name: string, task: string) => (task === '' ? `Ask ${name}` : `Ask ${name}: ${task}`),
    steps: (count: number) => (count === 1 ? '1 step of the subagent' : `${count} steps of the subagent`),
    missing: (name: string) => `The subagent “${name}” was not found.`,
    missingRemedy: (names: readonly string[]) => `Use one of: ${names.join(', ')}.`,
    noText: (name: string) => `The note of the subagent “${name}” has no text.`,
    noTextRemedy: 'Tell the user, and continue without it.',
    noReport: 'It ended without a report.',
    noReportRemedy: 'Continue without it, or give it a smaller task.',
    subagentCallsUsed: 'This run has used all of its tool calls.',
    lookUpsUsedRemedy: 'Write the report now with what you have.',
  };
}

/** Words about hooks: what other plugins add to a turn, and how they fail. */
export function hooks() {
  return {
    added: (label: string) => `${label} added text to the message.`,
    failed: (label: string, problem: string) => `${label} failed and was left out: ${problem}`,
    tooSlow: (label: string, seconds: number) => `${label} didn’t respond within ${seconds} seconds and was left out.`,
    noText: (label: string) => `${label} returned something other than text and was left out.`,
    noRoom: (label: string) => `The text of ${label} doesn’t fit into the context window and was left out.`,
    wrongChange: (label: string, problem: string) =>
      `${label} requested an invalid change (${problem}), which was left out.`,
    shorterAnswer: (label: string, tokens: number) => `${label} limited the answer to ${tokens} tokens.`,
    temperature: (label: string, temperature: number) => `${label} set the temperature to ${temperature}.`,
    wrongId: (id: string) => `A hook's id has letters, digits and -_.: only; “${id}” is not one.`,
    wrongLabel: (id: string) => `The hook “${id}” needs a label.`,
    wrongEvent: (name: string, names: readonly string[]) =>
      `There is no event “${name}”. The events are: ${names.join(', ')}.`,
    wrongListener: (name: string) => `The listener to “${name}” is not a function.`,
    listenerFailed: (name: string, problem: string) => `A plugin that listens to ${name} failed: ${problem}`,
    wrongSkill: 'A skill needs a name, a description and a body, each a text.',
    takenSkill: (name: string) => `A skill with the name “${name}” is registered already.`,
    takenId: (id: string) => `A hook with the id “${id}” is registered already.`,

    noShare: (path: string) => `“${path}” wasn’t added, because no tokens are left for the instructions of folders.`,

    cameAlong: (source: string) => `Also sent: ${source}`,
    contextFile: (path: string) => `${path}, for its folder`,
    fromPlugin: (label: string) => `text from ${label}`,
  };
}

/** Words of expected failures: what happened, and what to do. Models read those about tool calls as well. */
export function failures() {
  return {
    noteMissing: (path: string) => `“${path}” was not found.`,
    noteMissingRemedy: 'Check the path, or search for the note by name.',
    noteUnreadable: (path: string) => `“${path}” could not be read.`,
    noteUnreadableRemedy: 'Check that the file is on this device and not locked by another app.',
    notText: (path: string) => `“${path}” is not a text file.`,
    notTextRemedy: 'Only text can be read here. Open it in its own app.',
    tooLarge: (path: string, size: string, limit: string) => `“${path}” is ${size}, more than the limit of ${limit}.`,
    tooLargeRemedy: 'Split the note, or search it for the passage you need.',
    pathRefused: (path: string) => `“${path}” is not a usable path in this vault.`,
    pathRefusedRemedy: 'Use a path from the vault root, without “..”, drive letters or special characters.',
    notesClosed: 'The settings are damaged, so it is not known which notes are hidden, and none is read.',
    notesClosedRemedy: 'Do not retry. The user has to choose in the settings what replaces them.',
    appUnread:
      'Obsidian’s settings (app.json) couldn’t be read, so it is not known which files they exclude, and no note is read.',
    appUnreadRemedy: 'Do not retry. The user can send the message again in a moment, or restart Obsidian.',
    pathHidden: (path: string) => `“${path}” is hidden from Docent.`,
    pathHiddenRemedy:
      'Only the user can change that: Obsidian’s excluded files, Docent’s hidden folders and tags, or the property “docent: false”.',
    aborted: 'Stopped.',
    abortedRemedy: 'Send the message again to continue.',

    unknownTool: (name: string, known: string) => `No tool has the name “${name}”. Use one of: ${known}.`,
    argumentsNotJson: 'The arguments of this call are not valid JSON.',
    argumentsNotJsonRemedy: 'Call the tool again with one JSON object.',
    inexactNumber: (number: string) => `Not sent: ${number} has too many digits to be sent exactly as a number.`,
    inexactNumberRemedy: 'Call the tool again with it as a text in quotation marks, if the tool takes one.',
    wrongArguments: (name: string, problems: string) =>
      `The arguments of ${name} are invalid:\n${problems}\nFix them and call it again.`,
    /** Read by the model as the result of a call in text that did not run. */
    textCalls: {
      cut: 'This call ends before its JSON is complete, so it was not run. Write the whole block again, with every bracket closed.',
      'not-json':
        'This block is not valid JSON, so nothing was run. Write it again as one JSON object. Write line ends inside a text as \\n.',
      'no-calls':
        'This block has no calls, so nothing was run. Write "calls": [{ "agent": "name", "tool": "name", "params": {} }].',
      'wrong-session': (id: string) =>
        `This block has a wrong sessionId, so nothing was run. Write it again with sessionId "${id}".`,
    },
    textCallUnread: 'The model wrote a tool call that cannot be read. It was asked to write it again.',
    textCallsUnread: 'The model wrote tool calls that cannot be read, twice in a row.',
    textCallsUnreadRemedy: 'Send the message again, or choose another model.',
    callStopped: 'The user stopped the turn before this call ran.',
    callCutOff:
      'The answer reached its length limit, so this call may be incomplete and was not run. Call again with less text before it.',
    tooManyCalls: 'This turn has used all of its tool calls. Answer with what you have.',
    repeatedCallId: 'This call has the same id as another one, so it was not run. Call again if you still need it.',
    toolBroke: (name: string, problem: string) =>
      `${name} failed unexpectedly. Do not retry. Continue without it and say what is missing. Detail: ${problem}`,

    answerCutOff: 'The connection ended before the answer was complete.',
    answerCutOffAway: 'Obsidian was in the background, so the connection ended before the answer was complete.',
    answerCutOffRemedy: 'The text so far is saved. Continue from there, or send the message again.',
    answerNotBegunRemedy: 'Send the message again.',
    answerEmpty: 'The model returned an empty answer.',
    answerUsedUp: 'The model reached its length limit before it answered.',
    answerUsedUpRemedy:
      'In settings, raise the maximum answer length of this model or let it think less, or start a new chat.',
    answerRefused: 'The model declined to answer.',
    answerEmptyRemedy: 'Rephrase the message, or choose another model.',
    turnLimit: 'The answer was stopped because it reached its limit of tool calls.',
    turnLimitRemedy: 'Continue, or ask for a smaller step.',

    unknownModel: (id: string) => `The model “${id}” has no provider in settings.`,
    unknownModelRemedy: 'Choose another model, or set up its provider in settings.',

    logNotWritten: 'Couldn’t save this chat. Your text is still here.',
    logNotWrittenRemedy: 'Free up disk space or check the vault folder, then send again.',
    unexpected: (problem: string) => `Something went wrong inside Docent: ${problem}`,
    unexpectedRemedy: 'Send the message again. If it keeps happening, copy diagnostics and report it.',

    unsavedNotStored: 'Couldn’t save your draft on this device.',
    unsavedNotStoredRemedy:
      'It stays here while Obsidian is open, and answers are saved once they are done. Free up space on this device.',
    databaseSilent: 'Obsidian’s database doesn’t respond.',
    logNotRead: 'Couldn’t read this chat.',
    logNotReadRemedy: 'Check that the chats folder is on this device, then open the chat again.',
  };
}
