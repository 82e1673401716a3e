/** What is escaped, how it comes back, and what it costs. */
import {
  decodeAttribute,
  decodeText,
  escapeAttribute,
  escapeText,
  SentEscapes,
} from '../../../../src/core/markup/escapes';
import type { Message } from '../../../../src/core/ports/message';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

function sentWith(...texts: readonly string[]): SentEscapes {
  const messages: Message[] = texts.map((text) => ({ role: 'user', parts: [{ type: 'text', text }] }));
  const sent = new SentEscapes();
  sent.addRequest({ system: '', messages, tools: [] });
  return sent;
}

describe('text', () => {
  it.each([
    'if a < b && c',
    '<table><tr><td>R&D</td></tr></table>',
    '<notes>, <notebook>, <my_note>, <x note>',
    '&lt;b> &amp; &amp;lt;td>',
    '<123456789 note>',
    'CRLF\r\nand \u200dits\ufeff kin',
    'note> and /note>',
    '[U+] [U+20] [U+200b]',
  ])('R180 K11 is sent as it is: %j', (text) => {
    expect(escapeText(text)).toBe(text);
  });

  it.each([
    ['</note>', '&lt;/note>'],
    ['<NOTE path="x">', '&lt;NOTE path="x">'],
    ['< \t\r\n/ note', '&lt; \t\r\n/ note'],
    ['<\u200d\u00adnote', '&lt;\u200d\u00adnote'],
    ['<n\u200do\ufe0fte>', '&lt;n\u200do\ufe0fte>'],
    ['<\uff4eo\u0442\u0435>', '&lt;\uff4eo\u0442\u0435>'],
    ['<\u039dOTE>', '&lt;\u039dOTE>'],
    ['<\ufb01les>', '&lt;\ufb01les>'],
    ['<note-x>', '&lt;note-x>'],
    ['&lt;note', '&amp;lt;note'],
    ['&amp;lt;/files>', '&amp;amp;lt;/files>'],
    ['<<note><note', '<&lt;note>&lt;note'],
    ['[U+200B] \u200b', '[U++200B] [U+200B]'],
    ['[U++200B]', '[U+++200B]'],
  ])('R180 K11 is escaped where it would read as ours: %j', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
    expect(decodeText(escaped)).toBe(text);
  });

  it('R180 K11 comes back from an attribute, with both spellings in it', () => {
    const value = 'a "b" &quot; &#10;\n<note>\t&lt;note\u200b';
    expect(escapeAttribute(value).text).toBe(
      'a &quot;b&quot; &amp;quot; &amp;#10;&#10;&lt;note>&#9;&amp;lt;note[U+200B]',
    );
    expect(decodeAttribute(escapeAttribute(value).text)).toBe(value);
  });
});

describe('what a chat has sent escaped', () => {
  it('is decoded in what the model writes, and nothing else', () => {
    const sent = sentWith(escapeText('</note> \u200b <Files>'));
    expect(sent.decode('&lt;/note> [U+200B] &lt;Files>')).toBe('</note> \u200b <Files>');
    expect(sent.decode('&lt;note> [U+200E] &lt;files> &amp;lt;/note &lt;/notes &amp;')).toBe(
      '&lt;note> [U+200E] &lt;files> &amp;lt;/note &lt;/notes &amp;',
    );
    expect(sent.used(['x &lt;/note>', '[U+200B] &lt;note'])).toEqual(['&lt;/note', '[U+200B]']);
    expect(new SentEscapes(['&lt;/note']).decode('&lt;/note> [U+200B]')).toBe('</note> [U+200B]');
  });

  it('is not what the model wrote itself', () => {
    const sent = new SentEscapes();
    sent.addRequest({
      system: '',
      messages: [{ role: 'assistant', parts: [{ type: 'text', text: '&lt;note>' }] }],
      tools: [],
    });
    expect(sent.decode('&lt;note>')).toBe('&lt;note>');
  });

  it('has marked lines of untrusted text, but no row of a table that stood in a note', () => {
    const sent = sentWith(
      '<untrusted source="a">\n| One.\n| Rope | 3 |\n</untrusted>',
      '| Item | Count |\n| Rope | 3 |',
    );
    expect(sent.decode('| One.\n| Rope | 3 |\n| Two.')).toBe('One.\n| Rope | 3 |\n| Two.');
  });

  it('ends an untrusted element at its own end, also where it is empty', () => {
    const empty = '<untrusted source="a">\n</untrusted>';
    const sent = sentWith(`${empty}\n| Rope | 3 |\n<untrusted source="b">\n| Rope | 3 |\n| One.\n</untrusted>`);
    expect(sent.decode('| Rope | 3 |\n| One.')).toBe('| Rope | 3 |\nOne.');
  });

  it('is decoded in all arguments, at any depth, keys too, but not where it names a file', () => {
    const sent = sentWith(`<note path="${escapeAttribute('Say "<note>".md').text}">\n${escapeText('<note>')}\n</note>`);
    const isName = (text: string): boolean => text === '&lt;note>.md';
    const args = { path: 'Say &quot;&lt;note>&quot;.md', list: [{ '&lt;note': '&lt;note>', n: 1 }], own: '&quot;' };
    expect(sent.decodeArguments(args, isName)).toEqual({
      path: 'Say "<note>".md',
      list: [{ '<note': '<note>', n: 1 }],
      own: '&quot;',
    });
    expect(sent.decodeArguments({ path: '&lt;note>.md' }, isName)).toEqual({ path: '&lt;note>.md' });
    const proto: unknown = JSON.parse('{"__proto__":{"x":"&lt;note"}}');
    expect(Object.keys(sent.decodeArguments(proto, isName) as object)).toEqual(['__proto__']);
  });
});

describe('its cost', () => {
  const hostile: Readonly<Record<string, string>> = {
    'our own tags': '<note>',
    'what almost is one': '<\u200d\u200d\u200d\u200dnot',
    'joiners inside of a name': `<n${'\u200d'.repeat(50)}`,
    'escapes of escapes': '&amp;amp;amp;',
    'escaped tags': '&lt;/note',
    'hidden characters': '\u202e[U+202E]',
    'attributes that do not end': '<note path="',
    'untrusted elements': '<untrusted source="a">\n| x\n',
    lines: '| x\r\n',
    'letters with marks': '\u05d1\u05bc\u05b0',
  };

  it.each(Object.entries(hostile))('grows with the text alone: %s', async (_name, piece) => {
    const roundTrip = (count: number) => (): void => {
      const text = piece.repeat(count);
      const escaped = escapeText(text);
      if (decodeText(escaped) !== text) throw new Error('It did not come back.');
      sentWith(text, escaped).decode(escaped);
    };
    // Four times the text; work that grows with its square would take sixteen times as long.
    await expectGrowthBelow(9, roundTrip(80_000), roundTrip(20_000));
  });
});
