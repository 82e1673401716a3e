/**
 * @jest-environment jsdom
 */
import { MarkdownView, type Editor } from 'obsidian';
import { closeTestApps, createTestApp, type TestApp } from '../../../src/obsidian/jest';

afterEach(closeTestApps);

async function open(app: TestApp, path: string): Promise<MarkdownView> {
  const file = app.vault.getFileByPath(path);
  if (!file) throw new Error(`${path} is missing`);
  const leaf = app.workspace.getLeaf(false);
  await leaf.openFile(file);
  return leaf.view as MarkdownView;
}

async function openText(text: string): Promise<{ app: TestApp; view: MarkdownView; editor: Editor }> {
  const app = await createTestApp({ files: { 'a.md': text } });
  const view = await open(app, 'a.md');
  return { app, view, editor: view.editor };
}

describe('the Editor API', () => {
  test('reads lines, ranges and positions', async () => {
    const { editor } = await openText('one\ntwo words\n\nend');
    expect(editor.lineCount()).toBe(4);
    expect(editor.lastLine()).toBe(3);
    expect(editor.getLine(1)).toBe('two words');
    expect(editor.getRange({ line: 0, ch: 1 }, { line: 1, ch: 3 })).toBe('ne\ntwo');
    expect(editor.posToOffset({ line: 1, ch: 4 })).toBe(8);
    expect(editor.offsetToPos(8)).toEqual({ line: 1, ch: 4 });
    expect(editor.posToOffset({ line: 0, ch: 99 })).toBe(3);
    expect(editor.posToOffset({ line: 99, ch: 0 })).toBe(18);
    expect(editor.wordAt({ line: 1, ch: 5 })).toEqual({ from: { line: 1, ch: 4 }, to: { line: 1, ch: 9 } });
  });

  test('moves cursors and selects', async () => {
    const { editor } = await openText('one\ntwo\nthree');
    editor.setCursor(1, 2);
    expect(editor.getCursor()).toEqual({ line: 1, ch: 2 });
    expect(editor.somethingSelected()).toBe(false);
    editor.setSelection({ line: 2, ch: 5 }, { line: 1, ch: 1 });
    expect(editor.getSelection()).toBe('wo\nthree');
    expect(editor.getCursor('from')).toEqual({ line: 1, ch: 1 });
    expect(editor.getCursor('anchor')).toEqual({ line: 2, ch: 5 });
    editor.setSelections([{ anchor: { line: 0, ch: 0 } }, { anchor: { line: 1, ch: 0 }, head: { line: 1, ch: 3 } }], 1);
    expect(editor.listSelections()).toHaveLength(2);
    expect(editor.getSelection()).toBe('two');
  });

  test('edits, undoes and redoes', async () => {
    const { editor } = await openText('one two');
    editor.replaceRange('ONE', { line: 0, ch: 0 }, { line: 0, ch: 3 });
    editor.setSelection({ line: 0, ch: 4 }, { line: 0, ch: 7 });
    editor.replaceSelection('three');
    expect(editor.getValue()).toBe('ONE three');
    editor.undo();
    editor.undo();
    expect(editor.getValue()).toBe('one two');
    editor.redo();
    expect(editor.getValue()).toContain('ONE');
    editor.setLine(0, 'line');
    expect(editor.getValue()).toBe('line');
  });

  test('applies a transaction of changes against the text before it', async () => {
    const { editor } = await openText('a\nb\nc');
    editor.transaction({
      changes: [
        { from: { line: 0, ch: 0 }, text: '1' },
        { from: { line: 2, ch: 0 }, to: { line: 2, ch: 1 }, text: '3' },
      ],
      selection: { from: { line: 2, ch: 1 } },
    });
    expect(editor.getValue()).toBe('1a\nb\n3');
    expect(editor.getCursor()).toEqual({ line: 2, ch: 1 });
  });

  test('processLines maps the selected lines', async () => {
    const { editor } = await openText('a\n\nb\nc');
    editor.setSelection({ line: 0, ch: 0 }, { line: 2, ch: 1 });
    editor.processLines(
      (_line, text) => text.toUpperCase(),
      (line, text, value) => ({ from: { line, ch: 0 }, to: { line, ch: text.length }, text: value ?? '' }),
    );
    expect(editor.getValue()).toBe('A\n\nB\nc');
    editor.exec('goEnd');
    expect(editor.getCursor()).toEqual({ line: 3, ch: 1 });
  });
});

