/** The state fields that CodeMirror extensions of plugins look up. */
import { StateEffect, StateField } from '@codemirror/state';
import { ViewPlugin, type EditorView } from '@codemirror/view';
import type { App } from '../app/app';
import type { TFile } from '../vault/files';
import type { HoverPopover } from '../windows/popover';
import type { Editor } from './editor';

export interface MarkdownFileInfo {
  app: App;
  readonly file: TFile | null;
  editor?: Editor;
  hoverPopover: HoverPopover | null;
}

export const setEditorView = StateEffect.define<EditorView>();
export const setLivePreview = StateEffect.define<boolean>();

export const editorEditorField = StateField.define<EditorView>({
  // The view does not exist yet while its state is made; the markdown view dispatches it at once.
  create: () => null as unknown as EditorView,
  update: (value, transaction) =>
    transaction.effects.reduce((held, effect) => (effect.is(setEditorView) ? effect.value : held), value),
});

export const editorInfoField = StateField.define<MarkdownFileInfo>({
  create: () => null as unknown as MarkdownFileInfo,
  update: (value) => value,
});

/** The deprecated twin of `editorInfoField`. */
export const editorViewField = editorInfoField;

export const editorLivePreviewField = StateField.define<boolean>({
  create: () => true,
  update: (value, transaction) =>
    transaction.effects.reduce((held, effect) => (effect.is(setLivePreview) ? effect.value : held), value),
});

export const livePreviewState = ViewPlugin.define((view) => {
  const state = {
    mousedown: false,
    destroy(): void {
      view.contentDOM.removeEventListener('mousedown', down);
      view.dom.ownerDocument.removeEventListener('mouseup', up);
    },
  };
  const down = (): void => void (state.mousedown = true);
  const up = (): void => void (state.mousedown = false);
  view.contentDOM.addEventListener('mousedown', down);
  view.dom.ownerDocument.addEventListener('mouseup', up);
  return state;
}, {});
