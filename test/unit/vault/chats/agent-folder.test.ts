/** @jest-environment jsdom */
/** Docent's folder as the user moves it, in the app and outside. */
import type { App } from 'obsidian';
import { MemoryAdapter } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import { unsavedOf } from '../../../../src/core/ports/device';
import { words } from '../../../../src/text';
import { followAgentFolder } from '../../../../src/vault/agent-folder';
import { SessionFiles } from '../../../../src/vault/chat-files';
import { memoryDevice } from '../../../support/memory-ports';

const log = (folder: string, chat = 'chat1', name = 'w1-s1'): string => `${folder}/chats/${chat}/${name}.jsonl`;

function open(
  paths: readonly string[],
  { last = null as string | null, lastFolder = 'Docent', agrees = [] as readonly string[] } = {},
) {
  const adapter = new MemoryAdapter({ files: Object.fromEntries(paths.map((path) => [path, 'line\n'])) });
  const device = memoryDevice(
    new Map(last === null ? [] : [['last-stored-chat', JSON.stringify({ conversation: last, folder: lastFolder })]]),
  );
  const moved: ((from: string, to: string) => void)[] = [];
  const asked: string[] = [];
  const said: string[] = [];
  const place = { folder: 'Docent' };
  const getFiles = () =>
    adapter
      .paths()
      .filter((path) => path.includes('.') && !path.startsWith('.'))
      .map((path) => ({ path, extension: path.slice(path.lastIndexOf('.') + 1) }));
  const getAllFolders = () => {
    const parts = adapter.paths().map((path) => path.split('/'));
    return parts.flatMap((names) => names.slice(1).map((_, at) => ({ path: names.slice(0, at + 1).join('/') })));
  };
  const getAbstractFileByPath = (path: string) =>
    adapter.paths().some((each) => each === path || each.startsWith(`${path}/`)) ? { path } : null;
  const folder = followAgentFolder({
    app: { vault: { adapter, getFiles, getAllFolders, getAbstractFileByPath } } as unknown as App,
    changes: { followMoves: (listener) => (moved.push(listener), () => undefined) },
    memory: unsavedOf({ device }),
    current: () => place.folder,
    say: (text) => void said.push(text),
    change: (next) => Promise.resolve(void (place.folder = next)),
    spell: (next) => void (place.folder = next),
    confirm: (_missing, found) => {
      asked.push(found);
      return Promise.resolve(agrees.includes(found));
    },
  });
  const store = new SessionFiles(adapter, () => `${place.folder}/chats`, 'w1-s2', folder);
  return {
    said,
    adapter,
    place,
    asked,
    device,
    folder,
    store,
    move: (from: string, to: string) => moved.forEach((each) => each(from, to)),
  };
}

passTimeQuickly();

