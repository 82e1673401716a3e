/** The commands that the app itself brings. */
import type { Hotkey } from 'obsidian';
import type { TFile } from '../vault/files';
import type { WorkspaceLeaf } from '../workspace/leaf';
import { MarkdownView } from '../workspace/markdown-view';
import { TextFileView } from '../workspace/text-file-view';
import type { App } from './app';
import { createNote } from './create-note';
import { CommandPalette, QuickSwitcher } from './palette';

export function addCoreCommands(app: App): void {
  const { commands, workspace } = app;
  const add = (id: string, name: string, callback: () => unknown, key?: string): void => {
    commands.addCommand({ id, name, callback, hotkeys: listHotkeys(key) });
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
  /** A command that can be run while `find` finds what it acts on. */
  const addFor = <T>(id: string, name: string, find: () => T | null, run: (found: T) => unknown, key?: string): void =>
    commands.addCommand({
      id,
      name,
      hotkeys: listHotkeys(key),
      checkCallback: (checking) => {
        const found = find();
        if (found === null) return false;
        if (!checking) void run(found);
        return true;
      },
    });
  const findRecent =
    <V>(View: abstract new (...given: never[]) => V) =>
    (): V | null => {
      const view: unknown = workspace.getMostRecentLeaf()?.view;
      return view instanceof View ? view : null;
    };
  const findFile = (): TFile | null => workspace.getActiveFile();
  const findMovable = (): WorkspaceLeaf | null => (app.isMobile ? null : workspace.getMostRecentLeaf());
  addFor('markdown:toggle-preview', 'Toggle reading view', findRecent(MarkdownView), (view) => view.toggleMode(), 'e');
  addFor('editor:save-file', 'Save current file', findRecent(TextFileView), (view) => view.save(), 's');
  addFor('app:delete-file', 'Delete current file', findFile, (file) => app.fileManager.promptForDeletion(file));
  addFor('workspace:move-to-new-window', 'Move current tab to new window', findMovable, (leaf) =>
    workspace.moveLeafToPopout(leaf),
  );
}

function listHotkeys(key: string | undefined): Hotkey[] {
  return key === undefined ? [] : [{ modifiers: ['Mod'], key }];
}
