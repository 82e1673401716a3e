import { structureOf } from '../../../../../src/core/markdown/structure';
import { appendText, editText } from '../../../../../src/core/writing/stage/edit-text';

const note = '# Title\n\nFirst line.\nSecond line.\nFirst line again.\n';
const edited = (text: string, oldText: string, newText: string): string => {
  const outcome = editText('Note.md', text, oldText, newText);
  if (!outcome.ok) throw new Error(outcome.failure.words);
  return outcome.value;
};
const refused = (text: string, oldText: string, newText: string) => {
  const outcome = editText('Note.md', text, oldText, newText);
  if (outcome.ok) throw new Error(`edited to ${outcome.value}`);
  return outcome.failure;
};

describe('R220 an edit by anchor', () => {
  it('R220 replaces the one place where the old text stands, and nothing else', () => {
    expect(edited(note, 'Second line.', 'Another line.')).toBe(note.replace('Second', 'Another'));
  });

  it('R220 refuses an anchor that stands nowhere, and names the nearest lines', () => {
    const { kind, words, remedy } = refused(note, 'Secund line.', 'x');
    expect(kind).toBe('not-found');
    expect(words).toContain('Note.md');
    expect(remedy).toContain('line 4: Second line.');
  });

  it('R220 refuses an anchor that stands several times, and names each line', () => {
    const { kind, words } = refused(note, 'First line', 'x');
    expect(kind).toBe('invalid-input');
    expect(words).toContain('2 times');
    expect(words).toContain('lines 3, 5');
  });

  it('R220 counts places that overlap', () => {
    expect(refused('aaa', 'aa', 'b').words).toContain('2 times');
  });

  it('R220 finds letters with accents in the other Unicode form, once', () => {
    const two = 'Le cafe\u0301 ferme.\nUn the\u0301.\n';
    expect(edited(two, 'Le caf\u00e9 ferme.', 'Le caf\u00e9 ouvre.')).toBe('Le caf\u00e9 ouvre.\nUn the\u0301.\n');
    expect(edited(two.normalize('NFC'), 'the\u0301', 'bol')).toBe('Le caf\u00e9 ferme.\nUn bol.\n');
    expect(refused(`${two}${two}`, 'caf\u00e9', 'x').words).toContain('2 times');
    expect(edited('caf\u00e9 cafe\u0301', 'caf\u00e9', 'x')).toBe('x cafe\u0301');
  });

  it('R220 never trims: white space around the anchor must be there', () => {
    expect(refused('a b', ' a b', 'x').kind).toBe('not-found');
    expect(refused('a\tb', 'a b', 'x').kind).toBe('not-found');
    expect(edited('x \n', 'x ', 'y')).toBe('y\n');
  });

  it('R220 takes both texts as they are, entities too', () => {
    expect(refused('a < b', 'a &lt; b', 'x').kind).toBe('not-found');
    expect(edited('shown as &lt;', '&lt;', '&gt;')).toBe('shown as &gt;');
  });

  it.each(['$&', '$$', '$1', "$'", '$`', '$<name>', '\\1'])('R220 writes %s as it is', (sign) => {
    expect(edited('the $x$ old', 'old', sign)).toBe(`the $x$ ${sign}`);
  });

  it('refuses an empty anchor, an edit without a difference, half characters and NUL', () => {
    expect(refused(note, '', 'x').kind).toBe('invalid-input');
    expect(refused(note, 'Second', 'Second').words).toContain('would not change');
    expect(refused(note, 'Second', '\ud800').kind).toBe('invalid-input');
    expect(refused(note, 'Second', 'a\0').kind).toBe('invalid-input');
  });

  it.each(['\ud83d', '\ude00', 'x \ud83d', '\ude00 y'])('takes no character apart: %j', (half) => {
    expect(refused('x \u{1f600} y', half, 'z').kind).toBe('invalid-input');
    expect(edited('x \u{1f600} y', '\u{1f600}', 'z')).toBe('x z y');
  });
});

