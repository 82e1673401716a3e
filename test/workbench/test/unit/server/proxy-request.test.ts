import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { openServer, type OpenedServer } from './open-server';

let target: http.Server;
let address: string;
let received: { method?: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
let server: OpenedServer;

beforeAll(async () => {
  target = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      received.push({ method: request.method, headers: request.headers, body });
      if (request.url === '/slow') return;
      if (request.url === '/large') return void response.end(Buffer.alloc(200_000));
      const hop = /^\/hop\/(\d+)$/.exec(request.url ?? '')?.[1];
      if (hop !== undefined) return void response.writeHead(Number(hop), { location: '/end' }).end();
      if (request.url === '/round') return void response.writeHead(307, { location: '/round' }).end();
      if (request.url === '/away') return void response.writeHead(302, { location: 'http://docs.example/' }).end();
      response.writeHead(418, { 'content-encoding': 'gzip', 'x-kept': 'yes' });
      response.end(gzipSync('a teapot'));
    });
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  server = await openServer({}, { proxy: { maxBytes: 100_000, timeoutMs: 1_500, loopbackOnly: true } });
});
afterAll(async () => {
  await server.tearDown();
  target.closeAllConnections();
  await new Promise((resolve) => target.close(resolve));
});
beforeEach(() => (received = []));

const pass = async (question: unknown): Promise<{ status: number; answer: Record<string, unknown> }> => {
  const body = typeof question === 'string' ? question : JSON.stringify(question);
  const response = await server.ask('POST', '/api/proxy', body);
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
};

it('passes on method, headers and body, and hands the answer back decoded', async () => {
  const { status, answer } = await pass({
    url: `${address}/`,
    method: 'post',
    headers: { 'X-Mine': '1', 'content-length': '999', Host: 'evil.example' },
    body: Buffer.from('hello').toString('base64'),
  });
  expect(status).toBe(200);
  expect(answer).toEqual({
    status: 418,
    headers: expect.objectContaining({ 'x-kept': 'yes' }),
    body: expect.any(String),
  });
  expect(answer.headers).not.toHaveProperty('content-encoding');
  expect(Buffer.from(String(answer.body), 'base64').toString()).toBe('a teapot');
  expect(received).toEqual([expect.objectContaining({ method: 'POST', body: 'hello' })]);
  expect(received[0]?.headers).toMatchObject({ 'x-mine': '1', 'content-length': '5', host: new URL(address).host });
});

it.each([
  ['not JSON', '{'],
  ['null', 'null'],
  ['no address', {}],
  ['a file', { url: 'file:///etc/passwd' }],
  ['a script', { url: 'javascript:alert(1)' }],
  ['a relative address', { url: '/api/list' }],
  ['a method with a space', { url: 'http://127.0.0.1/', method: 'GET /' }],
  ['headers that are text', { url: 'http://127.0.0.1/', headers: 'x' }],
  ['a body that is a number', { url: 'http://127.0.0.1/', body: 1 }],
])('refuses %s', async (_name, question) => {
  const { status, answer } = await pass(question);
  expect(status).toBe(400);
  expect(answer).toEqual({ error: expect.stringMatching(/\.$/) });
});

it.each([
  ['an answer that is too large', () => `${address}/large`, /larger than 100000 bytes/],
  ['an answer that does not come', () => `${address}/slow`, /did not answer in 1.5 s/],
  ['nobody listening', () => 'http://127.0.0.1:1/', /could not be reached \(/],
  ['another machine, where that is switched off', () => 'http://docs.example/', /stays on this machine/],
])('answers with the reason for %s', async (_name, url, reason) => {
  const { status, answer } = await pass({ url: url(), method: 'GET', headers: {}, body: null });
  expect([status, answer]).toEqual([200, { error: expect.stringMatching(reason) }]);
});

it('does not follow a redirect off the machine where that is switched off', async () => {
  const { answer } = await pass({ url: `${address}/away`, method: 'GET', headers: {}, body: null });
  expect(answer).toEqual({ error: expect.stringContaining('stays on this machine') });
  expect(received).toHaveLength(1);
});

it.each([
  [301, 'GET', ''],
  [302, 'GET', ''],
  [303, 'GET', ''],
  [307, 'POST', 'hello'],
  [308, 'POST', 'hello'],
])('follows a redirect with %i unseen, with every header, as the app does', async (status, method, body) => {
  const headers = { 'x-api-key': 'secret', authorization: 'Bearer secret' };
  const question = { url: `${address}/hop/${status}`, method: 'POST', headers };
  const { answer } = await pass({ ...question, body: Buffer.from('hello').toString('base64') });
  expect(answer).toMatchObject({ status: 418 });
  expect(received).toHaveLength(2);
  expect(received[1]).toMatchObject({ method, body });
  expect(received[1]?.headers).toMatchObject(headers);
});

it('ends a redirect that leads in a circle', async () => {
  const { answer } = await pass({ url: `${address}/round`, method: 'GET', headers: {}, body: null });
  expect(answer).toEqual({ error: expect.stringContaining('too often') });
  expect(received.length).toBeLessThan(30);
});
