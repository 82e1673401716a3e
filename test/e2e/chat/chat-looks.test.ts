/**
 * What is done with chats, by real keys on a desktop, in a narrow view and on a phone, in both themes: each act as shown, as
 * sent, and as it is on disk.
 */
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { encodeEntry } from '../../../src/core/session/log-format';
import type { EntryBody } from '../../../src/core/session/entry';
import { words } from '../../../src/text';
import { digest } from '../../support/memory-ports';
import { readRequest, type ModelRequest, type ScriptStep } from '../../support/model-server';
import { chatInView, chooseInMenu, placeOfLast, readLog, readLogs, until, type LogRecord } from '../driver/chat-view';
import { measureContrast, measureOverflow } from '../driver/measure-look';
import { chatView, openLook, showChat, workbench } from '../driver/open-chat';
import { readdir } from '../driver/reach';
import { allText, lastSent, sentRequests, spokenTexts } from '../driver/sent-request';
import { closeQuiet, showTheme } from '../driver/workbench';
import { treeOf } from '../driver/writing-walk';

jest.setTimeout(120_000);

interface Look {
  /** Of the view of the chat, in pixels; 0 where the device decides. */
  readonly width: number;
  readonly isPhone: boolean;
}

/** The looks, each with a word that only its chats have. */
const walks: readonly (readonly [name: string, word: string, look: Look])[] = [
  ['desktop', 'anchor', { width: 480, isPhone: false }],
  ['300 px', 'capstan', { width: 300, isPhone: false }],
  ['phone', 'fairlead', { width: 0, isPhone: true }],
];
const themes = ['light', 'dark'] as const;

const yesterday = Date.now() - 86_400_000;
const oldChat = (word: string): string => `yesterday-${word}`;
const oldFile = (word: string): string => `Docent/chats/${oldChat(word)}/dev-old.jsonl`;
const oldTitle = (word: string): string => `Where is the ${word}?`;

/** The log of a chat of yesterday, whose answer has the word in the plural far below. */
function oldLog(word: string): string {
  const lines = Array.from({ length: 40 }, (_, at) => `Page ${at}${at === 30 ? `, spare ${word}s` : ''}.`);
  const bodies: EntryBody[] = [
    { kind: 'user', text: oldTitle(word), mentions: [] },
    {
      ...{ kind: 'assistant', end: 'complete', model: 'openai/scripted', usage: { inputTokens: 40, outputTokens: 8 } },
      parts: [{ type: 'text', text: `It is stowed forward.\n\n${lines.join('\n\n')}` }],
    },
  ];
  const place = { conversation: oldChat(word), writer: 'dev', session: 'old', time: yesterday };
  return bodies
    .map((body, at) => encodeEntry({ ...body, ...place, id: `${oldChat(word)}-${at}`, lamport: at + 1 }, digest))
    .join('');
}

const logNote = (word: string): string => `Log ${word}.md`;
const vault = Object.fromEntries([
  ['Now.md', 'The blue boat is on the hard.\n'],
  ...walks.flatMap(([, word]) => [
    [logNote(word), 'Day one: .\n'],
    [oldFile(word), oldLog(word)],
  ]),
]);

const goalOf = (word: string): string => `Polish the ${word}`;

/** The first message of the chat of a look once it is edited, and how a note of this title is called. */
const edited = (word: string): string => `${word} one, better?`;
const noteOf = (word: string): string => `${word} one, better`;

/** The answer to a message; an edited one brings in a goal. */
function answerTo(said: string): string {
  const goal = said.endsWith('better?') ? `\n\n[GOAL] ${goalOf(said.split(' ')[0] ?? '')}` : '';
  return `It is **about** “${said}”, see [[Now]].${goal}`;
}

/** Answers by the last message; the answer to a long one never ends. */
function script(request: ModelRequest): ScriptStep {
  const said = spokenTexts(readRequest(request)).at(-1) ?? '';
  if (!said.includes('long')) return { text: answerTo(said) };
  return { text: 'Never said in full. '.repeat(200), hang: true, cutAfterBytes: 2_000 };
}

