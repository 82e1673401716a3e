/** @jest-environment jsdom */
/** The whole plugin in the emulated app: what commands, menus and windows show, and what is on the disk afterwards. */
import { Menu, type PluginManifest } from 'obsidian';
import { closeTestApps, createTestApp, MemoryAdapter, type TestApp } from 'obsidian-workbench/jest';
import { letIn, letInKey } from '../support/model-server/let-in';
import manifest from '../../manifest.json';
import DocentPlugin from '../../src/main';
import { words } from '../../src/text';
import type { ChatView } from '../../src/ui/chat/chat-view';
import { NoteMarks } from '../../src/ui/note-marks';
import { eventually } from './eventually';

// What the build packs; these tests count with a tokenizer of their own.
jest.mock('docent:count-worker', () => '', { virtual: true });
jest.mock('docent:packed-ranks', () => '', { virtual: true });
jest.mock('../../src/tokens/open', () => {
  const { roughTokenizer } = jest.requireActual<typeof import('../support/memory-ports')>('../support/memory-ports');
  const count = () => Promise.resolve(null);
  const mentions = { known: () => null, count, countText: count, forget: () => undefined };
  return {
    openTokens: () => ({
      tokenizer: roughTokenizer,
      factors: { of: () => 1, learn: () => undefined },
      mentionsOf: () => mentions,
      close: () => undefined,
    }),
  };
});

let app: TestApp;

const dataPath = '.obsidian/plugins/docent/data.json';

async function start(notes: Record<string, string>, settings: object = {}): Promise<void> {
  const files = { ...notes, [dataPath]: JSON.stringify({ version: 1, ...settings }) };
  app = await createTestApp({ files, plugins: [{ manifest: manifest as PluginManifest, main: DocentPlugin }] });
  app.saveLocalStorage(letInKey, letIn(notes) ?? '{}');
}

afterEach(closeTestApps);

const run = (id: string): boolean => app.commands.executeCommandById(`docent:${id}`);
const offers = (id: string): boolean => app.commands.listCommands().some((command) => command.id === `docent:${id}`);
const one = (selector: string): HTMLElement | null => document.querySelector<HTMLElement>(selector);
const notices = (): string[] =>
  [...document.querySelectorAll('.notice-message')].map(({ textContent }) => textContent ?? '');
const read = (path: string): Promise<string> => app.vault.adapter.read(path);
const paths = (): string[] => app.vault.getFiles().map(({ path }) => path);
const title = (): string | undefined => [...document.querySelectorAll('.modal-title')].at(-1)?.textContent ?? undefined;

const untilNotice = (text: string): Promise<void> =>
  eventually(() => notices().includes(text), `the notice “${text}” among ${JSON.stringify(notices())}`);

function click(name: string, within = 'body'): void {
  const buttons = [...document.querySelectorAll<HTMLElement>(`${within} button`)];
  const found = buttons.find((button) => button.textContent === name || button.ariaLabel === name);
  if (found === undefined) throw new Error(`No button ${name} among ${buttons.map((each) => each.textContent).join()}`);
  found.click();
}

async function openChatView(): Promise<HTMLTextAreaElement> {
  run('open-chat');
  await eventually(() => one('.docent-welcome, .docent-transcript') !== null, 'the pane with a chat');
  return one('.docent-composer-input') as HTMLTextAreaElement;
}

async function openNote(path: string, selected = ''): Promise<void> {
  await app.workspace.openLinkText(path, '', false);
  await eventually(() => app.workspace.getActiveFile()?.path === path, `${path} in front`);
  const editor = app.workspace.activeEditor?.editor;
  const at = editor?.getValue().indexOf(selected) ?? -1;
  if (selected !== '') editor?.setSelection(editor.offsetToPos(at), editor.offsetToPos(at + selected.length));
}

/** The icon that is drawn in an element. */
const iconIn = (element: Element): string =>
  [...(element.querySelector('svg')?.classList ?? [])].find((name) => name.startsWith('lucide-')) ?? '';

interface OwnItems {
  readonly titles: string[];
  readonly icons: string[];
  choose(title: string): void;
}

/** What is ours in a menu of the app. */
function menuOf(event: string, ...given: unknown[]): OwnItems {
  const menu = new Menu();
  app.workspace.trigger(event, menu, ...given);
  menu.showAtPosition({ x: 0, y: 0 });
  const items = [...document.querySelectorAll<HTMLElement>('.menu-item')];
  const titleOf = (item: HTMLElement): string => item.querySelector('.menu-item-title')?.textContent ?? '';
  const known: readonly string[] = [
    ...[
      words.commandNames['ask-about-selection'],
      words.commandNames['rewrite-selection'],
      words.prompts.addToChat,
      words.commandNames['keep-note'],
      words.commandNames['release-note'],
    ],
  ];
  const ours = items.filter((item) => known.includes(titleOf(item)));
  const titles = ours.map(titleOf);
  return {
    titles,
    icons: ours.map(iconIn),
    choose: (wanted) => {
      const item = items.find((each) => titleOf(each) === wanted);
      if (item === undefined) throw new Error(`No ${wanted} among ${titles.join()}`);
      item.click();
    },
  };
}
const close = (menu: { titles: string[] }): string[] => {
  document.querySelectorAll('.menu').forEach((each) => each.remove());
  return menu.titles;
};
const fileAt = (path: string) => app.vault.getAbstractFileByPath(path);

