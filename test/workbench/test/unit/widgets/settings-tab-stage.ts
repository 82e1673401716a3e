/** A plugin with a settings tab of declarative rows, shown in the page. */
import type { SettingDefinitionItem } from 'obsidian';
import { getScreen, PluginSettingTab } from '../../../src/obsidian/settings/setting-tab';
import { createStage, type Stage } from './stage';

export const world: { app: Stage; saved: unknown[]; settings: Record<string, unknown> } = {
  app: null as unknown as Stage,
  saved: [],
  settings: {},
};

export function resetWorld(): void {
  world.app = createStage();
  world.saved = [];
  world.settings = { on: true, word: 'seven' };
}

export class Tab extends PluginSettingTab {
  displayed = 0;
  define: () => SettingDefinitionItem[] = () => [];

  constructor() {
    super(world.app, {
      manifest: { id: 'sample', name: 'Sample' },
      settings: world.settings,
      saveData: async (data) => void world.saved.push(JSON.parse(JSON.stringify(data))),
    });
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    return this.define();
  }

  override display(): void {
    this.displayed++;
  }
}

export function showTab(tab: Tab): Tab {
  document.body.appendChild(tab.containerEl);
  getScreen(tab).show();
  return tab;
}

export function show(define: () => SettingDefinitionItem[]): Tab {
  const tab = new Tab();
  tab.define = define;
  return showTab(tab);
}

function listRows(): HTMLElement[] {
  return Array.from(document.querySelectorAll<HTMLElement>('.setting-items > .setting-item'));
}

function getName(row: HTMLElement): string {
  return row.querySelector('.setting-item-name')?.textContent ?? '';
}

/** The names of the rows that are not hidden. */
export function names(): string[] {
  return listRows()
    .filter((el) => el.style.display !== 'none')
    .map(getName);
}

export function row(name: string): HTMLElement {
  const found = listRows().find((el) => getName(el) === name);
  if (!found) throw new Error(`No row ${name}`);
  return found;
}
