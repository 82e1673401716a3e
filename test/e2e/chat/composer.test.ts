/** The box where a message is written: keys, suggestions, chips, input methods, the draft and the queue. */
import { activeFile, openChatView, until, type OpenedChatView } from '../driver/chat-view';
import { allText, lastSent, newText, sentRequests, spokenTexts } from '../driver/sent-request';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(60_000);

const vault = {
  'Harbour.md': 'The harbour of Ardvane has three pontoons.\n',
  'Boats/Heron.md': 'Heron is a clinker dinghy.\n',
  'Boats/Whimbrel.md': 'Whimbrel is a sloop.\n',
};

let workbench: OpenedWorkbench;
let pane: OpenedChatView;

async function open(script: Parameters<typeof openWorkbench>[0] = {}): Promise<void> {
  workbench = await openWorkbench({ vault, scripted: () => ({ text: 'Understood.' }), ...script });
  pane = await openChatView(workbench);
}

const keyboard = (): OpenedWorkbench['page']['keyboard'] => workbench.page.keyboard;
const selectedName = (): Promise<string> =>
  pane.root.locator('.docent-popup-item.is-selected .docent-popup-name').innerText();

afterEach(async () => {
  expect(workbench.errors).toEqual([]);
  await workbench.close();
});

it('R175@dom opens a list at [[, moves in it by arrows, and chooses by Enter and by Tab', async () => {
  await open();
  await pane.openNoteList('');
  expect(await pane.suggestions.count()).toBe(3);
  const first = await selectedName();
  await keyboard().press('ArrowDown');
  const second = await selectedName();
  expect(second).not.toBe(first);
  await keyboard().press('ArrowUp');
  expect(await selectedName()).toBe(first);
  await keyboard().press('ArrowDown');
  await keyboard().press('Enter');
  await pane.chips.first().waitFor();
  expect(await pane.input.inputValue()).toBe(`[[${second}]] `);
  expect(await pane.suggestions.count()).toBe(0);
  await keyboard().type('and [[hero');
  await until(async () => (await selectedName()) === 'Heron', 'Heron is first');
  await keyboard().press('Tab');
  expect(await pane.input.inputValue()).toBe(`[[${second}]] and [[Heron]] `);
  expect(await pane.chips.count()).toBe(second === 'Heron' ? 1 : 2);
  expect(sentRequests(workbench.model)).toEqual([]);
});

it('R175@dom closes the list by Escape and keeps the text', async () => {
  await open();
  await pane.openNoteList('Her');
  await keyboard().press('Escape');
  expect(await pane.root.locator('.docent-popup').count()).toBe(0);
  expect(await pane.input.inputValue()).toBe('[[Her');
});

it('R175@dom chooses by a click without losing the cursor', async () => {
  await open();
  await pane.openNoteList('Harb');
  await pane.suggestions.first().click();
  await keyboard().type('is where?');
  expect(await pane.input.inputValue()).toBe('[[Harbour]] is where?');
});

it('R166@request R168@request R175@request puts a mentioned note into <files> of the next request, and takes it out with its chip', async () => {
  await open();
  await pane.mention('Harbour');
  await keyboard().type('and ');
  await pane.mention('Heron');
  await keyboard().type('compare them');
  await pane.chips.filter({ hasText: 'Heron' }).getByRole('button', { name: 'Remove Heron' }).click();
  expect(await pane.chipNames()).toEqual(['Harbour']);
  expect(await pane.input.inputValue()).not.toContain('Heron');
  await pane.input.press('Enter');
  await pane.untilRunning().catch(() => undefined);
  await pane.untilIdle();
  const sent = lastSent(workbench.model);
  const files = /<files>[\s\S]*<\/files>/.exec(newText(sent))?.[0] ?? '';
  expect(files).toContain('<note path="Harbour.md">');
  expect(files).toContain('The harbour of Ardvane has three pontoons.');
  expect(allText(sent)).not.toContain('clinker');
  expect(spokenTexts(sent).at(-1)).toContain('[[Harbour]]');
  expect(await pane.chips.count()).toBe(0);
  await pane.ask('And without it?');
  expect(newText(lastSent(workbench.model))).not.toContain('<files>');
});

it('R175@dom opens the note of a chip at a click, before and after sending', async () => {
  await open();
  await pane.mention('Heron');
  await pane.chips.getByRole('button', { name: 'Heron', exact: true }).click();
  await until(async () => (await activeFile(workbench)) === 'Boats/Heron.md', 'Heron is open');
  // The note takes the focus once it is drawn; a key that is pressed until then goes to it.
  await workbench.page.locator('.cm-editor.cm-focused').waitFor();
  await pane.input.press('Enter');
  await pane.questions.first().waitFor();
  await pane.untilIdle();
  await workbench.page.evaluate(() => window.app.workspace.openLinkText('Harbour', '', false));
  await pane.questions.first().getByRole('button', { name: 'Heron', exact: true }).click();
  await until(async () => (await activeFile(workbench)) === 'Boats/Heron.md', 'Heron is open again');
});

it('does not send at the Enter that ends a composition', async () => {
  await open();
  await pane.input.focus();
  const session = await workbench.page.context().newCDPSession(workbench.page);
  await session.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
  await pane.input.evaluate((input) => {
    const enter = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
    input.dispatchEvent(new KeyboardEvent('keydown', enter));
    input.dispatchEvent(new KeyboardEvent('keydown', { ...enter, key: 'Process', isComposing: false }));
  });
  await session.send('Input.insertText', { text: '日本' });
  await workbench.page.waitForTimeout(200);
  expect(sentRequests(workbench.model)).toEqual([]);
  expect(await pane.input.inputValue()).toBe('日本');
  await keyboard().press('Enter');
  await pane.questions.first().getByText('日本').waitFor();
});

