/** Words of the review: what would change, what to check, and the actions. */
import { grouped } from './count';

const count = grouped;
const changes = (number: number): string => (number === 1 ? '1 change' : `${count(number)} changes`);
const notes = (number: number): string => (number === 1 ? '1 note' : `${count(number)} notes`);
const ofThem = (accepted: number, all: number): string =>
  accepted < all ? `${count(accepted)} of ${changes(all)}` : all === 1 ? '1 change' : `all ${changes(all)}`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const list = (names: readonly string[]): string => names.join(', ');

export const review = () => ({
  region: 'Review of changes',
  waiting: (parts: number, files: number) => `${capital(changes(parts))} in ${notes(files)}`,
  applying: 'Applying…',
  applied: (files: number) => `Applied to ${notes(files)}`,
  appliedPartly: (applied: number, undone: number) => `Applied to ${notes(applied)}, undone in ${notes(undone)}`,
  appliedUnasked: 'Applied without asking, as the permission mode says.',
  undone: (files: number) => `Undone in ${notes(files)}`,
  rejected: (files: number) => `Rejected: ${notes(files)}`,
  alsoRejected: (files: number) => `${notes(files)} rejected.`,
  reason: (text: string) => `Reason: ${text}`,
  running: 'Changes can be applied when the answer has ended.',

  bar: (parts: number) =>
    parts === 1 ? '1 change waits for your review' : `${count(parts)} changes wait for your review`,
  show: 'Review',
  apply: (accepted: number, all: number) => `Apply ${ofThem(accepted, all)}`,
  applyShort: (accepted: number, all: number) =>
    accepted < all ? `Apply ${count(accepted)} of ${count(all)}` : 'Apply all',
  rejectAll: 'Reject all',
  rejectAllOf: (all: number) => `Reject ${ofThem(all, all)}`,
  acceptAll: 'Accept all',
  cancel: 'Cancel',
  why: 'Why not? (sent to the model)',
  whyOf: (name: string) => `Why reject the change to ${name}? (sent to the model)`,
  grant: 'Apply further edits of this note without asking, as long as this chat is open',
  editFirst: 'Save or cancel what you are writing before you apply.',
  openFirst: (number: number) =>
    number === 1
      ? 'One change was made while text from others was in view. Open it before you apply.'
      : `${count(number)} changes were made while text from others was in view. Open each of them before you apply.`,

  steps: {
    create: 'New note',
    edit: 'Edited',
    move: 'Moved',
    delete: 'Deleted',
  },
  movedTo: (path: string) => `Moves to ${path}`,
  linksFollow: (number: number, canvases: number) => {
    if (canvases === 0) return number === 1 ? '1 link follows' : `Links in ${notes(number)} follow`;
    const others = canvases === 1 ? '1 canvas' : `${count(canvases)} canvases`;
    return number === canvases
      ? `Cards in ${others} follow`
      : `Links in ${notes(number - canvases)} and ${others} follow`;
  },
  namedIn: (number: number) =>
    number === 1
      ? '1 file names the note in a way that does not follow the move'
      : `${count(number)} files name the note in a way that does not follow the move`,
  linksBreak: (number: number) =>
    `The app is set to leave links as they are: those in ${notes(number)} will lead nowhere.`,
  linkedFrom: 'Notes that link to it',
  linksUpdated: (number: number) => `Links in ${notes(number)} were updated.`,
  toTrash: 'Goes to the trash. A copy is kept for the undo.',
  notText: 'This file is not text, so what it holds is not shown.',
  emptyNote: 'The note is empty.',
  onlyInvisible: 'Only its marks at the start or its line ends change.',
  found: 'This was done already, on another device or by hand. Nothing was written.',
  foundWithJournal: 'Applied on another device.',
  appliedElsewhere: (files: number) => `Applied to ${notes(files)} on another device or by hand`,
  merged: 'Joined with what had changed in the note meanwhile.',
  altered: 'Something else, such as another plugin, changed the text as it was saved.',

  missing: (path: string) =>
    `There is no note at ${path} any more: it was deleted, or moved where Docent cannot follow.`,
  missingDeletion: (path: string) => `${path} is gone already, so there is nothing to delete.`,
  createAgain: 'Create it again',
  createAgainOf: (name: string) => `Create ${name} again with the proposed text`,
  reject: 'Reject',
  rejectOf: (name: string) => `Reject the change of ${name}`,
  movedSince: (path: string) => `The note was at ${path} when this was proposed. The change follows it.`,
  editOutdated: 'The proposed lines changed while you were editing them, so your text was not saved.',
  editOutdatedRemedy: 'It is still in the box: copy what you need, then press Cancel to see the lines as they are now.',

  accept: 'Accept',
  acceptOf: (what: string) => `Accept ${what}`,
  rejectedMark: 'Rejected',
  edit: 'Edit',
  editOf: (what: string) => `Edit ${what}`,
  editBox: (what: string) => `New text of ${what}`,
  save: 'Save',
  undo: 'Undo',
  undoAll: 'Undo all',
  undoOf: (name: string) => `Undo the change of ${name}`,
  redo: 'Redo',
  redoAll: 'Redo all',
  redoOf: (name: string) => `Redo the change of ${name}`,
  openNote: (name: string) => `Open ${name}`,
  changeOf: (step: string, name: string) => `${step}: ${name}`,
  unfold: (name: string) => `Show or hide the change of ${name}`,

  line: (from: number, to: number) => (to > from ? `Lines ${count(from)}–${count(to)}` : `Line ${count(from)}`),
  lineIn: (line: string, name: string) => `${line.charAt(0).toLowerCase()}${line.slice(1)} of ${name}`,
  move: 'the move',
  figures: (added: number, removed: number) =>
    [added > 0 ? `+${count(added)}` : '', removed > 0 ? `−${count(removed)}` : '']
      .filter((part) => part !== '')
      .join(' '),
  figuresSaid: (added: number, removed: number) => `${count(added)} lines come, ${count(removed)} go`,
  moreLines: (number: number) => (number === 1 ? 'Show 1 more line' : `Show ${count(number)} more lines`),
  moreCharacters: (number: number) => `Show ${count(number)} more characters`,
  moreHunks: (number: number) => `Show ${changes(number)} more`,
  lineEnd: '↵',
  asText: 'As text',
  property: 'Property',
  before: 'Before',
  after: 'After',
  none: 'none',
  emptyValue: 'empty',
  yes: 'yes',
  no: 'no',

  keys: {
    move: ['j', 'k'] as const,
    moveWords: 'move',
    accept: 'accept',
    reject: 'reject',
    why: 'say why',
    edit: 'edit',
    open: 'show or hide',
    undo: 'undo, redo',
    apply: 'apply',
    enter: 'Enter',
  },
  keysLabel: 'Keys',

  badges: {
    activeContent: (runners: readonly string[]) => `Can run: ${list(runners)}`,
    unchecked: 'Docent couldn’t check this text. Read it before you accept it.',
    remoteImage: (hosts: readonly string[]) => `Loads pictures from ${list(hosts)}`,
    newHost: (hosts: readonly string[]) => `New links to ${list(hosts)}`,
    carriedText: 'A new address carries text of your notes',
    largeRemoval: (percent: number) => `Removes ${percent}% of the text`,
    outsideMentioned: 'A note you did not name',
    outsideNote: 'Waits for you: you didn’t name this note in this chat. Auto-edit changes only what you name.',
    outsideFolder: (folder: string | null) =>
      folder === null
        ? 'Waits for you: you named no folder for it in this chat. Auto-edit writes only where you say.'
        : `Waits for you: you didn’t name the folder “${folder}” in this chat. Auto-edit writes only where you say.`,
    tainted: (source: string) => `Made with text from ${source} in view`,
  },
  carried: 'Its host gets to read',
  active: {
    'code-block': (runner: string) => `A code block that ${runner} may run`,
    'inline-code': (runner: string) => `A code span that ${runner} runs`,
    template: (runner: string) => `A template command that ${runner} runs`,
    html: (tag: string) => `An HTML tag: ${tag}`,
    'remote-image': (host: string) => `A picture from ${host}`,
    scheme: (scheme: string) => `A link that opens ${scheme}:`,
    'canvas-link': (_runner: string) => 'A card that loads a web page',
    'base-formula': (_runner: string) => 'A formula that draws HTML, loads a picture, or opens a link',
    formula: (runner: string) => `A command that ${runner} follows or loads`,
    unchecked: (_runner: string) => 'Too long, or nested too deep, to check',
  },
  unknownRunner: 'a plugin',
  problems: {
    brokenLink: (line: number, target: string) => `Line ${count(line)}: the link to “${target}” will lead nowhere.`,
    brokenLinkIn: (path: string, line: number, target: string) =>
      `${path}, line ${count(line)}: the link to “${target}” will lead nowhere.`,
    brokenEmbed: (line: number, target: string) => `Line ${count(line)}: the embed of “${target}” will be empty.`,
    brokenEmbedIn: (path: string, line: number, target: string) =>
      `${path}, line ${count(line)}: the embed of “${target}” will be empty.`,
    lostAnchor: (from: string, target: string) => `${from} links to “${target}”, which will be gone.`,
    unreadableProperties: 'Its properties will no longer be readable.',
    lostTask: (task: string) => `This task will be gone: ${task}`,
    unreadableCanvas: 'The canvas will no longer open.',
    caseTwin: (twin: string) =>
      `There is ${twin} already, which differs in upper and lower case alone. Windows, macOS and phones cannot hold both.`,
    conflictCopy: (copy: string) =>
      `A sync service stored another version of this note in “${copy}”. What is only there is not part of this change.`,
  },
  moreFindings: (number: number) => `${count(number)} more`,
  severities: { error: 'Danger', warning: 'Warning', note: 'Note' },

  said: {
    accepted: (what: string) => `Accepted: ${what}.`,
    rejected: (what: string) => `Rejected: ${what}.`,
    createdAgain: (what: string) => `Will be created again: ${what}.`,
    edited: (what: string) => `Changed: ${what}.`,
    applied: 'Applied.',
    rejectedAll: 'All changes are rejected.',
    undone: 'Undone.',
    redone: 'Applied again.',
  },
  commands: {
    apply: 'Apply the reviewed changes',
    reject: 'Reject the changes',
    undo: 'Undo the last applied changes',
  },
});
