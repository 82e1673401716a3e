/** Opens a menu of the app at a button: keys and, on a phone, a sheet come with it. */
import { Menu } from 'obsidian';

export interface MenuLine {
  readonly title: string;
  /** A second line that says what it is for. */
  readonly detail?: string;
  readonly icon?: string;
  readonly checked?: boolean;
  /** Lines of one section stand together. */
  readonly section?: string;
  /** A line without one only tells something. */
  readonly run?: () => void;
}

export function openMenu(button: HTMLElement, lines: readonly MenuLine[]): void {
  const menu = new Menu();
  for (const { title, detail, icon, checked = false, section = '', run } of lines) {
    menu.addItem((item) => {
      item.setTitle(detail === undefined ? title : twoLines(title, detail)).setSection(section);
      item.setChecked(checked);
      if (icon !== undefined) item.setIcon(icon);
      if (run === undefined) item.setDisabled(true);
      else item.onClick(run);
    });
  }
  const { left, top } = button.getBoundingClientRect();
  menu.showAtPosition({ x: left, y: top }, button.doc);
}

function twoLines(title: string, detail: string): DocumentFragment {
  return createFragment((fragment) => {
    const lines = fragment.createDiv('docent-menu-lines');
    lines.createDiv({ text: title });
    lines.createDiv({ text: detail, cls: 'docent-menu-detail' });
  });
}
