/** Words of the chat: the chat view, questions in an answer, commands, images, rendered answers. */
import { grouped } from './count';

/** Words of the chat view: transcript, composer, context bar and inspector. */
export const chatView = () => ({
  title: 'Docent',
  newChat: 'New chat',
  inspect: 'Show the prompt',
  openSettings: 'Open settings',

  welcome: 'Ask your vault',
  welcomeText:
    'Get answers from your notes, with links to the source. Type @ to attach notes, folders, tags or prompts, and / for commands and tools.',
  loading: 'Opening the chat…',
  readingOlder: 'Reading older messages…',
  sendsOnceRead: 'Your message is sent as soon as the whole chat is read.',
  indexing: (ready: number, total: number) => `Indexing notes for search: ${grouped(ready)} of ${grouped(total)}`,

  you: 'You',
  answer: 'Answer',
  thinking: 'Thinking',
  working: 'Working…',
  thought: 'Thoughts',
  toolRuns: (count: number, onlyReads: boolean) =>
    `${count} ${onlyReads ? 'look-up' : 'step'}${count === 1 ? '' : 's'}`,
  toolRunning: 'running',
  toolsFailed: (failed: number, count: number) =>
    failed < count ? `${failed} of them failed` : count === 1 ? 'failed' : 'all failed',
  callInput: 'Input',
  callOutput: 'Result',
  callNotes: 'What the model noted',
  memoryNote: (text: string) => `So far: ${text}`,
  goalNote: (text: string) => `Goal: ${text}`,
  constraintsNote: (text: string) => `Limits: ${text}`,
  noResult: 'This call was cut off before it gave a result.',
  notAnswered: 'This message has not been answered.',
  sendAgain: 'Send again',
  goOn: 'Go on',
  goOnMessage: 'Go on from where you stopped.',
  leaveOut: 'Choose what to leave out',
  stopped: 'Stopped.',
  interrupted: 'Cut off.',
  cutAtLimit: 'The answer reached its length limit.',
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
      ? 'One line of this conversation could not be read. It is kept in its file.'
      : `${count} lines of this conversation could not be read. They are kept in their files.`,

  logRestored: (lines: number) =>
    lines === 1
      ? 'One entry of this chat was missing in its files, and was written back.'
      : `${lines} entries of this chat were missing in its files, and were written back.`,
  continuedElsewhere: 'From here, the chat went on on another device.',

  placeholder: 'Ask about your notes…',
  composer: 'Message',
  send: 'Send',
  stop: 'Stop',
  attachments: 'Attached to this message',
  removeAttachment: (name: string) => `Remove ${name}`,
  outline: 'Outline',
  attachedWhole: 'Whole',
  /** How a note was sent that was not sent whole. */
  sentInPart: { outline: 'Outline', shortened: 'Shortened' },
  outlineOf: (tokens: string) => `Outline · ${tokens} tokens`,
  outlineBefore: 'Outline · sent before',
  attachWhole: (tokens: string) => (tokens === '' ? 'Attach whole' : `Attach whole (${tokens} tokens)`),
  attachOutline: 'Attach outline',
  openNote: 'open note',
  openWithSelection: 'open note, with selection',
  addOpenNote: (name: string) => `Mention the open note, ${name}`,
  attachActOf: (act: string, name: string) => `${act}: ${name}`,
  partFits: (sent: string, whole: string) => `${sent} of ${whole} tokens fit`,
  nameFits: 'Only the name fits',
  tooLongToAttach: (name: string) =>
    `${name} does not fit with this message. Attach its outline, or choose a model with a larger context window.`,
  shortenedWithOthers: (name: string) =>
    `${name} is shortened, since what is attached to this message has no more room. Attach fewer notes, or choose a model with a larger context window.`,
  suggestions: 'Suggestions',
  suggestionsHint: '↑ ↓ to move, Enter to choose, Esc to close',
  linkHint: 'Add # for headings, #^ for blocks',
  suggestionsPrepared: 'Looking through the vault…',
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
  },
  nothingFound: 'Nothing has this name.',
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
  },
  nothingToSuggest: {
    note: () => 'There are no notes yet.',
    heading: () => 'This note has no headings.',
    block: () => 'This note has no blocks with an id.',
    image: () => 'There are no images yet.',
    folder: () => 'There are no folders yet.',
    tag: () => 'There are no tags yet.',
    command: () => 'There are no commands.',
    tool: () => 'There are no tools.',
    prompt: (folder: string) => `No prompts yet: each is a note in ${folder}/prompts.`,
    'run-prompt': (folder: string) => `No prompts yet: each is a note in ${folder}/prompts.`,
    skill: (folder: string) => `No skills yet: each is a folder in ${folder}/skills.`,
    workspace: (folder: string) => `No workspaces yet: each is a note in ${folder}/workspaces.`,
  },
  folderOf: (notes: number) => `Folder, ${notes === 1 ? '1 note' : `${notes} notes`}`,
  tagOf: (notes: number) => `Tag, ${notes === 1 ? '1 note' : `${notes} notes`}`,
  chatCommands: {
    new: { name: 'New chat', description: 'Starts with an empty conversation.' },
    stop: { name: 'Stop the answer', description: 'Keeps what has been written so far.' },
    retry: { name: 'Answer again', description: 'Sends the last message once more.' },
    prompt: { name: 'Show the prompt', description: 'Opens the next request as the model gets it.' },
    mode: { name: 'Change the mode', description: 'Write the mode after it, such as /mode planning.' },
    settings: { name: 'Open settings', description: 'Model, keys, mode and folders.' },
    help: { name: 'Help', description: 'What can be typed here.' },
    bug: { name: 'Copy diagnostics', description: 'Puts a report without note text or keys on the clipboard.' },
  },
  noSuchMode: (asked: string, modes: readonly string[]) =>
    `${asked === '' ? 'No mode is named.' : `There is no mode “${asked}”.`} Write one of ${modes.join(', ')} after /mode.`,
  modeNow: (mode: string) => `The mode of this chat is now ${mode}.`,
  help: 'What can be typed here',
  closeHelp: 'Close help',
  helpTriggers: [
    { keys: '@', text: 'Attach anything: a note, folder, tag, image, prompt or workspace' },
    { keys: '[[', text: 'The same, written as a link' },
    { keys: '/', text: 'Run a command, a skill or a prompt, or name a tool to prefer' },
    { keys: '#', text: 'Add a workspace' },
    { keys: 'Enter', text: 'Send' },
    { keys: 'Shift+Enter', text: 'New line' },
    { keys: '↑', text: 'In an empty box: bring back earlier messages' },
    { keys: 'Esc', text: 'Close the list, or stop the answer' },
  ],
  queue: 'Queued messages',
  queued: (count: number) => (count === 1 ? '1 message queued' : `${count} messages queued`),
  queuedEdit: (text: string) => `Edit “${text}”`,
  queuedNow: 'Stop the answer and send now',
  queuedUp: 'Move up',
  queuedRemove: 'Remove from the queue',
  queuedImage: 'Image',
  attachmentMissing: (name: string) => `${name} is gone from the vault.`,

  contextBar: 'Context',
  instructions: 'Instructions',
  tools: 'Tools',
  reference: 'Reference',
  history: 'History',
  turn: 'This message',
  free: 'Free',
  reserve: 'Kept for the answer',

  inspector: 'The prompt',
  inspectorNext: 'Next request',
  inspectorLast: 'Last request',
  inspectorNone: 'Nothing has been sent in this session yet.',
  inspectorSystem: 'System prompt',
  inspectorMessages: 'Messages',
  inspectorTools: 'Tools',
  inspectorTotal: (used: string, room: string) => `${used} of ${room} tokens`,
  madeVisible: (count: number) =>
    count === 1 ? '1 hidden character made visible' : `${count} hidden characters made visible`,
  invisible: (count: number) => (count === 1 ? '1 invisible character' : `${count} invisible characters`),
  copyPrompt: 'Copy the prompt',
  roleUser: 'User',
  roleAssistant: 'Assistant',
  roleTool: 'Tool result',
  inspectorEstimate: 'Counts marked ~ are estimates.',
});

