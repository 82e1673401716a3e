/**
 * Runs a turn: plans, streams, runs tools, and repeats. Every outcome is an event, and every result is in the log
 * before it is used.
 */
import { words } from '../../text';
import { raceAbort, untilAborted } from '../base/async';
import type { ModelRequestChange } from '../hooks/hook';
import { type Failure, type Outcome, succeed, unexpectedFailure } from '../ports/failure';
import { type AssistantPart, type StopReason, toolCallsOf, unusedId, type Usage } from '../ports/message';
import type { ModelEvent } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import { exceedsWindow } from '../request/plan-request';
import { explainOverflow } from '../request/print-plan';
import type { Addition, AnswerEnd, EntryBody } from '../session/entry';
import { maxToolCalls, runCalls } from './run-tool-calls';
import { createLookUp, TextCallReader, writeNativeCall } from './text-tools';
import type { CallResult, TurnEnd, TurnEvent, TurnInput } from './turn-input';

/**
 * Limits of one turn (reliability rules 6.1): calls in all, failures of the same call, and answers in a row whose calls
 * in text cannot be read.
 */
export const turnLimits = { toolCalls: maxToolCalls, identicalFailures: 3, unreadAnswers: 2 } as const;

interface Answer {
  readonly parts: readonly AssistantPart[];
  readonly finish: StopReason | null;
  readonly usage?: Usage;
  readonly failure?: Failure;
  /** By id of a call that was written as text, why it cannot run. */
  readonly problems?: ReadonlyMap<string, string>;
}

/** The state that the steps of a turn share. */
interface Progress {
  /** Failures of each call, by name and arguments. */
  readonly failures: Map<string, number>;
  /** Sentences of hooks that the turn has reported. */
  readonly reported: Set<string>;
  /** Calls made so far. */
  calls: number;
  /** Answers in a row whose calls in text could not be read. */
  unread: number;
}

interface Ending {
  readonly end: TurnEnd;
  readonly failure?: Failure;
  /** Whether to store the failure; a failure to store cannot be stored itself. */
  readonly isRecorded?: boolean;
}

/** Yields events until the turn is over; the last one is 'turn-ended'. Throws only for defects. */
export async function* runTurn(input: TurnInput): AsyncGenerator<TurnEvent, void> {
  const progress: Progress = { failures: new Map(), reported: new Set(), calls: 0, unread: 0 };
  let ending: Ending | null = null;
  while (ending === null) ending = yield* runStep(input, progress);
  const { end, failure, isRecorded = false } = ending;
  const stored = failure !== undefined && isRecorded ? await input.record({ kind: 'failure', failure }) : null;
  const shown = stored?.ok === false ? stored.failure : failure;
  if (shown !== undefined) yield { type: 'failure', failure: shown };
  yield { type: 'turn-ended', end };
}

/** Runs one request and the calls of its answer; returns null if the turn continues. */
async function* runStep(input: TurnInput, progress: Progress): AsyncGenerator<TurnEvent, Ending | null> {
  const next = await planNext(input);
  if (next === null) return { end: 'stopped' };
  const { plan, entry } = next;
  const stored = yield* reportOnce(input, progress.reported, entry);
  if (!stored.ok) return { end: 'failed', failure: stored.failure };
  yield { type: 'request-planned', plan };
  if (exceedsWindow(plan)) return recorded('failed', explainOverflow(plan));
  const spending = input.spending?.(plan) ?? null;
  if (spending?.type === 'refused') return recorded('limit', spending.failure);
  if (spending?.type === 'notice') yield spending;
  return yield* answerPlan(input, progress, plan);
}

async function* answerPlan(
  input: TurnInput,
  progress: Progress,
  plan: RequestPlan,
): AsyncGenerator<TurnEvent, Ending | null> {
  input.sent.addRequest(plan);
  const wasAway = input.watchAway?.();
  const answer = yield* streamAnswer(input, plan);
  // The model accepts fewer tokens than expected. What it said to a request that it did not read whole is dropped.
  const narrowed = answer.failure?.kind === 'context-length' ? (input.narrow?.(plan) ?? null) : null;
  if (narrowed === 'reopen') return { end: 'narrowed' };
  if (narrowed === 'retry' && answer.parts.length === 0) return null;
  const end = endOf(answer, input.signal);
  const stored = await recordAnswer(input, answer, end);
  if (!stored.ok) return { end: 'failed', failure: stored.failure };
  yield { type: 'answer-ended', ...(answer.usage === undefined ? {} : { usage: answer.usage }) };
  return endingOf(answer, end, wasAway?.() === true) ?? (yield* answerCalls(input, progress, answer, end));
}

