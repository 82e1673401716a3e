/** What the variables of a saved prompt hold, and which are empty. */
import { findEmptyVariables, readPromptValues, type ValueSources } from '../../../../src/core/prompt/user-text';
import type { EditorState } from '../../../../src/core/session/entry';
import { fakeVault } from '../../../support/fake-vault';
import { promptValues } from '../../../support/prompts-ports';
import { device, never } from '../../../support/turn-world';

const vault = fakeVault({ 'Boats/Heron.v2.md': '# Heron\n\nBlue.\n', 'Long.md': `${'x'.repeat(1_999)}😀yz` });
const dailyNote = { path: 'Journal/2026-11-20.md', exists: false };

function editorIn(path: string, selectedText = ''): EditorState {
  return { activeNote: { path, cursor: null, selectedText }, otherOpenNotes: [] };
}

function values(text: string, editor: EditorState | null, changes: Partial<ValueSources> = {}) {
  const readNote = jest.fn((path: string) => vault.read(path));
  const sources = { vault, editor, device: { ...device, dailyNote }, readNote, contextWindow: 200_000, ...changes };
  return { readNote, read: readPromptValues(text, 'words', sources, never) };
}

it('come from the open note, the day, and the words of the user', async () => {
  const { read } = values('${noteText}', editorIn('Boats/Heron.v2.md', 'Blue'));
  expect(await read).toEqual({
    selection: 'Blue',
    activeNote: 'Boats/Heron.v2.md',
    title: 'Heron.v2',
    noteText: '# Heron\n\nBlue.',
    dailyNote: 'Journal/2026-11-20.md',
    arguments: 'words',
    date: 'Friday, November 20, 2026',
    time: '09:30',
  });
});

it('read the note only where its text is wanted', async () => {
  const { read, readNote } = values('${title}', editorIn('Boats/Heron.v2.md'));
  expect((await read).noteText).toBe('');
  expect(readNote).not.toHaveBeenCalled();
});

it.each([
  ['hidden', editorIn('Secret.md', 'a secret')],
  ['closed', null],
])('are empty for a note that is %s', async (_case, editor) => {
  const { read, readNote } = values('${noteText}', editor);
  expect(await read).toMatchObject({ selection: '', activeNote: '', title: '', noteText: '' });
  expect(readNote).not.toHaveBeenCalled();
});

it('hold as much of a long note as a quarter of the context window takes, and say what is left out', async () => {
  const { read } = values('${noteText}', editorIn('Long.md'), { contextWindow: 2_000 });
  expect((await read).noteText).toBe(`${'x'.repeat(1_999)}\n[… 4 more characters of Long.md are left out.]`);
});

it('say how much of a selection is left out of which only the beginning is known', async () => {
  const activeNote = { path: 'Long.md', cursor: null, selectedText: 'xxx', selectedLength: 20_003 };
  const { read } = values('${selection}', { activeNote, otherOpenNotes: [] });
  expect((await read).selection).toBe('xxx\n[… 20000 more characters of the selection are left out.]');
});

it('hold at most 100,000 characters, whatever the context window', async () => {
  const huge = fakeVault({ 'Huge.md': 'x'.repeat(3_000_000) });
  const readNote: ValueSources['readNote'] = (path) => huge.read(path);
  const { read } = values('${noteText}', editorIn('Huge.md'), { vault: huge, readNote, contextWindow: 1_000_000 });
  expect((await read).noteText).toMatch(/^x{100000}\n\[… 2900000 more/);
});

it('are empty without a daily note', async () => {
  const { read } = values('', null, { device });
  expect((await read).dailyNote).toBe('');
});

const none = promptValues;
const open = { ...none, activeNote: 'A.md', title: 'A', noteText: 'a' };

it.each([
  ['Be calm on ${date} at ${time}.', none, []],
  ['Shorten ${selection}', none, ['selection']],
  ['Shorten ${selection}', { ...none, selection: ' \n' }, ['selection']],
  ['${selection} of ${title}, ${selection}, ${unknown}', none, ['selection', 'title']],
  ['${noteText} ${activeNote}', open, []],
  ['${noteText} ${activeNote}', { ...open, noteText: '' }, ['noteText']],
  ['About ${arguments}', none, ['arguments']],
  ['About ${arguments}', { ...none, arguments: 'tea' }, []],
  ['About ${arguments} in ${activeNote}', open, []],
  ['Add ${arguments} to ${dailyNote}', none, ['arguments', 'dailyNote']],
])('of %j are empty where they should be', (text, given, expected) => {
  expect(findEmptyVariables(text, given)).toEqual(expected);
});
