import { foldText } from '../../../../src/core/base/fold';
import { contentWords, parseQuery, stem, termsOf, wordsOf } from '../../../../src/core/search/query';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';

describe('folding', () => {
  it.each([
    ['Café Élan', 'cafe elan'],
    ['Straße', 'strasse'],
    ['Ｆｕｌｌ', 'full'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['e\u0301', 'e'],
    ['ガ', 'ガ'],
    ['हिन्दी', 'हिन्दी'],
  ])('writes %s as %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});

describe('stems', () => {
  it.each([
    ['link links linked linking'],
    ['embed embeds embedded embedding'],
    ['copy copies copied copying'],
    ['note notes'],
    ['create creates created creating'],
    ['format formats formatted formatting'],
    ['install installs installed installing'],
    ['box boxes'],
    ['summary summaries summarise summarized summarizing'],
    ['organise organize organised organizing'],
  ])('are one for %s', (forms) => {
    expect(new Set(forms.split(' ').map(stem)).size).toBe(1);
  });

  it.each(['string', 'thing', 'bus', 'red', 'Über', '東京', 'v2'])('leave %s alone', (word) => {
    expect(stem(word)).toBe(word);
  });
});

describe('terms', () => {
  it('cuts unspaced scripts into characters and pairs', () => {
    expect(termsOf('東京の天気')).toEqual(['東', '京', 'の', '天', '気', '東京', '京の', 'の天', '天気']);
    expect(termsOf('iPhone手机')).toEqual(['iphon', '手', '机', '手机']);
  });

  it('keeps pictographs, and drops what clings to an apostrophe', () => {
    expect(wordsOf("Obsidian's 🚀 launch, l'été")).toEqual(['obsidian', '🚀', 'launch', 'l', 'ete']);
  });
});

describe('queries', () => {
  it('keep content words of the language asked in', () => {
    expect(contentWords('How do I embed a PDF?')).toEqual(['embed', 'pdf']);
    expect(contentWords('Wie binde ich ein Bild in die Notiz ein?')).toEqual(['binde', 'bild', 'notiz']);
    expect(contentWords('the war of the sons')).toEqual(['war', 'sons']);
  });

  it('fall back to all words when there is no other', () => {
    expect(parseQuery('to be or not to be').terms.map((term) => term.word)).toEqual(['to', 'be', 'or', 'not']);
  });

  it('read exact phrases in any quotes', () => {
    expect(parseQuery('the "Keel  Bolt" and «été» and 「東京」').phrases).toEqual(['keel bolt', 'ete', '東京']);
    expect(parseQuery('between “ ” and " "').phrases).toEqual([]);
  });

  it('know a written date by its numbers', () => {
    const joined = (text: string): string[] => parseQuery(text).terms.flatMap((term) => term.joined);
    expect(joined('launched on 2 May 2026')).toEqual(expect.arrayContaining(['02', '05']));
    expect(joined('launched on May 2nd, 2026')).toEqual(expect.arrayContaining(['02', '05']));
    expect(contentWords('what may be')).toEqual([]);
  });
});

it('takes time in proportion to the length of a word, and of quotes without an end', async () => {
  await expectCostBelow(200, () => stem('acgt'.repeat(20_000)));
  expect(stem('a'.repeat(60) + 'ings')).toBe('a'.repeat(60));
  await expectCostBelow(400, () => parseQuery('“'.repeat(20_000) + '«'.repeat(20_000) + '„'.repeat(20_000)));
  expect(parseQuery('say “the “keel bolt” again').phrases).toEqual(['keel bolt']);
});

it('takes an unspaced text of any length', () => {
  expect(termsOf('木'.repeat(150_000))).toHaveLength(299_999);
});