describe('notes that are kept from the agent', () => {
  const say = words.keeping;

  it('marks the note in front by a property, says what that means, and takes it back', async () => {
    await start({ 'Now.md': '---\ncolour: blue\n---\nText.\n', 'a.png': 'x' });
    expect([offers('keep-note'), offers('release-note')]).toEqual([false, false]);
    await openNote('Now.md');
    expect([offers('keep-note'), offers('release-note')]).toEqual([true, false]);
    run('keep-note');
    await untilNotice(say.nowHidden('Now'));
    expect(await read('Now.md')).toBe('---\ncolour: blue\ndocent: false\n---\nText.\n');
    await eventually(() => offers('release-note'), 'the way back');
    expect(offers('keep-note')).toBe(false);
    run('release-note');
    await untilNotice(say.released('Now'));
    expect(await read('Now.md')).toBe('---\ncolour: blue\n---\nText.\n');
    await openNote('a.png');
    expect([offers('keep-note'), offers('release-note'), offers('take-note')]).toEqual([false, false, false]);
    expect(offers('distrust-note')).toBe(false);
  });

  it('does the same from the menu of a file, and of notes alone', async () => {
    await start({ 'Now.md': 'Text.\n', 'a.png': 'x', 'In/B.md': 'b' });
    await eventually(() => close(menuOf('file-menu', fileAt('Now.md'), 'file-explorer')).length === 2, 'the menu');
    const menu = menuOf('file-menu', fileAt('Now.md'), 'file-explorer');
    expect(menu.icons).toEqual(['lucide-message-circle-plus', 'lucide-eye-off']);
    menu.choose(words.commandNames['keep-note']);
    await untilNotice(say.nowHidden('Now'));
    expect(await read('Now.md')).toBe('---\ndocent: false\n---\nText.\n');
    await eventually(
      () => close(menuOf('file-menu', fileAt('Now.md'), 'file-explorer')).includes(words.commandNames['release-note']),
      'the way back',
    );
    const back = menuOf('file-menu', fileAt('Now.md'), 'file-explorer');
    expect(back.icons).toEqual(['lucide-message-circle-plus', 'lucide-eye']);
    back.choose(words.commandNames['release-note']);
    await untilNotice(say.released('Now'));
    expect(close(menuOf('file-menu', fileAt('a.png'), 'file-explorer'))).toEqual([]);
    expect(close(menuOf('file-menu', fileAt('In'), 'file-explorer'))).toEqual([words.prompts.addToChat]);
    expect(close(menuOf('file-menu', app.vault.getRoot(), 'file-explorer'))).toEqual([]);
  });

  it('says why when the properties cannot be changed', async () => {
    await start({ 'Now.md': 'Text.\n' });
    await openNote('Now.md');
    jest.spyOn(app.fileManager, 'processFrontMatter').mockRejectedValue(new Error('Torn.'));
    run('keep-note');
    await untilNotice(say.notMarked('Now', 'Torn.'));
    expect(notices()).toHaveLength(1);
  });

  it('lets the user take a note as their own that a chat wrote with others’ text in view', async () => {
    app = await createTestApp({ files: { 'In/Now.md': 'Text.' } });
    const trusted: string[] = [];
    const untrustedNotes = {
      ...{ say: () => undefined, saidOf: () => null },
      has: (path: string) => path === 'In/Now.md',
      keep: (path: string) => void trusted.push(path),
    };
    const said: unknown[] = [];
    const marks = new NoteMarks(app, { ...untrustedNotes, say: (...given) => void said.push(given) });
    marks.distrust();
    expect([said, notices()]).toEqual([[], []]);
    const ofNone = new NoteMarks(app, { ...untrustedNotes, has: () => false });
    expect(marks.isUntrusted()).toBe(false);
    marks.trust();
    expect([trusted, notices()]).toEqual([[], []]);
    await openNote('In/Now.md');
    expect([marks.isUntrusted(), ofNone.isUntrusted()]).toEqual([true, false]);
    marks.trust();
    expect([trusted, notices()]).toEqual([['In/Now.md'], [say.owned('Now')]]);
    marks.distrust();
    expect([said, notices().slice(1)]).toEqual([[['In/Now.md', 'others']], [say.nowUntrusted('Now')]]);
  });
});

describe('the menus', () => {
  it('trust a note or a folder, or treat it as untrusted, whichever it does not count as', async () => {
    await start({
      'Own.md': 'Text.\n',
      'Web.md': '---\nlink: https://x.org\n---\n',
      'Clippings/A.md': 'a',
      'In/B.md': 'b',
      'In/c.png': 'x',
    });
    const { ownFolder, othersFolder, nowUntrusted, owned } = words.keeping;
    const { 'take-note': own, 'distrust-note': others } = words.commandNames;
    const offered = (path: string): string[] => {
      const menu = menuOf('file-menu', fileAt(path), 'file-explorer');
      const titles = [...document.querySelectorAll('.menu-item-title')].map(({ textContent }) => textContent);
      close(menu);
      return [own, others, ownFolder, othersFolder].filter((title) => titles.includes(title));
    };
    await eventually(() => offered('Web.md').join() === own, 'the properties of the note');
    expect(['Own.md', 'Clippings/A.md', 'In', 'In/c.png'].map(offered)).toEqual([
      ...[[others], [own], [ownFolder, othersFolder]],
      [],
    ]);
    menuOf('file-menu', fileAt('Own.md'), 'file-explorer').choose(others);
    menuOf('file-menu', fileAt('Web.md'), 'file-explorer').choose(own);
    menuOf('file-menu', fileAt('Clippings'), 'file-explorer').choose(ownFolder);
    await untilNotice(nowUntrusted('Own'));
    await untilNotice(owned('Clippings'));
    const settled = [own, others, others].join();
    await eventually(() => ['Own.md', 'Web.md', 'Clippings/A.md'].flatMap(offered).join() === settled, 'the choices');
    expect(offered('Clippings')).toEqual([othersFolder]);
  });

  it('attach notes and folders to the draft, behind what is written there', async () => {
    await start({ 'Now.md': 'Text.\n', 'In/B.md': 'b', 'a.png': 'x' });
    const box = await openChatView();
    menuOf('file-menu', fileAt('Now.md'), 'file-explorer').choose(words.prompts.addToChat);
    await eventually(() => box.value === '[[Now]] ', 'the note in the draft');
    menuOf('files-menu', [fileAt('a.png'), fileAt('In'), fileAt('In/B.md')], 'file-explorer').choose(
      words.prompts.addToChat,
    );
    await eventually(() => box.value === '[[Now]]\n[[In/]] [[B]] ', `both in the draft, which is ${box.value}`);
    const chips = [...document.querySelectorAll('.docent-chip-name')].map(({ textContent }) => textContent);
    expect(chips).toEqual(['Now', 'In/', 'B']);
    expect(document.activeElement).toBe(box);
    expect(close(menuOf('files-menu', [fileAt('a.png')], 'file-explorer'))).toEqual([]);
  });

  it('quote what is selected in a note, and nothing of a note that is kept from the agent', async () => {
    await start({ 'In/Now.md': 'One line.\nTwo lines.\n', 'Kept.md': '---\ndocent: false\n---\nSecret line.\n' });
    const box = await openChatView();
    await openNote('In/Now.md');
    const info = () => app.workspace.activeEditor;
    expect(close(menuOf('editor-menu', info()?.editor, info()))).toEqual([]);
    expect([offers('ask-about-selection'), offers('accept-rewrite')]).toEqual([false, false]);
    run('rewrite-selection');
    await untilNotice(words.prompts.rewriteNothingSelected);
    await openNote('In/Now.md', 'One line.\nTwo');
    expect(offers('ask-about-selection')).toBe(true);
    const menu = menuOf('editor-menu', info()?.editor, info());
    expect(menu.titles).toEqual([words.commandNames['ask-about-selection'], words.commandNames['rewrite-selection']]);
    expect(menu.icons).toEqual(['lucide-message-circle', 'lucide-pencil-line']);
    menu.choose(words.commandNames['ask-about-selection']);
    await eventually(
      () => box.value === `${words.prompts.askFrom('In/Now')}\n\n> One line.\n> Two\n\n`,
      `the quote in the draft, which is ${box.value}`,
    );
    await openNote('Kept.md', 'Secret');
    run('ask-about-selection');
    const { pathHidden, pathHiddenRemedy } = words.failures;
    await untilNotice(`${pathHidden('Kept.md')} ${pathHiddenRemedy}`);
    expect(box.value).not.toContain('Secret');
    for (const notice of document.querySelectorAll<HTMLElement>('.notice')) notice.click();
    run('rewrite-selection');
    await untilNotice(`${pathHidden('Kept.md')} ${pathHiddenRemedy}`);
  });

  it('says why a passage cannot be rewritten by a model that has no key', async () => {
    const openai = { baseUrl: '', keyName: '', models: ['some-model'] };
    await start({ 'Now.md': 'One line.\n' }, { model: 'openai/some-model', providers: { openai } });
    await openNote('Now.md', 'One');
    run('rewrite-selection');
    await eventually(() => one('.docent-rewrite button') !== null, 'the box');
    click(words.prompts.builtIn.shorten.name, '.docent-rewrite');
    await eventually(() => one('.docent-rewrite [role=alert]') !== null, 'the failure');
    expect(one('.docent-rewrite [role=alert]')?.textContent).toContain('OpenAI');
    expect(await read('Now.md')).toBe('One line.\n');
  });

  it('says that the built-in reader rewrites nothing', async () => {
    await start({ 'Now.md': 'One line.\n' });
    await openNote('Now.md', 'One');
    const { activeEditor } = app.workspace;
    menuOf('editor-menu', activeEditor?.editor, activeEditor).choose(words.commandNames['rewrite-selection']);
    await untilNotice(words.prompts.rewriteNeedsModel);
    expect(title()).toBeUndefined();
  });
});

