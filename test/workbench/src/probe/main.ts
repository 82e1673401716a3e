/** The probe plugin: registers one of everything, notes what happens, and offers trials to a test. */
import {
  addIcon,
  type Editor,
  Keymap,
  MarkdownView,
  type Menu,
  Notice,
  Plugin,
  removeIcon,
  type TAbstractFile,
  type TFile,
  type WorkspaceLeaf,
} from 'obsidian';
import { createDialogTrials } from './dialog-trials';
import { createEditorTrials } from './editor-trials';
import { registerMarkdown } from './markdown';
import { createPlatformTrials } from './platform-trials';
import { defaultSettings, type ProbeSettings, ProbeSettingTab } from './settings';
import { TokenSuggest } from './suggesters';
import { createVaultTrials } from './vault-trials';
import { ProbeFileView, ProbeItemView, ProbeTextView, viewTypes } from './views';
import { createWorkspaceTrials } from './workspace-trials';

/** A test calls one by name and gets plain JSON back. */
export type Trials = Record<string, (given?: any) => unknown>;

export default class ProbePlugin extends Plugin {
  declare settings: ProbeSettings;
  /** What happened, in order; the test reads and clears it. */
  readonly log: string[] = [];
  readonly trials: Trials = {
    ...createVaultTrials(this),
    ...createWorkspaceTrials(this),
    ...createEditorTrials(this),
    ...createDialogTrials(this),
    ...createPlatformTrials(this),
  };

  note(text: string): void {
    this.log.push(text);
  }

  /** Returns the file that a trial needs; throws if the vault has none of this path. */
  expectFile(path: string): TFile {
    const file = this.app.vault.getFileByPath(path);
    if (!file) throw new Error(`No file ${path}`);
    return file;
  }

  override async onload(): Promise<void> {
    this.settings = { ...defaultSettings(), ...((await this.loadData()) as Partial<ProbeSettings> | null) };
    addIcon('probe-mark', '<circle cx="50" cy="50" r="40" fill="currentColor" />');
    this.register(() => removeIcon('probe-mark'));
    this.registerView(viewTypes.item, (leaf) => new ProbeItemView(leaf, this));
    this.registerView(viewTypes.file, (leaf) => new ProbeFileView(leaf));
    this.registerView(viewTypes.text, (leaf) => new ProbeTextView(leaf));
    this.registerExtensions(['probefile'], viewTypes.file);
    this.registerExtensions(['probetext'], viewTypes.text);
    this.addRibbonIcon('probe-mark', 'Probe ribbon', (event) =>
      this.note(`ribbon ${event.type} ${String(Keymap.isModEvent(event))}`),
    );
    const status = this.addStatusBarItem();
    status.setText('Probe status');
    status.addClass('mod-clickable');
    this.registerDomEvent(status, 'click', () => this.note('status click'));
    this.addSettingTab(new ProbeSettingTab(this.app, this));
    this.registerEditorSuggest(new TokenSuggest(this.app));
    this.registerHoverLinkSource('probe', { display: 'Probe', defaultMod: false });
    registerMarkdown(this);
    this.registerObsidianProtocolHandler('probe', (params) => this.note(`protocol ${JSON.stringify(params)}`));
    this.registerCliHandler(
      'probe:sum',
      'Adds two numbers',
      { a: { value: '<number>', description: 'First', required: true }, b: { description: 'Second' } },
      ({ a, b }) => String(Number(a) + Number(b)),
    );
    let ticks = 0;
    this.registerInterval(window.setInterval(() => void (ticks += 1), 1000));
    this.registerScopeKey();
    this.addCommands();
    this.listen();
    this.app.workspace.onLayoutReady(() => this.note('layout ready'));
    this.register(() => this.note('cleaned up'));
  }

  override onunload(): void {
    this.note('onunload');
  }

  override onUserEnable(): void {
    this.note('user enable');
  }

  override async onExternalSettingsChange(): Promise<void> {
    this.settings = { ...defaultSettings(), ...((await this.loadData()) as Partial<ProbeSettings> | null) };
    this.note('external settings change');
  }

  private registerScopeKey(): void {
    const handler = this.app.scope.register(['Mod', 'Shift'], 'F9', (event, context) => {
      this.note(`scope key ${context.key ?? ''} ${String(event.repeat)}`);
      return false;
    });
    this.register(() => this.app.scope.unregister(handler));
  }

