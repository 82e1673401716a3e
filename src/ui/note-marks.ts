/** The user's marks on a note: hidden from Docent, by the property that the fence reads, and trusted. */
import { type App, Notice, type Plugin, type TAbstractFile, TFile } from 'obsidian';
import { messageOf } from '../core/ports/failure';
import { isMarkedHidden, hiddenProperty } from '../core/writing/guard/fence';
import type { UntrustedNotes } from '../core/writing/guard/taint';
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

/** Whether the active note was written by a chat that had read untrusted text. */
export function isUntrusted(app: App, notes: Pick<UntrustedNotes, 'has'>): boolean {
  const file = app.workspace.getActiveFile();
  return file !== null && notes.has(file.path);
}

/** Trusts the active note, which the user has open (rules 6.9). */
export function trustNote(app: App, notes: Pick<UntrustedNotes, 'keep'>): void {
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
