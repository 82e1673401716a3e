/** Draws groups and lists of settings: heading, search, extra buttons, and adding, deleting and reordering. */
import type { SettingDefinition, SettingDefinitionList } from 'obsidian';
import { Platform } from '../base/platform';
import { setIcon } from '../controls/icons';
import { SettingGroup, type Setting } from './setting';
import { evaluate, isPage, isVisible, type GroupDefinition } from './setting-index';
import { cloneText, makePressable } from './setting-elements';
import type { DrawnSettings } from './setting-rows';

export function drawGroup(
  drawn: DrawnSettings,
  definition: GroupDefinition,
  containerEl: HTMLElement,
  index: number,
): void {
  const group = new SettingGroup(containerEl);
  if (definition.heading !== undefined) group.setHeading(definition.heading);
  if (definition.cls) group.addClass(definition.cls);
  for (const configure of definition.extraButtons ?? []) group.addExtraButton((button) => configure(button as never));
  const list = definition.type === 'list' ? (definition as SettingDefinitionList) : null;
  if (list) group.addClass('mod-list');
  const items = definition.items ?? [];
  const rows = items.map((item, position) => {
    const row = drawn.drawItem(group, item, position);
    if (list?.onReorder) addDragHandle(row, group, list.onReorder, position);
    if (list?.onDelete) addDeleteButton(row, list.onDelete, position);
    return row;
  });
  if (list) drawListEnds(group, list, items.length);
  addGroupSearch(drawn, definition, group, rows, index);
  drawn.onRefresh(() => group.groupEl.toggle(isVisible(definition)));
}

function drawListEnds(group: SettingGroup, list: SettingDefinitionList, count: number): void {
  if (count === 0 && list.emptyState !== undefined) {
    group.listEl.createDiv('setting-empty-state').setText(cloneText(list.emptyState));
  }
  const { addItem } = list;
  if (!addItem) return;
  if (!Platform.isMobile) {
    group.addExtraButton((button) => {
      button.setIcon('lucide-plus').setTooltip(addItem.name);
      button.onClick(() => addItem.action(button.extraSettingsEl));
    });
    return;
  }
  const rowEl = group.listEl.createDiv('setting-item setting-add-item');
  setIcon(rowEl.createDiv('setting-add-item-icon'), 'lucide-plus');
  rowEl.createDiv({ cls: 'setting-item-name', text: addItem.name });
  makePressable(rowEl, () => addItem.action(rowEl));
}

function addDeleteButton(row: Setting, onDelete: (index: number) => void, index: number): void {
  row.addExtraButton((button) => {
    button.setIcon('lucide-trash-2').setTooltip('Delete');
    button.onClick(() => onDelete(index));
  });
  row.settingEl.tabIndex = 0;
  row.settingEl.addEventListener('keydown', (event) => {
    if (event.target !== row.settingEl || (event.key !== 'Delete' && event.key !== 'Backspace')) return;
    event.preventDefault();
    onDelete(index);
  });
}

/** Where a row would land: the number of other rows whose middle lies above the pointer. */
function findLanding(rowEls: HTMLElement[], dragged: HTMLElement, y: number): number {
  return rowEls.filter((el) => {
    if (el === dragged) return false;
    const { top, height } = el.getBoundingClientRect();
    return top + height / 2 < y;
  }).length;
}

/** A line above the row that would follow the dragged one, or below the last row. */
function markLanding(rowEls: HTMLElement[], dragged: HTMLElement, landing: number | null): void {
  const others = rowEls.filter((el) => el !== dragged);
  others.forEach((el, position) => {
    el.toggleClass('is-drop-target', position === landing);
    el.toggleClass('is-drop-target-after', landing === others.length && position === others.length - 1);
  });
}

function addDragHandle(
  row: Setting,
  group: SettingGroup,
  onReorder: (oldIndex: number, newIndex: number) => void,
  index: number,
): void {
  const handleEl = createDiv({ cls: 'setting-drag-handle clickable-icon', attr: { 'aria-label': 'Drag to reorder' } });
  setIcon(handleEl, 'lucide-grip-vertical');
  row.settingEl.prepend(handleEl);
  handleEl.addEventListener('pointerdown', (start) => {
    start.preventDefault();
    const win = handleEl.win;
    const rowEls = Array.from(group.listEl.querySelectorAll<HTMLElement>(':scope > .setting-item'));
    const siblings = rowEls.filter((el) => !el.hasClass('setting-add-item'));
    let landing = index;
    row.settingEl.addClass('is-being-dragged');
    const onMove = (event: PointerEvent): void => {
      landing = findLanding(siblings, row.settingEl, event.clientY);
      markLanding(siblings, row.settingEl, landing === index ? null : landing);
    };
    const stop = (event: Event): void => {
      win.removeEventListener('pointermove', onMove);
      win.removeEventListener('pointerup', stop);
      win.removeEventListener('pointercancel', stop);
      row.settingEl.removeClass('is-being-dragged');
      markLanding(siblings, row.settingEl, null);
      if (event.type === 'pointerup' && landing !== index) onReorder(index, landing);
    };
    win.addEventListener('pointermove', onMove);
    win.addEventListener('pointerup', stop);
    win.addEventListener('pointercancel', stop);
  });
}

/** Rows with `searchable: false` stay; what is typed outlives the drawing. */
function addGroupSearch(
  drawn: DrawnSettings,
  definition: GroupDefinition,
  group: SettingGroup,
  rows: Setting[],
  index: number,
): void {
  const { search } = definition;
  if (!search) return;
  const key = JSON.stringify([...drawn.path, definition.heading ?? index]);
  const queries = drawn.owner.groupQueries;
  const filter = (): void => {
    const query = queries.get(key) ?? '';
    (definition.items ?? []).forEach((item, position) => {
      const always = !isPage(item) && !evaluate(item.searchable, true);
      const matches = query === '' || always || search.match(item as SettingDefinition, query);
      rows[position]?.settingEl.toggle(isVisible(item) && matches);
    });
  };
  group.addSearch((component) => {
    if (search.placeholder !== undefined) component.setPlaceholder(search.placeholder);
    component.setValue(queries.get(key) ?? '').onChange((query) => {
      queries.set(key, query);
      filter();
    });
  });
  drawn.onRefresh(filter);
}
