/** Plugin: everything that a plugin registers, each with its removal. */
import type { Extension } from '@codemirror/state';
import type { MarkdownPostProcessor, MarkdownPostProcessorContext, PluginManifest } from 'obsidian';
import { Component } from '../base/component';
import { Platform } from '../base/platform';
import { MarkdownPreviewRenderer } from '../markdown/post-processors';
import type { EditorSuggest } from '../suggest/editor-suggest';
import type { PluginSettingTab } from '../settings/setting-tab';
import type { App } from './app';
import type { Command } from './commands';
import type { ViewCreator } from './view-registry';

export type ProtocolHandler = (params: Record<string, string> & { action: string }) => unknown;

export interface CliCommand {
  description: string;
  flags: unknown;
  handler: (params: Record<string, string | 'true'>) => string | Promise<string>;
}

export abstract class Plugin extends Component {
  declare settings?: unknown;
  /** The text of data.json as this plugin last read or wrote it. */
  private knownData: string | null = null;

  constructor(
    public app: App,
    public manifest: PluginManifest,
  ) {
    super();
  }

  override onload(): void | Promise<void> {}
  onUserEnable(): void {}
  onExternalSettingsChange?(): unknown;

  addRibbonIcon(icon: string, title: string, callback: (event: MouseEvent) => unknown): HTMLElement {
    const el = this.app.workspace.leftRibbon.addAction(icon, title, callback);
    this.register(() => el.remove());
    return el;
  }

  /** On a phone there is no status bar: the element is made and never shown. */
  addStatusBarItem(): HTMLElement {
    const { statusBarEl, document } = this.app.workspace;
    const el = document.createElement('div');
    el.addClass('status-bar-item', `plugin-${this.manifest.id.toLowerCase().replace(/[^_a-z0-9-]/g, '-')}`);
    if (!Platform.isMobile) statusBarEl.prepend(el);
    this.register(() => el.remove());
    return el;
  }

  addCommand(command: Command): Command {
    command.id = `${this.manifest.id}:${command.id}`;
    command.name = `${this.manifest.name}: ${command.name}`;
    this.app.commands.addCommand(command);
    this.register(() => this.app.commands.removeCommand(command.id));
    return command;
  }

  removeCommand(commandId: string): void {
    this.app.commands.removeCommand(`${this.manifest.id}:${commandId}`);
  }

  addSettingTab(settingTab: PluginSettingTab): void {
    this.app.setting.addSettingTab(settingTab);
    this.register(() => this.app.setting.removeSettingTab(settingTab));
  }

  registerView(type: string, viewCreator: ViewCreator): void {
    this.app.viewRegistry.registerView(type, viewCreator);
    this.register(() => this.app.viewRegistry.unregisterView(type));
  }

  registerExtensions(extensions: string[], viewType: string): void {
    this.app.viewRegistry.registerExtensions(extensions, viewType);
    this.register(() => this.app.viewRegistry.unregisterExtensions(extensions));
  }

  registerHoverLinkSource(id: string, info: { display: string; defaultMod: boolean }): void {
    this.app.workspace.hoverLinkSources.set(id, info);
    this.register(() => this.app.workspace.hoverLinkSources.delete(id));
  }

  registerMarkdownPostProcessor(postProcessor: MarkdownPostProcessor, sortOrder?: number): MarkdownPostProcessor {
    MarkdownPreviewRenderer.registerPostProcessor(postProcessor, sortOrder);
    this.register(() => MarkdownPreviewRenderer.unregisterPostProcessor(postProcessor));
    return postProcessor;
  }

  registerMarkdownCodeBlockProcessor(
    language: string,
    handler: (source: string, el: HTMLElement, ctx: MarkdownPostProcessorContext) => Promise<unknown> | void,
    sortOrder?: number,
  ): MarkdownPostProcessor {
    const postProcessor = MarkdownPreviewRenderer.createCodeBlockPostProcessor(language, handler);
    return this.registerMarkdownPostProcessor(postProcessor, sortOrder);
  }

  registerBasesView(_viewId: string, _registration: unknown): boolean {
    return false;
  }

  registerEditorExtension(extension: Extension): void {
    const { workspace } = this.app;
    workspace.editorExtensions.push(extension);
    workspace.updateOptions();
    this.register(() => {
      workspace.editorExtensions.remove(extension);
      workspace.updateOptions();
    });
  }

  registerEditorSuggest(editorSuggest: EditorSuggest<unknown>): void {
    const suggests = this.app.workspace.editorSuggest;
    suggests.addSuggest(editorSuggest);
    this.register(() => suggests.removeSuggest(editorSuggest));
  }

  registerObsidianProtocolHandler(action: string, handler: ProtocolHandler): void {
    const handlers = this.app.protocolHandlers;
    if (handlers.has(action)) throw new Error(`The protocol action "${action}" is already registered`);
    handlers.set(action, handler);
    this.register(() => handlers.delete(action));
  }

  registerCliHandler(command: string, description: string, flags: unknown, handler: CliCommand['handler']): void {
    const handlers = this.app.cliHandlers;
    if (handlers.has(command)) throw new Error(`The command "${command}" is already registered`);
    handlers.set(command, { description, flags, handler });
    this.register(() => handlers.delete(command));
  }

  private get dataPath(): string {
    return `${this.manifest.dir ?? `${this.app.vault.configDir}/plugins/${this.manifest.id}`}/data.json`;
  }

  /** Null without a file. Read while no own write is under way, so that it is what was written last, by whomever. */
  private async readDataFile(): Promise<string | null> {
    const { adapter } = this.app.vault;
    const read = async (): Promise<string | null> =>
      (await adapter.exists(this.dataPath)) ? adapter.read(this.dataPath) : null;
    const { seen, mark } = await adapter.operations.lookAtRest(this.dataPath, read);
    return adapter.operations.changedSince(mark, this.dataPath) ? this.readDataFile() : seen;
  }

  /** Null when nothing was saved yet. */
  async loadData(): Promise<any> {
    this.knownData = await this.readDataFile();
    return this.knownData === null ? null : (JSON.parse(this.knownData) as unknown);
  }

  async saveData(data: unknown): Promise<void> {
    const { adapter } = this.app.vault;
    const folder = this.dataPath.split('/').slice(0, -1).join('/');
    if (!(await adapter.exists(folder))) await adapter.mkdir(folder);
    this.knownData = JSON.stringify(data, undefined, 2);
    await adapter.write(this.dataPath, this.knownData);
  }

  /** Own writes are reported like those of others, so the text decides. */
  async checkDataFile(): Promise<void> {
    const text = await this.readDataFile();
    if (text === this.knownData) return;
    this.knownData = text;
    await this.onExternalSettingsChange?.();
  }
}
