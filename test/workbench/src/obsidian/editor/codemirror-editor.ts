/** The Editor API over one CodeMirror 6 view. */
import {
  cursorCharLeft,
  cursorCharRight,
  cursorDocEnd,
  cursorDocStart,
  cursorGroupLeft,
  cursorGroupRight,
  cursorLineDown,
  cursorLineUp,
  deleteLine,
  indentLess,
  indentMore,
  insertNewlineAndIndent,
  moveLineDown,
  moveLineUp,
  redo,
  undo,
} from '@codemirror/commands';
import { foldAll, toggleFold, unfoldAll } from '@codemirror/language';
import { EditorSelection as Selection, type SelectionRange, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, type Command, type DecorationSet } from '@codemirror/view';
import type {
  EditorCommandName,
  EditorPosition,
  EditorRange,
  EditorRangeOrCaret,
  EditorSelection,
  EditorSelectionOrCaret,
  EditorTransaction,
} from 'obsidian';
import { Editor } from './editor';

const COMMANDS: Record<EditorCommandName, Command> = {
  goUp: cursorLineUp,
  goDown: cursorLineDown,
  goLeft: cursorCharLeft,
  goRight: cursorCharRight,
  goStart: cursorDocStart,
  goEnd: cursorDocEnd,
  goWordLeft: cursorGroupLeft,
  goWordRight: cursorGroupRight,
  indentMore,
  indentLess,
  newlineAndIndent: insertNewlineAndIndent,
  swapLineUp: moveLineUp,
  swapLineDown: moveLineDown,
  deleteLine,
  toggleFold,
  foldAll,
  unfoldAll,
};

const setHighlights = StateEffect.define<DecorationSet>();

/** Ranges that are lit up; part of the editor from the first of them on. */
const highlights = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, { changes, effects }) =>
    effects.reduce((set, effect) => (effect.is(setHighlights) ? effect.value : set), shown.map(changes)),
  provide: (field) => EditorView.decorations.from(field),
});

export class CodeMirrorEditor extends Editor {
  constructor(
    readonly cm: EditorView,
    /** The element that scrolls; CodeMirror itself grows with its text. */
    private readonly scrollEl: HTMLElement,
  ) {
    super();
  }

  private get main(): SelectionRange {
    return this.cm.state.selection.main;
  }

  /** Not declared, but there: the app lights up what a link leads to. */
  addHighlights(ranges: readonly { from: EditorPosition; to: EditorPosition }[], style: string): void {
    const marks = ranges
      .filter(({ from, to }) => this.posToOffset(from) < this.posToOffset(to))
      .map(({ from, to }) => Decoration.mark({ class: style }).range(this.posToOffset(from), this.posToOffset(to)));
    this.showHighlights(Decoration.set(marks, true));
  }

  removeHighlights(_style: string): void {
    this.showHighlights(Decoration.none);
  }

  private showHighlights(set: DecorationSet): void {
    const isKnown = this.cm.state.field(highlights, false) !== undefined;
    const effects: StateEffect<unknown>[] = isKnown ? [] : [StateEffect.appendConfig.of(highlights)];
    this.cm.dispatch({ effects });
    this.cm.dispatch({ effects: setHighlights.of(set) });
  }

  refresh(): void {
    this.cm.requestMeasure();
  }

  getValue(): string {
    return this.cm.state.doc.toString();
  }

  setValue(content: string): void {
    this.cm.dispatch({ changes: { from: 0, to: this.cm.state.doc.length, insert: content } });
  }

  getLine(line: number): string {
    const { doc } = this.cm.state;
    return line < 0 || line >= doc.lines ? '' : doc.line(line + 1).text;
  }

  lineCount(): number {
    return this.cm.state.doc.lines;
  }

  lastLine(): number {
    return this.cm.state.doc.lines - 1;
  }

  posToOffset(pos: EditorPosition): number {
    const { doc } = this.cm.state;
    if (pos.line < 0) return 0;
    if (pos.line >= doc.lines) return doc.length;
    const line = doc.line(pos.line + 1);
    return Math.min(line.from + Math.max(0, pos.ch), line.to);
  }

  offsetToPos(offset: number): EditorPosition {
    const { doc } = this.cm.state;
    const at = Math.max(0, Math.min(offset, doc.length));
    const line = doc.lineAt(at);
    return { line: line.number - 1, ch: at - line.from };
  }

