import { frontNames } from '../../../../src/core/markdown/properties';
import { spelledTags, spelledTagsIn } from '../../../../src/core/markdown/note-tags';
import { structureOf } from '../../../../src/core/markdown/structure';
import { matchTerms } from '../../../../src/core/search/match-terms';
import { PassageIndex } from '../../../../src/core/search/passage-index';
import { parseQuery } from '../../../../src/core/search/query';
import { questionWordsOf } from '../../../../src/core/search/question-words';
import { createMemoryStore, makeNotes, measureSearch, openSession } from '../../../bench/vault/search-part';
import { fakeVault } from '../../../support/fake-vault';
import { runTool } from '../tools/tool-fixture';
import { expectCostBelow, expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const question = 'How does the ra5x of the keel work with ra2sx?';

async function storedSession(notes: number): Promise<() => Promise<unknown>> {
  const files = makeNotes(notes);
  const store = createMemoryStore();
  const first = openSession(files, store);
  await first.stored();
  first.upkeep.close();
  return async () => {
    const next = openSession(files, store);
    next.upkeep.start();
    const found = await next.ask(question);
    next.upkeep.close();
    expect([found.notes, found.waiting]).toEqual([notes, 0]);
  };
}

it('answers the first question after a start at a fraction of the cost of indexing, and in proportion', async () => {
  const [small, large] = [await storedSession(600), await storedSession(1_800)];
  // 300 ms for 10,000 notes, and as much again for what does not grow.
  await expectCostBelow(150, large);
  await expectGrowthBelow(5, large, small);
}, 120_000);

it('reads nothing to index after a start, and quotes a bounded number of notes', async () => {
  const figures = await measureSearch(300, () => undefined);
  expect([figures.search_notes, figures.second_search_reads]).toEqual([300, 0]);
  expect(figures.second_search_quoted).toBeGreaterThan(0);
  expect(figures.second_search_quoted).toBeLessThanOrEqual(60);
}, 120_000);

it('finds the words that ask in time that grows with the question', async () => {
  const words = (count: number): string[] =>
    Array.from({ length: count }, (_, n) => (n % 2 === 0 ? 'wie' : `keel${n}`));
  const ask = (all: readonly string[]) => (): number => all.filter(questionWordsOf(all).isStop).length;
  await expectGrowthBelow(5, ask(words(90_000)), ask(words(30_000)));
});

it('looks through the terms of an index once for many unknown words of a query', () => {
  const index = new PassageIndex();
  const looked = jest.spyOn(index, 'termsLike');
  matchTerms(parseQuery('keelson kestrel sailmaker kelpies'), index, false);
  expect(looked.mock.calls).toEqual([['k'], ['s']]);
});

/** More than a function takes as arguments of one call. */
const very = 130_000;

it('reads a note with very many names on one line', () => {
  const list = 'a,'.repeat(very);
  const text = `---\naliases: [${list}]\n---\n`;
  expect(frontNames(text, structureOf(text)).aliases).toHaveLength(very);
  expect(spelledTags({ tags: list })).toHaveLength(very);
  expect(spelledTagsIn(`tags: ${list}`)).toHaveLength(very);
});

it('reads a heading of any length once, not for each passage below it, and finds what is in it', async () => {
  const texts = `${'Text of glue and saws. '.repeat(40)}\n\n`;
  const noteOf = (length: number): string =>
    `# ${'keel boat '.repeat(length / 10)}hafnium\n${texts.repeat(length / texts.length)}`;
  const ask = (query: string, length: number) => () =>
    runTool(fakeVault({ 'Long.md': noteOf(length) }), 'search_notes', { query });
  await expectGrowthBelow(8, ask('glue keel', 120_000), ask('glue keel', 30_000));
  expect(await ask('hafnium', 100_000)()).toMatch(/^1 passage in 1 note for: hafnium\./);
  expect((await ask('glue keel', 100_000)()).length).toBeLessThan(20_000);
}, 120_000);

it('finds a note with very many passages', async () => {
  const session = openSession({ 'Log.md': '# a\nx\n'.repeat(very) }, createMemoryStore());
  expect((await session.ask('log')).passages).toHaveLength(3);
  session.upkeep.close();
}, 120_000);
