/** One row of a menu, and the line between rows. */
import { setIcon } from '../controls/icons';
import type { Menu } from './menu';

export class MenuItem {
  readonly dom: HTMLElement;
  readonly titleEl: HTMLElement;
  readonly iconEl: HTMLElement;
  section = '';
  disabled = false;
  isLabel = false;
  submenu: Menu | null = null;
  private checkEl: HTMLElement | null = null;
  private callback: ((evt: MouseEvent | KeyboardEvent) => unknown) | null = null;

  /** The factory makes the submenu's class known without a circular import. */
  constructor(
    readonly menu: Menu,
    private readonly createMenu: () => Menu,
  ) {
    this.dom = createDiv('menu-item tappable');
    this.iconEl = this.dom.createDiv('menu-item-icon');
    this.titleEl = this.dom.createDiv('menu-item-title');
    this.dom.addEventListener('mouseenter', () => menu.onItemHover(this));
    this.dom.addEventListener('click', (event) => {
      event.preventDefault();
      this.use(event);
    });
  }

  get selectable(): boolean {
    return !this.disabled && !this.isLabel;
  }

  setTitle(title: string | DocumentFragment): this {
    this.titleEl.setText(title);
    return this;
  }

  setIcon(icon: string | null): this {
    setIcon(this.iconEl, icon ?? '');
    return this;
  }

  setChecked(checked: boolean | null): this {
    this.dom.toggleClass('mod-checked', checked === true);
    this.checkEl?.remove();
    this.checkEl = null;
    if (checked) {
      this.checkEl = this.dom.createDiv('menu-item-icon mod-checked');
      setIcon(this.checkEl, 'lucide-check');
    }
    return this;
  }

  setActive(active: boolean): this {
    return this.setChecked(active);
  }

  setDisabled(disabled: boolean): this {
    this.disabled = disabled;
    this.dom.toggleClass('is-disabled', disabled);
    return this;
  }

  setWarning(isWarning: boolean): this {
    this.dom.toggleClass('is-warning', isWarning);
    return this;
  }

  setIsLabel(isLabel: boolean): this {
    this.isLabel = isLabel;
    this.dom.toggleClass('is-label', isLabel);
    return this;
  }

  setSection(section: string): this {
    this.section = section;
    this.dom.setAttribute('data-section', section);
    return this;
  }

  onClick(callback: (evt: MouseEvent | KeyboardEvent) => unknown): this {
    this.callback = callback;
    return this;
  }

  /** Not in the typed API, and used by many plugins. */
  setSubmenu(): Menu {
    if (!this.submenu) {
      this.submenu = this.createMenu();
      this.submenu.parentMenu = this.menu;
      this.dom.addClass('has-submenu');
      setIcon(this.dom.createDiv('menu-item-icon mod-submenu'), 'lucide-chevron-right');
    }
    return this.submenu;
  }

  /** Runs the row: a submenu opens, anything else closes the whole menu first. */
  use(event: MouseEvent | KeyboardEvent): void {
    if (!this.selectable) return;
    if (this.submenu) {
      this.menu.openSubmenu(this);
      return;
    }
    this.menu.hideAll();
    this.callback?.(event);
  }
}

export class MenuSeparator {
  readonly dom: HTMLElement;
  section = '';

  constructor(readonly menu: Menu) {
    this.dom = createDiv('menu-separator');
  }
}
