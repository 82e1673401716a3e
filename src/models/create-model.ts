/** createModel: the Model port over one provider row and one model name. */
import type { Failure } from '../core/failure';
import type { Model, ModelDescription, ModelEvent } from '../core/ports';
import type { RequestPlan } from '../core/request/request-plan';
import { hostedLimits, localLimits, openConnection, type Limits } from './connection';
import { decodeStream } from './decode-stream';
import { encodePlan, type Encoding } from './encode-plan';
import { faultOfEnding, faultOfError, faultOfProblem, type AskedPlace, type ModelFault } from './model-failure';
import { sleep, untilAborted, type Pace } from './pace';
import { findPlace, headersFor } from './place';
import { findKnownModel, type ProviderRow } from './provider-row';
import { retryDelay } from './retry';
import type { Transport } from './transport';

export interface ModelSettings {
  readonly row: ProviderRow;
  /** Empty for the row's own. */
  readonly baseUrl: string;
  /** The key stored for this origin, or null; asked anew for every request and kept nowhere. */
  readonly key: (origin: string) => string | null;
  readonly modelName: string;
  /** Tokens; overrides the table. */
  readonly contextWindow?: number;
  readonly transport: Transport;
  readonly pace: Pace;
  /** Unless given, by whether the row is local. */
  readonly limits?: Limits;
}

export function createModel(settings: ModelSettings): Model {
  return {
    description: describeModel(settings),
    stream: (plan, signal) => streamAnswer(settings, plan, signal),
  };
}

function describeModel({ row, modelName, contextWindow }: ModelSettings): ModelDescription {
  const known = findKnownModel(row, modelName) ?? row.unlisted;
  const window = contextWindow ?? known.contextWindow;
  return {
    id: `${row.id}/${modelName}`,
    label: modelName,
    contextWindow: window,
    // A window set by hand may be far smaller than the table's; half of it stays for the request.
    outputLimit: Math.min(known.outputLimit, Math.floor(window / 2)),
    nativeTools: true,
    cachesPrompts: row.cachesPrompts,
    ...(row.takesImages === true && { takesImages: true }),
    ...(known.cacheMinimum !== undefined && { cacheMinimum: known.cacheMinimum }),
  };
}

async function* streamAnswer(
  settings: ModelSettings,
  plan: RequestPlan,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const limits = settings.limits ?? (settings.row.local ? localLimits : hostedLimits);
  const place = findPlace({ ...settings, limits });
  if (!place.ok) {
    yield failed(place.failure);
    return;
  }
  for (let tries = 1; !signal.aborted; tries++) {
    const { shown, fault } = yield* streamOnce(settings, place.value, plan, signal);
    if (fault === undefined || signal.aborted) return;
    if (!shown && refusesHint(fault, settings)) continue;
    const delay = retryDelay(fault, tries, shown, settings.pace);
    if (delay === null) {
      yield failed(fault.failure);
      return;
    }
    await sleep(settings.pace, delay, signal);
  }
}

interface Attempt {
  /** Whether any event was handed on. */
  readonly shown: boolean;
  /** Undefined when the answer ended by itself, was cut after something was shown, or was stopped. */
  readonly fault?: ModelFault;
}

async function* streamOnce(
  { row, modelName, transport, pace }: ModelSettings,
  place: AskedPlace,
  plan: RequestPlan,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Attempt> {
  const { firstByteMilliseconds, stallMilliseconds } = place.limits;
  const connection = openConnection({
    transport,
    pace,
    signal,
    firstByteMilliseconds,
    stallMilliseconds,
    headersFor: (origin) => headersFor(place, origin),
    expects: 'stream',
  });
  const source = { provider: row.id, model: modelName };
  let shown = false;
  try {
    const { loadLanguageModel } = await import('./load-providers');
    const { baseUrl } = place;
    const { model, options } = loadLanguageModel({ row, baseUrl, modelName, fetch: connection.fetch });
    const { providerOptions = {}, ...encoded } = encodePlan(plan, source, encodingOf(row, modelName));
    const extra = { providerOptions: { ...providerOptions, ...options.providerOptions } };
    const call = { ...encoded, ...extra, abortSignal: signal };
    const { stream } = await untilAborted(Promise.resolve(model.doStream(call)), signal);
    const events = decodeStream(stream, source);
    try {
      for (;;) {
        const step = await events.next();
        if (signal.aborted) return { shown };
        if (step.done) {
          if (step.value.type === 'finished') return { shown };
          return { shown, fault: faultOfEnd(step.value) };
        }
        shown = true;
        yield step.value;
      }
    } finally {
      // A cancelled reader frees the connection; how that ends changes nothing any more.
      events.return({ type: 'cut' }).catch(() => undefined);
    }
  } catch (thrown) {
    if (signal.aborted) return { shown };
    const problem = connection.problem();
    return { shown, fault: problem ? faultOfProblem(problem, place) : faultOfError(thrown, place, pace.now()) };
  }

  function faultOfEnd(end: { type: 'cut' } | { type: 'error'; error: unknown }): ModelFault | undefined {
    // A library that runs out of bytes reports an error of its own; the bytes know better what happened.
    if (end.type === 'cut' || isMissingEnd(end.error)) return faultOfEnding(connection.ending(), shown, place);
    return faultOfError(end.error, place, pace.now());
  }
}

/** Models that refuse to be told what to keep; they are asked without it until the app starts anew. */
const refused = new Set<string>();

/** Whether the same request without such words is worth a try; once a model. */
function refusesHint({ failure }: ModelFault, { row, modelName }: ModelSettings): boolean {
  const name = `${row.id}/${modelName}`;
  if (row.cacheHint === undefined || refused.has(name)) return false;
  if (!/cache_control|prompt_cache_key|cache breakpoint|ephemeral/i.test(failure.words)) return false;
  refused.add(name);
  return true;
}

/** Local servers keep what they can by themselves, and fill in templates that want roles to take turns. */
function encodingOf({ id, cacheHint, takesImages, local }: ProviderRow, modelName: string): Encoding {
  return {
    ...(cacheHint !== undefined && !refused.has(`${id}/${modelName}`) && { cacheHint }),
    ...(takesImages !== undefined && { takesImages }),
    joinsNeighbours: local,
  };
}

function isMissingEnd(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_InvalidResponseDataError';
}

function failed(failure: Failure): ModelEvent {
  return { type: 'failure', failure };
}
