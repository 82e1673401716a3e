/** What Docent adds to the menus of the editor and of files. */
import { type App, type MenuItem, type Plugin, type TAbstractFile, TFile, TFolder } from 'obsidian';
import { formatMention } from '../core/mentions/mention-text';
import { linkTextOf } from '../core/mentions/note';
import type { Mention } from '../core/session/entry';
import { words } from '../text';
import { openChatView } from './chat/chat-view';
import { type NoteProvenance, registerHideMenu, registerTrustMenu } from './note-marks';
import type { OpenPrompts } from './prompts/open';
import { selectedPassage } from './prompts/selected-passage';

const section = 'docent';

export function registerMenus(app: App, plugin: Plugin, ports: OpenPrompts, notes: NoteProvenance): void {
  const { workspace } = app;
  plugin.registerEvent(
    workspace.on('editor-menu', (menu, editor, info) => {
      const passage = selectedPassage(editor, info);
      if (passage === null) return;
      menu.addItem((item) =>
        item
          .setSection(section)
          .setTitle(words.prompts.ask)
          .setIcon('message-circle')
          .onClick(() => void ports.ask(passage)),
      );
      menu.addItem((item) =>
        item
          .setSection(section)
          .setTitle(words.prompts.rewrite)
          .setIcon('pencil-line')
          .onClick(() => void ports.rewrite(passage)),
      );
    }),
  );
  const offer = (files: readonly TAbstractFile[]) => (item: MenuItem) =>
    item
      .setSection(section)
      .setTitle(words.prompts.addToChat)
      .setIcon('message-circle-plus')
      .onClick(() => void addToChat(app, ports, files));
  plugin.registerEvent(
    workspace.on('file-menu', (menu, file) => {
      if (canBeAdded(file)) menu.addItem(offer([file]));
    }),
  );
  registerHideMenu(app, plugin, section);
  registerTrustMenu(app, plugin, section, notes);
  plugin.registerEvent(
    workspace.on('files-menu', (menu, files) => {
      const added = files.filter(canBeAdded);
      if (added.length > 0) menu.addItem(offer(added));
    }),
  );
}

function canBeAdded(file: TAbstractFile): boolean {
  return file instanceof TFolder ? !file.isRoot() : file instanceof TFile && file.extension === 'md';
}

/** Attaches files to the draft, as if they had been named after `[[`. */
async function addToChat(app: App, { vault }: OpenPrompts, files: readonly TAbstractFile[]): Promise<void> {
  const view = await openChatView(app);
  await view.untilOpen();
  const mentions = files.map((file): Mention =>
    file instanceof TFolder
      ? { kind: 'folder', id: file.path, label: `${file.path}/` }
      : { kind: 'note', id: file.path, label: linkTextOf(vault, file.path) },
  );
  await view.addToDraft(mentions.map((mention) => `${formatMention(mention)} `).join(''), mentions);
}
