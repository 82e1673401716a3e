/** Words about prompts: their list, the built-in ones, the pickers of a chat, and rewriting a selection. */

export function prompts() {
  return {
    /** What a prompt or a workspace sets for a chat. */
    asked: {
      mode: (mode: string) => `mode ${mode}`,
      model: (model: string) => `model ${model}`,
      permission: (permission: string) => `permission mode ${permission}`,
      pinned: (count: number) => (count === 1 ? '1 pinned note' : `${count} pinned notes`),
      done: (name: string, changes: readonly string[]) => `“${name}” sets for this chat: ${changes.join(', ')}.`,
      modelMissing: (name: string, model: string) =>
        `“${name}” uses the model “${model}”, which isn’t set up. This chat keeps its model.`,
      noteMissing: (name: string, note: string) =>
        `“${name}” pins “${note}”, which wasn’t found. This chat continues without it.`,
      looser: (permission: string) => `Allow ${permission} in this chat?`,
      looserText: (name: string, now: string, asked: string, guidance: string) =>
        `“${name}” uses the permission mode ${asked}. This chat uses ${now}, and keeps it if you cancel. ${asked}: ${guidance}`,
      allow: (permission: string) => `Allow ${permission}`,
    },
    builtIn: {
      summarise: {
        name: 'Summarize this note',
        description: 'The active note: its purpose, main points, and open questions',
      },
      connect: {
        name: 'Find connections',
        description: 'Notes related to the active note, with the passages that show it',
      },
      'open-tasks': {
        name: 'Collect open tasks',
        description: 'Open tasks on a topic, with links to their notes',
      },
      'question-me': { name: 'Question me', description: 'Asks you one question at a time to help you think' },
      shorten: { name: 'Shorten', description: 'Makes the selection a third shorter without losing facts' },
      correct: { name: 'Correct', description: 'Corrects only spelling, grammar, and punctuation of the selection' },
    },

    isOff: 'It is turned off.',
    isMissing: 'It was deleted.',

    title: 'Saved prompts',
    setting: 'Saved prompts',
    settingDesc: (folder: string) =>
      `Texts that you use often. Each is a note in ${folder}. Run one as a command, or type / or @ in a chat.`,
    settingOpen: 'Manage',
    create: 'New prompt',
    run: (name: string) => `Run prompt: ${name}`,
    search: 'Find a prompt',
    nothingFound: 'No prompt matches.',
    noneOfYours: (folder: string) => `No prompts of your own yet. Select New prompt to add a note to ${folder}.`,
    sources: { static: 'Built-in', mcp: 'From an MCP server', config: 'Yours' },
    fromServer: (server: string) => `From ${server}`,
    states: {
      offered: 'Ready',
      off: 'Off',
      'missing-tools': 'Tools missing',
      invalid: 'Has an error',
      gone: 'Deleted',
    },
    tokens: (count: string) => `${count} tokens`,
    version: (version: string) => `Version ${version}`,
    useInChat: 'Use in this chat',
    edit: 'Open the note',
    duplicate: 'Duplicate',
    turnOff: 'Turn off',
    turnOn: 'Turn on',
    delete: 'Delete',
    actionOn: (action: string, name: string) => `${action}: ${name}`,
    deleteTitle: 'Delete this prompt?',
    deleteText: (name: string, path: string) => `“${name}” and its note ${path} move to the trash.`,
    cancel: 'Cancel',
    copyOf: (name: string) => `${name} (copy)`,

    name: 'Name',
    description: 'What it is for (optional)',
    text: 'Text',
    textHint:
      'Docent fills in these: ${selection} is the selected text. ${title}, ${activeNote}, and ${noteText} are the name, path, and text of the active note. ${dailyNote} is the path of today’s daily note. ${date} and ${time} are the current date and time. ${arguments} is what you type after the name of the prompt.',
    save: 'Create',
    saveAndUseInChat: 'Create and use in this chat',
    nameMissing: 'Enter a name.',
    textMissing: 'Enter the text of the prompt.',
    created: (path: string) => `Created ${path}.`,
    notChanged: (path: string, detail: string) => `Couldn’t change “${path}”: ${detail}`,
    notChangedRemedy: 'Open the note and check its properties.',
    /** Why a variable of a prompt has no value. */
    empty: {
      selection: 'no text is selected',
      activeNote: 'no note is open',
      title: 'no note is open',
      noteText: 'no note with text is open',
      dailyNote: 'daily notes are off in Obsidian or hidden from Docent',
      arguments: 'you typed nothing after its name',
      date: 'the date is unknown',
      time: 'the time is unknown',
    },
    emptyHidden: (path: string) => `${path} is hidden from Docent`,
    emptyVariable: (name: string, variable: string, reason: string) => `“${name}” uses \${${variable}}, but ${reason}.`,
    sendEmpty: 'Send anyway?',
    sendAnyway: 'Send anyway',
    notSentYet: (reasons: string) => `Not sent. ${reasons} Add what is missing, then send.`,
    notThere: (name: string) => `The prompt “${name}” can’t be used now.`,

    pickers: 'This chat',
    morePickers: 'More options for this chat',
    pickMode: 'Mode',
    pickTier: 'Instruction level',
    pickModel: 'Model',
    pickPrompt: 'Prompt for this chat',
    pickWorkspace: 'Workspace',
    pickNotes: 'Pinned notes',
    picked: (picker: string, value: string) => `${picker}: ${value}`,
    /** What applies where a picker shows no choice. */
    usual: { mode: '', permission: '', model: '', tier: 'Automatic', prompt: 'None', workspace: 'None', notes: 'None' },
    none: 'None',
    noWorkspaces: (folder: string) =>
      `No workspaces yet. Each is a note in ${folder} with instructions and key notes for one area of work.`,
    allPrompts: 'All prompts…',
    newPrompt: 'New prompt…',
    setUpModel: 'Set up a model…',
    moreModels: 'Search models…',
    searchModels: 'Search models by name or provider',
    favourites: 'Favorites',
    otherModels: 'Other models',
    favourite: 'Add to or remove from favorites',
    favouriteKeys: 'Alt+Enter',
    pricesOf: (input: number, output: number) => `$${input} for input and $${output} for output per million tokens`,
    tierFollows: 'Fits the level to the model',
    addNote: 'Add a note…',
    addActiveNote: (name: string) => `Add ${name}`,
    removeNote: (name: string) => `Remove ${name}`,
    noteCount: (count: number) => (count === 1 ? '1 note' : `${count} notes`),
    chooseNote: 'Choose a note to send with every message of this chat',
    missingChoice: {
      model: (name: string, instead: string) => `The model ${name} is no longer set up, so this chat uses ${instead}.`,
      prompt: (name: string, reason: string) => `The prompt ${name} isn’t used. ${reason}`,
      workspace: (name: string, reason: string) =>
        reason === ''
          ? `The workspace ${name} was deleted, so this chat continues without it.`
          : `The workspace ${name} isn’t used. ${reason}`,
      note: (name: string) => `The pinned note ${name} was deleted, so this chat continues without it.`,
    },
    letGo: 'Dismiss',
    letGoLabel: (name: string) => `Dismiss: continue without ${name}`,

    askFrom: (note: string) => `About this passage of [[${note}]]:`,
    addToChat: 'Add to Docent chat',

    rewriteInstruction: 'What should change?',
    rewriteInstructionHint: 'Shorter, friendlier, in German…',
    rewriteFurther: 'What should change next?',
    rewriteRun: 'Rewrite',
    rewriteAgain: 'Try again',
    rewriteOnceMore: 'Rewrite again',
    rewriteEarlier: 'Back to the last wording',
    rewriteRunning: 'Rewriting…',
    rewriteSaving: 'Saving…',
    rewriteStop: 'Stop',
    rewriteClose: 'Close',
    rewriteDone: 'Review the changes.',
    rewriteSame: 'The model changed nothing.',
    rewriteAccept: 'Accept',
    rewriteReject: 'Reject',
    rewriteRefine: 'Refine',
    rewriteStale: 'The text was changed, so nothing was replaced. Rewrite it as it is now, or copy the new wording.',
    rewriteCopy: 'Copy new wording',
    rewriteClosed: (path: string) => `Rewriting stopped because ${path} was closed. Open the note and try again.`,
    rewriteClosedWith: (path: string) => `${path} was closed before the rewrite was accepted, so nothing was replaced.`,
    rewriteNoNote: 'No note is open. Open one in editing view and select the text to rewrite.',
    rewriteReading: (path: string) =>
      `${path} is in reading view. Switch to editing view and select the text to rewrite.`,
    rewriteNotMarkdown: (path: string) => `${path} is not a Markdown note. Open a note and select the text to rewrite.`,
    rewriteNothingSelected: 'No text is selected. Select the text to rewrite.',
    rewriteNotHere: 'A rewrite can’t be shown here. Switch to source mode, and select the text again.',
    rewriteNeedsModel: 'The built-in reader quotes notes and cannot rewrite. Set up a model.',
    rewriteCutOff: 'The new wording was cut off.',
    rewriteEmpty: 'The model returned no text.',
    rewriteEmptyRemedy: 'Try again, or describe the change in other words.',
  };
}

