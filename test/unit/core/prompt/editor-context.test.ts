import {
  editorChanges,
  editorContext,
  editorContextSection,
} from '../../../../src/core/prompt/sections/editor-context';
import type { EditorState } from '../../../../src/core/session/entry';
import { fakeVault } from '../../../support/fake-vault';
import { render } from '../../../support/render-section';
import { never, worldOf } from '../../../support/turn-world';

const editor = (path: string | null, others: readonly string[] = [], line = 1, selectedText = ''): EditorState => ({
  activeNote: path === null ? null : { path, cursor: { line, character: 2 }, selectedText },
  otherOpenNotes: others,
});
const changes = (known: EditorState, now: EditorState) => {
  const changed = editorChanges(now, known);
  return changed?.kind === 'changes' ? changed.changes : changed;
};

describe('editor context', () => {
  it('R190 tells everything at first: active note, cursor, selection, other notes', () => {
    expect(editorChanges(editor('A.md', ['B.md'], 7, 'tea'), null)).toEqual({
      kind: 'full',
      open: {
        activeFile: { path: 'A.md', cursor: { line: 7, character: 2 }, selectedText: 'tea' },
        otherOpenFiles: ['B.md'],
      },
    });
  });

  it('R190 leaves out an empty selection and an unknown cursor', () => {
    const state = { activeNote: { path: 'A.md', cursor: null, selectedText: '' }, otherOpenNotes: [] };
    expect(editorChanges(state, null)).toMatchObject({ open: { activeFile: { path: 'A.md' } } });
    expect(JSON.stringify(editorChanges(state, null))).not.toMatch(/cursor|selectedText/);
  });

  it.each<[string, EditorState, EditorState, unknown]>([
    ['a note was opened', editor('A.md'), editor('A.md', ['B.md']), { filesOpened: ['B.md'] }],
    ['a note was closed', editor('A.md', ['B.md']), editor('A.md'), { filesClosed: ['B.md'] }],
    [
      'the cursor moved',
      editor('A.md'),
      editor('A.md', [], 9),
      { cursorMoved: { path: 'A.md', cursor: { line: 9, character: 2 } } },
    ],
    [
      'text was selected',
      editor('A.md'),
      editor('A.md', [], 1, 'tea'),
      { selectionChanged: { path: 'A.md', selectedText: 'tea' } },
    ],
    [
      'the selection went',
      editor('A.md', [], 1, 'tea'),
      editor('A.md'),
      { selectionChanged: { path: 'A.md', selectedText: '' } },
    ],
    [
      'another open note came to the front',
      editor('A.md', ['B.md']),
      editor('B.md', ['A.md']),
      { activeFileChanged: { path: 'B.md', cursor: { line: 1, character: 2 } } },
    ],
    ['no note is in front', editor('A.md', ['B.md']), editor(null, ['A.md', 'B.md']), { activeFileChanged: null }],
    ['all were closed', editor('A.md'), editor(null), { filesClosed: ['A.md'], activeFileChanged: null }],
    ['nothing changed', editor('A.md', ['B.md']), editor('A.md', ['B.md']), null],
    ['only the order of the others changed', editor(null, ['A.md', 'B.md']), editor(null, ['B.md', 'A.md']), null],
  ])('R191 tells the difference when %s', (_name, known, now, expected) => {
    expect(changes(known, now)).toEqual(expected);
  });

  it('R191 says nothing when nothing is open or nothing is known', () => {
    expect(editorChanges(editor(null), null)).toBeNull();
    expect(editorChanges(null, editor('A.md'))).toBeNull();
    expect(render(editorContextSection, { changes: null })).toBeNull();
  });

  it('R190 counts what is left out of a selection of which only the beginning is known', () => {
    const selectedLength = 20_000;
    const known = editor('A.md', [], 7, 'x'.repeat(8_000));
    const now = { ...known, activeNote: known.activeNote && { ...known.activeNote, selectedLength } };
    expect(JSON.stringify(editorChanges(now, null))).toContain('x… (16000 more characters)');
    expect(JSON.stringify(changes(editor('A.md', [], 7), now))).toContain('x… (16000 more characters)');
    // The beginning of a longer selection is the same.
    expect(JSON.stringify(changes(known, now))).toContain('x… (16000 more characters)');
    expect(editorChanges(now, now)).toBeNull();
  });

  it('R190 cuts a long selection and says how much is left out', () => {
    const changed = JSON.stringify(editorChanges(editor('A.md', [], 1, 'x'.repeat(5_000)), null));
    expect(changed).toContain('… (1000 more characters)');
    expect(changed.length).toBeLessThan(4_200);
  });

  it('R189 R193 follows what the turn knows, and keeps hidden notes to itself', () => {
    const vault = fakeVault({ 'A.md': '', 'B.md': '' });
    const hidden = editor('Secret.md', ['A.md', 'Other.md'], 1, 'password');
    const first = editorContext.gather(worldOf(vault, { editor: hidden }), never);
    expect(first).toEqual({ kind: 'full', open: { activeFile: null, otherOpenFiles: ['A.md'] } });
    const seen = editor(null, ['A.md']);
    const later = editorContext.gather(
      worldOf(vault, { editor: editor('B.md', ['A.md', 'Other.md']), knownEditor: seen }),
      never,
    );
    expect(later).toMatchObject({ kind: 'changes', changes: { filesOpened: ['B.md'] } });
    const hiddenSince = editorContext.gather(
      worldOf(vault, { editor: editor('B.md', ['A.md']), knownEditor: hidden }),
      never,
    );
    expect(hiddenSince).toMatchObject({
      kind: 'full',
      open: { activeFile: { path: 'B.md' }, otherOpenFiles: ['A.md'] },
    });
    expect(JSON.stringify([first, later, hiddenSince])).not.toMatch(/Secret|Other|password/);
    const same = editorContext.gather(worldOf(vault, { editor: editor('A.md'), knownEditor: editor('A.md') }), never);
    expect(same).toBeNull();
  });

  it.each([
    [
      'the active note',
      editor('Old.md', ['A.md']),
      editor(null, ['A.md']),
      { activeFile: null, otherOpenFiles: ['A.md'] },
    ],
    ['the only open note', editor('Old.md'), editor(null), { activeFile: null, otherOpenFiles: [] }],
    ['another open note', editor('A.md', ['Old.md']), editor('A.md'), { otherOpenFiles: [] }],
    ['a note under its earlier name', editor('Old.md'), editor('A.md'), { activeFile: { path: 'A.md' } }],
  ])('R191 names what is open when %s was deleted', (_name, knownEditor, now, open) => {
    const vault = fakeVault({ 'A.md': '' });
    const changed = editorContext.gather(worldOf(vault, { editor: now, knownEditor }), never);
    expect(changed).toMatchObject({ kind: 'full', open });
    expect(render(editorContextSection, { changes: changed })).toContain('"activeFile"');
  });

  it('R190 R191 stands as JSON in its section', () => {
    const body = (changed: unknown): unknown =>
      JSON.parse(
        /\n(\{.*\})\n<\/editor_context>$/.exec(render(editorContextSection, { changes: changed }) ?? '')?.[1] ?? '',
      );
    const full = editorChanges(editor('A.md', ['B.md'], 3, 'tea'), null);
    expect(body(full)).toEqual(full?.kind === 'full' ? full.open : null);
    const delta = editorChanges(editor('A.md'), editor('A.md', ['B.md']));
    expect(body(delta)).toEqual({ filesClosed: ['B.md'] });
  });
});
