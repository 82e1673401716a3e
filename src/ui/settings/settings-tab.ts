/** SettingsTab: draws the list of settings through Obsidian's declarative settings, so that its search finds them. */
import { type App, type Plugin, PluginSettingTab, type SettingDefinitionItem, type SettingGroupItem } from 'obsidian';
import { words } from '../../text';
import type { SettingsPorts } from '../state/ports';
import {
  additionalInstructionsRow,
  agentNameRow,
  brevityRow,
  chatNotesRow,
  modeRow,
  permissionRow,
  phoneNewLineRow,
  promptsRow,
  sanityChecksRow,
  spendingRow,
  tierRow,
} from './chats-page';
import {
  compactionCapRow,
  compactionCheckRow,
  compactionModelsRow,
  compactionRow,
  compactionShareRow,
  compactionTopicsRow,
  contextStatusRow,
  saveStateFirstRow,
} from './long-chats-page';
import { damagedSettingsRow } from './damaged-settings';
import { contextWindowRow, modelFactsRow, modelRow } from './model-page';
import {
  agentFolderRow,
  clippingFoldersRow,
  contextFilesInRow,
  instructionFilesRow,
  contextFilesRow,
  journalRow,
  keptFoldersRow,
  keptTagsRow,
  provenanceRow,
} from './notes-page';
import { apiKeyRow, providersRow } from './providers-page';
import { serversRow } from './servers-page';
import { type SettingGroup, type SettingRow, settingPages } from './setting-row';
import { homeSkillsRow, startersRow } from './starters-page';
import {
  instructionNotesRow,
  promptExportRow,
  sectionSwitchesRow,
  systemPromptRow,
  userTemplatesRow,
} from './system-prompt-page';

/** THE list of settings; those of one screen are shown in this order. A new setting is one file and one line here. */
export const settingRows: readonly SettingRow[] = [
  damagedSettingsRow,
  modelRow,
  apiKeyRow,
  modeRow,
  tierRow,
  permissionRow,
  promptsRow,
  phoneNewLineRow,
  providersRow,
  contextWindowRow,
  modelFactsRow,
  additionalInstructionsRow,
  brevityRow,
  sanityChecksRow,
  agentNameRow,
  spendingRow,
  keptFoldersRow,
  keptTagsRow,
  clippingFoldersRow,
  provenanceRow,
  instructionFilesRow,
  agentFolderRow,
  chatNotesRow,
  startersRow,
  homeSkillsRow,
  contextFilesRow,
  contextFilesInRow,
  journalRow,
  serversRow,
  contextStatusRow,
  compactionRow,
  compactionShareRow,
  compactionCapRow,
  compactionModelsRow,
  compactionTopicsRow,
  compactionCheckRow,
  saveStateFirstRow,
  systemPromptRow,
  instructionNotesRow,
  userTemplatesRow,
  sectionSwitchesRow,
  promptExportRow,
];

export class SettingsTab extends PluginSettingTab {
  private readonly ports: SettingsPorts;
  /** Runs while the tab is shown. */
  private readonly naming = new MutationObserver(() => nameControls(this.containerEl));
  /** What was typed into the box that was not left yet. */
  private typed: Typed | null = null;
  /** Whether the rows are being drawn again, which leaves no box though the focus goes. */
  private isDrawing = false;
  private isHidden = false;

  constructor(app: App, plugin: Plugin, ports: Omit<SettingsPorts, 'app' | 'refresh'>) {
    super(app, plugin);
    this.icon = 'message-circle';
    this.ports = { ...ports, app, refresh: () => this.redraw() };
    this.containerEl.addClass('docent-settings');
    // A box that went on showing what held before a sync would put that back with the next key.
    const arrived = (_settings: unknown, isOwn: boolean): void => void (isOwn || this.arrived());
    if (ports.damaged !== undefined) plugin.register(ports.damaged.subscribe(arrived));
    // Enter in a box of one line is a change as well.
    for (const end of ['change', 'focusout'] as const) {
      this.containerEl.addEventListener(end, () => void (this.isDrawing || this.storeTyped()));
    }
  }

  override hide(): void {
    this.isHidden = true;
    void this.storeTyped();
    this.naming.disconnect();
    super.hide();
  }

  /** Obsidian asks for the definitions whenever it shows the tab. */
  override getSettingDefinitions(): SettingDefinitionItem[] {
    this.isHidden = false;
    this.naming.observe(this.containerEl, { childList: true, subtree: true });
    const itemsIn = (group: SettingGroup): SettingGroupItem[] =>
      settingRows.filter((row) => row.group === group).flatMap((row) => itemsOf(row.define(this.ports)));
    return [
      // Obsidian's guidelines ask for no heading above the first settings of a tab.
      { type: 'group', items: itemsIn('first') },
      {
        type: 'group',
        heading: words.settings.more,
        items: settingPages.map((page) => ({ type: 'page', ...words.settings.pages[page], items: itemsIn(page) })),
      },
    ];
  }