describe('saving', () => {
  test('a change waits in the buffer until it is saved', async () => {
    const { app, view, editor } = await openText('text');
    editor.replaceRange('more ', { line: 0, ch: 0 });
    expect(await app.vault.adapter.read('a.md')).toBe('text');
    expect(view.data).toBe('more text');
    await view.save();
    expect(await app.vault.adapter.read('a.md')).toBe('more text');
  });

  test('closing the leaf saves first', async () => {
    const { app, view, editor } = await openText('text');
    editor.setValue('changed');
    view.leaf.detach();
    await app.close();
    expect(await app.vault.adapter.read('a.md')).toBe('changed');
  });

  test('a clean view takes a change from elsewhere and keeps its cursor', async () => {
    const { app, view, editor } = await openText('one\ntwo\nthree');
    editor.setCursor(2, 3);
    await app.vault.process(view.file!, (text) => text.replace('one', 'first line\nand second'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(editor.getValue()).toBe('first line\nand second\ntwo\nthree');
    expect(editor.getCursor()).toEqual({ line: 3, ch: 3 });
  });

  test('a dirty view merges what does not clash and keeps its own where it does', async () => {
    const { app, view, editor } = await openText('one\ntwo\nthree');
    editor.replaceRange('!', { line: 2, ch: 5 });
    await app.vault.process(view.file!, (text) => text.replace('one', 'ONE'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(editor.getValue()).toBe('ONE\ntwo\nthree!');
    editor.replaceRange('mine', { line: 0, ch: 0 }, { line: 0, ch: 3 });
    await app.vault.process(view.file!, (text) => text.replace('ONE', 'theirs'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(editor.getLine(0)).toBe('mine');
    await view.save();
    expect(await app.vault.adapter.read('a.md')).toBe('mine\ntwo\nthree!');
  });

  test('the buffer of a deleted file does not bring it back', async () => {
    const { app, view, editor } = await openText('text');
    editor.setValue('typed');
    await app.vault.delete(view.file!);
    await view.save();
    await app.close();
    expect(await app.vault.adapter.exists('a.md')).toBe(false);
  });

  test('under chaos the delay is drawn, and never beyond two seconds', async () => {
    const app = await createTestApp({ files: { 'a.md': 'text' }, chaosSeed: 7 });
    const view = await open(app, 'a.md');
    const wait = jest.spyOn(window, 'setTimeout');
    const seen = new Set<number>();
    for (let turn = 0; turn < 5; turn += 1) {
      wait.mockClear();
      view.requestSave();
      seen.add(wait.mock.calls[0]?.[1] as number);
    }
    wait.mockRestore();
    expect(Math.max(...seen)).toBeLessThanOrEqual(2000);
    expect(seen.size).toBeGreaterThan(1);
    await view.save();
  });
});

test.each(Array.from({ length: 20 }, (_, seed) => seed + 1))(
  'seed %i: what was typed is on disk after a save',
  async (chaosSeed) => {
    const app = await createTestApp({ files: { 'a.md': 'text', 'F/b.md': 'other' }, chaosSeed });
    const view = await open(app, 'a.md');
    view.editor.replaceRange('typed ', { line: 0, ch: 0 });
    await view.save();
    expect(await app.vault.adapter.read('a.md')).toBe('typed text');
    await app.close();
    expect(await app.vault.adapter.exists('.obsidian/workspace.json')).toBe(true);
  },
);

test('reading view shows the text of the buffer and ticking a box changes the note', async () => {
  const { app, view, editor } = await openText('# Title\n\n- [ ] one\n- [ ] two\n');
  editor.replaceRange('New ', { line: 0, ch: 2 });
  await view.setState({ mode: 'preview' }, { history: false });
  expect(view.getMode()).toBe('preview');
  expect(view.contentEl.querySelector('h1')?.textContent).toBe('New Title');
  await view.save();
  view.contentEl.querySelectorAll<HTMLInputElement>('.note-body .task-list-item-checkbox')[1]?.click();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await app.vault.adapter.read('a.md')).toBe('# New Title\n\n- [ ] one\n- [x] two\n');
});

test('back and forward walk through the notes of a leaf', async () => {
  const app = await createTestApp({ files: { 'a.md': 'A', 'b.md': 'B' } });
  await open(app, 'a.md');
  const view = await open(app, 'b.md');
  expect(app.commands.executeCommandById('app:go-back')).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(view.file?.path).toBe('a.md');
  expect(view.editor.getValue()).toBe('A');
  app.commands.executeCommandById('app:go-forward');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(view.file?.path).toBe('b.md');
});
