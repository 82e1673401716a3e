/** Opens notes, and what an answer cites: the note with the quoted lines in view, which light up for a moment. */
import { type App, type Editor, type EditorPosition, getLinkpath, MarkdownView, Notice, type TFile } from 'obsidian';
import { words } from '../../text';
import { confirmOtherApp } from './dialogs';

/** Milliseconds. */
const flashFor = 2_000;
/** Letters by which the ends of a quote are found that is not in the note as a whole. */
const endLength = 60;

/**
 * Opens what a link names, and returns whether it did. A notice says that it is missing, since Obsidian would create it;
 * the user is asked about what Obsidian would hand to another program.
 */
export async function openLink(app: App, linkText: string, newTab: boolean): Promise<boolean> {
  const path = getLinkpath(linkText);
  const file = app.metadataCache.getFirstLinkpathDest(path, '') ?? app.vault.getFileByPath(path);
  if (file === null) {
    new Notice(words.render.noteMissing(linkText));
    return false;
  }
  if (!showsItself(app, file) && !(await confirmOtherApp(app, file.path))) return false;
  await app.workspace.openLinkText(linkText, '', newTab);
  return true;
}

/** What the app shows without a plugin. */
const shownTypes =
  /^(?:md|canvas|base|pdf|avif|bmp|gif|jpe?g|png|svg|webp|3gp|flac|m4a|mp3|ogg|wav|webm|mkv|mov|mp4|ogv)$/i;

/**
 * Whether the app shows a file in a view. Any other goes to the program that the device has for it, which runs it if it
 * is a script. What plugins show is in a registry that is no public API.
 */
function showsItself(app: App, { extension }: TFile): boolean {
  const { viewRegistry } = app as { viewRegistry?: { isExtensionRegistered?(extension: string): boolean } };
  return viewRegistry?.isExtensionRegistered?.(extension) ?? shownTypes.test(extension);
}

/** Opens the note, and shows where the quote is in it; if it is not there any more, only the note. */
export async function openCitation(app: App, linkText: string, newTab: boolean, quoted: string): Promise<void> {
  if (!(await openLink(app, linkText, newTab))) return;
  const view = app.workspace.getActiveViewOfType(MarkdownView);
  const lines = view === null ? null : findQuote(view.getViewData(), quoted);
  if (view === null || lines === null) return;
  // Reading view scrolls to a line and lights it up by itself.
  if (view.getMode() === 'preview') return view.setEphemeralState({ line: lines.from });
  const { editor } = view;
  const range = { from: { line: lines.from, ch: 0 }, to: { line: lines.to, ch: editor.getLine(lines.to).length } };
  editor.scrollIntoView(range, true);
  flash(editor, range);
}

interface Highlighting {
  addHighlights(ranges: { from: EditorPosition; to: EditorPosition }[], style: string, replaces: boolean): void;
  removeHighlights(style: string): void;
}

/** The app's highlights are no public API; without them, the lines are selected. */
function flash(editor: Editor, range: { from: EditorPosition; to: EditorPosition }): void {
  if (!highlights(editor)) return editor.setSelection(range.from, range.to);
  editor.addHighlights([range], 'is-flashing', true);
  window.setTimeout(() => editor.removeHighlights('is-flashing'), flashFor);
}

function highlights(editor: Editor): editor is Editor & Highlighting {
  return 'addHighlights' in editor && 'removeHighlights' in editor;
}

/** Returns the zero-based lines of a note that a quote was drawn from; null if they are not found. */
export function findQuote(text: string, quoted: string): { readonly from: number; readonly to: number } | null {
  const wanted = lettersOf(quoted);
  if (wanted === '') return null;
  const lines = text.split('\n').map(lettersOf);
  const whole = lines.join('');
  const start = indexIn(whole, wanted, wanted.slice(0, endLength), 0);
  if (start === -1) return null;
  const end = indexIn(whole, wanted, wanted.slice(-endLength), start);
  const last = whole.startsWith(wanted, start)
    ? start + wanted.length
    : end === -1
      ? start + Math.min(wanted.length, endLength)
      : end + Math.min(wanted.length, endLength);
  return { from: lineAt(lines, start), to: lineAt(lines, last - 1) };
}

function indexIn(whole: string, wanted: string, part: string, from: number): number {
  const at = whole.indexOf(wanted, from);
  return at === -1 ? whole.indexOf(part, from) : at;
}

/** Returns the line that has the letter at an offset within all of them. */
function lineAt(lines: readonly string[], offset: number): number {
  let left = offset;
  return lines.findIndex((line) => (left -= line.length) < 0);
}

/** Returns the letters and digits that are drawn of Markdown: no marks, and no destinations of links. */
function lettersOf(markdown: string): string {
  return markdown
    .replace(/\]\([^()\n]{0,2000}\)/g, '')
    .replace(/\[\[[^[\]|\n]{1,500}\|/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}
