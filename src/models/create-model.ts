/** createModel: implements the Model port for one provider row and one model name, by one attempt after another. */
import type { Failure } from '../core/ports/failure';
import { costOf, type Model, type ModelDescription, type ModelEvent, type Prices } from '../core/ports/model';
import type { RequestPlan } from '../core/ports/request-plan';
import type { ModelChoices, ReportedFacts } from '../core/settings/settings';
import { words } from '../text';
import { decodeStream, type StreamEnd } from './decode-stream';
import { encodePlan, type Encoding, type ReadImage, readImages, withOwnNames } from './encode-plan';
import {
  namedImageLimit,
  namedOutputLimit,
  omitRefusedOptions,
  refusedHints,
  type RequestOption,
} from './formats/request-options';
import { hostedLimits, type Limits, localLimits, openConnection } from './http/connection';
import { type Admit, headersFor, resolveEndpoint } from './http/endpoint';
import { joinerFor } from './http/join-events';
import {
  type Endpoint,
  faultOfEnding,
  faultOfProblem,
  type ModelFailure,
  overflowOf,
  toModelFailure,
} from './http/model-failure';
import { ConnectionProblem, sleep, type Timing, type Transport, untilAborted } from './http/transport';
import { wireFormats } from './http/wire-format';
import { familyOf, isModern, knowledgeOf, type ProviderRow, takesImages, type WireFormat } from './providers/provider';
import {
  type AssumedWindow,
  openLearnedWindows,
  windowAfterOverflow,
  type WindowCheck,
  windowChecks,
} from './window-checks';

export interface ModelSettings {
  readonly row: ProviderRow;
  /** Empty for the row's own address. */
  readonly baseUrl: string;
  /** Called for every request, so that what the user revokes counts at once; the key is never stored. */
  readonly admit: Admit;
  readonly modelName: string;
  /** Tokens, for every model without a setting of its own. */
  readonly contextWindow?: number;
  /** What the user set for this model. */
  readonly chosen?: ModelChoices | undefined;
  /** What the provider's list reports about this model. */
  readonly reported?: ReportedFacts | undefined;
  readonly transport: Transport;
  readonly timing: Timing;
  /** Reads the bytes of an image in a request. */
  readonly readImage?: ReadImage;
  /** Depends on whether the row is local, unless given. */
  readonly limits?: Limits;
}

export function createModel(settings: ModelSettings): Model {
  return {
    description: describeModel(settings),
    stream: (plan, signal) => streamAnswer(settings, plan, signal),
  };
}

const idOf = ({ row, modelName }: ModelSettings): string => `${row.id}/${modelName}`;

function describeModel(settings: ModelSettings): ModelDescription {
  const { row, modelName } = settings;
  const known = knowledgeOf(row, modelName, { ...settings, now: settings.timing.now() });
  const assumed = assumedWindow(settings);
  const learned = learnedWindows(settings).of(assumed);
  const window = learned ?? assumed.own ?? assumed.known;
  const family = familyOf(row, modelName);
  return {
    id: idOf(settings),
    label: modelName,
    contextWindow: window,
    ...(learned !== null && { assumedWindow: assumed.own ?? assumed.known }),
    // A window set by hand may be far smaller than the table's; half of it is left for the request.
    outputLimit: Math.min(known.outputLimit, Math.floor(window / 2)),
    nativeTools: hasNativeTools(settings),
    cachesPrompts: row.cachesPrompts,
    ...(isModern(row, modelName) && { modern: true }),
    ...(family !== undefined && { family }),
    ...(takesImages(row, modelName) && !refusedHints(idOf(settings)).has('images') && { takesImages: true }),
    ...(known.cacheMinimum !== undefined && { cacheMinimum: known.cacheMinimum }),
    ...(known.isWindowGuessed && learned === null && assumed.own === null && { isWindowGuessed: true }),
    ...(known.prices !== undefined ? { prices: known.prices } : !row.local && { isUnpriced: true }),
  };
}

