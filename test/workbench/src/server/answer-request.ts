/** Answers one request: the gate first, then the route it names. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ChangeFeed } from './change-feed';
import type { EventStreams } from './event-streams';
import { contentTypeOf, kept, readAsset, readPage, readPlugin, readPluginScript } from './page-assets';
import { proxyRequest, type ProxyLimits } from './proxy-request';
import { asRefusal, readBody, refusedInJson, Refusal, sendBytes, sendJson } from './reply';
import { checkRequest } from './request-gate';
import type { WorkbenchOptions } from './start-workbench';
import { listVault } from './vault-listing';
import {
  appendVaultFile,
  copyVaultEntry,
  createVaultFolder,
  deleteVaultEntry,
  readVaultFile,
  readVaultFiles,
  readVaultStat,
  renameVaultEntry,
  trashVaultEntry,
  writeVaultFile,
} from './vault-routes';
import type { Interception, SocketAnswer } from './vault-socket';

export interface WorkbenchSite {
  vault: string;
  systemTrash: string;
  token: string;
  port: number;
  plugins: readonly string[];
  options: WorkbenchOptions;
  /** The folder of the built page; null when there is none. */
  assets: string | null;
  proxy: ProxyLimits;
  liveReload: boolean;
  reloads: EventStreams;
  changes: ChangeFeed;
  interception: Interception | null;
}

interface VaultQuestion {
  site: WorkbenchSite;
  query: URLSearchParams;
  body(): Promise<Buffer>;
}

interface Question extends VaultQuestion {
  response: ServerResponse;
}

export const maxFileBytes = 200_000_000;

/** Posted, but nothing of the vault changes by it. */
const changesNothing = ['/api/proxy', '/api/files'];

/** A file of the vault shown by the browser itself may draw, but not run anything. */
const inertFile = {
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
};

/** What reads and changes the vault: each answers with bytes, or with a value to be sent as JSON. */
const vaultRoutes: Record<string, (question: VaultQuestion) => unknown> = {
  'GET /api/list': ({ site, query }) => {
    site.changes.start();
    return listVault(site.vault, query.get('path') ?? '', query.get('children') === 'only');
  },
  'GET /api/stat': ({ site, query }) => readVaultStat(site.vault, query),
  'GET /api/file': ({ site, query }) => readVaultFile(site.vault, query),
  'POST /api/files': async ({ site, body }) => readVaultFiles(site.vault, await body()),
  'PUT /api/file': async ({ site, query, body }) => writeVaultFile(site.vault, query, await body()),
  'POST /api/append': async ({ site, query, body }) => appendVaultFile(site.vault, query, await body()),
  'DELETE /api/file': ({ site, query }) => deleteVaultEntry(site.vault, query),
  'POST /api/trash': ({ site, query }) => trashVaultEntry(site.vault, query, site.systemTrash),
  'POST /api/folder': ({ site, query }) => createVaultFolder(site.vault, query),
  'POST /api/rename': ({ site, query }) => renameVaultEntry(site.vault, query),
  'POST /api/copy': ({ site, query }) => copyVaultEntry(site.vault, query),
};

/** Each answers with a value to be sent as JSON, or with undefined when it has written the response itself. */
const pageRoutes: Record<string, (question: Question) => Promise<unknown> | unknown> = {
  'GET /': async ({ site, response }) =>
    sendBytes(response, 'text/html; charset=utf-8', await readPage(site.assets, site.token, site.liveReload)),
  'GET /favicon.ico': ({ response }) => sendBytes(response, 'image/x-icon', Buffer.alloc(0)),
  'GET /api/options': ({ site }) => site.options,
  'GET /api/plugins': ({ site }) => Promise.all(site.plugins.map(readPlugin)),
  'GET /api/plugin-code': async ({ site, query, response }) => {
    const folder = site.plugins[Number(query.get('index') ?? NaN)];
    if (folder === undefined) throw new Refusal(404, 'There is no such plugin.');
    sendBytes(response, contentTypeOf('main.js'), await readPluginScript(folder), kept);
  },
  'GET /api/watch': ({ site, response }) => site.changes.open(response),
  'GET /api/reload': ({ site, response }) => site.reloads.add(response),
  'POST /api/proxy': async ({ site, body }) => proxyRequest(await body(), site.proxy),
};

export async function answerRequest(
  site: WorkbenchSite,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    checkRequest(request, site.port, site.token);
    const { pathname, searchParams } = parseTarget(request.url ?? '/');
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    const name = `${method} ${pathname}`;
    const [vaultRoute, pageRoute] = [vaultRoutes[name], pageRoutes[name]];
    if (!vaultRoute && !pageRoute) return await answerAsset(site, method, pathname, searchParams, response);
    checkMayChange(site, method, pathname);
    const limit = pathname === '/api/proxy' ? site.proxy.maxBytes * 1.5 : maxFileBytes;
    const body = (): Promise<Buffer> => readBody(request, limit);
    const question = { site, query: searchParams, response, body };
    const value = await (vaultRoute ?? pageRoute)?.(question);
    if (Buffer.isBuffer(value)) sendBytes(response, contentTypeOf(searchParams.get('path') ?? ''), value, inertFile);
    else if (value !== undefined) sendJson(response, 200, value);
  } catch (thrown) {
    const refusal = asRefusal(thrown);
    if (response.headersSent) return void response.destroy();
    // An unread body would be taken for the next request on this connection.
    if (!request.complete) response.setHeader('connection', 'close');
    sendJson(response, refusal.status, { error: refusal.message });
  }
}

/** Answers a message of the page's socket, which has passed the gate; null is no answer. Never rejects. */
export async function answerMessage(
  site: WorkbenchSite,
  method: string,
  target: string,
  body: Buffer,
): Promise<SocketAnswer | null> {
  try {
    const { pathname, searchParams } = parseTarget(target);
    const about = searchParams.get('path') ?? '';
    const intercepted = await site.interception?.({ method, route: pathname, path: about, body });
    if (intercepted) return intercepted === 'silence' ? null : intercepted;
    const route = vaultRoutes[`${method} ${pathname}`];
    if (!route) throw new Refusal(404, 'There is nothing at this address.');
    checkMayChange(site, method, pathname);
    const value = await route({ site, query: searchParams, body: () => Promise.resolve(body) });
    return { status: 200, bytes: Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value)) };
  } catch (thrown) {
    const { status, message } = asRefusal(thrown);
    return { status, bytes: Buffer.from(refusedInJson(message)) };
  }
}

function checkMayChange({ options }: WorkbenchSite, method: string, pathname: string): void {
  const mayStay = method === 'GET' || changesNothing.includes(pathname);
  if (options.readOnly && !mayStay) throw new Refusal(403, 'The vault is open for reading only.');
}

async function answerAsset(
  site: WorkbenchSite,
  method: string,
  pathname: string,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const asset = method === 'GET' ? await readAsset(site.assets, pathname) : null;
  if (!asset) throw new Refusal(404, 'There is nothing at this address.');
  sendBytes(response, asset.type, asset.body, query.has('v') ? kept : {});
}

function parseTarget(target: string): URL {
  const url = `http://workbench${target}`;
  if (!target.startsWith('/') || !URL.canParse(url)) throw new Refusal(400, 'The address is malformed.');
  return new URL(url);
}
