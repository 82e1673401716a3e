/** What a settings tab shows right now: its own rows, or the page opened on top of them. */
import type { SettingDefinitionItem, SettingDefinitionPage } from 'obsidian';
import type { ControlBinding } from './setting-controls';
import { findPage, isVisible } from './setting-index';
import { DeclarativePage, drawTitlebar, type SettingPage } from './setting-page';
import { DrawnSettings, type SettingOwner } from './setting-rows';

export interface ScreenTab extends ControlBinding {
  containerEl: HTMLElement;
  settingItems: SettingDefinitionItem[];
  display(): void;
  hide(): void;
  update(): void;
}

interface OpenPage {
  name: string;
  definition: SettingDefinitionPage;
  page: SettingPage;
}

export class SettingScreen {
  readonly groupQueries = new Map<string, string>();
  private root: DrawnSettings | null = null;
  private pages: OpenPage[] = [];
  private shown = false;
  /** Called after every change of page, so that a window around the tab can follow. */
  onNavigate: () => void = () => undefined;

  constructor(private readonly tab: ScreenTab) {}

  get pageNames(): string[] {
    return this.pages.map(({ name }) => name);
  }

  /** Reads the definitions again and draws them, or delegates to an imperative `display`. */
  show(): void {
    this.shown = true;
    this.tab.update();
    if (this.tab.settingItems.length === 0) this.tab.display();
  }

  leave(): void {
    if (!this.shown) return;
    this.shown = false;
    this.closePages(0);
    this.clearRoot();
    this.tab.hide();
  }

  /** Draws what is shown again from the tab's current definitions; scrolling and the open page stay. */
  redraw(): void {
    if (!this.shown || this.tab.settingItems.length === 0) return;
    const scrollEl = this.tab.containerEl.parentElement;
    const scrollTop = scrollEl?.scrollTop ?? 0;
    const reached = this.resolveOpenPages();
    this.closePages(reached.length);
    const top = this.pages[this.pages.length - 1];
    if (!top) this.drawRoot();
    else {
      top.definition = reached[reached.length - 1] ?? top.definition;
      if (top.page instanceof DeclarativePage) {
        top.page.definition = top.definition;
        top.page.display();
      }
    }
    if (scrollEl) scrollEl.scrollTop = scrollTop;
  }

  refresh(): void {
    this.drawn?.refresh();
  }

  openPath(names: string[]): void {
    this.closePages(0);
    for (const name of names) {
      const definition = findPage(this.currentItems(), name);
      if (!definition) break;
      this.openPage(definition);
    }
    if (names.length === 0) this.drawRoot();
  }

  openPage(definition: SettingDefinitionPage): void {
    this.pages[this.pages.length - 1]?.page.hide();
    this.clearRoot();
    const page = definition.page?.() ?? this.createDeclarativePage(definition);
    this.pages.push({ name: definition.name, definition, page });
    this.showTopPage();
  }

  /** False when no page was open. */
  goBack(): boolean {
    if (this.pages.length === 0) return false;
    this.closePages(this.pages.length - 1);
    if (this.pages.length === 0) this.drawRoot();
    else this.showTopPage();
    return true;
  }

  findRow(name: string): HTMLElement | null {
    return this.drawn?.findRow(name) ?? null;
  }

  /** What is drawn from definitions right now: none under an imperative page or tab. */
  private get drawn(): DrawnSettings | null {
    const page = this.pages[this.pages.length - 1]?.page;
    if (!page) return this.root;
    return page instanceof DeclarativePage ? page.drawn : null;
  }

  private createDeclarativePage(definition: SettingDefinitionPage): SettingPage {
    const path = [...this.pageNames, definition.name];
    return new DeclarativePage(definition, () => new DrawnSettings(this.createOwner(), path));
  }

  private showTopPage(): void {
    const top = this.pages[this.pages.length - 1];
    if (!top) return;
    this.tab.containerEl.empty();
    this.tab.containerEl.appendChild(top.page.rootEl);
    drawTitlebar(top.page, top.name, () => this.goBack());
    top.page.display();
    if (this.tab.containerEl.parentElement) this.tab.containerEl.parentElement.scrollTop = 0;
    this.onNavigate();
  }

  private closePages(kept: number): void {
    while (this.pages.length > kept) {
      const { page } = this.pages.pop() as OpenPage;
      page.hide();
      page.rootEl.detach();
    }
  }

  private drawRoot(): void {
    this.clearRoot();
    this.tab.containerEl.empty();
    this.root = new DrawnSettings(this.createOwner(), []);
    this.root.draw(this.tab.settingItems, this.tab.containerEl);
    this.onNavigate();
  }

  private clearRoot(): void {
    this.root?.destroy();
    this.root = null;
  }

  private currentItems(): SettingDefinitionItem[] {
    const top = this.pages[this.pages.length - 1];
    return top ? (top.definition.items ?? []) : this.tab.settingItems;
  }

  /** The open pages' definitions in the new items, as far as they still exist and are visible. */
  private resolveOpenPages(): SettingDefinitionPage[] {
    const reached: SettingDefinitionPage[] = [];
    let items = this.tab.settingItems;
    for (const { name } of this.pages) {
      const definition = findPage(items, name);
      if (!definition || !isVisible(definition)) break;
      reached.push(definition);
      items = definition.items ?? [];
    }
    return reached;
  }

  private createOwner(): SettingOwner {
    const { tab } = this;
    return {
      app: tab.app,
      groupQueries: this.groupQueries,
      getControlValue: (key) => tab.getControlValue(key),
      setControlValue: (key, value) => tab.setControlValue(key, value),
      refreshDomState: () => tab.refreshDomState(),
      openPage: (page) => this.openPage(page),
    };
  }
}