/** The user's setting, then what the provider reported; most models support tools. */
function hasNativeTools({ chosen, reported }: ModelSettings): boolean {
  if (chosen?.toolCalling !== undefined) return chosen.toolCalling === 'native';
  return reported?.nativeTools ?? true;
}

function assumedWindow(settings: ModelSettings): AssumedWindow {
  const { row, modelName, chosen, contextWindow = null } = settings;
  const { contextWindow: known } = knowledgeOf(row, modelName, { reported: settings.reported });
  return { own: chosen?.contextWindow ?? contextWindow, known };
}

const learnedWindows = (settings: ModelSettings) =>
  openLearnedWindows(settings.transport.memory, idOf(settings), settings.baseUrl);

/** Remembers on this device that the model holds less, and returns the sentence about it; null if it does not. */
function learnWindow(settings: ModelSettings, plan: RequestPlan, named: number | null): string | null {
  const before = describeModel(settings).contextWindow;
  const window = windowAfterOverflow(plan, before, named);
  if (window === null || settings.transport.memory === undefined) return null;
  const assumed = assumedWindow(settings);
  learnedWindows(settings).learn(assumed, window);
  const { windowLearned, windowLearnedOwn } = words.models;
  return assumed.own === null
    ? windowLearned(settings.modelName, window, before)
    : windowLearnedOwn(settings.modelName, window, assumed.own);
}

async function* streamAnswer(
  settings: ModelSettings,
  plan: RequestPlan,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const { row, timing } = settings;
  const limits = settings.limits ?? (row.local ? localLimits : hostedLimits);
  const place = resolveEndpoint({ ...settings, limits });
  if (!place.ok) {
    yield failed(place.failure);
    return;
  }
  const check = windowChecks[row.format]?.({ ...settings, place: place.value, signal });
  const { prices } = describeModel(settings);
  const maxWindow = check?.before(plan) ?? null;
  if (maxWindow !== null) {
    yield* refuse(settings, plan, overflowOf(settings, maxWindow));
    return;
  }
  let repeats = 0;
  for (let tries = 1; !signal.aborted; tries++) {
    const { hints, encoding } = hintsFor(settings, plan);
    const attempt = { ...settings, place: place.value, encoding, hints };
    const { shown, fault } = yield* complete(streamAttempt(attempt, plan, signal), { settings, check, plan, prices });
    if (signal.aborted || fault === undefined) return;
    const omitted = shown ? null : omitRefused(settings, plan, { hints, encoding }, fault);
    yield* noticesOf(omitted, settings.modelName);
    if (omitted !== null) continue;
    const delay = retryDelay(fault, tries, shown, timing);
    if (delay === null) {
      yield* refuse(settings, plan, afterRepeats(fault, repeats));
      return;
    }
    repeats += 1;
    yield { type: 'waiting', words: fault.failure.words, milliseconds: delay };
    await sleep(timing, delay, signal);
  }
}

/** Says which images the next request goes without. */
function noticesOf(omitted: RequestOption | null, modelName: string): ModelEvent[] {
  if (omitted !== 'images' && omitted !== 'imageCount') return [];
  return [{ type: 'notice', words: words.models.imagesOmitted[omitted](modelName) }];
}

/** Returns the part of the request that the model refused, if a request without it can be sent; null otherwise. */
function omitRefused(
  settings: ModelSettings,
  { conversationId: chat, messages, maxOutputTokens }: RequestPlan,
  { hints, encoding }: Sendable,
  fault: ModelFailure,
): RequestOption | null {
  const planned = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'image')).length;
  const images = Math.min(planned, encoding.imageLimit ?? planned);
  const sent = hints.filter((hint) => images > 0 || (hint !== 'images' && hint !== 'imageCount'));
  const asked = { outputLimit: encoding.outputLimit ?? maxOutputTokens, images };
  return omitRefusedOptions({ id: idOf(settings), chat }, sent, fault, asked);
}

interface Sendable {
  readonly hints: readonly RequestOption[];
  readonly encoding: Encoding;
}

