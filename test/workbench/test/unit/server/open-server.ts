/** A workbench server over a fresh folder, for the tests of this folder. */
import { rmSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { WebSocket } from 'ws';
import { temporaryFolder, writeTree } from '../../../src/testing/folders';
import { startWorkbench, type Workbench, type WorkbenchSettings } from '../../../src/server';

export interface OpenedServer extends Workbench {
  /** A folder next to the vault, which no request may reach. */
  outside: string;
  ask(method: string, target: string, body?: string | Buffer): Promise<Response>;
  tearDown(): Promise<void>;
}

export async function openServer(
  files: Record<string, string> = {},
  settings: Partial<WorkbenchSettings> = {},
): Promise<OpenedServer> {
  const parent = temporaryFolder();
  const vault = path.join(parent, 'vault');
  const outside = path.join(parent, 'outside');
  const assets = path.join(parent, 'assets');
  writeTree(vault, { 'Note.md': '# Note\n', ...files });
  writeTree(outside, { 'secret.txt': 'secret' });
  writeTree(assets, {
    'index.html': '<html><head><meta name="workbench-token" content="" /></head></html>',
    'workbench.js': 'js',
    'fonts/a.woff2': 'font',
    'hidden.txt': 'hidden',
  });
  const workbench = await startWorkbench({ vault, assets, inPlace: true, ...settings });
  return {
    ...workbench,
    outside,
    ask: (method, target, body) =>
      fetch(new URL(target, workbench.url), {
        method,
        headers: { 'x-workbench': workbench.token },
        ...(body !== undefined && { body: body as BodyInit }),
      }),
    async tearDown() {
      await workbench.close();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** The page's own socket, as the browser would open it. */
export function connectTo(
  { port, token }: Pick<Workbench, 'port' | 'token'>,
  {
    origin = `http://127.0.0.1:${port}`,
    target = `/api/socket?token=${token}`,
    headers = {},
  }: { origin?: string; target?: string; headers?: Record<string, string> } = {},
): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${port}${target}`, { origin, headers });
}

/** A request whose target and headers are sent exactly as given, which fetch would correct. */
export function askRaw(
  port: number,
  request: { method?: string; target: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; body: string; headers: http.IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', target, headers = {}, body } = request;
    const sent = http.request({ host: '127.0.0.1', port, method, path: target, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
