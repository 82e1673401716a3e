/**
 * Context windows that are smaller than assumed: as servers report them, as learned from a refusal, and as remembered on
 * the device.
 */
import type { DeviceStorage } from '../core/ports/device';
import type { RequestPlan } from '../core/ports/request-plan';
import { queryServer, type ServerQuery } from './query-server';
import { isRecord } from './http/wire-format';
import type { WireFormat } from './providers/provider';

type Planned = Pick<RequestPlan, 'totals'>;

export interface WindowCheck {
  /** Returns the model's maximum window if it is known to be smaller than the request; sends nothing. */
  before(plan: Planned): number | null;
  /** Queries the server once per window, without anybody waiting for the response. */
  ask(plan: Planned): void;
  /** Returns once the window with which the model runs, if that is smaller than the one that was requested. */
  loaded(): number | null;
}

type CheckSettings = ServerQuery & { readonly modelName: string };

export const windowChecks: Partial<Record<WireFormat, (settings: CheckSettings) => WindowCheck>> = {
  ollama: checkOllama,
};

/** The maximum tokens of a model, by address and name. */
const maxWindows = new Map<string, number>();
/** Windows that were queried, and the smaller ones that were found and not used yet. */
const queried = new Set<string>();
const smallerWindows = new Map<string, number>();

function checkOllama(settings: CheckSettings): WindowCheck {
  const { place, modelName } = settings;
  const name = `${place.baseUrl} ${modelName}`;
  return {
    before({ totals }) {
      const maxWindow = maxWindows.get(name);
      // Token counts of other models are estimates; the server itself refuses what is only slightly too long.
      return maxWindow !== undefined && totals.all > maxWindow ? maxWindow : null;
    },
    ask({ totals: { window } }) {
      if (queried.has(`${name} ${window}`)) return;
      queried.add(`${name} ${window}`);
      void learnWindow(settings, name, window);
    },
    loaded() {
      const loaded = smallerWindows.get(name) ?? null;
      smallerWindows.delete(name);
      return loaded;
    },
  };
}

async function learnWindow(settings: CheckSettings, name: string, window: number): Promise<void> {
  const { modelName } = settings;
  const [shown, running] = await Promise.all([
    queryServer(settings, '/api/show', { model: modelName }),
    queryServer(settings, '/api/ps'),
  ]);
  const maxWindow = trainedWindow(shown);
  if (maxWindow !== null) maxWindows.set(name, maxWindow);
  const loaded = loadedWindow(running, modelName);
  if (loaded !== null && loaded < window) smallerWindows.set(name, loaded);
}

/** Reads `model_info`, which names its fields after the model's family, as in `llama.context_length`. */
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

/** Matches names; one without a tag means the latest. */
function isSameModel(running: unknown, wanted: string): boolean {
  return running === wanted || running === `${wanted}:latest`;
}

// Learned windows: what a refusal says about a model, remembered on the device (F21).

/** What the user set, and what is known otherwise; a change of either ends what was learned before. */
export interface AssumedWindow {
  /** Null if the user set none. */
  readonly own: number | null;
  readonly known: number;
}

export interface LearnedWindows {
  /** Returns the context window that the model was found to hold; null if none was found since this was assumed. */
  of(assumed: AssumedWindow): number | null;
  learn(assumed: AssumedWindow, window: number): void;
}

/** The minimum context window to plan for; in a smaller one no request has space. */
const minWindow = 1_024;

/**
 * Opens what this device has learned about one model at one address.
 * @param memory without it, nothing is learned
 */
export function openLearnedWindows(
  memory: DeviceStorage | undefined,
  modelId: string,
  baseUrl: string,
): LearnedWindows {
  const key = `context-window:${modelId} ${baseUrl}`;
  return {
    of({ own, known }) {
      const [window = Number.NaN, ...assumed] = (memory?.get(key) ?? '').split(' ').map(Number);
      const isSame = assumed[0] === (own ?? 0) && assumed[1] === known;
      return isSame && window >= minWindow && window < (own ?? known) ? window : null;
    },
    learn: ({ own, known }, window) => memory?.set(key, `${window} ${own ?? 0} ${known}`),
  };
}

/** The share of the usable tokens above which an unnamed limit may only mean that the model counts more tokens. */
const nearlyFull = 0.7;

/**
 * Returns the context window to assume after the server refused a request as too long: the one that the server named,
 * else half of the assumed one, halved until the request exceeds it. Returns null if the window is not known to be
 * smaller.
 * @param window the context window that was assumed
 */
export function windowAfterOverflow(
  { totals: { all, reserve } }: Planned,
  window: number,
  named: number | null,
): number | null {
  if (named !== null) return named < window ? Math.max(minWindow, named) : null;
  if (all > (window - reserve) * nearlyFull) return null;
  let half = Math.floor(window / 2);
  while (half > all && half > minWindow) half = Math.floor(half / 2);
  return half < minWindow ? null : half;
}
