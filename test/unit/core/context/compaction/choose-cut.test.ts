/** What entries of each kind send, which decides where a conversation is cut. */
import {
  entrySize,
  sentImageTokens,
  sentTexts,
  sizeOfAll,
} from '../../../../../src/core/context/compaction/choose-cut';
import { imageTokens } from '../../../../../src/core/ports/message';
import type { EntryBody } from '../../../../../src/core/session/entry';
import { entry, user } from '../../../../support/entries';

const image = { kind: 'image', id: 'Keel.png', label: 'Keel', image: { width: 800, height: 600 } };
const unsent = { kind: 'image', id: 'Mast.png', label: 'Mast', problem: 'It is too large.' };
const [call, result] = [
  { type: 'tool-call', id: 'c', name: 'read_note', argumentsText: '{"path":"A"}' },
  { kind: 'tool-result', callId: 'c', name: 'read_note', text: 'Text.', isError: false, sources: [] },
];
const hook = { kind: 'hook', source: 'Weather', text: 'Rain.' };
const made = (body: object) => entry(body as EntryBody);

it.each<[string, object, readonly (string | RegExp)[]]>([
  ['a message', user('Hi.'), ['Hi.']],
  [
    'a message with images',
    { ...user('Hi.'), mentions: [image, unsent] },
    ['Hi.', /Keel/, /Not sent: It is too large/],
  ],
  [
    'an answer',
    { kind: 'assistant', parts: [{ type: 'text', text: 'One.' }, call, { type: 'reasoning', text: 'Two.' }] },
    ['One.', 'read_note {"path":"A"}', 'Two.'],
  ],
  ['a result', result, ['Text.']],
  ['a result with a report', { ...result, additions: [hook] }, ['Text.', /Rain\./]],
  ['reports', { kind: 'hook-context', additions: [hook, hook] }, [/Rain\./, /Weather/]],
  ['what goes with a turn', { kind: 'turn-zone', before: [{ text: 'a' }], after: [{ text: 'b' }] }, ['a', 'b']],
  ['a title', { kind: 'title', title: 'Boats' }, []],
])('counts the texts of %s', (_what, body, texts) => {
  const sent = sentTexts(made(body));
  expect(sent).toEqual(texts.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text))));
});

it('counts the images of messages and of results that the model sees', () => {
  const tokens = imageTokens(800, 600);
  expect(tokens).toBeGreaterThan(100);
  expect(sentImageTokens(made({ ...user('Hi.'), mentions: [image, unsent, image] }))).toBe(2 * tokens);
  expect(sentImageTokens(made({ ...result, images: [image] }))).toBe(tokens);
  expect(sentImageTokens(made(result))).toBe(0);
  expect(sentImageTokens(made({ kind: 'title', title: 'Boats', images: [image] }))).toBe(0);
  const [plain, shown] = [made(user('Hi there.')), made({ ...result, images: [image] })];
  expect([entrySize(plain), entrySize(shown)]).toEqual([3, tokens + 2]);
  expect([entrySize(plain), sizeOfAll([plain, shown]), sizeOfAll([])]).toEqual([3, tokens + 5, 0]);
});