  private addCommands(): void {
    this.addCommand({
      id: 'plain',
      name: 'Plain',
      icon: 'probe-mark',
      hotkeys: [{ modifiers: ['Mod', 'Alt'], key: 'y' }],
      callback: () => this.note('plain command'),
    });
    this.addCommand({
      id: 'sometimes',
      name: 'Sometimes',
      checkCallback: (checking) => {
        if (!this.settings.toggle) return false;
        if (!checking) this.note('sometimes command');
        return true;
      },
    });
    this.addCommand({
      id: 'editor',
      name: 'Editor',
      editorCallback: (editor, info) => {
        editor.replaceSelection('[edited]');
        this.note(`editor command ${info.file?.path ?? ''}`);
      },
    });
    this.addCommand({
      id: 'editor-sometimes',
      name: 'Editor sometimes',
      editorCheckCallback: (checking, editor) => {
        if (!editor.somethingSelected()) return false;
        if (!checking) editor.replaceSelection(editor.getSelection().toUpperCase());
        return true;
      },
    });
    this.addCommand({ id: 'pane', name: 'Pane', callback: () => this.trials['ensureItemView']?.() });
    this.addCommand({ id: 'mobile', name: 'Mobile', mobileOnly: true, callback: () => this.note('mobile command') });
    this.addCommand({ id: 'gone', name: 'Gone', callback: () => new Notice('never') });
    this.removeCommand('gone');
  }

  private listen(): void {
    const { vault, metadataCache, workspace } = this.app;
    this.registerEvent(vault.on('create', (file) => workspace.layoutReady && this.note(`create ${file.path}`)));
    this.registerEvent(vault.on('modify', (file) => this.note(`modify ${file.path}`)));
    this.registerEvent(vault.on('delete', (file) => this.note(`delete ${file.path}`)));
    this.registerEvent(vault.on('rename', (file, from) => this.note(`rename ${from} ${file.path}`)));
    this.registerEvent(metadataCache.on('changed', (file) => this.note(`changed ${file.path}`)));
    this.registerEvent(metadataCache.on('resolve', (file) => this.note(`resolve ${file.path}`)));
    this.registerEvent(metadataCache.on('deleted', (file) => this.note(`index deleted ${file.path}`)));
    this.registerEvent(metadataCache.on('resolved', () => this.note('resolved')));
    this.registerEvent(workspace.on('file-open', (file) => this.note(`file-open ${file?.path ?? 'none'}`)));
    this.registerEvent(workspace.on('active-leaf-change', (leaf) => this.note(`active ${leafType(leaf)}`)));
    this.registerEvent(workspace.on('layout-change', () => this.note('layout-change')));
    this.registerEvent(workspace.on('css-change', () => this.note('css-change')));
    this.registerEvent(workspace.on('resize', () => this.note('resize')));
    this.registerEvent(workspace.on('window-open', (_, win) => this.note(`window-open ${String(win !== window)}`)));
    this.registerEvent(workspace.on('window-close', () => this.note('window-close')));
    this.registerEvent(
      workspace.on('editor-change', (_editor, info) => this.note(`editor-change ${info.file?.path ?? ''}`)),
    );
    this.registerEvent(workspace.on('editor-paste', (event) => this.stopPaste(event)));
    this.registerEvent(
      workspace.on('editor-menu', (menu, editor, info) =>
        this.fillEditorMenu(menu, editor, info instanceof MarkdownView),
      ),
    );
    this.registerEvent(workspace.on('file-menu', (menu, file, source) => this.fillFileMenu(menu, file, source)));
  }

  private stopPaste(event: ClipboardEvent): void {
    if (event.defaultPrevented || event.clipboardData?.getData('text/plain') !== 'refuse me') return;
    event.preventDefault();
    this.note('paste refused');
  }

  private fillEditorMenu(menu: Menu, editor: Editor, inView: boolean): void {
    menu.addItem((item) =>
      item
        .setSection('probe')
        .setTitle('Probe the editor')
        .setIcon('probe-mark')
        .onClick(() => this.note(`editor menu ${editor.getCursor().line} ${String(inView)}`)),
    );
  }

  private fillFileMenu(menu: Menu, file: TAbstractFile, source: string): void {
    menu.addItem((item) =>
      item
        .setSection('probe')
        .setTitle('Probe the file')
        .onClick(() => this.note(`file menu ${source} ${file.path}`)),
    );
  }
}

function leafType(leaf: WorkspaceLeaf | null): string {
  return leaf?.view.getViewType() ?? 'none';
}
