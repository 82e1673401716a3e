/**
 * Opens a turn: asks hooks and gathers facts in parallel, stores what they returned, and builds the input of the loop.
 */
import { words } from '../../text';
import { raceAbort } from '../base/async';
import { skillFoldersOf } from '../context/chat-choices';
import { type ContextReducer, ResultCaps } from '../context/compaction/context-reducer';
import type { FreedContext } from '../context/compaction/free-context';
import type { ContextManager } from '../context/context-manager';
import { promptForPlan, linkPromptToPlan, type PreparedTurn } from '../context/prepare-turn';
import { choicesOf, foldTurnMemory, skillsIn, usedChoicesOf } from '../context/turn-context';
import type { GoalPort } from '../goals/goal-request';
import type { HookTexts } from '../hooks/hooks';
import { allowedAmong, type Skill, skillsOfChat, withBuiltIn } from '../library/skills';
import type { SentEscapes } from '../markup/escapes';
import { describeFailure, type Failure, fail, messageOf, type Outcome, succeed } from '../ports/failure';
import { toolCallsOf } from '../ports/message';
import { judgeSpending, type Model } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import { visibleEntries } from '../request/history';
import { type EntryBody, isUserEntry, type Mention, type SessionEntry, splitResourceId } from '../session/entry';
import { spentBySubagentsIn, spentIn } from '../session/log-state';
import { findLast, findLastIndex } from '../session/running-fold';
import type { SessionLog } from '../session/session-log';
import type { ToolContext, TurnToolContext } from '../tools/tool';
import type { ChatChanges } from '../writing/chat-changes';
import { approvalFor, type Questions } from './approve-calls';
import { openSubagents } from './background-turn';
import { seeAttached } from './open-chat-changes';
import { resultContextFor } from './result-context';
import { taintByEntry, taintByTurn, taintedBy } from './taint-chat';
import type { TurnInput, TurnPorts } from './turn-input';

export interface TurnStart {
  readonly log: SessionLog;
  readonly context: ContextManager;
  readonly goals: GoalPort;
  readonly reducer: ContextReducer;
  readonly changes: ChatChanges | null;
  /** What the chat has sent escaped. */
  readonly sent: SentEscapes;
  /** The calls that wait for the user's approval. */
  readonly questions: Questions;
  /** Shows how far a call has come. */
  readonly callProgressed?: TurnToolContext['callProgressed'];
  readonly ports: TurnPorts;
  readonly model: Model;
  readonly mentions: readonly Mention[];
  /** The request after which the turn is opened again; absent at first. */
  readonly refused?: RequestPlan | null;
  readonly signal: AbortSignal;
  /** Stores what is to be sent. */
  record(body: EntryBody): Promise<Outcome<unknown>>;
  /** Stores an entry; if storing fails, the chat shows it anyway. */
  keep(body: EntryBody): Promise<Outcome<unknown>>;
}

/** Returns null if the turn was stopped while it was being opened. */
export async function openTurn(start: TurnStart): Promise<Outcome<TurnInput> | null> {
  const { ports, signal } = start;
  // A note that cannot be saved fails when it is read; nothing else waits for it.
  const noteFailure = (failure: Failure | null = null): void => void (failure && ports.note(describeFailure(failure)));
  const flushed = Promise.all([ports.flush(), ports.writing?.untrusted.refresh().then(noteFailure)]).catch(
    (thrown: unknown) => ports.note(messageOf(thrown)),
  );
  await raceAbort(flushed, signal);
  const fitted = await prepareToFit(start);
  if (fitted?.ok !== true) return fitted;
  const stored = await storeStart(start, fitted.value);
  return stored.ok ? succeed(inputOf(start, fitted.value)) : stored;
}

interface StartedTurn {
  readonly prepared: PreparedTurn;
  /** What hooks added to the message; null for nothing. */
  readonly hooked: EntryBody | null;
}

/** Prepares the turn while hooks run, and again if freeing context changed the history. */
async function prepareToFit(start: TurnStart): Promise<Outcome<StartedTurn> | null> {
  const { log, context, reducer, model, mentions, signal } = start;
  const asked = askHooks(start);
  const message = findLast(log.entries, isUserEntry);
  const text = message?.text ?? '';
  const prepare = () => raceAbort(context.prepare(model.description, mentions, signal, text), signal);
  const prepared = await prepare();
  const hooked = await raceAbort(asked, signal);
  if (prepared === undefined || hooked === undefined) return null;
  if (prepared.prompt.blocked !== undefined) return fail(prepared.prompt.blocked);
  const pending = [...(hooked === null ? [] : [hooked]), ...context.entriesOf(prepared)];
  const freed = await raceAbort(reducer.before({ model, prepared, signal, pending }), signal);
  if (freed === undefined) return null;
  if (!freed.ok) return freed;
  // The prompt may now contain what was removed from the history.
  const fitted = freed.value ? await prepare() : prepared;
  return fitted === undefined ? null : succeed({ prepared: fitted, hooked });
}

