import { structureOf } from '../../../../src/core/markdown/structure';
import { createWorkBudget } from '../../../../src/core/base/async';
import { chooseParts, passagesOf } from '../../../../src/core/search/passages';

const shown = (text: string) =>
  passagesOf(text).map(({ trail, startLine, endLine, start, end }) => [
    trail.join('/'),
    startLine,
    endLine,
    text.slice(start, end),
  ]);

describe('structure', () => {
  it('finds headings outside code and properties', () => {
    const text =
      '---\ntitle: x\n# no: heading\n---\n# One\n```md\n# not\n~~~\n```\n## Two ##\n#tag\n   ### Three\n    #### code\n';
    expect(structureOf(text).headings.map(({ level, text: title, line }) => [level, title, line])).toEqual([
      [1, 'One', 4],
      [2, 'Two', 9],
      [3, 'Three', 11],
    ]);
    expect(structureOf(text).propertyLines).toBe(4);
  });

  it('takes an unclosed properties fence for text', () => {
    expect(structureOf('---\n# One').headings).toHaveLength(1);
  });
});

describe('passages', () => {
  it('stand under their headings, with one-based lines', () => {
    expect(shown('intro\n\n# A\none\n\n## B\r\ntwo\r\nthree\r\n# C\nfour')).toEqual([
      ['', 1, 1, 'intro'],
      ['A', 4, 4, 'one'],
      ['A/B', 7, 8, 'two\r\nthree'],
      ['C', 10, 10, 'four'],
    ]);
  });

  it('are text, but for the properties', () => {
    const passages = passagesOf('---\nstatus: open\n---\nintro\n# A\none\n# B\n## C\ntwo');
    expect(passages.map(({ kind, startLine }) => [kind, startLine])).toEqual([
      ['properties', 2],
      ['text', 4],
      ['text', 6],
      ['text', 8],
      ['text', 9],
    ]);
  });

  it('show what follows a heading without text of its own', () => {
    const passages = passagesOf('# A\n## B\ntext of b\n# Empty\n');
    expect(passages.map(({ trail, startLine, own }) => [trail.join('/'), startLine, own])).toEqual([
      ['A', 2, false],
      ['A/B', 3, true],
      ['Empty', 4, false],
    ]);
  });

  it('cut long sections at empty lines and long lines after sentences', () => {
    const paragraph = 'Some words that go on and on. '.repeat(20).trim();
    const section = passagesOf(`# A\n${[paragraph, paragraph, paragraph].join('\n\n')}`);
    expect(section.length).toBeGreaterThan(1);
    expect(section.every((passage) => !passage.cut)).toBe(true);
    const line = 'Words in one line that never ends. '.repeat(200);
    const parts = passagesOf(line);
    expect(parts.length).toBeGreaterThan(4);
    expect(parts.every((part) => part.cut && part.startLine === 1 && part.endLine === 1)).toBe(true);
    expect(parts.map((part) => line.slice(part.start, part.end)).join('')).toBe(line);
  });

  it('never cut a pair of surrogates', () => {
    const text = `a${'🚀'.repeat(3_000)}`;
    for (const { start, end } of passagesOf(text))
      expect(text.slice(start, end)).toBe(Buffer.from(text.slice(start, end)).toString());
  });

  it('handle empty texts and properties alone', () => {
    expect(passagesOf('')).toEqual([]);
    expect(passagesOf('---\nstatus: open\n---\n').map(({ kind, startLine }) => [kind, startLine])).toEqual([
      ['properties', 2],
    ]);
  });
});