/** Words of branches: messages that are edited, answered again, deleted, and taken to a new chat. */
export const branches = () => ({
  edit: 'Edit message',
  editing: 'Edit the message',
  resend: 'Send',
  cancel: 'Cancel',
  missingAttachments: (names: readonly string[]) =>
    `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} no longer in the vault, and will not be sent again.`,
  again: 'Answer again',
  againSame: (model: string) => `With ${model}`,
  delete: 'Delete message',
  deleteAnswer: 'Delete answer',
  deleted: 'Message deleted.',
  undo: 'Undo',
  fork: 'Fork the chat here',
  forkOf: (title: string) => `Fork of “${title}”`,

  versions: { question: 'Versions of this message', answer: 'Versions of this answer' },
  version: (number: number, of: number) => `${number} of ${of}`,
  earlier: { question: 'Earlier version of this message', answer: 'Earlier version of this answer' },
  later: { question: 'Later version of this message', answer: 'Later version of this answer' },

  reviewWaits: 'Proposed changes wait for your decision.',
  reviewWaitsRemedy: 'Apply or reject them first, then try again.',
  readOnly: 'A newer version of Docent wrote a part of this chat, so it can only be read here.',
  readOnlyRemedy: 'Update Docent on this device, or start a new chat.',

  commands: {
    edit: 'Edit the last message',
    again: 'Answer the last message again',
    fork: 'Fork the chat at the last answer',
    previous: 'Show the previous version',
    next: 'Show the next version',
  },
});

/**
 * Words of what an answer asks the user: questions with choices, plans that wait for approval; and the steps of a task.
 */