/** Taints the chat by what the turn sends, stores the entries, then puts the system prompt in force. */
async function storeStart(start: TurnStart, { prepared, hooked }: StartedTurn): Promise<Outcome<unknown>> {
  const { context, ports, changes, mentions } = start;
  taintByTurn(changes, ports, { hooked, mentions, prepared });
  const marked = await changes?.taint.record();
  if (marked?.ok === false) return marked;
  // A message that is sent again goes with the texts of its first attempt, not with notes as they are now.
  const isAsBefore = foldTurnMemory(start.log.entries).current;
  for (const body of [hooked, ...context.entriesOf(prepared)]) {
    if (body === null) continue;
    const stored = await start.record(body);
    if (!stored.ok) return stored;
  }
  context.apply(prepared);
  if (changes !== null && !isAsBefore) seeAttached(changes, prepared.prompt);
  ports.promptSent?.(prepared.prompt.system);
  return succeed(undefined);
}

function inputOf(start: TurnStart, { prepared }: StartedTurn): TurnInput {
  const { log, ports, reducer, changes, model, signal, refused = null } = start;
  const { contextWindow, prices } = model.description;
  const { conversation } = log;
  const room = shrinkBudget({ model, prepared, signal, pending: [] });
  // A request that should have fit the smaller window shows that the model counts more tokens.
  if (refused !== null && refused.totals.all + refused.totals.reserve <= contextWindow) room.narrow(refused);
  const caps = new ResultCaps(contextWindow);
  const place = { goals: start.goals, outputs: reducer.outputs(caps), ...placeOf(start, prepared.tools) };
  const spent = (): number => spentIn(log.all);
  const costs = { chat: spent, subagents: () => spentBySubagentsIn(log.all) };
  const subagents = openSubagents({ conversation, ports, model, prepared, place, changes, spent: costs });
  return {
    model,
    tools: prepared.tools,
    vault: ports.vault,
    place: { ...place, subagents, ...writesOf(start) },
    sent: start.sent,
    hooks: ports.hooks,
    plan: async (further) => {
      const plan = await reducer.plan(room.current, further);
      caps.planned(plan);
      return plan;
    },
    narrow: (plan) => {
      const known = ports.model(model.description.id);
      if (known.ok && known.value.description.contextWindow < contextWindow) return 'reopen';
      return room.narrow(plan) ? 'retry' : null;
    },
    callIds: () =>
      new Set(
        log.all.flatMap((entry) => (entry.kind === 'assistant' ? toolCallsOf(entry.parts) : [])).map(({ id }) => id),
      ),
    spending: (plan) => judgeSpending(spent(), plan, prices, ports.settings()),
    appendContext: taintedBy(changes, ports, resultContextFor(ports, { log: seenLog(log), contextWindow }, signal)),
    record: async (body) => {
      taintByEntry(changes, ports, body);
      const stored = (await changes?.taint.record()) ?? succeed(undefined);
      return stored.ok ? start.keep(caps.cap(body)) : stored;
    },
    ...(ports.watchAway === undefined ? {} : { watchAway: ports.watchAway }),
    endStep: async () => changes?.endStep() ?? succeed(undefined),
    signal,
  };
}

function placeOf({ log, ports }: TurnStart, tools: PreparedTurn['tools']) {
  const { permission, selectedWorkspace } = usedChoicesOf(log, ports);
  const agentFolder = ports.agentFolder();
  const givenSkills = withBuiltIn(ports.givenSkills?.());
  const toolNames = tools.map(({ name }) => name);
  const refusal = (tool: string): Failure | null => {
    const listing = skillsOfChat(ports.vault, agentFolder, selectedWorkspace, ports.givenSkills?.());
    return refusalBySkills(log.entries, listing.skills, toolNames, tool);
  };
  const skillFolders = skillFoldersOf(ports.vault, agentFolder, selectedWorkspace);
  const { servers } = ports;
  const { findResource, readResource } = servers ?? {};
  const serverResources: ToolContext['serverResources'] = findResource &&
    readResource && {
      findResource: (server, uri) => findResource.call(servers, server, uri),
      readResource: (server, uri, signal) => readResource.call(servers, server, uri, signal),
    };
  return {
    ...{ permission, agentFolder, skillFolders, givenSkills, toolNames, refusal },
    ...(serverResources && { serverResources }),
  };
}

/** Returns why the skills that came in since the newest message do not allow a tool; null if all of them do. */
function refusalBySkills(
  entries: readonly SessionEntry[],
  skills: readonly Skill[],
  toolNames: readonly string[],
  tool: string,
): Failure | null {
  const newest = findLastIndex(entries, isUserEntry);
  const locations = skillsIn(entries.slice(Math.max(0, newest)));
  for (const skill of skills.filter(({ location }) => locations.includes(location))) {
    const allowed = allowedAmong(skill, toolNames);
    if (allowed === null || allowed.includes(tool) || !toolNames.includes(tool)) continue;
    return {
      kind: 'refused',
      words: words.agentFolder.toolNotAllowed(skill.name, tool),
      remedy: words.agentFolder.toolNotAllowedRemedy(allowed),
    };
  }
  return null;
}

