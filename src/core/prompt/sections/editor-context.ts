/** The notes that the user has open, the cursor, and the selection, in full at first and then as changes (R189-R193). */
import { startOf } from '../../base/cut';
import type { Vault } from '../../ports/vault';
import type { EditorState } from '../../session/entry';
import { type Fact, section } from '../section';

type Cursor = NonNullable<EditorState['activeNote']>['cursor'];

interface ActiveFile {
  readonly path: string;
  readonly cursor?: NonNullable<Cursor>;
  readonly selectedText?: string;
}

interface OpenFiles {
  readonly activeFile: ActiveFile | null;
  readonly otherOpenFiles: readonly string[];
}

interface OpenFilesChange {
  readonly filesOpened?: readonly string[];
  readonly filesClosed?: readonly string[];
  /** Null if there is no active note anymore. */
  readonly activeFileChanged?: ActiveFile | null;
  readonly cursorMoved?: { readonly path: string; readonly cursor: Cursor };
  /** Empty text if nothing is selected anymore. */
  readonly selectionChanged?: { readonly path: string; readonly selectedText: string };
}

type EditorChanges =
  | { readonly kind: 'full'; readonly open: OpenFiles }
  | { readonly kind: 'changes'; readonly changes: OpenFilesChange };

/** Maximum characters of a selection; the model can read the note for the rest. */
const maxSelectionLength = 4_000;

/** What the user has open, or how it changed since the model last saw it (R189-R193). */
export const editorContext: Fact<EditorChanges | null> = {
  id: 'editor-context',
  gather: ({ vault, turn: { editor, knownEditor, seesOpenNotes = false } }) => {
    const now = withoutHidden(editor, vault);
    const known = withoutHidden(knownEditor, vault);
    // A note that was deleted, renamed, or hidden since then is not named again, so all that are open now are.
    const isMissing = openPaths(known).length < openPaths(knownEditor).length;
    // Without changes to send, an earlier message would go on to say what is open.
    const isOutdated = knownEditor === null && seesOpenNotes;
    return now !== null && (isMissing || isOutdated) ? allOpen(now) : editorChanges(now, known);
  },
};

/** The line above all open notes. */
const fullIntro = 'The notes that the user has open, for words such as "this note" or "here":';

/** Whether a text that was sent names all open notes, so that changes can follow it. */
export function hasAllOpenNotes(text: string): boolean {
  return text.includes(`${fullIntro}\n`);
}

export const editorContextSection = section({
  id: 'editor-context',
  tag: 'editor_context',
  zone: 'turn',
  buildOrder: 115,
  priority: 65,
  trim: 'tail',
  needs: { changes: editorContext },
  when: ({ changes }) => changes !== null,
  full: ({ changes }) => {
    if (changes === null) return [];
    return changes.kind === 'full'
      ? [`${fullIntro}\n${JSON.stringify(changes.open)}`]
      : [`Changes in the notes that the user has open:\n${JSON.stringify(changes.changes)}`];
  },
});

/** Returns what to send to the model; null if nothing changed. */
export function editorChanges(now: EditorState | null, known: EditorState | null): EditorChanges | null {
  if (now === null) return null;
  if (known !== null) {
    const changes = changesBetween(known, now);
    return Object.keys(changes).length === 0 ? null : { kind: 'changes', changes };
  }
  if (now.activeNote === null && now.otherOpenNotes.length === 0) return null;
  return allOpen(now);
}

function allOpen(now: EditorState): EditorChanges {
  return { kind: 'full', open: { activeFile: activeFile(now), otherOpenFiles: now.otherOpenNotes } };
}

/** Returns the state without notes that are hidden from the agent. */
export function withoutHidden(state: EditorState | null, vault: Pick<Vault, 'file'>): EditorState | null {
  if (state === null) return null;
  const isVisible = (path: string): boolean => vault.file(path) !== undefined;
  const { activeNote, otherOpenNotes } = state;
  return {
    activeNote: activeNote !== null && isVisible(activeNote.path) ? activeNote : null,
    otherOpenNotes: otherOpenNotes.filter(isVisible),
  };
}

function changesBetween(known: EditorState, now: EditorState): OpenFilesChange {
  const before = openPaths(known);
  const after = openPaths(now);
  const opened = after.filter((path) => !before.includes(path));
  const closed = before.filter((path) => !after.includes(path));
  return {
    ...(opened.length === 0 ? {} : { filesOpened: opened }),
    ...(closed.length === 0 ? {} : { filesClosed: closed }),
    ...activeChange(known.activeNote, now),
  };
}

function activeChange(known: EditorState['activeNote'], now: EditorState): OpenFilesChange {
  const { activeNote } = now;
  if (activeNote === null) return known === null ? {} : { activeFileChanged: null };
  if (activeNote.path !== known?.path) return { activeFileChanged: activeFile(now) };
  const { path, cursor, selectedText, selectedLength } = activeNote;
  const isSelected = selectedText === known.selectedText && selectedLength === known.selectedLength;
  const moved = cursor?.line !== known.cursor?.line || cursor?.character !== known.cursor?.character;
  return {
    ...(moved ? { cursorMoved: { path, cursor } } : {}),
    ...(isSelected ? {} : { selectionChanged: { path, selectedText: cut(selectedText, selectedLength) } }),
  };
}

function activeFile({ activeNote }: EditorState): ActiveFile | null {
  if (activeNote === null) return null;
  const { path, cursor, selectedText, selectedLength } = activeNote;
  return {
    path,
    ...(cursor === null ? {} : { cursor }),
    ...(selectedText === '' ? {} : { selectedText: cut(selectedText, selectedLength) }),
  };
}

function openPaths(state: EditorState | null): string[] {
  if (state === null) return [];
  const { activeNote, otherOpenNotes } = state;
  return [...new Set([...(activeNote === null ? [] : [activeNote.path]), ...otherOpenNotes])];
}

/** @param length characters of the whole selection */
function cut(text: string, length = text.length): string {
  if (length <= maxSelectionLength) return text;
  const shown = startOf(text, maxSelectionLength);
  return `${shown}… (${length - shown.length} more characters)`;
}
