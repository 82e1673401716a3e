/** @jest-environment jsdom */
/** A rewrite in the editor: asked for, drawn as it comes, accepted into the note and the journal, refined, left, lost. */
import { EditorView, runScopeHandlers } from '@codemirror/view';
import { type Editor, MarkdownView, Platform, type Plugin } from 'obsidian';
import { act } from 'preact/test-utils';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import type { ModelEvent } from '../../../../src/core/ports/model';
import { builtInPrompts } from '../../../../src/core/prompt/built-in';
import { words } from '../../../../src/text';
import { openNoteActs } from '../../../../src/ui/chat/note-acts';
import { type EditorRewrites, openEditorRewrites } from '../../../../src/ui/prompts/editor-rewrite';
import { activePassage } from '../../../../src/ui/prompts/selected-passage';
import type { Question } from '../../../../src/ui/state/ports';
import { digest } from '../../../support/memory-ports';
import { promptsPorts } from '../../../support/prompts-ports';
import { writingChat, type WritingChat } from '../../../support/writing-chat';
import { eventually } from '../../eventually';

const say = words.prompts;
const passage = 'The boat is very blue.';
const note = `# Now\n\n${passage} The sea is green.\n`;

let bench: WritingChat;
let rewrites: EditorRewrites;
let editor: Editor;
let asked: string[];
let spent: number[];
let questions: Question[];
let agrees: boolean | Promise<boolean>;
/** Lets the end of a waiting answer come. */
let goOn: (() => void) | undefined;

const said = (text: string): ModelEvent[] => [
  { type: 'text-delta', text: text.slice(0, 12) },
  { type: 'text-delta', text: text.slice(12) },
  { type: 'finish', reason: 'complete' },
];

async function open(answers: ModelEvent[][], { text = note, waits = false, slowly = false } = {}): Promise<void> {
  bench = await writingChat({ files: { 'Now.md': text, 'Other.md': 'Another.\n' } });
  const { app } = bench;
  asked = [];
  spent = [];
  questions = [];
  agrees = true;
  const waiting = waits ? new Promise<void>((resolve) => (goOn = resolve)) : Promise.resolve();
  const acts = openNoteActs({
    ...{ app, vault: bench.vault, writing: bench.writing.ports, chats: { store: bench.store, digest } },
    confirm: (question) => {
      questions.push(question);
      return Promise.resolve(agrees);
    },
    openNote: () => undefined,
  });
  const ports = promptsPorts({
    askOnce: async function* (request, _purpose, account) {
      asked.push(request);
      spent.push(account.spent);
      account.add({ inputTokens: 1, outputTokens: 1, cost: 0.25 });
      const answer = answers.shift() ?? [];
      for (const event of answer.slice(0, -1)) {
        if (slowly) await new Promise((resolve) => setTimeout(resolve, 20));
        yield event;
      }
      await waiting;
      yield* answer.slice(-1);
    },
    replacePassage: (given) => acts.replace({ ...given, taint: null }),
  });
  ports.registry.replaceSource('static', builtInPrompts);
  const plugin = {
    registerEditorExtension: (extension: never) => {
      (app.workspace as unknown as { editorExtensions: unknown[] }).editorExtensions.push(extension);
      app.workspace.updateOptions();
    },
  };
  rewrites = openEditorRewrites(app, plugin as unknown as Plugin, ports);
  await app.workspace.openLinkText('Now.md', '', false);
  editor = app.workspace.getActiveViewOfType(MarkdownView)!.editor;
}

function begin(selected = passage): void {
  const at = editor.getValue().indexOf(selected);
  editor.setSelection(editor.offsetToPos(at), editor.offsetToPos(at + selected.length));
  act(() => rewrites.start(activePassage(bench.app)!));
}

const box = (): HTMLElement | null => document.querySelector('.docent-rewrite');
const texts = (selector: string): string[] => [...document.querySelectorAll(selector)].map((one) => one.textContent);
const nameOf = (one: HTMLElement): string =>
  [...one.childNodes].find(({ nodeType }) => nodeType === 3)?.textContent ?? '';
const button = (name: string): HTMLButtonElement | undefined =>
  [...(box()?.querySelectorAll('button') ?? [])].find((one) => nameOf(one) === name);
