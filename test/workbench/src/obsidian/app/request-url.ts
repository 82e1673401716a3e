/** requestUrl and request, sent through the transport that the boot code provides. */
import type { RequestUrlParam, RequestUrlResponse, RequestUrlResponsePromise } from 'obsidian';
import { getCurrentApp } from './current-app';

export interface TransportRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: ArrayBuffer | null;
}

export interface TransportResponse {
  status: number;
  headers: Record<string, string>;
  body: ArrayBuffer;
}

/** Rejects when no answer came at all; a bad status is an answer. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

export class RequestError extends Error {
  constructor(
    readonly status: number,
    readonly headers: Record<string, string>,
  ) {
    super(`Request failed, status ${status}`);
  }
}

function toBuffer(body: string | ArrayBuffer | undefined): ArrayBuffer | null {
  if (body === undefined) return null;
  if (typeof body === 'string') return new TextEncoder().encode(body).buffer;
  return body;
}

function readRequest(request: RequestUrlParam | string): TransportRequest {
  const param = typeof request === 'string' ? { url: request } : request;
  const headers: Record<string, string> = { ...param.headers };
  const has = (name: string): boolean => Object.keys(headers).some((key) => key.toLowerCase() === name);
  // The desktop app's network stack computes this header itself and refuses one from outside.
  if (has('content-length')) throw new Error('net::ERR_INVALID_ARGUMENT');
  if (!/^https?:/i.test(param.url)) throw new Error('net::ERR_UNKNOWN_URL_SCHEME');
  if (param.contentType && !has('content-type')) headers['Content-Type'] = param.contentType;
  return { url: param.url, method: (param.method ?? 'GET').toUpperCase(), headers, body: toBuffer(param.body) };
}

async function send(request: RequestUrlParam | string): Promise<RequestUrlResponse> {
  const { status, headers, body } = await getCurrentApp().transport(readRequest(request));
  const throws = typeof request === 'string' || request.throw !== false;
  if (status >= 400 && throws) throw new RequestError(status, headers);
  const response = { status, headers, arrayBuffer: body } as RequestUrlResponse;
  // Parsed when asked for, so that a body which is no JSON only fails its reader.
  Object.defineProperties(response, {
    text: { get: () => new TextDecoder().decode(body), enumerable: true },
    json: { get: () => JSON.parse(new TextDecoder().decode(body)) as unknown, enumerable: true },
  });
  return response;
}

export function requestUrl(request: RequestUrlParam | string): RequestUrlResponsePromise {
  const promise = send(request) as RequestUrlResponsePromise;
  const later = <T>(read: (response: RequestUrlResponse) => T) => {
    return {
      get: (): Promise<T> => promise.then(read),
    };
  };
  Object.defineProperties(promise, {
    text: later((response) => response.text),
    json: later((response): unknown => response.json),
    arrayBuffer: later((response) => response.arrayBuffer),
  });
  return promise;
}

export function request(param: RequestUrlParam | string): Promise<string> {
  return requestUrl(param).text;
}

/** A transport for tests and for pages without a server: nothing can be reached. */
export const refuseAll: Transport = async () => {
  throw new Error('net::ERR_INTERNET_DISCONNECTED');
};
