/** Connects an editor's mouse, paste and drop events to the workspace. */
import { Keymap } from '../base/scope';
import { Menu } from '../windows/menu';
import type { MarkdownEditView } from './markdown-edit-view';

export function bindEditorEvents(editView: MarkdownEditView): void {
  const { app, view, editor } = editView;
  const { workspace } = app;
  const target = editView.cm.dom;
  target.addEventListener('paste', (event) => workspace.trigger('editor-paste', event, editor, view), true);
  target.addEventListener('drop', (event) => workspace.trigger('editor-drop', event, editor, view), true);
  target.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    showEditorMenu(editView, event);
  });
  target.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLElement>('.cm-hmd-internal-link');
    const target = link?.getAttribute('data-href');
    const hidden = !link?.querySelector('.cm-formatting') && view.isLivePreview;
    if (!target || (!hidden && !Keymap.isModEvent(event))) return;
    event.preventDefault();
    void workspace.openLinkText(target, view.file?.path ?? '', Keymap.isModEvent(event));
  });
  target.addEventListener('mouseover', (event) => {
    const link = (event.target as Element).closest<HTMLElement>('.cm-hmd-internal-link');
    const linktext = link?.getAttribute('data-href');
    if (!link || !linktext) return;
    const sourcePath = view.file?.path ?? '';
    workspace.trigger('hover-link', {
      event,
      source: 'editor',
      hoverParent: view,
      targetEl: link,
      linktext,
      sourcePath,
    });
  });
}

function showEditorMenu(editView: MarkdownEditView, event: MouseEvent): void {
  const { app, view, editor } = editView;
  const menu = new Menu();
  const clipboard = editView.containerEl.win.navigator.clipboard as Clipboard | undefined;
  const selected = editor.somethingSelected();
  menu.addItem((item) =>
    item
      .setSection('clipboard')
      .setTitle('Cut')
      .setIcon('scissors')
      .setDisabled(!selected)
      .onClick(() => {
        void clipboard?.writeText(editor.getSelection());
        editor.replaceSelection('');
      }),
  );
  menu.addItem((item) =>
    item
      .setSection('clipboard')
      .setTitle('Copy')
      .setIcon('copy')
      .setDisabled(!selected)
      .onClick(() => void clipboard?.writeText(editor.getSelection())),
  );
  menu.addItem((item) =>
    item
      .setSection('clipboard')
      .setTitle('Paste')
      .setIcon('clipboard-check')
      .onClick(() => void clipboard?.readText().then((text) => editor.replaceSelection(text))),
  );
  menu.addItem((item) =>
    item
      .setSection('selection')
      .setTitle('Select all')
      .setIcon('box-select')
      .onClick(() => editor.setSelection({ line: 0, ch: 0 }, editor.offsetToPos(editor.getValue().length))),
  );
  app.workspace.trigger('editor-menu', menu, editor, view);
  menu.showAtMouseEvent(event);
}