/** Returns null for an answer with tool calls, after which the turn continues. */
function endingOf({ parts, failure }: Answer, end: AnswerEnd, wasAway: boolean): Ending | null {
  switch (end) {
    case 'stopped':
      return { end: 'stopped' };
    case 'interrupted':
      return recorded('interrupted', cutOff(wasAway, hasText(parts)));
    case 'failed':
      return recorded(
        'failed',
        wasAway && isOfConnection(failure)
          ? cutOff(true, hasText(parts))
          : (failure ?? cutOff(wasAway, hasText(parts))),
      );
    case 'refusal':
      return recorded('failed', emptyAnswer(end));
    default:
      if (toolCallsOf(parts).length > 0) return null;
      return hasText(parts) ? { end: 'complete' } : recorded('failed', emptyAnswer(end));
  }
}

async function* answerCalls(
  input: TurnInput,
  progress: Progress,
  { parts, problems }: Answer,
  end: AnswerEnd,
): AsyncGenerator<TurnEvent, Ending | null> {
  const wanted = toolCallsOf(parts);
  progress.calls += wanted.length;
  progress.unread = wanted.every(({ id }) => problems?.has(id) === true) ? progress.unread + 1 : 0;
  const callable = isInText(input) ? { ...input, tools: [...input.tools, createLookUp(input.tools)] } : input;
  const { results, stored, reports } = yield* runCalls(callable, wanted, end, progress.calls, problems);
  if (!stored.ok) return { end: 'failed', failure: stored.failure };
  const noted = yield* reportOnce(input, progress.reported, { kind: 'hook-context', additions: [], reports });
  if (!noted.ok) return { end: 'failed', failure: noted.failure };
  const staged = (await input.endStep?.()) ?? succeed(undefined);
  if (!staged.ok) yield { type: 'failure', failure: staged.failure };
  if (input.signal.aborted) return { end: 'stopped' };
  if (results.some(({ endsTurn }) => endsTurn === true)) return { end: 'complete' };
  if (progress.calls > turnLimits.toolCalls || repeats(progress.failures, results)) {
    return recorded('limit', capReached());
  }
  if (progress.unread >= turnLimits.unreadAnswers) return recorded('failed', unreadCalls());
  if (progress.unread > 0) yield { type: 'notice', words: words.failures.textCallUnread };
  return null;
}

/** Whether the model writes its calls as text. */
function isInText({ model, tools }: TurnInput): boolean {
  return !model.description.nativeTools && tools.length > 0;
}

function recorded(end: TurnEnd, failure: Failure): Ending {
  return { end, failure, isRecorded: true };
}

/** Stores what hooks added and reported; reports each sentence once per turn. */
async function* reportOnce(
  input: TurnInput,
  reported: Set<string>,
  entry: (EntryBody & { readonly kind: 'hook-context' }) | null,
): AsyncGenerator<TurnEvent, Outcome<unknown>> {
  const reports = (entry?.reports ?? []).filter((sentence) => !reported.has(sentence));
  for (const sentence of reports) {
    reported.add(sentence);
    yield { type: 'hook-reported', words: sentence };
  }
  if (entry === null || entry.additions.length + reports.length === 0) return succeed(undefined);
  return input.record({ ...entry, reports });
}

/** Folds the stream into parts and yields its deltas; stops as soon as the signal aborts. */
async function* streamAnswer(input: TurnInput, plan: RequestPlan): AsyncGenerator<TurnEvent, Answer> {
  let parts: readonly AssistantPart[] = [];
  const reader = isInText(input) ? new TextCallReader(plan, input.tools) : null;
  const ended = (): Pick<Answer, 'parts' | 'problems'> => (reader === null ? { parts } : endText(parts, reader));
  try {
    for await (const event of untilAborted(input.model.stream(plan, input.signal), input.signal)) {
      if (event.type === 'finish') {
        return { ...ended(), finish: event.reason, ...(event.usage === undefined ? {} : { usage: event.usage }) };
      }
      if (event.type === 'failure') return { ...ended(), finish: null, failure: event.failure };
      const shown = reader === null ? withUnusedId(event, input) : withoutCalls(event, reader);
      if (shown === null) continue;
      parts = addDelta(parts, shown);
      if (isShown(shown)) yield shown;
    }
  } catch (thrown) {
    // A model must not throw; if one does, the text shown so far is still stored.
    return { ...ended(), finish: null, failure: unexpectedFailure(thrown) };
  }
  return { ...ended(), finish: null };
}

