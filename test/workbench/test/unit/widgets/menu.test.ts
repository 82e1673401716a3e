/** @jest-environment jsdom */
import { setPlatform } from '../../../src/obsidian/base/platform';
import { Menu } from '../../../src/obsidian/windows/menu';
import { createSecondDocument, createStage, find, press, settle, texts, type Stage } from './stage';

let app: Stage;
let chosen: string[];
beforeEach(() => {
  app = createStage();
  chosen = [];
});

function add(menu: Menu, title: string, section = ''): Menu {
  return menu.addItem((item) =>
    item
      .setTitle(title)
      .setSection(section)
      .onClick(() => chosen.push(title)),
  );
}

function createMenu(): Menu {
  const menu = new Menu();
  add(menu, 'Open', 'open');
  add(menu, 'Delete', 'danger');
  add(menu, 'Open right', 'open');
  menu.addItem((item) => item.setTitle('Off').setSection('danger').setDisabled(true));
  return menu;
}

const rows = () => Array.from(document.querySelectorAll('.menu-scroll .menu-item, .menu-scroll .menu-separator'));
const selected = () => texts('.menu-item.selected .menu-item-title');

test('rows are grouped by section, with one line between sections', () => {
  createMenu().showAtPosition({ x: 10, y: 10 });
  expect(rows().map((el) => el.textContent || '—')).toEqual(['Open', 'Open right', '—', 'Delete', 'Off']);
  expect(find('.menu-item').dataset['section']).toBe('open');
});

test('needless separators are not drawn', () => {
  const menu = new Menu().addSeparator();
  add(menu, 'A').addSeparator().addSeparator();
  add(menu, 'B').addSeparator();
  menu.showAtPosition({ x: 0, y: 0 });
  expect(rows().map((el) => el.textContent || '—')).toEqual(['A', '—', 'B']);
});

test('arrow keys walk in drawn order over enabled rows and wrap, Enter uses the row and closes first', () => {
  const menu = createMenu();
  menu.onHide(() => chosen.push('hidden'));
  menu.showAtPosition({ x: 0, y: 0 });
  const seen = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp'].map((key) => {
    press(key);
    return selected()[0];
  });
  expect(seen).toEqual(['Open', 'Open right', 'Delete', 'Open', 'Delete']);
  press('Enter');
  expect(chosen).toEqual(['hidden', 'Delete']);
  expect(document.querySelector('.menu')).toBeNull();
});

test('a disabled row and a label do nothing on a click, and the menu stays', () => {
  const menu = createMenu().addItem((item) =>
    item
      .setTitle('Label')
      .setIsLabel(true)
      .onClick(() => chosen.push('label')),
  );
  menu.showAtPosition({ x: 0, y: 0 });
  find('.is-disabled').click();
  find('.is-label').click();
  expect(chosen).toEqual([]);
  expect(document.querySelector('.menu')).not.toBeNull();
});

test('a submenu opens with the right arrow, closes alone with the left one and Escape, and closes all when used', () => {
  const menu = new Menu().addItem((item) => add(item.setTitle('More').setSubmenu(), 'Deep'));
  menu.showAtPosition({ x: 0, y: 0 });
  press('ArrowDown');
  for (const key of ['ArrowLeft', 'Escape']) {
    press('ArrowRight');
    expect(selected()).toEqual(['More', 'Deep']);
    press(key);
    expect(document.querySelectorAll('.menu')).toHaveLength(1);
  }
  press('ArrowRight');
  press('Enter');
  expect(chosen).toEqual(['Deep']);
  expect(document.querySelector('.menu')).toBeNull();
  const below = jest.fn();
  app.keymap.root.register([], 'ArrowDown', below);
  press('ArrowDown');
  expect(below).toHaveBeenCalledTimes(1);
});

test('a menu that is shown again opens its submenu again', () => {
  const menu = new Menu().addItem((item) => add(item.setTitle('More').setSubmenu(), 'Deep'));
  for (const round of [1, 2]) {
    menu.showAtPosition({ x: round, y: round });
    press('ArrowDown');
    press('ArrowRight');
    expect(document.querySelectorAll('.menu')).toHaveLength(2);
    menu.hide();
    expect(document.querySelector('.menu')).toBeNull();
  }
});

test('pressing elsewhere closes it, pressing inside does not', () => {
  createMenu().showAtPosition({ x: 0, y: 0 });
  find('.menu-item').dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
  expect(document.querySelector('.menu')).not.toBeNull();
  document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
  expect(document.querySelector('.menu')).toBeNull();
});

test('listeners of one event share a menu, shown once they have all added their rows', async () => {
  const target = document.body.createDiv();
  target.addEventListener('contextmenu', (event) => add(Menu.forEvent(event), 'Inner'));
  document.body.addEventListener('contextmenu', (event) => add(Menu.forEvent(event), 'Outer'), { once: true });
  const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true });
  target.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  expect(document.querySelector('.menu')).toBeNull();
  await settle();
  expect(texts('.menu-item')).toEqual(['Inner', 'Outer']);
});

test('an empty menu is not shown, and a shown one takes no more rows', () => {
  new Menu().showAtPosition({ x: 0, y: 0 });
  expect(document.querySelector('.menu')).toBeNull();
  add(createMenu().showAtPosition({ x: 0, y: 0 }), 'Late');
  expect(texts('.menu-item')).not.toContain('Late');
});

test('a checked row shows a tick, and taking it back removes it', () => {
  const menu = new Menu();
  menu.addItem((item) => item.setTitle('On').setChecked(true));
  menu.addItem((item) => item.setTitle('Off').setChecked(true).setChecked(null));
  menu.showAtPosition({ x: 0, y: 0 });
  expect(document.querySelectorAll('.menu-item-icon.mod-checked svg')).toHaveLength(1);
});

test('it can be shown in another window and hides with an outside press there', () => {
  const second = createSecondDocument(app.keymap);
  createMenu().showAtPosition({ x: 0, y: 0 }, second);
  expect(second.querySelector('.menu')).not.toBeNull();
  second.body.dispatchEvent(
    new (second.defaultView as Window & typeof globalThis).MouseEvent('mousedown', { bubbles: true }),
  );
  expect(second.querySelector('.menu')).toBeNull();
});

test('on a phone it lies over a background that closes it', () => {
  setPlatform({ phone: true });
  createMenu().showAtPosition({ x: 0, y: 0 });
  find('.menu-bg').click();
  expect(document.querySelector('.menu, .menu-bg')).toBeNull();
});