const say = words.chats;
const notes = words.chatNotes;
const pageOf = () => workbench.page;
const keys = () => workbench.page.keyboard;
const rows = (): Locator => chatView.root.locator('.docent-chats-row');
const row = (title: string): Locator => rows().filter({ hasText: title });
const button = (name: string, within = chatView.root): Locator => within.getByRole('button', { name, exact: true });
const search = (): Locator => chatView.root.getByRole('searchbox', { name: say.search });
const notice = (text: string): Locator => pageOf().locator('.notice', { hasText: text }).last();
const waiting = (): Locator => chatView.root.locator('.docent-queued-text');
const sent = (): string[] => spokenTexts(lastSent(workbench.model));
/** A phone shows it in the header of the view alone. */
const title = (): Promise<string | null> => chatView.root.locator('.docent-toolbar-title').textContent();
const texts = (): Promise<string[]> => chatView.root.locator('.docent-user-text').allInnerTexts();
const untilTexts = (...wanted: string[]): Promise<void> =>
  until(async () => (await texts()).join('\n') === wanted.join('\n'), `the messages ${wanted.join(', ')}`);

type Stored = LogRecord & { readonly id: string; readonly br?: string };
const storedOf = async (chat: string, ...kinds: string[]): Promise<Stored[]> =>
  ((await readLog(workbench)) as Stored[]).filter(({ conv, k }) => conv === chat && kinds.includes(k));

/** The notes in the folder of chats, by name. */
const mirrored = async (): Promise<string[]> =>
  (await readdir(path.join(workbench.vaultFolder, 'Docent/chats'))).filter((name) => name.endsWith('.md'));

/** Goes to a control that the keyboard reaches, and presses Enter. */
async function press(control: Locator): Promise<void> {
  await control.focus();
  const isReached = await control.evaluate(
    (element: HTMLElement) => element.tabIndex >= 0 && element.matches(':focus') && element.checkVisibility(),
  );
  expect(isReached).toBe(true);
  await keys().press('Enter');
}

/** Chooses an item of the menu that is about to open. */
async function pickShown(label: string): Promise<void> {
  const item = pageOf().locator('.menu-item', { hasText: label }).first();
  await item.waitFor();
  expect(await measureOverflow(pageOf())).toEqual([]);
  await chooseInMenu(pageOf(), label);
  await item.waitFor({ state: 'detached' });
}

async function pick(opener: Locator, label: string): Promise<void> {
  await press(opener);
  await pickShown(label);
}

const openers = new RegExp(
  `^(${[words.chatView.messageActions, words.chatView.answerActions, words.chatView.moreActions].join('|')})$`,
);

/** Does something with a message: by its button, or by the menu of what the row has no room for. */
async function act(message: Locator, label: string): Promise<void> {
  const actions = message.locator('.docent-message-actions');
  await actions.waitFor();
  const direct = button(label, actions);
  if ((await direct.count()) > 0) await press(direct);
  else await pick(actions.getByRole('button', { name: openers }), label);
}

/** Types into the box, sends it, and waits until it is shown. */
async function send(text: string): Promise<void> {
  const before = await placeOfLast(chatView.questions);
  await chatView.input.focus();
  await keys().type(text);
  await keys().press('Enter');
  await until(async () => (await placeOfLast(chatView.questions)) > before, `“${text}” is shown`);
}

async function ask(text: string): Promise<void> {
  await send(text);
  await chatView.untilIdle();
}

/** Makes the sidebar with the chat so wide; a phone has a drawer instead, of its own width. */
async function setWidth(width: number): Promise<void> {
  await pageOf().evaluate((wanted) => {
    const { rightSplit } = window.app.workspace as unknown as { rightSplit: { setWidth?(width: number): void } };
    // Its border takes one pixel.
    rightSplit.setWidth?.(wanted + 1);
  }, width);
  if (width > 0) expect((await chatView.root.boundingBox())?.width).toBe(width);
}

