import fc from 'fast-check';
import { foldText } from '../../../../src/core/base/fold';
import { editList } from '../../../../src/core/base/list-edits';
import type { MentionCandidate } from '../../../../src/core/mentions/mention-source';
import { prepareRanking, rankCandidates } from '../../../../src/ui/mentions/rank-candidates';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

function notes(...paths: string[]): MentionCandidate[] {
  return paths.map((path) => {
    const [label = '', folder = ''] = path.split('/').reverse();
    return { mention: { kind: 'note', id: path, label }, detail: folder, keywords: folder };
  });
}

function ranked(candidates: readonly MentionCandidate[], query: string, limit = 12): string[] {
  return rankCandidates(candidates, query, limit).map((one) => ('mention' in one ? one.mention.label : ''));
}

/** Judges each item whole and sorts them; null if none contains all words, which is when letters may be missing. */
function rankPlainly(all: readonly (readonly [string, string])[], query: string, limit: number): string[] | null {
  const wanted = foldText(query.trim());
  if (wanted === '') return all.slice(0, limit).map(([label]) => label);
  const terms = wanted.split(/[\s/]+/).filter((term) => term !== '');
  const placesOf = (text: string, term: string): number[] =>
    Array.from({ length: text.length }, (_, at) => at).filter((at) => text.startsWith(term, at));
  const items = all.flatMap(([label, folder]) => {
    const name = foldText(label);
    const text = `${name} ${foldText(folder)}`;
    if (terms.some((term) => !text.includes(term))) return [];
    if (name === wanted) return { label, rank: 0 };
    if (name.startsWith(wanted)) return { label, rank: 1 };
    const places = terms.map((term) => {
      const found = placesOf(text, term);
      const first = found.find((at) => at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)));
      return { from: first ?? found[0] ?? 0, beginsWord: first !== undefined };
    });
    if (places.some(({ from }) => from >= name.length)) return { label, rank: 4 };
    return { label, rank: places.every(({ beginsWord }) => beginsWord) ? 2 : 3 };
  });
  if (items.length === 0) return null;
  return [...items]
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ label }) => label);
}

