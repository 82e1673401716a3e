/**
 * Runs the tool calls of one answer: strict JSON, schema, then parallel reads; results are in the order of the calls.
 */
import * as z from 'zod/v4';
import { words } from '../../text';
import { raceAbort, yieldToEventLoop } from '../base/async';
import { SentEscapes } from '../markup/escapes';
import { describeFailure, type Failure, fail, messageOf, type Outcome, succeed } from '../ports/failure';
import type { ToolCallPart } from '../ports/message';
import type { Vault } from '../ports/vault';
import type { Addition, AnswerEnd } from '../session/entry';
import { callStopped } from '../tools/results';
import type {
  NetworkCall,
  NetworkTarget,
  Tool,
  ToolEffect,
  ToolContext,
  ToolResult,
  TurnToolContext,
} from '../tools/tool';
import { approvalUnavailable } from './approve-calls';
import { metaTools } from './read-text-calls';
import { createLookUp } from './text-tools';
import type { CallResult, TurnEvent, TurnInput } from './turn-input';

/**
 * Never rejects: every problem with a call becomes its result, for the model to read.
 * @param sent what the chat has sent escaped, which is decoded in the arguments
 */
export async function runToolCall(
  call: ToolCallPart,
  tools: readonly Tool[],
  vault: Vault,
  signal: AbortSignal,
  place: TurnToolContext,
  sent: SentEscapes = new SentEscapes(),
): Promise<CallResult> {
  const refuse = (text: string): CallResult => ({ call, text, isError: true, sources: [] });
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    return refuse(words.failures.unknownTool(call.name, tools.map(({ name }) => name).join(', ')));
  }
  const notAllowed = place.refusal?.(tool.name) ?? null;
  if (notAllowed !== null) return refuse(describeFailure(notAllowed));
  const parsed = parseArguments(call.argumentsText);
  if (!parsed.ok) return refuse(describeFailure(parsed.failure));
  const checked = checkArguments(tool, sent.decodeArguments(parsed.value, namesIn(vault)));
  if (!checked.success) return refuse(words.failures.wrongArguments(call.name, z.prettifyError(checked.error)));
  if (signal.aborted) return refuse(words.failures.callStopped);
  try {
    const args =
      tool.effect === 'network'
        ? await requestGrant(tool, call.argumentsText, checked.data, place, signal)
        : succeed(checked.data);
    if (!args.ok) return refuse(describeFailure(args.failure));
    const over = tool.showsText === true ? (place.reading ?? vault) : vault;
    const outcome = await tool.run(args.value, over, signal, placeOf(call, args.value, place, signal));
    if (!outcome.ok) return refuse(describeFailure(outcome.failure));
    return { isError: false, ...(await keepImages(outcome.value, place)), call };
  } catch (thrown) {
    return refuse(words.failures.toolBroke(call.name, messageOf(thrown)));
  }
}

/**
 * Returns the first whole number in JSON that may not be the same once it is read, such as a long id; null for none. It
 * would be rounded to the id of something else.
 */
function inexactNumber(json: string): string | null {
  const outside = json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '""');
  const numbers = outside.match(/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g) ?? [];
  return numbers.find((each) => /^-?\d+$/.test(each) && !Number.isSafeInteger(Number(each))) ?? null;
}

/** Returns whether a text names a file or a folder as it is, with or without its ending. */
function namesIn(vault: Pick<Vault, 'file' | 'folders'>): (text: string) => boolean {
  return (text) =>
    vault.file(text) !== undefined || vault.file(`${text}.md`) !== undefined || vault.folders().includes(text);
}

/**
 * Requests approval for a network call, in every mode and each time (6.1). Returns arguments parsed from the text that
 * was shown, so that nothing else can be sent (H7, H12).
 * @param written the arguments as the model wrote them
 */
