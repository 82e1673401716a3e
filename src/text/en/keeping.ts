/** Words of what is kept from the agent, and of text that others wrote. */

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
    'One folder a line. Notes in them, and notes whose “source” or “url” is a web address, were written by others: once a chat has read one, every change is shown to you first.',
  journal: 'Copies for the undo',
  prune: 'Look and tidy up',
  keep: 'Keep this note from Docent',
  release: 'Let Docent read this note',
  kept: (note: string) => `Docent no longer sees “${note}”. What a chat has read of it stays in that chat.`,
  released: (note: string) =>
    `Docent can see “${note}” again, unless its folder or one of its tags is kept in the settings.`,
  notMarked: (note: string, detail: string) => `The properties of “${note}” could not be changed. (${detail})`,
  taintOfHook: (plugin: string) => `the plugin ${plugin}`,
  taintOfImage: 'a picture',
  taintOfInvisible: (path: string) => `invisible characters in ${path}`,
  taintOfWritten: (path: string) => `${path}, written with others’ text in view`,
  egressRefused: (source: string, passages: readonly string[]) =>
    `This chat has text from ${source} in view, and the call would take text of notes out of the vault: ${passages
      .map((passage) => `“${passage}”`)
      .join(', ')}.`,
  egressRefusedRemedy: 'Leave that text out, or ask the user to write it in a message.',
  tainted: (source: string) => `Has read ${source}`,
  taintedDesc: (source: string) =>
    `This chat has text from ${source} in view, which others wrote. Every change is shown to you first, links are asked about, and previews are off.`,
  startClean: 'Go on in a new chat without it',
  own: 'Take this note as my own',
  owned: (note: string) => `“${note}” counts as your own text again. Chats that have read it stay as they are.`,
});