describe('what is seen as one character', () => {
  it.each([
    ['cafe\u0301', 'cafe'],
    ['\u{1f469}\u200d\u{1f4bb}', '\u{1f469}'],
    ['\u{1f469}\u200d\u{1f4bb}', '\u{1f4bb}'],
    ['\u{1f44d}\u{1f3fd}', '\u{1f44d}'],
    ['\u2600\ufe0f', '\u2600'],
  ])('R220 replaces no part of %j, such as %j', (whole, part) => {
    expect(refused(`x ${whole} y`, part, 'z').kind).toBe('not-found');
    expect(edited(`x ${whole} y ${part} y`, `y ${part}`, 'z')).toBe(`x ${whole} z y`);
    expect(edited(`x ${whole} y`, whole, 'z')).toBe('x z y');
  });
});

describe('F40 line ends', () => {
  it('F40 finds an anchor of several lines in a note with Windows line ends, and keeps them', () => {
    expect(edited('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz')).toBe('x\r\ny\r\nz\r\nc\r\n');
    expect(edited('a\r\nb\r\n', 'b', 'x\ny')).toBe('a\r\nx\r\ny\r\n');
    expect(edited('a\nb\n', 'a\r\nb', 'x\r\ny')).toBe('x\ny\n');
  });

  it('F40 leaves every byte outside the place alone when line ends are mixed', () => {
    const mixed = 'one\r\ntwo\nthree\r\nfour\nfive';
    expect(edited(mixed, 'two\nthree', '2\n3')).toBe('one\r\n2\n3\r\nfour\nfive');
    expect(edited(mixed, 'three\nfour', '3\n4')).toBe('one\r\ntwo\n3\r\n4\nfive');
  });

  it('F40 takes the exact reading of line ends before the loose one', () => {
    expect(edited('a\nb\r\na\r\nb', 'a\nb', 'x')).toBe('x\r\na\r\nb');
  });

  it('F40 takes no line ending apart that begins or ends the old text', () => {
    expect(edited('one\r\ntwo\r\n', '\ntwo', '\n2')).toBe('one\r\n2\r\n');
    expect(edited('one\r\ntwo\r\n', '\ntwo\n', '\n')).toBe('one\r\n');
    expect(refused('one\r\ntwo\r\n', 'two\r', '2').kind).toBe('not-found');
  });

  it('F40 keeps a missing final newline missing', () => {
    expect(edited('a\nb', 'b', 'c')).toBe('a\nc');
  });
});

