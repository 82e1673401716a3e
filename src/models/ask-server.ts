/** Asks a server a short question beside a conversation; an answer that cannot be had is null. */
import { openConnection } from './connection';
import type { AskedPlace } from './model-failure';
import type { Pace } from './pace';
import { headersFor } from './place';
import type { Transport } from './transport';

export interface Asking {
  readonly place: AskedPlace;
  readonly transport: Transport;
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

/** @param body makes it a POST */
export async function askServer(asking: Asking, path: string, body?: Record<string, unknown>): Promise<unknown> {
  const { place, transport, pace, signal } = asking;
  const { connectMilliseconds } = place.limits;
  const connection = openConnection({
    transport,
    pace,
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
    // Nobody waits for this answer: what matters of it shows in the conversation.
    return null;
  }
}
