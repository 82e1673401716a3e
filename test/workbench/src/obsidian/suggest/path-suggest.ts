/** Type-ahead over the vault's files or folders, for settings that hold a path. */
import type { WidgetApp } from '../windows/host';
import { AbstractInputSuggest } from './popover-suggest';

export interface VaultPath {
  path: string;
}

export class PathSuggest extends AbstractInputSuggest<VaultPath> {
  constructor(
    app: WidgetApp,
    private readonly inputEl: HTMLInputElement,
    private readonly listPaths: () => VaultPath[],
  ) {
    super(app, inputEl);
  }

  renderSuggestion(value: VaultPath, el: HTMLElement): void {
    el.setText(value.path);
  }

  override selectSuggestion(value: VaultPath): void {
    this.setValue(value.path);
    this.inputEl.trigger('input');
    this.close();
  }

  protected getSuggestions(query: string): VaultPath[] {
    const wanted = query.toLowerCase();
    return this.listPaths().filter(({ path }) => path.toLowerCase().includes(wanted));
  }
}