/** Expects in both themes that nothing of what is shown extends beyond the chat view or the window. */
async function fits(): Promise<void> {
  for (const theme of themes) {
    await showTheme(workbench, theme);
    await fitsAsShown();
  }
}

async function fitsAsShown(): Promise<void> {
  const outside = await chatView.root.evaluate((view) => {
    const { left, right } = view.getBoundingClientRect();
    const parts = view.querySelectorAll('button, input, textarea, [class*="docent-chats-"], .docent-user');
    return [...parts].flatMap((part) => {
      const box = part.getBoundingClientRect();
      const isOutside = box.width > 0 && (box.left < left - 1 || box.right > right + 1);
      return isOutside ? [`${part.className} ${box.left} to ${box.right}`] : [];
    });
  });
  expect([...outside, ...(await measureOverflow(pageOf()))]).toEqual([]);
}

async function showList(): Promise<void> {
  await press(button(words.commandNames['show-chats']));
  await search().waitFor();
}

/** Opens the note of this look, with the cursor before the end of its line. */
async function openNote(word: string): Promise<void> {
  await pageOf().evaluate(async (name) => {
    const { workspace, vault: files } = window.app;
    const leaf = workspace.getLeavesOfType('markdown')[0] ?? workspace.getLeaf('tab');
    await leaf.openFile(files.getFileByPath(name)!, { active: false });
    const { editor } = leaf.view as unknown as { editor: { setCursor(place: { line: number; ch: number }): void } };
    editor.setCursor({ line: 0, ch: 9 });
  }, logNote(word));
}

/** Begins a chat, edits its first message, and switches between the versions; gives the id of the chat. */
async function editAndSwitch(word: string): Promise<string> {
  const [one, better] = [`${word} one`, edited(word)];
  await press(button(words.chatView.newChat));
  await ask(one);
  // The list knows the chat by its first message, which is another one soon.
  await showList();
  await row(one).waitFor();
  await press(button(say.close));
  await ask('two');
  const chat = await chatInView(workbench);
  await act(chatView.questions.nth(0), words.branches.edit);
  await chatView.root.locator('.docent-editor-input:focus').waitFor();
  await keys().type(', better?');
  await keys().press('Enter');
  const goal = chatView.root.locator('.docent-goal-line', { hasText: goalOf(word) });
  await goal.waitFor();
  await chatView.untilIdle();
  expect([await texts(), sent()]).toEqual([[better], [better]]);
  expect(await title()).toBe(better);
  await fits();

  await press(button(words.branches.earlier.question));
  await untilTexts(one, 'two');
  expect(await title()).toBe(one);
  await goal.waitFor({ state: 'detached' });
  await ask('three');
  expect(sent()).toEqual([one, answerTo(one), 'two', answerTo('two'), 'three']);
  expect(allText(lastSent(workbench.model))).not.toContain(goalOf(word));
  await press(button(words.branches.later.question));
  await untilTexts(better);
  await goal.waitFor();
  await ask('four');
  expect(sent()).toEqual([better, answerTo(better), 'four']);
  expect(lastSent(workbench.model).system).toContain(goalOf(word));

  const [first, ...others] = await storedOf(chat, 'user');
  const editedId = others[1]?.id;
  expect([first, ...others].map((each) => [each?.b['text'], each?.b['instead'], each?.br])).toEqual([
    [one, undefined, undefined],
    ['two', undefined, undefined],
    [better, first?.id, undefined],
    ['three', undefined, undefined],
    ['four', undefined, editedId],
  ]);
  expect((await storedOf(chat, 'branch-chosen')).map(({ b }) => b['chosen'])).toEqual(['', editedId]);
  const goals = await storedOf(chat, 'goal');
  expect(goals.map(({ b, br }) => [(b['event'] as { description?: string }).description, br])).toEqual([
    [goalOf(word), editedId],
  ]);
  return chat;
}

