/** The probe's suggesters: two dialogs, one below a field, one in the editor. */
import {
  AbstractInputSuggest,
  type App,
  type Editor,
  type EditorPosition,
  EditorSuggest,
  type EditorSuggestContext,
  type EditorSuggestTriggerInfo,
  FuzzySuggestModal,
  SuggestModal,
  type TFile,
  type TFolder,
} from 'obsidian';

const WORDS = ['alder', 'beech', 'birch', 'cedar', 'chestnut'];

export class WordModal extends SuggestModal<string> {
  constructor(
    app: App,
    private readonly choose: (word: string) => void,
  ) {
    super(app);
    this.limit = 3;
    this.emptyStateText = 'No such tree.';
    this.setPlaceholder('A tree');
    this.setInstructions([{ command: '↵', purpose: 'to plant' }]);
  }

  async getSuggestions(query: string): Promise<string[]> {
    return WORDS.filter((word) => word.startsWith(query));
  }

  renderSuggestion(word: string, el: HTMLElement): void {
    el.createSpan({ cls: 'probe-tree', text: word });
  }

  onChooseSuggestion(word: string): void {
    this.choose(word);
  }
}

export class NoteModal extends FuzzySuggestModal<TFile> {
  constructor(
    app: App,
    private readonly choose: (file: TFile) => void,
  ) {
    super(app);
  }

  getItems(): TFile[] {
    return this.app.vault.getMarkdownFiles();
  }

  getItemText(file: TFile): string {
    return file.path;
  }

  onChooseItem(file: TFile): void {
    this.choose(file);
  }
}

export class FolderSuggest extends AbstractInputSuggest<TFolder> {
  protected getSuggestions(query: string): TFolder[] {
    return this.app.vault
      .getAllFolders(true)
      .filter((folder) => folder.path.toLowerCase().includes(query.toLowerCase()));
  }

  renderSuggestion(folder: TFolder, el: HTMLElement): void {
    el.setText(folder.path);
  }

  override selectSuggestion(folder: TFolder, event: MouseEvent | KeyboardEvent): void {
    super.selectSuggestion(folder, event);
    this.setValue(folder.path);
    this.close();
  }
}

/** Completes `;;word` in the editor. */
export class TokenSuggest extends EditorSuggest<string> {
  onTrigger(cursor: EditorPosition, editor: Editor): EditorSuggestTriggerInfo | null {
    const found = /;;(\w*)$/.exec(editor.getLine(cursor.line).slice(0, cursor.ch));
    if (!found) return null;
    return { start: { line: cursor.line, ch: found.index }, end: cursor, query: found[1] ?? '' };
  }

  getSuggestions(context: EditorSuggestContext): string[] {
    return WORDS.filter((word) => word.startsWith(context.query));
  }

  renderSuggestion(word: string, el: HTMLElement): void {
    el.setText(word);
  }

  selectSuggestion(word: string): void {
    const { context } = this;
    if (!context) return;
    context.editor.replaceRange(`${word} `, context.start, context.end);
    context.editor.setCursor({ line: context.start.line, ch: context.start.ch + word.length + 1 });
    this.close();
  }
}
