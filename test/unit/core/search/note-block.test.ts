import { createWorkBudget } from '../../../../src/core/base/async';
import { type NoteBlock, noteIn, packBlock, unpackBlock } from '../../../../src/core/search/note-block';
import { PassageIndex } from '../../../../src/core/search/passage-index';
import { type SearchOutcome, searchVault } from '../../../../src/core/search/search-vault';
import { type FakeVault, fakeVault } from '../../../support/fake-vault';

const { signal } = new AbortController();
const texts = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, number) => [
      `Folder ${number % 7}/Note ${number}.md`,
      `---\naliases: [Other ${number}]\n---\nOpening ${number}.\n\n# Heading ${number % 5}\n\n` +
        `The keel of boat ${number} has ${number % 3 === 0 ? 'bronze' : 'iron'} bolts. 東京 ${number}\n\n## Deeper\nTeak, teak.`,
    ]),
  );
const search = (vault: FakeVault, question: string, index: PassageIndex): Promise<SearchOutcome> =>
  searchVault(vault, index, question, { entries: vault.files(), limit: 20 }, signal);
const free = { spend: () => true };
const questions = ['bronze keel', 'boat 17', 'other 12 heading', 'teak deeper', '東京', 'opening 3', '"iron bolts"'];

async function indexOf(vault: FakeVault): Promise<PassageIndex> {
  const index = new PassageIndex();
  await search(vault, 'keel', index);
  return index;
}
/** Copies an index as a store does. */
function copyOf(index: PassageIndex): PassageIndex {
  const copy = new PassageIndex();
  index.blocks.forEach(({ block }, key) => {
    const read = unpackBlock(structuredClone(packBlock(block)));
    if (read !== null) copy.adopt(read, key);
  });
  return copy;
}

describe('a stored index', () => {
  it('answers as the one that it was made of, and reads only what it quotes', async () => {
    const vault = fakeVault(texts(300));
    const index = await indexOf(vault);
    const copy = copyOf(index);
    expect([index.blocks.length, copy.noteCount, copy.averageLength]).toEqual([3, 300, index.averageLength]);
    for (const question of questions) {
      const before = vault.reads.length;
      const found = await search(vault, question, copy);
      const read = new Set(vault.reads.slice(before));
      expect(found).toEqual(await search(vault, question, index));
      expect([question, found.passages.length]).not.toEqual([question, 0]);
      expect(read.size).toBeLessThanOrEqual(question.startsWith('"') ? 400 : 60);
    }
  });

  it('is the same by whichever way its notes came into it', async () => {
    const vault = fakeVault(texts(200));
    const index = await indexOf(vault);
    for (const path of Object.keys(texts(200)).slice(20, 190)) {
      vault.put(path, 'Nothing of interest.');
      if (path.length % 2 === 0) vault.put(path, texts(200)[path] ?? '');
    }
    await search(vault, 'keel', index);
    index.repack();
    const fresh = await indexOf(vault);
    for (const question of questions) {
      expect(await search(vault, question, index)).toEqual(await search(vault, question, fresh));
    }
  });

  it('has nothing of a note that is no longer in the index once it is packed again', async () => {
    const vault = fakeVault({ ...texts(10), 'Secret.md': 'Zirconium.' });
    const index = await indexOf(vault);
    const [first] = index.repack().added;
    if (first === undefined) throw new Error('There is no block.');
    first.key = 7;
    expect(JSON.stringify(packBlock(first.block))).toContain('zirconium');
    index.forget('Secret.md');
    const { added, removed } = index.repack();
    expect(removed).toEqual([7]);
    const stored = JSON.stringify(added.map(({ block }) => packBlock(block)));
    expect(stored).not.toMatch(/zirconium|Secret/);
    expect(stored).toContain('Note 9.md');
    expect(index.repack().removed).toEqual([]);
  });

  it('has at most so many blocks to write at a time, and the others after them', async () => {
    const index = await indexOf(fakeVault(Object.fromEntries(Object.keys(texts(300)).map((path) => [path, 'Keel.']))));
    const sizes = [1, 1, Infinity].map((max) => {
      const { added } = index.repack(max);
      added.forEach((owner) => index.stored(owner, index.blocks.indexOf(owner)));
      return added.length;
    });
    expect(sizes).toEqual([1, 1, 1]);
    for (const { block } of [...index.blocks]) index.forget(block.paths[0] ?? '');
    expect([1, 1, Infinity].map((max) => index.repack(max).removed.length)).toEqual([1, 1, 1]);
  });

  it.each(['forget', 'change', 'search', 'pack', 'store', 'adopt'])(
    'has each note once, as it was indexed last, after a %s while a block is made in steps',
    async (act) => {
      const entries = fakeVault(texts(128)).files();
      const last = entries[127];
      const rare = 'Folder 3/Note 3.md';
      const [adopted] = (await indexOf(fakeVault({ [rare]: 'Zirconium.' }))).blocks;
      if (last === undefined || adopted === undefined) throw new Error('There is no note.');
      for (const step of [8, 60, 120, 133]) {
        const index = new PassageIndex();
        for (const entry of entries.slice(0, 127)) await index.add(entry, texts(128)[entry.path] ?? '', free);
        const between = async (): Promise<boolean> => {
          if (act === 'forget') index.forget(rare);
          else if (act === 'change')
            await index.add(
              entries.find(({ path }) => path === rare)!,
              'Zirconium.',
              free,
            );
          else if (act === 'search') index.spreadOf('keel');
          else if (act === 'pack') index.repack();
          else if (act === 'store') index.repack().added.forEach((owner, key) => index.stored(owner, key));
          else index.adopt(adopted.block, 99);
          return true;
        };
        let spent = 0;
        const spend = (): true | Promise<boolean> => ((spent += 1) === step ? between() : true);
        expect(await index.add(last, texts(128)[last.path] ?? '', { spend })).toBe(true);
        expect(spent).toBeGreaterThanOrEqual(step);
        const kept = entries.flatMap(({ path }) => (act === 'forget' && path === rare ? [] : [path]));
        expect([...index.paths()].sort()).toEqual([...kept].sort());
        const inBlocks = index.blocks.flatMap(({ block, current, count }) => {
          const shown = block.paths.filter((_, place) => current[place] === 1);
          expect(shown).toHaveLength(count);
          return shown;
        });
        expect(inBlocks.sort()).toEqual([...kept].sort());
        const isReplaced = act === 'change' || act === 'adopt';
        expect(index.spreadOf('zirconium')).toBe(isReplaced ? 1 : 0);
        expect(index.spreadOf('keel')).toBe(kept.length - (isReplaced ? 1 : 0));
      }
    },
  );

  it('joins small blocks, so that many small changes leave few blocks', async () => {
    const vault = fakeVault(texts(40));
    const index = await indexOf(vault);
    for (let round = 0; round < 50; round += 1) {
      vault.put('Folder 0/Note 0.md', `Round ${round}`);
      await search(vault, 'round', index);
      index.repack();
    }
    expect([index.blocks.length, index.noteCount]).toEqual([2, 40]);
  });
});

