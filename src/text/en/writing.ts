/** Words about writing: why a write is refused, and its outcome. Models read most of them as well. */

const lineList = (lines: readonly number[]): string =>
  lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(', ')}`;
const quoted = (paths: readonly string[]): string => paths.map((path) => `“${path}”`).join(', ');
const countedLines = (count: number): string => (count === 1 ? '1 line' : `${count} lines`);

export function writing() {
  return {
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
    noProperties: (path: string) => `“${path}” is not a note and has no properties.`,
    propertyMissing: (key: string, path: string) => `“${path}” has no property “${key}”.`,
    propertyMissingRemedy: 'There is nothing to remove.',

    refusedRemedy: 'Choose another path or another change.',
    kindRefused: (path: string) => `Files like “${path}” cannot be written.`,
    kindRefusedRemedy: 'Write only .md, .canvas, .base, .csv and .txt. Put other code in the answer.',
    kindUnchanged: (path: string) => `The move would change the file type of “${path}”.`,
    notOpenable: (path: string) =>
      `The text for “${path}” is not ${/\.base$/i.test(path) ? 'a base. A base is YAML' : 'a canvas. A canvas is JSON'}.`,
    placeTaken: (path: string) => `“${path}” already exists.`,
    placeTakenRemedy: 'Nothing was overwritten. Choose another name.',
    placeWaits: (path: string) => `“${path}” is free only after the user accepts the changes under review.`,
    mustRead: (path: string) => `You have not read “${path}” in this chat.`,
    mustReadRemedy: 'Read the note first, then make the change.',
    changedSinceRead: (path: string) => `“${path}” has changed since you read it.`,
    changedLines: (changeReport: string) => `It now reads:\n${changeReport}\nMake the change again on this text.`,
    changedAt: (line: number, text: string) => `from line ${line}:\n${text}`,
    changedBoth: (path: string) => `The same lines of “${path}”, or those around them, were changed elsewhere.`,
    changedBothRemedy: 'Nothing was written. Read it again, then make the change again.',
    mergeUnreadable: (path: string) =>
      `With what was changed in “${path}” since, Obsidian couldn’t read ${/\.md$/i.test(path) ? 'its properties' : 'it'}.`,
    changedUnderReviewRemedy:
      'Nothing was written. Ask the user to reject your change to it that is under review, then read the note again.',
    tooManyWrites: (limit: number) => `This turn has used all of its ${limit} writes.`,
    tooMuchText: (limit: number) => `This turn has written its maximum of ${limit} KB.`,
    tooManyDeletes: (limit: number) => `This turn has used all of its ${limit} deletions.`,
    sameFailure: (times: number) => `This same call has failed ${times} times.`,
    capRemedy: 'Do not retry. Tell the user what is left to do.',

    journalNotWritten: 'Couldn’t save a copy for undo, so nothing was changed.',
    journalRefused: (why: string) => `Couldn’t read or write the undo history: ${why}`,
    journalNotWrittenRemedy: 'Free up space on this device, then apply the changes again.',
    journalUnread:
      'Couldn’t read part of the undo history, so some earlier changes can’t be undone. Nothing was deleted.',
    journalUnreadRemedy: 'Let your sync service download all files of the vault, then restart Obsidian.',
    copyMissing: 'The copy of that version was deleted.',
    copyMissingRemedy: 'Copies are stored for 30 days and up to 200 MB. Check the trash, or Obsidian’s File recovery.',
    copyExpired: (path: string) => `The copy of “${path}” was deleted after 30 days.`,
    copyElsewhere: (path: string, device: string | null) =>
      `“${path}” was changed on another device${device === null ? '' : ` (${device})`}, and its copy for undo is not on this one.`,
    copyElsewhereRemedy: 'Undo it on that device, or try again after the vault has synced.',
    devices: { phone: 'a phone', tablet: 'a tablet', computer: 'a computer' },
    undoElsewhere: 'This change was made on another device, and its undo history is not on this one.',
    undoExpired: 'This change is no longer in the undo history.',
    writingElsewhere: (path: string) =>
      `Another device started to write “${path}” and hasn’t reported that it finished.`,
    writingElsewhereRemedy:
      'Nothing was written here. Open Docent on that device, or try again after the vault has synced.',
    tooLargeToKeep: (path: string, limit: string) =>
      `“${path}” is larger than ${limit}, so it can’t be copied for undo.`,
    tooLargeToKeepRemedy: 'To delete it, do so in Obsidian.',
    endUnknown: (path: string) => `A write to “${path}” was interrupted, so Docent doesn’t know what it contains now.`,
    endUnknownRemedy:
      'Both versions are saved. Run the command Show diagnostics to choose one. Until then, nothing else is written to this file.',
    leadsOut: (path: string) => `“${path}” leads to another place on the disk.`,
    leadsOutRemedy:
      'Its path contains a symbolic link, a file or folder that points to another place. Or its name looks like that of another file. Choose another path.',
    notApproved: (path: string) => `The change to “${path}” isn’t the one you approved.`,
    approvalExpired: 'The changes waited more than ten minutes to be written, so none was applied.',
    notApprovedRemedy: 'Review the changes again, then apply them.',

    undoUnknown: 'This change wasn’t found, so it can’t be undone.',
    undoneAlready: 'This change is already undone.',
    undoMovedSince: (path: string, place: string) => `“${path}” has since been moved to “${place}”.`,
    undoEditedSince: (path: string) => `“${path}” has since been edited, and undoing would lose those edits.`,
    undoClashes: (path: string) => `The same lines of “${path}”, or those around them, have since been edited.`,
    undoneByHand: (path: string) => `“${path}” no longer contains this change.`,
    undoMissing: (path: string) => `“${path}” was deleted or moved.`,
    undoOtherNote: (path: string) =>
      `“${path}” is no longer the file that was moved there, or most of it has been rewritten since.`,
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
    unlinkable:
      'Links to it will not work, because its name has #, ^, [ or ]. If notes should link to it, choose another name.',
    nothingLeft: 'This leaves it as it is on the disk, so no change waits for review.',
    busy: 'Docent is still working in this chat.',
    busyRemedy: 'Wait for the answer or stop it, then review the changes.',
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
    todosTitle: (done: number, all: number) => `To-dos: ${done} of ${all} done`,
    askTitle: (question: string) => `Ask: ${question}`,
    questionEmpty: 'The question is empty.',
    questionEmptyRemedy: 'Ask in one sentence.',
    planTitle: 'Present the plan',
    workspaceTitle: (name: string) => `Load workspace ${name}`,
    workspaceMissing: (id: string) => `The workspace “${id}” was not found.`,
    workspaceMissingRemedy: (names: readonly string[]) =>
      names.length === 0 ? 'Continue without one.' : `Use one of: ${names.join(', ')}.`,

    unsavedView: (path: string) => `“${path}” is open with unsaved changes.`,
    unsavedViewRemedy: 'Save or close it, then try again.',
    diskRefused: (path: string, why: string) => `Couldn’t read or write “${path}”: ${why}.`,
    diskRefusedRemedy: 'Close other programs that use the file, then try again.',
  };
}

/** Words about hidden notes and untrusted text. */
export function keeping() {
  return {
    appUnread:
      'Docent reads no notes: Obsidian’s settings (app.json) couldn’t be read, so it isn’t known which files they exclude. Send your message again in a moment, or restart Obsidian.',
    folders: 'Hidden folders',
    foldersDesc:
      'One folder per line. Docent never lists, searches, links to, or reads notes in them. To hide a single note, add the property “docent: false” to it.',
    foldersExample: 'Journal',
    tags: 'Hidden tags',
    tagsDesc: 'One tag per line. Notes with one of these tags, or with a nested tag, are hidden the same way.',
    tagsExample: '#private',
    clippings: 'Untrusted folders',
    clippingsDesc:
      'One folder per line, such as the folder for web clippings. Text by others may contain instructions to the model. After a chat reads such a note, you approve every change. Notes in folders such as Clippings, Readwise, Omnivore, Zotero, or Emails and notes with a web address in a property are always untrusted.',
    journal: 'Undo history',
    prune: 'Delete old copies',
    removeRetired: (devices: number) =>
      `Remove copies of ${devices === 1 ? 'an unused device' : `${devices} unused devices`}`,
    removeRetiredQuestion: ({ devices, bytes }: { readonly devices: number; readonly bytes: number }) => ({
      title: 'Remove copies of unused devices?',
      text:
        `${devices === 1 ? 'A device has' : `${devices} devices have`} changed nothing for 180 days. ` +
        `Their copies use ${Math.ceil(bytes / 1_000_000)} MB. After that, their changes can’t be undone on any device.`,
      action: 'Remove',
    }),
    nowHidden: (note: string) =>
      `“${note}” is now hidden from Docent. Chats that have read it still contain what they read.`,
    released: (note: string) =>
      `Docent can read “${note}” again, unless its folder or one of its tags is hidden in settings.`,
    notMarked: (note: string, detail: string) => `Couldn’t change the properties of “${note}”: ${detail}`,
    taintOfHook: (plugin: string) => `the plugin ${plugin}`,
    taintOfImage: 'an image',
    taintOfInvisible: (path: string) => `invisible characters in ${path}`,
    taintUnread: 'notes that may be untrusted (the list of untrusted notes couldn’t be read)',
    taintOfWritten: (path: string) => `${path}, written after reading untrusted text`,
    egressRefused: (source: string, passages: readonly string[]) =>
      `Not sent: this chat contains untrusted text from ${source}, and the call contains text of notes: ${passages
        .map((passage) => `“${passage}”`)
        .join(', ')}.`,
    egressRefusedRemedy: 'Leave that text out, or ask the user to write it in a message.',
    tainted: (source: string) => `Has read ${source}`,
    taintedDesc: (source: string) =>
      `This chat has read untrusted text from ${source}. You didn’t write it, so it may contain instructions to the model. You approve every change and every link to a new site, and page previews are off.`,
    startClean: 'Continue in a new chat without this text',
    ownFolder: 'Trust notes in this folder',
    othersFolder: 'Treat notes in this folder as untrusted',
    nowUntrusted: (name: string) => `“${name}” is now untrusted. After a chat reads it, you approve every change.`,
    said: 'Trusted and untrusted notes',
    saidDesc: (trusted: number, untrusted: number) =>
      trusted + untrusted === 0
        ? 'No decisions yet. To trust a note or folder, or to treat it as untrusted, use its menu in the file list. Decisions sync with your vault.'
        : `Trusted: ${trusted}. Untrusted: ${untrusted}. To change one, use its menu in the file list. Decisions sync with your vault.`,
    saidChange: 'Remove a decision',
    saidItem: { own: (path: string) => `${path} (trusted)`, others: (path: string) => `${path} (untrusted)` },
    owned: (note: string) => `“${note}” is trusted again. Chats that have already read it still treat it as untrusted.`,
  };
}