/** Returns nothing where nothing can be written: no taint is known there, so no call may leave the device. */
function writesOf({ changes, log, ports, questions, callProgressed }: TurnStart) {
  if (changes === null) return {};
  const canAsk = (): boolean => ports.writing?.canAsk() === true;
  const askForServer: ToolContext['askForServer'] = async (at, question, signal) => {
    const asked = { ...at, argumentsText: '', passages: [], taint: changes.taint.source, question };
    return (canAsk() ? await questions.reply?.(asked, signal) : undefined) ?? { action: 'cancel' };
  };
  const { addImage } = ports;
  const keepImage: TurnToolContext['keepImage'] =
    addImage && (({ bytes }, name) => addImage({ name, bytes }, log.conversation));
  const askNetwork = approvalFor({
    questions,
    permission: () => choicesOf(log, ports).permission,
    taint: () => changes.taint.source,
    canAsk,
    entries: () => log.all,
  });
  return {
    ...{ writesFor: changes.startTurn(), reading: changes.reading, askNetwork, askForServer },
    ...(keepImage && { keepImage }),
    ...(callProgressed && { callProgressed }),
  };
}

/** The log as the model sees it, so that context files that are no longer in it are appended again (R193). */
function seenLog(log: SessionLog): Pick<SessionLog, 'conversation' | 'entries'> {
  return {
    conversation: log.conversation,
    get entries() {
      return visibleEntries(log.entries);
    },
  };
}

/** Returns what hooks add to the user's message; null for nothing, or if an earlier attempt has asked them. */
async function askHooks(start: TurnStart): Promise<EntryBody | null> {
  const { log, ports, model, mentions, signal } = start;
  const newest = findLastIndex(log.entries, isUserEntry);
  const message = log.entries[newest];
  const isTried = log.entries.slice(newest).some(({ kind }) => kind === 'hook-context' || kind === 'assistant');
  if (message?.kind !== 'user' || isTried) return null;
  const { additions, reports } = await ports.hooks.beforeAgent(
    log.conversation,
    { text: message.text, mentions, contextWindow: model.description.contextWindow },
    signal,
  );
  const resources = await readResources(start);
  for (const sentence of reports) ports.note(sentence);
  const added = [...additions, ...resources.additions];
  const told = [...reports, ...resources.reports];
  return added.length + told.length === 0 ? null : { kind: 'hook-context', additions: added, reports: told };
}

/** Reads the resources of servers that the message names; the user named them, so nobody is asked. */
async function readResources({ ports: { servers }, mentions, signal }: TurnStart): Promise<HookTexts> {
  const named = mentions.filter(({ kind }) => kind === 'resource');
  const read = await Promise.all(
    named.map(async ({ id, label }) => {
      const { server, uri } = splitResourceId(id);
      const result = await servers?.readResource?.(server, uri, signal);
      const { noResources, notReturned, resourceUnread } = words.servers;
      if (result === undefined) return resourceUnread(label, noResources(server));
      if (!result.ok) return resourceUnread(label, describeFailure(result.failure));
      const { text, isError, missing, pictures } = result.value;
      if (isError === true) return resourceUnread(label, notReturned(server));
      const lacks = [missing, pictures && 'Its images are not attached.'].filter(Boolean).join(' ');
      return { kind: 'resource' as const, source: id, text, ...(lacks !== '' && { missing: lacks }) };
    }),
  );
  return {
    additions: read.filter((each) => typeof each !== 'string'),
    reports: read.filter((each) => typeof each === 'string'),
  };
}

/** The share of the failed request's tokens for the next attempt. */
const retainedShare = 0.75;

/** The context window of a turn, reduced if the model turns out to have less than expected (F21). */
interface ShrinkBudget {
  /** The turn with the context window as known now. */
  readonly current: FreedContext;
  /** Returns false if it was reduced before, since a second failed attempt would be one too many. */
  narrow(plan: RequestPlan): boolean;
}

function shrinkBudget(room: FreedContext): ShrinkBudget {
  let window: number | null = null;
  const plan: FreedContext['prepared']['plan'] = async (messages) => {
    const planned = await room.prepared.plan(messages);
    return window === null ? planned : within(planned, window);
  };
  return {
    current: { ...room, prepared: { ...room.prepared, plan } },
    narrow({ totals }) {
      if (window !== null) return false;
      window = Math.floor(totals.all * retainedShare) + totals.reserve;
      return true;
    },
  };
}

function within(plan: RequestPlan, window: number): RequestPlan {
  const narrowed = { ...plan, totals: { ...plan.totals, window: Math.min(window, plan.totals.window) } };
  const prompt = promptForPlan(plan);
  return prompt === null ? narrowed : linkPromptToPlan(narrowed, prompt);
}