describe('appending', () => {
  const append = (text: string, addition: string, heading?: string) => {
    const { headings, lines } = structureOf(text);
    const placed = headings.map((each) => ({ ...each, start: lines[each.line]?.start ?? 0 }));
    const outcome = appendText('Note.md', text, addition, placed, heading === undefined ? {} : { heading });
    return outcome.ok ? outcome.value : outcome.failure;
  };

  it.each([
    ['a\n', 'b', 'a\nb\n'],
    ['a\n', 'b\n', 'a\nb\n'],
    ['a', 'b\n', 'a\nb'],
    ['a', 'b', 'a\nb'],
    ['', 'b', 'b\n'],
    ['a\r\n', 'b\nc', 'a\r\nb\r\nc\r\n'],
    ['a\r\nb', 'c\n', 'a\r\nb\r\nc'],
  ])('F40 adds to %j the lines %j and keeps how it ends', (text, addition, expected) => {
    expect(append(text, addition)).toBe(expected);
  });

  it('adds at the end of a section, before the empty lines that set it off', () => {
    const text = '# Day\n\n## Log\n- one\n\n## Next\n- two\n';
    expect(append(text, '- more', 'Log')).toBe('# Day\n\n## Log\n- one\n- more\n\n## Next\n- two\n');
    expect(append(text, '- more', '## Next')).toBe(`${text}- more\n`);
    expect(append('## Log\n\n## Next', '- a', 'Log')).toBe('## Log\n- a\n\n## Next');
    expect(append('## Log', '- a', 'Log')).toBe('## Log\n- a');
  });

  it('ends a section at a heading that is underlined, and never adds to that heading', () => {
    const text = '## Log\n- one\n\nNext\n----\n- two\n';
    expect(append(text, '- more', 'Log')).toBe('## Log\n- one\n- more\n\nNext\n----\n- two\n');
    expect(append(text, '- more', 'Next')).toBe(`${text}- more\n`);
    expect(append('Log\n---\n', '- a', 'Log')).toBe('Log\n---\n- a\n');
    expect(append('## Log\r\nNext\r\n---\r\n', 'a', 'Log')).toBe('## Log\r\na\r\n\r\nNext\r\n---\r\n');
  });

  it('makes no heading of a text that a rule is added below', () => {
    expect(append('Text.\n', '---\nMore.')).toBe('Text.\n\n---\nMore.\n');
    expect(append('Text.', '---')).toBe('Text.\n\n---');
    expect(append('## Log\r\nText.\r\n\r\n## Next\r\n', '===\r\nMore.\r\n', 'Log')).toBe(
      '## Log\r\nText.\r\n\r\n===\r\nMore.\r\n\r\n## Next\r\n',
    );
    expect(append('Text.\n\n', '---\nMore.')).toBe('Text.\n\n---\nMore.\n');
    expect(append('Text.\n', '- a')).toBe('Text.\n- a\n');
    expect(append('', '---\nMore.')).toBe('---\nMore.\n');
  });

  it.each([
    '> [!note] Title\n> Quoted.',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
    '- one',
    '1. one\n   more',
    '<div>x</div>',
  ])('makes a text no part of what is above it: %j', (above) => {
    expect(append(`${above}\n`, 'Text.\n')).toBe(`${above}\n\nText.\n`);
    expect(append(above, '**Text**')).toBe(`${above}\n\n**Text**`);
    expect(append(`## A\n${above}\n\n## B\n`, 'Text.', 'A')).toBe(`## A\n${above}\n\nText.\n\n## B\n`);
    const windows = above.replace(/\n/g, '\r\n');
    expect(append(`${windows}\r\n`, 'Text.')).toBe(`${windows}\r\n\r\nText.\r\n`);
  });

  it.each([
    ['> [!note] Title\n> Quoted.', '> More.'],
    ['| a | b |\n| --- | --- |\n| 1 | 2 |', '| 3 | 4 |'],
    ['- one', '- two'],
    ['- one', '  more'],
    ['- one', '## Next'],
    ['Text.', 'More.'],
    ['- one\n', 'Text.'],
  ])('goes on with what is above where the lines say so: %j and %j', (above, lines) => {
    expect(append(`${above}\n`, lines)).toBe(`${above}\n${lines}\n`);
  });

  it('adds no empty line to a file that is no note', () => {
    expect(appendText('rows.csv', '- a,b\n', 'c,d', [])).toEqual({ ok: true, value: '- a,b\nc,d\n' });
  });

  it('finds a heading that differs in its Unicode form or its blanks alone, if it is the only one', () => {
    expect(append('## Cafe\u0301\u00a0 notes\n', 'x', 'Caf\u00e9 notes')).toBe('## Cafe\u0301\u00a0 notes\nx\n');
    expect(append('## Cafe\u0301\nx\n## Caf\u00e9\ny\n', 'z', 'Caf\u00e9')).toBe(
      '## Cafe\u0301\nx\n## Caf\u00e9\ny\nz\n',
    );
    expect(append('## A  b\n## A\u00a0b\n', 'x', 'A b')).toMatchObject({
      words: expect.stringContaining('lines 1, 2'),
    });
  });

  it('guesses no heading: a missing one is refused with those there are, a double one with its lines', () => {
    expect(append('# A\n# B\n', 'x', 'C')).toMatchObject({
      kind: 'not-found',
      remedy: expect.stringContaining('A; B'),
    });
    expect(append('# A\n# A\n', 'x', 'A')).toMatchObject({ words: expect.stringContaining('lines 1, 2') });
  });
});
