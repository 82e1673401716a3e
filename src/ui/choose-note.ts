/** Lets the user choose a note of the vault by a few letters of its path. */
import { type App, type FuzzyMatch, FuzzySuggestModal } from 'obsidian';
import type { Vault } from '../core/ports/vault';
import { words } from '../text';

class NoteChooser extends FuzzySuggestModal<string> {
  private chosen: string | null = null;

  constructor(
    app: App,
    private readonly paths: readonly string[],
    private readonly done: (path: string | null) => void,
  ) {
    super(app);
    this.setPlaceholder(words.prompts.chooseNote);
  }

  getItems(): string[] {
    return [...this.paths];
  }

  getItemText(path: string): string {
    return path;
  }

  override selectSuggestion(match: FuzzyMatch<string>, event: MouseEvent | KeyboardEvent): void {
    // The window closes before it tells what was chosen.
    this.chosen = match.item;
    super.selectSuggestion(match, event);
  }

  onChooseItem(): void {}

  override onClose(): void {
    super.onClose();
    this.done(this.chosen);
  }
}

/** Null when none was chosen. */
export function chooseNote(app: App, vault: Vault): Promise<string | null> {
  const paths = vault.files().flatMap(({ kind, path }) => (kind === 'note' ? [path] : []));
  return new Promise((resolve) => new NoteChooser(app, paths, resolve).open());
}
