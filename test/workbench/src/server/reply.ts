/** How the server reads a request body and answers: JSON, refusals in plain words, and nothing that may be cached. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request that is refused: routes throw it and the server answers `{ error }` with its words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    words: string,
  ) {
    super(words);
  }
}

export const securityHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

export const refusedInJson = (words: string): string => JSON.stringify({ error: words });

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}

export function sendBytes(
  response: ServerResponse,
  contentType: string,
  body: Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(200, {
    ...securityHeaders,
    'content-type': contentType,
    'content-length': body.length,
    ...headers,
  });
  response.end(body);
}

export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new Refusal(413, `The request is larger than ${limit} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const fileFailures: Record<string, [status: number, words: string]> = {
  ENOENT: [404, 'There is no such file or folder in the vault, or its parent folder is missing.'],
  EEXIST: [409, 'A file or folder of that name already exists.'],
  ENOTEMPTY: [409, 'The folder is not empty.'],
  ENOTDIR: [409, 'A part of the path is a file, not a folder.'],
  EISDIR: [409, 'The path is a folder, not a file.'],
  EACCES: [403, 'The file system does not allow this.'],
  EPERM: [403, 'The file system does not allow this.'],
  ENAMETOOLONG: [400, 'The name is too long for the file system.'],
  ENOSPC: [507, 'The disk is full.'],
};

/** Converts a thrown value to a refusal; an unknown failure retains its own message. */
export function asRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  const { code, message } = thrown as NodeJS.ErrnoException;
  const known = code === undefined ? undefined : fileFailures[code];
  return known ? new Refusal(...known) : new Refusal(500, `The server failed: ${message}`);
}
