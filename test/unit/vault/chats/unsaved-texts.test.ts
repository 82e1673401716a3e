/** @jest-environment jsdom */
/** Where drafts and running answers are stored while the app may be killed at any moment. */
import { MemoryAdapter } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import {
  createDatabasePlace,
  createFilePlace,
  createUnsavedTexts,
  type TextPlace,
} from '../../../../src/vault/unsaved-texts';
import { memoryDevice } from '../../../support/memory-ports';

const folder = '.obsidian/plugins/docent/unsaved';
const now = (): number => 1;

/** A place in memory that refuses while `isFull`. */
function place() {
  const held = new Map<string, Awaited<ReturnType<TextPlace['read']>>>();
  const state = { held, isFull: false, writes: 0 };
  const orRefuse = <Value>(act: () => Value): Promise<Value> =>
    state.isFull ? Promise.reject(new Error('QuotaExceededError: full')) : Promise.resolve(act());
  const methods: TextPlace = {
    read: (key) => Promise.resolve(held.get(key) ?? null),
    write: (key, stored) => orRefuse(() => void held.set(key, stored)).finally(() => (state.writes += 1)),
    remove: (key) => orRefuse(() => void held.delete(key)),
  };
  return Object.assign(state, methods);
}

passTimeQuickly();

describe('unsaved texts', () => {
  it('are in the first place alone while it takes them', async () => {
    const [first, second, device] = [place(), place(), memoryDevice()];
    const texts = createUnsavedTexts([first, second], device, now);
    expect(await texts.write('draft-a', 'one')).toEqual({ ok: true, value: undefined });
    expect([await texts.read('draft-a'), second.held.size, device.values.size]).toEqual(['one', 0, 0]);
    await texts.write('draft-a', null);
    expect([await texts.read('draft-a'), first.held.size]).toEqual([null, 0]);
  });

  it('go to the next place when the device storage is full, and the newest is read', async () => {
    const [first, second] = [place(), place()];
    const texts = createUnsavedTexts([first, second], memoryDevice(), now);
    await texts.write('draft-a', 'old');
    first.isFull = true;
    expect((await texts.write('draft-a', 'new')).ok).toBe(true);
    expect(await createUnsavedTexts([first, second], memoryDevice(), now).read('draft-a')).toBe('new');
    first.isFull = false;
    await texts.write('draft-a', 'newest');
    expect([await texts.read('draft-a'), second.held.size]).toEqual(['newest', 0]);
  });

  it.each([0, 1])('do not come back once removed, when place %s refused the removal', async (refusing) => {
    const places = [place(), place()];
    const refuser = places[refusing]!;
    const open = (device = memoryDevice()) => createUnsavedTexts(places, device, now);
    refuser.held.set('draft-a', { at: 900, text: 'old' });
    refuser.isFull = true;
    const device = memoryDevice(new Map([['draft-a', 'from before']]));
    expect(await open(device).write('draft-a', null)).toEqual({ ok: true, value: undefined });
    refuser.isFull = false;
    expect([await open(device).read('draft-a'), refuser.held.size]).toEqual([null, 1]);
    // The next text and the next removal leave nothing of it.
    await open().write('draft-a', 'new');
    expect(await open().read('draft-a')).toBe('new');
    await open().write('draft-a', null);
    expect(places.map(({ held }) => held.size)).toEqual([0, 0]);
  });

  it('leave nothing but what refused when no place can take that they were removed', async () => {
    const [first, second] = [place(), place()];
    first.held.set('draft-a', { at: 900, text: 'old' });
    first.isFull = true;
    const full = { ...second, write: () => Promise.reject(new Error('ENOSPC')) };
    const stored = await createUnsavedTexts([first, full], memoryDevice(), now).write('draft-a', null);
    expect(!stored.ok && stored.failure.words).toMatch(/QuotaExceededError/);
  });

  it('say in words when no place takes them, and what to do', async () => {
    const only = place();
    only.isFull = true;
    const stored = await createUnsavedTexts([only], memoryDevice(), now).write('draft-a', 'text');
    expect(!stored.ok && stored.failure.words).toMatch(
      /Couldn’t save your draft on this device. \(QuotaExceededError: full\)/,
    );
    expect(!stored.ok && stored.failure.remedy).toMatch(/Free up space/);
  });

  it('are still found where earlier versions stored them, until they are stored again', async () => {
    const device = memoryDevice(new Map([['draft-a', 'from before']]));
    const texts = createUnsavedTexts([place()], device, now);
    expect(await texts.read('draft-a')).toBe('from before');
    await texts.write('draft-a', null);
    expect(await texts.read('draft-a')).toBeNull();
  });

  it('leave nothing where earlier versions stored them, and touch nothing there afterwards', async () => {
    const device = memoryDevice(new Map([['draft-a', 'from before']]));
    const set = jest.spyOn(device, 'set');
    const texts = createUnsavedTexts([place()], device, now);
    await texts.write('draft-a', 'one');
    await texts.write('draft-a', 'two');
    expect([set.mock.calls, device.values.size]).toEqual([[['draft-a', null]], 0]);
  });

  it('name each reason once when no place takes them', async () => {
    const places = ['ENOSPC', 'EBUSY', 'ENOSPC'].map((code): TextPlace => {
      return { ...place(), write: () => Promise.reject(new Error(code)) };
    });
    const stored = await createUnsavedTexts(places, memoryDevice(), now).write('draft-a', 'text');
    expect(!stored.ok && stored.failure).toMatchObject({
      kind: 'storage',
      words: expect.stringMatching(/ \(ENOSPC EBUSY\)$/) as string,
    });
  });

  it('are the newest of all places, wherever that is', async () => {
    const [first, second] = [place(), place()];
    first.held.set('draft-a', { at: 1, text: 'old' });
    second.held.set('draft-a', { at: 2, text: 'new' });
    for (const places of [
      [first, second],
      [second, first],
    ]) {
      expect(await createUnsavedTexts(places, memoryDevice(), now).read('draft-a')).toBe('new');
    }
  });

  it('skips what is out of date when a place is slow, and ends with the last text', async () => {
    const slow = place();
    const { write } = slow;
    const write2: TextPlace['write'] = async (key, stored) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await write(key, stored);
    };
    const texts = createUnsavedTexts([{ ...slow, write: write2 }], memoryDevice(), now);
    const stored = Array.from({ length: 200 }, (_, index) => texts.write('draft-a', `text ${index}`));
    expect(await texts.read('draft-a')).toBe('text 199');
    await Promise.all(stored);
    expect(slow.writes).toBeLessThan(5);
  });
});

