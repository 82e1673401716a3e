/** Words of the list of chats. */
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

export const chats = () => ({
  title: 'Chats',
  show: 'Show chats',
  openList: 'Open list of chats',
  close: 'Back to the chat',
  search: 'Search chats',
  searching: 'Searching…',
  reading: (read: number, all: number) => `Reading chats: ${grouped(read)} of ${grouped(all)}`,
  none: 'No chats yet. Each chat appears here after its first message.',
  noHits: 'No chat contains all of these words.',
  found: (count: number) => `${grouped(count)} ${count === 1 ? 'chat' : 'chats'} found`,
  recent: 'Recent chats',
  all: 'All chats',
  untitled: 'Untitled chat',
  more: (title: string) => `More actions for “${title}”`,

  titles: 'Titles by the model',
  titlesDesc:
    'After the first answer, a small request with your message and that answer asks the model of the chat for a title. Its price is part of the chat’s. Otherwise the title is the beginning of your message. A title of yours always stays.',

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
});

/** Words of what moves through a chat. */
export const find = () => ({
  command: 'Find in chat',
  count: (at: number, all: number, isCut: boolean) =>
    all === 0 ? 'Not found' : `${grouped(at)} of ${grouped(all)}${isCut ? '+' : ''}`,
  previous: 'Previous match',
  next: 'Next match',
  close: 'Close',
  previousQuestion: 'Go to previous question',
  nextQuestion: 'Go to next question',
  end: 'Go to end of chat',
});