/**
 * Gives a call another id if an earlier answer has a call with this one: some servers number the calls of each answer
 * from the start, and a write runs once per id.
 */
function withUnusedId(event: ModelEvent, input: TurnInput): ModelEvent {
  if (event.type !== 'tool-call') return event;
  const id = unusedId(event.call.id, input.callIds?.() ?? new Set());
  return { ...event, call: { ...event.call, id } };
}

/** Returns what can be shown of an event while calls in the text are withheld; null for nothing. */
function withoutCalls(event: ModelEvent, reader: TextCallReader): ModelEvent | null {
  if (event.type !== 'text-delta' && event.type !== 'tool-call') return event;
  const text = reader.push(event.type === 'text-delta' ? event.text : writeNativeCall(event.call));
  return text === '' ? null : { type: 'text-delta', text };
}

function endText(before: readonly AssistantPart[], reader: TextCallReader): Pick<Answer, 'parts' | 'problems'> {
  const { text, calls, problems } = reader.end();
  const parts = text === '' ? before : addDelta(before, { type: 'text-delta', text });
  return { parts: [...parts, ...calls], problems };
}

function isShown(event: ModelEvent): event is ModelEvent & TurnEvent {
  const { type } = event;
  return type === 'text-delta' || type === 'reasoning-delta' || type === 'waiting' || type === 'notice';
}

function endOf({ finish, failure }: Answer, signal: AbortSignal): AnswerEnd {
  if (signal.aborted) return 'stopped';
  if (failure !== undefined) return 'failed';
  return finish ?? 'interrupted';
}

/** Stores the answer. A cut answer loses its calls: a call without a finish event never counts (H7). */
function recordAnswer(input: TurnInput, answer: Answer, end: AnswerEnd): Promise<Outcome<unknown>> {
  const whole = end !== 'stopped' && end !== 'failed' && end !== 'interrupted' && end !== 'refusal';
  const parts = whole ? answer.parts : answer.parts.filter((part) => part.type !== 'tool-call');
  const usage = answer.usage === undefined ? {} : { usage: answer.usage };
  const used = input.sent.used(parts.flatMap((part) => (part.type === 'tool-call' ? [] : [part.text])));
  const escapes = used.length === 0 ? {} : { escapes: used };
  return input.record({ kind: 'assistant', parts, end, model: input.model.description.id, ...usage, ...escapes });
}

function repeats(failures: Map<string, number>, results: readonly CallResult[]): boolean {
  return results.some(({ call, isError }) => {
    const key = `${call.name} ${call.argumentsText}`;
    const count = isError ? (failures.get(key) ?? 0) + 1 : 0;
    failures.set(key, count);
    return count >= turnLimits.identicalFailures;
  });
}

function hasText(parts: readonly AssistantPart[]): boolean {
  return parts.some((part) => part.type === 'text' && part.text.trim() !== '');
}

/** Whether a phone may have caused the failure by ending the connection of an app in the background. */
function isOfConnection(failure: Failure | undefined): boolean {
  return failure === undefined || failure.kind === 'interrupted' || failure.kind === 'network';
}

function cutOff(wasAway: boolean, isBegun: boolean): Failure {
  const { answerCutOff, answerCutOffAway, answerCutOffRemedy, answerNotBegunRemedy } = words.failures;
  return {
    kind: 'interrupted',
    words: wasAway ? answerCutOffAway : answerCutOff,
    remedy: isBegun ? answerCutOffRemedy : answerNotBegunRemedy,
    actions: isBegun ? ['go-on', 'retry'] : ['retry'],
  };
}

function emptyAnswer(end: AnswerEnd): Failure {
  const { answerRefused, answerEmpty, answerEmptyRemedy, answerUsedUp, answerUsedUpRemedy } = words.failures;
  // Thoughts count as a part of the answer, so that they can use up its length.
  if (end === 'length') {
    const actions = ['retry', 'open-settings', 'new-chat'] as const;
    return { kind: 'limit', words: answerUsedUp, remedy: answerUsedUpRemedy, actions };
  }
  const text = end === 'refusal' ? answerRefused : answerEmpty;
  return { kind: 'protocol', words: text, remedy: answerEmptyRemedy, action: 'retry' };
}

