/** Conversations on disk: what a reload, a cut, damage by hand and a refusing disk leave of them. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { words } from '../../../src/text';
import { chatInView, readFileInView, readLog, readLogInView, readLogs, until } from '../driver/chat-view';
import { chatView, openChat, reloadChat, showChat, workbench } from '../driver/open-chat';
import { readFile } from '../driver/reach';
import { startChat } from '../driver/reach-walk';
import { lastSent, sentRequests, spokenTexts } from '../driver/sent-request';
import { type OpenOptions } from '../driver/workbench';

jest.setTimeout(60_000);

const vault = { 'Now.md': 'The blue boat is on the hard.\n' };

const open = (options: OpenOptions = {}): Promise<void> => openChat({ vault, ...options });

const slow = { text: 'word '.repeat(400), delayMs: 40 };
let answered = 0;
/** A slow answer, then quick ones. */
const slowOnce = () => (answered++ === 0 ? slow : { text: `Quick answer ${answered}.` });

beforeEach(() => {
  answered = 0;
});

describe('in one app, started again and again', () => {
  beforeAll(() => open());
  beforeEach(async () => {
    await startChat({ workbench, chatView });
    workbench.model?.setScript(() => ({ text: 'Understood.' }));
  });
  afterAll(() => workbench.close());

  it('restores the text of an answer that a reload cut off, asks nothing by itself, and answers again on demand', async () => {
    workbench.model?.setScript(slowOnce);
    await chatView.send('Tell me a story');
    await chatView.answers.first().getByText('word word word').waitFor();
    await workbench.page.waitForTimeout(2_500);
    await reloadChat();
    const restored = chatView.answers.first();
    expect((await restored.innerText()).match(/word/g)?.length).toBeGreaterThanOrEqual(30);
    expect(await restored.innerText()).toContain('Interrupted.');
    await workbench.page.waitForTimeout(500);
    expect(sentRequests(workbench.model)).toHaveLength(1);
    await chatView.root.getByRole('button', { name: 'Send again' }).click();
    await chatView.answers.last().getByText('Quick answer 2.').waitFor();
    expect(spokenTexts(lastSent(workbench.model))).toEqual(['Tell me a story']);
    await chatView.untilIdle();
    const kinds = (await readLogInView(workbench)).map(({ k, b }) => (k === 'assistant' ? b['end'] : k));
    const aboutHead: readonly unknown[] = ['prompt-rebuilt', 'chat-began', 'reference-sent'];
    expect(kinds.filter((kind) => !aboutHead.includes(kind))).toEqual(['user', 'turn-zone', 'interrupted', 'complete']);
  });

  it('offers to answer a message that a reload left alone', async () => {
    workbench.model?.setScript(() => (answered++ === 0 ? { hang: 'headers' } : { text: 'Here I am.' }));
    await chatView.send('Anybody?');
    await until(() => sentRequests(workbench.model).length === 1, 'the question is asked');
    await reloadChat();
    await chatView.root.getByText('This message hasn’t been answered.').waitFor();
    expect(sentRequests(workbench.model)).toHaveLength(1);
    await chatView.root.getByRole('button', { name: 'Send again' }).click();
    await chatView.answers.last().getByText('Here I am.').waitFor();
    expect(await chatView.root.getByText('This message hasn’t been answered.').count()).toBe(0);
  });

  it('shows a chat after a reload as it was and goes on from there, and leaves every other file of the vault as it was', async () => {
    workbench.model?.setScript(() => ({ text: `Answer **${++answered}**.` }));
    const note = path.join(workbench.vaultFolder, 'Now.md');
    const noteBefore = await readFile(note);
    await chatView.ask('one');
    await chatView.ask('two');
    const before = await chatView.root.locator('.docent-transcript').innerText();
    await reloadChat();
    await chatView.answers.nth(1).waitFor();
    expect(await chatView.root.locator('.docent-transcript').innerText()).toBe(before);
    await chatView.ask('three');
    const sent = spokenTexts(lastSent(workbench.model));
    expect(sent).toEqual(['one', 'Answer **1**.', 'two', 'Answer **2**.', 'three']);
    expect(await readFile(note)).toEqual(noteBefore);
  });

  it('opens the pane again by itself where it was, once the layout is saved', async () => {
    workbench.model?.setScript(() => ({ text: 'Kept.' }));
    await chatView.ask('one');
    const chat = await chatInView(workbench);
    await until(
      async () => (await workbench.readNote('.obsidian/workspace.json').catch(() => '')).includes(chat),
      'the layout is saved',
    );
    await workbench.reload();
    await workbench.page.locator('.docent-answer').getByText('Kept.').waitFor();
  });

  it('begins a new chat without the old one’s messages, and keeps the old one on disk', async () => {
    const conversations = async (): Promise<Set<string>> => new Set((await readLog(workbench)).map(({ conv }) => conv));
    const { size: before } = await conversations();
    await chatView.ask('the old question');
    await workbench.command('new-chat');
    await chatView.questions.first().waitFor({ state: 'detached' });
    await chatView.root.getByText('Ask your vault').waitFor();
    await chatView.ask('the new question');
    expect(spokenTexts(lastSent(workbench.model))).toEqual(['the new question']);
    expect((await conversations()).size).toBe(before + 2);
    await reloadChat();
    expect(await chatView.questions.allInnerTexts()).toEqual(['the new question']);
  });

  it('shows what is left of a log that was damaged by hand, and how many lines are not', async () => {
    workbench.model?.setScript(() => ({ text: `Answer ${++answered}.` }));
    await chatView.ask('one');
    await chatView.ask('two');
    const [name, text] = await readFileInView(workbench);
    const file = path.join(workbench.vaultFolder, name);
    const lines = text.trimEnd().split('\n');
    const answer = lines.findIndex((line) => line.includes('Answer 1.'));
    expect([answer, lines.findIndex((line) => line.includes('Answer 2.'))]).toEqual([5, lines.length - 1]);
    // The first answer is not JSON any more, and the end of the last one is missing.
    const damaged = lines
      .map((line, index) => (index === answer ? '{"v":1,"id":' : line))
      .join('\n')
      .slice(0, -30);
    await workbench.reload(() => writeFile(file, damaged));
    await showChat();
    await chatView.root.getByText('Couldn’t read 2 lines of this chat.').waitFor();
    expect(await chatView.questions.allInnerTexts()).toEqual(['one', 'two']);
    expect(await chatView.answers.count()).toBe(0);
    await chatView.ask('three');
    const after = await readLogs(workbench);
    expect(after.get(name)).toBe(damaged);
    await reloadChat();
    expect(await chatView.questions.allInnerTexts()).toEqual(['one', 'two', 'three']);
  });

  it('shows an answer that the disk refuses, says so, and brings it back after a reload', async () => {
    workbench.model?.setScript(() => ({ text: 'A long awaited answer.' }));
    workbench.intercept(async ({ path: file, body }) => {
      const isRefused = file.includes('chats') && body.includes('A long awaited answer.');
      return isRefused ? { status: 507, bytes: Buffer.from('{"error":"The disk is full."}') } : null;
    });
    await chatView.ask('Well?');
    expect(await chatView.root.locator('.docent-transcript').innerText()).toContain('A long awaited answer.');
    expect(await chatView.failures.first().innerText()).toContain('Couldn’t save');
    workbench.intercept(null);
    await reloadChat();
    await chatView.answers.getByText('A long awaited answer.').waitFor();
    await until(
      async () => [...(await readLogs(workbench)).values()].join('').includes('A long awaited answer.'),
      'the answer is on disk',
    );
  });
});