/** Has the first answer written again by another model. */
async function answerAgain(word: string, chat: string): Promise<void> {
  await act(chatView.answers.nth(0), words.branches.again);
  await pickShown('With Anthropic: scripted');
  await chatView.root.locator('.docent-answer .docent-versions', { hasText: '2/2' }).waitFor();
  await chatView.untilIdle();
  const { dialect } = workbench.model?.requests.at(-1) ?? {};
  expect([dialect, sent()]).toEqual(['anthropic', [edited(word)]]);
  const models = (await storedOf(chat, 'assistant')).map(({ b }) => b['model']);
  expect(models.indexOf('anthropic/scripted')).toBe(models.length - 1);
}

/** Puts the answer in view into notes in each way and exports the chat, and takes each back. */
async function putIntoNotes(word: string): Promise<void> {
  const title = edited(word);
  const answer = answerTo(title);
  const before = await treeOf(workbench);
  const isWritten = async (done: string, note: string, text: string, front = /^$/): Promise<void> => {
    await notice(done).waitFor();
    const stored = await workbench.readNote(note);
    expect(stored.slice(-text.length)).toBe(text);
    expect(stored.slice(0, -text.length)).toMatch(front);
    await press(button(notes.undo, notice(done)));
    await until(async () => JSON.stringify(await treeOf(workbench)) === JSON.stringify(before), `undone: ${done}`);
    await notice(done).waitFor({ state: 'detached' });
  };
  const log = logNote(word);
  await act(chatView.answers.last(), notes.insert);
  await isWritten(notes.inserted(log), log, `Day one: ${answer}.\n`);
  await act(chatView.answers.last(), notes.append);
  await isWritten(notes.appended(log), log, `Day one: .\n\n${answer}\n`);
  const made = `${noteOf(word)}.md`;
  await act(chatView.answers.last(), notes.create);
  await isWritten(notes.created(made), made, `${answer}\n`);

  const exported = `## Message 1\n\n${title}\n\n## Answer 1 (scripted)\n\n${answer}\n`;
  const front = new RegExp(`^---\\ntitle: "${noteOf(word)}\\?"\\ncreated: 20\\d\\d-[^]*\\n---\\n\\n$`);
  await workbench.command('export-chat');
  await isWritten(notes.exported(made), made, exported, front);
  await showList();
  await pick(button(say.more(title)), notes.export);
  await isWritten(notes.exported(made), made, exported, front);
  await press(button(say.close));
}

/** Forks the chat at its first answer, and goes on in the fork, whose id it gives. */
async function fork(word: string, chat: string): Promise<string> {
  const better = edited(word);
  await untilTexts(better);
  await act(chatView.answers.nth(0), words.branches.fork);
  await until(async () => (await chatInView(workbench)) !== chat, 'the fork is in view');
  await untilTexts(better);
  await ask('on');
  expect(sent()).toEqual([better, answerTo(better), 'on']);
  const forked = await chatInView(workbench);
  const message = (await storedOf(chat, 'user')).find(({ b }) => b['text'] === better)?.id;
  expect((await storedOf(forked, 'forked')).map(({ b }) => b)).toEqual([{ chat, message }]);
  return forked;
}

