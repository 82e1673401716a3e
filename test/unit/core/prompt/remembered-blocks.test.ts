import { isEqual } from '../../../../src/core/base/equality';
import { listPrompts } from '../../../../src/core/library/user-notes';
import type { Tokenizer } from '../../../../src/core/ports/model';
import {
  assemblePrompt,
  buildLayout,
  composeBlocks,
  composeSections,
} from '../../../../src/core/prompt/assemble-prompt';
import { type Fact, section } from '../../../../src/core/prompt/section';
import { fakeVault } from '../../../support/fake-vault';
import { roughTokenizer } from '../../../support/memory-ports';

const notes: Fact<readonly { path: string; text: string }[]> = { id: 'notes', gather: () => [] };

function countedSection() {
  const counted = { renders: 0 };
  const only = section({
    ...{ id: 'only', zone: 'turn', buildOrder: 1, priority: 1, trim: 'never', needs: { notes } },
    when: () => true,
    full: ({ notes: given }) => {
      counted.renders += 1;
      return [given.map(({ text }) => text).join()];
    },
  });
  const compose = (text: string, tokenizer = roughTokenizer) =>
    composeBlocks([only], new Map([[notes, [{ path: 'A.md', text }]]]), tokenizer)[0];
  return { counted, compose };
}

describe('blocks that were rendered before', () => {
  it('stand again, as the same objects, while the facts are equal', () => {
    const { counted, compose } = countedSection();
    const first = compose('alpha');
    expect(compose(['al', 'pha'].join(''))).toBe(first);
    expect(counted.renders).toBe(1);
    expect(compose('beta')?.text).toBe('beta');
    expect(compose('alpha')).toBe(first);
    expect(counted.renders).toBe(2);
  });

  it('are only kept for a few states at a time', () => {
    const { counted, compose } = countedSection();
    for (const text of ['a', 'b', 'c', 'd', 'a']) expect(compose(text)?.text).toBe(text);
    expect(counted.renders).toBe(5);
  });

  it('are counted anew by another counter', () => {
    const { compose } = countedSection();
    expect(compose('alpha')?.tokens).toBe(2);
    expect(compose('alpha', { count: () => 7, exact: true })?.tokens).toBe(7);
  });
});

it('a block tells how many of its characters are invisible, if any are', () => {
  const { compose } = countedSection();
  const counts = ['plain', '👩\u200d🚀', '👩\u200d🚀 👩\u200d🚀'].map((text) => compose(text)?.invisible);
  expect(counts).toEqual([undefined, 1, 2]);
  expect(compose('plain')).not.toHaveProperty('invisible');
});

describe('a block that was shortened before', () => {
  const shortened = { times: 0 };
  const only = section({
    ...{ id: 'only', zone: 'turn', buildOrder: 1, priority: 1, trim: 'tail', needs: { notes } },
    when: () => true,
    full: ({ notes: given }) => given.map(({ text }) => text),
    shorten: ({ notes: given }, tokens) => {
      shortened.times += 1;
      return tokens < 2 ? null : given.map(({ text }) => text.slice(0, tokens));
    },
  });
  const facts = new Map([[notes, [{ path: 'A.md', text: 'alpha' }]]]);
  const shorten = (tokens: number, tokenizer: Tokenizer) =>
    composeSections([only], facts, tokenizer)[0]?.trimmed(tokens)?.text ?? null;

  it('is not shortened again for as many tokens, unless they were estimated', () => {
    const exact: Tokenizer = { count: (text) => text.length, exact: true };
    const all = [3, 1, 3, 1, 2].map((tokens) => shorten(tokens, exact));
    expect([all, shortened.times]).toEqual([['alp', null, 'alp', null, 'al'], 3]);
    const estimating = { ...exact, exact: false };
    expect([shorten(3, estimating), shorten(3, estimating), shortened.times]).toEqual(['alp', 'alp', 5]);
    expect([4, 5, 6, 3].map((tokens) => shorten(tokens, exact))).toEqual(['alph', 'alpha', 'alpha', 'alp']);
    expect(shortened.times).toBe(9);
  });
});

