/** The box where a message is written: keys, suggestions, chips, input methods, the draft and the queue. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  activeFile,
  openChatView,
  readLogInView,
  readUnsaved,
  until,
  untilUnsaved,
  type OpenedChatView,
} from '../driver/chat-view';
import { words } from '../../../src/text';
import { startChat } from '../driver/reach-walk';
import { allText, lastSent, newText, sentRequests, spokenTexts } from '../driver/sent-request';
import { openWorkbench, showTheme, type OpenedWorkbench } from '../driver/workbench';
import { WindowMetrics } from '../../bench/chats/window-metrics';
import { makePng } from '../../support/make-png';
import type { Script } from '../../support/model-server';

jest.setTimeout(60_000);

const vault = {
  'Harbour.md': 'The harbour of Ardvane has three pontoons.\n',
  'Boats/Heron.md': 'Heron is a clinker dinghy.\n',
  'Boats/Whimbrel.md': 'Whimbrel is a sloop.\n',
};

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

const keyboard = (): OpenedWorkbench['page']['keyboard'] => workbench.page.keyboard;
const selectedName = (): Promise<string> =>
  chatView.root.locator('.docent-popup-item.is-selected .docent-popup-name').innerText();

beforeAll(async () => {
  workbench = await openWorkbench({ vault, scripted: () => ({ text: 'Understood.' }) });
  chatView = await openChatView(workbench);
});

/** Lets the model answer so in this test. */
const answerBy = (script: Script): void => workbench.model?.setScript(script);

/** Each test begins with an empty box in a new chat, with no note open and nothing asked so far. */
beforeEach(async () => {
  await chatView.untilIdle();
  answerBy(() => ({ text: 'Understood.' }));
  await workbench.page.evaluate(() => window.app.workspace.detachLeavesOfType('markdown'));
  await chatView.input.fill('');
  await startChat({ workbench, chatView });
  await chatView.chips.first().waitFor({ state: 'detached' });
});

afterEach(() => expect(workbench.errors).toEqual([]));

afterAll(() => workbench.close());

it('R175@request sends the note of a link that is typed to its end, and none of a text that is pasted', async () => {
  await chatView.input.focus();
  await keyboard().type('Where lies [[Heron]]?');
  await chatView.chips.first().waitFor();
  await keyboard().press('Enter');
  await until(() => sentRequests(workbench.model).length === 1, 'the message is sent');
  expect(allText(lastSent(workbench.model))).toContain('clinker dinghy');
  await chatView.untilIdle();
  await keyboard().insertText('They wrote of the sloop [[Whimbrel]]');
  await keyboard().press('Enter');
  await until(() => sentRequests(workbench.model).length === 2, 'the second message is sent');
  expect(allText(lastSent(workbench.model))).not.toContain('is a sloop');
});

it('R175@dom opens one list at @ and [[, moves in it by arrows, and chooses by Enter and by Tab', async () => {
  await chatView.openNoteList('');
  const offered = await chatView.suggestions.allInnerTexts();
  await chatView.input.fill('');
  await keyboard().type('@');
  await until(async () => (await chatView.suggestions.count()) === offered.length, 'the list of @');
  expect(await chatView.suggestions.allInnerTexts()).toEqual(offered);
  expect(offered.filter((line) => /^(Heron|Whimbrel|Harbour)/.test(line))).toHaveLength(3);
  const first = await selectedName();
  await keyboard().press('ArrowDown');
  const second = await selectedName();
  expect(second).not.toBe(first);
  await keyboard().press('ArrowUp');
  expect(await selectedName()).toBe(first);
  await keyboard().press('ArrowDown');
  await keyboard().press('Enter');
  await chatView.chips.first().waitFor();
  expect(await chatView.input.inputValue()).toBe(`[[${second}]] `);
  expect(await chatView.input.getAttribute('aria-autocomplete')).toBe('list');
  expect(await chatView.suggestions.count()).toBe(0);
  await keyboard().type('and [[hero');
  await until(async () => (await selectedName()) === 'Heron', 'Heron is first');
  await keyboard().press('Tab');
  expect(await chatView.input.inputValue()).toBe(`[[${second}]] and [[Heron]] `);
  expect(await chatView.chips.count()).toBe(second === 'Heron' ? 1 : 2);
  expect(sentRequests(workbench.model)).toEqual([]);
});

