/** @jest-environment node */
import type { McpAnswer } from '../../../src/core/ports/network';
import { type ScriptedMcpServer, startMcpServer } from '../../support/mcp-server';
import { failureOf, lineTo, never, testKey, valueOf } from './harness';

let server: ScriptedMcpServer;
beforeAll(async () => {
  server = await startMcpServer();
});
afterAll(() => server.close());

async function answerWith(result: object): Promise<McpAnswer> {
  server.set({ tools: [{ name: 'look', result }] });
  const line = await lineTo(server.url, {}, { keyName: 'library' });
  return valueOf(await line.callTool('look', {}, never));
}

const text = (words: string): object => ({ type: 'text', text: words });

describe('the answer of a tool', () => {
  it('joins texts by blank lines and names where embedded ones come from', async () => {
    const resource = { uri: 'note://tea', mimeType: 'text/plain', text: 'Green tea.' };
    const answer = await answerWith({
      content: [text('One.'), { type: 'resource', resource }, text(' '), text('Two.')],
    });
    expect(answer).toEqual({ text: 'One.\n\nnote://tea\nGreen tea.\n\nTwo.', isError: false });
  });

  it('tells of what is no text', async () => {
    const data = Buffer.alloc(12_288).toString('base64');
    const blob = { uri: 'note://scan', mimeType: 'application/pdf', blob: 'AAAA' };
    const { text: shown } = await answerWith({
      content: [
        { type: 'image', data, mimeType: 'image/png' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'resource', resource: blob },
        { type: 'resource_link', uri: 'note://link', name: 'A\nlink' },
        { type: 'hologram' },
      ],
    });
    expect(shown.split('\n\n')).toEqual([
      '[image 1: image/png, 12 KB]',
      '[audio, audio/wav, 1 KB: left out]',
      '[note://scan, application/pdf, 1 KB: left out]',
      '[link to A link: note://link]',
      '[hologram: left out]',
    ]);
  });

  it.each([
    ['in lines', (base64: string) => base64.replace(/.{8}/g, '$&\r\n')],
    ['as an address', (base64: string) => `data:image/jpeg;base64,${base64}`],
    ['without padding', (base64: string) => base64.replace(/=+$/, '')],
    ['in letters for addresses', (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')],
  ])('has the bytes of images and resources that are written %s', async (_how, write) => {
    const bytes = [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xfb, 0xef, 0xbe, 0xff];
    const data = write(Buffer.from(bytes).toString('base64'));
    const blob = { uri: 'note://boat', mimeType: 'image/png', blob: data };
    const { text: shown, images } = await answerWith({
      content: [text('A boat.'), { type: 'image', data, mimeType: 'image/jpeg' }, { type: 'resource', resource: blob }],
    });
    expect(shown).toBe('A boat.\n\n[image 1: image/jpeg, 1 KB]\n\nnote://boat\n[image 2: image/png, 1 KB]');
    expect(images?.map((image) => [...image.bytes])).toEqual([bytes, bytes]);
  });

  it.each([
    ['image/jpg', 'image/jpeg'],
    ['IMAGE/PNG', 'image/png'],
    ['image/webp; q=1', 'image/webp'],
  ])('has images of the type %s', async (mimeType, mediaType) => {
    const { text: shown, images } = await answerWith({ content: [{ type: 'image', data: 'AAAA', mimeType }] });
    expect(shown).toBe(`[image 1: ${mediaType}, 1 KB]`);
    expect(images).toMatchObject([{ mediaType }]);
  });

  it('adds what is structured as JSON unless a text is the same JSON', async () => {
    const structuredContent = { cups: 3 };
    expect((await answerWith({ structuredContent })).text).toBe('{"cups":3}');
    expect((await answerWith({ content: [], structuredContent })).text).toBe('{"cups":3}');
    expect((await answerWith({ content: [text('Three.')], structuredContent })).text).toBe('Three.\n\n{"cups":3}');
    expect((await answerWith({ content: [text('{ "cups": 3 }')], structuredContent })).text).toBe('{ "cups": 3 }');
  });

  it('F34 is read with null for what is missing, and with the nulls of structured content', async () => {
    const part = { type: 'text', text: 'Three.', annotations: null, _meta: null };
    const link = { type: 'resource_link', uri: 'note://link', name: 'A', title: null, size: null, mimeType: null };
    const answer = await answerWith({ content: [part, link], structuredContent: { cups: null }, isError: null });
    expect(answer).toEqual({ text: 'Three.\n\n[link to A: note://link]\n\n{"cups":null}', isError: false });
  });

  it('keeps that it is an error, and may be empty', async () => {
    expect(await answerWith({ content: [text('No such note.')], isError: true })).toEqual({
      text: 'No such note.',
      isError: true,
    });
    expect(await answerWith({ content: [] })).toEqual({ text: '', isError: false });
  });

  it('passes the arguments on as they are, once', async () => {
    server.set({ tools: [{ name: 'look' }] });
    const line = await lineTo(server.url);
    const args = { at: 'tea', deep: { list: [1, null, 'ö'] } };
    await line.callTool('look', args, never);
    expect(server.calls).toEqual([{ name: 'look', args }]);
  });

  it.each([
    ['a text that is none', { content: [{ type: 'text', text: 5 }] }],
    ['an image that is none', { content: [{ type: 'image', data: '<svg>', mimeType: 'image/png' }] }],
    ['parts that are none', { content: ['hello'] }],
    ['no list', { content: 'hello' }],
    ['a flag that is none', { content: [], isError: 'yes' }],
  ])('F34 with %s is refused in words, never thrown', async (_what, result) => {
    server.set({ tools: [{ name: 'look', result }] });
    const line = await lineTo(server.url);
    expect(failureOf(await line.callTool('look', {}, never)).kind).toBe('protocol');
  });

  it('F34 with members named like those of every object stays data', async () => {
    const structuredContent = JSON.parse('{"constructor":{"prototype":{"a":1}},"hasOwnProperty":1}') as object;
    expect((await answerWith({ structuredContent })).text).toBe(JSON.stringify(structuredContent));
    expect({}).not.toHaveProperty('a');
  });

  it('has no control characters but tab and line feed', async () => {
    const { text: shown } = await answerWith({ content: [text('a\u0000b\u001b[2Jc\td\r\ne\u0085f\u007fg')] });
    expect(shown).toBe('ab[2Jc\td\nefg');
  });

  it.each([
    ['as it is', testKey],
    ['for addresses', encodeURIComponent(testKey)],
    ['for addresses, in small letters', encodeURIComponent(testKey).toLowerCase().replace('mcp-test', 'mcp-test')],
    ['in Base64', btoa(testKey)],
    ['in Base64 behind other text', btoa(`x${testKey}y`)],
    ['in Base64 behind more text', btoa(`xx${testKey}`)],
    ['as JSON', JSON.stringify({ key: testKey })],
    ['with escaped slashes', testKey.replace('/', '\\/')],
    ['with control characters between', [...testKey].join('\u0007')],
  ])('H10 never holds the key %s', async (_how, spelled) => {
    const { text: shown } = await answerWith({ content: [text('Yes.'), text(`It is ${spelled}!`)] });
    expect(shown).toContain('[redacted]');
    expect(shown).not.toContain('canary');
    expect(shown).not.toContain(btoa('canary+key').slice(2, 10));
    expect(atob(/[A-Za-z0-9+/]{12,}/.exec(shown)?.[0] ?? '')).not.toContain('canary');
  });

  it('H10 never holds the key in names of structured members, nor in an error', async () => {
    const { text: shown } = await answerWith({ structuredContent: { [testKey]: [testKey] } });
    expect(shown).toBe('{"[redacted]":["[redacted]"]}');
    const error = { code: -1, message: `Bad key ${testKey}` };
    server.set({ tools: [], behaviours: { 'tools/call': { message: { result: undefined, error } } } });
    const line = await lineTo(server.url, {}, { keyName: 'library' });
    expect(valueOf(await line.callTool('look', {}, never)).text).toBe('Bad key [redacted]');
  });
});
