/** @jest-environment node */
/** Servers that redirect, over real connections: by fetch, and by a `requestUrl` that follows as Obsidian's does. */
import { Gate } from '../../../src/core/gate/gate';
import { guardNetwork } from '../../../src/core/gate/guard-network';
import { type McpServerChoice } from '../../../src/core/ports/network';
import { defaultSettings, type Settings } from '../../../src/core/settings/settings';
import { openModels } from '../../../src/models/open';
import { openMcp } from '../../../src/remote/open';
import { words } from '../../../src/text';
import { memoryDevice } from '../../support/memory-ports';
import { closeRecordingServers, startRecordingServer } from '../../support/model-server/recording-server';
import { planOf, realTiming } from './harness';
import { ask, failureIn, textIn } from './harness';

const secret = 'sk-canary-7c2f90aa41';
const question = 'What about tea?';

afterEach(closeRecordingServers);

const isBlocked = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch'));

/** Sends with all headers again to wherever it is led, as an app's network stack may. */
const followAll: Parameters<typeof guardNetwork>[0]['requestUrl'] = async (request) => {
  let { url, method, body } = request;
  for (let hops = 0; hops < 20; hops++) {
    const response = await fetch(url, { method, headers: request.headers, body, redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null || response.status < 300 || response.status > 399) {
      const headers = Object.fromEntries(response.headers.entries());
      return { status: response.status, headers, arrayBuffer: await response.arrayBuffer() };
    }
    if (response.status < 304) [method, body] = ['GET', undefined];
    url = new URL(location, url).href;
  }
  throw new Error('Too many redirects.');
};

function openAt(baseUrl: string, keyName: string, page: 'blocked' | 'open') {
  const device = memoryDevice();
  const gate = new Gate({ device, secret: (name) => (name === 'my-key' ? secret : null) });
  const network = { fetch: page === 'open' ? fetch : isBlocked, requestUrl: followAll } as Parameters<
    typeof guardNetwork
  >[0];
  const guarded = guardNetwork(network, gate);
  const provider = { baseUrl, keyName, models: ['scripted'] };
  const settings: Settings = { ...defaultSettings, providers: { 'openai-compatible': provider } };
  const file = { settings, change: () => Promise.resolve() };
  // Waits between tries end at once; time limits are not reached.
  const after = (milliseconds: number, act: () => void) =>
    realTiming.after(milliseconds < 10_000 ? 0 : milliseconds, act);
  const models = openModels(file, {
    transport: { ...guarded, memory: device },
    timing: { ...realTiming, after },
    gate,
  });
  gate.enterAddress('openai-compatible', baseUrl);
  gate.bindKey(keyName, baseUrl);
  const send = () => {
    const model = models.open('openai-compatible/scripted');
    if (!model.ok) throw new Error(model.failure.words);
    return ask(model.value as Parameters<typeof ask>[0], planOf());
  };
  return { gate, models, send, guarded };
}

const carriesAnything = (seen: readonly string[]): boolean =>
  seen.some((each) => each.includes('canary') || each.includes(question));

describe.each([301, 302, 303, 307, 308])('a server that redirects with %i', (status) => {
  it('S5 leads neither the key nor the prompt elsewhere, whichever way the app can reach it', async () => {
    const elsewhere = await startRecordingServer((_request, response) => response.end('{}'));
    const chosen = await startRecordingServer((request, response) => {
      response.writeHead(status, { location: `${elsewhere.origin}${request.url}` }).end();
    });
    for (const page of ['open', 'blocked'] as const) {
      const { send, models } = openAt(`${chosen.origin}/v1`, 'my-key', page);
      const failure = failureIn(await send());
      const isAsked = page === 'blocked';
      expect(failure).toMatchObject(isAsked ? { action: 'allow-sending' } : { action: 'open-settings' });
      expect((await models.testConnection('openai-compatible')).ok).toBe(false);
      expect(carriesAnything(elsewhere.seen)).toBe(false);
      const seen = chosen.seen.splice(0).map((each) => (JSON.parse(each) as string[]).slice(0, 2).join(' '));
      if (isAsked) expect(seen).toEqual(['GET /', 'GET /']);
      else expect(seen).toEqual(['POST /v1/chat/completions', 'GET /v1/models']);
    }
  });

  it('S5 leads no tool call and no key of an MCP server elsewhere', async () => {
    const elsewhere = await startRecordingServer((_request, response) => response.end('{}'));
    const chosen = await startRecordingServer((_request, response) => {
      response.writeHead(status, { location: `${elsewhere.origin}/mcp` }).end();
    });
    for (const page of ['open', 'blocked'] as const) {
      const { gate, guarded } = openAt(`${chosen.origin}/v1`, 'my-key', page);
      const connect = openMcp({
        ...{ ...guarded, timing: { after: () => () => undefined }, version: '1' },
        admit: (keyName, url) => gate.admitServer(keyName, url)?.secret ?? null,
      });
      const choice: McpServerChoice = { name: 'library', url: `${chosen.origin}/mcp`, keyName: 'my-key', isOn: true };
      const outcome = await connect(choice, new AbortController().signal);
      expect(outcome).toMatchObject({
        ok: false,
        failure: { action: page === 'blocked' ? 'allow-sending' : 'open-settings' },
      });
      expect(carriesAnything(elsewhere.seen)).toBe(false);
    }
  });
});

it('S5 follows no chain, and no redirect to plain http or into a private network, by fetch', async () => {
  const end = await startRecordingServer((_request, response) => response.end('{}'));
  const second = await startRecordingServer((_request, response) =>
    response.writeHead(307, { location: end.origin }).end(),
  );
  const targets = [
    second.origin,
    'http://10.0.0.1/',
    'http://169.254.169.254/latest',
    'http://[fe80::1]/',
    '//evil.example',
  ];
  for (const location of targets) {
    const chosen = await startRecordingServer((_request, response) => response.writeHead(307, { location }).end());
    const { send } = openAt(`${chosen.origin}/v1`, 'my-key', 'open');
    expect(failureIn(await send())?.words).toBe(words.models.redirected(new URL(chosen.origin).host));
    expect(chosen.seen).toHaveLength(1);
  }
  expect([end.seen, second.seen]).toEqual([[], []]);
});

it('S5 sends by requestUrl once the user allowed it for the origin, and asks again once that is revoked', async () => {
  const answer = 'data: {"choices":[{"delta":{"content":"Here."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const chosen = await startRecordingServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer),
  );
  const { send, models } = openAt(`${chosen.origin}/v1`, 'my-key', 'blocked');
  const asked = failureIn(await send());
  expect(asked?.words).toBe(words.gate.asksBuffered(words.models.labels.openaiCompatible, chosen.origin, true));
  expect(carriesAnything(chosen.seen)).toBe(false);
  expect(models.allowAsked(asked!)).toBe(true);
  expect(textIn(await send())).toBe('Here.');
  expect(chosen.seen.at(-1)).toContain(secret);
  const before = chosen.seen.length;
  models.sending.revoke('openai-compatible');
  expect(failureIn(await send())).toMatchObject({ kind: 'refused', action: 'allow-sending' });
  expect(chosen.seen).toHaveLength(before);
});

it('asks nothing where a local server without a key can’t be read by the app', async () => {
  const answer = 'data: {"choices":[{"delta":{"content":"Here."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const chosen = await startRecordingServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer),
  );
  expect(textIn(await openAt(`${chosen.origin}/v1`, '', 'blocked').send())).toBe('Here.');
});

it('asks nothing of a server that doesn’t respond at all: it is unreachable', async () => {
  const chosen = await startRecordingServer((_request, response) => response.end());
  await chosen.close();
  const failure = failureIn(await openAt(`${chosen.origin}/v1`, 'my-key', 'blocked').send());
  const words = `Couldn’t connect to ${new URL(chosen.origin).host}. Docent tried 4 times.`;
  expect(failure).toMatchObject({ kind: 'network', action: 'retry', words });
});
