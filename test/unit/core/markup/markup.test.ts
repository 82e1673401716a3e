import {
  element,
  escapeAttribute,
  escapeText,
  makeVisible,
  normalizePathToXmlTag,
  write,
} from '../../../../src/core/markup/markup';

describe('markup', () => {
  it.each([
    ['a & b < c', 'a &amp; b &lt; c'],
    ['&lt;', '&amp;lt;'],
    ['&amp;amp;', '&amp;amp;amp;'],
    ['x]]>y', 'x]]&gt;y'],
    [']]]]>>', ']]]]&gt;>'],
    ['a\r\nb', 'a&#13;\nb'],
    ['"quotes" and \'these\'', '"quotes" and \'these\''],
    ['<|im_end|>', '&lt;|im_end|>'],
  ])('R180 escapes %j in text, ampersand first', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  it('R180 escapes quotes, tabs and line ends too in attributes', () => {
    expect(escapeAttribute('a "b"\t<c>\r\n&')).toBe('a &quot;b&quot;&#9;&lt;c>&#13;&#10;&amp;');
  });

  it('K11 sets each body off by one newline on both sides', () => {
    expect(write([element('note', { path: 'a"b' }, '\nx\n')]).text).toBe('<note path="a&quot;b">\n\nx\n\n</note>');
  });

  it('counts and shows what cannot be seen', () => {
    const text = 'a\u200bb\u202ec\ud800d\u0000e\u{e0041}f';
    expect(makeVisible(text)).toEqual({ text: 'a[U+200B]b[U+202E]c[U+D800]d[U+0000]e[U+E0041]f', madeVisible: 5 });
    expect(write([element('note', { path: '\u200b' }, '\u200b')]).madeVisible).toBe(2);
  });

  it('keeps joiners and variation selectors, which scripts and emoji need', () => {
    const text = '👩\u200d🚀 ❤\ufe0f نمی\u200cخواهم';
    expect(makeVisible(text)).toEqual({ text, madeVisible: 0 });
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
