/** The head of a note, shown above its text in both modes: its name and its properties. */
import type { App } from '../app/app';
import type { TFile } from '../vault/files';
import { renderProperties } from './properties-block';

export function renderNoteHead(app: App, el: HTMLElement, file: TFile | null, text: string, properties: boolean): void {
  const title = el.querySelector<HTMLElement>('.inline-title') ?? createTitle(app, el);
  if (el.doc.activeElement !== title) title.setText(file ? file.basename : '');
  const metadata = el.querySelector<HTMLElement>('.metadata-container') ?? el.createDiv('metadata-container');
  if (properties && file) renderProperties(app, metadata, text, file.path);
  else metadata.toggle(false);
}

function createTitle(app: App, el: HTMLElement): HTMLElement {
  const title = el.createDiv({
    cls: 'inline-title',
    attr: { contenteditable: 'true', spellcheck: 'false', tabindex: '-1', enterkeyhint: 'done' },
  });
  title.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      title.blur();
    }
  });
  title.addEventListener('blur', () => {
    const leaf = app.workspace.findLeafOf(title);
    const file = leaf && 'file' in leaf.view ? (leaf.view.file as TFile | null) : null;
    const name = title.getText().trim();
    if (!file || name === '' || name === file.basename) {
      if (file) title.setText(file.basename);
      return;
    }
    const folder = file.parent && !file.parent.isRoot() ? `${file.parent.path}/` : '';
    app.fileManager.renameFile(file, `${folder}${name}.${file.extension}`).catch(() => title.setText(file.basename));
  });
  return title;
}
