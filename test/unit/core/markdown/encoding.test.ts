/** Bytes, byte order mark, and line endings of a text. */
import { byteLength } from '../../../../src/core/base/cut';
import {
  decodeText,
  encodeText,
  isSameText,
  isWritable,
  lineEndAt,
  lineNumberAt,
  onlyLineEnd,
  plainLines,
  splitMark,
  withLineEnd,
} from '../../../../src/core/markdown/encoding';

it.each([
  ['text', { text: 'text', mark: false }],
  ['\ufefftext', { text: 'text', mark: true }],
  ['\ufeff\ufefftext', { text: '\ufefftext', mark: true }],
  ['', { text: '', mark: false }],
  ['tüxt 🚀', { text: 'tüxt 🚀', mark: false }],
])('reads and writes %j byte for byte', (written, decoded) => {
  const bytes = new TextEncoder().encode(written);
  expect(decodeText('A.md', bytes)).toEqual({ ok: true, value: decoded });
  expect(encodeText(decoded)).toEqual(bytes);
  expect(splitMark(written)).toEqual(decoded);
  expect(byteLength(written)).toBe(bytes.length);
});

it.each([[[0xff]], [[0x61, 0]], [[0xc3]], [[0xed, 0xa0, 0x80]]])('takes the bytes %j for no text', (bytes) => {
  expect(decodeText('A.md', Uint8Array.from(bytes))).toMatchObject({ ok: false, failure: { kind: 'not-text' } });
});

it.each([
  ['text', true],
  ['🚀', true],
  ['\0', false],
  ['a\ud83d', false],
  ['\ude80', false],
])('knows whether a disk can hold %j: %s', (text, expected) => {
  expect(isWritable(text)).toBe(expected);
});

it.each([
  ['', 0, '\n'],
  ['a', 1, '\n'],
  ['a\r\nb\nc', 0, '\r\n'],
  ['a\r\nb\nc', 2, '\r\n'],
  ['a\r\nb\nc', 3, '\n'],
  ['a\nb\r\nc', 5, '\r\n'],
  ['a\r\nb', 4, '\r\n'],
  ['a\nb', 3, '\n'],
  ['\nb', 0, '\n'],
  ['\r\n', 0, '\r\n'],
] as const)('finds in %j at %i the line ending %j', (text, offset, lineEnd) => {
  expect(lineEndAt(text, offset)).toBe(lineEnd);
});

it.each([
  ['', null],
  ['a', null],
  ['\n', '\n'],
  ['\r\n', '\r\n'],
  ['a\nb\nc', '\n'],
  ['a\r\nb\r\n', '\r\n'],
  ['a\r\nb\n', null],
  ['a\nb\r\n', null],
])('finds the only line ending of %j: %j', (text, lineEnd) => {
  expect(onlyLineEnd(text)).toBe(lineEnd);
});

it('changes line endings and compares texts without them', () => {
  expect(withLineEnd('a\r\nb\nc\rd', '\n')).toBe('a\nb\nc\rd');
  expect(withLineEnd('a\r\nb\nc\rd', '\r\n')).toBe('a\r\nb\r\nc\rd');
  expect(isSameText('a\r\nb', 'a\nb')).toBe(true);
  expect(isSameText('a\r\nb', 'a\r\nb')).toBe(true);
  expect(isSameText('a\nb', 'a\nc')).toBe(false);
});

it('finds offsets of a text with plain newlines in the original', () => {
  const text = 'a\r\n\r\nb\nc\r\nd';
  const plain = plainLines(text);
  expect(plain.text).toBe('a\n\nb\nc\nd');
  expect(Array.from(plain.text, (_, at) => text[plain.original(at)])).toEqual([
    ...['a', '\r', '\r', 'b', '\n', 'c', '\r', 'd'],
  ]);
  expect(plain.original(plain.text.length)).toBe(text.length);
  expect(plainLines('a\nb')).toMatchObject({ text: 'a\nb' });
  expect(plainLines('a\nb').original(2)).toBe(2);
});

it('numbers lines from 1', () => {
  expect([0, 1, 2, 3, 4].map((offset) => lineNumberAt('a\n\nb', offset))).toEqual([1, 1, 2, 3, 3]);
});
