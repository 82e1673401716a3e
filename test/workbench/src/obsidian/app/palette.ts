/** The command palette and the quick switcher. */
import type { FuzzyMatch } from 'obsidian';
import { Keymap } from '../base/scope';
import { prepareFuzzySearch, renderResults, sortSearchResults } from '../index/search';
import type { TFile } from '../vault/files';
import { setIcon } from '../controls/icons';
import { FuzzySuggestModal, SuggestModal } from '../suggest/suggest';
import type { App } from './app';
import { describeHotkey, type Command } from './commands';

export class CommandPalette extends FuzzySuggestModal<Command> {
  private readonly host: App;

  constructor(app: App) {
    super(app);
    this.host = app;
    this.modalEl.addClass('mod-command-palette');
    this.setPlaceholder('Select a command...');
    this.setInstructions([
      { command: '↑↓', purpose: 'to navigate' },
      { command: '↵', purpose: 'to use' },
      { command: 'esc', purpose: 'to dismiss' },
    ]);
  }

  getItems(): Command[] {
    const { commands } = this.host;
    const rank = (command: Command): number => {
      const index = commands.recent.indexOf(command.id);
      return index < 0 ? Number.MAX_SAFE_INTEGER : index;
    };
    return commands.listCommands().sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  }

  getItemText(command: Command): string {
    return command.name;
  }

  override renderSuggestion(match: FuzzyMatch<Command>, el: HTMLElement): void {
    el.addClass('mod-complex');
    const title = el.createDiv('suggestion-content').createDiv('suggestion-title');
    renderResults(title, match.item.name, match.match);
    const aux = el.createDiv('suggestion-aux');
    for (const hotkey of match.item.hotkeys ?? []) {
      aux.createEl('kbd', { cls: 'suggestion-hotkey', text: describeHotkey(hotkey) });
    }
  }

  onChooseItem(command: Command): void {
    this.host.commands.executeCommand(command);
  }
}

interface FoundFile {
  file: TFile | null;
  /** The name to create when no file is meant. */
  text: string;
  match: { score: number; matches: [number, number][] };
}

const MOST_SHOWN = 50;

export class QuickSwitcher extends SuggestModal<FoundFile> {
  private readonly host: App;

  constructor(app: App) {
    super(app);
    this.host = app;
    this.modalEl.addClass('mod-quick-switcher');
    this.setPlaceholder('Find or create a note...');
    this.setInstructions([
      { command: '↑↓', purpose: 'to navigate' },
      { command: '↵', purpose: 'to open' },
      { command: 'ctrl ↵', purpose: 'to open in new tab' },
      { command: 'shift ↵', purpose: 'to create' },
      { command: 'esc', purpose: 'to dismiss' },
    ]);
    this.scope.register(['Mod'], 'Enter', (event) => {
      this.selectActiveSuggestion(event);
      return false;
    });
    this.scope.register(['Shift'], 'Enter', (event) => {
      this.close();
      void this.onChooseSuggestion({ file: null, text: this.inputEl.value, match: { score: 0, matches: [] } }, event);
      return false;
    });
  }

  getSuggestions(query: string): FoundFile[] {
    const { vault, workspace } = this.host;
    const nothing = { score: 0, matches: [] as [number, number][] };
    if (query.trim() === '') {
      const recent = workspace.getLastOpenFiles().map((path) => vault.getFileByPath(path));
      const files = recent.filter((file): file is TFile => file !== null);
      return files.map((file) => ({ file, text: this.describe(file), match: nothing }));
    }
    const search = prepareFuzzySearch(query);
    const found: FoundFile[] = [];
    for (const file of vault.getFiles()) {
      const text = this.describe(file);
      const match = search(text);
      if (!match) continue;
      // A name that matches is meant before a folder that does.
      const inName = (match.matches[0]?.[0] ?? 0) > text.lastIndexOf('/');
      found.push({ file, text, match: inName ? match : { ...match, score: match.score - 1 } });
    }
    sortSearchResults(found);
    const shown = found.slice(0, MOST_SHOWN);
    return shown.length > 0 ? shown : [{ file: null, text: query, match: nothing }];
  }

  private describe(file: TFile): string {
    return file.extension === 'md' ? file.path.slice(0, -3) : file.path;
  }

  renderSuggestion(found: FoundFile, el: HTMLElement): void {
    el.addClass('mod-complex');
    const content = el.createDiv('suggestion-content');
    const title = content.createDiv('suggestion-title');
    if (!found.file) {
      title.setText(found.text);
      el.createDiv('suggestion-aux').createSpan({ cls: 'suggestion-action', text: 'Enter to create' });
      return;
    }
    const slash = found.text.lastIndexOf('/') + 1;
    renderResults(title, found.text.slice(slash), found.match, -slash);
    if (slash > 0) {
      const note = content.createDiv('suggestion-note');
      setIcon(note.createSpan('suggestion-flair'), 'folder');
      note.createSpan({ text: ` ${found.text.slice(0, slash - 1)}` });
    }
  }

  async onChooseSuggestion(found: FoundFile, event: MouseEvent | KeyboardEvent): Promise<void> {
    const { workspace } = this.host;
    const leafType = Keymap.isModEvent(event);
    if (found.file) await workspace.getLeaf(leafType).openFile(found.file);
    else if (found.text.trim()) await workspace.openLinkText(found.text.trim(), '', leafType);
  }
}
