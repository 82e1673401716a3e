/** Commands by id, whether each may run now, and their hotkeys. */
import type { Hotkey, KeymapEventHandler, Modifier } from 'obsidian';
import { Platform } from '../base/platform';
import type { Editor } from '../editor/editor';
import type { MarkdownFileInfo } from '../editor/editor-fields';
import { MarkdownView } from '../workspace/markdown-view';
import type { App } from './app';

export interface Command {
  id: string;
  name: string;
  icon?: string;
  mobileOnly?: boolean;
  repeatable?: boolean;
  callback?: () => unknown;
  checkCallback?: (checking: boolean) => boolean | void;
  editorCallback?: (editor: Editor, ctx: MarkdownView | MarkdownFileInfo) => unknown;
  editorCheckCallback?: (checking: boolean, editor: Editor, ctx: MarkdownView | MarkdownFileInfo) => boolean | void;
  hotkeys?: Hotkey[];
}

export class Commands {
  readonly commands: Record<string, Command> = {};
  private readonly keys = new Map<string, KeymapEventHandler[]>();
  /** Most recent first; the palette lists these on top. */
  recent: string[] = [];

  constructor(readonly app: App) {}

  addCommand(command: Command): void {
    this.removeCommand(command.id);
    this.commands[command.id] = command;
    const handlers = (command.hotkeys ?? []).map((hotkey) =>
      this.app.scope.register(hotkey.modifiers, hotkey.key, (event) => {
        if (event.repeat && !command.repeatable) return false;
        return this.executeCommand(command) ? false : undefined;
      }),
    );
    if (handlers.length > 0) this.keys.set(command.id, handlers);
  }

  removeCommand(id: string): void {
    delete this.commands[id];
    for (const handler of this.keys.get(id) ?? []) this.app.scope.unregister(handler);
    this.keys.delete(id);
  }

  findCommand(id: string): Command | undefined {
    return this.commands[id];
  }

  /** The commands that may run now, as the palette shows them. */
  listCommands(): Command[] {
    return Object.values(this.commands).filter((command) => this.run(command, true));
  }

  executeCommandById(id: string): boolean {
    const command = this.commands[id];
    return command ? this.executeCommand(command) : false;
  }

  executeCommand(command: Command): boolean {
    const done = this.run(command, false);
    if (done) {
      this.recent.remove(command.id);
      this.recent.unshift(command.id);
    }
    return done;
  }

  private run(command: Command, checking: boolean): boolean {
    if (command.mobileOnly && !Platform.isMobile) return false;
    const { editorCheckCallback, editorCallback, checkCallback, callback } = command;
    if (editorCheckCallback || editorCallback) {
      const info = this.app.workspace.activeEditor;
      if (!info?.editor || (info instanceof MarkdownView && info.getMode() === 'preview')) return false;
      if (editorCheckCallback) return this.answer(editorCheckCallback(checking, info.editor, info), checking);
      if (!checking) this.watch(editorCallback?.(info.editor, info));
      return true;
    }
    if (checkCallback) return this.answer(checkCallback(checking), checking);
    if (!callback) return false;
    if (!checking) this.watch(callback());
    return true;
  }

  private answer(result: boolean | void, checking: boolean): boolean {
    return checking ? result === true : result !== false;
  }

  private watch(result: unknown): void {
    if (result instanceof Promise) result.catch((error) => console.error(error));
  }
}

const NAMES: Record<Modifier, string> = { Mod: 'Ctrl', Ctrl: 'Ctrl', Meta: 'Win', Shift: 'Shift', Alt: 'Alt' };

export function describeHotkey(hotkey: Hotkey): string {
  const key = hotkey.key.length === 1 ? hotkey.key.toUpperCase() : hotkey.key;
  return [...hotkey.modifiers.map((modifier) => NAMES[modifier]), key].join(' + ');
}
