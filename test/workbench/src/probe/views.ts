/** The probe's views: one without a file, one of a file, and one that edits text. */
import {
  FileView,
  ItemView,
  type Menu,
  Scope,
  TextAreaComponent,
  type TFile,
  TextFileView,
  type ViewStateResult,
  type WorkspaceLeaf,
} from 'obsidian';
import type ProbePlugin from './main';

export const viewTypes = { item: 'probe-pane', file: 'probe-file', text: 'probe-text' };

export class ProbeItemView extends ItemView {
  override icon = 'probe-mark';
  override navigation = false;
  private word = '';

  constructor(
    leaf: WorkspaceLeaf,
    private readonly plugin: ProbePlugin,
  ) {
    super(leaf);
    this.scope = new Scope(this.app.scope);
    this.scope.register(['Mod'], 'j', () => {
      plugin.note('pane key');
      return false;
    });
  }

  getViewType(): string {
    return viewTypes.item;
  }

  getDisplayText(): string {
    return 'Probe pane';
  }

  override getState(): Record<string, unknown> {
    return { ...super.getState(), word: this.word };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    this.word = String((state as { word?: unknown }).word ?? '');
    this.contentEl.querySelector('.probe-word')?.setText(this.word);
    await super.setState(state, result);
  }

  override async onOpen(): Promise<void> {
    this.contentEl.addClass('probe-pane');
    this.contentEl.createDiv({ cls: 'probe-word', text: this.word });
    const input = this.contentEl.createEl('textarea', { cls: 'probe-input' });
    input.addEventListener('keydown', (event) => this.plugin.note(`input key ${event.key}`));
    this.addAction('probe-mark', 'Probe action', () => this.plugin.note('view action'));
    this.plugin.note('pane open');
  }

  override async onClose(): Promise<void> {
    this.plugin.note('pane close');
  }

  override onPaneMenu(menu: Menu, source: string): void {
    super.onPaneMenu(menu, source);
    menu.addItem((item) => item.setTitle('Probe the pane').onClick(() => this.plugin.note(`pane menu ${source}`)));
  }
}

export class ProbeFileView extends FileView {
  getViewType(): string {
    return viewTypes.file;
  }

  override canAcceptExtension(extension: string): boolean {
    return extension === 'probefile';
  }

  override async onLoadFile(file: TFile): Promise<void> {
    await super.onLoadFile(file);
    const text = await this.app.vault.cachedRead(file);
    this.contentEl.createDiv({ cls: 'probe-file', text: `${file.basename}: ${text}` });
  }

  override async onUnloadFile(file: TFile): Promise<void> {
    this.contentEl.empty();
    await super.onUnloadFile(file);
  }

  override async onRename(file: TFile): Promise<void> {
    this.contentEl.createDiv({ cls: 'probe-renamed', text: file.path });
    await super.onRename(file);
  }
}

export class ProbeTextView extends TextFileView {
  private readonly area: TextAreaComponent;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    this.area = new TextAreaComponent(this.contentEl).onChange(() => this.requestSave());
    this.area.inputEl.addClass('probe-text');
  }

  getViewType(): string {
    return viewTypes.text;
  }

  override canAcceptExtension(extension: string): boolean {
    return extension === 'probetext';
  }

  getViewData(): string {
    return this.area.getValue();
  }

  setViewData(data: string): void {
    this.area.setValue(data);
  }

  clear(): void {
    this.area.setValue('');
  }
}
