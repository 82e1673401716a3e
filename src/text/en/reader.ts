/** Words of the reader area: what the built-in reader says around the passages it quotes. */

const notes = (count: number): string => (count === 1 ? '1 note' : `${count} notes`);

export const reader = () => ({
  label: 'Built-in reader (no model, no key)',
  honest: 'I quote your notes as they stand; I am not a language model.',
  introduction:
    'I am the built-in reader. Ask me something and I search your vault and quote the passages that fit, with links. ' +
    'I can also list a folder, outline a note or summarise one by its own sentences.',
  leadOne: (title: string) => `This is what “${title}” has on it.`,
  leadSeveral: (passages: number, count: number) =>
    `I found ${passages} passages in ${notes(count)}, the closest first.`,
  leadAttached: 'This is from the notes you attached.',
  leadSummary: (title: string) => `This is “${title}” in its own sentences.`,
  summaryPart: 'Only the first part of the note was read; it is too long to read at once.',
  leadOutline: (title: string, count: number) =>
    count === 1 ? `“${title}” has one heading.` : `“${title}” has ${count} headings.`,
  noHeadings: (title: string) => `“${title}” has no headings.`,
  outlinePart: 'There are more headings than fit one look.',
  leadFolder: (folder: string) => `This is in “${folder}”.`,
  leadVault: 'This is at the top of your vault.',
  folderEmpty: (folder: string) => `“${folder}” is empty.`,
  vaultEmpty: 'Your vault is empty.',
  folderPart: 'There are more entries than fit one look.',
  countedNotes: (count: number) => notes(count),
  noteEmpty: (title: string) => `“${title}” is empty.`,
  nothing: 'I found nothing on that in your vault.',
  nothingAttached: 'I found nothing on that in the notes you attached, and nothing in your vault.',
  lookedFor: (list: readonly string[]) => `I looked for: ${list.join(', ')}.`,
  unread: (count: string) => `${count} of the notes could not be read, so I could not look there.`,
  noTools: 'I was given no way to search your vault, and nothing in the attached notes fits.',
  noQuestion: 'There is no question to answer.',
  searchFailed: (answer: string) => `The search did not work: ${answer}`,
  brokenRemedy: 'Ask again in a new chat, and report it if it happens again.',
  unclearResult: 'The search gave an answer that I cannot read.',
});
