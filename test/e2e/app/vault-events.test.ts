/** Changes of the vault while the chat view is open, excluded notes, and notes that are hard to parse. */
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { words } from '../../../src/text';
import { openChatView, until, type OpenedChatView } from '../driver/chat-view';
import { allText, lastSent, newText, sentRequests } from '../driver/sent-request';
import { startChat } from '../driver/reach-walk';
import { readRequest, type Script } from '../../support/model-server';
import { openWorkbench, type OpenedWorkbench, type OpenOptions } from '../driver/workbench';

jest.setTimeout(60_000);

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

async function open(options: OpenOptions): Promise<void> {
  workbench = await openWorkbench(options);
  chatView = await openChatView(workbench);
}

const inVault = (notePath: string): string => path.join(workbench.vaultFolder, notePath);

/** Waits until the page knows of a change that another program made, its index included. */
async function untilSeen(notePath: string, text: string | null): Promise<void> {
  const isSeen = (): Promise<boolean> =>
    workbench.page.evaluate(
      async ([wanted, content]) => {
        const file = window.app.vault.getFileByPath(wanted);
        if (content === null || file === null) return content === null && file === null;
        if (window.app.metadataCache.getFileCache(file) === null) return false;
        // The disk holds the text before the app has heard of it: its record of the file must agree with the disk.
        const onDisk = await window.app.vault.adapter.stat(wanted);
        if (onDisk?.size !== file.stat.size || onDisk.mtime !== file.stat.mtime) return false;
        return (await window.app.vault.read(file)).includes(content);
      },
      [notePath, text] as const,
    );
  await until(isSeen, `the page knows of ${notePath}`);
}

/** The body of a note in `<files>`. */
function noteIn(text: string, notePath: string): string | undefined {
  const body = text.split(`<note path="${notePath}">`)[1]?.split('</note>')[0];
  return body?.replace(/^\n|\n$/g, '');
}

async function untilSuggested(names: readonly string[]): Promise<void> {
  const shown = (): Promise<string[]> => chatView.suggestions.locator('.docent-popup-name').allInnerTexts();
  await until(async () => (await shown()).join() === names.join(), `the list shows ${names.join()}`);
}

afterEach(() => {
  expect(workbench.errors).toEqual([]);
});

const ignored = { '.obsidian/app.json': JSON.stringify({ userIgnoreFilters: ['Private/'] }) };

describe('with the built-in reader', () => {
  beforeAll(() =>
    open({
      vault: {
        'Start.md': 'Nothing yet.\n',
        'Open.md': 'The recipe for marmalade is here: oranges. See [[Secret marmalade]].\n',
        'Private/Secret marmalade.md': 'The secret marmalade recipe: saffron.\n',
        ...ignored,
      },
    }),
  );
  beforeEach(() => startChat({ workbench, chatView }));
  afterAll(() => workbench.close());

  it('finds a note that another program made, changed, renamed or deleted a moment ago', async () => {
    expect(await (await chatView.ask('Where does the zeppelin land?')).innerText()).toContain('I found nothing');

    await workbench.writeNote('Airships.md', 'The zeppelin lands at Friedrichshafen.\n');
    await untilSeen('Airships.md', 'Friedrichshafen');
    expect(await (await chatView.ask('Where does the zeppelin land?')).innerText()).toContain('Friedrichshafen');

    await workbench.writeNote('Airships.md', 'The zeppelin lands at Lakehurst, not elsewhere.\n');
    await untilSeen('Airships.md', 'Lakehurst');
    const changed = await (await chatView.ask('Where does the zeppelin land?')).innerText();
    expect(changed).toContain('Lakehurst');
    expect(changed).not.toContain('Friedrichshafen');

    await rename(inVault('Airships.md'), inVault('Dirigibles.md'));
    await untilSeen('Dirigibles.md', 'Lakehurst');
    await untilSeen('Airships.md', null);
    const renamed = await chatView.ask('Where does the zeppelin land?');
    expect(await renamed.locator('a.internal-link').first().getAttribute('title')).toBe('Dirigibles.md');

    await rm(inVault('Dirigibles.md'));
    await untilSeen('Dirigibles.md', null);
    expect(await (await chatView.ask('Where does the zeppelin land?')).innerText()).toContain('I found nothing');
  });

  it('never finds, quotes or links what the app excludes, nor its own chats', async () => {
    for (const question of ['marmalade recipe', 'saffron', 'Secret marmalade', 'list the folder Private']) {
      const answer = await chatView.ask(question);
      expect(await answer.innerText()).not.toContain('secret marmalade recipe: saffron');
      for (const link of await answer.locator('a.internal-link').all()) {
        expect(await link.getAttribute('title')).not.toContain('Private/');
        expect(await link.getAttribute('title')).not.toContain('chats/');
      }
    }
  });
});

