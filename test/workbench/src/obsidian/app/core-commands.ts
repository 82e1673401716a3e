/** The commands that the app itself brings. */
import { MarkdownView } from '../workspace/markdown-view';
import { TextFileView } from '../workspace/text-file-view';
import type { App } from './app';
import { createNote } from './create-note';
import { CommandPalette, QuickSwitcher } from './palette';

export function addCoreCommands(app: App): void {
  const { commands, workspace } = app;
  const add = (id: string, name: string, callback: () => unknown, key?: string): void => {
    const hotkeys = key === undefined ? [] : [{ modifiers: ['Mod' as const], key }];
    commands.addCommand({ id, name, callback, hotkeys });
  };
  add('command-palette:open', 'Command palette: Open command palette', () => new CommandPalette(app).open(), 'p');
  add('switcher:open', 'Quick switcher: Open quick switcher', () => new QuickSwitcher(app).open(), 'o');
  add('app:open-settings', 'Open settings', () => app.setting.open(), ',');
  add('file-explorer:new-file', 'Create new note', () => createNote(app), 'n');
  add('file-explorer:open', 'Files: Show file explorer', () =>
    workspace.ensureSideLeaf('file-explorer', 'left', { active: true }),
  );
  add('outline:open', 'Outline: Show outline', () => workspace.ensureSideLeaf('outline', 'right', { active: true }));
  add('app:toggle-left-sidebar', 'Toggle left sidebar', () => workspace.leftSplit.toggle());
  add('app:toggle-right-sidebar', 'Toggle right sidebar', () => workspace.rightSplit.toggle());
  add('app:go-back', 'Navigate back', () => workspace.getMostRecentLeaf()?.travel('back'));
  add('app:go-forward', 'Navigate forward', () => workspace.getMostRecentLeaf()?.travel('forward'));
  add('app:reload', 'Reload app without saving', () => workspace.window.location.reload());
  add('workspace:new-tab', 'New tab', () => workspace.setActiveLeaf(workspace.getLeaf('tab'), { focus: true }), 't');
  add('workspace:close', 'Close current tab', () => workspace.getMostRecentLeaf()?.detach(), 'w');
  add('workspace:split-vertical', 'Split right', () => splitWith(app, 'vertical'));
  add('workspace:split-horizontal', 'Split down', () => splitWith(app, 'horizontal'));
  add('theme:toggle-light-dark', 'Toggle light/dark mode', () => app.setTheme(app.isDarkMode() ? 'light' : 'dark'));
  addNoteCommands(app);
}

function splitWith(app: App, direction: 'vertical' | 'horizontal'): unknown {
  const leaf = app.workspace.getMostRecentLeaf();
  return leaf ? app.workspace.duplicateLeaf(leaf, 'split', direction) : null;
}

function addNoteCommands(app: App): void {
  const { commands, workspace } = app;
  const recentView = (): unknown => workspace.getMostRecentLeaf()?.view;
  commands.addCommand({
    id: 'markdown:toggle-preview',
    name: 'Toggle reading view',
    hotkeys: [{ modifiers: ['Mod'], key: 'e' }],
    checkCallback: (checking) => {
      const view = recentView();
      if (!(view instanceof MarkdownView)) return false;
      if (!checking) void view.toggleMode();
      return true;
    },
  });
  commands.addCommand({
    id: 'editor:save-file',
    name: 'Save current file',
    hotkeys: [{ modifiers: ['Mod'], key: 's' }],
    checkCallback: (checking) => {
      const view = recentView();
      if (!(view instanceof TextFileView)) return false;
      if (!checking) void view.save();
      return true;
    },
  });
  commands.addCommand({
    id: 'app:delete-file',
    name: 'Delete current file',
    checkCallback: (checking) => {
      const file = workspace.getActiveFile();
      if (!file) return false;
      if (!checking) void app.fileManager.promptForDeletion(file);
      return true;
    },
  });
  commands.addCommand({
    id: 'workspace:move-to-new-window',
    name: 'Move current tab to new window',
    checkCallback: (checking) => {
      const leaf = workspace.getMostRecentLeaf();
      if (!leaf || app.isMobile) return false;
      if (!checking) workspace.moveLeafToPopout(leaf);
      return true;
    },
  });
}
