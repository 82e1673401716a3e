/** The user's marks on a note: hidden from Docent, by the property that the fence reads, and trusted. */
import { type App, Notice, type Plugin, type TAbstractFile, TFile, TFolder } from 'obsidian';
import { messageOf } from '../core/ports/failure';
import { isMarkedHidden, hiddenProperty } from '../core/writing/guard/fence';
import type { Provenance } from '../core/writing/guard/provenance';
import { words } from '../text';

const say = words.keeping;

/** Whether the active note can be marked so; false if it already is, and if there is no active note. */
export function canSetHidden(app: App, hidden: boolean): boolean {
  const file = app.workspace.getActiveFile();
  return file !== null && file.extension === 'md' && isMarked(app, file) !== hidden;
}

/** Marks the active note, and shows a notice that says what that means. */
export async function setHidden(app: App, hidden: boolean): Promise<void> {
  const file = app.workspace.getActiveFile();
  if (file !== null) await mark(app, file, hidden);
}

/** What the interface asks of whose text notes are. */
export interface NoteProvenance extends Pick<Provenance, 'keep' | 'say' | 'saidOf'> {
  /** Whether a note counts as untrusted, for any reason. */
  has(path: string): boolean;
}

/** Whether the active note counts as untrusted. */
export function isUntrusted(app: App, notes: Pick<NoteProvenance, 'has'>): boolean {
  const file = app.workspace.getActiveFile();
  return file !== null && notes.has(file.path);
}

/** Whether the active note counts as the user's own. */
export function isTrusted(app: App, notes: Pick<NoteProvenance, 'has'>): boolean {
  const file = app.workspace.getActiveFile();
  return file?.extension === 'md' && !notes.has(file.path);
}

/** Treats the active note as untrusted from now on. */
export function distrustNote(app: App, notes: Pick<NoteProvenance, 'say'>): void {
  const file = app.workspace.getActiveFile();
  if (file !== null) distrust(file, notes);
}

function distrust({ path, name }: TAbstractFile, notes: Pick<NoteProvenance, 'say'>): void {
  notes.say(path, 'others');
  new Notice(say.nowUntrusted(name.replace(/\.md$/, '')));
}

/** Offers for each note and folder to trust it or not, whichever it does not count as now. */
export function registerTrustMenu(app: App, plugin: Plugin, section: string, notes: NoteProvenance): void {
  plugin.registerEvent(
    app.workspace.on('file-menu', (menu, file: TAbstractFile) => {
      const isFolder = file instanceof TFolder && !file.isRoot();
      if (!isFolder && !(file instanceof TFile && file.extension === 'md')) return;
      const add = (title: string, icon: string, act: () => void): void =>
        void menu.addItem((item) => item.setSection(section).setTitle(title).setIcon(icon).onClick(act));
      const trust = (): void => {
        notes.keep(file.path);
        new Notice(say.owned(file.name.replace(/\.md$/, '')));
      };
      const said = isFolder ? notes.saidOf(file.path) : notes.has(file.path) ? 'others' : 'own';
      if (said !== 'own') add(isFolder ? say.ownFolder : say.own, 'shield-check', trust);
      if (said !== 'others') add(isFolder ? say.othersFolder : say.others, 'shield-alert', () => distrust(file, notes));
    }),
  );
}

/** Trusts the active note, which the user has open (rules 6.9). */
export function trustNote(app: App, notes: Pick<NoteProvenance, 'keep'>): void {
  const file = app.workspace.getActiveFile();
  if (file === null) return;
  notes.keep(file.path);
  new Notice(say.owned(file.basename));
}

export function registerHideMenu(app: App, plugin: Plugin, section: string): void {
  plugin.registerEvent(
    app.workspace.on('file-menu', (menu, file: TAbstractFile) => {
      if (!(file instanceof TFile) || file.extension !== 'md') return;
      const hidden = !isMarked(app, file);
      menu.addItem((item) =>
        item
          .setSection(section)
          .setTitle(hidden ? say.keep : say.release)
          .setIcon(hidden ? 'eye-off' : 'eye')
          .onClick(() => void mark(app, file, hidden)),
      );
    }),
  );
}

function isMarked(app: App, file: TFile): boolean {
  const properties = app.metadataCache.getFileCache(file)?.frontmatter ?? {};
  return isMarkedHidden({ properties, tags: [] });
}

async function mark(app: App, file: TFile, hidden: boolean): Promise<void> {
  try {
    await app.fileManager.processFrontMatter(file, (properties: Record<string, unknown>) => {
      if (hidden) properties[hiddenProperty] = false;
      else delete properties[hiddenProperty];
    });
    new Notice(hidden ? say.nowHidden(file.basename) : say.released(file.basename));
  } catch (thrown) {
    new Notice(say.notMarked(file.basename, messageOf(thrown)));
  }
}
