/** The title of a chat: one that was given, or else what its first message makes of it. */
import { startOf, startWithEllipsis, withoutHeapedMarks } from '../base/cut';
import { oneLine } from '../markup/prose';
import type { SessionEntry } from '../session/entry';
import { runningFold } from '../session/running-fold';
import type { TranscriptItem } from './transcript';

export interface ChatTitle {
  /** The user’s title, else the model’s, else the beginning of the first message; empty if there is none of them. */
  readonly title: string;
  /** Whether the user gave the title. */
  readonly isNamed: boolean;
}

/** Characters of a title. */
export const maxTitle = 200;
/** Control characters, what reorders a line or fills it unseen, and halves of surrogate pairs. */
const unseen =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u180e\u200b\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/gu;

/** Returns a title for a list, a tab, or a sentence, whoever wrote it: a chat may come by sync. */
function plainTitle(text: string): string {
  return startWithEllipsis(oneLine(withoutHeapedMarks(text.slice(0, 4 * maxTitle).replace(unseen, ' '))), maxTitle);
}

/** Returns the title that the user or the model gave a chat with these entries, the user’s first; empty for none. */
export function givenTitle(entries: readonly SessionEntry[]): string {
  const { user, model } = titlesIn(entries);
  return user || model;
}

const titlesIn = runningFold<SessionEntry, { readonly user: string; readonly model: string }>({
  start: () => ({ user: '', model: '' }),
  add: (titles, entry) =>
    entry.kind === 'title' ? { ...titles, [entry.by ?? 'user']: plainTitle(entry.title) } : titles,
});

/** Returns the title of a chat with these entries. */
export function titleIn(entries: readonly SessionEntry[]): ChatTitle {
  const first = entries.find((entry) => entry.kind === 'user' && entry.text.trim() !== '');
  const derived = first?.kind === 'user' ? derivedTitle(first.text) : '';
  return { title: givenTitle(entries) || derived, isNamed: titlesIn(entries).user !== '' };
}

/**
 * Returns the title of an open chat; empty if it has none yet.
 * @param shown what is shown of it, with the title that it was given; null before it was read
 * @param listed what the list of chats knows of it, which may be from before it was given a title, or its first message
 *   was edited
 */
export function titleOfOpen(
  shown: { readonly items: readonly TranscriptItem[]; readonly title?: string; readonly isReading?: boolean } | null,
  listed: Pick<ChatTitle, 'title'> | null,
): string {
  const known = listed?.title ?? '';
  if (shown === null || shown.isReading === true) return known;
  const first = shown.items.find((item) => item.type === 'user' && item.text.trim() !== '');
  return shown.title || (first?.type === 'user' ? derivedTitle(first.text) : known);
}

/** Characters. */
const maxDerivedTitle = 80;

/** A mention of a note, with the name or the other words by which Obsidian shows it. */
const mentionedNote = /\[\[(?:[^[\]|\n]*\/)?([^[\]|/\n]+)(?:\|([^[\]\n]+))?\]\]/g;

/** Returns the title of a chat that begins with this message, in which notes are named as Obsidian shows them. */
function derivedTitle(text: string): string {
  const plain = text
    .slice(0, 4 * maxDerivedTitle)
    .replace(mentionedNote, (_, name: string, shown?: string) => shown ?? name);
  const line = plainTitle(plain);
  return line.length <= maxDerivedTitle ? line : `${startOf(line, maxDerivedTitle - 1).trimEnd()}…`;
}