const click = (name: string): void => {
  const found = button(name);
  if (found === undefined) throw new Error(`No button ${name} in: ${box()?.textContent ?? 'no box'}`);
  act(() => found.click());
};
const shows = (name: string): Promise<void> => eventually(() => button(name) !== undefined, name);
const drawn = (): Promise<void> => act(() => new Promise((resolve) => setTimeout(resolve, 40)));
const write = (text: string): void => {
  const input = box()!.querySelector('input')!;
  input.value = text;
  act(() => void input.dispatchEvent(new InputEvent('input', { bubbles: true })));
  act(() => void input.form?.requestSubmit());
};
const press = (key: string, more: KeyboardEventInit = {}): void => {
  act(() => {
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
  });
};
const notices = (): string[] => texts('.notice-message');

/** Asks for the first built-in change, and waits for the new wording. */
async function rewritten(): Promise<void> {
  begin();
  click('Shorten');
  await shows(say.rewriteReject);
  await drawn();
}

afterEach(() => {
  jest.restoreAllMocks();
  document.querySelectorAll<HTMLElement>('.notice').forEach((notice) => notice.click());
  bench.app.close();
});
passTimeQuickly();

it('R013 asks once, draws the words that go and come in the text, and accepts them into note and journal', async () => {
  await open([said('The boat is blue.')]);
  begin();
  await drawn();
  expect(document.activeElement).toBe(box()?.querySelector('input'));
  write('Shorter');
  await shows(say.rewriteAccept);
  await drawn();
  expect(asked).toEqual([expect.stringMatching(/^Shorter\n\n~~~\nThe boat is very blue\.\n~~~/)]);
  expect(texts('del').join('').trim()).toBe('very');
  expect(editor.getValue()).toBe(note);
  expect(document.activeElement).toBe(button(say.rewriteAccept));
  press('Enter', { ctrlKey: true });
  await eventually(() => box() === null, 'the box goes');
  const after = note.replace(passage, 'The boat is blue.');
  expect([editor.getValue(), await bench.read('Now.md')]).toEqual([after, after]);
  expect(texts('del, ins')).toEqual([]);
  expect(notices().at(-1)).toContain(words.chatNotes.replaced('Now.md'));
});

const pressUndo = (): void => [...document.querySelectorAll<HTMLElement>('.docent-notice-acts button')].at(-1)?.click();

it('leaves a sound note whether it is undone in the editor, by Docent, or by both', async () => {
  await open([said('The boat is blue.')]);
  await rewritten();
  click(say.rewriteAccept);
  await eventually(() => box() === null, 'the box goes');
  const accepted = note.replace(passage, 'The boat is blue.');
  editor.undo();
  expect(editor.getValue()).toBe(note);
  editor.redo();
  expect(editor.getValue()).toBe(accepted);
  editor.replaceRange('Typed.\n', { line: 0, ch: 0 });
  pressUndo();
  await eventually(() => editor.getValue() === `Typed.\n${note}`, 'the editor follows the undo');
  expect(await bench.read('Now.md')).toBe(`Typed.\n${note}`);
  editor.undo();
  expect(editor.getValue()).toBe(`Typed.\n${accepted}`);
});

it('says why Docent undoes nothing once the editor has, or once the line is another one', async () => {
  await open([said('The boat is blue.')]);
  await rewritten();
  click(say.rewriteAccept);
  await eventually(() => box() === null, 'the box goes');
  editor.undo();
  editor.replaceRange('Also. ', { line: 2, ch: 0 });
  pressUndo();
  await eventually(() => notices().some((text) => !text.startsWith(words.chatNotes.replaced('Now.md'))), 'a sentence');
  expect(editor.getValue()).toBe(note.replace('The boat', 'Also. The boat'));
  expect(await bench.read('Now.md')).toBe(editor.getValue());
});

it('draws the wording as it comes, with what the model has not reached, and stops', async () => {
  await open([said('The big boat'), said('A blue boat.')], { waits: true });
  begin();
  click('Shorten');
  await shows(say.rewriteStop);
  await drawn();
  expect(texts('[role=status]')).toContain(say.rewriteRunning);
  expect(texts('.docent-rewrite-pending').join('')).toContain('blue.');
  act(() => button(say.rewriteStop)?.focus());
  press('Escape');
  await drawn();
  expect([button(say.rewriteRun)?.disabled, texts('.docent-rewrite-pending, del, ins')]).toEqual([true, []]);
  goOn?.();
  await drawn();
  expect(button(say.rewriteAccept)).toBeUndefined();
  click('Shorten');
  await shows(say.rewriteAccept);
  // Safari says only so that it ends the spelling of a word.
  press('Escape', { keyCode: 229 });
  expect(box()).not.toBeNull();
  press('Escape');
  expect([box(), editor.getValue()]).toEqual([null, note]);
});

