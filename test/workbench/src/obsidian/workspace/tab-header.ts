/** The tab of a leaf: icon, title, close button, drag order and context menu. */
import { setIcon } from '../controls/icons';
import { setTooltip } from '../windows/tooltip';
import { Menu } from '../windows/menu';
import type { WorkspaceLeaf } from './leaf';

interface TabParts {
  readonly icon: HTMLElement;
  readonly title: HTMLElement;
  readonly status: HTMLElement;
}

const partsOf = new WeakMap<HTMLElement, TabParts>();

export function buildTabHeader(leaf: WorkspaceLeaf, doc: Document): HTMLElement {
  const header = doc.createElement('div');
  header.addClass('workspace-tab-header', 'tappable');
  const inner = header.createDiv('workspace-tab-header-inner');
  partsOf.set(header, {
    icon: inner.createDiv('workspace-tab-header-inner-icon'),
    title: inner.createDiv('workspace-tab-header-inner-title'),
    status: inner.createDiv('workspace-tab-header-status-container'),
  });
  const close = inner.createDiv('workspace-tab-header-inner-close-button');
  setIcon(close, 'x');
  setTooltip(close, 'Close');
  close.addEventListener('click', (event) => {
    event.stopPropagation();
    leaf.detach();
  });
  header.addEventListener('click', () => leaf.workspace.setActiveLeaf(leaf, { focus: true }));
  header.addEventListener('auxclick', (event) => {
    if (event.button === 1) leaf.detach();
  });
  header.addEventListener('contextmenu', (event) => showTabMenu(leaf, event));
  return header;
}

export function updateTabHeader(leaf: WorkspaceLeaf): void {
  const header = leaf.tabHeaderEl;
  const title = leaf.getDisplayText();
  const type = leaf.view.getViewType();
  header.setAttr('data-type', type);
  header.setAttr('aria-label', title);
  if (type !== 'markdown' && type !== 'empty') setTooltip(header, title);
  const parts = partsOf.get(header);
  if (!parts) return;
  setIcon(parts.icon, leaf.getIcon());
  parts.title.setText(title);
  parts.status.empty();
  if (leaf.pinned) setIcon(parts.status.createDiv('workspace-tab-header-status-icon mod-pinned'), 'pin');
}

function showTabMenu(leaf: WorkspaceLeaf, event: MouseEvent): void {
  event.preventDefault();
  const { workspace } = leaf;
  const menu = new Menu();
  menu.addItem((item) =>
    item
      .setSection('close')
      .setTitle('Close')
      .setIcon('x')
      .onClick(() => leaf.detach()),
  );
  menu.addItem((item) =>
    item
      .setSection('close')
      .setTitle('Close others')
      .onClick(() => {
        for (const other of leaf.parent.leaves.slice()) if (other !== leaf && !other.pinned) other.detach();
      }),
  );
  menu.addItem((item) =>
    item
      .setSection('pane')
      .setTitle(leaf.pinned ? 'Unpin' : 'Pin')
      .setIcon('pin')
      .onClick(() => leaf.togglePinned()),
  );
  menu.addItem((item) =>
    item
      .setSection('pane')
      .setTitle('Split right')
      .setIcon('separator-vertical')
      .onClick(() => void workspace.duplicateLeaf(leaf, 'split', 'vertical')),
  );
  menu.addItem((item) =>
    item
      .setSection('pane')
      .setTitle('Move to new window')
      .setIcon('picture-in-picture-2')
      .onClick(() => void workspace.moveLeafToPopout(leaf)),
  );
  leaf.view.onPaneMenu(menu, 'tab-header');
  workspace.trigger('leaf-menu', menu, leaf);
  menu.showAtMouseEvent(event);
}