/** Lets three messages wait for an answer without an end, edits one, and sends it at once. */
async function queue(forked: string): Promise<void> {
  await send('a long one');
  await chatView.untilRunning();
  for (const text of ['first', 'third', 'second']) {
    await chatView.input.focus();
    await keys().type(text);
    await keys().press('Enter');
    await waiting().filter({ hasText: text }).waitFor();
  }
  await fits();
  await waiting().nth(2).focus();
  await keys().press('Alt+ArrowUp');
  await until(async () => (await waiting().allInnerTexts()).join() === 'first,second,third', 'it moved up');
  await waiting().nth(2).focus();
  await keys().press('Enter');
  await until(async () => (await chatView.input.inputValue()) === 'third', 'the text is in the box');
  await chatView.root.locator('.docent-composer-input:focus').waitFor();
  await keys().type(', edited');
  await keys().press('Enter');
  await until(async () => (await waiting().allInnerTexts()).join() === 'first,second,third, edited', 'it is edited');
  await press(button(words.chatView.queuedNow).last());
  await waiting().first().waitFor({ state: 'detached' });
  await chatView.untilIdle();
  const users = (await storedOf(forked, 'user')).map(({ b }) => b['text']);
  expect(users.slice(-4)).toEqual(['a long one', 'third, edited', 'first', 'second']);
  const ends = (await storedOf(forked, 'assistant')).map(({ b }) => b['end']);
  expect(ends.slice(-4)).toEqual(['stopped', 'complete', 'complete', 'complete']);
  const asked = sentRequests(workbench.model).map((request) => spokenTexts(request).at(-1));
  expect(asked.slice(-3)).toEqual(['third, edited', 'first', 'second']);
}

/** Opens the chat in a tab next to its fork in the sidebar, and both again after a restart. */
async function restoreTabs(word: string, chat: string, forked: string, isPhone: boolean): Promise<void> {
  const title = edited(word);
  const note = new RegExp(`\\nchat: "${forked}"\\n[^]*\\n## Message 6\\n\\nsecond\\n\\n## Answer 6 `);
  const written = (): Promise<string> => workbench.readNote(`Docent/chats/${noteOf(word)} 2.md`).catch(() => '');
  await until(async () => note.test(await written()), 'the fork has a note next to that of the chat');
  expect(await mirrored()).toContain(`${noteOf(word)}.md`);
  await showList();
  await row(words.branches.forkOf(title)).waitFor();
  await pick(button(say.more(title)).first(), say.openTab);
  const tab = pageOf().locator('.mod-root .docent-pane');
  const shownInTab = (): Promise<string[]> => tab.locator('.docent-user-text').allInnerTexts();
  await until(async () => (await shownInTab()).join() === title, 'the chat is in a tab');
  const layout = `.obsidian/${isPhone ? 'workspace-mobile' : 'workspace'}.json`;
  await until(async () => {
    // A save that waits its two seconds is made now.
    await pageOf().evaluate(() => void window.app.workspace.requestSaveLayout.run());
    const text = await workbench.readNote(layout).catch(() => '');
    return [chat, forked].every((id) => text.includes(`"chat": "${id}"`));
  }, 'the layout is saved');
  const stored = await readLogs(workbench);
  await workbench.reload();
  await until(async () => (await shownInTab()).join() === title, 'the tab is restored');
  await pageOf().evaluate(() => {
    const { workspace } = window.app;
    const [opened] = workspace.getLeavesOfType('docent-chat').filter((leaf) => leaf.getRoot() === workspace.rootSplit);
    opened?.detach();
  });
  await showChat();
  await untilTexts(title, 'on', 'a long one', 'third, edited', 'first', 'second');
  expect(await chatInView(workbench)).toBe(forked);
  expect(await readLogs(workbench)).toEqual(stored);
}

/** Whether what was searched for is marked, and in view. */
const isPassageInView = (found: string): Promise<boolean> =>
  pageOf().evaluate((wanted) => {
    const [range] = [...(CSS.highlights.get('docent-find-current') ?? [])] as Range[];
    const view = document.querySelector('.docent-transcript')?.getBoundingClientRect();
    const passage = range?.getBoundingClientRect();
    if (range?.toString() !== wanted || view === undefined || passage === undefined) return false;
    return passage.top >= view.top && passage.bottom <= view.bottom;
  }, found);

