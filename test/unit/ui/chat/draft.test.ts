import type { Chat } from '../../../../src/core/chat/chat';
import { queueKeyOf } from '../../../../src/core/chat/chat-view-state';
import { tooMany } from '../../../../src/core/images/attached-images';
import { type DeviceStorage, unsavedOf } from '../../../../src/core/ports/device';
import { fail, type Failure, type Outcome, succeed } from '../../../../src/core/ports/failure';
import { imageLimits } from '../../../../src/core/ports/message';
import type { Mention } from '../../../../src/core/session/entry';
import { RecentMoves } from '../../../../src/core/writing/stage/follow-notes';
import { words } from '../../../../src/text';
import {
  type Draft,
  draggedPaths,
  DraftImages,
  type DraftWithImages,
  holdsAddresses,
  holdsFiles,
  imageFilesIn,
  isPictureMeant,
  readDraft,
  readDrafts,
  writeDraft,
} from '../../../../src/ui/state/draft';
import { fakeVault } from '../../../support/fake-vault';
import { fakeClock, memoryDevice } from '../../../support/memory-ports';

const mentions = [
  { kind: 'note', id: 'Boats/Heron.md', label: 'Boats/Heron' },
  { kind: 'tag', id: '#boat', label: '#boat' },
  { kind: 'tool', id: 'search_notes', label: 'search_notes' },
] as const;

/** Where drafts are, after a start of the app on this device. */
function placeOn(device: DeviceStorage) {
  const moves = new RecentMoves(device, { now: () => 0 });
  const vault = fakeVault({});
  return { unsaved: unsavedOf({ device }), ports: { vault, movesSince: (time: number) => moves.since(time) } };
}

describe('the draft', () => {
  it('R175 keeps text and mentions of all kinds, each chat its own', async () => {
    const device = memoryDevice();
    const unsaved = unsavedOf({ device });
    const draft = { text: '[[Boats/Heron]] [[#boat]] /search_notes', mentions };
    await writeDraft(unsaved, 'one', draft);
    expect(await readDraft(placeOn(device), 'one')).toEqual(draft);
    expect(await readDraft(placeOn(device), 'two')).toEqual({ text: '', mentions: [] });
    await writeDraft(unsaved, 'one', { text: '', mentions: [] });
    expect(device.get('draft-one')).toBeNull();
  });

  it.each(['{', '{"text":1,"mentions":[]}', '{"mentions":[]}', 'null', '7'])(
    'is empty when what is stored is %j',
    async (stored) => {
      const device = memoryDevice();
      device.set('draft-one', stored);
      expect(await readDraft(placeOn(device), 'one')).toEqual({ text: '', mentions: [] });
    },
  );

  it.each([
    '{"text":"x"}',
    '{"text":"x","mentions":{}}',
    '{"text":"x","mentions":[{"kind":"planet","id":"a","label":"b"}]}',
    '{"text":"x","mentions":[{"kind":"note","id":1,"label":"b"}]}',
    '{"text":"x","mentions":[{"kind":"note","id":"a"}],"at":"now"}',
    '{"text":"x","mentions":[{"kind":"note","id":"a","label":"b"},null]}',
  ])('has its text, and the attachments that can be read, when what is stored is %j', async (stored) => {
    const device = memoryDevice();
    device.set('draft-one', stored);
    const known = stored.includes('null') ? [{ kind: 'note', id: 'a', label: 'b' }] : [];
    expect(await readDraft(placeOn(device), 'one')).toEqual({ text: 'x', mentions: known });
  });
});