it('R175@dom closes the list by Escape and keeps the text', async () => {
  await chatView.openNoteList('Her');
  await keyboard().press('Escape');
  expect(await chatView.root.locator('.docent-popup').count()).toBe(0);
  expect(await chatView.input.inputValue()).toBe('[[Her');
});

it('R175@dom takes out what was chosen by an undo, and brings it back with its chip', async () => {
  await chatView.input.focus();
  await keyboard().type('Of @whim');
  await chatView.root.locator('.docent-popup-item.is-selected').waitFor();
  await keyboard().press('Enter');
  await chatView.chips.first().waitFor();
  await keyboard().press('Control+z');
  expect(await chatView.input.inputValue()).toBe('Of @whim');
  await chatView.chips.first().waitFor({ state: 'detached' });
  await keyboard().press('Control+Shift+z');
  expect(await chatView.input.inputValue()).toBe('Of [[Whimbrel]] ');
  await chatView.chips.first().waitFor();
});

it.each([
  ['a long message', 'A line of it.\n'.repeat(30), { width: 1280, height: 720 }],
  ['a message in a low window', 'Two\nlines ', { width: 700, height: 330 }],
])('shows the list and the help in full above %s', async (_what, text, size) => {
  const { page } = workbench;
  const before = page.viewportSize();
  await page.setViewportSize(size);
  await chatView.input.fill(text);
  const isSeen = (selector: string): Promise<boolean> =>
    chatView.root.locator(selector).evaluate((element) => {
      const { left, top, width } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + 4));
    });
  await chatView.openNoteList('');
  await chatView.suggestions.nth(2).waitFor();
  expect(await isSeen('.docent-popup')).toBe(true);
  await page.keyboard.press('Escape');
  await chatView.input.fill('/help');
  await page.keyboard.press('Enter');
  await chatView.root.locator('.docent-help').waitFor();
  expect(await isSeen('.docent-help-head')).toBe(true);
  await page.keyboard.press('Escape');
  if (before !== null) await page.setViewportSize(before);
});

it('R175@dom chooses by a click without losing the cursor', async () => {
  await chatView.openNoteList('Harb');
  await chatView.suggestions.first().click();
  await keyboard().type('is where?');
  expect(await chatView.input.inputValue()).toBe('[[Harbour]] is where?');
});

it('R166@request R168@request R175@request puts a mentioned note into <files> of the next request, and takes it out with its chip', async () => {
  await chatView.mention('Harbour');
  await keyboard().type('and ');
  await chatView.mention('Heron');
  await keyboard().type('compare them');
  await chatView.chips.filter({ hasText: 'Heron' }).getByRole('button', { name: 'Remove Heron' }).click();
  expect(await chatView.chipNames()).toEqual(['Harbour']);
  expect(await chatView.input.inputValue()).not.toContain('Heron');
  await chatView.input.press('Enter');
  await chatView.untilRunning().catch(() => undefined);
  await chatView.untilIdle();
  const sent = lastSent(workbench.model);
  const files = /<files>[\s\S]*<\/files>/.exec(newText(sent))?.[0] ?? '';
  expect(files).toContain('<note path="Harbour.md">');
  expect(files).toContain('The harbour of Ardvane has three pontoons.');
  expect(allText(sent)).not.toContain('clinker');
  expect(spokenTexts(sent).at(-1)).toContain('[[Harbour]]');
  expect(await chatView.chips.count()).toBe(0);
  await chatView.ask('And without it?');
  expect(newText(lastSent(workbench.model))).not.toContain('<files>');
});

