/** Words about writing: why a write is refused, and its outcome. Models read most of them as well. */

const lineList = (lines: readonly number[]): string =>
  lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(', ')}`;
const quoted = (paths: readonly string[]): string => paths.map((path) => `“${path}”`).join(', ');
const countedLines = (count: number): string => (count === 1 ? '1 line' : `${count} lines`);

export const writing = () => ({
  notPlainText: (path: string) => `“${path}” is not plain UTF-8 text.`,
  notPlainTextRemedy: 'Only plain text can be changed here. Change it in its own app.',
  unwritable: 'The new text contains NUL or half characters, which a note cannot contain.',
  unwritableRemedy: 'Write the text again without them.',
  anchorEmpty: 'oldText is empty.',
  anchorEmptyRemedy: 'Copy the passage to replace into oldText.',
  anchorMissing: (path: string) => `oldText was not found in “${path}”.`,
  anchorMissingRemedy: 'Read the note again and copy the passage exactly.',
  anchorNear: (lines: readonly { readonly number: number; readonly text: string }[]) =>
    `Read the note again and copy the passage exactly. Nearest: ${lines.map(({ number, text }) => `line ${number}: ${text}`).join(' | ')}`,
  anchorSeveral: (path: string, count: number, lines: readonly number[]) =>
    `oldText occurs ${count} times in “${path}”: ${lineList(lines)}.`,
  anchorSeveralRemedy: 'Copy more of the text around the passage you mean, so that it occurs once.',
  nothingChanges: (path: string) => `This edit would not change “${path}”.`,
  nothingChangesRemedy: 'Give a newText that differs from oldText.',
  nothingToAdd: 'The text to add is empty.',
  nothingToAddRemedy: 'Give the lines to add.',
  headingMissing: (heading: string, path: string) => `“${path}” has no heading “${heading}”.`,
  headingMissingRemedy: (names: readonly string[]) =>
    names.length === 0 ? 'It has no headings. Append without one.' : `Use one of its headings: ${names.join('; ')}.`,
  headingSeveral: (heading: string, path: string, lines: readonly number[]) =>
    `“${path}” has the heading “${heading}” several times: ${lineList(lines)}.`,
  headingSeveralRemedy: 'Replace a passage in the section you mean instead.',
  propertyUnusable: (key: string) => `“${key}” cannot be set as a property.`,
  propertyUnusableRemedy: 'Use a name of one line. Its value is text, a number, true, false or a list of these.',
  propertiesUnreadable: (path: string) => `The properties of “${path}” cannot be changed safely as they are written.`,
  propertiesUnreadableRemedy: 'Leave them as they are and tell the user. You can still edit the text below them.',
  propertyMissing: (key: string, path: string) => `“${path}” has no property “${key}”.`,
  propertyMissingRemedy: 'There is nothing to remove.',

  refusedRemedy: 'Choose another path or another change.',
  kindRefused: (path: string) => `Files like “${path}” cannot be written.`,
  kindRefusedRemedy: 'Write only .md, .canvas, .base, .csv and .txt. Put other code in the answer.',
  kindUnchanged: (path: string) => `The move would change the file type of “${path}”.`,
  notCanvas: (path: string) => `The text for “${path}” is not a canvas. A canvas is JSON.`,
  placeTaken: (path: string) => `“${path}” already exists.`,
  placeTakenRemedy: 'Nothing was overwritten. Choose another name.',
  placeWaits: (path: string) => `“${path}” is free only after the user accepts the changes under review.`,
  mustRead: (path: string) => `You have not read “${path}” in this chat.`,
  mustReadRemedy: 'Read the note first, then make the change.',
  changedSinceRead: (path: string) => `“${path}” has changed since you read it.`,
  changedLines: (changeReport: string) => `It now reads:\n${changeReport}\nMake the change again on this text.`,
  changedAt: (line: number, text: string) => `from line ${line}:\n${text}`,
  changedBoth: (path: string) => `The same lines of “${path}” were changed elsewhere.`,
  changedBothRemedy: 'Nothing was written. Read it again, then make the change again.',
  tooManyWrites: (limit: number) => `This turn has used all of its ${limit} writes.`,
  tooMuchText: (limit: number) => `This turn has written its maximum of ${limit} KB.`,
  tooManyDeletes: (limit: number) => `This turn has used all of its ${limit} deletions.`,
  sameFailure: (times: number) => `This same call has failed ${times} times.`,
  capRemedy: 'Do not retry. Tell the user what is left to do.',

  journalNotWritten: 'Couldn’t save a copy for undo, so nothing was changed.',
  journalRefused: (why: string) => `Couldn’t read or write the undo history: ${why}`,
  journalNotWrittenRemedy: 'Free up space on this device, then apply the changes again.',
  copyMissing: 'The copy of that version is no longer there.',
  copyMissingRemedy:
    'Copies are kept for 30 days and up to 200 MB. Look in the trash, or in the file recovery of the app.',
  copyExpired: (path: string) => `The copy of “${path}” was deleted after 30 days.`,
  copyElsewhere: (path: string, device: string | null) =>
    `“${path}” was changed on another device${device === null ? '' : ` (${device})`}, and its copy for undo is not on this one.`,
  copyElsewhereRemedy: 'Undo it on that device, or try again after the vault has synced.',
  devices: { phone: 'a phone', tablet: 'a tablet', computer: 'a computer' },
  undoElsewhere: 'This change was made on another device, and its undo history is not on this one.',
  undoExpired: 'This change is no longer in the undo history.',
  writingElsewhere: (path: string) =>
    `Another device was writing “${path}” and has not finished, as far as is known here.`,
  writingElsewhereRemedy:
    'Nothing was written here. Open Docent on that device, or try again after the vault has synced.',
  tooLargeToKeep: (path: string, limit: string) => `“${path}” is larger than ${limit}, so no copy of it can be kept.`,
  tooLargeToKeepRemedy: 'Delete it by hand if it should go.',
  endUnknown: (path: string) => `It is not certain what “${path}” holds now.`,
  endUnknownRemedy:
    'Both versions are kept. One of them has to be chosen in the diagnostics before anything else is written to it.',
  leadsOut: (path: string) => `“${path}” leads out of this vault.`,
  leadsOutRemedy: 'Files behind a link to another folder cannot be written. Choose another path.',
  notApproved: (path: string) => `The change of “${path}” is not the one that was approved.`,
  approvalExpired: 'The changes waited for more than ten minutes to be written, so nothing of them was applied.',
  notApprovedRemedy: 'Look at the changes again and approve them.',

  undoUnknown: 'There is no such change to undo.',
  undoneAlready: 'This change is undone already.',
  undoMovedSince: (path: string, place: string) => `“${path}” has been moved to “${place}” since.`,
  undoEditedSince: (path: string) => `“${path}” has been edited since, and the edits would be lost.`,
  undoClashes: (path: string) => `The same lines of “${path}” have been edited since.`,
  undoneByHand: (path: string) => `“${path}” no longer holds this change.`,
  undoMissing: (path: string) => `“${path}” is no longer there.`,
  undoRemedy: 'Undo the later changes first, or change the note by hand.',

  logCreated: (path: string, lines: number) => `created ${path} (${countedLines(lines)})`,
  logEdited: (path: string, added: number, removed: number) => `edited ${path} (+${added} −${removed})`,
  logMoved: (from: string, to: string) => `moved ${from} to ${to}`,
  logDeleted: (path: string) => `deleted ${path}`,
  rejectedWhole: (path: string) => `The user rejected the change of “${path}”.`,
  rejectedMove: (path: string) => `The user rejected the move of “${path}”.`,
  rejectedParts: (path: string, parts: readonly (readonly [line: number, text: string])[]) =>
    `The user rejected parts of the change of “${path}”: ${parts.map(([line, text]) => `line ${line}: ${text}`).join(' | ')}.`,
  rejectedBecause: (reason: string) => `Reason: ${reason}`,

  denied: (path: string, mode: string) => `“${path}” cannot be changed in the permission mode ${mode}.`,
  deniedInPlan: 'In Plan mode, write only .md notes in the plans folder. Put this change into the plan.',
  deniedRemedy: 'Do not retry. Put the new text in the answer.',
  waitsForReview: 'Proposed. The file changes only after the user accepts it.',
  appliesNow: 'Applied.',
  busy: 'The agent is still at work in this chat.',
  busyRemedy: 'Wait for the answer or stop it, then look at the changes.',
  nothingWaits: 'No changes are waiting for review.',
  nothingWaitsRemedy: 'Ask for a change first.',
  reportApplied: (log: readonly string[]) => `The user accepted these changes; they are applied: ${log.join('; ')}.`,
  reportFailed: (path: string, why: string) =>
    `The user accepted the change of “${path}”, but it could not be applied: ${why}`,
  reportUndone: (paths: readonly string[]) => `The user undid the change of ${quoted(paths)}.`,
  reportRedone: (paths: readonly string[]) => `The user applied the change of ${quoted(paths)} again.`,

  noWrites: 'Nothing can be written in this chat.',
  createTitle: (note: string) => `Create ${note}`,
  editTitle: (note: string) => `Edit ${note}`,
  appendTitle: (note: string) => `Add to ${note}`,
  propertiesTitle: (note: string) => `Set properties of ${note}`,
  moveTitle: (note: string, path: string) => `Move ${note} to ${path}`,
  deleteTitle: (note: string) => `Delete ${note}`,
  rememberTitle: (fact: string) => `Remember: ${fact}`,
  factEmpty: 'The fact is empty.',
  factEmptyRemedy: 'Give the fact in one sentence.',
  todosTitle: (done: number, all: number) => `Steps: ${done} of ${all} done`,
  askTitle: (question: string) => `Ask: ${question}`,
  questionEmpty: 'The question is empty.',
  questionEmptyRemedy: 'Ask in one sentence.',
  planTitle: 'Present the plan',
  workspaceTitle: (name: string) => `Load workspace ${name}`,
  workspaceMissing: (id: string) => `The workspace “${id}” was not found.`,
  workspaceMissingRemedy: (names: readonly string[]) =>
    names.length === 0 ? 'Continue without one.' : `Use one of: ${names.join(', ')}.`,

  unsavedView: (path: string) => `“${path}” is open with changes that are not saved.`,
  unsavedViewRemedy: 'Save or close it, then try again.',
  diskRefused: (path: string, why: string) => `“${path}” could not be read or written (${why}).`,
  diskRefusedRemedy: 'Close whatever else uses the file, then try again.',
});

/** Words about hidden notes and untrusted text. */
export const keeping = () => ({
  folders: 'Folders kept from Docent',
  foldersDesc:
    'One folder a line. Nothing in them is listed, found, linked or read for an answer. A single note is kept out by the property “docent: false”.',
  foldersExample: 'Journal',
  tags: 'Tags kept from Docent',
  tagsDesc: 'One tag a line. The same holds for notes with one of these tags, or a tag below it.',
  tagsExample: '#private',
  clippings: 'Folders of clipped pages',
  clippingsDesc:
    'One folder per line. Docent treats these notes as untrusted, and so notes in folders such as Clippings, Readwise, Omnivore, Zotero, or Emails at any depth, and notes with a web address in a property. After a chat reads one, you approve every change.',
  journal: 'Copies for the undo',
  prune: 'Look and tidy up',
  removeRetired: (devices: number) =>
    `Remove those of ${devices === 1 ? 'an unused device' : `${devices} unused devices`}`,
  removeRetiredQuestion: ({ devices, bytes }: { readonly devices: number; readonly bytes: number }) => ({
    title: 'Remove copies of unused devices?',
    text:
      `${devices === 1 ? 'A device has' : `${devices} devices have`} changed nothing for 180 days. ` +
      `Their copies use ${Math.ceil(bytes / 1_000_000)} MB. Their changes can’t be undone any more then, on any device.`,
    action: 'Remove',
  }),
  keep: 'Hide this note from Docent',
  release: 'Let Docent read this note',
  nowHidden: (note: string) => `Docent no longer sees “${note}”. What a chat has read of it stays in that chat.`,
  released: (note: string) =>
    `Docent can see “${note}” again, unless its folder or one of its tags is kept in the settings.`,
  notMarked: (note: string, detail: string) => `The properties of “${note}” could not be changed. (${detail})`,
  taintOfHook: (plugin: string) => `the plugin ${plugin}`,
  taintOfImage: 'a picture',
  taintOfInvisible: (path: string) => `invisible characters in ${path}`,
  taintUnread: 'notes whose record in the agent folder couldn’t be read',
  taintOfWritten: (path: string) => `${path}, written with others’ text in view`,
  egressRefused: (source: string, passages: readonly string[]) =>
    `Not sent: this chat contains untrusted text from ${source}, and the call contains text of notes: ${passages
      .map((passage) => `“${passage}”`)
      .join(', ')}.`,
  egressRefusedRemedy: 'Leave that text out, or ask the user to write it in a message.',
  tainted: (source: string) => `Has read ${source}`,
  taintedDesc: (source: string) =>
    `This chat has text from ${source} in view, which others wrote. Every change is shown to you first, links are asked about, and previews are off.`,
  startClean: 'Go on in a new chat without it',
  own: 'Trust this note',
  ownFolder: 'Trust notes in this folder',
  others: 'Treat this note as untrusted',
  othersFolder: 'Treat notes in this folder as untrusted',
  nowUntrusted: (name: string) => `“${name}” counts as untrusted. After a chat reads it, you approve every change.`,
  said: 'Trusted and untrusted notes',
  saidDesc: (trusted: number, untrusted: number) =>
    trusted + untrusted === 0
      ? 'You decided about no note or folder. Use the menu of a note or folder to trust it, or to treat it as untrusted. Decisions sync with the vault.'
      : `You trust ${trusted} and treat ${untrusted} notes and folders as untrusted. Decisions sync with the vault.`,
  saidChange: 'Remove a decision',
  saidItem: { own: (path: string) => `${path} (trusted)`, others: (path: string) => `${path} (untrusted)` },
  owned: (note: string) => `“${note}” counts as your own text again. Chats that have read it stay as they are.`,
});