describe('a draft that no view shows', () => {
  const note = (label: string, id = `${label}.md`): Mention => ({ kind: 'note', id, label });
  const draft = { text: 'See [[Now]].', mentions: [note('Now', 'In/Now.md')] };
  const clock = fakeClock();
  beforeEach(() => jest.spyOn(Date, 'now').mockImplementation(() => clock.now()));
  afterEach(() => jest.restoreAllMocks());

  it('has what it names under the names of now, also after a restart, until it is stored again', async () => {
    const device = memoryDevice();
    await writeDraft(unsavedOf({ device }), 'one', draft);
    clock.advance(1_000);
    const moves = new RecentMoves(device, clock);
    moves.add('In', 'Out');
    moves.add('In/Now.md', 'Out/Now.md');
    moves.add('Out/Now.md', 'Soon.md');
    const place = placeOn(device);
    const after = { text: 'See [[Soon]].', mentions: [note('Soon')] };
    expect([await readDraft(place, 'one'), await readDraft(place, 'one')]).toEqual([after, after]);
    clock.advance(1_000);
    // A note of that name is another one now.
    await writeDraft(place.unsaved, 'one', draft);
    expect(await readDraft(place, 'one')).toEqual(draft);
    clock.advance(1_000);
    new RecentMoves(device, clock).add('In/Now.md', 'In/Later.md');
    expect((await readDraft(placeOn(device), 'one')).text).toBe('See [[Later]].');
  });

  it('follows nothing where it is not known when it was stored', async () => {
    const device = memoryDevice();
    new RecentMoves(device, clock).add('In/Now.md', 'Soon.md');
    device.set('draft-one', JSON.stringify(draft));
    expect(await readDraft(placeOn(device), 'one')).toEqual(draft);
  });
});

describe('what waited when the app ended', () => {
  const typed: Draft = { text: 'Typed.', mentions: [] };
  const [first, last] = mentions;
  const queue: readonly Draft[] = [
    { text: 'One.', mentions: [first] },
    { text: '', mentions: [last] },
    { text: 'Two.', mentions: [] },
  ];
  const open = async (stored: string | null, isIdle = true) => {
    const device = memoryDevice();
    const unsaved = unsavedOf({ device });
    await writeDraft(unsaved, 'one', typed);
    device.set(queueKeyOf('one'), stored);
    return { device, place: placeOn(device), chat: { id: 'one', isIdle } as Chat };
  };

  it('comes before what was typed, and is stored with it', async () => {
    const { device, place, chat } = await open(JSON.stringify(queue));
    const all = { text: 'One.\n\nTwo.\n\nTyped.', mentions: [first, last] };
    expect(await readDrafts(place, chat)).toEqual(all);
    expect([await readDraft(place, 'one'), device.get(queueKeyOf('one'))]).toEqual([all, null]);
    expect(await readDrafts(place, chat)).toEqual(all);
  });

  it('has its texts although an attachment is one of a newer version', async () => {
    const planet = { kind: 'planet', id: 'a', label: 'b' };
    const { place, chat } = await open(JSON.stringify([{ text: 'One.', mentions: [planet, first] }]));
    expect(await readDrafts(place, chat)).toEqual({ text: 'One.\n\nTyped.', mentions: [first] });
  });

  it('has what it names under the names of now', async () => {
    const { device, place, chat } = await open(null);
    const clock = fakeClock();
    const now: Mention = { kind: 'note', id: 'In/Now.md', label: 'Now' };
    device.set(queueKeyOf('one'), JSON.stringify([{ text: 'See [[Now]].', mentions: [now], at: clock.now() }]));
    clock.advance(1_000);
    new RecentMoves(device, clock).add('In/Now.md', 'Soon.md');
    const soon = { kind: 'note', id: 'Soon.md', label: 'Soon' };
    expect(await readDrafts(place, chat)).toEqual({ text: 'See [[Soon]].\n\nTyped.', mentions: [soon] });
  });

  it('is left to a chat that sends it, and where the draft cannot be stored', async () => {
    const running = await open(JSON.stringify(queue), false);
    expect(await readDrafts(running.place, running.chat)).toEqual(typed);
    const { device, place, chat } = await open(JSON.stringify(queue));
    const failure: Failure = { kind: 'storage', words: 'No room.', remedy: '' };
    const full = { ...place.unsaved, write: () => Promise.resolve(fail(failure)) };
    expect((await readDrafts({ ...place, unsaved: full }, chat)).text).toBe('One.\n\nTwo.\n\nTyped.');
    for (const each of [running.device, device]) expect(each.get(queueKeyOf('one'))).toBe(JSON.stringify(queue));
  });

  it.each(['[]', '{', '{"0":1}', JSON.stringify([...queue, { text: 1 }]), '[null]'])(
    'is nothing where %s is stored',
    async (stored) => {
      const { device, place, chat } = await open(stored);
      expect([await readDrafts(place, chat), device.get(queueKeyOf('one'))]).toEqual([typed, stored]);
    },
  );
});

