/** Menu: a context menu with sections, keys and submenus; a sheet from below on a phone. */
import type { MenuPositionDef } from 'obsidian';
import { Component } from '../base/component';
import { Platform } from '../base/platform';
import { Scope } from '../base/scope';
import { getWidgetApp } from './host';
import { MenuItem, MenuSeparator } from './menu-item';
import { clampInside } from './place';

export { MenuItem, MenuSeparator };

type Row = MenuItem | MenuSeparator;

/** So that the first row of a submenu lies level with the row that opened it. */
const menuPadding = 7;

const menusByEvent = new WeakMap<Event, Menu>();

export class Menu extends Component {
  readonly dom: HTMLElement;
  readonly bgEl: HTMLElement;
  readonly scrollEl: HTMLElement;
  readonly scope = new Scope();
  items: Row[] = [];
  parentMenu: Menu | null = null;
  private sections: string[] = [];
  private selected: MenuItem | null = null;
  private openChild: Menu | null = null;
  private hideCallbacks: (() => unknown)[] = [];
  private shown = false;

  constructor() {
    super();
    this.bgEl = createDiv('suggestion-bg menu-bg');
    this.dom = createDiv('menu');
    this.dom.createDiv('menu-grabber');
    this.scrollEl = this.dom.createDiv('menu-scroll');
    this.dom.addEventListener('contextmenu', (event) => event.preventDefault());
    this.bgEl.addEventListener('click', () => this.hideAll());
    this.registerKeys();
  }

  /** One menu an event: every listener of the same right-click adds to it, and it shows once they are done. */
  static forEvent(evt: PointerEvent | MouseEvent): Menu {
    const known = menusByEvent.get(evt);
    if (known) return known;
    const menu = new Menu();
    menusByEvent.set(evt, menu);
    evt.preventDefault();
    evt.win.setTimeout(() => menu.showAtMouseEvent(evt), 0);
    return menu;
  }

  setNoIcon(): this {
    this.dom.addClass('mod-no-icon');
    return this;
  }

  /** The emulator draws every menu itself. */
  setUseNativeMenu(_useNativeMenu: boolean): this {
    return this;
  }

  setParentElement(el: HTMLElement): this {
    el.addClass('has-active-menu');
    this.onHide(() => el.removeClass('has-active-menu'));
    return this;
  }

  /** Sections named here come in this order, before those that only items name. */
  addSections(sections: string[]): this {
    this.sections.push(...sections);
    return this;
  }

  addItem(cb: (item: MenuItem) => unknown): this {
    if (this.shown) return this;
    const item = new MenuItem(this, () => new Menu());
    this.items.push(item);
    cb(item);
    return this;
  }

  addSeparator(): this {
    if (this.shown) return this;
    const separator = new MenuSeparator(this);
    separator.section = this.items[this.items.length - 1]?.section ?? '';
    this.items.push(separator);
    return this;
  }

  showAtMouseEvent(evt: MouseEvent): this {
    return this.showAtPosition({ x: evt.clientX, y: evt.clientY }, evt.doc ?? activeDocument);
  }

  showAtPosition(position: MenuPositionDef, doc: Document = activeDocument): this {
    if (this.shown || !this.items.some((row) => row instanceof MenuItem)) return this;
    this.shown = true;
    this.drawRows();
    if (Platform.isPhone) doc.body.appendChild(this.bgEl);
    doc.body.appendChild(this.dom);
    getWidgetApp()?.keymap.pushScope(this.scope);
    void this.load();
    this.place(position);
    const onPointer = (event: Event): void => {
      if (!this.containsInTree(event.target as Node)) this.hideAll();
    };
    if (!this.parentMenu) {
      doc.addEventListener('mousedown', onPointer, true);
      this.onHide(() => doc.removeEventListener('mousedown', onPointer, true));
    }
    return this;
  }

  hide(): this {
    if (!this.shown) return this;
    this.shown = false;
    this.openChild?.hide();
    this.openChild = null;
    getWidgetApp()?.keymap.popScope(this.scope);
    this.dom.detach();
    this.bgEl.detach();
    this.select(null);
    this.unload();
    for (const callback of this.hideCallbacks.splice(0)) callback();
    return this;
  }

  close(): void {
    this.hide();
  }

  onHide(callback: () => unknown): void {
    this.hideCallbacks.push(callback);
  }

  onHistoryBack(): void {
    this.hide();
  }