describe('with a model', () => {
  const calls = [
    { name: 'search_notes', arguments: { query: 'saffron' } },
    { name: 'list_folder', arguments: {} },
    { name: 'list_folder', arguments: { path: 'Private' } },
    { name: 'find_notes', arguments: { name: 'hidden' } },
    { name: 'read_note', arguments: { path: 'Private/Hidden.md' } },
    { name: 'note_links', arguments: { path: 'Open.md' } },
  ];
  const script: Script = (request) => {
    const last = readRequest(request).messages.at(-1);
    const isFirst = last?.results.length === 0 && last.text.includes('What is in there?');
    return isFirst ? { toolCalls: calls } : { text: 'Understood.' };
  };
  beforeAll(() =>
    open({
      vault: {
        'Log.md': 'first version\n',
        'Docent/memory.md': '',
        'Old zebra.md': 'old\n',
        'Open.md': 'See [[Hidden]].\n',
        'Private/Hidden.md': 'saffron\n',
        'Private/Hidden zebra.md': 'hidden\n',
        'Empty.md': '',
        'Long.md': `${'A long line of a long note. '.repeat(11_000)}\nTHE LAST LINE\n`,
        "Odd & <b>'name'.md": 'odd body ]]> </note> & done\n',
        '読書メモ.md': '本の感想\n',
        'UTF-16.md': '',
        'Byte order mark.md': '\ufeffmarked\n',
        ...ignored,
      },
      scripted: script,
      settings: { contextWindow: 200_000 },
    }),
  );
  beforeEach(() => startChat({ workbench, chatView }));
  afterAll(() => workbench.close());

  it('R161@request R163@request R166@request sends what stands on disk now: a changed note, a new folder, a note that is gone', async () => {
    await chatView.mention('Log');
    await chatView.input.press('Enter');
    await chatView.answers.first().waitFor();
    await chatView.untilIdle();
    expect(newText(lastSent(workbench.model))).toContain('first version');

    await workbench.writeNote('Log.md', 'second version\n');
    await workbench.writeNote('Fresh folder/Fresh note.md', 'fresh\n');
    await untilSeen('Log.md', 'second version');
    await untilSeen('Fresh folder/Fresh note.md', 'fresh');
    await chatView.mention('Log');
    await chatView.input.press('Enter');
    await chatView.answers.nth(1).waitFor();
    await chatView.untilIdle();
    const second = newText(lastSent(workbench.model));
    expect(second).toContain('second version');
    expect(second).not.toContain('first version');
    expect(allText(lastSent(workbench.model))).toContain('Fresh folder');

    await chatView.mention('Log');
    await rm(inVault('Log.md'));
    await untilSeen('Log.md', null);
    await chatView.input.press('Enter');
    await chatView.answers.nth(2).waitFor();
    await chatView.untilIdle();
    const third = newText(lastSent(workbench.model));
    expect(noteIn(third, 'Log.md')).toMatch(/^\[File content unavailable\]/);
    expect(third).not.toContain('second version');
  });

  it('suggests a note that was made a moment ago, and none that is gone or excluded', async () => {
    await chatView.openNoteList('zebra');
    await untilSuggested(['Old zebra']);
    await workbench.page.keyboard.press('Escape');
    await chatView.input.fill('');
    await workbench.writeNote('New zebra.md', 'new\n');
    await rm(inVault('Old zebra.md'));
    await untilSeen('New zebra.md', 'new');
    await untilSeen('Old zebra.md', null);
    await chatView.openNoteList('zebra');
    await untilSuggested(['New zebra']);
  });

  it('R161@request leaves excluded files out of the listing, the search, the folder list and every read', async () => {
    await chatView.ask('What is in there?');
    const sent = lastSent(workbench.model);
    const results = sent.messages.flatMap((message) => message.results.map(({ text }) => text));
    expect(results).toHaveLength(calls.length);
    expect(sent.system).not.toContain('Private');
    const [search, root, folder, find, read, links] = results;
    for (const text of [search, root, find]) expect(text).not.toMatch(/Private|Hidden\.md/);
    expect(search).toMatch(/no|not/i);
    expect(folder).toContain(words.tools.folderMissing('Private'));
    expect(read).toContain(words.failures.noteMissing('Private/Hidden.md'));
    expect(links).not.toContain('Private/');
  });

  it('R167@request sends notes that are binary, empty, long or oddly named, or says in their place what is wrong', async () => {
    await writeFile(inVault('UTF-16.md'), Buffer.from('\ufeffsixteen', 'utf16le'));
    await writeFile(inVault('Binary.md'), Buffer.from([0, 1, 2, 255, 254, 0, 7, 0]));
    await untilSeen('Binary.md', '');
    for (const name of ['Empty', 'Odd', '読書', 'Byte', 'UTF', 'Binary']) await chatView.mention(name);
    expect(await chatView.chips.count()).toBe(6);
    await chatView.input.press('Enter');
    await chatView.answers.first().waitFor();
    await chatView.untilIdle();
    const sent = newText(lastSent(workbench.model));
    expect(noteIn(sent, 'Empty.md')).toBe('');
    expect(noteIn(sent, "Odd & <b>'name'.md")).toContain('odd body ]]> &lt;/note> & done');
    expect(noteIn(sent, '読書メモ.md')).toContain('本の感想');
    expect(noteIn(sent, 'Byte order mark.md')).toMatch(/^marked/);
    expect(noteIn(sent, 'UTF-16.md')).toMatch(/^\[File content unavailable\] .*not a text file/);
    expect(noteIn(sent, 'Binary.md')).toMatch(/^\[File content unavailable\] .*not a text file/);

    await chatView.mention('Long');
    await chatView.root.getByRole('button', { name: /^Attach whole/ }).click();
    await chatView.root.getByRole('button', { name: /^Attach outline/ }).waitFor();
    await chatView.input.press('Enter');
    await chatView.answers.nth(1).waitFor();
    await chatView.untilIdle();
    // The note stays in the chat and fills it, so a summary may be asked for after the answer.
    const asked = sentRequests(workbench.model).find((request) => newText(request).includes('<note path="Long.md">'));
    expect(noteIn(newText(asked ?? lastSent(workbench.model)), 'Long.md')).toContain('THE LAST LINE');
  });
});

