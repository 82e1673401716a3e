/** Answers the tool calls of one answer: runs them side by side, and stores each result with what comes along. */
import { words } from '../../text';
import { orAborted } from '../base/async';
import type { Outcome } from '../ports/failure';
import type { ToolCallPart } from '../ports/message';
import type { Addition, AnswerEnd } from '../session/entry';
import type { ToolEffect } from '../tools/tool';
import { type CallResult, runToolCall, titleOfCall } from './run-tool-calls';
import type { TurnEvent } from './turn-event';
import type { TurnInput } from './turn-input';

/** Calls that one turn may make in all (reliability rules 6.1). */
export const mostToolCalls = 40;

export interface AnsweredCalls {
  readonly results: readonly CallResult[];
  /** The first refusal of the log, after which nothing more was stored. */
  readonly stored: Outcome<unknown>;
  /** Sentences about hooks and files that could not come along. */
  readonly reports: readonly string[];
}

/** Calls run only after a terminal event that is not a cut: anything else gives each call an error to read. */
export async function* runCalls(
  input: TurnInput,
  wanted: readonly ToolCallPart[],
  end: AnswerEnd,
  callsSoFar: number,
): AsyncGenerator<TurnEvent, AnsweredCalls> {
  const { tools, signal } = input;
  for (const call of wanted) yield { type: 'tool-call-started', call, title: titleOfCall(call, tools) };
  let written: Promise<unknown> = Promise.resolve();
  const running = wanted.map((call, index) => {
    const start = (): Promise<CallResult> => startCall(input, wanted, index, end, callsSoFar);
    const effect = effectOf(call, tools);
    // What writes runs in the order of the calls, since one may rest on the one before it; so does what speaks of it, such
    // as a plan that is to be approved. Sub-agents still run side by side.
    const result = effect === 'writes' || effect === 'chat' ? written.then(start) : start();
    if (effect === 'writes') written = result;
    return { call, result };
  });
  const answered: { result: CallResult; additions: readonly Addition[] }[] = [];
  const reports: string[] = [];
  for (const { call, result } of running) {
    const settled = (await orAborted(result, signal)) ?? refused(call, words.failures.callStopped);
    const earlier = answered.flatMap((each) => each.additions);
    const along = await orAborted(input.accompany(settled, earlier), signal);
    const additions = along?.additions ?? [];
    answered.push({ result: settled, additions });
    reports.push(...(along?.reports ?? []));
    yield { type: 'tool-call-ended', callId: call.id, ...shownOf(settled, additions) };
  }
  const results = answered.map(({ result }) => result);
  for (const { result, additions } of answered) {
    const { call } = result;
    const stored = await input.record({
      kind: 'tool-result',
      callId: call.id,
      name: call.name,
      ...shownOf(result, additions),
    });
    if (!stored.ok) return { results, stored, reports };
  }
  return { results, stored: { ok: true, value: undefined }, reports };
}

function effectOf({ name }: ToolCallPart, tools: TurnInput['tools']): ToolEffect | undefined {
  return tools.find((tool) => tool.name === name)?.effect;
}

function startCall(
  { tools, vault, signal, place }: TurnInput,
  wanted: readonly ToolCallPart[],
  index: number,
  end: AnswerEnd,
  callsSoFar: number,
): Promise<CallResult> {
  const call = wanted[index] as ToolCallPart;
  const isRepeated = wanted.findIndex(({ id }) => id === call.id) !== index;
  if (isRepeated) return Promise.resolve(refused(call, words.failures.repeatedCallId));
  if (end === 'length') return Promise.resolve(refused(call, words.failures.callCutOff));
  if (callsSoFar > mostToolCalls) return Promise.resolve(refused(call, words.failures.tooManyCalls));
  return runToolCall(call, tools, vault, signal, place);
}

function shownOf({ text, isError, sources, view, endsTurn, steps, usage }: CallResult, additions: readonly Addition[]) {
  return {
    text,
    isError,
    sources,
    ...(view === undefined ? {} : { view }),
    ...(endsTurn === true ? { endsTurn } : {}),
    ...(additions.length === 0 ? {} : { additions }),
    ...(steps === undefined ? {} : { steps }),
    ...(usage === undefined ? {} : { usage }),
  };
}

function refused(call: ToolCallPart, text: string): CallResult {
  return { call, text, isError: true, sources: [] };
}
