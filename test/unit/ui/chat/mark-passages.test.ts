/** Passages of notes are found in JSON with any escapes, and the JSON is shown in full. */
import { markPassages } from '../../../../src/ui/chat/approval-request';

const marked = (json: string, ...passages: string[]): string[] =>
  markPassages(json, passages).flatMap(({ text, isCarried }) => (isCarried ? [text] : []));

it.each([
  ['as it stands', '{"q":"the keel bolts are sound"}', 'keel bolts are', 'keel bolts are'],
  ['in other case', '{"q":"The Keel Bolts"}', 'the keel bolts', 'The Keel Bolts'],
  ['over line breaks', '{"q":"the\\n  keel\\tbolts"}', 'the keel bolts', 'the\\n  keel\\tbolts'],
  ['with quotes', '{"q":"a \\"keel\\" bolt"}', 'a "keel" bolt', 'a \\"keel\\" bolt'],
  ['with codes', '{"q":"kee\\u006c bolts"}', 'keel bolts', 'kee\\u006c bolts'],
  ['with plus signs', '{"q":"the+keel+bolts"}', 'the keel bolts', 'the+keel+bolts'],
  ['with a backslash', '{"q":"a\\\\b c"}', 'a\\b c', 'a\\\\b c'],
  ['with a letter that grows', '{"q":"İzmir harbour"}', 'i̇zmir harbour', 'İzmir harbour'],
])('finds a passage %s', (_how, json, passage, found) => {
  expect(marked(json, passage)).toEqual([found]);
});

it('keeps every sign of the JSON, with passages that overlap and come again', () => {
  const json = '{"a":"one two three two three four","b":"one two three"}';
  const parts = markPassages(json, ['two three four', 'one two three', 'nowhere to be seen', '']);
  expect(parts.map(({ text }) => text).join('')).toBe(json);
  expect(marked(json, 'one two three', 'two three four')).toEqual(['one two three', 'two three four', 'one two three']);
  expect(marked('{"a":"one two three four"}', 'one two three', 'two three four').join('')).toBe('one two three four');
});
