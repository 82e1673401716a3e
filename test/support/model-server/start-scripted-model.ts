/** A loopback server that speaks two model protocols from a script and records what it was asked. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerFromSearch } from './answer-from-search';
import { anthropicModels } from './anthropic-reply';
import { geminiModels } from './gemini-reply';
import { ollamaModels } from './ollama-reply';
import { openaiModels } from './openai-reply';
import type { Dialect, ModelRequest, RecordedRequest, Script, ScriptedWindows, ScriptStep } from './script';
import { errorReply, sendReply } from './send-reply';

export interface ScriptedModelSettings {
  script?: Script;
  /** 0, the default, takes any free port. */
  port?: number;
  windows?: ScriptedWindows;
  /** The timing of steps that name none, in milliseconds: 20 reads like a person's model. None unless given. */
  delayMs?: number;
}

export interface ScriptedModel {
  /** Without a slash at its end; the protocols are at `/openai/v1`, `/anthropic/v1`, `/gemini/v1beta` and `/ollama`. */
  url: string;
  requests: readonly RecordedRequest[];
  /** Also forgets the requests recorded so far. */
  setScript(script: Script): void;
  close(): Promise<void>;
}

const modelPaths: Record<string, Dialect> = {
  '/openai/v1/chat/completions': 'openai',
  '/anthropic/v1/messages': 'anthropic',
  '/openai/v1/responses': 'responses',
  '/gemini/v1beta/models/:streamGenerateContent': 'gemini',
  '/ollama/api/chat': 'ollama',
};

const modelLists: Record<string, object> = {
  '/openai/v1/models': openaiModels,
  '/anthropic/v1/models': anthropicModels,
  '/gemini/v1beta/models': geminiModels,
  '/ollama/api/tags': ollamaModels,
};

/** The headers a hosted provider lets a page send; any other makes the browser refuse the request. */
const allowedHeaders =
  'content-type, authorization, x-api-key, x-goog-api-key, anthropic-version, anthropic-beta, anthropic-dangerous-direct-browser-access';
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, retry-after-ms, x-request-id, request-id',
};

export async function startScriptedModel(settings: ScriptedModelSettings = {}): Promise<ScriptedModel> {
  let script = settings.script ?? answerFromSearch;
  let taken = 0;
  const requests: RecordedRequest[] = [];

  const nextStep = (request: ModelRequest): ScriptStep => {
    const timing = settings.delayMs === undefined ? {} : { delayMs: settings.delayMs };
    if (typeof script === 'function') return { ...timing, ...script(request) };
    const step = script[taken++];
    return step
      ? { ...timing, ...step }
      : { status: 500, errorBody: errorReply(request.dialect, 500, `The script has no step ${taken}.`) };
  };
  const willRefusePages = (): boolean => typeof script !== 'function' && script[taken]?.noCors === true;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const dialect = modelPaths[path.replace(/(?<=\/models\/)[^/:]+/, '')] ?? null;
    if (request.method === 'OPTIONS') return sendPreflight(request, response, dialect, willRefusePages());
    if (request.method === 'GET' && path === '/requests') return sendJson(response, 200, requests);
    const list = request.method === 'GET' ? modelLists[path] : undefined;
    if (list !== undefined) return sendJson(response, 200, list);
    if (path === '/ollama/api/show') return sendJson(response, 200, shown(settings.windows));
    if (path === '/ollama/api/ps') return sendJson(response, 200, running(settings.windows));
    const recorded: RecordedRequest = {
      index: requests.length,
      dialect,
      method: request.method ?? '',
      path,
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: await readJson(request),
      aborted: false,
    };
    requests.push(recorded);
    let cutByScript = false;
    response.on('close', () => (recorded.aborted = !response.writableEnded && !cutByScript));
    if (dialect === null || request.method !== 'POST') {
      return sendJson(response, 404, errorReply(dialect, 404, `Nothing is served at ${path}.`));
    }
    const step = nextStep({ ...recorded, dialect });
    cutByScript = step.cutAfterBytes !== undefined && !step.hang;
    const refusesPages = step.noCors || !mayAskFromPage(dialect, request);
    await sendReply(response, step, { ...recorded, dialect }, refusesPages ? {} : corsHeaders);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, errorReply(null, 500, `The script failed: ${String(thrown)}`));
    });
  });
  // A client that is busy for a while finds its connection as it left it.
  server.keepAliveTimeout = 120_000;
  const port = await listen(server, settings.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    setScript(next) {
      script = next;
      taken = 0;
      requests.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function shown({ trained, capabilities = ['completion', 'tools'] }: ScriptedWindows = {}): object {
  return {
    capabilities,
    model_info: trained === undefined ? {} : { 'tiny.context_length': trained },
  };
}

function running({ loaded }: ScriptedWindows = {}): object {
  return { models: loaded === undefined ? [] : [{ name: 'scripted', model: 'scripted', context_length: loaded }] };
}

/** Anthropic answers a page only when the page says that it knows what it does. */
function mayAskFromPage(dialect: Dialect | null, request: IncomingMessage): boolean {
  if (dialect !== 'anthropic' || request.headers.origin === undefined) return true;
  const consent = 'anthropic-dangerous-direct-browser-access';
  const announced = request.headers['access-control-request-headers'] ?? '';
  return request.headers[consent] === 'true' || announced.includes(consent);
}

function sendPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  dialect: Dialect | null,
  refusesPages: boolean,
): void {
  const answersPages = !refusesPages && mayAskFromPage(dialect, request);
  const allowance = {
    ...corsHeaders,
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': allowedHeaders,
  };
  response.writeHead(answersPages ? 204 : 403, answersPages ? allowance : {});
  response.end();
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', ...corsHeaders });
  response.end(JSON.stringify(value));
}

/** A body that is not JSON is recorded as its text. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return text === '' ? null : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
