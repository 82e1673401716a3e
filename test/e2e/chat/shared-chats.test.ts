/** Chats whose files others change while the app is open: another device, a sync service, the user in a file manager. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openChatView, readFileInView, readLogs, until } from '../driver/chat-view';
import { chatView, openChat, reloadChat, showChat, workbench } from '../driver/open-chat';
import { startChat } from '../driver/reach-walk';
import { lastSent, spokenTexts } from '../driver/sent-request';
import { openWorkbench } from '../driver/workbench';

jest.setTimeout(90_000);

const vault = { 'Now.md': 'The blue boat is on the hard.\n' };

let answered = 0;

async function open(): Promise<void> {
  answered = 0;
  await openChat({ vault, scripted: () => ({ text: `Answer ${++answered}.` }) });
}

const inVault = (...parts: string[]): string => path.join(workbench.vaultFolder, ...parts);
const settings = async (): Promise<Record<string, unknown>> =>
  JSON.parse(await workbench.readNote('.obsidian/plugins/docent/data.json')) as Record<string, unknown>;

/** What the plugin has stored of unsent messages in files, where the database takes nothing. */
async function readUnsavedFiles(): Promise<string> {
  const folder = inVault('.obsidian/plugins/docent/unsaved');
  const names = await readdir(folder).catch(() => []);
  return (await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))).join('\n');
}

