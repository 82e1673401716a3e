/** @jest-environment jsdom */
/** Putting a text of a chat into notes: which note it goes into, what is asked and said, and the undo in the notice. */
import { MarkdownView } from 'obsidian';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import { describeFailure, fail, type Failure } from '../../../../src/core/ports/failure';
import { words } from '../../../../src/text';
import { openNoteActs } from '../../../../src/ui/chat/note-acts';
import type { NoteActs, NotedText, Question } from '../../../../src/ui/state/ports';
import { digest } from '../../../support/memory-ports';
import { eventually } from '../../eventually';
import { writingChat, type WritingChat } from '../../../support/writing-chat';

const say = words.chatNotes;
let bench: WritingChat;
let acts: NoteActs;
const asked: Question[] = [];
let answers = true;

async function open(files: Record<string, string>): Promise<void> {
  bench = await writingChat({ files });
  asked.length = 0;
  answers = true;
  acts = openNoteActs({
    ...{ app: bench.app, vault: bench.vault, writing: bench.writing.ports, chats: { store: bench.store, digest } },
    confirm: (question) => {
      asked.push(question);
      return Promise.resolve(answers);
    },
    openNote: () => undefined,
  });
}

afterEach(() => bench.app.close());
passTimeQuickly();

const text = (given: Partial<NotedText> = {}): NotedText => ({
  ...{ text: 'An answer.', title: 'Keel: bolts?', taint: null, isInReview: () => false },
  ...given,
});

async function show(path: string, line = 0, ch = 0): Promise<MarkdownView> {
  const leaf = bench.app.workspace.getLeaf(false);
  await leaf.openFile(bench.app.vault.getFileByPath(path)!);
  if (!(leaf.view instanceof MarkdownView)) throw new Error('no editor');
  leaf.view.editor.setCursor({ line, ch });
  return leaf.view;
}

const notices = (): string[] => [...document.querySelectorAll('.notice-message')].map((each) => each.textContent);

/** Presses the button in the last notice. */
async function press(label: string): Promise<void> {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('.docent-notice-acts button')];
  buttons
    .filter((each) => each.textContent === label)
    .at(-1)
    ?.click();
  await eventually(() => notices().some((each) => each.startsWith(say.undone('').slice(0, 9))), 'the undo');
}

it('inserts at the cursor, typed text included, and takes it back', async () => {
  await open({ 'A.md': 'one two\n' });
  const view = await show('A.md', 0, 4);
  view.editor.replaceRange('typed ', { line: 0, ch: 4 });
  view.editor.setCursor({ line: 0, ch: 10 });
  await acts.insert(text());
  expect(await bench.read('A.md')).toBe('one typed An answer.two\n');
  await press(say.undo);
  expect(await bench.read('A.md')).toBe('one typed two\n');
});

it('appends to the note, and makes a new one where no name is taken in any spelling', async () => {
  await open({ 'A.md': 'one\n', 'keel bolts.md': 'there\n' });
  await show('A.md');
  await acts.append(text());
  expect(await bench.read('A.md')).toBe('one\n\nAn answer.\n');
  await acts.create(text());
  expect(await bench.read('Keel bolts 2.md')).toBe('An answer.\n');
  expect(await bench.read('keel bolts.md')).toBe('there\n');
  await press(say.undo);
  expect(bench.app.vault.getFileByPath('Keel bolts 2.md')).toBeNull();
  expect(asked).toEqual([]);
});

it('makes a new note in the folder where the app makes them', async () => {
  await open({ 'In/A.md': 'one\n' });
  const { vault } = bench.app as unknown as { vault: { setConfig(key: string, value: string): void } };
  vault.setConfig('newFileLocation', 'current');
  await show('In/A.md');
  await acts.create(text());
  expect(Object.keys(await bench.tree())).toEqual(['In/A.md', 'In/Keel bolts.md']);
});

it('says why a chat cannot be read that is to be exported', async () => {
  await open({});
  const failure: Failure = { kind: 'storage', words: 'Torn.', remedy: 'Mend it.' };
  jest.spyOn(bench.store, 'shards').mockResolvedValue(fail(failure));
  await acts.export('c1');
  expect(notices()).toEqual([describeFailure(failure)]);
  expect(Object.keys(await bench.tree())).toEqual([]);
});

it('asks before it writes what would run, and writes nothing without a yes', async () => {
  await open({ 'A.md': 'one\n' });
  await show('A.md');
  answers = false;
  const active = text({ text: '```dataviewjs\nx\n```' });
  await acts.append(active);
  await acts.insert(active);
  await acts.create(active);
  expect(asked).toHaveLength(3);
  expect(asked[0]?.text).toContain('Dataview');
  expect(Object.keys(await bench.tree())).toEqual(['A.md']);
  expect(await bench.read('A.md')).toBe('one\n');
  answers = true;
  await acts.append(active);
  expect(await bench.read('A.md')).toContain('dataviewjs');
});

it('says why a text cannot go into a note', async () => {
  await open({ 'A.md': 'one\n', 'Hidden.md': '---\ndocent: false\n---\n' });
  await acts.insert(text());
  expect(notices()).toContain(say.noNote);
  await show('A.md');
  await acts.append(text({ isInReview: (path) => path === 'A.md' }));
  expect(notices()).toContain(say.inReview('A.md'));
  await show('Hidden.md');
  await acts.append(text());
  expect(notices()).toContain(say.hidden('Hidden.md'));
  await acts.export('c1');
  expect(notices()).toContain(say.noChat);
  expect(await bench.read('A.md')).toBe('one\n');
});

it('writes nothing into a note that was deleted or that the disk refuses', async () => {
  await open({ 'A.md': 'one\n' });
  await show('A.md');
  jest.spyOn(bench.app.vault, 'process').mockRejectedValue(new Error('EACCES: permission denied'));
  await acts.append(text());
  expect(notices().join()).toContain('EACCES');
  expect(await bench.read('A.md')).toBe('one\n');
  await bench.adapter.remove('A.md');
  const before = notices().length;
  await acts.append(text());
  expect(notices().length).toBeGreaterThan(before);
  expect(await bench.adapter.exists('A.md')).toBe(false);
});

it('exports a chat', async () => {
  await open({ 'A.md': 'one\n' });
  await bench.ask('Which anchor?');
  await acts.export('c1');
  expect(await bench.read('Which anchor.md')).toContain(`## ${say.message(1)}\n\nWhich anchor?`);
  await press(say.undo);
  expect(bench.app.vault.getFileByPath('Which anchor.md')).toBeNull();
});

it('goes into the note that was open last when something else is in front of it', async () => {
  await open({ 'A.md': 'one\n', 'B.md': 'two\n', 'C.md': 'three\n' });
  const { workspace, vault } = bench.app;
  await show('C.md');
  const leaves = [workspace.getLeaf('tab'), workspace.getLeaf('tab')];
  for (const [at, path] of ['A.md', 'B.md'].entries()) await leaves[at]?.openFile(vault.getFileByPath(path)!);
  const front = workspace.getLeaf('tab');
  workspace.setActiveLeaf(front);
  await acts.append(text());
  expect([await bench.read('A.md'), await bench.read('B.md')]).toEqual(['one\n', 'two\n\nAn answer.\n']);
  leaves[1]?.detach();
  workspace.setActiveLeaf(front);
  await acts.append(text());
  expect([await bench.read('A.md'), await bench.read('B.md'), await bench.read('C.md')]).toEqual([
    ...['one\n\nAn answer.\n', 'two\n\nAn answer.\n', 'three\n'],
  ]);
});