/** Yields the failure, after what it says about the model's context window. */
function* refuse(
  settings: ModelSettings,
  plan: RequestPlan,
  { failure, overflow }: ModelFailure,
): Generator<ModelEvent> {
  const learned = overflow === undefined ? null : learnWindow(settings, plan, overflow.window);
  if (learned !== null) yield { type: 'notice', words: learned };
  yield failed(failure);
}

interface Completion {
  readonly settings: ModelSettings;
  readonly check: WindowCheck | undefined;
  readonly plan: RequestPlan;
  readonly prices: Prices | undefined;
}

/**
 * Adds the cost to the end of an answer. Checks the context window as soon as the model answers, because the model is
 * loaded then. An answer to a request that was cut ends as one to a request that was refused.
 */
async function* complete(
  stream: AsyncGenerator<ModelEvent, Attempt>,
  { settings, check, plan, prices }: Completion,
): AsyncGenerator<ModelEvent, Attempt> {
  try {
    for (;;) {
      const step = await stream.next();
      if (step.done === true) return step.value;
      check?.ask(plan);
      const loaded = step.value.type === 'finish' ? (check?.loaded() ?? null) : null;
      if (loaded !== null && loaded < plan.totals.all) return { shown: true, fault: overflowOf(settings, loaded) };
      const learned = loaded === null ? null : learnWindow(settings, plan, loaded);
      if (learned !== null) yield { type: 'notice', words: learned };
      yield price(step.value, prices);
    }
  } finally {
    // Frees the connection when the consumer stops early.
    void stream.return({ shown: true });
  }
}

function price(event: ModelEvent, prices: Prices | undefined): ModelEvent {
  if (event.type !== 'finish' || event.usage === undefined || prices === undefined) return event;
  return { ...event, usage: { ...event.usage, cost: costOf(event.usage, prices) } };
}

/** The formats in which earlier reasoning is sent again and may be refused. */
const repeatsThoughts: readonly WireFormat[] = ['anthropic', 'gemini', 'openai-compatible'];

/**
 * Returns the options to send. Local servers cache on their own and use chat templates that require alternating roles;
 * so do models without native tools, whose results are messages of the user.
 */
function hintsFor(settings: ModelSettings, { conversationId }: RequestPlan): Sendable {
  const { row, chosen } = settings;
  const { cacheHint, local, format } = row;
  const [isChat, isResponses] = [format === 'openai-compatible', format === 'responses'];
  const sendable: Readonly<Record<RequestOption, boolean>> = {
    limit: true,
    bare: isChat,
    cache: cacheHint !== undefined,
    effort: chosen?.effort !== undefined,
    temperature: true,
    sealed: isResponses,
    summary: isResponses,
    phase: isResponses,
    limitName: isChat,
    thoughts: repeatsThoughts.includes(format) && row.refusesThoughts !== true,
    usage: isChat,
    imageCount: takesImages(row, settings.modelName),
    images: takesImages(row, settings.modelName),
    // After images, whose refusal may have the same words.
    texts: isChat,
    // Cache marks count messages as they were planned.
    separate: cacheHint !== 'cache_control',
    apart: format !== 'anthropic',
  };
  const refused = refusedHints(idOf(settings), conversationId);
  const hints = (Object.keys(sendable) as RequestOption[]).filter((hint) => sendable[hint] && !refused.has(hint));
  const has = (hint: RequestOption): boolean => hints.includes(hint);
  const encoding: Encoding = {
    ...(has('cache') && cacheHint !== undefined && { cacheHint }),
    ...(has('effort') && { effort: chosen?.effort }),
    ...(chosen?.temperature !== undefined && { temperature: chosen.temperature }),
    refusesTemperature: !has('temperature'),
    leavesOutThoughts: repeatsThoughts.includes(format) && !has('thoughts'),
    foldsSystem: refused.has('apart'),
    outputLimit: namedOutputLimit(idOf(settings)),
    ...(row.callIds !== undefined && { callIds: row.callIds }),
    answersResults: row.answersResults,
    takesImages: has('images'),
    imageLimit: namedImageLimit(idOf(settings)),
    joinsNeighbours: local || refused.has('separate') || (cacheHint !== 'cache_control' && !hasNativeTools(settings)),
    reportsWindow: wireFormats[format].reportsWindow === true,
  };
  return { hints, encoding };
}

