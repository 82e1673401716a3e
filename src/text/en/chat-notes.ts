/** Words of chats and answers that become notes. */
export const chatNotes = () => ({
  export: 'Export as note',
  exportCommand: 'Export chat as note',
  untitled: 'Chat',
  message: (number: number) => `Message ${number}`,
  answer: (number: number, model: string) => (model === '' ? `Answer ${number}` : `Answer ${number} (${model})`),
  attached: (links: readonly string[]) => `Attached: ${links.join(', ')}`,
  sources: (links: readonly string[]) => `Sources: ${links.join(', ')}`,
  summarised: 'From here on, the model saw a summary of the messages above.',
  lineLeftOut: '(A line is left out here: in a note, it would run or load something.)',
  leftOut: '(This text is left out: in a note, it would run or load something.)',

  mirror: 'Keep chats as notes',
  mirrorDesc: (folder: string) =>
    `After every answer, writes the chat to a note in ${folder} that you can read and link to. Docent never reads these notes. If you change a note, it stays as it is, and the chat continues in a new one.`,
  notMirrored: (problem: string) => `Couldn’t write the note of this chat. ${problem}`,

  insert: 'Insert at cursor',
  create: 'New note with this answer',
  append: 'Append to the open note',

  exported: (path: string) => `Exported to ${path}.`,
  inserted: (path: string) => `Inserted into ${path}.`,
  created: (path: string) => `Created ${path}.`,
  replaced: (path: string) => `Rewritten in ${path}.`,
  appended: (path: string) => `Appended to ${path}.`,
  undo: 'Undo',
  undone: (path: string) => `Undone in ${path}.`,
  open: 'Open',

  noNote: 'No note is open. Open the note that the text should go into.',
  noCursor: (path: string) =>
    `${path} is in reading view. Switch to editing view, and place the cursor where the text should go.`,
  hidden: (path: string) => `${path} is hidden from Docent, so Docent doesn’t write to it.`,
  inReview: (path: string) => `${path} has changes in review. Apply or reject them first.`,
  noChat: 'This chat has no messages yet.',
  changedSince: 'The note has changed since then.',
  changedSinceRemedy: 'Try again.',

  ask: (path: string) => `Write this to ${path}?`,
  askInstructs: 'This file gives Docent instructions.',
  askHosts: (hosts: readonly string[]) =>
    `This links to ${hosts.join(', ')}, and comes from text that you did not write.`,
  write: 'Write',
});
