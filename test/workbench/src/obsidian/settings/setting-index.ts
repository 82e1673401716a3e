/** Reads setting definitions: which rows show, which are disabled, and what settings search finds. */
import type {
  SettingDefinition,
  SettingDefinitionGroup,
  SettingDefinitionItem,
  SettingDefinitionList,
  SettingDefinitionPage,
  SettingGroupItem,
} from 'obsidian';

type Predicate = boolean | (() => boolean) | undefined;

export type GroupDefinition = SettingDefinitionGroup | SettingDefinitionList;

/** A row or page entry that search can lead to. */
export interface IndexedSetting {
  name: string;
  desc: string;
  aliases: string[];
  /** The names of the pages to open, outermost first. */
  pages: string[];
}

export function evaluate(predicate: Predicate, fallback: boolean): boolean {
  return (typeof predicate === 'function' ? predicate() : predicate) ?? fallback;
}

export function isGroup(item: SettingDefinitionItem): item is GroupDefinition {
  return 'type' in item && (item.type === 'group' || item.type === 'list');
}

export function isPage(item: SettingDefinitionItem): item is SettingDefinitionPage {
  return 'type' in item && item.type === 'page';
}

export function isVisible(item: SettingDefinitionItem): boolean {
  return evaluate(item.visible, true);
}

export function isDisabled(row: SettingDefinition): boolean {
  if (row.control) return evaluate(row.control.disabled, false);
  return row.action ? evaluate(row.disabled, false) : false;
}

export function toText(text: string | DocumentFragment | undefined): string {
  return typeof text === 'string' ? text : (text?.textContent ?? '');
}

/** Page entries of one level, those inside groups too; page names are unique among siblings. */
export function findPage(items: SettingDefinitionItem[], name: string): SettingDefinitionPage | null {
  for (const item of items) {
    if (isPage(item) && item.name === name) return item;
    if (!isGroup(item)) continue;
    const inside = findPage(item.items ?? [], name);
    if (inside) return inside;
  }
  return null;
}

export function indexDefinitions(items: SettingDefinitionItem[], pages: string[] = []): IndexedSetting[] {
  const found: IndexedSetting[] = [];
  for (const item of items) {
    if (!isVisible(item)) continue;
    if (isGroup(item)) found.push(...indexDefinitions((item.items ?? []) as SettingGroupItem[], pages));
    else if (isPage(item)) {
      found.push({ name: item.name, desc: toText(item.desc), aliases: [], pages });
      found.push(...indexDefinitions(item.items ?? [], [...pages, item.name]));
    } else if (evaluate(item.searchable, true)) {
      const { name, desc, aliases = [] } = item;
      found.push({ name, desc: toText(desc), aliases, pages });
    }
  }
  return found;
}

/** Every word of the query must occur in the name, the description or an alias. */
export function matchesQuery(setting: IndexedSetting, query: string): boolean {
  const text = [setting.name, setting.desc, ...setting.aliases].join('\n').toLowerCase();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length > 0 && words.every((word) => text.includes(word));
}
