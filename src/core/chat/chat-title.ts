/** The title of a chat: one that was given, or else what its first message makes of it. */
import { oneLine } from '../markup/prose';
import type { SessionEntry } from '../session/entry';
import { findLast } from '../session/running-fold';
import type { TranscriptItem } from './transcript';

export interface ChatTitle {
  /** The user’s title, else the model’s, else the beginning of the first message; empty if there is none of them. */
  readonly title: string;
  /** Who gave the title; empty if it is the beginning of the first message, which can be edited. */
  readonly titledBy: '' | 'user' | 'model';
}

/** Returns the title of a chat with these entries. */
export function titleIn(entries: readonly SessionEntry[]): ChatTitle {
  const titles = entries.filter((entry) => entry.kind === 'title');
  const newest = (from: 'model' | undefined): string => oneLine(findLast(titles, ({ by }) => by === from)?.title ?? '');
  const [named, proposed] = [newest(undefined), newest('model')];
  if (named !== '') return { title: named, titledBy: 'user' };
  if (proposed !== '') return { title: proposed, titledBy: 'model' };
  const first = entries.find((entry) => entry.kind === 'user' && entry.text.trim() !== '');
  return { title: first?.kind === 'user' ? derivedTitle(first.text) : '', titledBy: '' };
}

/**
 * Returns the title of an open chat; empty if it has none yet.
 * @param shown what is shown of it; null before it was read
 * @param listed what the list of chats knows of it, which may be from before its first message was edited
 */
export function titleOfOpen(
  shown: { readonly items: readonly TranscriptItem[]; readonly isReading?: boolean } | null,
  listed: ChatTitle | null,
): string {
  const first = shown?.items.find((item) => item.type === 'user' && item.text.trim() !== '');
  const isNow = first?.type === 'user' && shown?.isReading !== true && (listed?.titledBy ?? '') === '';
  return isNow ? derivedTitle(first.text) : (listed?.title ?? '');
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
  const line = oneLine(plain);
  return line.length <= maxDerivedTitle ? line : `${line.slice(0, maxDerivedTitle - 1).trimEnd()}…`;
}
