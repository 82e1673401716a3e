/** What earlier turns of a chat have already told the model; it decides what the next one tells again. */
import { seenEntries } from '../request/history';
import type { ModeId } from '../settings/mode';
import type { EditorState, SessionEntry } from './entry';
import { summaryInForce } from './log-state';

/** Begins the keys of notes whose text was sent. */
export const noteKey = 'note:';

export interface TurnMemory {
  /** The mode whose template stands at the head of every request of this chat; null before the first turn (K4). */
  readonly headMode: ModeId | null;
  /** The mode of the last turn. */
  readonly lastMode: ModeId | null;
  /** The open notes as last told. */
  readonly editor: EditorState | null;
  /** Sections that have been sent with some message. */
  readonly sent: ReadonlySet<string>;
  /** Notes whose text stands in the requests of this chat, each with its fingerprint. */
  readonly notes: ReadonlyMap<string, string>;
  /** Whether the last user message already has its texts around it, as when it is answered again. */
  readonly current: boolean;
}

export function foldTurnMemory(entries: readonly SessionEntry[]): TurnMemory {
  let headMode: ModeId | null = null;
  let lastMode: ModeId | null = null;
  let editor: EditorState | null = null;
  let current = false;
  const sent = new Set<string>();
  const notes = new Map<string, string>();
  const summary = summaryInForce(entries);
  const seen = new Set(seenEntries(entries).map(({ id }) => id));
  for (const entry of entries) {
    // What was told before may be gone, so that it is told anew in full (R193, R216).
    if (entry.id === summary?.id) {
      editor = null;
      sent.clear();
    }
    if (entry.kind === 'user') current = false;
    if (entry.kind === 'prompt-rebuilt') [headMode, lastMode] = [entry.headMode, entry.mode];
    if (entry.kind !== 'turn-zone') continue;
    current = true;
    headMode ??= entry.mode;
    lastMode = entry.mode;
    editor = entry.editor;
    for (const { section } of [...entry.before, ...entry.after]) sent.add(section);
    // What a summary took or was left out is not told any more.
    if (!seen.has(entry.id)) continue;
    for (const [key, print] of Object.entries(entry.told ?? {})) {
      if (key.startsWith(noteKey)) notes.set(key.slice(noteKey.length), print);
    }
  }
  return { headMode, lastMode, editor, sent, notes, current };
}
