/** @jest-environment jsdom */
/** What a user puts into notes from a chat: judged before it is written, journaled, and undone. */
import { succeed } from '../../../../src/core/ports/failure';
import { appended, inserted, type PreparedWrite, replaced, UserWrites } from '../../../../src/core/writing/user-writes';
import { writingChat, type WritingChat } from '../../../support/writing-chat';

let bench: WritingChat;
let writes: UserWrites;

async function open(files: Record<string, string>): Promise<void> {
  bench = await writingChat({ files });
  writes = new UserWrites(bench.writing.ports);
}

async function prepare(path: string, addition: string, taint: string | null = null): Promise<PreparedWrite> {
  const isNew = bench.app.vault.getFileByPath(path) === null;
  const remake = (text: string | null) => succeed(appended(text ?? '', addition));
  const prepared = await writes.prepare({ path, taint, remake }, isNew);
  if (!prepared.ok) throw new Error(prepared.failure.words);
  return prepared.value;
}

async function write(prepared: PreparedWrite): Promise<readonly string[]> {
  const written = await writes.write(prepared);
  if (!written.ok) throw new Error(written.failure.words);
  return written.value;
}

it('appends to a note with its line ends, and takes it back', async () => {
  await open({ 'A.md': 'one\r\ntwo\r\n\r\n' });
  const operations = await write(await prepare('A.md', 'three\nfour'));
  expect(await bench.read('A.md')).toBe('one\r\ntwo\r\n\r\nthree\r\nfour\r\n');
  expect(await writes.undo(operations)).toEqual(succeed(undefined));
  expect(await bench.read('A.md')).toBe('one\r\ntwo\r\n\r\n');
});

it.each([
  // Without its blank, the list item would make the line above it a heading.
  ['Shopping\n- ', 'Shopping\n- \n\nMilk.\n'],
  ['- [ ] \r\n', '- [ ] \r\n\r\nMilk.\r\n'],
  ['one\u00a0\n\n\n', 'one\u00a0\n\n\nMilk.\n'],
  ['one\n\t', 'one\n\t\nMilk.\n'],
  ['one', 'one\n\nMilk.\n'],
  [' \n', 'Milk.\n'],
])('appends to %j and leaves all of it as it was', (text, after) => {
  expect(appended(text, 'Milk.')).toBe(after);
});

it('makes a new note, and takes it back', async () => {
  await open({ 'A.md': 'one\n' });
  const operations = await write(await prepare('New.md', 'text'));
  expect(await bench.read('New.md')).toBe('text\n');
  expect((await writes.undo(operations)).ok).toBe(true);
  expect(bench.app.vault.getFileByPath('New.md')).toBeNull();
});

it('writes nothing that would make a note no text any more, so that it can still be taken back', async () => {
  const [sailor, half] = ['\ud83d\udc69\u200d\u2708', '\ud83d'];
  await open({ 'A.md': `one ${sailor}\n` });
  const operations = await write(await prepare('A.md', `t\0wo ${sailor}${half} three`));
  expect(await bench.read('A.md')).toBe(`one ${sailor}\n\ntwo ${sailor} three\n`);
  expect(await writes.undo(operations)).toEqual(succeed(undefined));
  expect(await bench.read('A.md')).toBe(`one ${sailor}\n`);
  const created = await write(await prepare('New.md', `te\0xt${half}`));
  expect(await bench.read('New.md')).toBe('text\n');
  expect(await writes.undo(created)).toEqual(succeed(undefined));
});

it('merges with an edit that was made while the user was asked, and leaves a clash alone', async () => {
  await open({ 'A.md': 'one\n\ntwo\n\nthree\n' });
  const prepared = await prepare('A.md', 'added');
  await bench.app.vault.modify(bench.app.vault.getFileByPath('A.md')!, 'first\n\ntwo\n\nthree\n');
  await write(prepared);
  expect(await bench.read('A.md')).toBe('first\n\ntwo\n\nthree\n\nadded\n');
  const clashing = await prepare('A.md', 'more');
  await bench.app.vault.modify(bench.app.vault.getFileByPath('A.md')!, 'first\n\ntwo\n\nthree\n\nadded\n\nmine\n');
  expect((await writes.write(clashing)).ok).toBe(false);
  expect(await bench.read('A.md')).toBe('first\n\ntwo\n\nthree\n\nadded\n\nmine\n');
});

it('says what a text would run, where it would lead, and that a file instructs, before anything is written', async () => {
  await open({ 'A.md': '![p](https://known.example/p.png)\n', 'AGENTS.md': 'Be brief.\n' });
  expect(await prepare('A.md', 'plain')).toMatchObject({ active: [], hosts: [], instructs: false });
  const active = await prepare('A.md', '![p](https://evil.example/p.png)');
  expect(active.active).toMatchObject([{ kind: 'remote-image', runner: 'evil.example' }]);
  expect((await prepare('A.md', '[a](https://evil.example/?q=secret)', 'Clippings/Page.md')).hosts).toEqual([
    'evil.example',
  ]);
  expect((await prepare('A.md', '[a](https://fine.example)')).hosts).toEqual([]);
  expect(await prepare('AGENTS.md', 'Obey.')).toMatchObject({ instructs: true });
  expect(await bench.read('A.md')).toBe('![p](https://known.example/p.png)\n');
});

it('marks a note as untrusted that a chat with untrusted text was put into', async () => {
  await open({ 'A.md': 'one\n' });
  await write(await prepare('A.md', 'text', 'Clippings/Page.md'));
  expect(bench.writing.ports.untrusted.has('A.md')).toBe(true);
  await write(await prepare('B.md', 'own'));
  expect(bench.writing.ports.untrusted.has('B.md')).toBe(false);
});

it.each(['Missing.md', '../out.md', '.obsidian/app.json'])('writes nothing into %s', async (path) => {
  await open({ 'A.md': 'one\n' });
  const tree = await bench.tree();
  const remake = (text: string | null) => succeed(`${text ?? ''}x`);
  expect((await writes.prepare({ path, taint: null, remake }, false)).ok).toBe(false);
  expect(await bench.tree()).toEqual(tree);
});

it('puts a wording in the place of a passage that was seen, whatever the line ends', () => {
  const seen = 'a\nb\nc';
  const passage = { passage: 'b\n', wording: 'X\nY\n', seen, offset: 2 };
  expect(replaced('a\r\nb\r\nc', passage)).toEqual(succeed('a\r\nX\r\nY\r\nc'));
  expect(replaced('a\rb\nc', passage)).toEqual(succeed('a\rX\nY\nc'));
  expect(replaced('a\nb\nd', passage).ok).toBe(false);
  expect(replaced(seen, { ...passage, offset: 1 }).ok).toBe(false);
});

it('inserts at the place that was seen, whatever the line ends', () => {
  expect(inserted('a\r\nb\r\nc', 'X\nY', 'a\nb\nc', 3)).toEqual(succeed('a\r\nbX\r\nY\r\nc'));
  expect(inserted('ab', 'X', 'ab', 2)).toEqual(succeed('abX'));
  expect(inserted('other', 'X', 'ab', 1).ok).toBe(false);
  expect(inserted('a\rb\r\nc', 'X', 'a\nb\nc', 3)).toEqual(succeed('a\rbX\r\nc'));
});
