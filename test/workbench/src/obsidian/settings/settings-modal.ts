/** The settings window: tabs on the left, one tab's content on the right, and search over all of them. */
import { Platform } from '../base/platform';
import type { WidgetApp } from '../windows/host';
import { setIcon } from '../controls/icons';
import { Modal } from '../windows/modal';
import { makePressable } from './setting-elements';
import { getScreen, PluginSettingTab, type SettingTab } from './setting-tab';
import { drawHits, findSettings, type SettingHit } from './settings-search';
import { SearchComponent } from '../controls/text-components';

const flashMilliseconds = 1200;

function flash(rowEl: HTMLElement): () => void {
  rowEl.addClass('is-flashing');
  const timer = rowEl.win.setTimeout(() => rowEl.removeClass('is-flashing'), flashMilliseconds);
  return () => rowEl.win.clearTimeout(timer);
}

export class SettingsModal extends Modal {
  settingTabs: SettingTab[] = [];
  pluginTabs: SettingTab[] = [];
  activeTab: SettingTab | null = null;
  lastTabId = '';
  private endFlash = (): void => {};
  readonly tabHeadersEl: HTMLElement;
  readonly tabContentContainer: HTMLElement;
  private readonly search: SearchComponent;
  private readonly navEl: HTMLElement;
  private readonly resultsEl: HTMLElement;
  private readonly backEl: HTMLElement;
  private readonly barTitleEl: HTMLElement;

  constructor(app: WidgetApp) {
    super(app);
    this.modalEl.addClass('mod-settings', 'mod-sidebar-layout');
    this.headerEl.hide();
    const barEl = this.modalEl.createDiv('modal-setting-nav-bar');
    this.modalEl.insertBefore(barEl, this.contentEl);
    this.backEl = barEl.createEl('button', { cls: 'clickable-icon modal-setting-back-button' });
    setIcon(this.backEl, 'lucide-chevron-left');
    this.backEl.setAttribute('aria-label', 'Back');
    this.backEl.addEventListener('click', () => this.goBack());
    this.barTitleEl = barEl.createDiv({ cls: 'modal-setting-title', text: 'Settings' });
    this.contentEl.addClass('vertical-tabs-container');
    this.tabHeadersEl = this.contentEl.createDiv('vertical-tab-header');
    this.search = new SearchComponent(this.tabHeadersEl.createDiv('setting-search'));
    this.search.setPlaceholder('Search settings...').onChange((query) => this.showResults(query));
    this.navEl = this.tabHeadersEl.createDiv('vertical-tab-header-groups');
    this.tabContentContainer = this.contentEl.createDiv('vertical-tab-content-container');
    this.resultsEl = createDiv('vertical-tab-content setting-search-results');
  }

  override onOpen(): void {
    this.clearSearch();
    this.drawNav();
    const last = this.allTabs.find((tab) => tab.id === this.lastTabId) ?? this.allTabs[0];
    if (last && !Platform.isPhone) this.openTab(last);
  }

  override onClose(): void {
    this.endFlash();
    this.closeActiveTab();
    this.clearSearch();
  }

  override onHistoryBack(): void {
    this.goBack();
  }

  addSettingTab(tab: SettingTab): void {
    (tab instanceof PluginSettingTab ? this.pluginTabs : this.settingTabs).push(tab);
    tab.update();
    this.redrawNav();
  }

  removeSettingTab(tab: SettingTab): void {
    if (this.activeTab === tab) this.closeActiveTab();
    this.pluginTabs = this.pluginTabs.filter((other) => other !== tab);
    this.settingTabs = this.settingTabs.filter((other) => other !== tab);
    this.redrawNav();
  }

  openTab(tab: SettingTab): void {
    this.closeActiveTab();
    this.clearSearch();
    this.activeTab = tab;
    this.lastTabId = tab.id;
    this.tabContentContainer.appendChild(tab.containerEl);
    this.tabContentContainer.scrollTop = 0;
    const screen = getScreen(tab);
    screen.onNavigate = () => this.drawBar();
    screen.show();
    this.markNav();
  }