describe('the files', () => {
  it('keep the text before when a write is cut off, at every byte', async () => {
    const adapter = new MemoryAdapter();
    const files = createFilePlace(adapter, folder, null);
    for (let cut = 0; cut < 25; cut += 1) {
      await files.write('draft-a', { at: 2 * cut + 1, text: `before ${cut}` });
      const before = new Map(adapter.paths().map((path) => [path, adapter.textAt(path)]));
      await files.write('draft-a', { at: 2 * cut + 2, text: `after ${cut}` });
      const written = adapter.paths().find((path) => adapter.textAt(path)?.includes(`after ${cut}`)) ?? '';
      adapter.writeOutside(written, (adapter.textAt(written) ?? '').slice(0, cut));
      expect(before.get(written) ?? '').not.toContain(`before ${cut}`);
      expect((await files.read('draft-a'))?.text).toBe(`before ${cut}`);
    }
  });

  it.each(['', '7', 'null', '"text"', '{}', '{"at":"1","text":"x"}', '{"at":1}', '{"text":"x"}', '{"at":1,"text":7}'])(
    'take %j for nothing',
    async (text) => {
      const adapter = new MemoryAdapter({ files: { [`${folder}/draft-a.json`]: text } });
      expect(await createFilePlace(adapter, folder, null).read('draft-a')).toBeNull();
      adapter.writeOutside(`${folder}/draft-a.2.json`, '{"at":1,"text":"x"}');
      expect(await createFilePlace(adapter, folder, null).read('draft-a')).toEqual({ at: 1, text: 'x' });
    },
  );

  it('have the first of two that are as new, and write over the other one', async () => {
    const paths = [`${folder}/draft-a.json`, `${folder}/draft-a.2.json`] as const;
    const files = { [paths[0]]: '{"at":5,"text":"one"}', [paths[1]]: '{"at":5,"text":"two"}' };
    const adapter = new MemoryAdapter({ files });
    const place = createFilePlace(adapter, folder, null);
    expect(await place.read('draft-a')).toEqual({ at: 5, text: 'one' });
    await place.write('draft-a', { at: 5, text: 'three' });
    expect(paths.map((path) => JSON.parse(adapter.textAt(path) ?? '') as unknown)).toEqual([
      { at: 5, text: 'one' },
      { at: 6, text: 'three' },
    ]);
    expect(await place.read('draft-a')).toEqual({ at: 6, text: 'three' });
    await place.write('draft-a', { at: 9, text: null });
    expect(JSON.parse(adapter.textAt(paths[0]) ?? '')).toEqual({ at: 9, text: null });
  });

  it('stay in their folder, whatever the key says, and leave nothing when the text is removed', async () => {
    const adapter = new MemoryAdapter();
    const files = createFilePlace(adapter, folder, null);
    await files.write('draft-../../../x', { at: 1, text: 'one' });
    await files.write('draft-../../../x', { at: 2, text: 'two' });
    const inside = adapter.paths().filter((path) => path.endsWith('.json'));
    expect(inside.map((path) => path.startsWith(`${folder}/`))).toEqual([true, true]);
    await files.remove('draft-../../../x');
    expect(adapter.paths().filter((path) => path.endsWith('.json'))).toEqual([]);
  });

  it.each(['one', 'two'])(
    'give back no text from before when a removal is cut off, with %s written last',
    async (last) => {
      const adapter = new MemoryAdapter();
      const files = createFilePlace(adapter, folder, null);
      if (last === 'two') await files.write('draft-a', { at: 1, text: 'first' });
      await files.write('draft-a', { at: 2, text: 'before' });
      await files.write('draft-a', { at: 3, text: 'after' });
      let removed = 0;
      adapter.fault = (operation) => (operation === 'remove' && (removed += 1) > 1 ? new Error('EBUSY') : 'pass');
      await expect(files.remove('draft-a')).rejects.toThrow('EBUSY');
      expect((await files.read('draft-a'))?.text).toBe('after');
    },
  );

  it('are of one device, and found by one that has lost its name, which leaves them to the other', async () => {
    const adapter = new MemoryAdapter();
    const [own, other, nameless] = ['a1', 'b2', 'c3'].map((writer) =>
      createFilePlace(adapter, folder, { writer, isNew: writer === 'c3' }),
    ) as [TextPlace, TextPlace, TextPlace];
    await own.write('draft-a', { at: 5, text: 'own' });
    await own.write('draft-a-b', { at: 9, text: 'of another chat' });
    await other.write('draft-a', { at: 3, text: 'other' });
    const textsIn = async (...places: TextPlace[]) =>
      Promise.all(places.map(async (each) => (await each.read('draft-a'))?.text));
    // A write of a third device was cut off.
    adapter.writeOutside(`${folder}/d4-draft-a.json`, '{"at":');
    expect(await textsIn(own, other, nameless)).toEqual(['own', 'other', 'own']);
    await adapter.remove(`${folder}/d4-draft-a.json`);
    await nameless.write('draft-a', { at: 4, text: 'mine' });
    expect(await textsIn(own, other, nameless)).toEqual(['own', 'other', 'mine']);
    for (let removals = 0; removals < 2; removals += 1) await nameless.remove('draft-a');
    expect(await textsIn(own, other, nameless)).toEqual(['own', 'other', null]);
    expect((await nameless.read('draft-a'))?.at).toBeLessThan(9);
    for (const each of [own, other]) await each.remove('draft-a');
    await nameless.remove('draft-a');
    expect(adapter.paths().filter((path) => path.includes('draft-a.'))).toEqual([]);
  });

  it.each(['write', 'mkdir', 'stat'] as const)('say that they took nothing when %s fails', async (broken) => {
    const adapter = new MemoryAdapter();
    adapter.fault = (operation) => (operation === broken ? new Error('ENOSPC: no space left') : 'pass');
    const texts = createUnsavedTexts([createFilePlace(adapter, folder, null)], memoryDevice(), now);
    const stored = await texts.write('draft-a', 'text');
    expect(!stored.ok && stored.failure.words).toMatch(/ENOSPC/);
  });
});