describe('a prompt that was assembled before', () => {
  const sectionOf = (composition: boolean) =>
    section({
      ...{ id: 'only', zone: 'turn', buildOrder: 1, priority: 1, trim: 'never', composition, needs: { notes } },
      when: () => true,
      full: ({ notes: given }) => given.map(({ text }) => text),
    });
  const factsOf = (text: string) => new Map([[notes, [{ path: 'A.md', text }]]]);

  it.each([true, false])('is the same object while its facts are equal (in the composition: %s)', (composition) => {
    const sections = [sectionOf(composition)];
    const assemble = (text: string, tokenizer = roughTokenizer) =>
      assemblePrompt({ sections, facts: factsOf(text), tokenizer, layout: buildLayout });
    const first = assemble('alpha\n\n\n\nbeta');
    expect(first.system).toBe(composition ? 'alpha\n\nbeta' : 'alpha\n\n\n\nbeta');
    expect(assemble(['alpha\n\n', '\n\nbeta'].join(''))).toBe(first);
    expect(assemble('gamma').system).toBe('gamma');
    expect(assemble('alpha\n\n\n\nbeta')).toBe(first);
  });

  it('has the count of a shortened text that was an estimate before', () => {
    const sections = [sectionOf(true)];
    const text = 'alpha\n\n\n\nbeta';
    const counts = new Map([
      [text, 5],
      ['alpha\n\nbeta', 40],
    ]);
    const tokenizer: Tokenizer = { count: (each) => counts.get(each) ?? 0, exact: true };
    const tokens = () =>
      assemblePrompt({ sections, facts: factsOf(text), tokenizer, layout: buildLayout }).blocks.map(
        (each) => each.tokens,
      );
    expect(tokens()).toEqual([40]);
    counts.set('alpha\n\nbeta', 4);
    expect(tokens()).toEqual([4]);
  });

  it('is another for another place of a section', () => {
    const sections = [sectionOf(false)];
    const facts = factsOf('alpha');
    const at = (place: 'system' | 'after-message') =>
      assemblePrompt({ sections, facts, tokenizer: roughTokenizer, layout: { ...buildLayout, place: () => place } });
    expect([at('system').blocks[0]?.place, at('after-message').blocks[0]?.place]).toEqual(['system', 'after-message']);
    expect(at('after-message').system).toBe('');
  });
});

it('R163 lists prompts anew once a note has changed, and not before', () => {
  const vault = fakeVault({ 'Docent/prompts/A.md': '---\nname: Old\n---\n' });
  const before = listPrompts(vault, 'Docent');
  expect(listPrompts(vault, 'Docent')).toBe(before);
  expect(listPrompts(vault, 'Elsewhere')).toEqual([]);
  vault.put('Docent/prompts/A.md', '---\nname: New\n---\n');
  expect(listPrompts(vault, 'Docent').map(({ name }) => name)).toEqual(['New']);
});

describe('equality of plain data', () => {
  it.each([
    [1, 1],
    [null, null],
    [NaN, NaN],
    [
      [1, { a: 'x' }],
      [1, { a: 'x' }],
    ],
    [{ a: undefined }, { a: undefined }],
    [Object.freeze({ a: [] }), { a: [] }],
  ])('holds for %j and %j', (a, b) => expect(isEqual(a, b)).toBe(true));

  it.each([
    [1, '1'],
    [null, undefined],
    [null, {}],
    [[1], [1, 2]],
    [[], {}],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined }, { b: undefined }],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
    [new Map(), new Map()],
  ])('does not hold for %j and %j', (a, b) => {
    expect(isEqual(a, b)).toBe(false);
    expect(isEqual(b, a)).toBe(false);
  });
});