function failed(failure: Failure): ModelEvent {
  return { type: 'failure', failure };
}

// When a failed request is retried, and after how long.

/** Says how often Docent tried, if trying again did not help. */
function afterRepeats(fault: ModelFailure, repeats: number): ModelFailure {
  if (repeats === 0 || fault.retry === 'never') return fault;
  const said = `${fault.failure.words} ${words.models.triedTimes(repeats + 1)}`;
  return { ...fault, failure: { ...fault.failure, words: said } };
}

const maxAttempts = 4;
const minBackoff = 1_000;
const maxBackoff = 30_000;

/**
 * Returns the milliseconds to wait before the next attempt, or null if there must be none. Nothing is retried after
 * part of an answer was shown, because a second answer would follow it.
 */
function retryDelay(fault: ModelFailure, tries: number, shown: boolean, timing: Timing): number | null {
  if (shown || tries >= maxAttempts || fault.retry === 'never') return null;
  if (fault.retry !== 'backoff') return fault.retry.afterMilliseconds;
  const ceiling = Math.min(maxBackoff, minBackoff * 2 ** tries);
  return minBackoff + timing.random() * (ceiling - minBackoff);
}

// One attempt at an answer: a request over its own connection, decoded. Returns a failure instead of throwing it.

interface AttemptSettings {
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

interface Attempt {
  /** Whether any event was yielded. */
  readonly shown: boolean;
  /** Undefined if the answer ended normally, was cut off after something was shown, or was stopped. */
  readonly fault?: ModelFailure;
}

async function* streamAttempt(
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
    const end = yield* forward(decodeStream(stream, source, namesThoughts(plan)));
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
        const { value: event } = step;
        yield event.type === 'tool-call' ? { ...event, call: withOwnNames(event.call, plan.tools) } : event;
      }
    } finally {
      // Frees the connection by cancelling the reader; its outcome no longer matters.
      events.return({ type: 'cut' }).catch(() => undefined);
    }
  }

  function faultOfEnd(end: Exclude<StreamEnd, { type: 'finished' }>): ModelFailure | undefined {
    // A library that runs out of bytes reports an error of its own; the connection knows better what happened.
    if (end.type === 'cut' || isMissingEnd(end.error)) {
      const problem = shown || connection.ending() !== 'complete' ? null : problemOfStart(connection.beginning());
      if (problem !== null && row.format !== 'ollama') return faultOfProblem(problem, place);
      return faultOfEnding(connection.ending(), shown, place);
    }
    return toModelFailure(end.error, place, timing.now());
  }
}

/** Whether the newest message has tags of thoughts, so that its answer may have them, such as a passage that is rewritten. */
function namesThoughts({ messages }: RequestPlan): boolean {
  return messages.at(-1)?.parts.some((part) => 'text' in part && /<\/?think/.test(part.text)) === true;
}

/** Adds how to allow streaming for a local server, because its user can change the server's settings. */
function noticeOfWhole({ row, baseUrl }: Endpoint): string {
  const { wholeAnswers, crossOriginHelp } = words.models;
  const said = wholeAnswers(new URL(baseUrl).host);
  return row.local ? `${said} ${crossOriginHelp[row.crossOriginHelp]}` : said;
}

/** Returns what a response is that was to be a stream of events and begins as none does; null for a stream. */
function problemOfStart(text: string): ConnectionProblem | null {
  const start = text.trimStart()[0] ?? '';
  if (start === '<') return new ConnectionProblem('web-page');
  return start === '{' || start === '[' ? new ConnectionProblem('not-a-stream', text) : null;
}

function isMissingEnd(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_InvalidResponseDataError';
}