describe('R175 ranking', () => {
  it('gives the first ones for an empty query', () => {
    expect(ranked(notes('C', 'A', 'B'), '  ', 2)).toEqual(['C', 'A']);
  });

  it('puts the very name first, then beginnings of the name, of its words, the middle of words, and keywords', () => {
    const list = notes('keel/Sails', 'Blinkeely', 'The keel', 'Keel bolts', 'Keel', 'Mast');
    expect(ranked(list, 'KEEL')).toEqual(['Keel', 'Keel bolts', 'The keel', 'Blinkeely', 'Sails']);
    expect(ranked(list, 'keel', 1)).toEqual(['Keel']);
  });

  it('keeps the order of the list among equals', () => {
    expect(ranked(notes('Boat 3', 'Boat 1', 'Boat 2'), 'boat')).toEqual(['Boat 3', 'Boat 1', 'Boat 2']);
  });

  it('finds words in any order, and those of the folder', () => {
    const list = notes('Boats/Whimbrel keel bolts', 'Keel');
    expect(ranked(list, 'bolts keel')).toEqual(['Whimbrel keel bolts']);
    expect(ranked(list, 'boats keel')).toEqual(['Whimbrel keel bolts']);
    expect(ranked(list, 'boats/whim')).toEqual(['Whimbrel keel bolts']);
  });

  it.each([
    ['cafe', 'Café à la criée'],
    ['CRIÉE', 'Café à la criée'],
    ['読書', '読書メモ'],
    ['👩🏽‍🔬', '👩🏽‍🔬 field kit'],
    ['c++', 'C++ & <x>'],
    ['ångström', 'A\u030angstro\u0308m'],
    ['2025-03', '2025-03-28'],
  ])('finds %j in %j', (query, label) => {
    expect(ranked(notes('Other', label, 'Another'), query)).toEqual([label]);
  });

  it('forgives a letter left out, but only when nothing fits as typed', () => {
    expect(ranked(notes('Garden', 'Gardn'), 'gardn')).toEqual(['Gardn']);
    expect(ranked(notes('Garden', 'Other'), 'gardn')).toEqual(['Garden']);
    expect(ranked(notes('Garden'), 'xgarden')).toEqual([]);
  });

  it('puts the very name first although enough names before it begin with the query', () => {
    const list = notes(...Array.from({ length: 40 }, (_, at) => `keel ${at}`), 'The keel', 'Keel', 'Keels');
    expect(ranked(list, 'keel', 3)).toEqual(['Keel', 'keel 0', 'keel 1']);
    for (const query of ['k', 'ke', 'kee']) expect(ranked(list, query, 3)).toEqual(['keel 0', 'keel 1', 'keel 2']);
    expect(ranked(list, 'keel', 3)).toEqual(['Keel', 'keel 0', 'keel 1']);
    expect(ranked(list, 'keels', 3)).toEqual(['Keels']);
  });

  it('finds the same letter by letter, backwards, and at once', () => {
    const words = ['keel', 'boat', 'garden', 'plan', 'café', 'seed'];
    const paths = Array.from(
      { length: 500 },
      (_, n) => `${words[n % 6]}/${words[(n * 7) % 6]} ${words[(n * 5) % 4]} ${n}`,
    );
    const typed = notes(...paths);
    const queries = ['seed k', 'garden 1', 'cafe plan 4', 'bot', 'bo zz'].flatMap((query) => {
      const prefixes = Array.from({ length: query.length }, (_, end) => query.slice(0, end + 1));
      return [...prefixes, ...prefixes.reverse()];
    });
    for (const query of queries) expect([query, ranked(typed, query)]).toEqual([query, ranked(notes(...paths), query)]);
  });

  it('is the order of the exact name, beginnings, words, names, and keywords, in any script', () => {
    const part = fc.constantFrom(
      ...['keel', 'Keel', 'eel', 'k', 'e', 'Café', 'cafe\u0301', '読書', 'ключ', 'ß', '7', '76', 'C++', '👩🏽‍🔬', '/'],
      ...['O\u2019Brien', 'two', '.', '-', '한글', 'هلال'],
    );
    const name = fc.array(part, { minLength: 1, maxLength: 4 }).chain((parts) => {
      return fc.constantFrom('', ' ', '-').map((joint) => parts.join(joint));
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name), { maxLength: 40 }), name, fc.nat(6), (all, query, limit) => {
        const list: MentionCandidate[] = all.map(([label, folder]) => ({
          ...{ mention: { kind: 'note', id: `${folder}/${label}`, label }, detail: folder, keywords: folder },
        }));
        const expected = rankPlainly(all, query, limit);
        if (expected !== null) expect(ranked(list, query, limit)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('is prepared in slices', () => {
    const list = notes(...Array.from({ length: 9_000 }, (_, n) => `Note ${n}`));
    expect([prepareRanking(list), prepareRanking(list), prepareRanking(list), prepareRanking(list)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(ranked(list, '8999')).toEqual(['Note 8999']);
  });

  describe('of a list that was edited', () => {
    const keels = (): readonly MentionCandidate[] => notes(...Array.from({ length: 9_000 }, (_, n) => `Keel ${n}`));
    const replace = (list: readonly MentionCandidate[], at: number, removed: number, ...added: readonly string[]) =>
      editList(list, [{ at, removed: list.slice(at, at + removed), added: notes(...added) }]);
    const queries = ['mast', 'boom', 'sprit', 'yard', 'tiller', 'keel 10', 'keel 3999', 'keel 4002', 'keel 8999'];

    it.each([0, 1, 2, 3])('is that of a new one, after %i slices were prepared', (slices) => {
      let list = keels();
      for (let slice = 0; slice < slices; slice += 1) prepareRanking(list);
      list = replace(list, 10, 1, 'Mast');
      list = replace(list, 3_999, 2, 'Boom', 'Gaff', 'Sprit');
      list = replace(list, 8_000, 1, 'Yard');
      list = replace(list, list.length, 0, 'Tiller');
      for (const query of queries) expect([query, ranked(list, query)]).toEqual([query, ranked([...list], query)]);
    });

    it('needs no slice of what was prepared before', () => {
      const first = keels();
      while (prepareRanking(first));
      const second = replace(first, 10, 1, 'Mast');
      expect(prepareRanking(second)).toBe(false);
      expect([ranked(second, 'mast'), ranked(second, 'keel 10')[0]]).toEqual([['Mast'], 'Keel 100']);
    });

    it('is right for the list before the edit too', () => {
      const first = keels();
      expect(ranked(first, 'mast')).toEqual([]);
      const second = replace(first, 10, 1, 'Mast');
      expect(ranked(second, 'mast')).toEqual(['Mast']);
      expect([ranked(first, 'mast'), ranked(first, 'keel 10')[0]]).toEqual([[], 'Keel 10']);
      expect(ranked(second, 'mast')).toEqual(['Mast']);
    });
  });

  it('does no work that grows with the square of the vault', async () => {
    const queries = Array.from('plan 76 keel 9').map((_, end) => 'plan 76 keel 9'.slice(0, end + 1));
    const rank = (length: number) => {
      const list = notes(...Array.from({ length }, (_, n) => `folder ${n % 300}/keel ${n} plan ${n % 77}`));
      while (prepareRanking(list));
      return () => {
        for (const query of queries) rankCandidates(list, query, 12);
      };
    };
    // Four times the notes cost about four times the work, and sixteen times if it grew with the square.
    await expectGrowthBelow(9, rank(100_000), rank(25_000));
  });
});
