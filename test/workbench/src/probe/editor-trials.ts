/** Trials of the editor API and of Markdown drawn outside the editor. */
import {
  type Editor,
  htmlToMarkdown,
  MarkdownRenderer,
  MarkdownView,
  prepareFuzzySearch,
  prepareSimpleSearch,
  renderMatches,
  sanitizeHTMLToDom,
} from 'obsidian';
import type ProbePlugin from './main';
import type { Trials } from './main';

export function createEditorTrials(plugin: ProbePlugin): Trials {
  const expectEditor = (): Editor => {
    const view = plugin.app.workspace.getActiveViewOfType(MarkdownView);
    if (!view) throw new Error('No note is active');
    return view.editor;
  };

  return {
    edit() {
      const editor = expectEditor();
      editor.setValue('one\ntwo\nthree');
      editor.setSelection({ line: 1, ch: 0 }, { line: 1, ch: 3 });
      const selected = editor.getSelection();
      editor.replaceSelection('TWO');
      editor.replaceRange('!', { line: 0, ch: 3 });
      editor.transaction({
        changes: [
          { from: { line: 2, ch: 0 }, to: { line: 2, ch: 1 }, text: 'T' },
          { from: { line: 0, ch: 0 }, text: '> ' },
        ],
        selection: { from: { line: 2, ch: 1 } },
      });
      editor.setLine(2, `${editor.getLine(2)}.`);
      const word = editor.wordAt({ line: 1, ch: 1 });
      const edited = editor.getValue();
      editor.undo();
      const undone = editor.getValue();
      editor.redo();
      return {
        selected,
        edited,
        undone,
        redone: editor.getValue() === edited,
        word: word && editor.getRange(word.from, word.to),
        lines: editor.lineCount(),
        offset: editor.posToOffset({ line: 1, ch: 0 }),
        position: editor.offsetToPos(6),
        cursors: editor.listSelections().length,
      };
    },

    setText(text: string) {
      const editor = expectEditor();
      editor.setValue(text);
      editor.setCursor(editor.lastLine(), editor.getLine(editor.lastLine()).length);
      editor.focus();
      return editor.hasFocus();
    },

    select(given: { from: number; to: number }) {
      const editor = expectEditor();
      editor.setSelection(editor.offsetToPos(given.from), editor.offsetToPos(given.to));
      return editor.getSelection();
    },

    text: () => expectEditor().getValue(),

    async save() {
      await plugin.app.workspace.getActiveViewOfType(MarkdownView)?.save();
    },

    /** Draws into an element of its own at the end of the page; the test looks at it and takes it away. */
    async render(text: string) {
      const el = createDiv({ cls: 'probe-rendered' });
      document.body.append(el);
      await MarkdownRenderer.render(plugin.app, text, el, 'Index.md', plugin);
      return el.innerHTML.length;
    },

    convert() {
      const el = createDiv();
      renderMatches(el, 'a birch tree', prepareSimpleSearch('birch')('a birch tree')?.matches ?? null);
      const clean = createDiv();
      clean.append(sanitizeHTMLToDom('<b onclick="x()">bold</b><script>x()</script>'));
      return {
        markdown: htmlToMarkdown('<h2>Head</h2><p>a <strong>b</strong></p>'),
        matches: el.innerHTML,
        fuzzy: prepareFuzzySearch('btr')('birch tree') !== null,
        noMatch: prepareFuzzySearch('zzz')('birch tree'),
        clean: clean.innerHTML,
      };
    },
  };
}
