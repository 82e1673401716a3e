/** One attempt at an answer: a request over its own connection, decoded. Returns a failure instead of throwing it. */
import type { ModelEvent } from '../core/ports/model';
import type { RequestPlan } from '../core/ports/request-plan';
import { words } from '../text';
import { decodeStream, type StreamEnd } from './decode-stream';
import { type Encoding, encodePlan, type ReadImage, readImages } from './encode-plan';
import type { RequestOption } from './formats/request-options';
import { openConnection } from './http/connection';
import { headersFor } from './http/endpoint';
import { joinerFor } from './http/join-events';
import { type Endpoint, faultOfEnding, toModelFailure, faultOfProblem, type ModelFailure } from './http/model-failure';
import { type Timing, type Transport, untilAborted } from './http/transport';
import type { ProviderRow } from './providers/provider';

export interface AttemptSettings {
  readonly row: ProviderRow;
  readonly modelName: string;
  readonly place: Endpoint;
  readonly encoding: Encoding;
  /** Optional parts that the request may carry. */
  readonly hints: readonly RequestOption[];
  readonly transport: Transport;
  readonly timing: Timing;
  /** Reads the bytes of an image in a request. */
  readonly readImage?: ReadImage;
}

export interface Attempt {
  /** Whether any event was yielded. */
  readonly shown: boolean;
  /** Undefined if the answer ended normally, was cut off after something was shown, or was stopped. */
  readonly fault?: ModelFailure;
}

export async function* streamAttempt(
  { row, modelName, place, encoding, hints, transport, timing, readImage }: AttemptSettings,
  plan: RequestPlan,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Attempt> {
  const { firstByteMilliseconds, stallMilliseconds } = place.limits;
  const connection = openConnection({
    transport,
    timing,
    signal,
    firstByteMilliseconds,
    stallMilliseconds,
    headersFor: (origin) => headersFor(place, origin),
    expects: 'stream',
    join: joinerFor(row.format),
  });
  const source = { provider: row.id, model: modelName };
  let shown = false;
  try {
    const { loadLanguageModel } = await import('./formats/load-format');
    const images = encoding.takesImages === true ? await readImages(plan, readImage) : new Map<string, Uint8Array>();
    const { baseUrl } = place;
    const model = loadLanguageModel({ row, baseUrl, modelName, hints, fetch: connection.fetch });
    const call = { ...encodePlan(plan, source, { ...encoding, images }), abortSignal: signal };
    const { stream } = await untilAborted(Promise.resolve(model.doStream(call)), signal);
    if (connection.fellBack()) yield { type: 'notice', words: noticeOfWhole(place) };
    const end = yield* forward(decodeStream(stream, source));
    return end === null || end.type === 'finished' ? { shown } : { shown, fault: faultOfEnd(end) };
  } catch (thrown) {
    if (signal.aborted) return { shown };
    const problem = connection.problem();
    return { shown, fault: problem ? faultOfProblem(problem, place) : toModelFailure(thrown, place, timing.now()) };
  }

  /** Yields the events and returns how they ended, or null if the request was aborted. */
  async function* forward(events: AsyncGenerator<ModelEvent, StreamEnd>): AsyncGenerator<ModelEvent, StreamEnd | null> {
    try {
      for (;;) {
        const step = await events.next();
        if (signal.aborted) return null;
        if (step.done === true) return step.value;
        shown = true;
        yield step.value;
      }
    } finally {
      // Frees the connection by cancelling the reader; its outcome no longer matters.
      events.return({ type: 'cut' }).catch(() => undefined);
    }
  }

  function faultOfEnd(end: Exclude<StreamEnd, { type: 'finished' }>): ModelFailure | undefined {
    // A library that runs out of bytes reports an error of its own; the connection knows better what happened.
    if (end.type === 'cut' || isMissingEnd(end.error)) return faultOfEnding(connection.ending(), shown, place);
    return toModelFailure(end.error, place, timing.now());
  }
}

/** Adds how to allow streaming for a local server, because its user can change the server's settings. */
function noticeOfWhole({ row, baseUrl }: Endpoint): string {
  const { wholeAnswers, crossOriginHelp } = words.models;
  const said = wholeAnswers(new URL(baseUrl).host);
  return row.local ? `${said} ${crossOriginHelp[row.crossOriginHelp]}` : said;
}

function isMissingEnd(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_InvalidResponseDataError';
}
