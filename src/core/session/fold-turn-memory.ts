/** What earlier turns of a chat have already told the model; it decides what the next one tells again. */
import type { EditorState } from '../editor-state';
import type { ModeId } from '../mode';
import type { SessionEntry } from './entry';

export interface TurnMemory {
  /** The mode whose template stands at the head of every request of this chat; null before the first turn (K4). */
  readonly headMode: ModeId | null;
  /** The mode of the last turn. */
  readonly lastMode: ModeId | null;
  /** The open notes as last told. */
  readonly editor: EditorState | null;
  /** Sections that have been sent with some message. */
  readonly sent: ReadonlySet<string>;
  /** Whether the last user message already has its texts around it, as when it is answered again. */
  readonly current: boolean;
}

export function foldTurnMemory(entries: readonly SessionEntry[]): TurnMemory {
  let headMode: ModeId | null = null;
  let lastMode: ModeId | null = null;
  let editor: EditorState | null = null;
  let current = false;
  const sent = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'user') current = false;
    if (entry.kind !== 'turn-zone') continue;
    current = true;
    headMode ??= entry.mode;
    lastMode = entry.mode;
    editor = entry.editor;
    for (const { section } of [...entry.before, ...entry.after]) sent.add(section);
  }
  return { headMode, lastMode, editor, sent, current };
}
