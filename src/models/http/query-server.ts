/** Asks a model server a short question outside the chat. */
import { openConnection } from './connection';
import { headersFor } from './endpoint';
import type { Endpoint } from './model-failure';
import type { Timing, Transport } from './transport';

export interface ServerQuery {
  readonly place: Endpoint;
  readonly transport: Transport;
  readonly timing: Timing;
  readonly signal: AbortSignal;
}

/**
 * Sends the query and returns the parsed response; null if it fails.
 * @param body if given, the query is a POST
 */
export async function queryServer(asking: ServerQuery, path: string, body?: Record<string, unknown>): Promise<unknown> {
  const { place, transport, timing, signal } = asking;
  const { connectMilliseconds } = place.limits;
  const connection = openConnection({
    transport,
    timing,
    signal,
    firstByteMilliseconds: connectMilliseconds,
    stallMilliseconds: connectMilliseconds,
    headersFor: (origin) => headersFor(place, origin),
    expects: 'json',
  });
  try {
    const response = await connection.fetch(
      place.baseUrl + path,
      body === undefined ? {} : { body: JSON.stringify(body) },
    );
    const text = await response.text();
    return response.ok && connection.ending() === 'complete' ? (JSON.parse(text) as unknown) : null;
  } catch {
    // Nobody waits for this response; a problem that matters also shows in the chat.
    return null;
  }
}