export const asking = () => ({
  todos: 'Steps',
  todoStates: { open: 'open', doing: 'under way', done: 'done' },
  answer: 'Answer',
  ownAnswer: 'Or write an answer of your own below.',
  planWaits: 'Plan ready for your approval.',
  planInAnswer: 'It stands in the answer above.',
  approvePlan: 'Approve',
  rejectPlan: 'Ask for changes',
  planReason: 'What should change?',
  sendReason: 'Send',
  planApproved: 'The plan is approved. Follow it now.',
  planRejected: (reason: string) => `The plan is not approved yet. Revise it: ${reason}`,
  permission: 'Permissions',
  permissions: { plan: 'Plan', 'read-only': 'Read only', review: 'Review', 'auto-edit': 'Auto-edit' },
  permissionDesc:
    'What Docent may do by itself in a new chat. Auto-edit is chosen in the chat that needs it, so that settings that are synced never allow more.',
  permissionGuidance: {
    plan: 'Reads, asks, and writes plans alone.',
    'read-only': 'Reads and answers; writes nothing.',
    review: 'Proposes changes; you accept or reject each one.',
    'auto-edit':
      'Applies edits to the notes and folders you name in the chat. Asks about all others, and before it moves or deletes. All can be undone.',
  },
});

/** Words of commands and of the ribbon. */
export const commands = () => ({
  open: 'Open chat',
  newChat: 'New chat',
  inspect: 'Show the prompt',
  copyDiagnostics: 'Copy diagnostics',
  stop: 'Stop the answer',
  ribbon: 'Open Docent',
  contextFileThere: (path: string) => `${path} is there already.`,
  noteNotCreated: (path: string, detail: string) => `“${path}” could not be made. (${detail})`,
  noteNotCreatedRemedy: 'Look for a note or folder of that name in other letters, and for room on the disk.',
  diagnosticsCopied: 'Diagnostics copied.',
  diagnosticsNotCopied: 'The clipboard refused the diagnostics. Try again with the window in front.',
});

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
const count = grouped;

/** Words about images attached to a message. */
export const images = () => ({
  attach: 'Attach an image',
  dropHere: 'Drop to attach',
  pasted: (number: number) => `Pasted image ${number}`,
  preparing: (number: number) =>
    number === 1 ? 'One image is being made ready…' : `${number} images are being made ready…`,
  size: (width: number, height: number) => `${count(width)} × ${count(height)}`,
  tokens: (tokens: string) => `${tokens} tokens`,
  sentAsText: 'image not supported',
  notTaken: (name: string, model: string) => `${model} doesn’t take images. It is only told that ${name} is attached.`,
  notSent: (name: string, reason: string) => `${name} is not sent. ${reason}`,

  tooMany: (most: number) => `A message takes ${most} images at most.`,
  tooManyRemedy: 'Send the others with the next message.',
  tooLarge: (name: string, bytes: number, most: number) =>
    `${name} is too large: ${megabytes(bytes)}, and at most ${megabytes(most)} can be attached.`,
  tooManyPixels: (name: string, width: number, height: number) =>
    `${name} has too many pixels: ${count(width)} × ${count(height)}.`,
  smallerRemedy: 'Attach a smaller copy.',
  notAnImage: (name: string) => `${name} is not a PNG, JPEG, GIF or WebP image.`,
  notAnImageRemedy: 'Save it in one of these formats and attach that.',
  unreadable: (name: string) => `${name} cannot be opened as an image.`,
  unreadableRemedy: 'Look at it in another program: it may be damaged.',
  notStored: 'The image could not be kept beside this chat.',
  notStoredRemedy: 'Check that the vault can be written to, then attach it again.',

  clearedNumber: (number: number) =>
    number === 1 ? 'One older image is now sent as text only.' : `${number} older images are now sent as text only.`,
});

/** Words of rendered answers: links, images and code. */
export const render = () => ({
  copy: 'Copy',
  copyCode: 'Copy code',
  copied: 'Copied',
  copyFailed: 'Could not copy',
  noteMissing: (name: string) => `There is no note “${name}” in this vault.`,
  remoteImage: (host: string, label: string) =>
    label === '' ? `Image from ${host}, not loaded` : `${label} (image from ${host}, not loaded)`,
  imageRefused: 'Image that cannot be shown',
  /** Why an address is not a link. */
  openAddress: 'Open this address?',
  open: 'Open',
  cancel: 'Cancel',
  refused: {
    malformed: 'This is not a complete web address.',
    scheme: 'Only web and mail addresses can be opened.',
    'too-long': 'This address is too long to be opened.',
  },
  /** Why the user confirms an address first. */
  confirm: {
    credentials: 'The address carries a user name, which often disguises where it leads.',
    'other-host': 'The words of the link name another site than the one it leads to.',
    disguised: 'The words of the link hold characters that cannot be seen.',
    tainted: 'This conversation has read text of unknown origin, and the address may carry your notes to its host.',
    'unknown-url': 'The address does not stand in anything you wrote, and it may carry text of your notes to its host.',
  },
});