/** What is dragged or pasted: texts by their kind, and files. */
function transferOf(texts: Readonly<Record<string, string>>, files: readonly Partial<File>[] = []): DataTransfer {
  const types = [...Object.keys(texts), ...(files.length > 0 ? ['Files'] : [])];
  return { types, files, getData: (kind: string) => texts[kind] ?? '' } as unknown as DataTransfer;
}

describe('what is dragged or pasted', () => {
  const keel = 'obsidian://open?vault=Boats&file=In%2FKeel%20bolts.md';
  const mast = 'obsidian://open?vault=Boats&file=Mast.md';

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['one note', { 'text/uri-list': keel }, ['In/Keel bolts.md']],
    ['several', { 'text/uri-list': `${keel}\r\n${mast}\n` }, ['In/Keel bolts.md', 'Mast.md']],
    ['an address as text', { 'text/plain': mast }, ['Mast.md']],
    ['addresses before a text', { 'text/uri-list': mast, 'text/plain': 'Mast' }, ['Mast.md']],
    ['a note among other text', { 'text/plain': `See ${mast}\n${mast}` }, []],
    ['a note and a web page', { 'text/uri-list': `${mast}\nhttps://x.org` }, []],
    ['a search', { 'text/uri-list': 'obsidian://search?query=x' }, []],
    ['a vault alone', { 'text/uri-list': 'obsidian://open?vault=Boats' }, []],
    ['nothing', {}, []],
  ])('names the notes of %s', (_what, texts, paths) => {
    expect(draggedPaths(transferOf(texts))).toEqual(paths);
  });

  it('may hold files or addresses, of which browsers say only that', () => {
    const [files, addresses] = [transferOf({}, [{ name: 'a.png' }]), transferOf({ 'text/uri-list': keel })];
    expect([holdsFiles(files), holdsFiles(addresses), holdsFiles(null)]).toEqual([true, false, false]);
    expect([holdsAddresses(files), holdsAddresses(addresses), holdsAddresses(null)]).toEqual([false, true, false]);
    expect(draggedPaths(null)).toEqual([]);
  });

  it('is a picture where there is no text, or where the text is the name of a file', () => {
    const pictures = [
      { name: 'Keel.png', type: 'image/png' },
      { name: 'Mast.png', type: 'image/png' },
    ];
    const isMeant = (text: string): boolean => isPictureMeant(transferOf({ 'text/plain': text }, pictures));
    expect(['', 'Mast.png', 'A passage of text'].map(isMeant)).toEqual([true, true, false]);
    expect(isPictureMeant(null)).toBe(true);
    const others = [...pictures, { name: 'a.pdf', type: 'application/pdf' }];
    expect(imageFilesIn(transferOf({}, others)).map(({ name }) => name)).toEqual(['Keel.png', 'Mast.png']);
    expect([imageFilesIn(null), isPictureMeant(transferOf({ 'text/plain': 'a.pdf' }, others))]).toEqual([[], false]);
  });
});

