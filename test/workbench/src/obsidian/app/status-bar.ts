/** The status bar: words and characters of the note, and whose program this is not. */
import type { App } from './app';

export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+(?:['’\-_.][\p{L}\p{N}]+)*/gu)?.length ?? 0;
}

export function addStatusBar(app: App): void {
  const { workspace } = app;
  const words = workspace.statusBarEl.createDiv('status-bar-item plugin-word-count');
  const wordsEl = words.createSpan('status-bar-item-segment');
  const charactersEl = words.createSpan('status-bar-item-segment');
  workspace.statusBarEl.createDiv({
    cls: 'status-bar-item plugin-workbench',
    text: 'Workbench — not affiliated with Obsidian',
  });
  const update = (): void => {
    const editor = workspace.activeEditor?.editor;
    words.toggle(editor !== undefined || workspace.getActiveFile() !== null);
    if (!editor) return;
    const text = editor.getSelection() || editor.getValue();
    const count = countWords(text.replace(/^---\n[\s\S]*?\n---\n/, ''));
    wordsEl.setText(`${count.toLocaleString('en')} ${count === 1 ? 'word' : 'words'}`);
    charactersEl.setText(`${text.length.toLocaleString('en')} characters`);
  };
  let timer: number | null = null;
  const soon = (): void => {
    timer ??= workspace.window.setTimeout(() => {
      timer = null;
      update();
    }, 50);
  };
  for (const name of ['file-open', 'layout-change', 'editor-change', 'editor-selection-change', 'active-leaf-change'])
    workspace.on(name, soon);
  app.register(() => {
    if (timer !== null) workspace.window.clearTimeout(timer);
  });
  update();
}
