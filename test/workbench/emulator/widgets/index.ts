/** Every widget under the name Obsidian exports it by, and what the rest of the emulator needs of them. */
export { ConfirmationButton, ConfirmationModal } from './confirmation-modal';
export { getWidgetApp, setWidgetApp, type WidgetApp, type WidgetVault } from './host';
export { addIcon, getIcon, getIconIds, removeIcon, setIcon } from './icons';
export { KeychainTab } from '../settings/keychain-tab';
export { Menu, MenuItem, MenuSeparator } from './menu';
export { Modal } from './modal';
export { Notice } from './notice';
export { HoverPopover, PopoverState } from './popover';
export {
  createMemorySecretStore,
  createWebSecretStore,
  SecretStorage,
  type SecretStore,
} from '../settings/secret-storage';
export { Setting, SettingGroup } from '../settings/setting';
export * from '../settings/setting-components';
export { SettingPage } from '../settings/setting-page';
export { getScreen, PluginSettingTab, SettingTab, type SettingsPlugin } from '../settings/setting-tab';
export { SettingsModal } from '../settings/settings-modal';
export {
  AbstractInputSuggest,
  EditorSuggest,
  FuzzySuggestModal,
  PopoverSuggest,
  SuggestModal,
  triggerEditorSuggests,
  type SuggestEditor,
} from './suggest';
export { displayTooltip, installTooltips, setTooltip } from './tooltip';
