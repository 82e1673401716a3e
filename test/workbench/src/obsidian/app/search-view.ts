/** The search as far as plugins open it: the query in its field, and the notes that have the tag or the words. */
import { getAllTags } from '../index/links';
import type { TFile } from '../vault/files';
import type { WorkspaceLeaf } from '../workspace/leaf';
import { ItemView } from '../workspace/view';
import type { App } from './app';

const type = 'search';

export class SearchView extends ItemView {
  private query = '';

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    this.icon = 'search';
  }

  getViewType(): string {
    return type;
  }

  getDisplayText(): string {
    return 'Search';
  }

  override getState(): Record<string, unknown> {
    return { query: this.query };
  }

  override async setState(state: unknown): Promise<void> {
    this.query = String((state as { query?: unknown }).query ?? '');
    await this.draw();
  }

  private async draw(): Promise<void> {
    const { query } = this;
    const files = this.app.vault.getMarkdownFiles();
    const found = await Promise.all(files.map(async (file) => ((await this.matches(file)) ? [file] : [])));
    if (query !== this.query) return;
    this.contentEl.empty();
    this.contentEl.createEl('input', { type: 'search', value: query, attr: { 'aria-label': 'Search' } });
    for (const file of found.flat()) {
      const row = this.contentEl.createDiv('tree-item-self search-result-file-title is-clickable');
      row.createDiv({ cls: 'tree-item-inner', text: file.basename });
      row.addEventListener('click', () => void this.app.workspace.getLeaf(false).openFile(file));
    }
  }

  private async matches(file: TFile): Promise<boolean> {
    const tag = /^tag:\s*(#\S+)$/.exec(this.query)?.[1]?.toLowerCase();
    if (tag === undefined) return (await this.app.vault.cachedRead(file)).includes(this.query);
    const cache = this.app.metadataCache.getFileCache(file);
    const tags = (cache && getAllTags(cache)) ?? [];
    return tags.some((each) => `${each.toLowerCase()}/`.startsWith(`${tag}/`));
  }
}

export async function openSearch({ workspace }: Pick<App, 'workspace'>, query: string): Promise<void> {
  await workspace.ensureSideLeaf(type, 'left', { active: true, reveal: true, state: { query } });
}