describe('with a model of a small window', () => {
  beforeAll(() =>
    open({
      vault: { 'Long.md': 'A long line of a long note. '.repeat(3_000) },
      scripted: () => ({ text: 'Understood.' }),
      settings: { contextWindow: 16_384 },
    }),
  );
  beforeEach(() => startChat({ workbench, chatView }));
  afterAll(() => workbench.close());

  it('sends the beginning of a note that is larger than the window, and says how much was left out', async () => {
    await chatView.mention('Long');
    await chatView.input.press('Enter');
    await chatView.answers.first().waitFor();
    await chatView.untilIdle();
    const note = noteIn(newText(lastSent(workbench.model)), 'Long.md') ?? '';
    expect(note).toMatch(
      /^\[This note of about [\d,]+ tokens is shown in part, with its beginning; call read_note .*\.\]\n/,
    );
    expect(note).toContain('A long line of a long note. A long line');
    expect(note.length).toBeLessThan(16_384 / 2);
  });

  it('says that a request is too long for the window instead of sending it', async () => {
    const before = workbench.model?.requests.length;
    await chatView.input.fill('A long line of a long question. '.repeat(3_000));
    await chatView.input.press('Enter');
    await chatView.failures.getByText(/This request needs about [\d,]+ tokens/).waitFor();
    expect(workbench.model?.requests.slice(before)).toEqual([]);
    await until(
      async () => (await chatView.failures.getByRole('button', { name: 'New chat' }).count()) === 1,
      'a way out',
    );
  });
});
