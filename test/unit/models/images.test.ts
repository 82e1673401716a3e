/** @jest-environment node */
import type { ImagePart } from '../../../src/core/ports/message';
import { readRequest } from '../../../src/models/built-in-reader/read-request';
import { readImages } from '../../../src/models/encode-plan';
import { takesImages } from '../../../src/models/providers/provider';
import { startScriptedModel } from '../../support/model-server';
import { makePng } from '../../support/make-png';
import { ask, modelAt, planOf, rowOf, textIn } from './harness';

const bytes = makePng(6, 4);
const base64 = Buffer.from(bytes).toString('base64');
const digest = 'd'.repeat(64);
const image: ImagePart = {
  type: 'image',
  name: 'boat.png',
  label: '<image>\nThe image follows.\n</image>',
  text: '<image>\nNot taken.\n</image>',
  missingText: '<image>\nGone.\n</image>',
  olderText: '<image>\nOlder.\n</image>',
  image: { digest, mediaType: 'image/png', width: 6, height: 4, bytes: bytes.length, conversation: 'c1' },
  tokens: 1,
};
const plan = planOf({ messages: [{ role: 'user', parts: [{ type: 'text', text: 'See.' }, image, image] }] });

async function messagesAt(path: string, id: string, modelName: string, readImage: () => Promise<Uint8Array | null>) {
  const server = await startScriptedModel({ script: [{ text: 'A boat.' }] });
  const model = modelAt(`${server.url}${path}`, rowOf(id), { modelName, readImage });
  expect(textIn(await ask(model, plan))).toBe('A boat.');
  const { messages } = server.requests[0]?.body as { messages: { role: string; content: unknown }[] };
  await server.close();
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content);
}

const there = (): Promise<Uint8Array> => Promise.resolve(bytes);

describe('images on the wire', () => {
  it('R218 are image blocks behind the text for Anthropic', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: base64 };
    expect(await messagesAt('/anthropic/v1', 'anthropic', 'claude-sonnet-5', there)).toEqual([
      [
        { type: 'text', text: 'See.' },
        { type: 'text', text: image.label },
        { type: 'image', source },
        { type: 'text', text: image.label },
        { type: 'image', source },
      ],
    ]);
  });

  it('R218 are image_url parts with a data address for servers that speak as OpenAI does', async () => {
    const part = { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } };
    expect(await messagesAt('/openai/v1', 'openai-compatible', 'gpt-4o', there)).toEqual([
      [
        { type: 'text', text: 'See.' },
        { type: 'text', text: image.label },
        part,
        { type: 'text', text: image.label },
        part,
      ],
    ]);
  });

  it('R218 are words when their files are gone, and for a model that takes none', async () => {
    const missing = await messagesAt('/anthropic/v1', 'anthropic', 'claude-sonnet-5', () => Promise.resolve(null));
    expect(JSON.stringify(missing)).toBe(
      JSON.stringify([['See.', image.missingText, image.missingText].map((text) => ({ type: 'text', text }))]),
    );
    const untaken = JSON.stringify(await messagesAt('/openai/v1', 'openai-compatible', 'plain', there));
    expect(untaken).toContain('Not taken.');
    expect(untaken).not.toContain(base64);
  });

  it('R218 are no part of the question that the built-in reader answers', () => {
    const textPart = { type: 'text', text: image.text } as const;
    const asked = planOf({
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Where is the boat?' }, textPart] }],
    });
    expect(readRequest(asked).question).toBe('Where is the boat?');
  });

  it('R218 are read once each, and not at all without a way to read them', async () => {
    const read = jest.fn(there);
    expect([...(await readImages(plan, read)).keys()]).toEqual([digest]);
    expect(read).toHaveBeenCalledTimes(1);
    expect((await readImages(plan, undefined)).size).toBe(0);
  });
});

describe('models that take images', () => {
  it('R218 are those of rows that say so, and those known by name', () => {
    expect(takesImages(rowOf('anthropic'), 'anything')).toBe(true);
    const compatible = rowOf('openai-compatible');
    for (const name of [
      'gpt-4o',
      'openai/gpt-5.6',
      'openai/gpt-6.2-sol',
      'qwen2.5vl:7b',
      'llava:13b',
      'google/gemini-2.5-flash',
      'gemma3:4b',
      'Qwen3-VL-8B',
    ]) {
      expect([name, takesImages(compatible, name)]).toEqual([name, true]);
    }
    for (const name of ['llama3.1:8b', 'mistral-7b', 'deepseek-chat', 'qwen3:8b', 'gpt-oss-20b', 'scripted']) {
      expect([name, takesImages(compatible, name)]).toEqual([name, false]);
    }
  });
});
