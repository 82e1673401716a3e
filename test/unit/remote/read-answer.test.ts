/** @jest-environment node */
import { formatToolResult } from '../../../src/remote/read-answer';
import { words } from '../../../src/text';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';

const text = (words: string): object => ({ type: 'text', text: words });

it('F34 costs no more with many short texts next to large structured content', async () => {
  const structuredContent = { rows: Array.from({ length: 20_000 }, (_, at) => ({ at, name: `row ${at}` })) };
  const content = Array.from({ length: 500 }, (_, at) => text(`${at}`));
  await expectCostBelow(400, () => formatToolResult({ content, structuredContent }));
});

it('gives structured content once, be its members in any order', () => {
  const structuredContent = { high: '14:20', low: '8:05' };
  const same = '{"low": "8:05", "high": "14:20"}';
  expect(formatToolResult({ content: [text('The tide.'), text(same)], structuredContent }).text).toBe(
    `The tide.\n\n${same}`,
  );
  expect(formatToolResult({ content: [text('"14:20"'), text('{broken')], structuredContent }).text).toBe(
    `"14:20"\n\n{broken\n\n${JSON.stringify(structuredContent)}`,
  );
  expect(formatToolResult({ content: [text('null')], structuredContent: null }).text).toBe('null');
});

it('cuts a long name between characters, since half of one makes the request that carries it invalid', () => {
  const link = { type: 'resource_link', name: `${'a'.repeat(199)}🚢`, uri: 'notes://one' };
  const { text: said } = formatToolResult({ content: [link] });
  expect(said).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  expect(said).toContain('a'.repeat(199));
  expect(said).not.toContain('🚢');
  const named = (name: string): string => formatToolResult({ content: [{ ...link, name }] }).text;
  expect(named('a'.repeat(201))).toBe(named('a'.repeat(200)));
  expect(named('a'.repeat(200))).toContain('a'.repeat(200));
});

const bytes = Buffer.from('x'.repeat(3_000)).toString('base64');

it.each<[string, object, string]>([
  ['no text', { type: 'text' }, ''],
  ['text beside what is not its own', { type: 'text', text: 'The tide.', resource: { text: 'No.' } }, 'The tide.'],
  ['a resource', { type: 'resource', resource: { uri: 'notes://one', text: 'High.' } }, 'notes://one\nHigh.'],
  ['a resource that is none', { type: 'resource', resource: 'notes://one' }, words.remote.unknownPart('resource')],
  ['an unknown part', { type: 'tide', resource: { text: 'High.' } }, words.remote.unknownPart('tide')],
  ['a link', { type: 'resource_link', name: 'One', uri: 'notes://one' }, words.remote.link('One', 'notes://one')],
  ['sound', { type: 'audio', data: bytes, mimeType: 'audio/mp3' }, words.remote.partLeftOut('audio', 'audio/mp3', 3)],
  ['an image', { type: 'image', data: bytes, mimeType: 'image/png' }, words.remote.imageNamed(1, 'image/png', 3)],
  [
    'an image that no model takes',
    { type: 'image', data: bytes, mimeType: 'image/tiff' },
    words.remote.partLeftOut('image', 'image/tiff', 3),
  ],
])('says what a part of an answer holds: %s', (_what, part, said) => {
  const { text: written } = formatToolResult({ content: [text('First.'), part] });
  expect(written).toBe(said === '' ? 'First.' : `First.\n\n${said}`);
});

it('keeps eight images of an answer, and says in words how many it leaves out', () => {
  const image = { type: 'image', data: bytes, mimeType: 'image/png' };
  const named = (at: number): string => words.remote.imageNamed(at, 'image/png', 3);
  const most = Array.from({ length: 8 }, (_, at) => named(at + 1));
  const eight = formatToolResult({ content: Array.from({ length: 8 }, () => image) });
  expect([eight.text, eight.images?.length]).toEqual([most.join('\n\n'), 8]);
  const resource = { type: 'resource', resource: { uri: 'notes://one', blob: bytes, mimeType: 'image/png' } };
  const more = formatToolResult({ content: [...Array.from({ length: 9 }, () => image), resource, text('The end.')] });
  expect(more.text).toBe([...most, 'The end.', words.remote.moreImages(2)].join('\n\n'));
  expect(more.images).toHaveLength(8);
});

it('tells the size of what it leaves out: bytes that are none, and a resource without any', () => {
  const broken = { type: 'image', data: '!'.repeat(3_000), mimeType: 'image/png' };
  expect(formatToolResult({ content: [broken] }).images).toBeUndefined();
  expect(formatToolResult({ content: [broken] }).text).toMatch(/image\/png/);
  const empty = { type: 'resource', resource: { uri: 'notes://one', mimeType: 'audio/mp3' } };
  expect(formatToolResult({ content: [empty] }).text).toBe(words.remote.partLeftOut('notes://one', 'audio/mp3', 0));
});