/** Words about custom system prompts: the override, exports, switches, templates and instruction notes. */
export function ownPrompt() {
  return {
    off: 'No custom system prompt is in use.',
    missing: (path: string) => `Your custom system prompt “${path}” wasn’t found, so nothing was sent.`,
    waits: (path: string) => `Your custom system prompt “${path}” needs your approval, so nothing was sent.`,
    waitsRemedy: 'Review it and allow its text on this device, or turn it off.',
    unreadable: (path: string, problem: string) =>
      `Couldn’t read your custom system prompt “${path}”, so nothing was sent: ${problem}`,
    notMarkdown: (path: string) => `Your custom system prompt “${path}” isn’t a Markdown note, so nothing was sent.`,
    notAllowed: (path: string) =>
      `Your custom system prompt “${path}” is outside the vault and not allowed on this device, so nothing was sent.`,
    remedy: 'Create the file, or turn off the custom system prompt.',
    remedyEnvironment: (variable: string) =>
      `Create the file. Or remove the environment variable ${variable}, a setting of your operating system, and restart Obsidian.`,
    notAllowedRemedy: 'Allow it on this device, or turn off the custom system prompt.',
    actions: {
      'create-system-prompt': 'Create the file',
      'turn-off-system-prompt': 'Turn off',
      'allow-outside-file': 'Allow on this device',
    },
    created: (path: string) => `Created ${path} with Docent’s instructions. Change them as you like.`,
    turnedOff: 'The custom system prompt is turned off. Its file is unchanged.',
    allowed: (path: string) => `“${path}” may be used on this device.`,

    heading: 'Custom instructions',
    badge: 'Custom system prompt',
    badgeLabel: (path: string) => `The custom system prompt ${path} replaces Docent’s instructions`,
    openIt: (path: string) => `Open ${path}`,
    append: 'Append instead',
    appendLabel: 'Use Docent’s instructions, followed by your text',
    appended: (from: string, to: string) =>
      `The text of ${from} is now in ${to}, after Docent’s instructions. ${from} is unchanged and no longer used.`,
    appendThere: (to: string) => `Docent’s instructions are used again, followed by ${to}.`,

    setting: 'Custom system prompt',
    settingDesc:
      'Replace Docent’s instructions with a note of your own. Your other notes for Docent, such as AGENTS.md and memory.md, are still sent. Permissions still apply.',
    settingChoices: { off: 'Off', default: 'Default file', path: 'Another file' },
    defaultFile: (path: string) => `Default file: ${path}`,
    path: 'Path of the custom system prompt',
    pathDesc:
      'A note in this vault. On desktop, it can also be a file outside the vault, such as ~/prompts/system.md, where ~ is your home folder. You approve such a file once.',
    pathBad: 'Enter the path of a Markdown file that ends in .md.',
    byVariable: (variable: string) =>
      `Set outside Obsidian, by the environment variable ${variable}, a setting of your operating system.`,
    confirmOutsideFile: 'Use a file outside the vault?',
    askOutsideText: (path: string) =>
      `“${path}” is outside the vault. On this device, Docent reads it for each message and sends its text to the model.`,
    askWriteOutsideText: (path: string) =>
      `“${path}” is outside the vault. On this device, Docent writes the system prompt to it.`,
    allow: 'Allow',
    cancel: 'Cancel',

    exportSetting: 'Export system prompt to a note',
    exportSettingDesc:
      'Keeps a copy of the system prompt in a note. If the system prompt has changed when you send a message, Docent updates the note. The commands “Export system prompt to edit it” and “Export system prompt as it is sent” use the same path.',
    exportPath: 'Path of the exported system prompt',
    exported: (path: string) => `The system prompt is in ${path}.`,
    notWritten: (path: string, problem: string) => `Couldn’t write “${path}”: ${problem}`,
    notWrittenRemedy: 'Check the path in settings, and that the folder isn’t read-only.',
    overwrite: 'Replace the file?',
    overwriteText: (path: string) => `“${path}” already exists. Its text will be replaced.`,
    replace: 'Replace',
    writeActive: 'Write this text to a note?',
    writeActiveText: (path: string) => `In “${path}”, Obsidian or a plugin would run or load parts of this text.`,
    writeAnyway: 'Write',
    leftUnchanged: (path: string) => `“${path}” is unchanged.`,

    switches: 'Sections of the system prompt',
    switchesIntro: 'Turn sections on or off',
    switchesDesc:
      'Each switch turns off a section of the system prompt to save tokens, and shows how many it uses now. Permissions still apply.',
    switchesOff: (count: number) => (count === 0 ? '' : `${count} off`),
    cost: (tokens: string) => `${tokens} tokens now.`,
    costOff: (tokens: string) => `Off. It would use ${tokens} tokens now.`,
    silent: (reason: string) => (reason === '' ? 'Empty now.' : `Empty now: ${reason}`),
    replaced: 'Empty now: your custom system prompt replaces it.',
    dropped: (reason: string) => `Left out now: ${reason}`,
    notCounted: 'Choose a model to see its tokens.',
    counting: 'Counting…',

    templates: 'Templates of the Custom mode',
    templatesDesc: (folder: string) =>
      `Five notes in ${folder} with your own instructions, one for each instruction level. Choose the mode “Custom” to use them. Changes apply from your next message.`,
    templatesCreate: 'Create templates',
    templatesOpen: 'Open',
    templatesCreated: (folder: string, count: number) =>
      count === 0
        ? `All templates already exist in ${folder}.`
        : `Created ${count === 1 ? '1 template' : `${count} templates`} in ${folder}. Choose the mode “Custom” to use them.`,
    templateTier: (tier: number) => `Level ${tier}`,
    templateWithin: (tokens: string, budget: string) => `${tokens} of ${budget} tokens`,
    templateOver: (tokens: string, budget: string) =>
      `${tokens} of ${budget} tokens: shorten it, or other parts of the prompt are left out`,
    templateMissing: 'Not created: Docent’s template is used',
    templateEmpty: 'Empty: Docent’s template is used',
    useMode: 'Use this mode',

    notes: 'Optional instruction files',
    notesDesc: (folder: string) => `Notes in ${folder} that replace or extend Docent’s instructions.`,
    noteNames: {
      'system.md': 'Replaces Docent’s instructions while Custom system prompt is on.',
      'system-extra.md': 'Added to the instructions of every chat.',
      'system-reminder.md': 'Sent with your first message, and again from time to time.',
      'commit.md': 'How to write commit messages, if your vault is a Git repository.',
      'compaction.md': 'How to summarize long chats.',
    },
    noteThere: 'In use.',
    noteNotUsed: 'Not in use: Custom system prompt is off or uses another file.',
    noteEmpty: 'Not in use: it’s empty.',
    noteWaits: 'Not in use until you allow it on this device: go to Privacy and trust > Instruction files.',
    noteMissing: 'Not created.',
    noteCreate: 'Create',
    noteOpen: 'Open',

    additional: 'Additional instructions',
    additionalDesc: 'Sent with every message, after Docent’s instructions. Not used while Custom system prompt is on.',
    sanity: 'Self-check',
    sanityDesc: 'Asks the model to check its facts before it answers.',
    sanityChoices: { auto: 'For small models', on: 'Always', off: 'Never' },
    brevity: 'Length of answers',
    brevityDesc: 'How long answers are, unless you ask for something else.',
    brevityChoices: { brief: 'Brief', normal: 'Full sentences' },
    agentName: 'Name of the agent',
    agentNameDesc: 'The name that the model uses for itself.',
    contextFiles: 'Context files',
    contextFilesDesc:
      'Names of notes with instructions for your vault or a folder, such as AGENTS.md, one per line. In each folder, the first one found is used.',
    contextFilesBad: 'Enter file names without folders.',

    check: {
      label: 'System prompt',
      builtIn: 'Docent’s instructions are in use.',
      inUse: (path: string, tokens: string) => `Your custom system prompt ${path} is in use, ${tokens} tokens.`,
      empty: 'It is empty, so the model gets no instructions.',
      broken: 'Its template has an error, so Docent’s instructions are used.',
      tagsMalformed: (tag: string) =>
        `Its tags in angle brackets don’t match (${tag}), so all of them are sent as plain text. Write each pair in full, such as <rules> before and </rules> after your rules.`,
      tagsReserved: (tag: string) =>
        `It uses <${tag}>, a tag in angle brackets that only Docent may use, so all such tags are sent as plain text. Give it another name.`,
      noHome: (path: string) => `“${path}” isn’t used, because the home folder of this computer is unknown.`,
      onlyOnDesktop: (path: string) =>
        `“${path}” isn’t used here, because mobile devices can’t read files outside the vault.`,
      large: (tokens: string, percent: number) =>
        `It uses ${tokens} tokens of every request, ${percent}% of the context window. Shorten it.`,
      switchedOff: (names: readonly string[]) =>
        `${names.length === 1 ? 'One section is' : `${names.length} sections are`} turned off: ${names.join(', ')}.`,
    },
  };
}