/** Sends this from the box, and waits for the answer to be over. */
async function ask(text: string): Promise<void> {
  const box = await openChatView();
  const before = document.querySelectorAll('.docent-user').length;
  box.value = text;
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await eventually(() => one('.docent-send')?.hasAttribute('disabled') === false, 'a message that can be sent');
  box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  await eventually(() => document.querySelectorAll('.docent-user').length > before, `“${text}” in the chat`);
  await eventually(() => one('.docent-send.is-stop') === null, 'the end of the answer');
}
const asked = (): string[] => [...document.querySelectorAll('.docent-user-text')].map(({ textContent }) => textContent);
const chatLeaf = () => app.workspace.getLeavesOfType('docent-chat')[0]!;
const chatShown = (): unknown => chatLeaf().getViewState().state?.['chat'];
const keel = { 'Keel.md': '# Keel\n\nThe keel is made of oak, said the builder of the boat.\n' };

describe('the pane', () => {
  it('answers from the notes, keeps each chat on the disk, and comes back with the one that was open', async () => {
    await start(keel);
    expect(['summarise', 'show-context', 'stop-answer'].map(offers)).toEqual([false, false, false]);
    await ask('What is the keel made of?');
    expect(['summarise', 'show-context', 'stop-answer'].map(offers)).toEqual([true, true, true]);
    expect(one('.docent-answer')?.textContent).toContain('The keel is made of oak');
    const first = chatShown();
    expect(first).toEqual(expect.any(String));
    run('new-chat');
    await eventually(() => asked().length === 0 && one('.docent-welcome') !== null, 'an empty chat');
    expect(document.activeElement).toBe(one('.docent-composer-input'));
    expect(chatShown()).not.toBe(first);
    await chatLeaf().setViewState({ type: 'docent-chat', state: { chat: first } });
    await eventually(() => asked().length === 1, 'the first chat');
    expect(chatShown()).toBe(first);
    // A layout that was saved before the view went on to another chat, as it is after the app was killed.
    const older = chatLeaf().getViewState();
    run('new-chat');
    await eventually(() => asked().length === 0, 'an empty chat again');
    const newest = chatShown();
    const restored = app.workspace.getLeaf('tab');
    await restored.setViewState(older);
    await eventually(() => restored.getViewState().state?.['chat'] === newest, 'the chat that the view had open last');
    restored.detach();
    await chatLeaf().setViewState({ type: 'docent-chat', state: { chat: first } });
    await eventually(() => asked().length === 1, 'the first chat once more');
    chatLeaf().detach();
    expect(offers('stop-answer')).toBe(false);
    await openChatView();
    await eventually(() => asked()[0] === 'What is the keel made of?', 'the chat that was open last');
    const { view } = chatLeaf();
    expect([view.getDisplayText(), view.getIcon()]).toEqual(['What is the keel made of?', 'message-circle']);
    expect(paths().filter((path) => path.startsWith('Docent/chats/'))).not.toEqual([]);
    expect(paths()).not.toContain('Docent/exports/system.md');
  });

  it('follows the vault while it is open, and names no note of its own folders', async () => {
    await start({ 'Now.md': 'Text.\n', 'Docent/exports/Now.md': 'Text.\n' });
    const box = await openChatView();
    box.value = '[[now';
    box.setSelectionRange(5, 5);
    box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    const lines = () => [...document.querySelectorAll<HTMLElement>('.docent-popup-item')];
    await eventually(() => lines().length > 0, 'the list of notes');
    expect(lines().map((line) => line.querySelector('.docent-popup-name')?.textContent)).toEqual(['Now']);
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    await eventually(() => one('.docent-composer .docent-chip') !== null, 'the chip');
    await app.vault.delete(app.vault.getFileByPath('Now.md')!);
    await eventually(() => one('.docent-composer .docent-chip.is-missing') !== null, 'the mark of what has gone');
  });

  it('follows a note that is renamed while a message mentions it, and its pin', async () => {
    await start({ 'In/Now.md': 'Text.\n' });
    const box = await openChatView();
    box.value = 'See [[now';
    box.setSelectionRange(9, 9);
    box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await eventually(() => one('.docent-popup-item') !== null, 'the list of notes');
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    await eventually(() => one('.docent-composer .docent-chip') !== null, 'the chip');
    const hasButton = (label: string): boolean => one(`.docent-composer button[aria-label="${label}"]`) !== null;
    click(words.chatView.pinAttachment('Now'));
    await eventually(() => hasButton(words.chatView.unpinAttachment('Now')), 'the pin');
    await app.fileManager.renameFile(app.vault.getFolderByPath('In')!, 'Out');
    await app.fileManager.renameFile(app.vault.getFileByPath('Out/Now.md')!, 'Out/Soon.md');
    await eventually(() => box.value === 'See [[Soon]] ', `the new name in the text, which is ${box.value}`);
    await eventually(() => hasButton(words.chatView.unpinAttachment('Soon')), 'the pin of the new name');
    const chip = one('.docent-composer .docent-chip');
    expect(chip?.querySelector('.docent-chip-name')?.textContent).toBe('Soon');
    expect(chip?.classList.contains('is-missing')).toBe(false);
  });

  const named = (): string | undefined => one('.docent-in-front-name')?.textContent;
  /** Opens a chat with a note in front. */
  async function openInFront(): Promise<void> {
    await start({ 'Now.md': 'Text.\n' });
    await openNote('Now.md');
    await openChatView();
    await eventually(() => named() === 'Now', 'the note in front');
  }

  it('names the note in front by its name as it is now, and no longer once it is hidden', async () => {
    await openInFront();
    await app.fileManager.renameFile(app.vault.getFileByPath('Now.md')!, 'Soon.md');
    await eventually(() => named() === 'Soon', 'its new name');
    await app.vault.modify(app.vault.getFileByPath('Soon.md')!, '---\ndocent: false\n---\nText.\n');
    await eventually(() => named() === undefined, 'no note in front');
  });

  it('names the note in front again once it is closed and opened again while the chat has the focus', async () => {
    await openInFront();
    // Its tab is closed by the pointer, which leaves the focus in the chat.
    app.workspace.getLeavesOfType('markdown')[0]?.detach();
    await eventually(() => named() === undefined, 'no note in front');
    await openNote('Now.md');
    await eventually(() => named() === 'Now', 'the note in front again');
  });

  it('is gone with its commands when the plugin is switched off', async () => {
    await start(keel);
    await openChatView();
    await app.plugins.disablePlugin('docent');
    await eventually(() => one('.docent-pane') === null, 'the end of the pane');
    expect(Object.keys(app.commands.commands).filter((id) => id.startsWith('docent:'))).toEqual([]);
  });

  it('opens the prompt, the list of what is in the window and the settings', async () => {
    await start(keel);
    await ask('What is the keel made of?');
    run('show-prompt');
    await eventually(() => one('.docent-inspector-modal') !== null, 'the prompt');
    one('.modal-close-button')?.click();
    run('show-context');
    await eventually(() => one('.docent-list-row') !== null, 'the list');
    click(words.status.showPrompt, '.docent-list');
    await eventually(() => one('.docent-inspector-modal') !== null && one('.docent-list') === null, 'the prompt alone');
    one('.modal-close-button')?.click();
    click(words.chatView.openSettings);
    await eventually(() => one('.modal.mod-settings') !== null, 'the settings');
    expect(one('.modal.mod-settings')?.textContent).toContain(words.settings.pages.files.name);
  });

  it('copies what the answer says, and opens the note that it names', async () => {
    await start({ ...keel, 'Other.md': 'Elsewhere.\n' });
    const copied: string[] = [];
    Object.assign(navigator, { clipboard: { writeText: (text: string) => Promise.resolve(void copied.push(text)) } });
    await ask('What is the keel made of?');
    click(words.chatView.copyAnswer);
    expect(copied).toEqual([expect.stringContaining('The keel is made of oak')]);
    await openNote('Other.md');
    one('.docent-answer a.internal-link')?.click();
    await eventually(() => app.workspace.getActiveFile()?.path === 'Keel.md', 'the note of the link');
  });
});

