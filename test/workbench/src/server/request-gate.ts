/** Who may talk to the server: its own page by its own address, and for anything but reading, with the page's token. */
import type { IncomingMessage } from 'node:http';
import { Refusal } from './reply';

const readingMethods = new Set(['GET', 'HEAD']);
const changingMethods = new Set(['PUT', 'POST', 'DELETE']);

/**
 * Throws a Refusal unless the request comes from the page this server serves. The Host check stops another host name
 * that was rebound to the loopback address, the Origin and Sec-Fetch-Site checks stop other pages, and the token stops
 * other programs that can only guess the port.
 */
export function checkRequest(request: IncomingMessage, port: number, token: string): void {
  const { host, origin } = request.headers;
  const method = request.method ?? '';
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    throw new Refusal(403, `This server answers only at 127.0.0.1:${port}.`);
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new Refusal(403, 'Another page may not use this server.');
  }
  const site = request.headers['sec-fetch-site'];
  const opensThePage = request.headers['sec-fetch-mode'] === 'navigate' && pathOf(request) === '/';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !opensThePage) {
    throw new Refusal(403, 'Another page may not use this server.');
  }
  if (readingMethods.has(method)) return;
  if (!changingMethods.has(method)) throw new Refusal(405, `The method ${method} is not served.`);
  checkToken(request.headers['x-workbench'], token);
}

/** Throws a Refusal unless what was given is the page's token. */
export function checkToken(given: string | string[] | null | undefined, token: string): void {
  if (given !== token) throw new Refusal(403, 'The token of the page is missing or wrong. Reload the page.');
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?')[0] ?? '';
}