it('draws each piece of the wording when it comes, not only the first', async () => {
  await open([said('The big boat is old.')], { waits: true, slowly: true });
  begin();
  click('Shorten');
  await eventually(() => texts('ins').join('').includes('old'), 'the second piece');
  expect(button(say.rewriteStop)).toBeDefined();
  goOn?.();
});

it('draws and accepts no thought that a server left in the answer', async () => {
  const thought: ModelEvent[] = [
    { type: 'text-delta', text: '<think>\nShorter? ' },
    { type: 'text-delta', text: 'Yes.\n</think>\n\nThe boat is blue.' },
    { type: 'finish', reason: 'complete' },
  ];
  await open([thought.slice(0, 1).concat(thought.slice(2)), thought]);
  begin();
  click('Shorten');
  await shows(say.rewriteAgain);
  expect(rewrites.current()?.wording).toBe('');
  click(say.rewriteAgain);
  await shows(say.rewriteAccept);
  expect(rewrites.current()?.wording).toBe('The boat is blue.');
});

it('has the focus on the button for what came as soon as that is there, so that no key is lost', async () => {
  await open([said('The boat is blue.')], { waits: true });
  begin();
  click('Shorten');
  await shows(say.rewriteStop);
  act(() => button(say.rewriteStop)?.focus());
  const focused = new Promise<Element | null>((resolve) => {
    const look = (_: unknown, observer: MutationObserver): void => {
      if (button(say.rewriteAccept) === undefined) return;
      observer.disconnect();
      resolve(document.activeElement);
    };
    new MutationObserver(look).observe(box()!, { childList: true, subtree: true });
  });
  goOn?.();
  expect((await focused)?.textContent).toContain(say.rewriteAccept);
});

it('refines the wording with what was asked before, and counts the cost of both', async () => {
  await open([
    said('The boat is blue.'),
    [{ type: 'notice', words: 'It has cost a dollar.' }, ...said('A blue boat.')],
  ]);
  await rewritten();
  press('Enter', { ctrlKey: true, shiftKey: true });
  await drawn();
  expect(document.activeElement).toBe(box()?.querySelector('input'));
  press('Escape');
  expect(box()?.querySelector('input')).toBeNull();
  click(say.rewriteRefine);
  const names = Array.from(box()?.querySelectorAll('button') ?? [], ({ textContent }) => textContent);
  expect(new Set(names).size).toBe(names.length);
  write('Fewer words');
  await eventually(
    () => box()?.textContent.includes('dollar') === true && button(say.rewriteAccept) !== undefined,
    'it',
  );
  expect(asked[1]).toMatch(/very blue\.\n~~~\n\n[^]*~~~\nThe boat is blue\.\n~~~\n\n[^]*Fewer words\n\nAnswer with/);
  expect(spent).toEqual([0, 0.25]);
  click(say.rewriteAccept);
  await eventually(() => box() === null, 'the box goes');
  expect(await bench.read('Now.md')).toBe(note.replace(passage, 'A blue boat.'));
});

it('asks about what the new wording would load, and writes nothing if the user says no', async () => {
  await open([said('The boat is ![](https://x.org/a.png) blue.')]);
  await rewritten();
  expect(document.querySelector('img[src*="x.org"]')).toBeNull();
  agrees = false;
  click(say.rewriteAccept);
  await eventually(() => questions.length === 1, 'the question');
  await shows(say.rewriteAccept);
  expect(questions[0]?.text).toContain('x.org');
  expect(await bench.read('Now.md')).toBe(note);
  agrees = true;
  click(say.rewriteAccept);
  await eventually(() => box() === null, 'the box goes');
  expect(await bench.read('Now.md')).toContain('x.org');
});

it('follows the text where edits and a sync move it, and keeps lines of CRLF', async () => {
  await open([said('The boat\nis blue.')], { text: note.replace(/\n/g, '\r\n') });
  await rewritten();
  editor.replaceRange('More.\n\n', { line: 0, ch: 0 });
  await bench.app.workspace.getActiveViewOfType(MarkdownView)?.save();
  const now = await bench.read('Now.md');
  await bench.app.vault.modify(bench.app.vault.getFileByPath('Now.md')!, now.replace(/\r?\n/g, '\r\n') + 'Synced.\r\n');
  await eventually(() => editor.getValue().includes('Synced.'), 'the sync');
  await drawn();
  expect(texts('ins').join('')).toContain('\n');
  click(say.rewriteAccept);
  await eventually(() => box() === null || texts('[role=alert]').length > 0, 'the box goes');
  expect(texts('[role=alert]')).toEqual([]);
  expect(await bench.read('Now.md')).toBe(
    'More.\r\n\r\n# Now\r\n\r\nThe boat\r\nis blue. The sea is green.\r\nSynced.\r\n',
  );
});