/** Words about commit messages. */
export function commit() {
  return {
    looking: 'Reading the repository…',
    writing: 'Writing…',
    stop: 'Stop',
    again: 'Write again',
    retry: 'Try again',
    copy: 'Copy',
    copied: 'Copied',
    message: 'Commit message',
    staged: (files: number) => `Describes the ${files === 1 ? 'staged file' : `${files} staged files`}.`,
    unstaged: (files: number) =>
      `Nothing is staged. Describes ${files === 1 ? 'the changed file' : `all ${files} changed files`}.`,
    leftOut: (files: number) =>
      `${files === 1 ? 'One file is' : `${files} files are`} left out: hidden from Docent, unreadable, or over the limit of 200.`,
    how: { added: 'added', changed: 'changed', deleted: 'deleted', moved: 'moved' },
    nothing: 'Nothing to commit: no file that Git tracks has changed.',
    nothingRemedy: 'Change or stage a file, then try again.',
    allLeftOut: 'None of the changed files can be described.',
    allLeftOutRemedy: 'Write this message in your Git program.',
    /** Git runs programs that a repository names, so that nobody is sent to run it in a vault from someone else. */
    repository: {
      none: 'This vault’s folder has no Git repository of its own.',
      noneRemedy: 'Open the folder that contains .git as a vault, or write this message in your Git program.',
      gitFile: 'This vault’s Git repository is stored in another folder (a worktree or a submodule).',
      outside: 'This vault’s .git folder leads outside the vault.',
      worktree: 'The files of this repository are in another folder (core.worktree).',
      alternates: 'Parts of this repository are stored outside the vault (alternates).',
      elsewhereRemedy: 'Docent doesn’t read there. Write this message in your Git program.',
      sha256: 'This repository uses SHA-256, which Docent can’t read yet.',
      reftable: 'This repository uses reftable, which Docent can’t read yet.',
      extension: (name: string) => `This repository uses the Git extension “${name}”, which Docent can’t read.`,
      indexVersion: (version: number) => `Git’s index has version ${version}, which Docent can’t read.`,
      indexVersionRemedy:
        'If you trust this vault, run git update-index --index-version 2 in a terminal, in the vault’s folder. Then try again.',
      indexExtension: 'Git’s index is split or sparse, which Docent can’t read yet.',
      formRemedy: 'Write this message in your Git program.',
      missing: (name: string) => `Part of this repository is missing, as in a partial clone: ${name}.`,
      missingRemedy:
        'Docent downloads nothing. If you trust this vault, run git fetch --refetch in a terminal, in the vault’s folder. Then try again.',
      largePack: 'A pack file of this repository is larger than 100 MB.',
      largePackRemedy:
        'If you trust this vault, run git repack -a -d --max-pack-size=90m in a terminal, in the vault’s folder. Then try again.',
      oldPack: 'A pack file of this repository has an index that Docent can’t read.',
      manyPacks: 'This repository has more than 500 pack files.',
      repackRemedy:
        'If you trust this vault, run git repack -a -d in a terminal, in the vault’s folder. Then try again.',
      largeObject: 'Part of this repository is too large for Docent to read.',
      largeFile: (path: string) => `The file ${path} is too large for Docent to read.`,
      tooMuch: 'This repository contains more than Docent reads for one message.',
      notRefreshed: 'Git’s index is out of date, and Docent compares no more than 400 MB of files.',
      notRefreshedRemedy:
        'If you trust this vault, run git status in a terminal, in the vault’s folder. Then try again.',
      tooMuchRemedy: 'Write this message in your Git program.',
      broken: (path: string) => `Couldn’t read the repository: ${path} is damaged.`,
      brokenRemedy:
        'If you trust this vault, run git fsck in a terminal, in the vault’s folder, to see what is missing.',
      unreadable: (path: string, reason: string) => `Couldn’t read ${path}: ${reason}.`,
      unreadableRemedy: 'Close other programs that use the repository, then try again.',
    },
    needsModel: 'The built-in reader only quotes notes. Set up a model to write commit messages.',
    empty: 'The model wrote no message.',
    cutOff: 'The message was cut off.',
    tryAgain: 'Try again.',
  };
}