async function requestGrant(
  tool: Tool,
  written: string,
  args: unknown,
  place: TurnToolContext,
  signal: AbortSignal,
): Promise<Outcome<unknown>> {
  const inexact = inexactNumber(written);
  const { inexactNumber: said, inexactNumberRemedy: remedy } = words.failures;
  if (inexact !== null) return fail({ kind: 'invalid-input', words: said(inexact), remedy });
  const argumentsText = JSON.stringify(args, null, 2);
  const found = tool.networkOf?.(args, place) ?? succeed(tool.network);
  if (!found.ok) return found;
  const impossible = (await found.value?.refusal(signal)) ?? null;
  if (impossible !== null) return fail(impossible);
  if (place.askNetwork === undefined) return fail(approvalUnavailable());
  const call = { ...callTo(found.value ?? { server: tool.name, title: tool.title(args), url: '' }), argumentsText };
  const refused = await place.askNetwork(call, signal);
  if (refused !== null) return fail(refused);
  return signal.aborted ? fail(callStopped()) : succeed<unknown>(JSON.parse(argumentsText));
}

function callTo({
  server,
  title,
  url,
  about,
  pinned,
}: Omit<NetworkTarget, 'refusal'>): Omit<NetworkCall, 'argumentsText'> {
  const key = pinned === undefined ? {} : { key: JSON.stringify([server, url, pinned]) };
  return { server, title, url, ...(about && { about }), ...key };
}

/** Returns the context of this call: its writes are recorded under its own name (H12). */
function placeOf({ id, name }: ToolCallPart, args: unknown, place: TurnToolContext, signal: AbortSignal): ToolContext {
  const { writesFor, reading: _reading, askNetwork: _askNetwork, keepImage: _keep, callProgressed, ...rest } = place;
  const progressed: ToolContext['progressed'] = callProgressed && ((progress) => callProgressed(id, progress));
  const own: ToolContext = progressed === undefined ? rest : { ...rest, progressed };
  return writesFor === undefined ? own : { ...own, writes: writesFor({ id, tool: name, arguments: args, signal }) };
}

/** Has images of a server redrawn and stored with the chat; one that cannot be is described in words. */
async function keepImages({ pictures, ...result }: ToolResult, { keepImage }: TurnToolContext): Promise<ToolResult> {
  if (pictures === undefined) return result;
  const name = (at: number): string => words.servers.imageName(result.untrustedSource ?? '', at + 1);
  const kept = await Promise.all(
    pictures.map(async (picture, at) => {
      const stored = await keepImage?.(picture, name(at));
      if (stored?.ok === true) return stored.value;
      const problem = stored === undefined ? words.servers.imageUnkept : describeFailure(stored.failure);
      return { kind: 'image', id: name(at), label: name(at), apart: true, problem } as const;
    }),
  );
  return { ...result, images: kept };
}

/** Gives look-ups their title; the one that runs has the tools of its turn. */
const lookUp = createLookUp([]);

/** Returns the title to show for a call: the tool's own, or its name while the arguments cannot be parsed. */
export function titleOfCall(
  call: Pick<ToolCallPart, 'name' | 'argumentsText'>,
  tools: readonly Tool[],
  sent: SentEscapes = new SentEscapes(),
): string {
  const tool = call.name === metaTools.look ? lookUp : tools.find(({ name }) => name === call.name);
  const parsed = parseArguments(call.argumentsText);
  if (call.name === metaTools.run) return words.tools.unreadCallTitle;
  if (tool === undefined || !parsed.ok) return call.name;
  const checked = checkArguments(
    tool,
    sent.decodeArguments(parsed.value, () => false),
  );
  return checked.success ? tool.title(checked.data) : call.name;
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly failure: Failure };

/** Parses strict JSON; an empty text is an empty object, since some providers send nothing for no arguments. */
function parseArguments(text: string): Parsed {
  try {
    return { ok: true, value: text.trim() === '' ? {} : JSON.parse(text) };
  } catch {
    return {
      ok: false,
      failure: {
        kind: 'invalid-input',
        words: words.failures.argumentsNotJson,
        remedy: words.failures.argumentsNotJsonRemedy,
      },
    };
  }
}

/**
 * Checks arguments as models write them: null for one that is left out, and a number in quotation marks. Nothing is
 * changed that the tool takes as it is.
 */
