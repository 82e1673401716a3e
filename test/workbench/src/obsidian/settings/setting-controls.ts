/** The nine declarative controls: each drawn by the matching component, all bound the same way. */
import type { SettingControl, TFile, TFolder } from 'obsidian';
import type { WidgetApp } from '../windows/host';
import { PathSuggest } from '../suggest/path-suggest';
import type { Setting } from './setting';
import type { AbstractTextComponent } from '../controls/text-components';

/** What a control needs of its tab. */
export interface ControlBinding {
  app: WidgetApp;
  getControlValue(key: string): unknown;
  setControlValue(key: string, value: unknown): void | Promise<void>;
  refreshDomState(): void;
}

type Commit = (value: unknown) => void;

/** Adds the control to a row, shows the stored value, and reports whether that value is already invalid. */
export function addControl(setting: Setting, control: SettingControl, binding: ControlBinding): void {
  const stored = binding.getControlValue(control.key) ?? control.defaultValue;
  const commit = createCommit(setting, control, binding);
  draw(setting, control, stored, commit, binding.app);
  const seeded = control.validate?.(stored as never);
  if (seeded instanceof Promise) {
    void seeded.then((message) => setting.setErrorMessage(message || null)).catch(reportFailure);
  } else if (seeded) setting.setErrorMessage(seeded);
}

/** Validates, then saves, then lets every row look again; a slow verdict on an older value is dropped. */
function createCommit(setting: Setting, control: SettingControl, binding: ControlBinding): Commit {
  let latest = 0;
  const accept = async (value: unknown, message: string | void): Promise<void> => {
    setting.setErrorMessage(message || null);
    if (message) return;
    await binding.setControlValue(control.key, value);
    binding.refreshDomState();
  };
  const run = async (value: unknown): Promise<void> => {
    const turn = ++latest;
    const verdict = control.validate?.(value as never);
    if (!(verdict instanceof Promise)) return accept(value, verdict);
    const message = await verdict;
    if (turn === latest) await accept(value, message);
  };
  return (value) => void run(value).catch(reportFailure);
}

function reportFailure(error: unknown): void {
  console.error('A setting could not be validated or saved.', error);
}

function draw(setting: Setting, control: SettingControl, stored: unknown, commit: Commit, app: WidgetApp): void {
  switch (control.type) {
    case 'toggle':
      setting.addToggle((toggle) => toggle.setValue(stored === true).onChange(commit));
      return;
    case 'dropdown':
      setting.addDropdown((dropdown) => {
        dropdown.addOptions(control.options);
        if (stored !== undefined) dropdown.setValue(String(stored));
        dropdown.onChange(commit);
      });
      return;
    case 'slider':
      setting.addSlider((slider) => {
        slider.setLimits(control.min, control.max, control.step);
        if (control.displayFormat) slider.setDisplayFormat(control.displayFormat);
        slider.setValue(Number(stored ?? control.min)).onChange(commit);
      });
      return;
    case 'color':
      setting.addColorPicker((picker) => picker.setValue(String(stored ?? '#000000')).onChange(commit));
      return;
    case 'number':
      drawNumber(setting, control, stored, commit);
      return;
    case 'textarea':
      setting.addTextArea((area) => {
        if (control.rows) area.inputEl.rows = control.rows;
        bindText(area, control.placeholder, stored, commit);
      });
      return;
    case 'text':
      setting.addText((text) => bindText(text, control.placeholder, stored, commit));
      return;
    case 'file':
    case 'folder':
      setting.addSearch((search) => {
        bindText(search, control.placeholder, stored, commit);
        new PathSuggest(app, search.inputEl, () => listPaths(control, app));
      });
  }
}

function bindText(
  component: AbstractTextComponent<HTMLInputElement | HTMLTextAreaElement>,
  placeholder: string | undefined,
  stored: unknown,
  commit: Commit,
): void {
  if (placeholder !== undefined) component.setPlaceholder(placeholder);
  component.setValue(String(stored ?? '')).onChange(commit);
}

function drawNumber(
  setting: Setting,
  control: Extract<SettingControl, { type: 'number' }>,
  stored: unknown,
  commit: Commit,
): void {
  setting.addText((text) => {
    const { inputEl } = text;
    inputEl.type = 'number';
    if (control.min !== undefined) inputEl.min = String(control.min);
    if (control.max !== undefined) inputEl.max = String(control.max);
    inputEl.step = String(control.step ?? 'any');
    if (control.placeholder !== undefined) text.setPlaceholder(control.placeholder);
    text.setValue(stored === undefined ? '' : String(stored));
    text.onChange((typed) => {
      const parsed = typed.trim() === '' ? NaN : Number(typed);
      commit(Number.isFinite(parsed) ? parsed : (control.defaultValue ?? 0));
    });
  });
}

function listPaths(control: Extract<SettingControl, { type: 'file' | 'folder' }>, app: WidgetApp): { path: string }[] {
  if (control.type === 'file') {
    return app.vault.getFiles().filter((file) => control.filter?.(file as TFile) ?? true);
  }
  return app.vault
    .getAllFolders(control.includeRoot ?? false)
    .filter((folder) => control.filter?.(folder as TFolder) ?? true);
}
