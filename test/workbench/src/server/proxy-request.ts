/** Sends one request on behalf of the page, as Obsidian's requestUrl does: no CORS, the whole answer at once. */
import { Refusal } from './reply';

export interface ProxyLimits {
  maxBytes: number;
  timeoutMs: number;
  /** Tests allow this machine only. */
  loopbackOnly: boolean;
}

export const defaultProxyLimits: ProxyLimits = { maxBytes: 20_000_000, timeoutMs: 300_000, loopbackOnly: false };

export type ProxyAnswer = { status: number; headers: Record<string, string>; body: string } | { error: string };

interface ProxyQuestion {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);
/** Set by the connection itself; a value from the page would make the request fail. */
const connectionHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
]);
/** The answer is handed over decoded and whole, so these would be untrue. */
const transferHeaders = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection']);

/** A malformed question is a Refusal; a failed request is an answer with its reason. */
export async function proxyRequest(requestBody: Buffer, limits: ProxyLimits): Promise<ProxyAnswer> {
  const question = decodeQuestion(requestBody);
  try {
    const response = await follow(question, limits);
    const body = await readUpTo(response, limits.maxBytes);
    const headers = Object.fromEntries([...response.headers].filter(([name]) => !transferHeaders.has(name)));
    return { status: response.status, headers, body: body.toString('base64') };
  } catch (thrown) {
    return { error: describe(thrown, question.url, limits) };
  }
}

/** As many as the app's network stack follows. */
const maxRedirects = 20;

/**
 * Sends the request, and sends it again to wherever it is redirected, as the app does without showing it. Every header
 * goes along, which is the worst that an app can do.
 */
async function follow(question: ProxyQuestion, limits: ProxyLimits): Promise<Response> {
  let { url, method, body } = question;
  const signal = AbortSignal.timeout(limits.timeoutMs);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (limits.loopbackOnly && !loopbackHosts.has(url.hostname)) {
      throw new StaysHere(`Requests to ${url.hostname} are switched off: this workbench stays on this machine.`);
    }
    const sent: RequestInit = { method, headers: question.headers, body: body as BodyInit | null };
    const response = await fetch(url, { ...sent, redirect: 'manual', signal });
    const location = response.headers.get('location');
    if (location === null || !redirectStatuses.has(response.status)) return response;
    await response.body?.cancel();
    const turnsToGet = response.status === 303 || (response.status <= 302 && method === 'POST');
    if (turnsToGet && method !== 'HEAD') [method, body] = ['GET', null];
    url = new URL(location, url);
  }
  throw new StaysHere(`${question.url.host} redirects too often.`);
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** A request that the workbench ends itself, with the reason. */
class StaysHere extends Error {}

function decodeQuestion(requestBody: Buffer): ProxyQuestion {
  let parsed: unknown;
  try {
    parsed = JSON.parse(requestBody.toString('utf8'));
  } catch {
    throw new Refusal(400, 'The request to pass on is not JSON.');
  }
  if (typeof parsed !== 'object' || parsed === null) throw new Refusal(400, 'The request to pass on is not an object.');
  const { url, method = 'GET', headers = {}, body = null } = parsed as Record<string, unknown>;
  const target = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null;
  if (target === null) throw new Refusal(400, 'The address to ask is not a URL.');
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw new Refusal(400, 'Only http and https addresses can be asked.');
  }
  if (typeof method !== 'string' || !/^[a-z]+$/i.test(method)) throw new Refusal(400, 'The method is not a word.');
  if (typeof headers !== 'object' || headers === null) throw new Refusal(400, 'The headers are not an object.');
  if (body !== null && typeof body !== 'string') throw new Refusal(400, 'The body is neither base64 text nor null.');
  const kept = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name.toLowerCase()));
  const verb = method.toUpperCase();
  return {
    url: target,
    method: verb,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    body: body === null || verb === 'GET' || verb === 'HEAD' ? null : Buffer.from(body, 'base64'),
  };
}

async function readUpTo(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw new Refusal(413, `The answer is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function describe(thrown: unknown, url: URL, limits: ProxyLimits): string {
  if (thrown instanceof Refusal || thrown instanceof StaysHere) return thrown.message;
  const { name, message, cause } = thrown as Error & { cause?: NodeJS.ErrnoException };
  if (name === 'TimeoutError') return `${url.host} did not answer in ${limits.timeoutMs / 1000} s.`;
  return `${url.host} could not be reached (${cause?.code ?? cause?.message ?? message}).`;
}