describe('the user’s own side of the prompt', () => {
  const say = words.ownPrompt;
  const exported = 'Docent/exports/system.md';

  it('R043 writes the template to a note, and asks before it replaces what the user wrote there', async () => {
    await start({});
    run('export-system-prompt-template');
    await untilNotice(say.exported(exported));
    const template = await read(exported);
    expect(template).toContain('${');
    run('export-system-prompt-template');
    await eventually(() => notices().length === 2, 'the second notice');
    expect(title()).toBeUndefined();
    await app.vault.adapter.write(exported, 'Mine.\n');
    await eventually(() => app.vault.getFileByPath(exported)?.stat.size === 6, 'the other text');
    run('export-system-prompt-template');
    await eventually(() => title() === say.overwrite, 'the question');
    expect(one('.modal p')?.textContent).toBe(say.overwriteText(exported));
    click(say.cancel, '.modal');
    await untilNotice(say.leftUnchanged(exported));
    expect(await read(exported)).toBe('Mine.\n');
    run('export-system-prompt-template');
    await eventually(() => title() === say.overwrite, 'the question');
    click(say.replace, '.modal');
    await eventually(() => notices().length === 4, 'the last notice');
    expect(await read(exported)).toBe(template);
  });

  it('R043 writes what a message would send, from the open chat and without one', async () => {
    await start({ 'Now.md': 'Text.\n' });
    run('export-system-prompt-resolved');
    await untilNotice(say.exported(exported));
    expect(await read(exported)).toContain('Now.md');
    await app.vault.adapter.remove(exported);
    await openChatView();
    run('export-system-prompt-resolved');
    await eventually(() => notices().length === 2, 'the second notice');
    expect(await read(exported)).toContain('Now.md');
  });

  it.each([true, false])(
    'asks before an export runs or loads something in its note, and the answer holds: %s',
    async (answer) => {
      const custom = 'Answer.\n\n<note path="A.md">A.</note>\n\n![](https://x.example/a.png)\n';
      await start({ 'Docent/system.md': custom }, { systemPrompt: 'default' });
      run('export-system-prompt-resolved');
      await eventually(() => title() === say.writeActive, 'the question');
      expect(one('.modal p')?.textContent).toContain(words.review.badges.remoteImage(['x.example']));
      expect(one('.modal p')?.textContent).not.toContain('note,');
      click(answer ? say.writeAnyway : say.cancel, '.modal');
      await untilNotice(answer ? say.exported(exported) : say.leftUnchanged(exported));
      expect(paths().includes(exported)).toBe(answer);
    },
  );

  it('R045 writes what each message sends, where the settings say so, and says nothing of it', async () => {
    await start(keel, { promptExport: 'path', promptExportPath: 'Out/sent.md' });
    await ask('What is the keel made of?');
    await eventually(() => paths().includes('Out/sent.md'), 'the export');
    expect(await read('Out/sent.md')).not.toContain('${');
    expect(notices()).toEqual([]);
  });

  it('R032 makes a missing system prompt from Docent’s own text and opens it', async () => {
    await start(keel, { systemPrompt: 'default' });
    await openNote('Keel.md');
    await ask('What is the keel made of?');
    expect(one('.docent-failure')?.textContent).toContain(say.missing('Docent/system.md'));
    run('export-system-prompt-resolved');
    await untilNotice(`${say.missing('Docent/system.md')} ${say.remedy}`);
    expect(paths()).not.toContain(exported);
    click(say.actions['create-system-prompt'], '.docent-failure');
    await untilNotice(say.created('Docent/system.md'));
    await eventually(() => app.workspace.getActiveFile()?.path === 'Docent/system.md', 'the note in front');
    expect(await read('Docent/system.md')).toContain('${');
    expect(app.workspace.getLeavesOfType('markdown')).toHaveLength(1);
  });

  it('R041 puts the text behind Docent’s own instructions instead, and opens nothing', async () => {
    await start({ ...keel, 'Docent/system.md': 'Answer in verse.\n' }, { systemPrompt: 'default' });
    await openChatView();
    await eventually(() => one('.docent-override') !== null, 'the badge');
    click(say.appendLabel, '.docent-override');
    await untilNotice(say.appended('Docent/system.md', 'Docent/system-extra.md'));
    expect(await read('Docent/system-extra.md')).toContain('Answer in verse.');
    expect([await read('Docent/system.md'), app.workspace.getActiveFile()]).toEqual(['Answer in verse.\n', null]);
    await eventually(() => one('.docent-override') === null, 'the end of the badge');
  });

  it('R032 turns it off, which the settings keep', async () => {
    await start(keel, { systemPrompt: 'default' });
    await ask('What is the keel made of?');
    click(say.actions['turn-off-system-prompt'], '.docent-failure');
    await untilNotice(say.turnedOff);
    expect(JSON.parse(await read(dataPath))).toMatchObject({ systemPrompt: 'off' });
    expect(app.workspace.getActiveFile()).toBeNull();
  });

  it('R043 says why there is no template while a prompt of the user’s own is missing, until one is made', async () => {
    await start(keel, { systemPrompt: 'default' });
    await openNote('Keel.md');
    run('export-system-prompt-template');
    await untilNotice(`${say.missing('Docent/system.md')} ${say.remedy}`);
    expect(paths()).not.toContain(exported);
    run('create-system-prompt');
    await eventually(() => app.workspace.getActiveFile()?.path === 'Docent/system.md', 'the note in front');
    expect(await read('Docent/system.md')).toContain('${');
    expect(app.workspace.getLeavesOfType('markdown')).toHaveLength(1);
    const made = await read('Docent/system.md');
    await openNote('Keel.md');
    run('create-system-prompt');
    await eventually(() => app.workspace.getActiveFile()?.path === 'Docent/system.md', 'the note in front again');
    expect(await read('Docent/system.md')).toBe(made);
    expect(notices()).toHaveLength(1);
    // Another program's text waits for the user, who may look at it.
    await openNote('Keel.md');
    await app.vault.adapter.write('Docent/system.md', 'Answer in verse.');
    run('create-system-prompt');
    await eventually(() => app.workspace.getActiveFile()?.path === 'Docent/system.md', 'the changed note in front');
    expect([await read('Docent/system.md'), notices().length]).toEqual(['Answer in verse.', 1]);
  });

  it('R101 makes the templates of the user’s own mode, each once', async () => {
    await start({});
    run('create-own-templates');
    await eventually(() => notices().length === 1, 'the notice');
    const [made = ''] = paths().filter((path) => path.startsWith('Docent/modes/user/'));
    await app.vault.process(app.vault.getFileByPath(made)!, () => 'Mine.\n');
    run('create-own-templates');
    await eventually(() => notices().length === 2, 'the second notice');
    expect(await read(made)).toBe('Mine.\n');
    expect(notices()[1]).not.toBe(notices()[0]);
  });
});