  /** Null for an unknown id. Opening a tab does not open the window. */
  openTabById(id: string): SettingTab | null {
    const tab = this.allTabs.find((candidate) => candidate.id === id) ?? null;
    if (tab) this.openTab(tab);
    return tab;
  }

  private get allTabs(): SettingTab[] {
    return [...this.settingTabs, ...this.pluginTabs];
  }

  private closeActiveTab(): void {
    const tab = this.activeTab;
    this.activeTab = null;
    if (tab) {
      getScreen(tab).leave();
      tab.containerEl.detach();
    }
    this.markNav();
  }

  /** One step: from a page to its tab, on a phone from a tab to the list of tabs, then out. */
  private goBack(): void {
    if (this.activeTab && getScreen(this.activeTab).goBack()) return;
    if (Platform.isPhone && (this.activeTab || this.resultsEl.isConnected)) {
      this.clearSearch();
      this.closeActiveTab();
      return;
    }
    this.close();
  }

  private clearSearch(): void {
    this.search.setValue('');
    this.resultsEl.detach();
  }

  /** A window that is not open draws the list when it opens: an app adds its tabs at the start, one by one. */
  private redrawNav(): void {
    if (this.containerEl.isConnected) this.drawNav();
  }

  private drawNav(): void {
    this.navEl.empty();
    this.drawNavGroup('Options', this.settingTabs);
    this.drawNavGroup('Community plugins', this.pluginTabs);
    this.markNav();
  }

  private drawNavGroup(title: string, tabs: SettingTab[]): void {
    if (tabs.length === 0) return;
    const groupEl = this.navEl.createDiv('vertical-tab-header-group');
    groupEl.createDiv({ cls: 'vertical-tab-header-group-title', text: title });
    const itemsEl = groupEl.createDiv('vertical-tab-header-group-items');
    for (const tab of tabs) {
      const itemEl = itemsEl.createDiv({ cls: 'vertical-tab-nav-item tappable', attr: { 'data-setting-id': tab.id } });
      if (tab.icon) setIcon(itemEl.createDiv('vertical-tab-nav-item-icon'), tab.icon);
      itemEl.createDiv({ cls: 'vertical-tab-nav-item-title', text: tab.name });
      setIcon(itemEl.createDiv('vertical-tab-nav-item-chevron'), 'lucide-chevron-right');
      makePressable(itemEl, () => this.openTab(tab));
    }
  }

  private markNav(): void {
    for (const itemEl of Array.from(this.navEl.querySelectorAll<HTMLElement>('.vertical-tab-nav-item'))) {
      itemEl.toggleClass('is-active', itemEl.dataset['settingId'] === this.activeTab?.id);
    }
    this.drawBar();
  }

  private drawBar(): void {
    const inside = this.activeTab !== null;
    this.modalEl.toggleClass('is-tab-open', inside);
    const onPage = this.activeTab !== null && getScreen(this.activeTab).pageNames.length > 0;
    this.modalEl.toggleClass('is-page-open', onPage);
    this.barTitleEl.setText(this.activeTab?.name ?? 'Settings');
    this.backEl.toggle(inside);
  }

  private showResults(query: string): void {
    if (query.trim() === '') {
      this.resultsEl.detach();
      const last = this.allTabs.find((tab) => tab.id === this.lastTabId);
      if (last && !Platform.isPhone) this.openTab(last);
      else this.drawBar();
      return;
    }
    this.closeActiveTab();
    const results = Platform.isPhone ? this.tabHeadersEl : this.tabContentContainer;
    results.appendChild(this.resultsEl);
    drawHits(this.resultsEl, findSettings(this.allTabs, query), (hit) => this.openHit(hit));
  }

  private openHit({ tab, setting }: SettingHit): void {
    this.openTab(tab);
    if (!setting) return;
    const screen = getScreen(tab);
    if (setting.pages.length > 0) screen.openPath(setting.pages);
    const rowEl = screen.findRow(setting.name);
    rowEl?.scrollIntoView?.({ block: 'center' });
    if (rowEl) this.endFlash = flash(rowEl);
  }
}
