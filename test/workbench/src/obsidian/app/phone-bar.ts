/** The bar along the bottom of a phone. */
import { Menu } from '../windows/menu';
import { setIcon } from '../controls/icons';
import type { App } from './app';
import { createNote } from './create-note';
import { QuickSwitcher } from './palette';

export function addPhoneBar(app: App): void {
  const { workspace } = app;
  const bar = workspace.appEl.createDiv('mobile-navbar');
  bar.createDiv({ cls: 'mobile-navbar-sign', text: 'Workbench — not affiliated with Obsidian' });
  const actions = bar.createDiv('mobile-navbar-actions');
  const add = (cls: string, icon: string, label: string, callback: (event: MouseEvent) => unknown): HTMLElement => {
    const button = actions.createDiv({
      cls: `mobile-navbar-action ${cls}`,
      attr: { 'aria-label': label, role: 'button' },
    });
    setIcon(button.createDiv('clickable-icon'), icon);
    button.addEventListener('click', (event) => void callback(event));
    return button;
  };
  const back = add('mod-back', 'chevron-left', 'Back', () => workspace.getMostRecentLeaf()?.travel('back'));
  const forward = add('mod-forward', 'chevron-right', 'Forward', () =>
    workspace.getMostRecentLeaf()?.travel('forward'),
  );
  add('mod-search', 'search', 'Quick switcher', () => new QuickSwitcher(app).open());
  add('mod-new', 'plus', 'New note', () => createNote(app));
  const tabs = add('mod-tabs', 'square', 'Tabs', (event) => showTabs(app, event));
  const count = tabs.createDiv('mobile-navbar-tab-count');
  add('mod-menu', 'menu', 'Ribbon menu', (event) => showRibbonMenu(app, event));
  const update = (): void => {
    const recent = workspace.getMostRecentLeaf();
    back.toggleClass('is-disabled', !recent || recent.history.back.length === 0);
    forward.toggleClass('is-disabled', !recent || recent.history.forward.length === 0);
    count.setText(String(workspace.collectLeaves(workspace.rootSplit).length));
  };
  workspace.on('layout-change', update);
  workspace.on('file-open', update);
  update();
}

function showTabs(app: App, event: MouseEvent): void {
  const { workspace } = app;
  const menu = new Menu();
  workspace.iterateRootLeaves((leaf) => {
    menu.addItem((item) =>
      item
        .setTitle(leaf.getDisplayText())
        .setIcon(leaf.getIcon())
        .setChecked(leaf === workspace.getMostRecentLeaf())
        .onClick(() => workspace.setActiveLeaf(leaf, { focus: true })),
    );
  });
  menu.addSeparator();
  menu.addItem((item) =>
    item
      .setTitle('New tab')
      .setIcon('plus')
      .onClick(() => workspace.setActiveLeaf(workspace.getLeaf('tab'), { focus: true })),
  );
  menu.showAtMouseEvent(event);
}

/** A phone has no ribbon: its actions are a menu. */
function showRibbonMenu(app: App, event: MouseEvent): void {
  const menu = new Menu();
  const actions = [
    ...app.workspace.leftRibbon.items,
    ...(Array.from(app.workspace.leftRibbon.settingsEl.children) as HTMLElement[]),
  ];
  for (const el of actions) {
    const id = el.querySelector('svg')?.classList[1] ?? '';
    menu.addItem((item) =>
      item
        .setTitle(el.getAttribute('aria-label') ?? '')
        .setIcon(id)
        .onClick(() => el.click()),
    );
  }
  menu.showAtMouseEvent(event);
}
