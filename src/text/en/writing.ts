/** Words of the writing area: why a write is refused, and what became of it. Most are read by models as well. */

const lineList = (lines: readonly number[]): string =>
  lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(', ')}`;
const countedLines = (count: number): string => (count === 1 ? '1 line' : `${count} lines`);

export const writing = {
  notPlainText: (path: string) => `“${path}” is not plain UTF-8 text.`,
  notPlainTextRemedy: 'Files of other kinds are never rewritten; change it in its own app.',
  unwritable: 'The new text holds half characters or NUL, which no note can hold.',
  unwritableRemedy: 'Write the text again without them.',
  anchorEmpty: 'The old text is empty.',
  anchorEmptyRemedy: 'Copy the passage to replace from the note, or append to the note instead.',
  anchorMissing: (path: string) => `The old text does not stand in “${path}”.`,
  anchorMissingRemedy: 'Read the note again and copy the passage exactly.',
  anchorNear: (lines: readonly { readonly number: number; readonly text: string }[]) =>
    `Read the note again and copy the passage exactly. Nearest: ${lines.map(({ number, text }) => `line ${number}: ${text}`).join(' | ')}`,
  anchorSeveral: (path: string, count: number, lines: readonly number[]) =>
    `The old text stands ${count} times in “${path}”: ${lineList(lines)}.`,
  anchorSeveralRemedy: 'Take more of the text around the one place that is meant.',
  nothingChanges: (path: string) => `The edit leaves “${path}” as it is.`,
  nothingChangesRemedy: 'Give a new text that differs from the old one.',
  nothingToAdd: 'There is no text to add.',
  nothingToAddRemedy: 'Give the lines to add.',
  headingMissing: (heading: string, path: string) => `“${path}” has no heading “${heading}”.`,
  headingMissingRemedy: (names: readonly string[]) =>
    names.length === 0 ? 'It has no headings; append without one.' : `Its headings: ${names.join('; ')}.`,
  headingSeveral: (heading: string, path: string, lines: readonly number[]) =>
    `“${path}” has the heading “${heading}” several times: ${lineList(lines)}.`,
  headingSeveralRemedy: 'Use edit_note with the text around the place that is meant.',
  propertyUnusable: (key: string) => `“${key}” cannot be set as a property.`,
  propertyUnusableRemedy: 'Use a name in one line, and text, numbers, true, false or a list of these as its value.',
  propertiesUnclear: (path: string) =>
    `The properties of “${path}” are not written in a way that can be changed safely.`,
  propertiesUnclearRemedy: 'Leave them as they are and tell the user; the text below them can be edited.',
  propertyMissing: (key: string, path: string) => `“${path}” has no property “${key}”.`,
  propertyMissingRemedy: 'There is nothing to take away.',

  refusedRemedy: 'Choose another path or another change.',
  kindRefused: (path: string) => `“${path}” is not a kind of file that can be written.`,
  kindRefusedRemedy: 'Notes (.md), .canvas, .base, .csv and .txt can be. Give other code in the answer.',
  kindKept: (path: string) => `“${path}” would become another kind of file.`,
  notCanvas: (path: string) => `The text for “${path}” is not a canvas: a canvas is JSON.`,
  placeTaken: (path: string) => `There is a file at “${path}” already.`,
  placeTakenRemedy: 'Nothing was overwritten. Choose another name.',
  placeWaits: (path: string) => `“${path}” becomes free only when the changes that wait for review are applied.`,
  mustRead: (path: string) => `“${path}” has not been read in this conversation.`,
  mustReadRemedy: 'Read the note first, then make the change.',
  changedSinceRead: (path: string) => `“${path}” has changed since it was read.`,
  changedLines: (news: string) => `It now reads:\n${news}\nMake the change again on this text.`,
  changedAt: (line: number, text: string) => `from line ${line}:\n${text}`,
  changedBoth: (path: string) => `“${path}” was changed elsewhere, in the same place.`,
  changedBothRemedy: 'It was left as it is. Read it again and make the change anew.',
  tooManyWrites: (limit: number) => `This turn has used all of its ${limit} writes.`,
  tooMuchText: (limit: number) => `This turn has written as much as it may: ${limit} KB.`,
  tooManyDeletes: (limit: number) => `This turn has used all of its ${limit} deletions.`,
  sameFailure: (times: number) => `This very call has failed ${times} times.`,
  capRemedy: 'Stop here, and tell the user what is left to do.',

  journalNotWritten: 'No copy could be kept of what is there now, so nothing was changed.',
  journalNotWrittenRemedy: 'Free some space on this device, then apply the changes again.',
  copyGone: 'The copy of that version is no longer there.',
  copyGoneRemedy:
    'Copies are kept for 30 days and up to 200 MB. Look in the trash, or in the file recovery of the app.',
  tooLargeToKeep: (path: string, limit: string) => `“${path}” is larger than ${limit}, so no copy of it can be kept.`,
  tooLargeToKeepRemedy: 'Delete it by hand if it should go.',
  endUnknown: (path: string) => `It is not certain what “${path}” holds now.`,
  endUnknownRemedy: 'Both versions are kept. Choose one of them before anything else is written to it.',
  leadsOut: (path: string) => `“${path}” leads out of this vault.`,
  leadsOutRemedy: 'Files behind a link to another folder are not written.',
  notApproved: (path: string) => `The change of “${path}” is not the one that was approved.`,
  notApprovedRemedy: 'Look at the changes again and approve them.',

  undoUnknown: 'There is no such change to undo.',
  undoneAlready: 'This change is undone already.',
  undoMovedSince: (path: string, place: string) => `“${path}” has been moved to “${place}” since.`,
  undoEditedSince: (path: string) => `“${path}” has been edited since, and the edits would be lost.`,
  undoClashes: (path: string) => `The same lines of “${path}” have been edited since.`,
  undoneByHand: (path: string) => `“${path}” no longer holds this change.`,
  undoGone: (path: string) => `“${path}” is no longer there.`,
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
};