describe('what is put into a draft', () => {
  const files = {
    'Keel.md': '',
    'Boats/Heron.md': '',
    'Boats/Heron.png': new Uint8Array(1),
    'Boats/map.png': new Uint8Array(1),
    'Old/map.png': new Uint8Array(1),
    'a.pdf': new Uint8Array(1),
  };

  function open(text = '', inDraft: readonly Mention[] = []) {
    const added: string[] = [];
    const attached = {
      add: ({ name }: { readonly name: string }) => {
        added.push(name);
        return Promise.resolve(succeed({ kind: 'image', id: name, label: name, image: { digest: name } }));
      },
    };
    const draft = {
      ...{ chatId: 'one', shownId: 'one', opening: Promise.resolve(), state: { value: null } },
      ports: { vault: fakeVault(files), images: { attached } },
      text: { value: text },
      mentions: { value: inDraft },
      failure: { value: null as Failure | null },
      showOutcome: (outcome: Outcome<unknown>) => (draft.failure.value = outcome.ok ? null : outcome.failure),
      setText: (written: string, named: readonly Mention[]) => {
        draft.text.value = written;
        draft.mentions.value = named;
      },
    };
    return { draft, added, images: new DraftImages(draft as unknown as DraftWithImages) };
  }

  it.each([
    ['Keel.md', '', '[[Keel]] '],
    ['Keel', 'See', 'See [[Keel]] '],
    ['Keel.md', 'See\n', 'See\n[[Keel]] '],
    ['Boats/Heron', '', '[[Heron]] '],
    ['Boats/Heron.png', '', '[[Heron.png]] '],
    ['Old/map.png', '', '[[Old/map.png]] '],
    ['Boats', '', '[[Boats/]] '],
  ])('names %s after %j', (path, text, expected) => {
    const { draft, images } = open(text);
    expect([images.addPath(path), draft.text.value]).toEqual([true, expected]);
    expect(draft.mentions.value).toHaveLength(1);
  });

  it.each(['a.pdf', 'Nowhere.md'])('is not %s, which cannot be sent', (path) => {
    const { draft, images } = open('See');
    expect([images.addPath(path), draft.text.value, draft.mentions.value]).toEqual([false, 'See', []]);
  });

  const file = (name: string, arrayBuffer = () => Promise.resolve(new ArrayBuffer(1))): File =>
    ({ name, arrayBuffer }) as File;
  const images = (count: number): Mention[] =>
    Array.from({ length: count }, (_, at) => ({ kind: 'image', id: `${at}.png`, label: `${at}.png` }) as const);
  const { maxImages } = imageLimits;

  it('is as many images as a message may have, which is said of the others', async () => {
    const { draft, images: added } = open('', [
      ...images(maxImages - 2),
      { kind: 'note', id: 'Keel.md', label: 'Keel' },
    ]);
    added.add([file('a.png')]);
    expect([added.pending.value, draft.failure.value]).toEqual([1, null]);
    added.add([file('b.png'), file('c.png')]);
    expect([added.pending.value, draft.failure.value]).toEqual([2, tooMany()]);
    await added.idle();
    expect([added.pending.value, draft.mentions.value.slice(-2).map(({ id }) => id)]).toEqual([0, ['a.png', 'b.png']]);
    const full = open('', images(maxImages + 1));
    full.images.add([file('a.png')]);
    await full.images.idle();
    expect([full.added, full.draft.failure.value]).toEqual([[], tooMany()]);
  });

  it('is each image by its name, or as one that was pasted, and the others where one cannot be read', async () => {
    const { draft, added, images: put } = open();
    const { unreadable, unreadableRemedy } = words.images;
    put.add([file('image.png'), file('Lost.png', () => Promise.reject(new Error('Locked.'))), file('Boat.png')]);
    await put.idle();
    expect([added, put.pending.value]).toEqual([[words.images.pasted(1), 'Boat.png'], 0]);
    expect(draft.failure.value).toEqual({
      kind: 'unreadable',
      words: unreadable('Lost.png'),
      remedy: unreadableRemedy,
    });
  });
});