it('R175@dom opens the note of a chip at a click, before and after sending', async () => {
  await chatView.mention('Heron');
  await chatView.chips.getByRole('button', { name: 'Heron', exact: true }).click();
  await until(async () => (await activeFile(workbench)) === 'Boats/Heron.md', 'Heron is open');
  // The note takes the focus once it is drawn; a key that is pressed until then goes to it.
  await workbench.page.locator('.cm-editor.cm-focused').waitFor();
  await chatView.input.press('Enter');
  await chatView.questions.first().waitFor();
  await chatView.untilIdle();
  await workbench.page.evaluate(() => window.app.workspace.openLinkText('Harbour', '', false));
  await chatView.questions.first().getByRole('button', { name: 'Heron', exact: true }).click();
  await until(async () => (await activeFile(workbench)) === 'Boats/Heron.md', 'Heron is open again');

  // The note in front has a chip: removed, the model does not get it in this chat until it is put back.
  const inFront = chatView.root.locator('.docent-in-front');
  await inFront.getByRole('button', { name: 'Heron', exact: true }).waitFor();
  await inFront.locator('.docent-in-front-remove').press('Enter');
  const putBack = inFront.getByRole('button', { name: words.chatView.addOpenNote('Heron') });
  await putBack.waitFor();
  await workbench.page.evaluate(() => window.app.workspace.openLinkText('Harbour', '', false));
  await chatView.ask('Which one?');
  expect(newText(lastSent(workbench.model))).not.toContain('<editor_context>');
  await inFront.getByRole('button', { name: words.chatView.addOpenNote('Harbour') }).press('Enter');
  await inFront.getByRole('button', { name: 'Harbour', exact: true }).waitFor();
  await chatView.ask('And now?');
  expect(newText(lastSent(workbench.model))).toMatch(/<editor_context>[^]*"Harbour\.md"/);
});

it('does not send at the Enter that ends a composition', async () => {
  await chatView.input.focus();
  const session = await workbench.page.context().newCDPSession(workbench.page);
  await session.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
  await chatView.input.evaluate((input) => {
    const enter = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
    input.dispatchEvent(new KeyboardEvent('keydown', enter));
    input.dispatchEvent(new KeyboardEvent('keydown', { ...enter, key: 'Process', isComposing: false }));
  });
  await session.send('Input.insertText', { text: '日本' });
  await workbench.page.waitForTimeout(200);
  expect(sentRequests(workbench.model)).toEqual([]);
  expect(await chatView.input.inputValue()).toBe('日本');
  await keyboard().press('Enter');
  await chatView.questions.first().getByText('日本').waitFor();
});

it('begins a new line at Shift+Enter and sends all lines at Enter', async () => {
  await chatView.input.focus();
  await keyboard().type('one');
  await keyboard().press('Shift+Enter');
  await keyboard().type('two');
  expect(await chatView.questions.count()).toBe(0);
  const before = (await chatView.input.boundingBox())?.height ?? 0;
  await keyboard().press('Shift+Enter');
  await keyboard().press('Shift+Enter');
  await until(async () => ((await chatView.input.boundingBox())?.height ?? 0) > before, 'the box grows');
  await keyboard().type('three');
  await keyboard().press('Enter');
  await chatView.questions.first().waitFor();
  await chatView.untilIdle();
  expect(lastSent(workbench.model).messages.at(-1)?.text).toContain('one\ntwo\n\nthree');
});