describe('in an app of its own', () => {
  afterEach(() => workbench.close());

  it('brings back each chat in its tab and in its window, each with its draft', async () => {
    await open({ scripted: () => ({ text: `Answer ${++answered}.` }), desktop: true });
    const { page } = workbench;
    const ask = async (text: string): Promise<void> => {
      if (text !== 'one') await workbench.command('new-chat');
      await chatView.ask(text);
    };
    for (const text of ['one', 'two', 'three']) await ask(text);
    const viewIn = (of: string, at = page) => at.locator(`${of} .docent-pane`);
    const draft = async (of: string, text: string, at = page): Promise<void> => {
      const box = viewIn(of, at).locator('.docent-composer-input');
      await box.fill(text);
    };
    const openFromList = async (text: string, act: string) => {
      await viewIn('.mod-right-split').getByRole('button', { name: words.commandNames['show-chats'] }).click();
      await viewIn('.mod-right-split')
        .getByRole('button', { name: words.chats.more(text) })
        .click();
      await page.locator('.menu-item', { hasText: act }).click();
      await page.locator('.menu').waitFor({ state: 'detached' });
      await viewIn('.mod-right-split').getByRole('button', { name: words.chats.close }).click();
    };
    await openFromList('one', words.chats.openTab);
    await viewIn('.mod-root').getByText('Answer 1.').waitFor();
    const opening = page.context().waitForEvent('page');
    await openFromList('two', words.chats.openWindow);
    const popup = await opening;
    await viewIn('body', popup).getByText('Answer 2.').waitFor();
    await draft('.mod-root', 'draft of one');
    await draft('body', 'draft of two', popup);
    await draft('.mod-right-split', 'draft of three');
    await until(async () => {
      const layout = await workbench.readNote('.obsidian/workspace.json').catch(() => '');
      return layout.split('"docent-chat"').length > 3;
    }, 'the layout is saved');
    await popup.close();
    await workbench.reload();
    const box = (of: string) => viewIn(of).locator('.docent-composer-input');
    const holds = (of: string, text: string): Promise<void> =>
      until(async () => (await box(of).inputValue()) === text, `“${text}” is back`);
    await viewIn('.mod-root').getByText('Answer 1.').waitFor();
    await holds('.mod-root', 'draft of one');
    await viewIn('.mod-right-split').getByText('Answer 3.').waitFor();
    await holds('.mod-right-split', 'draft of three');
    // What was typed in the window that was closed is where its chat is opened again.
    await viewIn('.mod-right-split').getByRole('button', { name: words.commandNames['show-chats'] }).click();
    await viewIn('.mod-right-split').locator('.docent-chats-open', { hasText: 'two' }).click();
    await viewIn('.mod-right-split').getByText('Answer 2.').waitFor();
    await holds('.mod-right-split', 'draft of two');
    await box('.mod-right-split').press('Enter');
    await viewIn('.mod-right-split').getByText('Answer 4.').waitFor();
    expect(spokenTexts(lastSent(workbench.model))).toEqual(['two', 'Answer 2.', 'draft of two']);
  });

  it('keeps the text in the box when the disk refuses the message, sends nothing, and sends it once the disk is well', async () => {
    await open({ scripted: () => ({ text: 'Understood.' }) });
    const chats = path.join(workbench.vaultFolder, 'Docent/chats');
    await mkdir(path.dirname(chats), { recursive: true });
    await writeFile(chats, 'a file where the folder should be');
    await chatView.input.fill('an important thought');
    await chatView.input.press('Enter');
    await chatView.failures.getByText('Couldn’t save this chat. Your text is still here.').waitFor();
    expect(await chatView.input.inputValue()).toBe('an important thought');
    expect(sentRequests(workbench.model)).toEqual([]);
    expect(await chatView.questions.count()).toBe(0);
    await rm(chats);
    await chatView.input.press('Enter');
    await chatView.answers.getByText('Understood.').waitFor();
    expect(await chatView.failures.count()).toBe(0);
    expect(await chatView.input.inputValue()).toBe('');
  });

  it('keeps the text in the box when the vault is open for reading only', async () => {
    await open({ scripted: () => ({ text: 'never' }), readOnly: true });
    await chatView.input.fill('an important thought');
    await chatView.input.press('Enter');
    await chatView.failures.getByText('Couldn’t save').waitFor();
    expect(await chatView.input.inputValue()).toBe('an important thought');
    expect(sentRequests(workbench.model)).toEqual([]);
  });
});
