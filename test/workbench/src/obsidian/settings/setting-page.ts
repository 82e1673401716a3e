/** SettingPage: a page that opens from an entry of a settings tab, with a title bar to go back. */
import type { SettingDefinitionPage } from 'obsidian';
import { setIcon } from '../controls/icons';
import type { DrawnSettings } from './setting-rows';
import { setTooltip } from '../windows/tooltip';

export abstract class SettingPage {
  rootEl: HTMLElement;
  titlebarEl: HTMLElement;
  containerEl: HTMLElement;
  title = '';

  constructor() {
    this.rootEl = createDiv('setting-page');
    this.titlebarEl = this.rootEl.createDiv('setting-page-titlebar');
    this.containerEl = this.rootEl.createDiv('setting-page-content');
  }

  abstract display(): void;

  hide(): void {
    this.containerEl.empty();
  }
}

/** The title is read when the page opens, after the subclass has set it. */
export function drawTitlebar(page: SettingPage, fallbackTitle: string, goBack: () => void): void {
  page.titlebarEl.empty();
  const backEl = page.titlebarEl.createEl('button', { cls: 'clickable-icon setting-page-back-button' });
  setIcon(backEl, 'lucide-arrow-left');
  setTooltip(backEl, 'Back');
  backEl.addEventListener('click', goBack);
  page.titlebarEl.createDiv({ cls: 'setting-page-title', text: page.title || fallbackTitle });
}

/** A page whose content comes from a definition's items. */
export class DeclarativePage extends SettingPage {
  drawn: DrawnSettings | null = null;

  constructor(
    public definition: SettingDefinitionPage,
    private readonly createDrawn: () => DrawnSettings,
  ) {
    super();
    this.title = definition.name;
  }

  display(): void {
    this.hide();
    this.drawn = this.createDrawn();
    this.drawn.draw(this.definition.items ?? [], this.containerEl);
  }

  override hide(): void {
    this.drawn?.destroy();
    this.drawn = null;
    super.hide();
  }
}
