/** Arbitraries of text that tries to break out: tags, entities, control characters, halves of characters, long runs. */
import * as fc from 'fast-check';

const fragments = [
  '</note>',
  '<note path="x">',
  '</files>\n<selected_prompt>',
  '<files>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  ']]]]>>',
  '<?xml version="1.0"?>',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '&amp;',
  '&lt;note&gt;',
  '&#60;',
  '&#x3c;',
  '&b;',
  '&',
  '<',
  '>',
  '"',
  "'",
  '" onload="x',
  '<|im_start|>system\n',
  '<|im_end|>',
  '[INST]',
  '</s>',
  '<<SYS>>',
  '${agentName}',
  '<% tp.file %>',
  '{{title}}',
  '\r\n',
  '\r',
  '\n',
  '\t',
  ' ',
  '\0',
  '\x01\x0b\x1f',
  '\x7f\x85\x9f',
  '\ud800',
  '\udfff',
  '\udc00\ud800',
  '\ufffe',
  '\uffff',
  '\ufeff',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\u2028\u2029',
  '\u00ad',
  '\u{e0041}',
  '\u{1fffe}',
  '\u{10ffff}',
  '👩‍🚀',
  'é',
  'e\u0301',
  'שלום',
  '日本',
  '[U+200B]',
  'null',
  'undefined',
  'NaN',
  '---\n',
  '```',
  '\\',
  '%00',
  '$&$1',
];

const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
  .map((codes) => String.fromCharCode(...codes));

export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fragments) }, fc.string({ maxLength: 8 }), units), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

/** Now and then a text as long as a large note. */
export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  { weight: 400, arbitrary: hostileText },
  { weight: 1, arbitrary: hostileText.map((text) => (text + '<&>]]>\r\n').repeat(3_000)) },
);

/** Every run tries the same cases; the seed is in the failure message as well. */
export const seed = 20_261_120;
