/** Every act by the keyboard alone: the focus is seen, moves in order, and returns to where it was. */
import { words } from '../../../src/text';
import { chooseInMenu, findChatView, readStoredJson, until, type OpenedChatView } from '../driver/chat-view';
import { vaultWithChat } from '../driver/stored-chat';
import { lastSent, newText } from '../driver/sent-request';
import { closeQuiet, openWorkbench, type OpenedWorkbench } from '../driver/workbench';
import { readRequest, type Script } from '../../support/model-server';

jest.setTimeout(90_000);

const crew = '# Crew\n\nRui steers by day.\n\nMhairi bails when it rains.\n\nPawel sings all the time.\n';
const edits = [
  ['Rui steers', 'Rui navigates'],
  ['all the time', 'in the evening'],
].map(([oldText, newText]) => ({ name: 'edit_note', arguments: { path: 'Crew.md', oldText, newText } }));
const long = Array.from({ length: 600 }, (_, bolt) => `Bolt ${bolt}.`).join(' ');

const columns = Array.from({ length: 20 }, (_, bolt) => `Bolt${bolt}`);
const wide = `| ${columns.join(' | ')} |\n${'|---'.repeat(20)}|\n\n$$${columns.join(' + ')}$$\n`;

let answered = 0;
const script: Script = (request) => {
  const { messages } = readRequest(request);
  const last = messages.at(-1);
  const asked = (text: string): boolean => last?.results.length === 0 && last.text.includes(text);
  if (asked('Show all bolts')) return { text: wide };
  if (asked('Take your time')) return { text: long, delayMs: 100 };
  if (asked('Propose')) return { toolCalls: [{ name: 'read_note', arguments: { path: 'Crew.md' } }] };
  const reads = messages.filter(({ results }) => results.length > 0).length;
  if (messages.some(({ text }) => text.includes('Propose')) && reads === 1) return { toolCalls: edits };
  return { text: `Answer ${++answered}.` };
};

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

