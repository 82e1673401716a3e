/** The stored search index: read again after a reload, without hidden notes, made again where it is damaged or refused. */
import { words } from '../../../src/text';
import { openChatView, until } from '../driver/chat-view';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(180_000);

const vault = Object.fromEntries([
  ...Array.from(
    { length: 140 },
    (_, n) => [`Log ${n % 4}/Day ${n}.md`, `# Day ${n}\n\nThe keel on day ${n}.`] as const,
  ),
  ['Diary/Secret.md', 'Zirconium in the cellar.'] as const,
]);
const notes = Object.keys(vault).length;
const dataFile = '.obsidian/plugins/docent/data.json';

let workbench: OpenedWorkbench;
afterEach(() => workbench.close());

/** Runs in the page. Acts on the stored blocks, and returns them as text. */
async function readBlocks(damage: boolean): Promise<string> {
  const { name } = (await indexedDB.databases()).find((each) => each.name?.endsWith('-search') === true) ?? {};
  if (name === undefined) return '';
  const done = <Value>(request: IDBRequest<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error('The database refused.'));
    });
  const database = await done(indexedDB.open(name));
  const blocks = database.transaction('blocks', 'readwrite').objectStore('blocks');
  const values = await done(blocks.getAll() as IDBRequest<unknown[]>);
  if (damage) for (const key of await done(blocks.getAllKeys())) await done(blocks.put({ paths: 'garbage' }, key));
  database.close();
  return JSON.stringify(values);
}
const stored = (damage = false): Promise<string> => workbench.page.evaluate(readBlocks, damage);
const isStored = async (): Promise<boolean> => {
  const text = await stored();
  return Object.keys(vault).every((path) => path.startsWith('Diary/') || text.includes(path));
};

/** Notes that the plugin read since the page was loaded. */
async function watchReads(): Promise<() => Promise<string[]>> {
  await workbench.page.addInitScript(() => {
    const reads: string[] = [];
    Object.assign(window, { noteReads: reads });
    let app: typeof window.app;
    Object.defineProperty(window, 'app', {
      configurable: true,
      get: () => app,
      set: (made: typeof window.app) => {
        app = made;
        const read = made.vault.cachedRead.bind(made.vault);
        made.vault.cachedRead = (file) => {
          reads.push(file.path);
          return read(file);
        };
      },
    });
  });
  return () => workbench.page.evaluate(() => (window as unknown as { noteReads: string[] }).noteReads);
}

it('outlasts a reload, is made again where it is damaged, and loses notes as soon as they are hidden', async () => {
  workbench = await openWorkbench({ vault });
  const readNotes = await watchReads();
  await openChatView(workbench);
  await until(isStored, 'the index is stored');
  expect(await stored()).toContain('zirconium');

  await workbench.reload();
  let chatView = await openChatView(workbench);
  const answer = await chatView.ask('What of the zirconium?');
  expect(await answer.innerText()).toContain('Zirconium in the cellar.');
  expect([...new Set(await readNotes())]).toEqual(['Diary/Secret.md']);

  await stored(true);
  await workbench.reload();
  chatView = await openChatView(workbench);
  await until(isStored, 'the damaged index is made again');
  expect(await stored()).not.toContain('garbage');
  expect(new Set(await readNotes()).size).toBe(notes);

  await workbench.writeNote(dataFile, JSON.stringify({ keptFolders: ['Diary'] }));
  await until(async () => !/diary|zirconium/i.test(await stored()), 'the hidden note has left the store');
  expect(await isStored()).toBe(true);
  expect(await (await chatView.ask('What of the zirconium?')).innerText()).toContain(words.reader.nothing);
});

it('stays in memory where the database is refused, and says so once', async () => {
  workbench = await openWorkbench({ vault });
  await workbench.page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Not here.', 'SecurityError');
    };
    // A notice may be closed by the time that the answer is there.
    const notices = new Set<Element>();
    new MutationObserver(() => {
      for (const notice of document.querySelectorAll('.notice')) notices.add(notice);
      document.documentElement.dataset['notices'] = [...notices].map(({ textContent }) => textContent).join('\n');
    }).observe(document, { childList: true, subtree: true });
  });
  await workbench.reload();
  const chatView = await openChatView(workbench);
  await workbench.page
    .locator('.notice')
    .filter({ hasText: words.tools.searchNotStored('Not here.') })
    .waitFor();
  expect(await (await chatView.ask('What of the zirconium?')).innerText()).toContain('Zirconium in the cellar.');
  const notices = await workbench.page.evaluate(() => document.documentElement.dataset['notices'] ?? '');
  expect(notices.match(/search index/g)).toHaveLength(1);
});