describe('the agent folder', () => {
  it('is begun anew where the user sets another one', async () => {
    const { place, folder, asked, said } = open([log('Notes')], { last: 'chat1', lastFolder: 'Notes' });
    await folder.find();
    expect([place.folder, asked, said]).toEqual(['Docent', [], []]);
  });

  it('is remembered with the chat that was stored last, each time that either is another one', async () => {
    const { place, folder, device } = open([]);
    const written = jest.spyOn(device, 'set');
    const use = (conversation: string): void => folder.used(conversation);
    use('chat1');
    use('chat1');
    use('chat2');
    place.folder = 'Agent';
    use('chat2');
    use('chat2');
    await new Promise((resolve) => setTimeout(resolve));
    expect(written.mock.calls.map(([, text]) => JSON.parse(text ?? 'null') as unknown)).toEqual([
      { conversation: 'chat1', folder: 'Docent' },
      { conversation: 'chat2', folder: 'Docent' },
      { conversation: 'chat2', folder: 'Agent' },
    ]);
  });

  it('is found again after a second move', async () => {
    const { place, folder, adapter, move } = open([log('Docent')], { last: 'chat1' });
    move('Docent', 'Agent');
    await new Promise((resolve) => setTimeout(resolve));
    adapter.writeOutside(log('Far/Agent'), 'line\n');
    adapter.removeOutside(log('Docent'));
    await folder.find();
    expect(place.folder).toBe('Far/Agent');
  });

  it.each([
    ['Docent', 'Meta/Docent', 'Meta/Docent'],
    ['Docent', 'Agent', 'Agent'],
    ['Notes', 'Old notes', 'Docent'],
    ['Docent 2', 'Meta/Docent 2', 'Docent'],
    ['Docent/chats', 'Docent/talks', 'Docent'],
  ])('is followed in the app: %s moved to %s', (from, to, expected) => {
    const { place, move } = open([]);
    move(from, to);
    expect(place.folder).toBe(expected);
  });

  it('is followed when a folder above it moves, whose children are reported too', () => {
    const { place, move } = open([]);
    place.folder = 'Meta/Docent';
    move('Meta', 'Archive/Meta');
    move('Meta/Docent', 'Archive/Meta/Docent');
    move('Meta/Docent/chats', 'Archive/Meta/Docent/chats');
    expect(place.folder).toBe('Archive/Meta/Docent');
  });

  it.each([
    ['DOCENT', 'Agent', 'Agent'],
    ['docent', 'Docent', 'Docent'],
    ['meta', 'Archive', 'Archive/Docent'],
    ['CAFE\u0301', 'Bar', 'Bar/Docent'],
    ['Docent 2', 'Agent', 'Docent'],
  ])('is followed when the setting spells it otherwise: %s moved to %s', (from, to, expected) => {
    const { place, move } = open([]);
    place.folder = { meta: 'Meta/Docent', 'CAFE\u0301': 'caf\u00e9/Docent' }[from] ?? 'Docent';
    move(from, to);
    expect(place.folder).toBe(expected);
  });

  it('stays when a folder moves whose name differs from its own in letter case alone', () => {
    const { place, move } = open([log('Docent')]);
    move('docent', 'Agent');
    expect(place.folder).toBe('Docent');
  });

  it('is found by the chat that was stored last when it was moved outside, before anything is stored', async () => {
    const { adapter, place, asked, store } = open([log('Meta/Docent'), log('Backup/Docent', 'other')], {
      last: 'chat1',
    });
    const marks = await store.marks('chat1');
    expect(marks.ok && marks.value.map(({ name }) => name)).toEqual(['w1-s1.jsonl']);
    await store.append('chat1', 'more\n');
    expect([place.folder, asked]).toEqual(['Meta/Docent', []]);
    expect(adapter.textAt(log('Meta/Docent', 'chat1', 'w1-s2'))).toBe('more\n');
    expect(adapter.paths().some((path) => path.startsWith('Docent'))).toBe(false);
  });

  it('is asked about when only its kind is known, each place once, and what is refused stays alone', async () => {
    const { place, asked, folder } = open([log('A/Docent', 'x'), log('B/Docent', 'y')], { agrees: ['B/Docent'] });
    await folder.find();
    expect([place.folder, asked]).toEqual(['B/Docent', ['A/Docent', 'B/Docent']]);
    const other = open([log('A/Docent', 'x')]);
    await other.folder.find();
    await other.folder.find();
    expect([other.place.folder, other.asked]).toEqual(['Docent', ['A/Docent']]);
  });

  it('is asked about when a copy has the last chat too', async () => {
    const { place, asked, folder } = open([log('A/Docent'), log('B/Docent')], { last: 'chat1', agrees: ['A/Docent'] });
    await folder.find();
    expect([place.folder, asked]).toEqual(['A/Docent', ['A/Docent']]);
  });

  it('says that the chats are missing when it is there without them', async () => {
    const { said, folder } = open(['Docent/prompts/Plan.md'], { last: 'chat1' });
    await folder.find();
    await folder.find();
    expect(said).toEqual([words.agentFolder.chatsMissing('Docent/chats')]);
    expect(said[0]).toMatch(/^The folder of your chats, “Docent\/chats”, wasn’t found/);
  });

  it('says once that it is missing when nothing is found, instead of beginning again in silence', async () => {
    const { said, folder } = open(['Note.md'], { last: 'chat1' });
    await folder.find();
    await folder.find();
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/“Docent” wasn’t found/);
    const fresh = open(['Note.md']);
    await fresh.folder.find();
    expect(fresh.said).toEqual([]);
  });

  it('takes nothing for a folder of chats that is none, and asks nothing of a new user', async () => {
    const { place, asked, folder } = open([
      'data/chats/readme.md',
      'data/x.jsonl',
      'chats/c/w-s.jsonl',
      'a/chats/b.jsonl',
    ]);
    await folder.find();
    expect([place.folder, asked]).toEqual(['Docent', []]);
  });

  it('is spelled as the vault spells it where the disk takes both for one', async () => {
    const alike = open([log('docent'), 'Note.md']);
    alike.adapter.exists = (path) => Promise.resolve(['docent', 'note.md'].includes(path.toLowerCase()));
    await alike.folder.spell();
    expect([alike.place.folder, alike.asked, alike.said]).toEqual(['docent', [], []]);
    await alike.folder.spell();
    expect(alike.place.folder).toBe('docent');
    const apart = open([log('docent'), 'Note.md']);
    await apart.folder.spell();
    expect(apart.place.folder).toBe('Docent');
    const fresh = open(['Note.md']);
    await fresh.folder.spell();
    expect(fresh.place.folder).toBe('Docent');
  });

  it('waits a moment for a folder that is just being moved', async () => {
    const { adapter, place, store } = open([log('Docent')]);
    await store.append('chat1', 'more\n');
    adapter.renameOutside('Docent', 'Away');
    adapter.renameOutside('Away', '.hidden');
    setTimeout(() => adapter.renameOutside('.hidden', 'Meta'), 350);
    await store.marks('chat1');
    expect(place.folder).toBe('Meta');
  });
});
