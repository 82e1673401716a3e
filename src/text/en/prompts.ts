/** Words about prompts: their list, the built-in ones, the pickers of a chat, and rewriting a selection. */

export const prompts = () => ({
  /** What a prompt or a workspace sets for a chat. */
  asked: {
    mode: (mode: string) => `mode ${mode}`,
    model: (model: string) => `model ${model}`,
    permission: (permission: string) => `permission ${permission}`,
    pinned: (count: number) => (count === 1 ? '1 pinned note' : `${count} pinned notes`),
    done: (name: string, changes: readonly string[]) => `“${name}” sets for this chat: ${changes.join(', ')}.`,
    modelMissing: (name: string, model: string) =>
      `“${name}” asks for the model “${model}”, which is not set up. The model of the chat stays.`,
    noteMissing: (name: string, note: string) => `“${name}” pins “${note}”, which is not in the vault.`,
    looser: (permission: string) => `Allow ${permission} in this chat?`,
    looserText: (name: string, now: string, asked: string, guidance: string) =>
      `“${name}” asks for the permission ${asked}. This chat has ${now}, and keeps it if you cancel. ${asked}: ${guidance}`,
    allow: (permission: string) => `Allow ${permission}`,
  },
  builtIn: {
    summarise: {
      name: 'Summarise this note',
      description: 'The note in front: its purpose, its points, what it leaves open',
    },
    connect: {
      name: 'Find connections',
      description: 'Notes that belong to the one in front, with the passage that shows it',
    },
    'open-tasks': {
      name: 'Collect open tasks',
      description: 'What is still to do about a matter, with where it is written',
    },
    'question-me': { name: 'Question me', description: 'Asks one question at a time, to help you think' },
    shorten: { name: 'Shorten', description: 'The selection, a third shorter, with every fact kept' },
    correct: { name: 'Correct', description: 'Spelling, grammar and punctuation of the selection, and nothing else' },
  },

  isOff: 'It is switched off.',
  isMissing: 'It is gone.',

  title: 'Prompts',
  manage: 'Show prompts',
  setting: 'Prompts',
  settingDesc: (folder: string) =>
    `Texts that you use again and again. Each of yours is a note in ${folder}; run it by its command, by / or by @, or let it stand in a chat.`,
  settingOpen: 'Manage',
  create: 'New prompt',
  run: (name: string) => `Run prompt: ${name}`,
  search: 'Find a prompt',
  nothingFound: 'No prompt matches.',
  noneOfYours: (folder: string) => `None of your own yet. Each will be a note in ${folder}.`,
  sources: { static: 'Built in', mcp: 'From a server', config: 'Yours' },
  fromServer: (server: string) => `From ${server}`,
  states: {
    offered: 'Ready',
    off: 'Off',
    'missing-tools': 'Hidden',
    invalid: 'Cannot be used',
    gone: 'Gone',
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
  deleteText: (name: string, path: string) => `“${name}” goes to the trash, with its note ${path}.`,
  cancel: 'Cancel',
  copyOf: (name: string) => `${name} (copy)`,

  name: 'Name',
  description: 'What it is for (optional)',
  text: 'Text',
  textHint:
    'Can contain ${selection}, ${noteText}, ${title}, ${activeNote}, ${dailyNote}, ${date}, ${time}, and ${arguments} for what you write after its name.',
  save: 'Create',
  saveAndUseInChat: 'Create and use in this chat',
  nameMissing: 'Give it a name.',
  textMissing: 'Give it a text.',
  created: (path: string) => `Created ${path}.`,
  notChanged: (path: string, detail: string) => `“${path}” could not be changed. (${detail})`,
  notChangedRemedy: 'Open the note and look at its properties.',
  /** Why a variable of a prompt has no value. */
  empty: {
    selection: 'no text is selected',
    activeNote: 'no note is open',
    title: 'no note is open',
    noteText: 'no note with text is open',
    dailyNote: 'daily notes are off in Obsidian or hidden from Docent',
    arguments: 'nothing is written after its name',
    date: 'the date is unknown',
    time: 'the time is unknown',
  },
  emptyVariable: (name: string, variable: string, reason: string) => `“${name}” uses \${${variable}}, but ${reason}.`,
  sendEmpty: 'Send anyway?',
  sendAnyway: 'Send anyway',
  notSentYet: (reasons: string) => `Not sent yet. ${reasons} Add what is missing, then send.`,
  notThere: (name: string) => `The prompt “${name}” cannot be used now.`,

  pickers: 'This chat',
  morePickers: 'More for this chat',
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
  noWorkspaces: (folder: string) => `Each workspace is a note in ${folder}`,
  allPrompts: 'All prompts…',
  newPrompt: 'New prompt…',
  setUpModel: 'Set up a model…',
  moreModels: 'Search the models…',
  searchModels: 'Search models by name or provider',
  favourite: 'Keep at the top',
  favouriteKeys: 'Alt+Enter',
  pricesOf: (input: number, output: number) => `$${input} in, $${output} out per million tokens`,
  tierFollows: 'Follows the window of the model',
  addNote: 'Add a note…',
  addActiveNote: (name: string) => `Add ${name}`,
  removeNote: (name: string) => `Remove ${name}`,
  noteCount: (count: number) => (count === 1 ? '1 note' : `${count} notes`),
  chooseNote: 'Choose a note that stands in every request of this chat',
  missingChoice: {
    model: (name: string, instead: string) => `The model ${name} is not set up any more, so ${instead} answers.`,
    prompt: (name: string, reason: string) => `The prompt ${name} is not used. ${reason}`,
    workspace: (name: string, reason: string) =>
      reason === ''
        ? `The workspace ${name} is gone, so the chat goes on without it.`
        : `The workspace ${name} is not used. ${reason}`,
    note: (name: string) => `The pinned note ${name} is gone, so the chat goes on without it.`,
  },
  letGo: 'Dismiss',
  letGoLabel: (name: string) => `Go on without ${name}`,

  ask: 'Ask about the selection',
  askFrom: (note: string) => `About this passage of [[${note}]]:`,
  addToChat: 'Add to Docent chat',

  rewrite: 'Rewrite the selection',
  rewriteInstruction: 'What should change?',
  rewriteInstructionHint: 'Shorter, friendlier, in German…',
  rewriteRun: 'Rewrite',
  rewriteAgain: 'Try again',
  rewriteRunning: 'Rewriting…',
  rewriteStop: 'Stop',
  rewriteShow: 'What would change',
  rewriteSame: 'The model gave the passage back unchanged.',
  rewriteEdit: 'Edit',
  rewriteEditDone: 'Show changes',
  rewriteText: 'New wording',
  rewriteAccept: 'Accept',
  rewriteReject: 'Reject',
  rewriteOriginal: 'As it is',
  rewriteStale:
    'The passage has changed in the note meanwhile, so nothing was replaced. The new wording can be copied.',
  rewriteCopy: 'Copy',
  rewriteNeedsModel: 'The built-in reader quotes notes and cannot rewrite. Set up a model.',
  rewriteCutOff: 'The new wording was cut off, so it is not offered.',
  rewriteEmpty: 'The model gave no new wording.',
  rewriteEmptyRemedy: 'Try again, or say otherwise what should change.',
});

/** Words about custom system prompts: the override, exports, switches, templates and instruction notes. */
export const ownPrompt = () => ({
  off: 'No system prompt of your own is in use.',
  missing: (path: string) => `Your system prompt “${path}” is not there, so nothing was sent.`,
  waits: (path: string) => `Your system prompt “${path}” waits for you, so nothing was sent.`,
  waitsRemedy: 'Review it: it is used once you allow its text on this device. Or turn it off.',
  unreadable: (path: string, problem: string) =>
    `Your system prompt “${path}” cannot be read, so nothing was sent. (${problem})`,
  notMarkdown: (path: string) => `Your system prompt “${path}” is not a Markdown note, so nothing was sent.`,
  notAllowed: (path: string) =>
    `Your system prompt “${path}” is outside the vault and has not been allowed on this device, so nothing was sent.`,
  remedy: 'Create the file, or turn your own system prompt off.',
  remedyEnvironment: (variable: string) =>
    `Create the file, or start the app without the variable ${variable}, which asks for it.`,
  notAllowedRemedy: 'Allow it on this device, or turn your own system prompt off.',
  actions: {
    'create-system-prompt': 'Create the file',
    'turn-off-system-prompt': 'Turn it off',
    'allow-outside-file': 'Allow on this device',
  },
  created: (path: string) => `Created ${path} with Docent's own text, to be changed as you like.`,
  turnedOff: 'Your own system prompt is turned off. Its file is kept.',
  allowed: (path: string) => `“${path}” may be used on this device.`,

  heading: 'Custom instructions',
  badge: 'Your own system prompt',
  badgeLabel: (path: string) => `Your own system prompt ${path} stands in place of Docent's`,
  openIt: (path: string) => `Open ${path}`,
  append: 'Append instead',
  appendLabel: 'Turn the replacement off and put the text behind Docent’s own instructions',
  appended: (from: string, to: string) =>
    `The text of ${from} is now in ${to} and follows Docent's own instructions. ${from} is kept and not used.`,
  appendThere: (to: string) => `Docent's own instructions are back, and ${to} follows them as it is.`,

  setting: 'Your own system prompt',
  settingDesc:
    'A note in place of Docent’s instructions. Git, AGENTS.md, system-extra.md and memory still follow it. Permissions still apply.',
  settingChoices: { off: 'Off', default: 'Default file', path: 'Another file' },
  defaultFile: (path: string) => `Default file: ${path}`,
  path: 'Path of your system prompt',
  pathDesc: 'A Markdown note of this vault. On a computer also a path such as ~/prompts/system.md; it is asked first.',
  pathBad: 'Name a Markdown file, ending in .md.',
  byVariable: (variable: string) => `Decided by the variable ${variable} of the environment.`,
  confirmOutsideFile: 'Use a file outside the vault?',
  askOutsideText: (path: string) =>
    `“${path}” is outside the vault. Docent will read it at each message on this device, and its text is sent to the model.`,
  askWriteOutsideText: (path: string) =>
    `“${path}” is outside the vault. Docent will write the system prompt there, from this device.`,
  allow: 'Allow',
  cancel: 'Cancel',

  exportTemplate: 'Export system prompt (template)',
  exportResolved: 'Export system prompt (resolved)',
  exportSetting: 'Write the system prompt to a note',
  exportSettingDesc:
    'Written anew when a message changes it. The two export commands use the same place whether this is on or off.',
  exportPath: 'Path of the export',
  exported: (path: string) => `The system prompt is in ${path}.`,
  notWritten: (path: string, problem: string) => `“${path}” could not be written. (${problem})`,
  notWrittenRemedy: 'Check the path in the settings, and that the folder can be written to.',
  overwrite: 'Replace the file?',
  overwriteText: (path: string) => `“${path}” is there already. Its text will be replaced.`,
  replace: 'Replace',
  writeActive: 'Write this text to a note?',
  writeActiveText: (path: string) => `In “${path}”, Obsidian or its plugins act on parts of the text.`,
  writeAnyway: 'Write',
  leftUnchanged: (path: string) => `“${path}” was left as it is.`,

  switches: 'Parts of the prompt',
  switchesIntro: 'What the model is told',
  switchesDesc:
    'Turn off parts of the prompt to save tokens. Each part shows its cost. What Docent enforces stays enforced.',
  switchesOff: (count: number) => (count === 0 ? '' : `${count} off`),
  cost: (tokens: string) => `${tokens} tokens now.`,
  costOff: (tokens: string) => `Off. It would take ${tokens} tokens now.`,
  silent: (reason: string) => (reason === '' ? 'Nothing now.' : `Nothing now: ${reason}`),
  replaced: 'Nothing now: your own system prompt stands in its place.',
  dropped: (reason: string) => `Left out now: ${reason}`,
  notCounted: 'Its tokens are known once a model is chosen.',
  counting: 'Counting…',

  templates: 'Templates of your own',
  templatesDesc: (folder: string) =>
    `Five notes in ${folder}, one for each prompt size. Choose the mode “My own” to use them. Changes hold from the next message.`,
  templatesCreate: 'Create the templates',
  templatesOpen: 'Open',
  templatesCreated: (folder: string, count: number) =>
    count === 0
      ? `All templates are there already, in ${folder}.`
      : `${count === 1 ? '1 template was' : `${count} templates were`} put in ${folder}. Choose the mode “My own” to use them.`,
  templateTier: (tier: number) => `Size ${tier}`,
  templateWithin: (tokens: string, budget: string) => `${tokens} of ${budget} tokens`,
  templateOver: (tokens: string, budget: string) =>
    `${tokens} of ${budget} tokens: shorten it, or the rest of the prompt has to give way`,
  templateMissing: 'Not there: Docent’s own text serves',
  templateEmpty: 'Empty: Docent’s own text serves',
  useMode: 'Use this mode',
  createTemplates: 'Create templates of my own',

  notes: 'Instruction notes',
  notesDesc: (folder: string) => `Optional notes in ${folder}, read each time they are needed.`,
  noteNames: {
    'system.md': 'In place of Docent’s instructions, when the setting above says so.',
    'system-extra.md': 'Follows the instructions in every chat.',
    'system-reminder.md': 'Stands next to your message, on the first turn and when it is due again.',
    'commit.md': 'How a commit is worded, in a vault that is a git repository.',
    'compaction.md': 'How a long conversation is summarised.',
  },
  noteThere: 'In use.',
  noteNotUsed: 'There, but not in use.',
  noteMissing: 'Not there.',
  noteCreate: 'Create',
  noteOpen: 'Open',

  additional: 'Additional instructions',
  additionalDesc: 'Told in every chat, behind Docent’s own. A system prompt of your own takes their place.',
  sanity: 'Self-check',
  sanityDesc: 'Asks the model to check each fact before it answers.',
  sanityChoices: { auto: 'For small models', on: 'Always', off: 'Never' },
  brevity: 'Length of answers',
  brevityDesc: 'What the model is asked for unless a message says otherwise.',
  brevityChoices: { brief: 'Brief', normal: 'Full sentences' },
  agentName: 'Name of the agent',
  agentNameDesc: 'What it goes by in the chat.',
  contextFiles: 'Context files',
  contextFilesDesc:
    'Names of the notes that hold the conventions of the vault and of its folders, one a line. The first that is there is used.',
  contextFilesBad: 'Give each name without a folder.',

  check: {
    label: 'System prompt',
    builtIn: 'Docent’s own instructions are in use.',
    inUse: (path: string, tokens: string) => `Your own system prompt ${path} is in use, ${tokens} tokens.`,
    empty: 'It is empty, so the model is told nothing in place of Docent’s instructions.',
    broken: 'It is a template with a mistake in it, so it is not used. Docent’s own instructions are in use.',
    tagsMalformed: (tag: string) =>
      `Its tags do not pair up (${tag}), so all of them are sent as plain text. Close each tag that you open.`,
    tagsReserved: (tag: string) =>
      `It uses the tag <${tag}>, which Docent's own parts bear, so all of its tags are sent as plain text. Give it another name.`,
    noHome: (path: string) => `“${path}” is not used: the home folder of this computer is not known.`,
    onlyOnDesktop: (path: string) => `“${path}” is not used here: it is outside the vault, which a phone cannot reach.`,
    large: (tokens: string, percent: number) =>
      `It takes ${tokens} tokens of every request, ${percent} % of what the model can hold. Shorten it.`,
    switchedOff: (names: readonly string[]) =>
      `${names.length === 1 ? 'One part is' : `${names.length} parts are`} switched off: ${names.join(', ')}.`,
  },
});

/** Words about commit messages. */
export const commit = () => ({
  command: 'Write a commit message',
  looking: 'Looking at the repository…',
  writing: 'Writing…',
  stop: 'Stop',
  again: 'Write again',
  copy: 'Copy',
  copied: 'Copied',
  message: 'Commit message',
  staged: (files: number) => `Describes the ${files === 1 ? 'staged file' : `${files} staged files`}.`,
  unstaged: (files: number) =>
    `Nothing is staged. Describes ${files === 1 ? 'the changed file' : `all ${files} changed files`}.`,
  leftOut: (files: number) =>
    `${files === 1 ? 'One file is' : `${files} files are`} left out: hidden from Docent, unreadable, or over the limit of 200.`,
  how: { added: 'added', changed: 'changed', deleted: 'deleted', moved: 'moved' },
  nothing: 'There is nothing to commit: no note that git knows has changed.',
  nothingRemedy: 'Change or stage something, then try again.',
  /** Git runs programs that a repository names, so that nobody is sent to run it in a vault from someone else. */
  repository: {
    none: 'This vault’s folder has no Git repository of its own.',
    noneRemedy: 'Open the folder that contains .git as a vault, or write this message in your Git program.',
    gitFile: 'This vault’s repository is stored elsewhere, as in a worktree or a submodule.',
    outside: 'This vault’s .git folder leads outside the vault.',
    worktree: 'This repository’s settings name another folder for its files (core.worktree).',
    alternates: 'This repository borrows objects from another one outside the vault.',
    elsewhereRemedy: 'Docent reads nothing there. Write this message in your Git program.',
    sha256: 'This repository names its objects by SHA-256, which Docent can’t read yet.',
    reftable: 'This repository stores its branches as a reftable, which Docent can’t read yet.',
    extension: (name: string) => `This repository uses the extension “${name}”, which Docent doesn’t know.`,
    indexVersion: (version: number) => `The index of this repository has version ${version}; Docent reads 2 and 3.`,
    indexVersionRemedy:
      'If you trust this vault, run git update-index --index-version 2 in its folder, then try again.',
    indexExtension: 'The index of this repository is split or sparse, which Docent can’t read yet.',
    formRemedy: 'Write this message in your Git program.',
    missing: (name: string) => `The object ${name} is not in this repository, as in a partial clone.`,
    missingRemedy:
      'Docent downloads nothing. If you trust this vault, run git fetch --refetch in its folder, then try again.',
    largePack: 'A pack of this repository is larger than 100 MB.',
    largePackRemedy: 'If you trust this vault, run git repack -a -d --max-pack-size=90m in its folder, then try again.',
    oldPack: 'A pack of this repository has an index of another form than Docent reads.',
    manyPacks: 'This repository has more than 500 packs.',
    repackRemedy: 'If you trust this vault, run git repack -a -d in its folder, then try again.',
    largeObject: 'An object of this repository is larger than Docent reads.',
    largeFile: (path: string) => `The file ${path} is larger than Docent reads.`,
    tooMuch: 'This repository holds more than Docent reads for one message.',
    notRefreshed: 'Git has not looked at this vault for long: more than 400 MB would have to be compared.',
    notRefreshedRemedy: 'If you trust this vault, run git status in its folder, then try again.',
    tooMuchRemedy: 'Write this message in your Git program.',
    broken: (path: string) => `Couldn’t read the repository: ${path} is damaged.`,
    brokenRemedy: 'If you trust this vault, run git fsck in its folder to see what is missing.',
    unreadable: (path: string, reason: string) => `Couldn’t read ${path}: ${reason}.`,
    unreadableRemedy: 'Close other programs that use the repository, then try again.',
  },
  needsModel: 'The built-in reader quotes notes and cannot write a message. Set up a model.',
  empty: 'The model wrote no message.',
  cutOff: 'The message was cut off.',
  tryAgain: 'Try again.',
});

/** Words about starters: notes that users can begin with. */
export const starters = () => ({
  commands: {
    prompt: 'New prompt',
    workspace: 'New workspace',
    skill: 'New skill',
    subagent: 'New subagent',
    'context-file': 'Create AGENTS.md',
    memory: 'Create memory.md',
    'system-extra': 'Create system-extra.md',
    'system-reminder': 'Create system-reminder.md',
    commit: 'Create commit.md',
    compaction: 'Create compaction.md',
  },
  systemPrompt: 'Create system.md',
  setting: 'Notes for Docent',
  settingDesc: (folder: string) =>
    `Notes in ${folder} that say what Docent should know and do. Each begins with an explanation.`,
  rows: {
    prompt: { name: 'Prompt', about: 'Text that you use again and again, run as a command or by / and @.' },
    workspace: {
      name: 'Workspace',
      about: 'A folder with instructions and key notes, chosen for a chat or named with #.',
    },
    skill: { name: 'Skill', about: 'Instructions for one kind of task, run by / or when the task fits.' },
    subagent: { name: 'Subagent', about: 'A helper that looks into your notes by itself and reports back.' },
    'context-file': { name: 'AGENTS.md', about: 'What agents should know about this vault. It is part of every chat.' },
    memory: { name: 'memory.md', about: 'What you want remembered about you. It is part of every chat.' },
  },
  homeSkills: 'Skills in your home folder',
  homeSkillsDesc: (folder: string) =>
    `Also uses the skills in ${folder}, which other agents on this computer may share. Allowed on this device only.`,
  create: 'New',
  open: 'Open',
  isThere: (path: string) => `${path} is there already.`,
});
