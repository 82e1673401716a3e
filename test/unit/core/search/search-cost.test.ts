import { questionWordsOf } from '../../../../src/core/search/question-words';
import { createMemoryStore, makeNotes, measureSearch, openSession } from '../../../bench/vault/search-part';
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
