/** Window checks: for formats whose servers say with which window a model really runs. */
import type { Failure } from '../core/ports/failure';
import type { RequestPlan } from '../core/ports/request-plan';
import { words } from '../text';
import { openConnection } from './http/connection';
import { headersFor } from './http/endpoint';
import { type Endpoint, failureOf } from './http/model-failure';
import type { Timing, Transport } from './http/transport';
import { isRecord } from './http/wire-format';
import type { WireFormat } from './providers/provider';

type Planned = Pick<RequestPlan, 'totals'>;

export interface WindowCheck {
  /** Why the model could not read the request whole, as far as that is known already; nothing is asked. */
  before(plan: Planned): Failure | null;
  /** Asks the server, once for each window; nobody waits for the answer. */
  ask(plan: Planned): void;
  /** What the user should know of the window that the model was given, once. */
  notice(): string | null;
}

export type CheckSettings = ServerQuery & { readonly modelName: string };

export const windowChecks: Partial<Record<WireFormat, (settings: CheckSettings) => WindowCheck>> = {
  ollama: checkOllama,
};

/** Tokens that a model can hold at most, by its address and name. */
const maxWindows = new Map<string, number>();
/** Windows that the server was asked about, and what came of it and was not told yet. */
const asked = new Set<string>();
const untold = new Map<string, string>();

function checkOllama(settings: CheckSettings): WindowCheck {
  const { place, modelName } = settings;
  const name = `${place.baseUrl} ${modelName}`;
  return {
    before({ totals }) {
      const largest = maxWindows.get(name);
      // Tokens of other models are counted roughly; the server itself refuses what is only just too long.
      if (largest === undefined || totals.all <= largest) return null;
      const said = words.models.windowOfModel(modelName, largest, totals.all);
      return failureOf('context-length', said, words.models.windowOfModelRemedy(largest), 'open-settings');
    },
    ask({ totals: { window } }) {
      if (asked.has(`${name} ${window}`)) return;
      asked.add(`${name} ${window}`);
      void learnWindow(settings, name, window);
    },
    notice() {
      const notice = untold.get(name) ?? null;
      untold.delete(name);
      return notice;
    },
  };
}

async function learnWindow(settings: CheckSettings, name: string, window: number): Promise<void> {
  const { modelName } = settings;
  const [shown, running] = await Promise.all([
    queryServer(settings, '/api/show', { model: modelName }),
    queryServer(settings, '/api/ps'),
  ]);
  const largest = trainedWindow(shown);
  if (largest !== null) maxWindows.set(name, largest);
  const loaded = loadedWindow(running, modelName);
  if (loaded !== null && loaded < window) untold.set(name, words.models.windowSmaller(modelName, loaded, window));
}

/** `model_info` names its fields after the family of the model, as in `llama.context_length`. */
export function trainedWindow(shown: unknown): number | null {
  const info = isRecord(shown) && isRecord(shown.model_info) ? shown.model_info : {};
  const found = Object.entries(info).find(([field]) => field.endsWith('.context_length'))?.[1];
  return typeof found === 'number' && found > 0 ? found : null;
}

function loadedWindow(answer: unknown, modelName: string): number | null {
  const running = isRecord(answer) && Array.isArray(answer.models) ? answer.models.filter(isRecord) : [];
  const own = running.find(({ name, model }) => [name, model].some((each) => isSameModel(each, modelName)));
  return typeof own?.context_length === 'number' && own.context_length > 0 ? own.context_length : null;
}

/** A name without a tag means the newest. */
function isSameModel(running: unknown, wanted: string): boolean {
  return running === wanted || running === `${wanted}:latest`;
}

// Asks a server a short question beside a conversation; an answer that cannot be had is null.

interface ServerQuery {
  readonly place: Endpoint;
  readonly transport: Transport;
  readonly pace: Timing;
  readonly signal: AbortSignal;
}

/** @param body makes it a POST */
async function queryServer(asking: ServerQuery, path: string, body?: Record<string, unknown>): Promise<unknown> {
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
