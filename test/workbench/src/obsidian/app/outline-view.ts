/** The outline of the note last looked at. */
import type { TFile } from '../vault/files';
import type { WorkspaceLeaf } from '../workspace/leaf';
import { FileView } from '../workspace/file-view';
import { ItemView } from '../workspace/view';

export class OutlineView extends ItemView {
  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    this.icon = 'list';
  }

  getViewType(): string {
    return 'outline';
  }

  getDisplayText(): string {
    return 'Outline';
  }

  override onload(): void {
    this.registerEvent(this.app.workspace.on('file-open', () => this.draw()));
    this.registerEvent(
      this.app.metadataCache.on('changed', (file: TFile) => {
        if (file === this.app.workspace.getActiveFile()) this.draw();
      }),
    );
    this.draw();
  }

  private draw(): void {
    const file = this.app.workspace.getActiveFile();
    const headings = (file && this.app.metadataCache.getFileCache(file)?.headings) ?? [];
    this.contentEl.empty();
    this.contentEl.addClass('outline');
    if (!file || headings.length === 0) {
      this.contentEl.createDiv({ cls: 'pane-empty', text: 'No headings found.' });
      return;
    }
    for (const heading of headings) {
      const row = this.contentEl.createDiv('tree-item').createDiv('tree-item-self is-clickable outline-item');
      row.setCssProps({ '--outline-level': String(heading.level - 1) });
      row.createDiv({ cls: 'tree-item-inner', text: heading.heading });
      row.addEventListener('click', () => this.reveal(file, heading.position.start.line));
    }
  }

  private reveal(file: TFile, line: number): void {
    const leaf = this.app.workspace.getMostRecentLeaf();
    if (!leaf) return;
    const shown = leaf.view instanceof FileView && leaf.view.file === file;
    if (shown) leaf.setEphemeralState({ line });
    else void leaf.openFile(file, { eState: { line } });
    if (this.app.isMobile) this.app.workspace.rightSplit.collapse();
  }
}
