import { escapeAttribute, makeVisible, markLines } from '../../../../src/core/markup/escapes';
import { element, normalizePathToXmlTag, write } from '../../../../src/core/markup/markup';

describe('markup', () => {
  it('R180 escapes quotes, tabs and line ends in attributes, and what reads like a tag', () => {
    expect(escapeAttribute('a "b"\t<c>\r\n& <note> &quot;').text).toBe(
      'a &quot;b&quot;&#9;<c>&#13;&#10;& &lt;note> &amp;quot;',
    );
  });

  it('K11 sets each body off by one newline on both sides', () => {
    expect(write([element('note', { path: 'a"b' }, '\nx\n')]).text).toBe('<note path="a&quot;b">\n\nx\n\n</note>');
  });

  it('K11 escapes texts side by side as the one text that they make', () => {
    expect(write(['a <', '/', 'note>']).text).toBe('a &lt;/note>');
    expect(write([{ own: '<${Name}>', values: { Name: ['note'] } }]).text).toBe('&lt;note>');
  });

  it('counts and shows what cannot be seen', () => {
    const text = 'a\u200bb\u202ec\ud800d\u0000e\u{e0041}f';
    const visible = 'a[U+200B]b[U+202E]c[U+D800]d[U+0000]e[U+E0041]f';
    expect(makeVisible(text)).toEqual({ text: visible, madeVisible: 5, invisible: 0 });
    expect(write([element('note', { path: '\u200b' }, '\u200b')]).madeVisible).toBe(2);
  });

  it('sends what scripts, emoji and files need as it is, and counts it', () => {
    const text = '👩\u200d🚀 ❤\ufe0f نمی\u200cخواهم \u200fש\u05b8\u034f\u200e Wort\u00adende\ufeff\r\n';
    expect(makeVisible(text)).toEqual({ text, madeVisible: 0, invisible: 8 });
  });

  it.each([
    ['one\n\ntwo', '| one\n\n| two'],
    ['a\r\nb\rc\vd\fe\u0085f\u2028g\u2029h', '| a\r\n| b\r| c\v| d\f| e\u0085| f\u2028| g\u2029| h'],
    ['\n', '\n'],
  ])('marks each line of %j, wherever a reader may see its end', (text, marked) => {
    expect(markLines(text)).toBe(marked);
  });

  it.each([
    ['Folder/My note.md', 'Folder_My_note'],
    ['C++ & <x>.MD', 'C_x'],
    ['___a___b___', 'a_b'],
    ['日本語.md', ''],
    ['plain', 'plain'],
  ])('R169 makes a label of %j', (path, label) => {
    expect(normalizePathToXmlTag(path)).toBe(label);
  });
});
