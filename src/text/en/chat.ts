/** Words of the chat: the chat view, questions in an answer, commands, images, rendered answers. */
import { grouped } from './count';

/** Words of the chat view: transcript, composer, context bar and inspector. */
export function chatView() {
  return {
    title: 'Docent',
    newChat: 'New chat',
    inspect: 'Show prompt',
    openSettings: 'Open settings',

    welcome: 'Ask your vault',
    welcomeText:
      'Get answers from your notes, with links to the source. Type @ to attach notes, folders, tags, or prompts, and / for commands and tools.',
    loading: 'Opening chat…',
    readingOlder: 'Reading older messages…',
    elsewhere: (failure: string) => `In another chat: ${failure}`,
    sendsOnceRead: 'Your message is sent once the whole chat is loaded.',
    indexing: (ready: number, total: number) => `Indexing notes for search: ${grouped(ready)} of ${grouped(total)}`,

    you: 'You',
    answer: 'Answer',
    thinking: 'Thinking',
    working: 'Working…',
    thought: 'Thoughts',
    toolRuns: (count: number, onlyReads: boolean) =>
      `${count} ${onlyReads ? 'lookup' : 'step'}${count === 1 ? '' : 's'}`,
    toolRunning: 'running',
    toolsFailed: (failed: number, count: number) =>
      failed < count ? `(${failed} failed)` : count === 1 ? 'failed' : 'all failed',
    callInput: 'Input',
    callOutput: 'Result',
    callNotes: 'What the model noted',
    memoryNote: (text: string) => `So far: ${text}`,
    goalNote: (text: string) => `Goal: ${text}`,
    constraintsNote: (text: string) => `Limits: ${text}`,
    noResult: 'This call was interrupted before it returned a result.',
    notAnswered: 'This message hasn’t been answered.',
    sendAgain: 'Send again',
    tryAgain: 'Try again',
    goOn: 'Continue',
    goOnMessage: 'Continue from where you stopped.',
    leaveOut: 'Choose what to leave out',
    stopped: 'Stopped.',
    interrupted: 'Interrupted.',
    cutAtLimit: 'The answer reached its maximum length.',
    copyAnswer: 'Copy answer',
    copyMessage: 'Copy message',
    messageActions: 'Actions for this message',
    answerActions: 'Actions for this answer',
    moreActions: 'More',
    copied: 'Copied.',
    answerTokens: (count: number) => `${grouped(count)} tokens`,
    answerTook: (seconds: number) => (seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`),
    damagedLines: (count: number) =>
      count === 1
        ? 'Couldn’t read one line of this chat. Its file is unchanged.'
        : `Couldn’t read ${count} lines of this chat. Their files are unchanged.`,

    logRestored: (lines: number) =>
      lines === 1
        ? 'One entry was missing from this chat’s files and was restored.'
        : `${lines} entries were missing from this chat’s files and were restored.`,
    continuedElsewhere: 'Continued on another device from here.',

    placeholder: 'Ask about your notes…',
    composer: 'Message',
    send: 'Send',
    stop: 'Stop',
    attachments: 'Attached to this message',
    removeAttachment: (name: string) => `Remove ${name}`,
    pinAttachment: (name: string) => `Pin ${name}: send it with every message of this chat`,
    unpinAttachment: (name: string) => `Unpin ${name}`,
    outline: 'Outline',
    attachedWhole: 'Whole',
    /** How a note was sent that was not sent whole. */
    sentInPart: { outline: 'Outline', shortened: 'Shortened' },
    outlineOf: (tokens: string) => `Outline · ${tokens} tokens`,
    outlineBefore: 'Outline · already sent',
    attachWhole: (tokens: string) => (tokens === '' ? 'Attach whole' : `Attach whole (${tokens} tokens)`),
    attachOutline: 'Attach outline',
    openNote: 'open note',
    openWithSelection: 'open note, with selection',
    addOpenNote: (name: string) => `Mention the open note, ${name}`,
    attachActOf: (act: string, name: string) => `${act}: ${name}`,
    partFits: (sent: string, whole: string) => `${sent} of ${whole} tokens fit`,
    nameFits: 'Only the name fits',
    tooLongToAttach: (name: string) =>
      `${name} doesn’t fit. Attach its outline, or choose a model with a larger context window.`,
    shortenedWithOthers: (name: string) =>
      `${name} is shortened, because the attached notes don’t all fit. Attach fewer notes, or choose a model with a larger context window.`,
    suggestions: 'Suggestions',
    suggestionCount: (count: number) =>
      `${count === 1 ? '1 suggestion' : `${count} suggestions`}. Press the arrow keys to choose.`,
    suggestionsHint: '↑ ↓ to move, Enter to select, Esc to close',
    linkHint: 'Add # for headings, #^ for blocks',
    suggestionsPrepared: 'Searching your vault…',
    suggestionGroups: {
      note: 'Notes',
      heading: 'Headings',
      block: 'Blocks',
      image: 'Images',
      folder: 'Folders',
      tag: 'Tags',
      command: 'Commands',
      tool: 'Tools',
      prompt: 'Prompts',
      'run-prompt': 'Prompts',
      skill: 'Skills',
      workspace: 'Workspaces',
      resource: 'From MCP servers',
    },
    nothingFound: 'No results.',
    noSuggestions: {
      note: 'No note matches.',
      heading: 'No heading matches.',
      block: 'No block matches.',
      image: 'No image matches.',
      folder: 'No folder matches.',
      tag: 'No tag matches.',
      command: 'No command or tool matches.',
      tool: 'No tool matches.',
      prompt: 'No prompt matches.',
      'run-prompt': 'No prompt matches.',
      skill: 'No skill matches.',
      workspace: 'No workspace matches.',
      resource: 'No resource matches.',
    },
    nothingToSuggest: {
      note: () => 'No notes yet.',
      heading: () => 'This note has no headings.',
      block: () => 'This note has no blocks with an id.',
      image: () => 'No images yet.',
      folder: () => 'No folders yet.',
      tag: () => 'No tags yet.',
      command: () => 'No commands.',
      tool: () => 'No tools.',
      prompt: (folder: string) => `No prompts yet. Each is a note in ${folder}/prompts.`,
      'run-prompt': (folder: string) => `No prompts yet. Each is a note in ${folder}/prompts.`,
      skill: (folder: string) => `No skills yet. Each is a folder in ${folder}/skills.`,
      resource: () => 'Type to search what your MCP servers provide, such as files and pages.',
      workspace: (folder: string) => `No workspaces yet. Each is a note in ${folder}/workspaces.`,
    },
    onlyWaiting: 'None is used until you allow it: select Review above the message box.',
    folderOf: (notes: number) => `Folder, ${notes === 1 ? '1 note' : `${grouped(notes)} notes`}`,
    tagOf: (notes: number) => `Tag, ${notes === 1 ? '1 note' : `${grouped(notes)} notes`}`,
    chatCommands: {
      new: { name: 'New chat', description: 'Starts an empty chat.' },
      stop: { name: 'Stop answer', description: 'Keeps the text so far.' },
      retry: { name: 'Answer again', description: 'Sends your last message again.' },
      prompt: { name: 'Show prompt', description: 'Shows the next request as it is sent to the model.' },
      mode: { name: 'Change mode', description: 'Choose one from the list, or type it, as in /mode planner.' },
      settings: { name: 'Open settings', description: 'Model, API keys, mode, and folders.' },
      help: { name: 'Help', description: 'What you can type here.' },
      bug: { name: 'Copy diagnostics', description: 'Copies details for a bug report, without note text or API keys.' },
    },
    noSuchMode: (asked: string, modes: readonly string[]) =>
      `${asked === '' ? 'No mode given.' : `The mode “${asked}” doesn’t exist.`} Type one of ${modes.join(', ')} after /mode.`,
    modeNow: (mode: string) => `The mode of this chat is now ${mode}.`,
    help: 'What you can type here',
    closeHelp: 'Close help',
    helpTriggers: [
      { keys: '@', text: 'Attach a note, folder, tag, image, prompt, or workspace' },
      { keys: '[[', text: 'The same, written as a link' },
      { keys: '/', text: 'Run a command, skill, or prompt, or name a tool to use' },
      { keys: '#', text: 'Add a workspace' },
    ],
    helpKeys: [
      { keys: 'Enter', text: 'Send' },
      { keys: 'Shift+Enter', text: 'New line' },
      { keys: '↑', text: 'In an empty box: recall earlier messages' },
      { keys: 'Esc', text: 'Close the list, or stop the answer' },
    ],
    helpReturn: { keys: 'Return', text: 'Send, or begin a new line: choose in the settings of Docent' },
    queue: 'Queued messages',
    queued: (count: number) => (count === 1 ? '1 message queued' : `${count} messages queued`),
    queuedEdit: (text: string) => `Edit “${text}”`,
    queuedNow: 'Stop the answer and send now',
    queuedUp: 'Move up',
    queuedRemove: 'Remove from the queue',
    queuedImage: 'Image',
    attachmentMissing: (name: string) => `${name} was deleted, renamed, or moved.`,

    contextBar: 'Context',
    instructions: 'Instructions',
    tools: 'Tools',
    reference: 'Notes and vault',
    history: 'Earlier messages',
    turn: 'This message',
    free: 'Free',
    reserve: 'Reserved for the answer',

    roleUser: 'User',
    roleAssistant: 'Assistant',
    roleTool: 'Tool result',
  };
}

/** Words of branches: messages that are edited, answered again, deleted, and taken to a new chat. */
export function branches() {
  return {
    edit: 'Edit message',
    editing: 'Edit message',
    resend: 'Send',
    cancel: 'Cancel',
    missingAttachments: (names: readonly string[]) =>
      `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} deleted, renamed, or moved, and won’t be sent again.`,
    again: 'Answer again',
    againSame: (model: string) => `With ${model}`,
    againOther: 'Try another model',
    delete: 'Delete message',
    deleteAnswer: 'Delete answer',
    deleted: 'Message deleted.',
    undo: 'Undo',
    fork: 'Fork into new chat',
    forkOf: (title: string) => `Fork of “${title}”`,

    versions: { question: 'Versions of this message', answer: 'Versions of this answer' },
    version: (number: number, of: number) => `${number} of ${of}`,
    earlier: { question: 'Earlier version of this message', answer: 'Earlier version of this answer' },
    later: { question: 'Later version of this message', answer: 'Later version of this answer' },

    reviewWaits: 'This chat has proposed changes that you haven’t decided on.',
    reviewWaitsRemedy: 'Apply or reject them first, then try again.',
    readOnly: 'A newer version of Docent wrote part of this chat, so it is read-only here.',
    readOnlyRemedy: 'Update Docent on this device, or start a new chat.',
    trashed: 'The files of this chat were moved to the trash, so nothing can be added to it.',
    trashedRemedy: 'Start a new chat to go on.',
    trashedDraft: 'Start a new chat to go on; what is in the message box goes with you.',
  };
}

/**
 * Words of what an answer asks the user: questions with choices, plans that wait for approval; and the steps of a task.
 */
export function asking() {
  return {
    todos: 'To-dos',
    todoStates: { open: 'open', doing: 'in progress', done: 'done' },
    answer: 'Answer',
    ownAnswer: 'Or type your own answer below.',
    planWaits: 'Plan ready for your approval.',
    planInAnswer: 'The plan is in the answer above.',
    approvePlan: 'Approve',
    rejectPlan: 'Ask for changes',
    planReason: 'What should change?',
    sendReason: 'Send',
    cancelReason: 'Cancel',
    planApproved: 'The plan is approved. Follow it now.',
    planRejected: (reason: string) => `The plan is not approved yet. Revise it: ${reason}`,
    permission: 'Permission mode',
    permissions: { plan: 'Plan', 'read-only': 'Read only', review: 'Review', 'auto-edit': 'Auto-edit' },
    permissionDesc:
      'What Docent may do without asking in new chats. Auto-edit isn’t offered here: you turn it on in each chat, so that settings synced from another device can’t turn it on.',
    permissionGuidance: {
      plan: 'Reads notes, asks questions, and writes only plans.',
      'read-only': 'Reads notes and answers. Writes nothing.',
      review: 'Proposes changes. You accept or reject each one.',
      'auto-edit':
        'Applies edits to the notes and folders you name in the chat without asking. Asks before other edits, moves, and deletions. You can undo everything.',
    },
  };
}

/** The names of the commands, by their ids. Obsidian takes them all when it starts, so they are in no other area. */
export function commandNames() {
  return {
    'open-chat': 'Open chat',
    'new-chat': 'New chat',
    'show-chats': 'Show chats',
    'open-chat-list': 'Open list of chats',
    'show-usage': 'Show usage',
    'find-in-chat': 'Find in chat',
    'previous-question': 'Go to previous message',
    'next-question': 'Go to next message',
    'go-to-end': 'Go to end of chat',
    'export-chat': 'Export chat as note',
    'show-prompt': 'Show prompt',
    'open-inspector': 'Show prompt in tab',
    summarise: 'Summarize older messages',
    'show-context': 'Context',
    'stop-answer': 'Stop answer',
    'edit-last-question': 'Edit last message',
    'regenerate-answer': 'Answer last message again',
    'fork-chat': 'Fork into new chat at last answer',
    'previous-branch': 'Show previous version',
    'next-branch': 'Show next version',
    'apply-changes': 'Apply reviewed changes',
    'reject-changes': 'Reject changes',
    'undo-changes': 'Undo last applied changes',
    'show-prompts': 'Show saved prompts',
    'ask-about-selection': 'Ask about the selection',
    'rewrite-selection': 'Rewrite selection',
    'accept-rewrite': 'Accept rewrite',
    'reject-rewrite': 'Reject rewrite',
    'refine-rewrite': 'Refine rewrite',
    'write-commit-message': 'Write a commit message',
    'keep-note': 'Hide this note from Docent',
    'release-note': 'Show this note to Docent',
    'take-note': 'Trust this note',
    'distrust-note': 'Treat this note as untrusted',
    'show-diagnostics': 'Show diagnostics',
    'new-prompt': 'New prompt',
    'new-workspace': 'New workspace',
    'new-skill': 'New skill',
    'new-subagent': 'New subagent',
    'create-context-file': 'Create AGENTS.md',
    'create-memory': 'Create memory.md',
    'create-system-prompt': 'Create system.md',
    'create-system-extra': 'Create system-extra.md',
    'create-system-reminder': 'Create system-reminder.md',
    'create-commit-rules': 'Create commit.md',
    'create-compaction': 'Create compaction.md',
    'export-system-prompt-template': 'Export system prompt to edit it',
    'export-system-prompt-resolved': 'Export system prompt as it is sent',
    'create-own-templates': 'Create templates for the Custom mode',
    'copy-diagnostics': 'Copy diagnostics',
  };
}

/** Words of commands and of the ribbon. */
export function commands() {
  return {
    ribbon: 'Open Docent',
    contextFileThere: (path: string) => `${path} already exists.`,
    noteNotCreated: (path: string, detail: string) => `Couldn’t create “${path}”: ${detail}`,
    noteNotCreatedRemedy: 'Check for a note or folder whose name differs only in case, and for free disk space.',
    diagnosticsCopied: 'Diagnostics copied.',
    diagnosticsNotCopied: 'Couldn’t copy diagnostics. Bring the Obsidian window to the front and try again.',
  };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
const count = grouped;

/** Words about images attached to a message. */
export function images() {
  return {
    attach: 'Attach an image',
    dropHere: 'Drop to attach',
    pasted: (number: number) => `Pasted image ${number}`,
    preparing: (number: number) => (number === 1 ? 'Preparing 1 image…' : `Preparing ${number} images…`),
    size: (width: number, height: number) => `${count(width)} × ${count(height)}`,
    tokens: (tokens: string) => `${tokens} tokens`,
    sentAsText: 'image not supported',
    notTaken: (name: string, model: string) =>
      `${model} doesn’t support images. It gets only a text note that ${name} is attached.`,
    notSent: (name: string, reason: string) => `${name} won’t be sent. ${reason}`,

    tooMany: (most: number) => `A message can have at most ${most} images.`,
    tooManyRemedy: 'Send the others with your next message.',
    tooLarge: (name: string, bytes: number, most: number) =>
      `${name} is ${megabytes(bytes)}; the limit is ${megabytes(most)}.`,
    tooManyPixels: (name: string, width: number, height: number) =>
      `${name} has too many pixels: ${count(width)} × ${count(height)}.`,
    smallerRemedy: 'Attach a smaller copy.',
    notAnImage: (name: string) => `${name} isn’t a PNG, JPEG, GIF, or WebP image.`,
    notAnImageRemedy: 'Save it in one of these formats and attach that.',
    unreadable: (name: string) => `Couldn’t open ${name} as an image.`,
    unreadableRemedy: 'Open it in another program to see whether it is damaged.',
    notStored: 'Couldn’t save the image with this chat.',
    notStoredRemedy: 'Check that the vault isn’t read-only, then attach it again.',

    clearedNumber: (number: number) =>
      number === 1
        ? 'One older image is no longer sent; the model gets only its name.'
        : `${number} older images are no longer sent; the model gets only their names.`,
  };
}

/** Words of rendered answers: links, images and code. */
export function render() {
  return {
    copy: 'Copy',
    copyCode: 'Copy code',
    copied: 'Copied',
    copyFailed: 'Couldn’t copy',
    noteMissing: (name: string) => `The note “${name}” wasn’t found.`,
    remoteImage: (host: string, label: string) =>
      label === '' ? `Image from ${host}, not loaded` : `${label} (image from ${host}, not loaded)`,
    imageRefused: 'Image that can’t be shown',
    showImage: 'Show image',
    showLargeImage: (megabytes: number) => `Show image (${megabytes} MB)`,
    imageMissing: (path: string) => `${path} is no longer in this vault.`,
    imageFailed: (path: string) => `${path} can’t be shown as an image.`,
    showNote: 'Show note',
    embedsItself: 'This note embeds itself.',
    embedFailed: 'This note can’t be read.',
    embedCut: 'The note goes on. Open it to read the rest.',
    codeTooLong: 'This code is long, so only its start is shown. Copy takes all of it.',
    tableTooLong: 'This table is too long to draw, so its text is shown.',
    task: 'Task',
    footnote: (label: string) => `Footnote ${label}`,
    searchTag: (tag: string) => `Search for ${tag}`,
    searchOff: 'Turn on the Search core plugin to open tags.',
    otherApp: 'Open this file in another app?',
    otherAppText: (path: string) =>
      `Obsidian can’t show “${path}”, so another app on this device opens it. If it is a program or a script, it may run.`,
    diagram: (title: string) => (title === '' ? 'Diagram' : `Diagram: ${title}`),
    diagramTooLarge: 'This diagram is too large to draw, so its source is shown.',
    diagramFailed: 'This diagram can’t be drawn, so its source is shown.',
    showSource: 'Source',
    showDiagram: 'Diagram',
    mathTooLong: 'This formula is too long to draw, so its source is shown.',
    mathActive: 'This formula does more than show math, so its source is shown.',
    mathFailed: 'This formula can’t be drawn, so its source is shown.',
    /** Why an address is not a link. */
    openAddress: 'Open this address?',
    open: 'Open',
    cancel: 'Cancel',
    refused: {
      malformed: 'This isn’t a complete web address.',
      scheme: 'Docent opens only web and mail addresses.',
      'too-long': 'This address is too long to open.',
    },
    /** Why the user confirms an address first. */
    confirm: {
      credentials: 'The address contains a user name, which often hides where it leads.',
      'other-host': 'The link text names a different site than the one it opens.',
      disguised: 'The link text contains invisible characters.',
      tainted: 'This chat has read untrusted text, and the address may contain text from your notes.',
      'unknown-url': 'The address isn’t in anything you wrote, and it may contain text from your notes.',
    },
  };
}