describe('the parts of a note that no word of a message matches', () => {
  const text = ['# A', 'one two', '# B', 'three four', '# C', 'five six'].join('\n');
  const passages = passagesOf(text);
  const budget = () => createWorkBudget(new AbortController().signal);
  const chosen = async (room: number) => {
    const { parts, matched } = await chooseParts(text, passages, '', { room, extra: 0 }, budget());
    expect(matched).toBe(false);
    return parts.map(({ start, end }) => text.slice(start, end));
  };

  it('are its first passages, as many as half of the room takes', async () => {
    const [first, second] = passages;
    const both = 2 * ((second?.end ?? 0) - (first?.start ?? 0));
    expect(await chosen(both)).toEqual(['one two', 'three four']);
    expect(await chosen(both - 2)).toEqual(['one two']);
    expect(await chosen(1_000)).toEqual(['one two', 'three four', 'five six']);
  });

  it('are at least the first passage, and none of a note without text', async () => {
    expect(await chosen(0)).toEqual(['one two']);
    expect(await chooseParts('', [], '', { room: 10, extra: 0 }, budget())).toEqual({ parts: [], matched: false });
  });
});

describe('the length of a passage', () => {
  const lengths = (text: string) => passagesOf(text).map(({ start, end }) => end - start);

  it('ends at an empty line once it has more than 700 characters with it', () => {
    const after = (length: number) => `${'a'.repeat(length - 3)}\nb\n\nc`;
    expect(lengths(after(700))).toEqual([702]);
    expect(lengths(after(701))).toEqual([700, 1]);
    expect(lengths(`${'a'.repeat(700)}\nb`)).toEqual([702]);
  });

  it('ends at any line before it has more than 1,400 characters', () => {
    const of = (last: number) => `${'a'.repeat(1_000)}\n${'b'.repeat(last)}`;
    expect(lengths(of(399))).toEqual([1_400]);
    expect(lengths(of(400))).toEqual([1_000, 400]);
    expect(lengths('a'.repeat(1_400))).toEqual([1_400]);
    expect(lengths('a'.repeat(1_401))).toEqual([700, 701]);
  });

  it.each([
    ['a point', '. ', 1_002],
    ['a mark of exclamation', '! ', 1_002],
    ['a question mark', '? ', 1_002],
    ['a wide point', '。', 1_001],
    ['a wide mark of exclamation', '！', 1_001],
    ['a wide question mark', '？', 1_001],
    ['a space', ' ', 1_001],
    ['none of them', '', 700],
    ['a point within a word', '.', 700],
  ])('ends in a long line after %s', (_what, mark, length) => {
    expect(lengths(`${'a'.repeat(1_000)}${mark}${'b'.repeat(1_000)}`)[0]).toBe(length);
  });

  it('ends after the last sentence in 1,400 characters, but after a space rather than too early', () => {
    const cutAt = (text: string) => lengths(text + 'z'.repeat(2_000))[0];
    expect(cutAt(`${'a'.repeat(400)}. ${'b'.repeat(400)}! ${'c'.repeat(300)} `)).toBe(804);
    expect(cutAt(`${'a'.repeat(349)}. `)).toBe(351);
    expect(cutAt(`${'a'.repeat(348)}. `)).toBe(700);
    expect(cutAt(`${'a'.repeat(348)}. ${'b'.repeat(600)} `)).toBe(951);
    expect(cutAt(`${'a'.repeat(350)} `)).toBe(351);
    expect(cutAt(`${'a'.repeat(349)} `)).toBe(700);
    expect(cutAt(`${'a'.repeat(1_398)}. `)).toBe(1_400);
    expect(cutAt(`${'a'.repeat(1_399)}. `)).toBe(700);
  });

  it('says which parts are cut out of a line', () => {
    const passages = passagesOf(`one\n\n${'a'.repeat(1_401)}\ntwo`);
    expect(passages.map(({ startLine, endLine, cut }) => [startLine, endLine, cut])).toEqual([
      [1, 1, false],
      [3, 3, true],
      [3, 3, true],
      [4, 4, false],
    ]);
  });
});

describe('a heading without text', () => {
  const preview = (text: string) => {
    const [first] = passagesOf(text);
    return first && [text.slice(first.start, first.end), first.own];
  };

  it('shows what is below it, as far as the next heading of its level', () => {
    expect(preview('# A\n\n## B\nb\n### C\nc\n# D\nd')).toEqual(['## B\nb\n### C\nc', false]);
    expect(preview('## A\n### B\nb\n## C\nc')).toEqual(['### B\nb', false]);
    expect(preview('## A\n# B\nb')).toEqual(['## A', false]);
    expect(preview('# A\n')).toEqual(['# A', false]);
    expect(preview('# A\na')).toEqual(['a', true]);
  });

  it('shows 39 lines below it at most', () => {
    const below = Array.from({ length: 60 }, (_, at) => `## ${at}`).join('\n');
    expect(preview(`# A\n${below}`)).toEqual([below.split('\n').slice(0, 39).join('\n'), false]);
  });
});