/** Finds the chat of yesterday by a word, and opens it where the word is. */
async function findYesterday(word: string, isPhone: boolean): Promise<void> {
  const before = await workbench.readNote(oldFile(word));
  await showList();
  // On a phone, the keyboard that comes with the focus would cover the list.
  if (isPhone) await search().focus();
  await chatView.root.locator('.docent-chats-search:focus').waitFor();
  await keys().type(`${word}s`);
  const found = row(oldTitle(word));
  await found.locator('mark', { hasText: `${word}s` }).waitFor();
  expect(await rows().count()).toBe(1);
  expect(await found.innerText()).toContain(say.day(yesterday, Date.now()));
  await fits();
  await keys().press('ArrowDown');
  await found.locator('.docent-chats-open:focus').waitFor();
  await keys().press('Enter');
  await chatView.answers.first().getByText('It is stowed forward.').waitFor();
  expect(await texts()).toEqual([oldTitle(word)]);
  await until(() => isPassageInView(`${word}s`), 'the passage is marked in view');
  expect(await chatInView(workbench)).toBe(oldChat(word));
  expect(await workbench.readNote(oldFile(word))).toBe(before);
}

/** Names the chat of yesterday, puts it first, deletes it and takes that back; then deletes its files. */
async function nameAndDelete(word: string): Promise<void> {
  await showList();
  await search().focus();
  await keys().press('ControlOrMeta+a');
  await keys().press('Delete');
  await row(oldTitle(word)).locator('.docent-chats-open').focus();
  await keys().press('F2');
  await chatView.root.locator('.docent-chats-rename:focus').waitFor();
  const title = `Stowage of the ${word}`;
  await keys().type(title);
  await keys().press('Enter');
  await pick(button(say.more(title)), say.pin);
  await row(title).locator('.docent-chats-pin').waitFor();
  expect(await rows().first().innerText()).toContain(title);
  await fits();
  for (const theme of themes) {
    await showTheme(workbench, theme);
    const { ratio } = await measureContrast(pageOf(), '.docent-chats-title, .docent-chats-facts');
    expect(ratio).toBeGreaterThanOrEqual(4.5);
  }

  const count = await rows().count();
  await row(title).locator('.docent-chats-open').focus();
  await keys().press('Delete');
  await chatView.root.getByText(say.deleted(title)).waitFor();
  await row(title).waitFor({ state: 'detached' });
  expect(await rows().count()).toBe(count - 1);
  await fits();
  await press(button(say.undo));
  await row(title).waitFor();
  await until(async () => (await mirrored()).includes(`${title}.md`), 'the note follows the title');
  await pick(button(say.more(title)), say.delete);
  await row(title).waitFor({ state: 'detached' });
  const marks = (await storedOf(oldChat(word), 'title', 'chat-list')).map(({ b }) => b);
  expect(marks).toEqual([{ title }, { pinned: true }, { deleted: true }, { deleted: false }, { deleted: true }]);
  await press(button(say.deletedChats(1)));
  await pick(button(say.more(title)), say.trash);
  await press(button(say.trash, pageOf().locator('.modal')));
  await rows().first().waitFor({ state: 'detached' });
  expect([...(await readLogs(workbench)).keys()].filter((file) => file.includes(oldChat(word)))).toEqual([]);
  await press(button(say.all));
  await press(button(say.close));
}

it.each(walks)('does by keys all that can be done with chats (%s, both themes)', async (_, word, look) => {
  const { width, isPhone } = look;
  const settings = { mirrorChats: true };
  await openLook(isPhone ? { phone: true } : { theme: 'dark' }, { vault, scripted: script, settings });
  await setWidth(width);
  await openNote(word);
  await showTheme(workbench, 'light');
  const chat = await editAndSwitch(word);
  await answerAgain(word, chat);
  await showTheme(workbench, 'light');
  await putIntoNotes(word);
  const forked = await fork(word, chat);
  await showTheme(workbench, 'dark');
  await queue(forked);
  await restoreTabs(word, chat, forked, isPhone);
  await setWidth(width);
  await findYesterday(word, isPhone);
  await nameAndDelete(word);
});

afterAll(() => closeQuiet(workbench));
