/** The Editor API: what all editors share, independent of how they render. */
import type {
  EditorChange,
  EditorCommandName,
  EditorPosition,
  EditorRange,
  EditorSelection,
  EditorSelectionOrCaret,
  EditorTransaction,
} from 'obsidian';

export abstract class Editor {
  getDoc(): this {
    return this;
  }

  abstract refresh(): void;
  abstract getValue(): string;
  abstract setValue(content: string): void;
  abstract getLine(line: number): string;
  abstract lineCount(): number;
  abstract lastLine(): number;
  abstract getSelection(): string;
  abstract getRange(from: EditorPosition, to: EditorPosition): string;
  abstract replaceSelection(replacement: string, origin?: string): void;
  abstract replaceRange(replacement: string, from: EditorPosition, to?: EditorPosition, origin?: string): void;
  abstract getCursor(side?: 'from' | 'to' | 'head' | 'anchor'): EditorPosition;
  abstract listSelections(): EditorSelection[];
  abstract setSelection(anchor: EditorPosition, head?: EditorPosition): void;
  abstract setSelections(ranges: EditorSelectionOrCaret[], main?: number): void;
  abstract focus(): void;
  abstract blur(): void;
  abstract hasFocus(): boolean;
  abstract getScrollInfo(): { top: number; left: number };
  abstract scrollTo(x?: number | null, y?: number | null): void;
  abstract scrollIntoView(range: EditorRange, center?: boolean): void;
  abstract undo(): void;
  abstract redo(): void;
  abstract exec(command: EditorCommandName): void;
  abstract transaction(tx: EditorTransaction, origin?: string): void;
  abstract wordAt(pos: EditorPosition): EditorRange | null;
  abstract posToOffset(pos: EditorPosition): number;
  abstract offsetToPos(offset: number): EditorPosition;

  setLine(n: number, text: string): void {
    this.replaceRange(text, { line: n, ch: 0 }, { line: n, ch: this.getLine(n).length });
  }

  somethingSelected(): boolean {
    return this.getSelection().length > 0;
  }

  setCursor(pos: EditorPosition | number, ch = 0): void {
    this.setSelection(typeof pos === 'number' ? { line: pos, ch } : pos);
  }

  processLines<T>(
    read: (line: number, lineText: string) => T | null,
    write: (line: number, lineText: string, value: T | null) => EditorChange | void,
    ignoreEmpty = true,
  ): void {
    const [first, last] = [this.getCursor('from').line, this.getCursor('to').line];
    const changes: EditorChange[] = [];
    const values: { line: number; text: string; value: T | null }[] = [];
    for (let line = first; line <= last; line += 1) {
      const text = this.getLine(line);
      if (ignoreEmpty && first !== last && text.trim() === '') continue;
      values.push({ line, text, value: read(line, text) });
    }
    for (const { line, text, value } of values) {
      const change = write(line, text, value);
      if (change) changes.push(change);
    }
    if (changes.length > 0) this.transaction({ changes });
  }
}
