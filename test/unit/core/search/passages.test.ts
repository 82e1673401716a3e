import { structureOf } from '../../../../src/core/markdown/structure';
import { passagesOf } from '../../../../src/core/search/passages';

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
