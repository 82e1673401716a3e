/** The user's marks on a note: hidden from Docent, by the property that the fence reads, and trusted. */
import { type App, Notice, type Plugin, type TAbstractFile, TFile, TFolder } from 'obsidian';
import { messageOf } from '../core/ports/failure';
import { isMarkedHidden, hiddenProperty } from '../core/writing/guard/fence';
import type { Provenance } from '../core/writing/guard/provenance';
import { words } from '../text';

/** What the interface asks of whose text notes are. */
export interface NoteProvenance extends Pick<Provenance, 'keep' | 'say' | 'saidOf'> {
  /** Whether a note counts as untrusted, for any reason. */
  has(path: string): boolean;
}

export class NoteMarks {
  constructor(
    private readonly app: App,
    private readonly notes: NoteProvenance,
  ) {}

  /** Whether the active note can be marked so; false if it already is, and if there is no active note. */
  canSetHidden(hidden: boolean): boolean {
    const note = this.activeNote;
    return note !== null && this.isMarked(note) !== hidden;
  }

  /** Marks the active note, and shows a notice that says what that means. */
  async setHidden(hidden: boolean): Promise<void> {
    const file = this.app.workspace.getActiveFile();
    if (file !== null) await this.mark(file, hidden);
  }

  /** Whether the active note counts as untrusted. */
  isUntrusted(): boolean {
    const file = this.app.workspace.getActiveFile();
    return file !== null && this.notes.has(file.path);
  }

  /** Whether the active note counts as the user's own. */
  isTrusted(): boolean {
    return this.activeNote !== null && !this.isUntrusted();
  }

  /** Trusts the active note, which the user has open (rules 6.9). */
  trust(): void {
    const file = this.app.workspace.getActiveFile();
    if (file !== null) this.trustFile(file);
  }

  /** Treats the active note as untrusted from now on. */
  distrust(): void {
    const file = this.app.workspace.getActiveFile();
    if (file !== null) this.distrustFile(file);
  }

  /** Offers for each note to hide or to show it, whichever it is not. */
  registerHideMenu(plugin: Plugin, section: string): void {
    plugin.registerEvent(
      this.app.workspace.on('file-menu', (menu, file: TAbstractFile) => {
        if (!isNote(file)) return;
        const hidden = !this.isMarked(file);
        menu.addItem((item) =>
          item
            .setSection(section)
            .setTitle(words.commandNames[hidden ? 'keep-note' : 'release-note'])
            .setIcon(hidden ? 'eye-off' : 'eye')
            .onClick(() => void this.mark(file, hidden)),
        );
      }),
    );
  }

  /** Offers for each note and folder to trust it or not, whichever it does not count as now. */
  registerTrustMenu(plugin: Plugin, section: string): void {
    const { ownFolder, othersFolder } = words.keeping;
    plugin.registerEvent(
      this.app.workspace.on('file-menu', (menu, file: TAbstractFile) => {
        const isFolder = file instanceof TFolder && !file.isRoot();
        if (!isFolder && !isNote(file)) return;
        const add = (title: string, icon: string, act: () => void): void =>
          void menu.addItem((item) => item.setSection(section).setTitle(title).setIcon(icon).onClick(act));
        const { 'take-note': own, 'distrust-note': others } = words.commandNames;
        const said = isFolder ? this.notes.saidOf(file.path) : this.notes.has(file.path) ? 'others' : 'own';
        if (said !== 'own') add(isFolder ? ownFolder : own, 'shield-check', () => this.trustFile(file));
        if (said !== 'others') add(isFolder ? othersFolder : others, 'shield-alert', () => this.distrustFile(file));
      }),
    );
  }

  private get activeNote(): TFile | null {
    const file = this.app.workspace.getActiveFile();
    return file !== null && isNote(file) ? file : null;
  }

  private trustFile({ path, name }: TAbstractFile): void {
    this.notes.keep(path);
    new Notice(words.keeping.owned(titleOf(name)));
  }

  private distrustFile({ path, name }: TAbstractFile): void {
    this.notes.say(path, 'others');
    new Notice(words.keeping.nowUntrusted(titleOf(name)));
  }

  private isMarked(file: TFile): boolean {
    const properties = this.app.metadataCache.getFileCache(file)?.frontmatter ?? {};
    return isMarkedHidden({ properties, tags: [] });
  }

  private async mark(file: TFile, hidden: boolean): Promise<void> {
    const { nowHidden, released, notMarked } = words.keeping;
    try {
      await this.app.fileManager.processFrontMatter(file, (properties: Record<string, unknown>) => {
        if (hidden) properties[hiddenProperty] = false;
        else delete properties[hiddenProperty];
      });
      new Notice(hidden ? nowHidden(file.basename) : released(file.basename));
    } catch (thrown) {
      new Notice(notMarked(file.basename, messageOf(thrown)));
    }
  }
}

function isNote(file: TAbstractFile): file is TFile {
  return file instanceof TFile && file.extension === 'md';
}

function titleOf(name: string): string {
  return name.replace(/\.md$/, '');
}
