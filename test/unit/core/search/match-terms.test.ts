/** Which terms of an index the words of a question mean, and how much each of them weighs. */
import { createWorkBudget } from '../../../../src/core/base/async';
import { matchTerms } from '../../../../src/core/search/match-terms';
import { PassageIndex } from '../../../../src/core/search/passage-index';
import { parseQuery } from '../../../../src/core/search/query';

/** An index of these notes, each with the number of its copies. */
async function indexOf(notes: Readonly<Record<string, number>>): Promise<PassageIndex> {
  const index = new PassageIndex();
  const budget = createWorkBudget(new AbortController().signal);
  for (const [text, copies] of Object.entries(notes)) {
    for (let copy = 0; copy < copies; copy += 1) {
      const entry = { kind: 'note' as const, path: `0/${index.noteCount}.txt`, modified: 1, size: text.length };
      await index.add(entry, text, budget);
    }
  }
  return index;
}

async function match(question: string, notes: Readonly<Record<string, number>>, isGuide = false) {
  return matchTerms(parseQuery(question), await indexOf(notes), isGuide);
}

async function spellings(question: string, notes: Readonly<Record<string, number>>): Promise<string[]> {
  const matched = await match(question, notes);
  return matched.flatMap((each) => each.spellings.map(({ term, factor }) => `${term} ${factor}`));
}

it.each([
  ['itself', 'cabin', ['cabin', 'cabins'], ['cabin 1']],
  ['no other one that the index has as well', 'rigger', ['rigger', 'riggers', 'rigger of'], ['rigger 1']],
  ['one that starts with it', 'keelb', ['keelbolt'], ['keelbolt 0.5']],
  ['one with up to three more letters', 'mainsh', ['mainshabc', 'mainshabcd'], ['mainshabc 0.5']],
  ['one with a letter more', 'halyrd', ['halyard'], ['halyard 0.5']],
  ['one with a letter less', 'hallyard', ['halyard'], ['halyard 0.5']],
  ['one with two letters changed about', 'haylard', ['halyard'], ['halyard 0.5']],
  ['one whose last letters are changed about', 'halyadr', ['halyard'], ['halyard 0.5']],
  ['none with another letter', 'halyord', ['halyard'], []],
  ['none with two letters more', 'halyd', ['halxyd', 'halxxyd'], []],
  ['none with two slips', 'hlayadr', ['halyard'], []],
  ['none with a slip for a word of five letters', 'halyr', ['haylr', 'hallyr'], []],
  ['none with a slip in its first letter', 'xalyard', ['halyard'], []],
  ['none for a word of four letters', 'keel', ['keelbolt'], []],
  ['none for a word with digits', 'mast12', ['mast123', 'mast1'], []],
  ['two words written as one', 'fore deck', ['foredeck'], ['foredeck 0.8', 'foredeck 0.8']],
  [
    'no near one if two words are written as one',
    'rudder post',
    ['rudderpost', 'rudderx'],
    ['rudderpost 0.8', 'rudderpost 0.8'],
  ],
])('a word means %s', async (_what, question, notes, expected) => {
  expect(await spellings(question, Object.fromEntries(notes.map((text) => [text, 1])))).toEqual(expected);
});

it('means at most five near words, those in most notes first', async () => {
  const notes = { rudderab: 1, rudderaa: 1, rudderac: 3, rudderad: 2, rudderax: 1, rudderbx: 1, rudderox: 4 };
  expect(await spellings('rudder', notes)).toEqual(
    ['rudderox', 'rudderac', 'rudderad', 'rudderaa', 'rudderab'].map((each) => `${each} 0.5`),
  );
});

const rarityOf = (notes: number, spread: number): number => Math.log(1 + (notes + 100 - spread + 0.5) / (spread + 0.5));

it('weighs a word by how few notes have one of its spellings', async () => {
  const [keel, mast, none] = await match('keel mast nowhere', { 'keel mast': 1, keel: 3 });
  expect([keel?.rarity, mast?.rarity, none?.rarity]).toEqual([rarityOf(4, 4), rarityOf(4, 1), rarityOf(4, 1)]);
  expect([keel?.weight, mast?.weight, none?.weight]).toEqual([keel?.rarity, mast?.rarity, none?.rarity]);
  const [near] = await match('rudder', { rudderaa: 3, rudderab: 2 });
  expect(near?.rarity).toBe(rarityOf(5, 3));
});

it('gives no weight to a word of a guide that the guide does not have', async () => {
  const [keel, none] = await match('keel nowhere', { keel: 1 }, true);
  expect([keel?.weight, none?.weight]).toEqual([keel?.rarity, 0]);
});

it('gives no weight to a word that no note has, if the notes are in another language', async () => {
  const question = 'Wie repariere ich das Ruder';
  const other = await match(question, { 'the keel of the boat': 10 });
  expect(other.filter(({ asked }) => asked.word === 'ruder').map(({ weight }) => weight)).toEqual([0]);
  const own = await match(question, { 'das ist wie ich und nicht': 10 });
  expect(own.find(({ asked }) => asked.word === 'ruder')?.weight).toBeGreaterThan(0);
});

it('lets a word that says little weigh a quarter of itself, and no more than the rarest other one', async () => {
  const terms = await match('best keel', { 'best keel': 1, keel: 3 });
  const [best, keel] = ['best', 'keel'].map((word) => terms.find(({ asked }) => asked.word === word));
  expect([best?.asked.light, keel?.asked.light]).toEqual([true, false]);
  expect(best?.rarity).toBe(rarityOf(4, 4));
  expect(best?.weight).toBe(rarityOf(4, 4) / 4);
  const [missing] = await match('best keel', { keel: 1 });
  expect([missing?.asked.word, missing?.weight, missing?.spellings]).toEqual(['best', 0, []]);
});

it('drops a pair of characters that is only where two words meet', async () => {
  const words = async (question: string, notes: Readonly<Record<string, number>>) =>
    (await match(question, notes)).map(({ asked }) => asked.word);
  expect(await words('東京天気', { 東京: 1, 天気: 1 })).toEqual(['東京', '天気']);
  expect(await words('東京天気', { 東京: 1 })).toEqual(['東京', '京天', '天気']);
  expect(await words('東京天気', { 東京天: 1, 天気: 1 })).toEqual(['東京', '京天', '天気']);
  expect(await words('東京 天気予 報道', { 東京: 1, 気予: 1, 報道: 1 })).toEqual(['東京', '天気', '気予', '報道']);
});
