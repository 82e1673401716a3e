import type { ScriptStep } from '../../support/model-server';
import { ask, model, parseEvents, paths, play, type Dialect } from './ask-model';

describe('misbehaving', () => {
  it.each<[Dialect, number]>([
    ['openai', 429],
    ['anthropic', 529],
  ])('answers with a status in the words of %s', async (dialect, status) => {
    const response = await play(dialect, { status, headers: { 'retry-after': '7' } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, '7']);
    const type = dialect === 'openai' ? 'rate_limit_exceeded' : 'overloaded_error';
    expect((await response.json()).error.type).toBe(type);
  });

  it('answers with an error body of its own', async () => {
    const response = await play('openai', { status: 400, errorBody: { error: { code: 'context_length_exceeded' } } });
    expect(await response.json()).toEqual({ error: { code: 'context_length_exceeded' } });
  });

  it('ends a stream with an error event', async () => {
    const failed = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const events = parseEvents(await (await play('anthropic', { text: 'so far', errorEvent: failed })).text());
    expect(events.at(-1)).toEqual({ name: 'error', data: failed });
    const chunks = parseEvents(await (await play('openai', { text: 'so far', errorEvent: { error: {} } })).text());
    expect(chunks.at(-1)?.data).toEqual({ error: {} });
  });

  it('splits characters over writes of one byte without changing the stream', async () => {
    const step = { text: 'Grüße 日本 🎉' };
    const expected = await (await play('openai', step)).text();
    const response = await play('openai', { ...step, chunkBytes: 1 });
    let writes = 0;
    const bytes: Uint8Array[] = [];
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      writes++;
      bytes.push(chunk);
    }
    expect(Buffer.concat(bytes).toString('utf8')).toBe(expected);
    expect(writes).toBeGreaterThan(20);
  });

  it('resets the connection in the middle, or ends it there as if all were well', async () => {
    const cut = await play('openai', { text: 'a long answer', cutAfterBytes: 50 });
    await expect(cut.text()).rejects.toThrow();
    expect(model.requests[0]?.aborted).toBe(false);
    const ended = await play('openai', { text: 'a long answer', endAfterBytes: 50 });
    expect((await ended.text()).length).toBe(50);
  });

  it('waits before the first byte and between writes', async () => {
    const start = performance.now();
    await (await play('openai', { text: 'one two three', delayMs: 30 })).text();
    expect(performance.now() - start).toBeGreaterThan(120);
  });

  it.each<[string, ScriptStep]>([
    ['after the headers', { hang: true }],
    ['after some bytes', { text: 'a long answer', hang: true, cutAfterBytes: 40 }],
    ['before the headers', { hang: 'headers' }],
  ])('falls silent %s, and notes that the client gave up', async (_when, step) => {
    model.setScript([step]);
    const abort = AbortSignal.timeout(200);
    const asking = (async () => {
      const response = await fetch(model.url + paths.openai, {
        method: 'POST',
        body: '{"stream":true}',
        signal: abort,
      });
      await response.text();
    })();
    await expect(asking).rejects.toMatchObject({ name: 'TimeoutError' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(model.requests.at(-1)?.aborted).toBe(true);
  });

  it('sends a body exactly as given', async () => {
    const raw = '\ufeff: comment\r\ndata: {"not json\r\n\r\n';
    const response = await play('anthropic', { raw });
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(raw))).toBe(true);
  });
});

describe('pages of other origins', () => {
  const preflight = (dialect: Dialect, headers: string): Promise<Response> =>
    fetch(model.url + paths[dialect], {
      method: 'OPTIONS',
      headers: { origin: 'app://obsidian.md', 'access-control-request-headers': headers },
    });

  it('may ask, with the headers that providers allow', async () => {
    model.setScript([{ text: 'a' }]);
    const allowed = await preflight('openai', 'authorization,content-type');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-headers')).not.toContain('stainless');
    const answer = await ask('openai', {}, { origin: 'app://obsidian.md' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('may ask Anthropic only when they say that they know what they do', async () => {
    const consent = 'anthropic-dangerous-direct-browser-access';
    expect((await preflight('anthropic', 'x-api-key')).headers.has('access-control-allow-origin')).toBe(false);
    expect((await preflight('anthropic', consent)).headers.has('access-control-allow-origin')).toBe(true);
    model.setScript([{ text: 'a' }, { text: 'b' }]);
    const without = await ask('anthropic', {}, { origin: 'app://obsidian.md' });
    expect(without.headers.has('access-control-allow-origin')).toBe(false);
    const withConsent = await ask('anthropic', {}, { origin: 'app://obsidian.md', [consent]: 'true' });
    expect(withConsent.headers.has('access-control-allow-origin')).toBe(true);
  });

  it('may not ask where the step says so', async () => {
    model.setScript([{ text: 'a', noCors: true }]);
    expect((await preflight('openai', 'content-type')).headers.has('access-control-allow-origin')).toBe(false);
    expect((await ask('openai')).headers.has('access-control-allow-origin')).toBe(false);
  });
});
