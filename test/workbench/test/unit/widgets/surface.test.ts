/** @jest-environment jsdom */
/** Each public member that obsidian.d.ts gives a widget class must exist here: a missing one is a type error below. */
import type * as Obsidian from 'obsidian';
import * as widgets from '../../../src/obsidian/obsidian';

type Missing<Public, Ours> = Exclude<keyof Public, keyof Ours>;

interface Gaps {
  abstractInputSuggest: Missing<Obsidian.AbstractInputSuggest<string>, widgets.AbstractInputSuggest<string>>;
  abstractText: Missing<
    Obsidian.AbstractTextComponent<HTMLInputElement>,
    widgets.AbstractTextComponent<HTMLInputElement>
  >;
  base: Missing<Obsidian.BaseComponent, widgets.BaseComponent>;
  button: Missing<Obsidian.ButtonComponent, widgets.ButtonComponent>;
  color: Missing<Obsidian.ColorComponent, widgets.ColorComponent>;
  confirmationButton: Missing<Obsidian.ConfirmationButton, widgets.ConfirmationButton>;
  confirmationModal: Missing<Obsidian.ConfirmationModal, widgets.ConfirmationModal>;
  displayValue: Missing<Obsidian.DisplayValueComponent, widgets.DisplayValueComponent>;
  dropdown: Missing<Obsidian.DropdownComponent, widgets.DropdownComponent>;
  editorSuggest: Missing<Obsidian.EditorSuggest<string>, widgets.EditorSuggest<string>>;
  extraButton: Missing<Obsidian.ExtraButtonComponent, widgets.ExtraButtonComponent>;
  fuzzySuggest: Missing<Obsidian.FuzzySuggestModal<string>, widgets.FuzzySuggestModal<string>>;
  hoverPopover: Missing<Obsidian.HoverPopover, widgets.HoverPopover>;
  menu: Missing<Obsidian.Menu, widgets.Menu>;
  menuItem: Missing<Obsidian.MenuItem, widgets.MenuItem>;
  modal: Missing<Obsidian.Modal, widgets.Modal>;
  momentFormat: Missing<Obsidian.MomentFormatComponent, widgets.MomentFormatComponent>;
  notice: Missing<Obsidian.Notice, widgets.Notice>;
  pluginSettingTab: Missing<Obsidian.PluginSettingTab, widgets.PluginSettingTab>;
  popoverSuggest: Missing<Obsidian.PopoverSuggest<string>, widgets.PopoverSuggest<string>>;
  progressBar: Missing<Obsidian.ProgressBarComponent, widgets.ProgressBarComponent>;
  search: Missing<Obsidian.SearchComponent, widgets.SearchComponent>;
  secret: Missing<Obsidian.SecretComponent, widgets.SecretComponent>;
  secretStorage: Missing<Obsidian.SecretStorage, widgets.SecretStorage>;
  setting: Missing<Obsidian.Setting, widgets.Setting>;
  settingGroup: Missing<Obsidian.SettingGroup, widgets.SettingGroup>;
  settingPage: Missing<Obsidian.SettingPage, widgets.SettingPage>;
  settingTab: Missing<Obsidian.SettingTab, widgets.SettingTab>;
  slider: Missing<Obsidian.SliderComponent, widgets.SliderComponent>;
  suggestModal: Missing<Obsidian.SuggestModal<string>, widgets.SuggestModal<string>>;
  textArea: Missing<Obsidian.TextAreaComponent, widgets.TextAreaComponent>;
  toggle: Missing<Obsidian.ToggleComponent, widgets.ToggleComponent>;
  value: Missing<Obsidian.ValueComponent<string>, widgets.ValueComponent<string>>;
}

const gaps: { [Name in keyof Gaps]: Gaps[Name] extends never ? true : Gaps[Name] } = {
  abstractInputSuggest: true,
  abstractText: true,
  base: true,
  button: true,
  color: true,
  confirmationButton: true,
  confirmationModal: true,
  displayValue: true,
  dropdown: true,
  editorSuggest: true,
  extraButton: true,
  fuzzySuggest: true,
  hoverPopover: true,
  menu: true,
  menuItem: true,
  modal: true,
  momentFormat: true,
  notice: true,
  pluginSettingTab: true,
  popoverSuggest: true,
  progressBar: true,
  search: true,
  secret: true,
  secretStorage: true,
  setting: true,
  settingGroup: true,
  settingPage: true,
  settingTab: true,
  slider: true,
  suggestModal: true,
  textArea: true,
  toggle: true,
  value: true,
};

test('the type-checked list covers every class of the widgets that obsidian.d.ts exports', () => {
  expect(Object.keys(gaps)).toHaveLength(33);
  for (const name of [
    'MenuSeparator',
    'TextComponent',
    'setIcon',
    'setTooltip',
    'displayTooltip',
    'addIcon',
  ] as const) {
    expect(widgets[name]).toBeInstanceOf(Function);
  }
});