describe('the database', () => {
  const given = Object.getOwnPropertyDescriptor(window, 'indexedDB');
  afterEach(() => {
    if (given === undefined) delete (window as unknown as Record<string, unknown>)['indexedDB'];
    else Object.defineProperty(window, 'indexedDB', given);
  });

  it('gives way to the files where it does not exist, refuses, or never answers', async () => {
    const silent = { open: () => ({}) };
    const refusing = {
      open: () => {
        throw new Error('SecurityError');
      },
    };
    for (const factory of [undefined, silent, refusing]) {
      Object.defineProperty(window, 'indexedDB', { configurable: true, value: factory });
      const adapter = new MemoryAdapter();
      const places = [createDatabasePlace('docent-x'), createFilePlace(adapter, folder, null)];
      const texts = createUnsavedTexts(places, memoryDevice(), now);
      expect((await texts.write('draft-a', 'text')).ok).toBe(true);
      expect(await texts.read('draft-a')).toBe('text');
    }
  });
});

it('a text in files is the newest although the clock was set back since the one before', async () => {
  const adapter = new MemoryAdapter();
  const open = (time: number) =>
    createUnsavedTexts([createFilePlace(adapter, folder, null)], memoryDevice(), () => time);
  await open(900).write('draft-a', 'before');
  for (const text of ['one', 'two', 'three']) {
    await open(100).write('draft-a', text);
    expect(await open(100).read('draft-a')).toBe(text);
  }
});
