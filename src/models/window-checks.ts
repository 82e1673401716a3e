/** Window checks, for formats whose servers report the context window with which a model runs. */
import type { Failure } from '../core/ports/failure';
import type { RequestPlan } from '../core/ports/request-plan';
import { words } from '../text';
import { failureOf } from './http/model-failure';
import { queryServer, type ServerQuery } from './http/query-server';
import { isRecord } from './http/wire-format';
import type { WireFormat } from './providers/provider';

type Planned = Pick<RequestPlan, 'totals'>;

export interface WindowCheck {
  /** Returns why the model could not read the whole request, as far as is known already; sends nothing. */
  before(plan: Planned): Failure | null;
  /** Queries the server once per window, without anybody waiting for the response. */
  ask(plan: Planned): void;
  /** Returns once what the user should know about the model's actual window. */
  notice(): string | null;
}

type CheckSettings = ServerQuery & { readonly modelName: string };

export const windowChecks: Partial<Record<WireFormat, (settings: CheckSettings) => WindowCheck>> = {
  ollama: checkOllama,
};

/** The maximum tokens of a model, by address and name. */
const maxWindows = new Map<string, number>();
/** Windows that were queried, and the resulting notices that were not shown yet. */
const queried = new Set<string>();
const pendingNotices = new Map<string, string>();

function checkOllama(settings: CheckSettings): WindowCheck {
  const { place, modelName } = settings;
  const name = `${place.baseUrl} ${modelName}`;
  return {
    before({ totals }) {
      const maxWindow = maxWindows.get(name);
      // Token counts of other models are estimates; the server itself refuses what is only slightly too long.
      if (maxWindow === undefined || totals.all <= maxWindow) return null;
      const said = words.models.windowOfModel(modelName, maxWindow, totals.all);
      return failureOf('context-length', said, words.models.windowOfModelRemedy(maxWindow), 'open-settings');
    },
    ask({ totals: { window } }) {
      if (queried.has(`${name} ${window}`)) return;
      queried.add(`${name} ${window}`);
      void learnWindow(settings, name, window);
    },
    notice() {
      const notice = pendingNotices.get(name) ?? null;
      pendingNotices.delete(name);
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
  const maxWindow = trainedWindow(shown);
  if (maxWindow !== null) maxWindows.set(name, maxWindow);
  const loaded = loadedWindow(running, modelName);
  if (loaded !== null && loaded < window)
    pendingNotices.set(name, words.models.windowSmaller(modelName, loaded, window));
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