  override getControlValue(key: string): unknown {
    const { typed } = this;
    const read = rowOf(key).read(key, this.ports);
    return typed?.key === key && (typed.waits || typed.read === read) ? typed.box.value : read;
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    const row = rowOf(key);
    const { activeElement: box } = this.containerEl.doc;
    const isTyping = isTextBox(box) && this.containerEl.contains(box);
    const waits = isTyping && row.countsWhenLeft?.(key) === true;
    const stored = waits ? undefined : this.store(key, value);
    if (isTyping) this.typed = { key, value, box, waits, read: row.read(key, this.ports) };
    await stored;
  }

  private async storeTyped(): Promise<void> {
    const { typed } = this;
    this.typed = null;
    // What the box has is another text if that is refused.
    if (typed?.waits !== true || typed.box.value !== typed.value) return;
    await this.store(typed.key, typed.value);
    this.refreshDomState();
  }

  private async store(key: string, value: unknown): Promise<void> {
    const row = rowOf(key);
    await this.ports.change(row.write(key, value, this.ports));
    if (this.isHidden) return;
    // The screens before the open page list what is typed there, such as a model.
    this.settingItems = this.getSettingDefinitions();
    row.changed?.(this.ports, key);
  }

  /** Settings came from outside: shows them, if the tab is open and no key is in its box that is not stored yet. */
  private arrived(): void {
    if (!this.containerEl.isConnected) return;
    const { activeElement } = this.containerEl.doc;
    const isKey = isTextBox(activeElement) && activeElement.type === 'password' && activeElement.value !== '';
    if (!isKey) this.redraw();
  }

  /**
   * Draws the settings again. The focus stays in its control with what is selected; without that one, it goes to the one
   * in its place, or to the last.
   */
  private redraw(): void {
    const controls = (): HTMLElement[] => Array.from(this.containerEl.querySelectorAll(focusable));
    const before = controls();
    const at = before.findIndex((control) => control.isActiveElement());
    const caret = caretOf(before[at]);
    const own = rowAndKindOf(before[at]);
    const among = before.slice(0, at).filter((control) => rowAndKindOf(control) === own).length;
    this.isDrawing = true;
    this.update();
    this.isDrawing = false;
    const drawn = controls();
    const alike = at < 0 ? [] : drawn.filter((control) => rowAndKindOf(control) === own);
    const focused = alike[among] ?? drawn[Math.min(at, drawn.length - 1)];
    focused?.focus({ preventScroll: true });
    if (this.typed !== null && isTextBox(focused)) this.typed = { ...this.typed, box: focused };
    // In another text it would be at another place.
    if (caret !== null && isTextBox(focused) && focused.value === caret.text) {
      focused.setSelectionRange(caret.start, caret.end);
    }
  }
}

type TextBox = HTMLInputElement | HTMLTextAreaElement;

interface Typed {
  readonly key: string;
  /** The last text of the box that was not refused. */
  readonly value: unknown;
  readonly box: TextBox;
  /** Whether it is stored only once the box is left. */
  readonly waits: boolean;
  /** What is read of the setting since; the text of the box may have more, such as an empty line. */
  readonly read: unknown;
}

function isTextBox(control: Element | null | undefined): control is TextBox {
  return control != null && 'selectionStart' in control && control.selectionStart !== null;
}

/** Returns the name of the row that a control is in, and its kind: other rows may have more controls by now, or fewer. */
function rowAndKindOf(control: Element | undefined): string {
  const name = control?.closest('.setting-item')?.querySelector('.setting-item-name')?.textContent ?? '';
  return `${control?.tagName} ${name}`;
}

/** Returns what is selected in a box of text; null for any other control. */
function caretOf(control: Element | undefined) {
  if (!isTextBox(control)) return null;
  return { text: control.value, start: control.selectionStart, end: control.selectionEnd };
}

const focusable = 'a, button, input, select, textarea, [tabindex]';

let namedRows = 0;

/** Names what Obsidian draws without a name: the control of a row by the name of the row, and buttons with icons. */
function nameControls(container: HTMLElement): void {
  const controls = '.setting-item-control :is(input, select, textarea):not([aria-label], [aria-labelledby])';
  for (const control of Array.from(container.querySelectorAll(controls))) {
    const name = control.closest('.setting-item')?.querySelector('.setting-item-name');
    if (name == null) continue;
    if (name.id === '') name.id = `docent-setting-${(namedRows += 1)}`;
    control.setAttribute('aria-labelledby', name.id);
  }
  for (const button of Array.from(container.querySelectorAll('.extra-setting-button:not([role])')))
    button.setAttribute('role', 'button');
}

/** Returns the items of a row: one setting, one page, or a group of related settings. */
function itemsOf(definition: SettingDefinitionItem): readonly SettingGroupItem[] {
  if (!('type' in definition) || definition.type === 'page') return [definition];
  return definition.items ?? [];
}

function rowOf(key: string): SettingRow {
  const row = settingRows.find(({ keys }) =>
    keys.some((own) => own === key || (own.endsWith('.') && key.startsWith(own))),
  );
  if (row === undefined) throw new Error(`No setting has a control named ${key}.`);
  return row;
}
