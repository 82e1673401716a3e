/** Words of the list of chats, of what moves through one, and of chats and answers that become notes. */
import { grouped } from './count';

/** Of a day in the list, relative to today. */
const dayOnly: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const withYear: Intl.DateTimeFormatOptions = { ...dayOnly, year: 'numeric' };
const timeOnly: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
const formats = new Map<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>();

/** One formatter serves all: making one takes longer than its work. */
function format(options: Intl.DateTimeFormatOptions, time: number): string {
  const known = formats.get(options) ?? new Intl.DateTimeFormat('en-GB', options);
  formats.set(options, known);
  return known.format(time);
}

export function chats() {
  return {
    title: 'Chats',
    close: 'Back to the chat',
    search: 'Search chats',
    searching: 'Searching…',
    reading: (read: number, all: number) => `Reading chats: ${grouped(read)} of ${grouped(all)}`,
    none: 'No chats yet. Each chat appears here after its first message.',
    noneDeleted: 'No deleted chats.',
    noHits: 'No chat contains all of these words.',
    found: (count: number) => `${grouped(count)} ${count === 1 ? 'chat' : 'chats'} found`,
    recent: 'Recent chats',
    all: 'All chats',
    untitled: 'Untitled chat',
    more: (title: string) => `More actions for “${title}”`,

    titles: 'Titles by the model',
    titlesDesc:
      'After the first answer, Docent sends your message and that answer to the chat’s model again to get a title. The cost counts toward the chat. If off, the title is the beginning of your message. Titles that you enter are never replaced.',

    openTab: 'Open in new tab',
    openWindow: 'Open in new window',
    rename: 'Rename',
    newTitle: 'Title of the chat',
    pin: 'Pin',
    unpin: 'Unpin',
    delete: 'Delete',
    deleted: (title: string) => `“${title}” was deleted.`,
    undo: 'Undo',
    deletedChats: (count: number) => `Deleted chats (${grouped(count)})`,
    restore: 'Restore',
    trash: 'Move files to trash',
    trashTitle: 'Move the files of this chat to the trash?',
    trashText: (title: string) =>
      `The messages and images of “${title}” move to the trash. You can still undo its changes to notes.`,
    notTrashed: (detail: string) => `Couldn’t move the chat’s files to the trash: ${detail}`,
    notTrashedRemedy: 'Its folder may be open in another program. Try again, or delete the folder yourself.',
    noFolder: 'its folder wasn’t found',
    notListed: (folders: readonly string[], detail: string) => {
      const named = folders.slice(0, 3).map((folder) => `“${folder}”`);
      const more = folders.length - named.length;
      const all = [...named, ...(more === 0 ? [] : [`${grouped(more)} more`])].join(', ');
      return `Couldn’t list the files of ${folders.length === 1 ? 'a chat' : 'some chats'}: ${all}. (${detail})`;
    },
    notListedRemedy: 'The other chats are listed. Check that the folder is on this device and that you may read it.',

    /** The day of a time, as its distance from now suggests. */
    day: (time: number, now: number) => {
      const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(time).setHours(0, 0, 0, 0)) / 86_400_000);
      if (days === 0) return format(timeOnly, time);
      if (days === 1) return 'Yesterday';
      return format(new Date(time).getFullYear() === new Date(now).getFullYear() ? dayOnly : withYear, time);
    },
    messages: (count: number) => `${grouped(count)} ${count === 1 ? 'message' : 'messages'}`,
    goal: (text: string) => `Goal: ${text}`,
    damaged: (count: number) => `${grouped(count)} ${count === 1 ? 'line' : 'lines'} can’t be read`,
    newer: 'partly written by a newer version of Docent',
  };
}

/** Words of what moves through a chat. */
export function find() {
  return {
    count: (at: number, all: number, isCut: boolean) =>
      all === 0 ? 'Not found' : `${grouped(at)} of ${grouped(all)}${isCut ? '+' : ''}`,
    previous: 'Previous match',
    next: 'Next match',
    close: 'Close',
  };
}

/** Words of chats and answers that become notes. */
export function chatNotes() {
  return {
    export: 'Export as note',
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
  };
}