describe('in one app', () => {
  let errorsBefore = 0;

  beforeAll(open);

  beforeEach(async () => {
    await startChat({ workbench, chatView });
    answered = 0;
    errorsBefore = workbench.errors.length;
  });

  afterAll(() => workbench.close());

  it('writes a log back that vanished or was cut while the chat was open, and says so', async () => {
    await chatView.ask('one');
    await rm(inVault('Docent/chats'), { recursive: true });
    await chatView.ask('two');
    await chatView.root
      .getByText(/entries were missing from this chat’s files and were restored/)
      .first()
      .waitFor();
    const [name, text] = await readFileInView(workbench);
    await writeFile(inVault(name), text.slice(0, text.indexOf('\n') + 40));
    await chatView.ask('three');
    await reloadChat();
    expect(await chatView.questions.allInnerTexts()).toEqual(['one', 'two', 'three']);
    expect(await chatView.answers.count()).toBe(3);
    expect(await chatView.root.locator('.docent-damaged').count()).toBe(0);
    expect(await chatView.root.getByText(/were restored/).count()).toBeGreaterThan(0);
  });

  it('looks at the files of no other chat when a message is sent and its answer is stored', async () => {
    const asked: string[] = [];
    workbench.intercept(({ route, path: about }) => {
      asked.push(`${route} ${about}`);
      return Promise.resolve(null);
    });
    /** Once the change of its file by the last entry has been looked at as well. */
    const folderInView = async (): Promise<string> => {
      const [file] = await readFileInView(workbench);
      const folder = path.posix.dirname(file);
      await until(
        () => asked.lastIndexOf(`/api/list ${folder}`) > asked.lastIndexOf(`/api/append ${file}`),
        'the files are looked at after the last entry',
      );
      return folder;
    };
    await chatView.ask('one');
    const other = await folderInView();
    await startChat({ workbench, chatView });
    await chatView.ask('two');
    await folderInView();
    // By now, the list of chats has read the first one as well.
    asked.splice(0);
    await chatView.ask('three');
    await folderInView();
    workbench.intercept(null);
    expect(asked.filter((call) => call.includes(other))).toEqual([]);
  });

  it('shows what another device adds to the open chat, and asks after it', async () => {
    const first = workbench;
    await chatView.ask('one');
    // The same folder as another device has it after a sync: with a profile of its own.
    const [name, text] = await readFileInView(workbench);
    const other = await openWorkbench({
      vault: { ...vault, [name]: text },
      scripted: () => ({ text: 'Answer from elsewhere.' }),
    });
    try {
      const chatId = path.basename(path.dirname(name));
      const theirs = await openChatView(other);
      await other.page.evaluate((id) => {
        const [leaf] = window.app.workspace.getLeavesOfType('docent-chat');
        return leaf?.view.setState({ chat: id }, { history: false });
      }, chatId);
      await theirs.questions.first().waitFor();
      await theirs.ask('asked elsewhere');
      // The sync service of this device made a conflict copy of the log.
      const copyOf = (shard: string): string =>
        shard.replace(/\.jsonl$/, ' (Conflicted copy Ada’s phone 202611241015).jsonl');
      for (const [shard, lines] of await readLogs(other)) {
        if (shard !== name) await writeFile(inVault(copyOf(shard)), lines);
      }
    } finally {
      await other.close();
    }
    await chatView.root.getByText('Continued on another device from here.').waitFor();
    await chatView.answers.getByText('Answer from elsewhere.').waitFor();
    await chatView.ask('two');
    const sent = spokenTexts(lastSent(first.model));
    expect(sent).toEqual(['one', 'Answer 1.', 'asked elsewhere', 'Answer from elsewhere.', 'two']);
  });

  it('stores drafts and answers while the storage of the browser is full, and keeps typing and turns alive', async () => {
    await workbench.page.evaluate(() => {
      const full = (): never => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      };
      IDBObjectStore.prototype.put = full;
    });
    await chatView.ask('one');
    await chatView.answers.getByText('Answer 1.').waitFor();
    expect(await chatView.failures.count()).toBe(0);
    await chatView.input.pressSequentially('a thought for later');
    await until(async () => (await readUnsavedFiles()).includes('a thought for later'), 'the draft is in a file');
    expect(workbench.errors.slice(errorsBefore)).toEqual([]);
    await reloadChat();
    expect(await chatView.input.inputValue()).toBe('a thought for later');
    expect(await chatView.answers.allInnerTexts()).toHaveLength(1);
  });

  it('says what a full disk refuses of answer and draft, loses neither, and stores the answer with the next message', async () => {
    await workbench.page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      };
    });
    const full = { status: 507, bytes: Buffer.from('{"error":"ENOSPC: no space left on device"}') };
    workbench.intercept(async ({ path: file, body }) =>
      /docent\/unsaved\//.test(file) || (file.includes('chats') && body.includes('Answer 1.')) ? full : null,
    );
    await chatView.ask('one');
    await chatView.answers.getByText('Answer 1.').waitFor();
    await chatView.failures.getByText('Couldn’t save this chat. Your text is still here.').waitFor();
    await chatView.input.pressSequentially('a thought');
    await chatView.failures.getByText(/Couldn’t save your draft on this device.*ENOSPC/).waitFor();
    await chatView.input.pressSequentially(' for later');
    expect(await chatView.input.inputValue()).toBe('a thought for later');
    workbench.intercept(null);
    await chatView.ask('two');
    await reloadChat();
    expect(await chatView.questions.allInnerTexts()).toEqual(['one', 'two']);
    expect((await chatView.answers.allInnerTexts()).join()).toMatch(/Answer 1\.[^]*Answer 2\./);
    expect(workbench.errors.slice(errorsBefore).filter((error) => !/507|Failed to load resource/.test(error))).toEqual(
      [],
    );
  });
});

it('follows its folder when it is moved in the app, and finds it when it was moved while the app was closed', async () => {
  await open();
  await chatView.ask('one');
  await workbench.page.evaluate(async () => {
    const { app } = window;
    const folder = app.vault.getAbstractFileByPath('Docent');
    if (folder !== null)
      await app.vault.createFolder('Meta').then(() => app.fileManager.renameFile(folder, 'Meta/Docent'));
  });
  await workbench.page.getByText('The agent folder is now “Meta/Docent”.').waitFor();
  await chatView.ask('two');
  expect((await settings())['agentFolder']).toBe('Meta/Docent');
  await workbench.reload(async () => {
    await mkdir(inVault('Elsewhere'));
    await rename(inVault('Meta/Docent'), inVault('Elsewhere/Agent'));
  });
  await showChat();
  await chatView.questions.nth(1).waitFor();
  await chatView.ask('three');
  expect(await chatView.questions.allInnerTexts()).toEqual(['one', 'two', 'three']);
  await until(async () => (await settings())['agentFolder'] === 'Elsewhere/Agent', 'the setting follows');
  expect(workbench.page.url()).toBe(workbench.url);
  await workbench.close();
});