it.each([false, true])('loses nothing once the text itself is changed, while it streams: %s', async (waits) => {
  await open([said('The boat is blue.'), said('Blue.')], { waits });
  begin();
  click('Shorten');
  await shows(waits ? say.rewriteStop : say.rewriteAccept);
  await drawn();
  editor.replaceRange('big ', { line: 2, ch: 4 });
  await shows(say.rewriteOnceMore);
  expect(texts('[role=alert]')).toEqual([say.rewriteStale]);
  expect([button(say.rewriteCopy) !== undefined, texts('del, ins')]).toEqual([true, []]);
  goOn?.();
  await drawn();
  expect(button(say.rewriteAccept)).toBeUndefined();
  expect(editor.getValue()).toBe(note.replace('boat', 'big boat'));
  click(say.rewriteOnceMore);
  await drawn();
  click('Shorten');
  await eventually(() => asked.length === 2, 'the second request');
  expect(asked[1]).toContain('The big boat is very blue.');
});

it('says it when the note is closed, replaced or deleted before the rewrite is accepted', async () => {
  await open([said('The boat is blue.'), said('The boat is blue.'), []], { waits: false });
  await rewritten();
  await bench.app.workspace.openLinkText('Other.md', '', false);
  await eventually(() => notices().some((text) => text.startsWith(say.rewriteClosedWith('Now.md'))), 'the notice');
  expect([box(), texts('.docent-notice-acts button')]).toEqual([null, [say.rewriteCopy]]);
  await bench.app.workspace.openLinkText('Now.md', '', false);
  editor = bench.app.workspace.getActiveViewOfType(MarkdownView)!.editor;
  await rewritten();
  const count = notices().length;
  await bench.app.fileManager.trashFile(bench.app.vault.getFileByPath('Now.md')!);
  await eventually(() => notices().length > count, 'the second notice');
  expect(box()).toBeNull();
});

it.each<[string, () => Promise<unknown>]>([
  ['the note is closed', () => bench.app.workspace.openLinkText('Other.md', '', false)],
  ['the text is changed', () => Promise.resolve(editor.replaceRange('big ', { line: 2, ch: 4 }))],
])('offers the wording before a refinement that is not done when %s', async (_what, leave) => {
  const copied: string[] = [];
  const writeText = (text: string): Promise<void> => Promise.resolve(void copied.push(text));
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  await open([said('The boat is blue.'), [{ type: 'text-delta', text: 'A bl' }]]);
  await rewritten();
  click(say.rewriteRefine);
  write('Shorter');
  await shows(say.rewriteAgain);
  await leave();
  const copy = (): HTMLElement | undefined =>
    [...document.querySelectorAll('button')].find((one) => one.textContent === say.rewriteCopy);
  await eventually(() => copy() !== undefined, 'the offer to copy');
  copy()?.click();
  expect(copied).toEqual(['The boat is blue.']);
});

it.each([
  ['Ctrl', 'Control', ['Ctrl ↵', 'Esc', 'Ctrl Shift ↵']],
  ['⌘', 'Meta', ['⌘↵', 'Esc', '⌘⇧↵']],
])('shows the keys of its buttons with %s, and says them with %s', async (_shown, spoken, keys) => {
  await open([said('The boat is blue.')]);
  jest.replaceProperty(Platform, 'isMacOS', spoken === 'Meta');
  await rewritten();
  expect(texts('.docent-rewrite kbd')).toEqual(keys);
  const named = [say.rewriteAccept, say.rewriteReject, say.rewriteRefine].map((name) =>
    button(name)?.getAttribute('aria-keyshortcuts'),
  );
  expect(named).toEqual([`${spoken}+Enter`, 'Escape', `${spoken}+Shift+Enter`]);
});

it('says when the model changed nothing', async () => {
  await open([said(passage)]);
  begin();
  click('Shorten');
  await shows(say.rewriteClose);
  expect(texts('[role=status]')).toEqual([say.rewriteSame]);
  expect(button(say.rewriteAccept)).toBeUndefined();
});