  /** Hides this menu together with the menus it was opened from. */
  hideAll(): void {
    if (this.parentMenu) this.parentMenu.hideAll();
    else this.hide();
  }

  onItemHover(item: MenuItem): void {
    if (Platform.isPhone || !item.selectable) return;
    this.select(item);
    if (item.submenu) this.openSubmenu(item);
    else this.closeSubmenu();
  }

  openSubmenu(item: MenuItem): void {
    const { submenu } = item;
    if (!submenu || submenu === this.openChild) return;
    this.closeSubmenu();
    this.openChild = submenu;
    const row = item.dom.getBoundingClientRect();
    submenu.showAtPosition({ x: row.right, y: row.top - menuPadding, width: row.width, overlap: true }, this.dom.doc);
  }

  private closeSubmenu(): void {
    this.openChild?.hide();
    this.openChild = null;
  }

  private containsInTree(node: Node): boolean {
    return this.dom.contains(node) || this.bgEl.contains(node) || (this.openChild?.containsInTree(node) ?? false);
  }

  private drawRows(): void {
    this.scrollEl.empty();
    const named = this.items.map((row) => row.section);
    const order = [...new Set([...this.sections, ...named])];
    for (const section of order) {
      const rows = trimSeparators(this.items.filter((row) => row.section === section));
      if (rows.length === 0) continue;
      if (this.scrollEl.childElementCount > 0) this.scrollEl.createDiv('menu-separator');
      const groupEl = this.scrollEl.createDiv('menu-group');
      for (const row of rows) groupEl.appendChild(row.dom);
    }
    const hasIcon = this.items.some((row) => row instanceof MenuItem && row.iconEl.childElementCount > 0);
    if (!hasIcon) this.setNoIcon();
  }

  private place({ x, y, width = 0, overlap = false, left = false }: MenuPositionDef): void {
    if (Platform.isPhone) return;
    const { innerWidth, innerHeight } = this.dom.win;
    const ownWidth = this.dom.offsetWidth;
    const ownHeight = this.dom.offsetHeight;
    const opensLeft = left || x + ownWidth > innerWidth;
    const start = opensLeft ? x - ownWidth - (overlap ? width : 0) : x;
    const above = y + ownHeight > innerHeight && y - ownHeight > 0 && !this.parentMenu;
    this.dom.setCssStyles({
      left: `${clampInside(start, ownWidth, innerWidth)}px`,
      top: `${clampInside(above ? y - ownHeight : y, ownHeight, innerHeight)}px`,
    });
  }

  private select(item: MenuItem | null): void {
    this.selected?.dom.removeClass('selected');
    this.selected = item;
    item?.dom.addClass('selected');
    item?.dom.scrollIntoView?.({ block: 'nearest' });
  }

  private step(direction: 1 | -1, from: MenuItem | null = this.selected): void {
    const drawn = Array.from(this.scrollEl.querySelectorAll('.menu-item'));
    const selectable = this.items
      .filter((row): row is MenuItem => row instanceof MenuItem && row.selectable)
      .sort((a, b) => drawn.indexOf(a.dom) - drawn.indexOf(b.dom));
    if (selectable.length === 0) return;
    const index = from ? selectable.indexOf(from) : -1;
    const next = index < 0 ? (direction === 1 ? 0 : selectable.length - 1) : index + direction;
    this.select(selectable[(next + selectable.length) % selectable.length] ?? null);
  }

  private registerKeys(): void {
    const on = (key: string, run: (event: KeyboardEvent) => void) =>
      this.scope.register([], key, (event) => {
        run(event);
        return false;
      });
    on('ArrowDown', () => this.step(1));
    on('ArrowUp', () => this.step(-1));
    on('Home', () => this.step(1, null));
    on('End', () => this.step(-1, null));
    on('ArrowRight', () => {
      if (!this.selected?.submenu) return;
      this.openSubmenu(this.selected);
      this.openChild?.step(1, null);
    });
    on('ArrowLeft', () => this.parentMenu?.closeSubmenu());
    on('Escape', () => (this.parentMenu ? this.parentMenu.closeSubmenu() : this.hide()));
    on('Enter', (event) => this.selected?.use(event));
  }
}

function trimSeparators(rows: Row[]): Row[] {
  const kept = rows.filter((row, index) => {
    if (row instanceof MenuItem) return true;
    return rows[index - 1] instanceof MenuItem && rows.slice(index + 1).some((later) => later instanceof MenuItem);
  });
  return kept;
}