/** Words about starters: notes that users can begin with. */
export function starters() {
  return {
    setting: 'Notes for Docent',
    settingDesc: (folder: string) =>
      `Create notes that tell Docent what to know and do. They are stored in ${folder}, and each starts with an explanation.`,
    rows: {
      prompt: { name: 'Prompt', about: 'Text that you use often. Run it as a command, or type / or @.' },
      workspace: {
        name: 'Workspace',
        about: 'Instructions and key notes for one area of work. Choose it for a chat, or type #.',
      },
      skill: {
        name: 'Skill',
        about: 'Instructions for one kind of task. Type / to use it; Docent also uses it when a task fits.',
      },
      subagent: { name: 'Subagent', about: 'A helper that searches your notes on its own and reports back.' },
      'context-file': {
        name: 'AGENTS.md',
        about: 'What agents should know about this vault. Sent with every message by default.',
      },
      memory: { name: 'memory.md', about: 'What Docent should remember about you. Sent with every message.' },
    },
    homeSkills: 'Skills in your home folder',
    homeSkillsDesc: (folder: string) =>
      `Use the skills in ${folder}, where ~ is your home folder. Other AI apps on this device may use them too. Applies to this device only.`,
    create: 'New',
    open: 'Open',
    isThere: (path: string) => `${path} already exists.`,
  };
}
