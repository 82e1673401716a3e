/** One row of the file explorer: its look, its clicks, its menu, its rename field. */
import { Keymap } from '../base/scope';
import { Platform } from '../base/platform';
import { TFile, TFolder, type TAbstractFile } from '../vault/files';
import { setIcon } from '../controls/icons';
import { Menu } from '../windows/menu';
import { Notice } from '../windows/notice';
import type { App } from './app';
import { createFolder, createNote } from './create-note';

export interface ExplorerHost {
  app: App;
  toggleFolder(folder: TFolder, row: HTMLElement): void;
  startRename(file: TAbstractFile): void;
}

export function createRow(host: ExplorerHost, file: TAbstractFile, parent: HTMLElement): HTMLElement {
  const folder = file instanceof TFolder;
  const row = parent.createDiv(folder ? 'tree-item nav-folder' : 'tree-item nav-file');
  const self = row.createDiv({
    cls: folder
      ? 'tree-item-self nav-folder-title is-clickable mod-collapsible'
      : 'tree-item-self nav-file-title tappable is-clickable',
    attr: { 'data-path': file.path, draggable: 'true' },
  });
  fillRow(host, file, self, false);
  self.addEventListener('click', (event) => {
    if ((event.target as Element).closest('input')) return;
    if (file instanceof TFolder) host.toggleFolder(file, row);
    else if (file instanceof TFile) openFile(host.app, file, event);
  });
  self.addEventListener('auxclick', (event) => {
    if (event.button === 1 && file instanceof TFile) openFile(host.app, file, event);
  });
  self.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    showFileMenu(host, file, event);
  });
  return row;
}

function openFile(app: App, file: TFile, event: MouseEvent): void {
  const leafType = Keymap.isModEvent(event);
  void app.workspace.getLeaf(leafType).openFile(file);
  if (Platform.isMobile) app.workspace.leftSplit.collapse();
}

export function fillRow(host: ExplorerHost, file: TAbstractFile, self: HTMLElement, renaming: boolean): void {
  self.empty();
  const kind = file instanceof TFolder ? 'nav-folder-title-content' : 'nav-file-title-content';
  if (file instanceof TFolder) setIcon(self.createDiv('tree-item-icon collapse-icon'), 'chevron-down');
  const shown = file instanceof TFile ? file.basename : file.name;
  const inner = self.createDiv(`tree-item-inner ${kind}`);
  if (!renaming) {
    inner.setText(shown);
    if (file instanceof TFile && file.extension !== 'md') {
      self.createDiv({ cls: 'nav-file-tag', text: file.extension });
    }
    return;
  }
  const input = inner.createEl('input', { cls: 'nav-rename-input', type: 'text', value: shown });
  const finish = (keep: boolean): void => {
    const name = input.value.trim();
    fillRow(host, file, self, false);
    if (!keep || name === '' || name === shown) return;
    const extension = file instanceof TFile && file.extension ? `.${file.extension}` : '';
    const folder = file.parent && !file.parent.isRoot() ? `${file.parent.path}/` : '';
    host.app.fileManager
      .renameFile(file, `${folder}${name}${extension}`)
      .catch((error: Error) => new Notice(error.message));
  };
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Enter') input.blur();
    if (event.key === 'Escape') {
      input.value = shown;
      input.blur();
    }
  });
  input.addEventListener('blur', () => finish(true), { once: true });
  input.focus();
  input.select();
}

function showFileMenu(host: ExplorerHost, file: TAbstractFile, event: MouseEvent): void {
  const { app } = host;
  const menu = new Menu();
  if (file instanceof TFile) {
    const offer = (title: string, icon: string, leafType: 'tab' | 'split' | 'window'): void => {
      menu.addItem((item) =>
        item
          .setSection('open')
          .setTitle(title)
          .setIcon(icon)
          .onClick(() => void app.workspace.getLeaf(leafType).openFile(file)),
      );
    };
    offer('Open in new tab', 'file-plus', 'tab');
    if (Platform.isDesktop) {
      offer('Open to the right', 'separator-vertical', 'split');
      offer('Open in new window', 'picture-in-picture-2', 'window');
    }
  } else if (file instanceof TFolder) {
    menu.addItem((item) =>
      item
        .setSection('action-primary')
        .setTitle('New note')
        .setIcon('edit')
        .onClick(() => void createNote(app, file)),
    );
    menu.addItem((item) =>
      item
        .setSection('action-primary')
        .setTitle('New folder')
        .setIcon('folder-plus')
        .onClick(() => void createFolder(app, file)),
    );
  }
  menu.addItem((item) =>
    item
      .setSection('info')
      .setTitle('Copy path')
      .setIcon('copy')
      .onClick(() => void (self.navigator.clipboard as Clipboard | undefined)?.writeText(file.path)),
  );
  menu.addItem((item) =>
    item
      .setSection('danger')
      .setTitle('Rename...')
      .setIcon('edit-3')
      .onClick(() => host.startRename(file)),
  );
  menu.addItem((item) =>
    item
      .setSection('danger')
      .setTitle('Delete')
      .setIcon('trash-2')
      .setWarning(true)
      .onClick(() => void app.fileManager.promptForDeletion(file)),
  );
  app.workspace.trigger('file-menu', menu, file, 'file-explorer-context-menu');
  menu.showAtMouseEvent(event);
}