it('stops a running answer at Escape and keeps the text so far', async () => {
  let answers = 0;
  answerBy(() => (answers++ === 0 ? { text: 'word '.repeat(400), delayMs: 40 } : { text: 'Gone on.' }));
  await chatView.send('Tell me a long story');
  await chatView.answers.first().getByText('word word').waitFor();
  await chatView.input.press('Escape');
  await chatView.untilIdle();
  const stopped = await chatView.answers.first().innerText();
  expect(stopped).toContain('word word');
  expect(stopped).toContain('Stopped.');
  await until(() => workbench.model?.requests[0]?.aborted === true, 'the server sees that nobody listens');
  await workbench.page.waitForTimeout(300);
  expect(await chatView.answers.first().innerText()).toBe(stopped);
  await workbench.reload();
  chatView = await openChatView(workbench);
  await chatView.root.getByRole('button', { name: 'Continue', exact: true }).click();
  await chatView.answers.nth(1).getByText('Gone on.').waitFor();
  await chatView.untilIdle();
  expect(await chatView.questions.last().innerText()).toBe('Continue from where you stopped.');
  expect(await chatView.root.getByRole('button', { name: 'Continue', exact: true }).count()).toBe(0);
  const sent = lastSent(workbench.model);
  expect(sent.messages.slice(-3).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(spokenTexts(sent)[1]).toContain('word word');
});

it('R101@dom offers the modes once /mode is chosen or typed, and changes to the one that is chosen', async () => {
  const names = (): Promise<string[]> => chatView.root.locator('.docent-popup-name').allInnerTexts();
  const modes = ['Assistant', 'Builder', 'Planner', 'Troubleshooter', 'Custom'];
  await chatView.input.focus();
  await keyboard().type('/mod');
  await until(async () => (await names())[0] === 'Change mode', 'the command is offered');
  await keyboard().press('Enter');
  await until(async () => (await names()).join() === modes.join(), 'the modes are offered');
  expect(await chatView.root.locator('.docent-popup-typed').count()).toBe(0);
  await workbench.screenshot('composer-modes');
  await keyboard().type('pl');
  await until(async () => (await selectedName()) === 'Planner', 'the mode is selected');
  await keyboard().press('Enter');
  await workbench.page.getByText('The mode of this chat is now Planner.').waitFor();
  expect(await chatView.input.inputValue()).toBe('');
  await keyboard().type('/mode ');
  await until(async () => (await names()).join() === modes.join(), 'the modes are offered again');
  await keyboard().press('Enter');
  await workbench.page.getByText('The mode of this chat is now Assistant.').waitFor();
  expect(sentRequests(workbench.model)).toEqual([]);
});

it('sends nothing when the box holds nothing but blanks', async () => {
  await chatView.input.fill('  \n ');
  expect(await chatView.root.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  await chatView.input.press('Enter');
  await workbench.page.waitForTimeout(200);
  expect(await chatView.questions.count()).toBe(0);
  expect(sentRequests(workbench.model)).toEqual([]);
});

it('keeps the unsent draft with its attachments over a reload', async () => {
  await chatView.mention('Heron');
  await keyboard().type('how old is she?');
  await untilUnsaved(workbench.page, 'how old is she?');
  await workbench.reload();
  chatView = await openChatView(workbench);
  await until(async () => (await chatView.input.inputValue()) === '[[Heron]] how old is she?', 'the draft is back');
  expect(await chatView.chipNames()).toEqual(['Heron']);
});

it('has a draft on the device soon even while typing goes on', async () => {
  await chatView.input.focus();
  for (const letter of 'a sentence typed without any pause') {
    await keyboard().type(letter);
    await workbench.page.waitForTimeout(60);
  }
  expect(JSON.stringify(await readUnsaved(workbench.page))).toContain('a sentence typed with');
});

it('keeps messages waiting while an answer runs and sends them in their order', async () => {
  answerBy(({ index }) => ({ text: 'a b c d e f g h', delayMs: index === 0 ? 80 : 0 }));
  await chatView.send('first');
  await chatView.input.fill('second');
  await chatView.input.press('Enter');
  await chatView.input.fill('third');
  await chatView.input.press('Enter');
  await chatView.root.locator('.docent-queued').nth(1).waitFor();
  expect(await chatView.questions.count()).toBe(1);
  await chatView.questions.nth(2).waitFor();
  await chatView.untilIdle();
  expect(await chatView.questions.allInnerTexts()).toEqual(['first', 'second', 'third']);
  const asked = sentRequests(workbench.model).map((request) => spokenTexts(request).at(-1));
  expect(asked).toEqual(['first', 'second', 'third']);
});

const rename = (from: string, to: string): Promise<void> =>
  workbench.page.evaluate(
    async ([path, name]) => {
      const file = window.app.vault.getFileByPath(path);
      if (file !== null) await window.app.fileManager.renameFile(file, name);
    },
    [from, to] as const,
  );

it('sends what waited with a note that was renamed since, under its new name', async () => {
  answerBy(({ index }) => ({ text: 'a b c d e f g h', delayMs: index === 0 ? 150 : 0 }));
  await chatView.send('first');
  await chatView.input.focus();
  await keyboard().type('Where lies [[Whimbrel]]?');
  await keyboard().press('Enter');
  const waiting = chatView.root.locator('.docent-queued-text');
  await waiting.waitFor();
  await rename('Boats/Whimbrel.md', 'Boats/Curlew.md');
  await until(async () => (await waiting.innerText()) === 'Where lies [[Curlew]]?', 'the new name');
  await chatView.questions.nth(1).waitFor();
  await chatView.untilIdle();
  expect(allText(lastSent(workbench.model))).toContain('is a sloop');
  expect(await chatView.questions.last().locator('.docent-user-link').innerText()).toBe('Curlew');
  await rename('Boats/Curlew.md', 'Boats/Whimbrel.md');
});

it('sends an edited message with a note that was renamed while its box was open', async () => {
  answerBy(() => ({ text: 'Yes.' }));
  await chatView.input.focus();
  await keyboard().type('Where is [[Whimbrel]]?');
  await keyboard().press('Enter');
  await chatView.questions.first().waitFor();
  await chatView.untilIdle();
  await workbench.command('edit-last-question');
  const box = chatView.root.locator('.docent-editor-input');
  await box.waitFor();
  await rename('Boats/Whimbrel.md', 'Boats/Curlew.md');
  await until(async () => (await box.inputValue()) === 'Where is [[Curlew]]?', 'the new name');
  expect(await chatView.root.locator('.docent-editor .docent-chip-name').allInnerTexts()).toEqual(['Curlew']);
  expect(await chatView.root.locator('.docent-editor-missing').count()).toBe(0);
  await box.press('Enter');
  await box.waitFor({ state: 'detached' });
  await chatView.untilIdle();
  expect(allText(lastSent(workbench.model))).toContain('is a sloop');
  expect(await chatView.questions.last().locator('.docent-user-link').innerText()).toBe('Curlew');
  await rename('Boats/Curlew.md', 'Boats/Whimbrel.md');
});

it('shows a draft that was left with a note that was renamed since, also after a restart', async () => {
  answerBy(() => ({ text: 'Yes.' }));
  await chatView.ask('Is this the chat of the draft?');
  await chatView.input.focus();
  await keyboard().type('Then [[Whimbrel]]');
  await chatView.chips.first().waitFor();
  await workbench.command('new-chat');
  await until(async () => (await chatView.input.inputValue()) === '', 'the new chat has an empty box');
  await rename('Boats/Whimbrel.md', 'Boats/Curlew.md');
  await workbench.reload();
  chatView = await openChatView(workbench);
  await chatView.root.locator('.docent-recent button', { hasText: 'chat of the draft' }).click();
  await until(async () => (await chatView.input.inputValue()).trim() === 'Then [[Curlew]]', 'the new name');
  expect(await chatView.chipNames()).toEqual(['Curlew']);
  await rename('Boats/Curlew.md', 'Boats/Whimbrel.md');
});

it('sends the pinned note of a chat that was renamed while another chat was in view', async () => {
  answerBy(() => ({ text: 'Yes.' }));
  await chatView.ask('Is this the chat of the pin?');
  await chatView.input.focus();
  await keyboard().type('[[Whimbrel]]');
  await chatView.root.getByRole('button', { name: words.chatView.pinAttachment('Whimbrel') }).click();
  const isPinned = async (): Promise<boolean> =>
    (await readLogInView(workbench)).some(({ k, b }) => k === 'choices' && JSON.stringify(b).includes('Whimbrel'));
  await until(isPinned, 'the pin is stored');
  await chatView.input.fill('');
  await workbench.command('new-chat');
  await rename('Boats/Whimbrel.md', 'Boats/Curlew.md');
  await chatView.root.locator('.docent-recent button', { hasText: 'chat of the pin' }).click();
  await chatView.questions.first().waitFor();
  await chatView.ask('Where does it lie?');
  expect(allText(lastSent(workbench.model))).toContain('is a sloop');
  await rename('Boats/Curlew.md', 'Boats/Whimbrel.md');
});

it('puts waiting messages back into the box when the answer is stopped', async () => {
  answerBy(() => ({ text: 'word '.repeat(400), delayMs: 40 }));
  await chatView.send('first');
  await chatView.input.fill('second');
  await chatView.input.press('Enter');
  await chatView.root.locator('.docent-queued').waitFor();
  await chatView.root.getByRole('button', { name: 'Stop', exact: true }).click();
  await chatView.untilIdle();
  expect(await chatView.input.inputValue()).toBe('second');
  expect(await chatView.questions.count()).toBe(1);
});

it('R175@dom attaches the chosen note even when the vault changes while the list is open', async () => {
  await chatView.openNoteList('Hero');
  await workbench.writeNote('Elsewhere.md', 'made by another program\n');
  await workbench.page.waitForFunction(() => window.app.vault.getFileByPath('Elsewhere.md') !== null);
  await keyboard().press('Enter');
  expect(await chatView.input.inputValue()).toBe('[[Heron]] ');
  expect(await chatView.chipNames()).toEqual(['Heron']);
});

it('R175@dom takes the note that fits what was typed, however fast the keys come', async () => {
  await chatView.input.focus();
  await chatView.input.evaluate((input: HTMLTextAreaElement) => {
    for (const text of ['[[', '[[w', '[[wh']) {
      input.value = text;
      input.setSelectionRange(text.length, text.length);
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  });
  await chatView.chips.first().waitFor();
  expect(await chatView.input.inputValue()).toBe('[[Whimbrel]] ');
});

it('draws a short message as wide as its text, above buttons that are wider', async () => {
  await chatView.ask('x');
  const [bubble, text] = await chatView.questions
    .first()
    .locator('.docent-user-text')
    .evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { paddingLeft } = getComputedStyle(element);
      return [element.getBoundingClientRect().width, range.getBoundingClientRect().width + 2 * parseFloat(paddingLeft)];
    });
  expect(bubble).toBeCloseTo(text ?? 0, 0);
});

it('leaves what reads as text flat under the pointer', async () => {
  await chatView.ask('x');
  await chatView.mention('Heron');
  const { root } = chatView;
  const flat: Record<string, string> = {};
  const look = async (selector: string): Promise<void> => {
    const element = root.locator(selector).first();
    await element.hover();
    flat[selector] = await element.evaluate((hovered) => getComputedStyle(hovered).backgroundColor);
  };
  for (const selector of ['.docent-context', '.docent-composer .docent-chip-name']) await look(selector);
  await root.getByRole('button', { name: words.commandNames['show-chats'] }).click();
  await look('.docent-chats-row .docent-chats-open');
  await root.getByRole('button', { name: words.chats.close }).click();
  expect(Object.entries(flat).filter(([, color]) => color !== 'rgba(0, 0, 0, 0)')).toEqual([]);
});

it.each(['light', 'dark'] as const)('gives Send the color of other main buttons, in the %s theme', async (theme) => {
  await showTheme(workbench, theme);
  await chatView.input.fill('x');
  const send = chatView.root.locator('.docent-send:enabled');
  await send.waitFor();
  const colors = await send.evaluate((element) => {
    const main = element.parentElement?.createEl('button', { cls: 'mod-cta' });
    const seen = [element, main].map((each) => each && getComputedStyle(each).backgroundColor);
    main?.remove();
    return seen;
  });
  expect(colors[0]).toBe(colors[1]);
  await showTheme(workbench, 'dark');
});

it('puts all notices above the box at one distance from their icons', async () => {
  const gaps = await chatView.root.locator('.docent-foot').evaluate((foot) => {
    const notices = foot.createDiv();
    const icon = '<span class="docent-icon"><svg></svg></span><span>x</span>';
    notices.innerHTML = ['needs-look', 'override', 'taint']
      .map((name) => {
        const inner = name === 'taint' ? `<button>${icon}</button>` : icon;
        const tag = name === 'needs-look' ? 'button' : 'div';
        return `<${tag} class="docent-${name}">${inner}</${tag}>`;
      })
      .join('');
    const found = Array.from(notices.querySelectorAll('.docent-icon'), (each) => {
      const words = each.nextElementSibling?.getBoundingClientRect().left ?? 0;
      return words - each.getBoundingClientRect().right;
    });
    notices.remove();
    return found;
  });
  expect(new Set(gaps)).toEqual(new Set([8]));
});

it('wraps what a chip says of a picture before its button', async () => {
  await writeFile(path.join(workbench.vaultFolder, 'quay.png'), makePng(300, 200));
  await workbench.page.waitForFunction(() => window.app.vault.getFileByPath('quay.png') !== null);
  await chatView.mention('quay');
  const chip = chatView.chips.first();
  await chip.getByText(words.images.sentAsText).waitFor();
  const [size, button] = await Promise.all(
    ['.docent-chip-size', '.docent-chip-remove'].map((part) => chip.locator(part).last().boundingBox()),
  );
  expect((size?.x ?? 0) + (size?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
});

it('begins the lines of a long link in a message at its edge', async () => {
  await chatView.mention('Harbour');
  await chatView.input.press('Enter');
  const link = chatView.questions.first().locator('.docent-user-link');
  await link.waitFor();
  await chatView.untilIdle();
  expect(await link.evaluate((element) => getComputedStyle(element).textAlign)).toBe('start');
});

it('has the dot between two phrases at the side of the first one, also where words begin at the right', async () => {
  answerBy([{ toolCalls: [{ name: 'read_note', arguments: { path: 'Harbour.md' } }] }, { text: 'Three.' }]);
  await chatView.ask('How many pontoons?');
  await workbench.page.evaluate(() => window.app.workspace.openLinkText('Harbour', '', false));
  await chatView.input.focus();
  await chatView.root.locator('.docent-in-front-state').waitFor();
  /** Whether each phrase has room for its dot at the side of the one before it. */
  const roomAt = (side: 'left' | 'right'): Promise<boolean[]> =>
    chatView.root.locator('.docent-run-title, .docent-in-front-state').evaluateAll(
      (phrases, at) =>
        phrases.map((phrase) => {
          const range = document.createRange();
          range.selectNodeContents(phrase.firstElementChild ?? phrase);
          const [all, said] = [phrase.getBoundingClientRect(), range.getBoundingClientRect()];
          return (at === 'left' ? said.left - all.left : all.right - said.right) > 4;
        }),
      side,
    );
  const fromRightToLeft = (isOn: boolean): Promise<void> =>
    workbench.page.evaluate((is) => {
      document.body.dir = is ? 'rtl' : '';
      document.body.classList.toggle('mod-rtl', is);
    }, isOn);
  expect(await roomAt('left')).toEqual([true, true]);
  await fromRightToLeft(true);
  expect(await roomAt('right')).toEqual([true, true]);
  await fromRightToLeft(false);
});

it('brings the list into view that opens below an edited message at the end of a chat', async () => {
  for (const text of ['one', 'two', 'three', 'four', 'five']) await chatView.ask(text);
  const last = chatView.questions.last();
  await last.hover();
  await last.getByRole('button', { name: words.branches.edit }).click();
  const box = chatView.root.locator('.docent-editor-input');
  await box.waitFor();
  await keyboard().type(' [[');
  const list = chatView.root.locator('.docent-editor .docent-popup');
  await list.locator('.docent-popup-item').nth(5).waitFor();
  const edges = async (shown: typeof box): Promise<{ top: number; bottom: number }> => {
    const { y = 0, height = 0 } = (await shown.boundingBox()) ?? {};
    return { top: y, bottom: y + height };
  };
  const areInView = async (): Promise<boolean> => {
    const [view, opened, written] = await Promise.all(
      [chatView.root.locator('.docent-transcript'), list, box].map(edges),
    );
    if (view === undefined || opened === undefined || written === undefined) return false;
    return opened.bottom <= view.bottom + 1 && written.top >= view.top - 1;
  };
  await until(areInView, 'the box and the list are in view', 5_000);
  for (let times = 0; times < 2; times += 1) await keyboard().press('Escape');
  await box.waitFor({ state: 'detached' });
});

it('lays out no long line in full at a key, and fits the box to its text', async () => {
  const { page } = workbench;
  const style = (name: 'direction' | 'unicodeBidi'): Promise<string> =>
    chatView.input.evaluate((box, property) => getComputedStyle(box)[property], name);
  const height = async (): Promise<number> => (await chatView.input.boundingBox())?.height ?? 0;
  const oneLine = await height();
  await chatView.input.fill('The harbour of Ardvane has three pontoons. '.repeat(5_000));
  expect(await style('unicodeBidi')).toBe('normal');
  const max = await height();
  await chatView.input.press('End');
  const metrics = await WindowMetrics.open(page.context().browser()!, page);
  const costs: number[] = [];
  for (let keys = 0; keys < 3; keys += 1) {
    const { layout } = await metrics.cost(async () => {
      await keyboard().type('x');
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
    });
    costs.push(layout);
  }
  // With a direction looked for at each key, it is more than 600 milliseconds.
  expect(Math.min(...costs)).toBeLessThan(150);
  expect(await height()).toBe(max);
  await chatView.input.fill('שלום '.repeat(2_000));
  expect(await style('direction')).toBe('rtl');
  await chatView.input.fill('one\ntwo\nthree');
  expect(await style('unicodeBidi')).toBe('plaintext');
  const threeLines = await height();
  expect(threeLines).toBeGreaterThan(oneLine);
  expect(threeLines).toBeLessThan(max);
  await keyboard().press('Shift+Enter');
  expect(await height()).toBeGreaterThan(threeLines);
  await chatView.input.fill('');
  expect(await height()).toBe(oneLine);
});