function unreadCalls(): Failure {
  const { textCallsUnread, textCallsUnreadRemedy } = words.failures;
  return {
    kind: 'protocol',
    words: textCallsUnread,
    remedy: textCallsUnreadRemedy,
    actions: ['retry', 'open-settings'],
  };
}

function capReached(): Failure {
  return { kind: 'limit', words: words.failures.turnLimit, remedy: words.failures.turnLimitRemedy, action: 'go-on' };
}

// Planning the next request; hooks change it before breakpoints are placed and anything is sent (R141).

export interface NextPlan {
  readonly plan: RequestPlan;
  /** The entry to store before the request is sent, so that the log matches it; null for nothing. */
  readonly entry: (EntryBody & { readonly kind: 'hook-context' }) | null;
}

/**
 * Returns null as soon as the signal aborts, even while tokens are being counted.
 * Texts of hooks join the newest message, so that everything sent before stays the same byte for byte, and the request
 * is counted again; a text that does not fit is left out. Other changes apply to this request only.
 */
export async function planNext(input: Pick<TurnInput, 'plan' | 'hooks' | 'signal'>): Promise<NextPlan | null> {
  return (await raceAbort(planWithHooks(input), input.signal)) ?? null;
}

async function planWithHooks(input: Pick<TurnInput, 'plan' | 'hooks' | 'signal'>): Promise<NextPlan> {
  const planned = await input.plan();
  if (exceedsWindow(planned)) return { plan: planned, entry: null };
  const hooked = await input.hooks.beforeModel(planned, input.signal);
  const reports = [...hooked.reports];
  let additions: readonly Addition[] = [];
  let plan = planned;
  for (const { label, change } of hooked.changes) {
    if (change.text !== undefined) {
      const more = [...additions, { kind: 'hook' as const, source: label, text: change.text }];
      const longer = await input.plan({ kind: 'hook-context', additions: more, reports: [] });
      if (exceedsWindow(longer)) reports.push(words.hooks.noRoom(label));
      else [additions, plan] = [more, longer];
    }
  }
  for (const { label, change } of hooked.changes) {
    reports.push(...describeChange(label, change));
    plan = configure(plan, change);
  }
  const isNothing = additions.length + reports.length === 0;
  return { plan, entry: isNothing ? null : { kind: 'hook-context', additions, reports } };
}

function configure(plan: RequestPlan, { maxOutputTokens, temperature }: ModelRequestChange): RequestPlan {
  return {
    ...plan,
    maxOutputTokens: Math.min(plan.maxOutputTokens, maxOutputTokens ?? plan.maxOutputTokens),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

function describeChange(label: string, { maxOutputTokens, temperature }: ModelRequestChange): string[] {
  return [
    ...(maxOutputTokens === undefined ? [] : [words.hooks.shorterAnswer(label, maxOutputTokens)]),
    ...(temperature === undefined ? [] : [words.hooks.temperature(label, temperature)]),
  ];
}

/** Folds an event of a stream into the parts of an answer; returns the same parts if the event adds none. */
export function addDelta(parts: readonly AssistantPart[], event: ModelEvent): readonly AssistantPart[] {
  const last = parts.at(-1);
  switch (event.type) {
    case 'text-delta':
      return last?.type === 'text'
        ? [...parts.slice(0, -1), { type: 'text', text: last.text + event.text }]
        : [...parts, { type: 'text', text: event.text }];
    case 'reasoning-delta':
      return last?.type === 'reasoning' && last.providerData === undefined
        ? [...parts.slice(0, -1), { type: 'reasoning', text: last.text + event.text }]
        : [...parts, { type: 'reasoning', text: event.text }];
    case 'reasoning-end':
      if (event.providerData === undefined) return parts;
      return last?.type === 'reasoning' && last.providerData === undefined
        ? [...parts.slice(0, -1), { ...last, providerData: event.providerData }]
        : [...parts, { type: 'reasoning', text: '', providerData: event.providerData }];
    case 'tool-call': {
      const { call, place } = event;
      const at = place === undefined ? parts.length : place + toolCallsOf(parts).length;
      return [...parts.slice(0, at), call, ...parts.slice(at)];
    }
    case 'finish':
    case 'waiting':
    case 'notice':
    case 'failure':
      return parts;
  }
}
