/** @jest-environment jsdom */
/** Notes that are odd in their bytes, names or places, or open in several editors: each write is undone byte for byte. */
import { MarkdownView, type PaneType } from 'obsidian';
import { closeTestApps } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import { call, finish, say, type Step } from '../../../../support/scripted-model';
import { type WritingChat, writingChat, type WritingChatOptions } from '../../../../support/writing-chat';

afterEach(closeTestApps);
passTimeQuickly();

type Files = Record<string, string | Uint8Array>;
const edit = (path: string, oldText: string, newText: string): Step =>
  call(`e${path}`, 'edit_note', { path, oldText, newText });

/** A chat that has read some notes, and whose changes wait. */
async function proposed(files: Files, options: Partial<WritingChatOptions>, read: string[], ...calls: Step[]) {
  const reading = read.map((path) => call(`r${path}`, 'read_note', { path }));
  const answers = [
    ...(read.length === 0 ? [] : [[...reading, finish('tool-calls')]]),
    [...calls, finish('tool-calls')],
  ];
  const bench = await writingChat({ ...options, files: files as Record<string, string> }, ...answers, [
    say('Done.'),
    finish(),
  ]);
  await bench.ask('Go.');
  return bench;
}

async function apply({ chat }: WritingChat): Promise<void> {
  expect(await chat.changes?.apply()).toMatchObject({ ok: true });
}

async function undo({ chat }: WritingChat): Promise<void> {
  expect(await chat.changes?.undo(chat.current.reviews?.at(-1)?.id ?? '')).toMatchObject({ ok: true });
}

const texts: Readonly<Record<string, string>> = {
  'a byte order mark and no last line end': '\ufeff---\na: 1\n---\nmark me\nlast',
  'two byte order marks': '\ufeff\ufeffmark me\n',
  'line ends of three kinds': 'one\r\nmark me\nthree\rfour\r\nfive',
  'other separators of lines': 'one\u2028mark me\u2029three\u0085\n',
  'control characters': 'a\u000cb\u000b mark me\u200b\u0007\n',
  'letters in two forms': 'e\u0301 \u00e9 mark me \u1e9b\u0323 \ud83d\udc68\u200d\ud83d\udc69\n',
  'empty lines': '\n\n\nmark me\n\n\n',
  'one long line': `${'word '.repeat(20_000)}mark me${' word'.repeat(20_000)}`,
};

it.each(Object.entries(texts))('a note with %s', async (_what, text) => {
  const properties = { tags: ['x'], '😀': 'yes', code: '007' };
  const calls = [
    edit('N.md', 'mark me', 'marked\nmore'),
    call('a', 'append_to_note', { path: 'N.md', text: 'tail' }),
    call('p', 'set_properties', { path: 'N.md', properties }),
  ];
  const bench = await proposed({ 'N.md': text }, {}, ['N.md'], ...calls);
  const before = await bench.tree();
  await apply(bench);
  expect(await bench.read('N.md')).toMatch(/tags:[^]*code: "007"[^]*marked[^]*tail/);
  await undo(bench);
  expect(await bench.tree()).toEqual(before);
});

it.each<PaneType>(['split', 'window'])('a note that is typed in in two editors meanwhile: %s', async (place) => {
  const bench = await proposed({ 'N.md': 'one\n\ntwo\n\nthree\n\nfour\n' }, {}, ['N.md'], edit('N.md', 'two', 'TWO'));
  const open = async (how: PaneType): Promise<MarkdownView> => {
    const leaf = bench.app.workspace.getLeaf(how);
    await leaf.openFile(bench.app.vault.getFileByPath('N.md')!);
    if (!(leaf.view instanceof MarkdownView)) throw new Error('No editor is open.');
    return leaf.view;
  };
  const [first, second] = [await open('tab'), await open(place)];
  first.editor.replaceRange('early ', { line: 6, ch: 0 });
  second.editor.replaceRange(' more', { line: 0, ch: 3 });
  // What was typed before is saved by then, and the copies for the undo are being made.
  bench.adapter.fault = (operation, path) => {
    if (operation !== 'write' || !path.includes('/copies/')) return 'pass';
    bench.adapter.fault = null;
    first.editor.replaceRange('late ', { line: 4, ch: 0 });
    return 'pass';
  };
  await apply(bench);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const written = 'one more\n\nTWO\n\nlate three\n\nearly four\n';
  const shown = async (): Promise<string[]> => [await bench.read('N.md'), first.getViewData(), second.getViewData()];
  expect(await shown()).toEqual([written, written, written]);
  await undo(bench);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const undone = written.replace('TWO', 'two');
  expect(await shown()).toEqual([undone, undone, undone]);
});