beforeAll(async () => {
  workbench = await openWorkbench({
    vault: { ...vaultWithChat(4), 'Crew.md': crew, 'Boats/Heron.md': 'A clinker dinghy.\n' },
    scripted: script,
  });
  await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(() => closeQuiet(workbench));

const press = (...keys: string[]): Promise<void> =>
  keys.reduce((before, key) => before.then(() => workbench.page.keyboard.press(key)), Promise.resolve());
const type = (text: string): Promise<void> => workbench.page.keyboard.type(text);

/** What has the focus, by its name; of Docent's own, nothing may have it that does not show it. */
async function focused(): Promise<string> {
  const { name, isSeen } = await workbench.page.evaluate(() => {
    const at = document.activeElement as HTMLElement;
    const label = document.getElementById(at.getAttribute('aria-labelledby') ?? '');
    const named = label?.ariaLabel ?? label?.textContent;
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    const isOwn = at.closest('.docent-view, .docent-settings, .modal[class*=docent-]') !== null;
    const isExempt = !isOwn || at.matches('.docent-composer-input, .modal');
    return {
      name: at === document.body ? 'the body' : (named ?? at.getAttribute('aria-label') ?? at.textContent ?? '').trim(),
      isSeen: isExempt || (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2),
    };
  });
  expect({ name, isSeen }).toEqual({ name, isSeen: true });
  return name;
}

/** Moves the focus by a key until what has it has this name. */
async function tabTo(name: string | RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < 80; step += 1) {
    await press(key);
    const at = await focused();
    if (typeof name === 'string' ? at === name : name.test(at)) return;
    passed.push(at.slice(0, 40));
  }
  throw new Error(`Not reached: ${String(name)}. Passed: ${passed.join(', ')}`);
}

const expectFocus = (name: string): Promise<void> => until(async () => (await focused()) === name, `focus on ${name}`);

/** Runs a command as its user does: by the palette. */
async function run(name: string): Promise<void> {
  await press('Control+p');
  await workbench.page.locator('.prompt-input').waitFor();
  await type(name);
  await workbench.page.locator('.prompt .suggestion-item.is-selected', { hasText: name }).waitFor();
  await press('Enter');
}

const composer = words.chatView.composer;

it('opens the chat view, mentions notes by both triggers, and chooses the permission mode and the model', async () => {
  await run(words.commandNames['open-chat']);
  chatView = await findChatView(workbench);
  await expectFocus(composer);
  await type('@Her');
  await chatView.suggestions.filter({ hasText: 'Heron' }).waitFor();
  await press('Enter');
  await type('and [[Cre');
  await chatView.suggestions.filter({ hasText: 'Crew' }).first().waitFor();
  await press('Enter');
  expect(await chatView.input.inputValue()).toContain('[[Crew]]');
  expect(await chatView.chipNames()).toEqual(['Heron', 'Crew']);
  await expectFocus(composer);
  const { permissions } = words.asking;
  await tabTo(/^Permission mode/);
  await press('Enter');
  await chooseInMenu(workbench.page, permissions.review);
  await until(async () => (await focused()).startsWith(words.asking.permission), 'the focus is back at the picker');
  await tabTo(/^Model/, 'Shift+Tab');
  await press('Enter');
  await chooseInMenu(workbench.page, 'Anthropic: scripted');
  await until(async () => (await focused()).includes('Anthropic'), 'the focus is at the picker, with the new choice');
  await press('Enter', 'Escape');
  expect(await focused()).toContain('Anthropic');
  await tabTo(composer, 'Shift+Tab');
  await press('Enter');
  await chatView.answers.getByText('Answer 1.').waitFor();
  expect(newText(lastSent(workbench.model))).toContain('<note path="Crew.md">');
  expect(workbench.model?.requests.at(-1)?.path).toBe('/anthropic/v1/messages');
});

it('stops an answer, and goes to its actions: copy, insert, edit, answer again, and the switch of versions', async () => {
  await expectFocus(composer);
  await type('Take your time');
  await press('Enter');
  await chatView.answers.last().getByText('Bolt 3.').waitFor();
  await press('Escape');
  await chatView.untilIdle();
  await expectFocus(composer);
  const say = words.chatView;
  await tabTo(say.copyAnswer, 'Shift+Tab');
  await press('Enter');
  expect(await workbench.page.evaluate(() => navigator.clipboard.readText())).toContain('Bolt 3.');
  await expectFocus(say.copyAnswer);
  await tabTo(words.chatNotes.insert);
  await press('Enter');
  await until(async () => (await workbench.readNote('Crew.md')).includes('Bolt 3.'), 'the answer is in the note');
  await expectFocus(words.chatNotes.insert);
  await tabTo(words.branches.again, 'Shift+Tab');
  await press('Enter');
  await chooseInMenu(workbench.page, words.branches.againSame('OpenAI-compatible server: scripted'));
  await chatView.untilRunning();
  await chatView.answers.last().getByText('Bolt 3.').waitFor();
  await tabTo(say.stop);
  await press('Enter');
  await chatView.untilIdle();
  await expectFocus(composer);
  await tabTo(words.branches.earlier.answer, 'Shift+Tab');
  await press('Enter');
  await chatView.root.locator('.docent-versions', { hasText: '1/2' }).waitFor();
  expect(await focused()).not.toBe('the body');
  await tabTo(words.branches.edit, 'Shift+Tab');
  await press('Enter');
  await chatView.root.locator('.docent-editor-input:focus').waitFor();
  await press('Escape');
  await expectFocus(words.branches.edit);
  await press('Enter');
  await chatView.root.locator('.docent-editor-input:focus').waitFor();
  await press('Control+a');
  await type('Shortly, please');
  await press('Enter');
  await chatView.answers
    .last()
    .getByText(/^Answer \d/)
    .waitFor();
  await chatView.untilIdle();
  expect(await focused()).not.toBe('the body');
});

it('reviews a change: rejects one part, applies, undoes, and rejects all of another', async () => {
  const say = words.review;
  const card = chatView.root.locator('.docent-review').last();
  const proposeInNewChat = async (): Promise<void> => {
    await run(words.commandNames['new-chat']);
    await chatView.questions.first().waitFor({ state: 'detached' });
    await expectFocus(composer);
    await type('Propose');
    await press('Enter');
    await card.locator('.mod-cta:enabled').waitFor();
  };
  const before = await workbench.readNote('Crew.md');
  await proposeInNewChat();
  await tabTo('Edited: Crew', 'Shift+Tab');
  await press('j', 'r');
  await card.getByRole('button', { name: say.apply(1, 2) }).waitFor();
  await tabTo(say.apply(1, 2));
  await press('Enter');
  await card.getByRole('button', { name: say.undoOf('Crew') }).waitFor();
  expect(await workbench.readNote('Crew.md')).toBe(before.replace('all the time', 'in the evening'));
  expect(await focused()).not.toBe('the body');
  await tabTo(say.undoOf('Crew'));
  await press('Enter');
  await card.getByRole('button', { name: say.redoOf('Crew') }).waitFor();
  expect(await workbench.readNote('Crew.md')).toBe(before);
  expect(await focused()).not.toBe('the body');

  await proposeInNewChat();
  await tabTo(say.rejectAll, 'Shift+Tab');
  await press('Enter');
  await expectFocus(say.why);
  await press('Escape');
  await until(async () => (await focused()) !== 'the body', 'the focus is next to what was closed');
  await tabTo(say.rejectAll);
  await press('Enter');
  await type('Not now.');
  await press('Enter');
  await card.locator('.docent-review-change.is-rejected').first().waitFor();
  expect(await focused()).not.toBe('the body');
  expect(await workbench.readNote('Crew.md')).toBe(before);
});

it('finds a chat of before and opens it; closing the list leads back', async () => {
  await run(words.commandNames['show-chats']);
  await expectFocus(words.chats.search);
  await type('What of bolt');
  await chatView.root.getByText(words.chats.found(1)).waitFor();
  await press('ArrowDown', 'Enter');
  await chatView.questions.getByText('What of bolt 2?').waitFor();
  expect(await focused()).not.toBe('the body');
  await tabTo(words.commandNames['show-chats'], 'Shift+Tab');
  await press('Enter');
  await expectFocus(words.chats.search);
  await press('Escape');
  await until(async () => (await chatView.root.locator('.docent-chats').count()) === 0, 'the list is closed');
  expect(await focused()).not.toBe('the body');
});

it('changes the mode in the settings, reads a part of the prompt, and is back where it was', async () => {
  const { page } = workbench;
  await tabTo(words.chatView.openSettings, 'Shift+Tab');
  await press('Enter');
  await page.locator('.docent-settings').waitFor();
  await tabTo(words.settings.mode);
  await type(words.settings.modes.planning);
  const stored = () => readStoredJson(workbench, '.obsidian/plugins/docent/data.json');
  await until(async () => (await stored())['mode'] === 'planning', 'the mode is stored');
  await press('Escape');
  await expectFocus(words.chatView.openSettings);
  await tabTo(words.chatView.inspect, 'Shift+Tab');
  await press('Enter');
  const inspector = page.locator('.docent-inspector-modal');
  const part = inspector.locator('.docent-inspector-part').first();
  await part.waitFor();
  await tabTo(/^Mode≈?\d/);
  await press('Enter');
  await part.locator('pre').waitFor();
  await press('Escape');
  await inspector.waitFor({ state: 'detached' });
  await expectFocus(words.chatView.inspect);
});

it('shows the focus on a table and a formula that scroll sideways, and has one stop for each', async () => {
  await run(words.commandNames['new-chat']);
  await expectFocus(composer);
  await type('Show all bolts');
  await press('Enter');
  const answer = chatView.answers.last();
  await answer.locator('.docent-math[role=img]').waitFor();
  await chatView.untilIdle();
  await tabTo(words.chatView.copyAnswer, 'Shift+Tab');
  const passed: string[] = [];
  for (let name = ''; name !== words.branches.delete && passed.length < 9; passed.push(name)) {
    await press('Shift+Tab');
    name = await focused();
  }
  expect(passed.map((name) => name.slice(0, 5))).toEqual(['Bolt0', 'Bolt0', words.branches.delete.slice(0, 5)]);
});
