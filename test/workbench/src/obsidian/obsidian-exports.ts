/** What the emulated `obsidian` module exports. */
import { notEmulated, refusals } from './not-emulated';

export { notEmulated };
export { Component } from './base/component';
export { Events } from './base/events';
export { moment } from './base/moment';
export { Platform } from './base/platform';
export { Keymap, Scope } from './base/scope';
export {
  apiVersion,
  arrayBufferToBase64,
  arrayBufferToHex,
  base64ToArrayBuffer,
  debounce,
  getBlobArrayBuffer,
  getLanguage,
  hexToArrayBuffer,
  normalizePath,
  requireApiVersion,
  stripHeading,
  stripHeadingForLink,
} from './base/text';

export { TAbstractFile, TFile, TFolder } from './vault/files';
export { FileManager } from './vault/file-manager';
export { getAllTags, getLinkpath, iterateCacheRefs, iterateRefs, parseLinktext, resolveSubpath } from './index/links';
export { MetadataCache } from './index/metadata-cache';
export {
  prepareFuzzySearch,
  prepareSimpleSearch,
  renderMatches,
  renderResults,
  sortSearchResults,
} from './index/search';
export { Vault } from './vault/vault';
export {
  getFrontMatterInfo,
  parseFrontMatterAliases,
  parseFrontMatterEntry,
  parseFrontMatterStringArray,
  parseFrontMatterTags,
  parseYaml,
  stringifyYaml,
} from './index/yaml';

export * from './settings/setting-components';
export { ConfirmationButton, ConfirmationModal } from './windows/confirmation-modal';
export { addIcon, getIcon, getIconIds, removeIcon, setIcon } from './controls/icons';
export { Menu, MenuItem, MenuSeparator } from './windows/menu';
export { Modal } from './windows/modal';
export { Notice } from './windows/notice';
export { HoverPopover, PopoverState } from './windows/popover';
export { SecretStorage } from './settings/secret-storage';
export { Setting, SettingGroup } from './settings/setting';
export { SettingPage } from './settings/setting-page';
export { PluginSettingTab, SettingTab } from './settings/setting-tab';
export {
  AbstractInputSuggest,
  EditorSuggest,
  FuzzySuggestModal,
  PopoverSuggest,
  SuggestModal,
} from './suggest/suggest';
export { displayTooltip, setTooltip } from './windows/tooltip';

export { App, RenderContext } from './app/app';
export { Plugin } from './app/plugin';
export { request, requestUrl } from './app/request-url';

export { htmlToMarkdown } from './markdown/html-to-markdown';
export { finishRenderMath, loadMathJax, loadMermaid, loadPrism, renderMath } from './markdown/libraries';
export { MarkdownPreviewRenderer } from './markdown/post-processors';
export { MarkdownPreviewView } from './markdown/preview-view';
export { MarkdownRenderChild, MarkdownRenderer } from './markdown/renderer';
export { sanitizeHTMLToDom } from './markdown/sanitize';

export { Editor } from './editor/editor';
export {
  editorEditorField,
  editorInfoField,
  editorLivePreviewField,
  editorViewField,
  livePreviewState,
} from './editor/editor-fields';
export { EditableFileView, FileView } from './workspace/file-view';
export { WorkspaceItem, WorkspaceParent } from './workspace/item';
export { WorkspaceLeaf } from './workspace/leaf';
export { MarkdownEditView } from './editor/markdown-edit-view';
export { MarkdownView } from './workspace/markdown-view';
export { WorkspaceMobileDrawer, WorkspaceRibbon, WorkspaceSidedock } from './workspace/sidedock';
export {
  WorkspaceContainer,
  WorkspaceFloating,
  WorkspaceRoot,
  WorkspaceSplit,
  WorkspaceWindow,
} from './workspace/split';
export { WorkspaceTabs } from './workspace/tabs';
export { Tasks } from './editor/tasks';
export { TextFileView } from './workspace/text-file-view';
export { ItemView, View } from './workspace/view';
export { Workspace } from './workspace/workspace';

type Refused = abstract new (...given: never[]) => object;
const refusedClass = (name: string): Refused => refusals[name] as Refused;
const refusedFunction = (name: string): ((...given: unknown[]) => never) => refusals[name] as () => never;

export const BasesEntry = refusedClass('BasesEntry');
export const BasesEntryGroup = refusedClass('BasesEntryGroup');
export const BasesQueryResult = refusedClass('BasesQueryResult');
export const BasesView = refusedClass('BasesView');
export const BasesViewConfig = refusedClass('BasesViewConfig');
export const BooleanValue = refusedClass('BooleanValue');
export const CapacitorAdapter = refusedClass('CapacitorAdapter');
export const DateValue = refusedClass('DateValue');
export const DurationValue = refusedClass('DurationValue');
export const FileSystemAdapter = refusedClass('FileSystemAdapter');
export const FileValue = refusedClass('FileValue');
export const HTMLValue = refusedClass('HTMLValue');
export const IconValue = refusedClass('IconValue');
export const ImageValue = refusedClass('ImageValue');
export const LinkValue = refusedClass('LinkValue');
export const ListValue = refusedClass('ListValue');
export const NotNullValue = refusedClass('NotNullValue');
export const NullValue = refusedClass('NullValue');
export const NumberValue = refusedClass('NumberValue');
export const ObjectValue = refusedClass('ObjectValue');
export const PrimitiveValue = refusedClass('PrimitiveValue');
export const QueryController = refusedClass('QueryController');
export const RegExpValue = refusedClass('RegExpValue');
export const RelativeDateValue = refusedClass('RelativeDateValue');
export const StringValue = refusedClass('StringValue');
export const TagValue = refusedClass('TagValue');
export const UrlValue = refusedClass('UrlValue');
export const Value = refusedClass('Value');
export const loadPdfJs = refusedFunction('loadPdfJs');
export const parsePropertyId = refusedFunction('parsePropertyId');
