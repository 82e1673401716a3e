/** All type-ahead classes in one place. */
export { Chooser } from './chooser';
export { EditorSuggest, triggerEditorSuggests, type SuggestEditor } from './editor-suggest';
export { AbstractInputSuggest, PopoverSuggest } from './popover-suggest';
export { FuzzySuggestModal, SuggestModal } from './suggest-modal';