it('two notes whose names differ in their Unicode form alone', async () => {
  const [composed, decomposed] = ['Caf\u00e9.md', 'Cafe\u0301.md'];
  const files = { [composed]: 'composed\n', [decomposed]: 'decomposed\n' };
  const calls = [edit(composed, 'composed', 'changed'), call('d', 'delete_note', { path: decomposed })];
  const bench = await proposed(files, {}, [composed, decomposed], ...calls);
  const stored = (): (string | undefined)[] => [composed, decomposed].map((path) => bench.adapter.textAt(path));
  const before = stored();
  await bench.chat.changes?.apply();
  expect(stored().filter((text) => text !== undefined)).not.toEqual(before);
  await undo(bench);
  expect(stored()).toEqual(before);
});

it('notes of one name that go to a trash with a file of that name', async () => {
  const files = { 'X/N.md': 'x\n', 'Y/N.md': 'y\n', '.trash/N.md': 'mine\n' };
  const calls = ['X/N.md', 'Y/N.md'].map((path) => call(`d${path}`, 'delete_note', { path }));
  const bench = await proposed(files, { appSettings: { trashOption: 'local' } }, ['X/N.md', 'Y/N.md'], ...calls);
  const before = await bench.tree();
  await apply(bench);
  const trashed = ['N', 'N 2', 'N 3'].map((name) => bench.adapter.textAt(`.trash/${name}.md`));
  expect(trashed).toEqual(['mine\n', 'x\n', 'y\n']);
  await undo(bench);
  expect(await bench.tree()).toEqual(before);
});

it('a file that is no text, whose links follow it', async () => {
  const picture = Uint8Array.of(0, 255, 1, 254, 13, 10, 239, 187, 191);
  const move = call('m', 'move_note', { path: 'p.png', newPath: 'Att/q.png' });
  const bench = await proposed({ 'p.png': picture, 'N.md': '![[p.png]]\r\n' }, {}, [], move);
  const before = await bench.tree();
  await apply(bench);
  expect(await bench.read('N.md')).toBe('![[q.png]]\r\n');
  await undo(bench);
  expect(await bench.tree()).toEqual(before);
});

it.each(['cut off', 'doubled by a sync service'])('a write whose record is %s', async (how) => {
  const calls = [edit('A.md', 'two', 'TWO'), call('m', 'move_note', { path: 'A.md', newPath: 'C.md' })];
  const bench = await proposed({ 'A.md': 'one\n\ntwo\n', 'B.md': 'See [[A]].\n' }, {}, ['A.md'], ...calls);
  const before = await bench.tree();
  await apply(bench);
  for (const path of bench.adapter.paths().filter((each) => /journal\/.*\.jsonl$/.test(each))) {
    const text = bench.adapter.textAt(path) ?? '';
    if (how === 'cut off') bench.adapter.writeOutside(path, text.slice(0, -40));
    else bench.adapter.writeOutside(path.replace('.jsonl', ' (conflicted copy 2026-11-30).jsonl'), text);
  }
  const next = await bench.reopen();
  await undo(next);
  expect(await next.tree()).toEqual(before);
});