it.each([
  ['few different terms', 1_000, Uint16Array],
  ['more than two bytes count', 70_000, Uint32Array],
])('finds, stores and reads back every term of a block of %s', async (_, count, kind) => {
  const terms = Array.from({ length: count }, (_each, at) => `x${at}`);
  const index = await indexOf(fakeVault({ 'Terms.md': terms.join(' ') }));
  const [owner] = index.blocks;
  if (owner === undefined) throw new Error('There is no block.');
  expect(owner.block.noteTerms).toBeInstanceOf(kind);
  const block = unpackBlock(packBlock(owner.block));
  expect(block).toEqual(owner.block);
  const last = [...terms].sort().at(-1) ?? '';
  expect([terms[0] ?? '', last].map((term) => index.spreadOf(term))).toEqual([1, 1]);
  const known = new Set(noteIn(owner.block, 0).terms);
  expect(terms.filter((term) => !known.has(term))).toEqual([]);
});

it('reads a block that a database gives back at any place in a buffer', async () => {
  const [owner] = (await indexOf(fakeVault(texts(5)))).blocks;
  if (owner === undefined) throw new Error('There is no block.');
  const packed = packBlock(owner.block);
  const { data, noteTerms } = packed;
  const apart = new Uint8Array(data.length + 3);
  apart.set(data, 3);
  const shifted = new Uint16Array(noteTerms.length + 1);
  shifted.set(noteTerms, 1);
  const moved = { ...packed, data: apart.subarray(3), noteTerms: shifted.subarray(1) };
  expect(unpackBlock(moved)).toEqual(owner.block);
});

describe('a damaged block', () => {
  it.each<[string, (block: NoteBlock & { format: number }) => unknown]>([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a text', () => 'block'],
    ['an empty object', () => ({})],
    ['another format', (block) => ({ ...block, format: 99 })],
    ['a cut array', (block) => ({ ...block, data: block.data.slice(0, -1) })],
    ['another byte', (block) => ({ ...block, data: block.data.map((byte, at) => (at === 5 ? byte ^ 1 : byte)) })],
    [
      'the last byte',
      (block) => ({ ...block, data: block.data.map((byte, at, all) => (at === all.length - 1 ? byte ^ 1 : byte)) }),
    ],
    ['another term', (block) => ({ ...block, terms: String(block.terms).replace('keel', 'heel') })],
    ['another path', (block) => ({ ...block, paths: String(block.paths).replace('Note', 'Vote') })],
    ['other numbers', (block) => ({ ...block, noteTerms: block.noteTerms.map((term) => term + 1) })],
    ['a plain array', (block) => ({ ...block, noteTerms: [...block.noteTerms] })],
  ])('is known: %s', async (_, damage) => {
    const [owner] = (await indexOf(fakeVault(texts(5)))).blocks;
    if (owner === undefined) throw new Error('There is no block.');
    const packed = packBlock(owner.block);
    expect(unpackBlock(packed)).toEqual(owner.block);
    expect(unpackBlock(damage(packed as never))).toBeNull();
  });
});

it('reads in one search at most so many notes, those with its words in their path first, and says how many wait', async () => {
  const vault = fakeVault(texts(2_500));
  vault.put('Zebra/Impeller.md', 'Rubber.');
  for (let number = 0; number < 10; number += 1) vault.put(`New ${number}.md`, 'Rubber.');
  const index = new PassageIndex();
  const found = await search(vault, 'impeller rubber', index);
  expect([found.notes, found.waiting]).toEqual([2_000, 511]);
  expect(found.passages[0]?.path).toBe('Zebra/Impeller.md');
  const rest = await search(vault, 'impeller rubber', index);
  expect([rest.notes, rest.waiting]).toEqual([2_511, 0]);
});

it('keeps to the work budget while it indexes', async () => {
  const stop = new AbortController();
  stop.abort();
  const index = new PassageIndex();
  const [entry] = fakeVault({ 'a.md': 'x' }).files();
  if (entry === undefined) throw new Error('There is no note.');
  expect(await index.add(entry, 'x', createWorkBudget(stop.signal))).toBe(false);
  expect(index.noteCount).toBe(0);
});