describe('the parts of a note that match a message', () => {
  const budget = () => createWorkBudget(new AbortController().signal);

  async function choose(parts: readonly string[], message: string, { room = 10_000, extra = 0 } = {}) {
    const text = parts.join('\n');
    const { parts: chosen, matched } = await chooseParts(text, passagesOf(text), message, { room, extra }, budget());
    expect(matched).toBe(true);
    return chosen.map(({ trail }) => trail.join('/'));
  }

  it('are in the order of the note, without those that match far less than the best', async () => {
    const parts = ['# One', 'The mast is here.', '# Two', 'Other words.', '# Three', 'The keel and the mast.'];
    expect(await choose(parts, 'mast')).toEqual(['One', 'Three']);
    expect(await choose(parts, 'keel')).toEqual(['Three']);
    expect(await choose([...parts, '# Four', 'the best'], 'best keel')).toEqual(['Three']);
  });

  it('are the best of those for which there is room, and at least one', async () => {
    const parts = ['# One', 'mast 789', '# Two', 'mast keel', '# Three', 'mast'];
    const fits = (room: number, extra = 0) => choose(parts, 'mast keel', { room, extra });
    expect(await fits(0)).toEqual(['Two']);
    expect(await fits(9)).toEqual(['Two']);
    expect(await choose(['# One', 'mast', '# Two', 'mast', '# Three', 'mast'], 'mast', { room: 8 })).toEqual([
      'One',
      'Two',
    ]);
    expect(await choose(['# One', 'mast', '# Two', 'mast', '# Three', 'mast'], 'mast', { room: 7 })).toEqual(['One']);
    const extra = { room: 13, extra: 3 };
    expect(await choose(['# One', 'mast', '# Two', 'mast', '# Three', 'mast'], 'mast', extra)).toEqual(['One']);
    expect(await choose(['# One', 'mast', '# Two', 'mast'], 'mast', { room: 14, extra: 3 })).toEqual(['One', 'Two']);
  });

  it('go on with a smaller part where the next one does not fit', async () => {
    const parts = ['# One', 'mast', '# Two', 'mast mast and more', '# Three', 'mast mast mast'];
    expect(await choose(parts, 'mast', { room: 20 })).toEqual(['One', 'Three']);
  });

  it('match by their own heading, which weighs more than their text', async () => {
    const parts = ['# Mast', 'here', '# Other', 'mast', '## Below', 'nothing'];
    expect(await choose(parts, 'mast')).toEqual(['Mast', 'Other']);
    expect(await choose(parts, 'mast', { room: 1 })).toEqual(['Mast']);
  });

  it('match by rare words before common ones, and by words that say little last', async () => {
    const parts = [
      '# One',
      'mast keel',
      '# Two',
      'mast rib',
      '# Three',
      'keel keel',
      '# Four',
      'best',
      '# Five',
      'keel',
    ];
    expect(await choose(parts, 'rib keel', { room: 1 })).toEqual(['Two']);
    expect(await choose(parts, 'best mast keel', { room: 1 })).toEqual(['One']);
  });

  it('match a word written as two', async () => {
    expect(await choose(['# One', 'a foredeck', '# Two', 'nothing'], 'fore deck')).toEqual(['One']);
  });

  it('are the beginning of the note if the work is stopped', async () => {
    const text = '# A\nzero\n# B\nmast';
    const stopped = { spend: () => Promise.resolve(false) };
    const chosen = await chooseParts(text, passagesOf(text), 'mast', { room: 10, extra: 0 }, stopped as never);
    expect(chosen).toMatchObject({ matched: false, parts: [{ trail: ['A'] }] });
  });
});