it('begins a new line at Shift+Enter and sends all lines at Enter', async () => {
  await open();
  await pane.input.focus();
  await keyboard().type('one');
  await keyboard().press('Shift+Enter');
  await keyboard().type('two');
  expect(await pane.questions.count()).toBe(0);
  const before = (await pane.input.boundingBox())?.height ?? 0;
  await keyboard().press('Shift+Enter');
  await keyboard().press('Shift+Enter');
  await until(async () => ((await pane.input.boundingBox())?.height ?? 0) > before, 'the box grows');
  await keyboard().type('three');
  await keyboard().press('Enter');
  await pane.questions.first().waitFor();
  await pane.untilIdle();
  expect(lastSent(workbench.model).messages.at(-1)?.text).toContain('one\ntwo\n\nthree');
});

it('stops a running answer at Escape and keeps the text so far', async () => {
  let answers = 0;
  await open({ scripted: () => (answers++ === 0 ? { text: 'word '.repeat(400), delayMs: 40 } : { text: 'Gone on.' }) });
  await pane.send('Tell me a long story');
  await pane.answers.first().getByText('word word').waitFor();
  await pane.input.press('Escape');
  await pane.untilIdle();
  const stopped = await pane.answers.first().innerText();
  expect(stopped).toContain('word word');
  expect(stopped).toContain('Stopped.');
  await until(() => workbench.model?.requests[0]?.aborted === true, 'the server sees that nobody listens');
  await workbench.page.waitForTimeout(300);
  expect(await pane.answers.first().innerText()).toBe(stopped);
  await pane.ask('Go on');
  const sent = lastSent(workbench.model);
  expect(sent.messages.slice(-3).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(spokenTexts(sent)[1]).toContain('word word');
});

it('sends nothing when the box holds nothing but blanks', async () => {
  await open();
  await pane.input.fill('  \n ');
  expect(await pane.root.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  await pane.input.press('Enter');
  await workbench.page.waitForTimeout(200);
  expect(await pane.questions.count()).toBe(0);
  expect(sentRequests(workbench.model)).toEqual([]);
});

it('keeps the unsent draft with its attachments over a reload', async () => {
  await open();
  await pane.mention('Heron');
  await keyboard().type('how old is she?');
  await workbench.page.waitForTimeout(400);
  await workbench.reload();
  pane = await openChatView(workbench);
  await until(async () => (await pane.input.inputValue()) === '[[Heron]] how old is she?', 'the draft is back');
  expect(await pane.chipNames()).toEqual(['Heron']);
});

it('has a draft on the device soon even while typing goes on', async () => {
  await open();
  await pane.input.focus();
  for (const letter of 'a sentence typed without any pause') {
    await keyboard().type(letter);
    await workbench.page.waitForTimeout(60);
  }
  const stored = await workbench.page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(stored).toContain('a sentence typed with');
});

it('keeps messages waiting while an answer runs and sends them in their order', async () => {
  await open({ scripted: () => ({ text: 'a b c d e f g h', delayMs: 80 }) });
  await pane.send('first');
  await pane.input.fill('second');
  await pane.input.press('Enter');
  await pane.input.fill('third');
  await pane.input.press('Enter');
  await pane.root.getByText('2 messages wait').waitFor();
  expect(await pane.questions.count()).toBe(1);
  await pane.questions.nth(2).waitFor();
  await pane.untilIdle();
  expect(await pane.questions.allInnerTexts()).toEqual(['first', 'second', 'third']);
  const asked = sentRequests(workbench.model).map((request) => spokenTexts(request).at(-1));
  expect(asked).toEqual(['first', 'second', 'third']);
});

it('puts waiting messages back into the box when the answer is stopped', async () => {
  await open({ scripted: () => ({ text: 'word '.repeat(400), delayMs: 40 }) });
  await pane.send('first');
  await pane.input.fill('second');
  await pane.input.press('Enter');
  await pane.root.getByText('1 message waits').waitFor();
  await pane.root.getByRole('button', { name: 'Stop', exact: true }).click();
  await pane.untilIdle();
  expect(await pane.input.inputValue()).toBe('second');
  expect(await pane.questions.count()).toBe(1);
});

it('R175@dom attaches the chosen note even when the vault changes while the list is open', async () => {
  await open();
  await pane.openNoteList('Hero');
  await workbench.writeNote('Elsewhere.md', 'made by another program\n');
  await workbench.page.waitForFunction(() => window.app.vault.getFileByPath('Elsewhere.md') !== null);
  await keyboard().press('Enter');
  expect(await pane.input.inputValue()).toBe('[[Heron]] ');
  expect(await pane.chipNames()).toEqual(['Heron']);
});

it('R175@dom takes the note that fits what was typed, however fast the keys come', async () => {
  await open();
  await pane.input.focus();
  await pane.input.evaluate((input: HTMLTextAreaElement) => {
    for (const text of ['[[', '[[w', '[[wh']) {
      input.value = text;
      input.setSelectionRange(text.length, text.length);
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  });
  await pane.chips.first().waitFor();
  expect(await pane.input.inputValue()).toBe('[[Whimbrel]] ');
});