  getSelection(): string {
    return this.cm.state.sliceDoc(this.main.from, this.main.to);
  }

  override somethingSelected(): boolean {
    return this.cm.state.selection.ranges.some((range) => !range.empty);
  }

  getRange(from: EditorPosition, to: EditorPosition): string {
    return this.cm.state.sliceDoc(this.posToOffset(from), this.posToOffset(to));
  }

  replaceSelection(replacement: string, origin?: string): void {
    this.cm.dispatch(this.cm.state.replaceSelection(replacement), { userEvent: origin ?? 'input' });
  }

  replaceRange(replacement: string, from: EditorPosition, to: EditorPosition = from, origin?: string): void {
    const changes = { from: this.posToOffset(from), to: this.posToOffset(to), insert: replacement };
    this.cm.dispatch({ changes, ...(origin === undefined ? {} : { userEvent: origin }) });
  }

  getCursor(side: 'from' | 'to' | 'head' | 'anchor' = 'head'): EditorPosition {
    return this.offsetToPos(this.main[side]);
  }

  listSelections(): EditorSelection[] {
    return this.cm.state.selection.ranges.map((range) => ({
      anchor: this.offsetToPos(range.anchor),
      head: this.offsetToPos(range.head),
    }));
  }

  setSelection(anchor: EditorPosition, head: EditorPosition = anchor): void {
    this.setSelections([{ anchor, head }]);
  }

  setSelections(ranges: EditorSelectionOrCaret[], main = 0): void {
    if (ranges.length === 0) return;
    const selection = Selection.create(
      ranges.map((range) =>
        Selection.range(this.posToOffset(range.anchor), this.posToOffset(range.head ?? range.anchor)),
      ),
      Math.min(main, ranges.length - 1),
    );
    this.cm.dispatch({ selection });
  }

  focus(): void {
    this.cm.focus();
  }

  blur(): void {
    this.cm.contentDOM.blur();
  }

  hasFocus(): boolean {
    return this.cm.hasFocus;
  }

  getScrollInfo(): { top: number; left: number } {
    return { top: this.scrollEl.scrollTop, left: this.scrollEl.scrollLeft };
  }

  scrollTo(x?: number | null, y?: number | null): void {
    if (typeof x === 'number') this.scrollEl.scrollLeft = x;
    if (typeof y === 'number') this.scrollEl.scrollTop = y;
  }

  scrollIntoView(range: EditorRange, center = false): void {
    const target = Selection.range(this.posToOffset(range.from), this.posToOffset(range.to));
    this.cm.dispatch({ effects: EditorView.scrollIntoView(target, { y: center ? 'center' : 'nearest' }) });
  }

  undo(): void {
    undo(this.cm);
  }

  redo(): void {
    redo(this.cm);
  }

  exec(command: EditorCommandName): void {
    COMMANDS[command](this.cm);
  }

  transaction(tx: EditorTransaction, origin?: string): void {
    const changes = (tx.changes ?? []).map((change) => ({
      from: this.posToOffset(change.from),
      to: this.posToOffset(change.to ?? change.from),
      insert: change.text,
    }));
    if (tx.replaceSelection !== undefined) {
      const { from, to } = this.main;
      changes.push({ from, to, insert: tx.replaceSelection });
    }
    this.cm.dispatch({ changes, ...(origin === undefined ? {} : { userEvent: origin }) });
    const selections = tx.selections ?? (tx.selection ? [tx.selection] : []);
    // A transaction's selection speaks of the text after its changes.
    if (selections.length > 0) this.setSelections(selections.map(toSelection));
  }

  wordAt(pos: EditorPosition): EditorRange | null {
    const range = this.cm.state.wordAt(this.posToOffset(pos));
    return range ? { from: this.offsetToPos(range.from), to: this.offsetToPos(range.to) } : null;
  }

  /** Where a position is drawn, for suggestion popovers. */
  coordsAtPos(pos: EditorPosition): { left: number; right: number; top: number; bottom: number } | null {
    return this.cm.coordsAtPos(this.posToOffset(pos));
  }
}

function toSelection(range: EditorRangeOrCaret): EditorSelectionOrCaret {
  return range.to ? { anchor: range.from, head: range.to } : { anchor: range.from };
}
