/** Words of the review: what would change, what to check, and the actions. */
import { grouped } from './count';

const count = grouped;
const changes = (number: number): string => (number === 1 ? '1 change' : `${count(number)} changes`);
const notes = (number: number): string => (number === 1 ? '1 note' : `${count(number)} notes`);
const ofThem = (accepted: number, all: number): string =>
  accepted < all ? `${count(accepted)} of ${changes(all)}` : all === 1 ? '1 change' : `all ${changes(all)}`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const list = (names: readonly string[]): string => names.join(', ');

export function review() {
  return {
    region: 'Review of changes',
    waiting: (parts: number, files: number) => `${capital(changes(parts))} in ${notes(files)}`,
    applying: 'Applying…',
    applied: (files: number) => `Applied to ${notes(files)}`,
    appliedPartly: (applied: number, undone: number) => `Applied to ${notes(applied)}, undone in ${notes(undone)}`,
    appliedUnasked: 'Applied without review, because the permission mode is Auto-edit.',
    undone: (files: number) => `Undone in ${notes(files)}`,
    rejected: (files: number) => `Rejected: ${notes(files)}`,
    alsoRejected: (files: number) => `${notes(files)} rejected.`,
    reason: (text: string) => `Reason: ${text}`,
    running: 'You can apply changes once the answer is done.',

    bar: (parts: number) =>
      parts === 1 ? '1 change waits for your review' : `${count(parts)} changes wait for your review`,
    show: 'Review',
    apply: (accepted: number, all: number) => `Apply ${ofThem(accepted, all)}`,
    applyShort: (accepted: number, all: number) =>
      accepted < all ? `Apply ${count(accepted)} of ${count(all)}` : all === 1 ? 'Apply' : 'Apply all',
    nothingApplies: (number: number) =>
      number === 1
        ? 'You can’t apply this change as it is. The reason and your options are shown above.'
        : 'You can’t apply these changes as they are. The reasons and your options are shown above.',
    applyNothing: 'Apply',
    rejectAll: 'Reject all',
    rejectAllOf: (all: number) => `Reject ${ofThem(all, all)}`,
    acceptAll: 'Accept all',
    cancel: 'Cancel',
    why: 'Why not? (sent to the model)',
    whyOf: (name: string) => `Why reject the change to ${name}? (sent to the model)`,
    grant: 'Apply edits to this note without review until you close this chat',
    editFirst: 'Save or cancel your edit first, then apply.',
    openFirst: (number: number) =>
      number === 1
        ? 'One change was made after reading untrusted text, which you didn’t write. Open it before you apply.'
        : `${count(number)} changes were made after reading untrusted text, which you didn’t write. Open each one before you apply.`,

    steps: {
      create: 'New note',
      edit: 'Edited',
      move: 'Moved',
      delete: 'Deleted',
    },
    movedTo: (path: string) => `Moves to ${path}`,
    linksFollow: (number: number, canvases: number) => {
      if (canvases === 0) return number === 1 ? 'Updates 1 link' : `Updates links in ${notes(number)}`;
      const others = canvases === 1 ? '1 canvas' : `${count(canvases)} canvases`;
      return number === canvases
        ? `Updates cards in ${others}`
        : `Updates links in ${notes(number - canvases)} and ${others}`;
    },
    namedIn: (number: number) =>
      number === 1
        ? '1 file mentions the note in a way that Obsidian can’t update'
        : `${count(number)} files mention the note in a way that Obsidian can’t update`,
    linksBreak: (number: number) => `Obsidian is set not to update links, so links in ${notes(number)} will break.`,
    linkedFrom: 'Notes that link to it',
    linksUpdated: (number: number) => `Links in ${notes(number)} were updated.`,
    toTrash: 'Moves to the trash. Docent saves a copy for undo.',
    notText: 'This file isn’t text, so its content isn’t shown.',
    emptyNote: 'The note is empty.',
    onlyInvisible: 'Only characters that you can’t see change: line endings, or a mark at the start of the file.',
    found: 'This change was already made, on another device or by you. Nothing was written.',
    foundWithJournal: 'Applied on another device.',
    appliedElsewhere: (files: number) => `Applied to ${notes(files)} on another device or by you`,
    merged: 'Merged with changes made to the note since then.',
    altered: 'Another plugin changed the text while it was being saved.',

    missing: (path: string) => `${path} wasn’t found: it was deleted or moved.`,
    missingDeletion: (path: string) => `${path} is already deleted.`,
    createAgain: 'Create it again',
    createAgainOf: (name: string) => `Create ${name} again with the proposed text`,
    outdated: (path: string) =>
      `${path} was edited after this was proposed, so the change no longer fits. Nothing was written, and your text is unchanged.`,
    outdatedParts: 'To apply the rest, reject the parts that don’t fit.',
    outdatedDeletion: (path: string) => `${path} was edited after its deletion was proposed, so it wasn’t deleted.`,
    askAgain: 'Ask again',
    askAgainOf: (name: string) => `Reject the change to ${name}, and ask for it again on the current text`,
    askAgainReason: 'The note was edited in the meantime.',
    askAgainMessage: (path: string) =>
      `“${path}” was edited in the meantime. Read it again, then propose your change on its current text.`,
    reject: 'Reject',
    rejectOf: (name: string) => `Reject the change to ${name}`,
    movedSince: (path: string) => `The note was at ${path} when this was proposed. The change follows it.`,
    editOutdated: 'The proposed lines changed while you were editing them, so your text wasn’t saved.',
    editOutdatedRemedy:
      'Your text is still in the box. Copy what you need, then select Cancel to see the current lines.',

    accept: 'Accept',
    acceptOf: (what: string) => `Accept ${what}`,
    rejectedMark: 'Rejected',
    edit: 'Edit',
    editOf: (what: string) => `Edit ${what}`,
    editBox: (what: string) => `New text of ${what}`,
    save: 'Save',
    undo: 'Undo',
    undoAll: 'Undo all',
    undoOf: (name: string) => `Undo the change to ${name}`,
    redo: 'Redo',
    redoAll: 'Redo all',
    redoOf: (name: string) => `Redo the change to ${name}`,
    openNote: (name: string) => `Open ${name}`,
    changeOf: (step: string, name: string) => `${step}: ${name}`,
    unfold: (name: string) => `Show or hide the change to ${name}`,

    line: (from: number, to: number) => (to > from ? `Lines ${count(from)}–${count(to)}` : `Line ${count(from)}`),
    lineIn: (line: string, name: string) => `${line.charAt(0).toLowerCase()}${line.slice(1)} of ${name}`,
    move: 'the move',
    figures: (added: number, removed: number) =>
      [added > 0 ? `+${count(added)}` : '', removed > 0 ? `−${count(removed)}` : '']
        .filter((part) => part !== '')
        .join(' '),
    figuresSaid: (added: number, removed: number) =>
      `${added === 1 ? '1 line' : `${count(added)} lines`} added, ${count(removed)} removed`,
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
      activeContent: (runners: readonly string[]) => `Contains text that may run or load something: ${list(runners)}`,
      unchecked: 'Docent couldn’t check this text. Read it before you accept it.',
      remoteImage: (hosts: readonly string[]) => `Loads images from ${list(hosts)}`,
      newHost: (hosts: readonly string[]) => `New links to ${list(hosts)}`,
      carriedText: 'A new link contains text from your notes',
      largeRemoval: (percent: number) => `Removes ${percent}% of the text`,
      outsideMentioned: 'A note you didn’t name',
      outsideNote:
        'Needs your review: you didn’t attach this note to this chat. To let Auto-edit change it, attach it with @.',
      outsideFolder: (folder: string | null) =>
        folder === null
          ? 'Needs your review: this new note isn’t in a folder that you attached to this chat. Auto-edit adds notes only to folders you attach with @.'
          : `Needs your review: you didn’t attach the folder “${folder}” to this chat. To let Auto-edit add notes to it, attach it with @.`,
      tainted: (source: string) => `Made after reading untrusted text from ${source}`,
    },
    carried: 'Text that the website would get',
    active: {
      'code-block': (runner: string) => `A code block that ${runner} may run`,
      'inline-code': (runner: string) => `Inline code that ${runner} runs`,
      template: (runner: string) => `A template command that ${runner} runs`,
      html: (tag: string) => `An HTML tag: ${tag}`,
      'remote-image': (host: string) => `An image from ${host}`,
      scheme: (scheme: string) => `A link that begins with ${scheme}: and may open an app or run something`,
      'canvas-link': (_runner: string) => 'A card that loads a web page',
      'base-formula': (_runner: string) => 'A formula that adds HTML, loads an image, or opens a link',
      formula: (runner: string) => `A command that ${runner} runs or loads`,
      unchecked: (_runner: string) => 'Too long or too deeply nested to check',
    },
    unknownRunner: 'a plugin',
    problems: {
      brokenLink: (line: number, target: string) => `Line ${count(line)}: the link to “${target}” will be broken.`,
      brokenLinkIn: (path: string, line: number, target: string) =>
        `${path}, line ${count(line)}: the link to “${target}” will be broken.`,
      brokenEmbed: (line: number, target: string) => `Line ${count(line)}: the embed of “${target}” will be broken.`,
      brokenEmbedIn: (path: string, line: number, target: string) =>
        `${path}, line ${count(line)}: the embed of “${target}” will be broken.`,
      lostAnchor: (from: string, target: string) => `${from} links to “${target}”, which this change removes.`,
      unreadableProperties: 'Obsidian won’t be able to read its properties.',
      lostTask: (task: string) => `Removes this task: ${task}`,
      unreadableFile: 'Obsidian won’t be able to open this file.',
      caseTwin: (twin: string) =>
        `${twin} already exists and differs only in case. Windows, macOS, and mobile devices can’t store both.`,
      conflictCopy: (copy: string) =>
        `A sync service saved another version of this note as “${copy}”. This change doesn’t include its text.`,
    },
    morePaths: (number: number) => (number === 1 ? 'Show 1 more file' : `Show ${count(number)} more files`),
    moreFindings: (number: number) => `${count(number)} more`,
    morePassages: (number: number) => (number === 1 ? 'Show 1 more passage' : `Show ${count(number)} more passages`),
    severities: { error: 'Danger', warning: 'Warning', note: 'Note' },

    said: {
      accepted: (what: string) => `Accepted: ${what}.`,
      rejected: (what: string) => `Rejected: ${what}.`,
      askedAgain: (what: string) => `Rejected and asked for again: ${what}.`,
      createdAgain: (what: string) => `Will be created again: ${what}.`,
      edited: (what: string) => `Changed: ${what}.`,
      applied: 'Applied.',
      rejectedAll: 'All changes are rejected.',
      undone: 'Undone.',
      redone: 'Applied again.',
    },
  };
}