it('offers nothing but another try after a failure, nothing, half an answer, and one at its limit', async () => {
  const network = { kind: 'network', words: 'No network.', remedy: 'Wait.' } as const;
  const half: ModelEvent = { type: 'text-delta', text: 'The bo' };
  await open([
    [{ type: 'failure', failure: network }],
    [{ type: 'finish', reason: 'complete' }],
    [half],
    [half, { type: 'finish', reason: 'length' }],
    said('Blue.'),
  ]);
  begin();
  click('Shorten');
  for (const expected of [/No network\. Wait\./, /no text/, /cut off/, /cut off/]) {
    await shows(say.rewriteAgain);
    expect(texts('[role=alert]')[0]).toMatch(expected);
    expect(button(say.rewriteAccept)).toBeUndefined();
    await drawn();
    expect(texts('del, ins')).toEqual([]);
    click(say.rewriteAgain);
  }
  await shows(say.rewriteAccept);
  expect(new Set(asked).size).toBe(1);
});

it.each(['the button', 'Escape'])('goes back to the wording before a refinement that failed, by %s', async (how) => {
  const limited = { kind: 'rate-limit', words: 'Too many requests.', remedy: 'Wait.' } as const;
  await open([said('The boat is blue.'), [{ type: 'failure', failure: limited }], said('Blue.')]);
  await rewritten();
  const before = texts('del, ins');
  click(say.rewriteRefine);
  write('Without “the”');
  await shows(say.rewriteAgain);
  expect([texts('[role=alert]').join(), button(say.rewriteClose)]).toEqual(['Too many requests. Wait. ', undefined]);
  if (how === 'Escape') press('Escape');
  else click(say.rewriteEarlier);
  await shows(say.rewriteAccept);
  await drawn();
  expect([texts('del, ins'), texts('[role=alert]')]).toEqual([before, []]);
  click(say.rewriteRefine);
  write('Shorter');
  await eventually(() => asked.length === 3, 'the third request');
  expect(asked[2]).not.toContain('Without “the”');
  await shows(say.rewriteAccept);
  click(say.rewriteAccept);
  await eventually(() => box() === null, 'the box goes');
  expect(await bench.read('Now.md')).toContain('Blue. The sea is green.');
});

it('lays the text out once a frame, however many words come', async () => {
  const many = Array.from({ length: 400 }, (_, n): ModelEvent => ({ type: 'text-delta', text: `word${n} ` }));
  await open([[...many, { type: 'finish', reason: 'complete' }]]);
  begin();
  let updates = 0;
  const view = EditorView.findFromDOM(document.querySelector('.cm-editor')!)!;
  const dispatch = view.dispatch.bind(view);
  view.dispatch = (...given: never[]) => {
    updates += 1;
    (dispatch as (...all: never[]) => void)(...given);
  };
  click('Shorten');
  await shows(say.rewriteAccept);
  await drawn();
  expect(texts('ins').join('')).toContain('word399');
  expect(updates).toBeLessThan(40);
});

it('shows one rewrite in an editor, whose box gets the focus when another is asked for', async () => {
  await open([said('The boat is blue.')]);
  begin();
  await drawn();
  editor.focus();
  begin('The sea');
  expect(document.querySelectorAll('.docent-rewrite')).toHaveLength(1);
  expect(document.activeElement).toBe(box()?.querySelector('input'));
  expect(rewrites.current()?.place.passage).toBe(passage);
  click(say.cancel);
  expect(rewrites.current()).toBeNull();
});

it('says that it is not here where the text is another one by now, and shows nothing', async () => {
  await open([]);
  begin();
  click(say.cancel);
  const at = editor.getValue().indexOf(passage);
  editor.setSelection(editor.offsetToPos(at), editor.offsetToPos(at + passage.length));
  const found = activePassage(bench.app)!;
  editor.replaceRange('big ', { line: 2, ch: 4 });
  act(() => rewrites.start(found));
  expect([box(), notices()]).toEqual([null, [say.rewriteNotHere]]);
});

it('follows the passage to the only place that has its text when everything is replaced', async () => {
  await open([said('The boat is blue.')]);
  await rewritten();
  editor.setValue(`Before.\n\n${note}`);
  await drawn();
  expect(texts('[role=alert]')).toEqual([]);
  expect(texts('del').join('').trim()).toBe('very');
  expect(texts('.docent-rewrite-passage').join('')).toBe(passage);
  click(say.rewriteAccept);
  await eventually(() => box() === null || texts('[role=alert]').length > 0, 'the box goes');
  expect(await bench.read('Now.md')).toBe(`Before.\n\n${note.replace(passage, 'The boat is blue.')}`);
});