function checkArguments({ parameters }: Tool, value: unknown): ReturnType<Tool['parameters']['safeParse']> {
  const checked = parameters.safeParse(value);
  if (checked.success || typeof value !== 'object' || value === null) return checked;
  const wrong = new Set(checked.error.issues.flatMap(({ path }) => (path.length === 1 ? [String(path[0])] : [])));
  const repaired = Object.entries(value).flatMap(([name, member]: [string, unknown]): [string, unknown][] => {
    if (!wrong.has(name)) return [[name, member]];
    if (member === null) return [];
    return [[name, typeof member === 'string' && /^\d+$/.test(member) ? Number(member) : member]];
  });
  const again = wrong.size === 0 ? checked : parameters.safeParse(Object.fromEntries(repaired));
  return again.success ? again : checked;
}

// All calls of one answer: run in parallel, each result stored with its appended context.

/** The maximum number of calls in one turn (reliability rules 6.1). */
export const maxToolCalls = 40;

export interface AnsweredCalls {
  readonly results: readonly CallResult[];
  /** The first failure to store, after which nothing more was stored. */
  readonly stored: Outcome<unknown>;
  /** Sentences about hooks, and about files that could not be appended. */
  readonly reports: readonly string[];
}

/**
 * Runs calls only after a finish event that is not a cut; otherwise each call gets an error for the model to read.
 * @param problems by id, why a call that was written as text cannot run
 */
export async function* runCalls(
  input: TurnInput,
  wanted: readonly ToolCallPart[],
  end: AnswerEnd,
  callsSoFar: number,
  problems: ReadonlyMap<string, string> = new Map(),
): AsyncGenerator<TurnEvent, AnsweredCalls> {
  const { tools, sent, signal } = input;
  for (const call of wanted) yield { type: 'tool-call-started', call, title: titleOfCall(call, tools, sent) };
  let written: Promise<unknown> = Promise.resolve();
  const running = wanted.map((call, index) => {
    const problem = problems.get(call.id);
    const start = (): Promise<CallResult> =>
      problem === undefined || end === 'length'
        ? startCall(input, wanted, index, end, callsSoFar)
        : Promise.resolve(refused(call, problem));
    const effect = effectOf(call, tools);
    // Calls that write run in order, since one may depend on the one before. So do calls on the chat, such as a plan
    // that needs approval. Subagents still run in parallel.
    const result = effect === 'writes' || effect === 'chat' ? written.then(start) : start();
    if (effect === 'writes') written = result;
    return { call, result };
  });
  const answered: { result: CallResult; additions: readonly Addition[] }[] = [];
  const reports: string[] = [];
  for (const { call, result } of running) {
    const settled = (await raceAbort(result, signal)) ?? (await stopped(call, result));
    const earlier = answered.flatMap((each) => each.additions);
    const along = await raceAbort(input.appendContext(settled, earlier), signal);
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
  { tools, vault, signal, place, sent }: TurnInput,
  wanted: readonly ToolCallPart[],
  index: number,
  end: AnswerEnd,
  callsSoFar: number,
): Promise<CallResult> {
  const call = wanted[index] as ToolCallPart;
  const isRepeated = wanted.findIndex(({ id }) => id === call.id) !== index;
  if (isRepeated) return Promise.resolve(refused(call, words.failures.repeatedCallId));
  if (end === 'length') return Promise.resolve(refused(call, words.failures.callCutOff));
  if (callsSoFar > maxToolCalls) return Promise.resolve(refused(call, words.failures.tooManyCalls));
  return runToolCall(call, tools, vault, signal, place, sent);
}

function shownOf(
  { text, frame, isError, sources, view, endsTurn, steps, usage, images }: CallResult,
  additions: readonly Addition[],
) {
  return {
    text,
    isError,
    sources,
    ...(frame === undefined ? {} : { frame }),
    ...(view === undefined ? {} : { view }),
    ...(endsTurn === true ? { endsTurn } : {}),
    ...(additions.length === 0 ? {} : { additions }),
    ...(images === undefined ? {} : { images }),
    ...(steps === undefined ? {} : { steps }),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** A subagent that is stopped says at once what it has cost; a call that goes on all the same is not waited for. */
async function stopped(call: ToolCallPart, result: Promise<CallResult>): Promise<CallResult> {
  const late = await Promise.race([result, yieldToEventLoop()]);
  const usage = late?.usage === undefined ? {} : { usage: late.usage };
  return { ...refused(call, words.failures.callStopped), ...usage };
}

function refused(call: ToolCallPart, text: string): CallResult {
  return { call, text, isError: true, sources: [] };
}
