/** Asks a model server outside the chat: for its list of models, and short questions. */
import { fail, type Outcome, succeed } from '../core/ports/failure';
import { type Connection, hostedLimits, type Limits, openConnection } from './http/connection';
import { type Admit, headersFor, resolveEndpoint } from './http/endpoint';
import { type Endpoint, faultOfEnding, faultOfProblem, toModelFailure } from './http/model-failure';
import type { Timing, Transport } from './http/transport';
import { addWindows, type ListedModel, parseJson, toolSupportIn, wireFormats } from './http/wire-format';
import type { ProviderRow } from './providers/provider';

interface ListSettings {
  readonly row: ProviderRow;
  /** Empty for the row's own address. */
  readonly baseUrl: string;
  readonly admit: Admit;
  readonly transport: Transport;
  readonly timing: Timing;
  readonly signal: AbortSignal;
  readonly limits?: Limits;
}

/** Returns the models in the server's order, after a single attempt. */
export async function listModels(settings: ListSettings): Promise<Outcome<readonly ListedModel[]>> {
  const { row, timing, limits = hostedLimits } = settings;
  const { connectMilliseconds } = limits;
  const quick = { ...limits, firstByteMilliseconds: connectMilliseconds, stallMilliseconds: connectMilliseconds };
  const place = resolveEndpoint({ ...settings, modelName: '', limits: quick });
  if (!place.ok) return place;
  const query = { ...settings, place: place.value };
  const connection = connect(query);
  try {
    const response = await connection.fetch(place.value.baseUrl + wireFormats[row.format].modelsPath, {});
    const listed = await readList(response, place.value, timing, () => connection.ending());
    if (!listed.ok) return listed;
    return succeed(await addDetails(listed.value, query));
  } catch (thrown) {
    const problem = connection.problem();
    const { failure } = problem
      ? faultOfProblem(problem, place.value)
      : toModelFailure(thrown, place.value, timing.now());
    return fail(failure);
  }
}

/** The maximum number of models that a server is asked about one by one, and how many at the same time. */
const maxQueries = 64;
const queriesAtOnce = 8;

/**
 * Adds the windows of models in memory, for servers that list them elsewhere, and whether each model supports tools, for
 * servers that say so of a single model only.
 */
async function addDetails(models: readonly ListedModel[], query: ServerQuery): Promise<readonly ListedModel[]> {
  const { windowPaths = [], format } = query.place.row;
  const { modelPath } = wireFormats[format];
  let known = models;
  for (const path of windowPaths) {
    if (known.some(({ contextWindow }) => contextWindow !== undefined)) return known;
    known = addWindows(known, await queryServer(query, path));
  }
  if (windowPaths.length > 0) return known;
  if (modelPath === undefined) return models;
  const detailed: ListedModel[] = [];
  for (let start = 0; start < Math.min(models.length, maxQueries); start += queriesAtOnce) {
    const asked = models.slice(start, start + queriesAtOnce).map(async (model) => ({
      ...model,
      ...toolSupportIn(await queryServer(query, modelPath, { model: model.name })),
    }));
    detailed.push(...(await Promise.all(asked)));
  }
  return [...detailed, ...models.slice(detailed.length)];
}

async function readList(
  response: Response,
  place: Endpoint,
  timing: Timing,
  ending: Connection['ending'],
): Promise<Outcome<readonly ListedModel[]>> {
  const body = await response.text();
  const early = ending() === 'complete' ? undefined : faultOfEnding(ending(), false, place);
  if (early !== undefined) return fail(early.failure);
  if (!response.ok) {
    const responseHeaders = Object.fromEntries(response.headers.entries());
    const error = { statusCode: response.status, responseHeaders, responseBody: body };
    return fail(toModelFailure(error, place, timing.now()).failure);
  }
  const models = wireFormats[place.row.format].readModels(parseJson(body));
  return models === null ? fail(toModelFailure(undefined, place, timing.now()).failure) : succeed(models);
}

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
  const connection = connect(asking);
  try {
    const response = await connection.fetch(
      asking.place.baseUrl + path,
      body === undefined ? {} : { body: JSON.stringify(body) },
    );
    const text = await response.text();
    return response.ok && connection.ending() === 'complete' ? (JSON.parse(text) as unknown) : null;
  } catch {
    // Nobody waits for this response; a problem that matters also shows in the chat.
    return null;
  }
}

/** Opens the connection of one query, whose answer may take no longer than a connection may. */
function connect({ place, transport, timing, signal }: ServerQuery): Connection {
  const { connectMilliseconds } = place.limits;
  return openConnection({
    transport,
    timing,
    signal,
    firstByteMilliseconds: connectMilliseconds,
    stallMilliseconds: connectMilliseconds,
    headersFor: (origin) => headersFor(place, origin),
    expects: 'json',
  });
}