it('is lost when everything is replaced by a text that has the passage twice', async () => {
  await open([said('The boat is blue.')]);
  await rewritten();
  editor.setValue(`${note}${note}`);
  await shows(say.rewriteOnceMore);
  expect(texts('[role=alert]')).toEqual([say.rewriteStale]);
});

it('says that nothing is selected when what is to be rewritten once more has been emptied', async () => {
  await open([said('The boat is blue.')]);
  await rewritten();
  const at = editor.getValue().indexOf(passage);
  editor.replaceRange('', editor.offsetToPos(at), editor.offsetToPos(at + passage.length));
  await shows(say.rewriteOnceMore);
  click(say.rewriteOnceMore);
  expect([box(), notices()]).toEqual([null, [say.rewriteNothingSelected]]);
});

it('gives its keys to the editor too, which has them back once there is no rewrite', async () => {
  await open([said('The boat is blue.'), said('A blue boat.')]);
  const view = EditorView.findFromDOM(document.querySelector('.cm-editor')!)!;
  expect(runScopeHandlers(view, new KeyboardEvent('keydown', { key: 'Escape' }), 'editor')).toBe(false);
  await rewritten();
  editor.focus();
  let isTaken = false;
  const give = (key: string, more: KeyboardEventInit = {}): boolean => {
    act(() => void (isTaken = runScopeHandlers(view, new KeyboardEvent('keydown', { key, ...more }), 'editor')));
    return isTaken;
  };
  expect(give('Enter', { ctrlKey: true, shiftKey: true })).toBe(true);
  expect(rewrites.current()?.isRefining.value).toBe(true);
  expect(give('Escape')).toBe(true);
  expect([rewrites.current()?.isRefining.value, box() === null]).toEqual([false, false]);
  expect(give('Enter', { ctrlKey: true })).toBe(true);
  await eventually(() => box() === null, 'the box goes');
  expect(await bench.read('Now.md')).toBe(note.replace(passage, 'The boat is blue.'));
  expect(give('Escape')).toBe(false);
});

it('goes into the note under its new name if that is renamed before it is accepted', async () => {
  await open([said('The boat is blue.')]);
  await rewritten();
  await bench.app.fileManager.renameFile(bench.app.vault.getFileByPath('Now.md')!, 'Then.md');
  click(say.rewriteAccept);
  await eventually(() => box() === null || texts('[role=alert]').length > 0, 'the box goes');
  expect(texts('[role=alert]')).toEqual([]);
  expect(await bench.read('Then.md')).toBe(note.replace(passage, 'The boat is blue.'));
  expect(notices().at(-1)).toContain(words.chatNotes.replaced('Then.md'));
});

it('can be neither left nor accepted again while it is being written', async () => {
  await open([said('The boat is ![](https://x.org/a.png) blue.')]);
  await rewritten();
  let agree = (_isAgreed: boolean): void => {};
  agrees = new Promise((resolve) => (agree = resolve));
  click(say.rewriteAccept);
  await eventually(() => questions.length === 1, 'the question');
  expect(texts('.docent-rewrite [role=status]')).toEqual([say.rewriteSaving]);
  act(() => {
    rewrites.current()?.goBack();
    rewrites.current()?.refine('Shorter');
    void rewrites.current()?.accept();
  });
  await drawn();
  expect([questions.length, asked.length, rewrites.current()?.step]).toEqual([1, 1, 'writing']);
  agree(true);
  await eventually(() => box() === null, 'the box goes');
  expect(await bench.read('Now.md')).toContain('x.org');
});

it('has the keys of the app while its box is in focus, and gives them back when it is not', async () => {
  await open([said('The boat is blue.')]);
  begin();
  await drawn();
  act(() => editor.focus());
  const { keymap } = bench.app;
  const held: unknown[] = [];
  jest.spyOn(keymap, 'pushScope').mockImplementation((scope) => void held.push(scope));
  jest.spyOn(keymap, 'popScope').mockImplementation((scope) => void held.splice(held.lastIndexOf(scope), 1));
  act(() => box()?.querySelector('input')?.focus());
  expect(held).toHaveLength(1);
  act(() => button(say.cancel)?.focus());
  expect(held).toHaveLength(1);
  act(() => editor.focus());
  expect(held).toEqual([]);
  act(() => box()?.querySelector('input')?.focus());
  expect(held).toHaveLength(1);
  click(say.cancel);
  await drawn();
  expect([held, box()]).toEqual([[], null]);
});