describe('prompts', () => {
  const say = words.prompts;
  const names = (): string[] => Object.values(app.commands.commands).map(({ name }) => name);
  const hasCommand = (name: string): boolean => names().some((each) => each.endsWith(say.run(name)));
  const prompt = (name: string, text: string): string => `---\nname: ${name}\n---\n${text}\n`;

  it('R129 have commands that follow the notes of their folder before the pane is opened', async () => {
    await start({ 'Docent/prompts/Steady.md': prompt('Steady hand', 'Answer calmly.') });
    await eventually(() => hasCommand('Steady hand'), 'its command');
    expect(hasCommand('Calm')).toBe(false);
    await app.vault.create('Docent/prompts/Calm.md', prompt('Calm', 'Be calm.'));
    await eventually(() => hasCommand('Calm'), 'the command of the new one');
    await app.vault.delete(app.vault.getFileByPath('Docent/prompts/Steady.md')!);
    await eventually(() => !hasCommand('Steady hand'), 'the end of the first one');
  });

  it('R129 are sent at once, beside what is being written', async () => {
    await start({ ...keel, 'Docent/prompts/Ask.md': prompt('Ask', 'What is the keel made of?') });
    const box = await openChatView();
    box.value = 'Half a thought';
    box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await eventually(() => offers('prompt-Ask'), 'its command');
    run('prompt-Ask');
    await eventually(() => asked().length === 1, 'the message');
    expect(asked()).toEqual(['/Ask']);
    expect(box.value).toBe('Half a thought');
    await eventually(() => one('.docent-answer') !== null && one('.docent-send.is-stop') === null, 'the answer');
  });

  it('R129 are sent from a pane that is opened for them', async () => {
    await start({ ...keel, 'Docent/prompts/Ask.md': prompt('Ask', 'What is the keel made of?') });
    await eventually(() => offers('prompt-Ask'), 'its command');
    run('prompt-Ask');
    await eventually(() => asked().length === 1, 'the message');
    await eventually(() => one('.docent-answer') !== null && one('.docent-send.is-stop') === null, 'the answer');
  });

  it('R099 stand in a chat, as the next request shows', async () => {
    await start({ 'Docent/prompts/Verse.md': prompt('Verse', 'Answer in verse.') });
    run('show-prompts');
    await eventually(() => one('.docent-prompts-modal .docent-prompt') !== null, 'the list');
    const row = [...document.querySelectorAll('.docent-prompt')].find((each) => each.textContent.includes('Verse'));
    const named = say.actionOn(say.useInChat, 'Verse');
    const useButton = [...(row?.querySelectorAll<HTMLElement>('button') ?? [])].find(
      (each) => each.ariaLabel === named || each.textContent === say.useInChat,
    );
    useButton?.click();
    await eventually(() => one('.docent-picker.is-prompt')?.textContent.includes('Verse') === true, 'the choice');
    const exported = 'Docent/exports/system.md';
    run('export-system-prompt-resolved');
    await untilNotice(words.ownPrompt.exported(exported));
    expect(await read(exported)).toContain('Answer in verse.');
  });

  it('R128 are listed in a window, where one is made', async () => {
    await start({});
    run('show-prompts');
    await eventually(() => one('.docent-prompts-modal .docent-prompt') !== null, 'the list');
    expect(one('.docent-prompts-modal')?.textContent).toContain(say.builtIn.shorten.name);
    click(say.create, '.docent-prompts-modal');
    await eventually(() => one('.docent-prompts-modal textarea') !== null, 'the form');
    for (const [selector, text] of [
      ['form input', 'Steady'],
      ['form textarea', 'Answer calmly.'],
    ] as const) {
      const box = one(`.docent-prompts-modal ${selector}`) as HTMLInputElement;
      box.value = text;
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    click(say.save, '.docent-prompts-modal');
    await eventually(() => paths().includes('Docent/prompts/Steady.md'), 'the note');
    expect(await read('Docent/prompts/Steady.md')).toContain('Answer calmly.');
    await eventually(() => hasCommand('Steady'), 'its command');
  });
});

describe('what is wrong', () => {
  const say = words.diagnostics;

  it('is told without a pane, and mended from there', async () => {
    await start({}, { systemPrompt: 'default' });
    run('show-diagnostics');
    await eventually(() => one('.docent-check') !== null, 'the checks');
    expect([title(), one('.docent-diagnostics [role=status]')?.textContent]).toEqual([say.title, say.problems(1)]);
    const check = () => one('[data-check=system-prompt]')!;
    expect(check().className).toContain('is-error');
    click(words.ownPrompt.actions['create-system-prompt'], '[data-check=system-prompt]');
    await eventually(() => check().className.includes('is-ok'), 'the end of the problem');
    expect(paths()).toContain('Docent/system.md');
    expect(one('.docent-diagnostics [role=status]')?.textContent).toBe(say.allWell);
    expect(one('[data-check=writes]')?.textContent).not.toContain(say.writes.usage(null));
  });

  it('stays in the pane, with the note in front and attached, while the note is saved again and compared', async () => {
    const [boat, text] = ['Docent/workspaces/Boat.md', '---\nfolder: [a]\n---\nText.\n'];
    await start({ [boat]: text });
    await openNote(boat);
    const input = await openChatView();
    menuOf('file-menu', fileAt(boat), 'file-explorer').choose(words.prompts.addToChat);
    const shown = () => [
      one('.docent-needs-look-first')?.textContent?.slice(0, 8),
      one('.docent-in-front-name')?.textContent,
      one('.docent-chip')?.className.includes('is-missing'),
    ];
    const expected = ['Boat.md:', 'Boat', false];
    await eventually(() => JSON.stringify(shown()) === JSON.stringify(expected), 'the problem, the note and its chip');
    const { vault } = app;
    const { adapter } = vault;
    const readAtOnce = adapter.read.bind(adapter);
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let isAsked = false;
    adapter.read = async (path) => {
      isAsked ||= path === boat;
      if (path === boat) await held;
      return readAtOnce(path);
    };
    try {
      await vault.modify(vault.getFileByPath(boat)!, text);
      await eventually(() => isAsked, 'the look at the saved text');
      // Longer than changes are collected and the checks wait for more of them.
      await new Promise((resolve) => setTimeout(resolve, 700));
      // The note in front is looked at again.
      input.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(shown()).toEqual(expected);
    } finally {
      goOn();
      adapter.read = readAtOnce;
    }
    await vault.modify(vault.getFileByPath(boat)!, 'Text.\n');
    await eventually(() => shown()[0] !== expected[0], 'the end of the problem');
  });

  it('is said of a setting that cannot be read, and kept for the diagnostics', async () => {
    await start({}, { mode: 'nonsense' });
    const problem = words.settings.problems['invalid-default']('mode');
    await untilNotice(problem);
    run('show-diagnostics');
    await eventually(() => one('[data-check=events]') !== null, 'the checks');
    expect(one('[data-check=events]')?.textContent).toContain(`settings: ${problem}`);
  });

  it('is copied as text', async () => {
    await start({});
    const copied: string[] = [];
    Object.assign(navigator, { clipboard: { writeText: (text: string) => Promise.resolve(void copied.push(text)) } });
    run('copy-diagnostics');
    await untilNotice(words.commands.diagnosticsCopied);
    expect(copied[0]).toContain(manifest.version);
    expect(copied[0]).toContain('desktop');
    Object.assign(navigator, { clipboard: { writeText: () => Promise.reject(new Error('No.')) } });
    run('copy-diagnostics');
    await untilNotice(words.commands.diagnosticsNotCopied);
  });
});

describe('the copies of a device that is no longer used', () => {
  it('are found by a tidy-up in the settings, and removed after a question', async () => {
    const [day, say] = [86_400_000, words.keeping];
    const adapter = new MemoryAdapter({ files: { [dataPath]: '{"version":1}' } });
    const copyOf = (device: string): string =>
      `.obsidian/plugins/docent/journal/devices/${device}/copies/${'ab'.repeat(32)}`;
    adapter.writeOutside(copyOf('old'), 'Old.', { mtime: Date.now() - 200 * day });
    adapter.writeOutside(copyOf('other'), 'Young.', { mtime: Date.now() - 100 * day });
    app = await createTestApp({ adapter, plugins: [{ manifest: manifest as PluginManifest, main: DocentPlugin }] });
    await openChatView();
    click(words.chatView.openSettings);
    await eventually(() => one('.modal.mod-settings') !== null, 'the settings');
    const pages = [...document.querySelectorAll<HTMLElement>('.modal.mod-settings .setting-item')];
    pages.find(({ textContent }) => textContent.startsWith(words.settings.pages.files.name))?.click();
    click(say.prune);
    await eventually(() => document.body.textContent.includes(say.removeRetired(1)), 'the offer');
    click(say.removeRetired(1));
    await eventually(() => title() === say.removeRetiredQuestion({ devices: 1, bytes: 4 }).title, 'the question');
    click(say.removeRetiredQuestion({ devices: 1, bytes: 4 }).action, '.modal');
    await eventually(() => adapter.textAt(copyOf('old')) === undefined, 'the end of the copies');
    expect(adapter.textAt(copyOf('other'))).toBe('Young.');
  });
});

/** The text of the diagnostics, as it would be copied. */
async function diagnostics(): Promise<string> {
  const copied: string[] = [];
  Object.assign(navigator, { clipboard: { writeText: (text: string) => Promise.resolve(void copied.push(text)) } });
  run('copy-diagnostics');
  await eventually(() => copied.length > 0, 'the diagnostics');
  return copied[0] ?? '';
}

describe('the list of chats and the usage', () => {
  const rows = () => [...document.querySelectorAll('.docent-chats-row')];
  const leavesOf = (type: string) => app.workspace.getLeavesOfType(type);

  it('are each a view of their own, opened once, next to the note or in the left sidebar', async () => {
    await start(keel);
    await openNote('Keel.md');
    run('show-usage');
    await eventually(() => one('.docent-usage') !== null, 'the usage');
    const [usage] = leavesOf('docent-usage');
    expect(leavesOf('markdown')).toHaveLength(1);
    expect(app.workspace.activeLeaf).toBe(usage);
    expect([usage?.view.getDisplayText(), usage?.view.getIcon()]).toEqual([words.usage.title, 'coins']);
    run('open-chat-list');
    await eventually(() => one('.docent-chats') !== null, 'the list of chats');
    const [list] = leavesOf('docent-chats');
    expect(list?.getRoot()).toBe(app.workspace.leftSplit);
    expect(app.workspace.leftSplit.collapsed).toBe(false);
    expect(app.workspace.activeLeaf).toBe(list);
    expect([list?.view.getDisplayText(), list?.view.getIcon()]).toEqual([words.chats.title, 'messages-square']);
    app.workspace.leftSplit.collapse();
    run('open-chat-list');
    await eventually(() => !app.workspace.leftSplit.collapsed, 'the list in sight again');
    app.workspace.setActiveLeaf(leavesOf('markdown')[0]!);
    const header = () => document.querySelector('.workspace-tab-header.is-active[data-type="docent-usage"]');
    expect(header()).toBeNull();
    run('show-usage');
    await eventually(() => header() !== null, 'the usage in front');
    expect(leavesOf('docent-usage')).toEqual([usage]);
    // A link opens in place of the usage, as of any page that one reads, and not in place of the list.
    expect([usage?.view.navigation, list?.view.navigation]).toEqual([true, false]);
  });

  it('name the chat that is open, export one of them, and open it in a tab', async () => {
    await start(keel);
    await ask('What is the keel made of?');
    const first = chatShown();
    run('open-chat-list');
    await eventually(() => rows().length === 1, 'the chat in the list');
    expect(one('.docent-chats-open')?.getAttribute('aria-current')).toBe('true');
    click(words.chats.more('What is the keel made of?'));
    const choose = (name: string): void =>
      [...document.querySelectorAll<HTMLElement>('.menu-item')].find((each) => each.textContent === name)?.click();
    choose(words.chatNotes.export);
    await eventually(
      () => paths().includes('What is the keel made of.md'),
      `the note of the chat in ${paths().join()}`,
    );
    run('new-chat');
    await eventually(() => one('.docent-chats-open')?.getAttribute('aria-current') === null, 'no chat that is open');
    click(words.chats.more('What is the keel made of?'));
    choose(words.chats.openTab);
    await eventually(() => leavesOf('docent-chat').length === 2, 'a second view');
    const tab = leavesOf('docent-chat').find((leaf) => leaf.getRoot() === app.workspace.rootSplit);
    await eventually(() => tab?.getViewState().state?.['chat'] === first, 'the chat in the tab');
    expect(app.workspace.activeLeaf).toBe(tab);
  });
});

describe('what another plugin asks for', () => {
  const prompt = (options: object, readers?: object): Promise<string | null> => {
    const { api } = app.plugins.plugins['docent'] as unknown as DocentPlugin;
    return api.buildSystemPrompt(options as never, readers as never);
  };
  const wrong = 'buildSystemPrompt takes an object of options: see docs/hooks.md of Docent.';

  it('is a system prompt by its options, with notes as the agent reads them, or by readers of its own', async () => {
    await start({ 'Now.md': 'Text of now.\n', 'Kept.md': '---\ndocent: false\n---\nSecret line.\n' });
    const both = await prompt({ contextNotes: ['Now.md', 'Kept.md'] });
    expect(both).toContain('Text of now.');
    expect(both).not.toContain('Secret');
    const own = await prompt({ contextNotes: ['Now.md'] }, { readNoteContent: (path: string) => path.toUpperCase() });
    expect(own).toContain('NOW.MD');
    expect(own).not.toContain('Text of now.');
    expect(await prompt({ skipToolsSection: true })).toBeNull();
    for (const none of [null, 'text', undefined]) await expect(prompt(none as never)).rejects.toThrow(wrong);
  });

  it('is nothing before the plugin is loaded', async () => {
    await start({});
    const api = new DocentPlugin(app as never, manifest as PluginManifest).api;
    expect(await api.buildSystemPrompt({ customPrompt: 'Be kind.' } as never)).toBeNull();
  });

  it('is to hear of events, and a listener that fails is kept for the diagnostics', async () => {
    await start(keel);
    const { api } = app.plugins.plugins['docent'] as unknown as DocentPlugin;
    api.events.subscribe('system-prompt-updated', () => {
      throw new Error('Torn.');
    });
    await ask('What is the keel made of?');
    expect(await diagnostics()).toContain(`hooks: ${words.hooks.listenerFailed('system-prompt-updated', 'Torn.')}`);
  });
});

describe('the settings', () => {
  it('that are damaged are asked about, and kept for the diagnostics', async () => {
    const damaged = { [dataPath]: '{"version":1,' };
    app = await createTestApp({
      files: damaged,
      plugins: [{ manifest: manifest as PluginManifest, main: DocentPlugin }],
    });
    const text = words.settings.problems.damaged('');
    const buttons = '.docent-notice-buttons button';
    await eventually(() => one(buttons) !== null, 'the question');
    expect(await diagnostics()).toContain(`settings: ${text}`);
    await app.plugins.disablePlugin('docent');
    await eventually(() => one(buttons) === null, 'the end of the question with the plugin');
  });

  it('follow what a sync brings', async () => {
    const adapter = new MemoryAdapter({ files: { [dataPath]: '{"version":1}' } });
    app = await createTestApp({ adapter, plugins: [{ manifest: manifest as PluginManifest, main: DocentPlugin }] });
    await openChatView();
    adapter.writeOutside(dataPath, '{"version":1,"mode":"nonsense"}');
    await app.plugins.plugins['docent']?.onExternalSettingsChange?.();
    await untilNotice(words.settings.problems.invalid('mode'));
  });

  it('begin a note that is not there, and open it once it is', async () => {
    await start(keel);
    const box = await openChatView();
    const opensAgain = async (label: string): Promise<void> => {
      click(words.chatView.openSettings);
      await eventually(() => one('.modal.mod-settings') !== null, 'the settings');
      const items = () => [...document.querySelectorAll<HTMLElement>('.modal.mod-settings .setting-item')];
      const itemNamed = (name: string): HTMLElement | undefined =>
        items().find(({ textContent }) => textContent.startsWith(name));
      itemNamed(words.settings.pages.files.name)?.click();
      await eventually(() => itemNamed(words.starters.setting) !== undefined, 'the page of the files');
      itemNamed(words.starters.setting)?.click();
      await eventually(() => itemNamed(words.starters.rows.memory.name) !== undefined, 'the page of the notes');
      const button = itemNamed(words.starters.rows.memory.name)?.querySelector('button');
      expect(button?.textContent).toBe(label);
      button?.click();
      await eventually(() => one('.modal.mod-settings') === null, 'the end of the settings');
      await eventually(() => app.workspace.getActiveFile()?.path === 'Docent/memory.md', 'the note');
    };
    await opensAgain(words.starters.create);
    expect(app.workspace.getLeavesOfType('markdown')).toHaveLength(1);
    await openNote('Keel.md');
    box.focus();
    const { length } = notices();
    await opensAgain(words.starters.open);
    expect(app.workspace.getLeavesOfType('markdown')).toHaveLength(1);
    expect(notices()).toHaveLength(length);
  });
});

describe('what a view asks of the app', () => {
  const ports = () => (chatLeaf().view as unknown as ChatView).model!.ports;

  it('is to open pages outside, notes, and the windows of others', async () => {
    await start(keel);
    await openNote('Keel.md');
    await openChatView();
    const opened = jest.spyOn(window, 'open').mockReturnValue(null);
    ports().openExternal('https://x.example/');
    expect(opened.mock.calls).toEqual([['https://x.example/', '_blank', 'noopener']]);
    opened.mockRestore();
    const hovered: Record<string, unknown>[] = [];
    app.workspace.on('hover-link' as never, ((given: Record<string, unknown>) => hovered.push(given)) as never);
    const event = new MouseEvent('mouseover');
    ports().previewNote('Keel', document.body, event);
    expect(hovered).toEqual([
      expect.objectContaining({
        event,
        linktext: 'Keel',
        targetEl: document.body,
        source: 'docent-chat',
        sourcePath: '',
      }),
    ]);
    const server = { name: 'calendar', url: 'https://calendar.example/mcp', keyName: '', isOn: true };
    await ports().signIn?.open(server);
    await eventually(() => title() === words.signIn.title('calendar'), 'the dialog of the sign-in');
    document.querySelectorAll<HTMLElement>('.modal-close-button').forEach((each) => each.click());
    run('show-diagnostics');
    await eventually(() => one('.docent-check') !== null, 'the diagnostics');
    document.querySelectorAll<HTMLElement>('.modal-close-button').forEach((each) => each.click());
    await ports().noteActs?.create({ text: 'An answer.', title: 'New', taint: null, isInReview: () => false });
    click(words.chatNotes.open, '.docent-notice-acts');
    await eventually(() => app.workspace.getActiveFile()?.path === 'New.md', 'the new note');
    expect(app.workspace.getLeavesOfType('markdown')).toHaveLength(1);
  });

  it('is to show the usage from the settings, which it closes, and to save it', async () => {
    await start(keel);
    await ask('What is the keel made of?');
    click(words.chatView.openSettings);
    await eventually(() => one('.modal.mod-settings') !== null, 'the settings');
    const items = () => [...document.querySelectorAll<HTMLElement>('.modal.mod-settings .setting-item')];
    items()
      .find(({ textContent }) => textContent.startsWith(words.settings.pages.spending.name))
      ?.click();
    const named = () => items().find(({ textContent }) => textContent.startsWith(words.usage.title));
    await eventually(() => named() !== undefined, 'the row of the usage');
    const button = named()?.querySelector('button');
    expect(button?.textContent).toBe(words.commandNames['show-usage']);
    button?.click();
    await eventually(() => one('.docent-usage') !== null, 'the usage');
    expect(one('.modal.mod-settings')).toBeNull();
    const { usage } = ports();
    const day = usage.day(Date.now());
    expect(await usage.save('a,b\n')).toEqual({ ok: true, value: `Docent/exports/Usage ${day}.csv` });
    expect(await read(`Docent/exports/Usage ${day}.csv`)).toBe('a,b\n');
  });

  it('is to show the whole text of a file that waits to be allowed', async () => {
    const files = { [dataPath]: '{"version":1}', 'AGENTS.md': 'Always be kind.\n' };
    app = await createTestApp({ files, plugins: [{ manifest: manifest as PluginManifest, main: DocentPlugin }] });
    await openChatView();
    ports().instructions?.review(false);
    await eventually(() => one('.docent-instructions-modal')?.textContent.includes('Always be kind.') === true, 'it');
  });
});

describe('what goes wrong unseen', () => {
  it('is said once of settings of the app that cannot be read', async () => {
    const adapter = new MemoryAdapter({ files: { ...keel, [dataPath]: '{"version":1}' } });
    adapter.writeOutside('.obsidian/app.json', '{"userIgno');
    app = await createTestApp({ adapter, plugins: [{ manifest: manifest as PluginManifest, main: DocentPlugin }] });
    await openChatView();
    const said: string[][] = [];
    for (const question of ['What is the keel made of?', 'And the mast?', 'And the sails?']) {
      await ask(question);
      said.push(notices().filter((text) => text.includes('app.json')));
      document.querySelectorAll('.notice').forEach((notice) => notice.remove());
    }
    expect(said).toEqual([[words.keeping.appUnread], [], []]);
  });

  it('is said once of notes that follow their chats, and kept for the diagnostics', async () => {
    await start(keel, { mirrorChats: true });
    const { adapter } = app.vault;
    const write = adapter.writeBinary.bind(adapter);
    const refuse = (path: string) => (path.startsWith('Docent/chats/') && path.endsWith('.md') ? 'No room.' : null);
    const create = app.vault.create.bind(app.vault);
    let refusals = 0;
    const refusing =
      <Given extends [path: string, ...rest: never[]], Done>(act: (...given: Given) => Promise<Done>) =>
      (...given: Given): Promise<Done> => {
        const problem = refuse(given[0]);
        if (problem === null) return act(...given);
        refusals += 1;
        return Promise.reject(new Error(problem));
      };
    Object.assign(adapter, {
      writeBinary: refusing(write as never),
      write: refusing(adapter.write.bind(adapter) as never),
    });
    Object.assign(app.vault, { create: refusing(create as never) });
    await ask('What is the keel made of?');
    await eventually(() => notices().some((text) => text.includes('No room.')), `a notice among ${notices().join()}`);
    const seen = refusals;
    await ask('Who said so?');
    await eventually(() => refusals > seen, 'another try');
    await eventually(() => one('.docent-send.is-stop') === null, 'the end');
    const said = notices().filter((text) => text.includes('No room.'));
    expect(said).toHaveLength(1);
    expect(await diagnostics()).toContain(`chats: ${said[0]}`);
  });

  it('is kept of a server that does not answer, which got the key that is bound to its address', async () => {
    const headers: (string | null)[] = [];
    Object.assign(window, {
      fetch: (_url: string, init: RequestInit) => {
        headers.push(new Headers(init.headers).get('authorization'));
        return Promise.reject(new TypeError('down'));
      },
    });
    const server = { name: 'calendar', url: 'http://localhost:9/mcp', keyName: 'cal-key', isOn: true };
    const files = { [dataPath]: JSON.stringify({ version: 1, mcpServers: [server] }) };
    const plugins = [{ manifest: manifest as PluginManifest, main: DocentPlugin }];
    app = await createTestApp({ files, plugins, secrets: { 'cal-key': 'sesame' } });
    app.saveLocalStorage('docent-key-origin-cal-key', 'http://localhost:9');
    await openChatView();
    expect(headers).toEqual([]);
    const { servers } = (chatLeaf().view as unknown as ChatView).model!.ports;
    await servers.connect('calendar');
    expect(headers[0]).toBe('Bearer sesame');
    expect(await diagnostics()).toMatch(/servers: server calendar: unknown/);
  });

  it('is told from a phone as from one', async () => {
    const phone = { files: { [dataPath]: '{"version":1}' }, phone: true };
    app = await createTestApp({ ...phone, plugins: [{ manifest: manifest as PluginManifest, main: DocentPlugin }] });
    expect(await diagnostics()).toContain('mobile');
  });
});

describe('a sign-in that ends in the browser', () => {
  it('is refused if it did not begin here', async () => {
    await start({});
    await app.protocolHandlers.get('docent-auth')?.({ action: 'docent-auth', state: 'unknown', code: 'c' });
    await untilNotice(`${words.signIn.notHere} ${words.signIn.notHereRemedy}`);
  });
});
