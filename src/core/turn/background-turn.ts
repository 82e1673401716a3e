/** Background turns: prompts without a chat, and subagents within their limits. */
import { words } from '../../text';
import { raceAbort, untilAborted } from '../base/async';
import { startWithEllipsis } from '../base/cut';
import { type ContextPorts, prepareBackgroundTurn, readBody } from '../context/prepare-chat-turn';
import { type PreparedTurn, prepareTurn } from '../context/prepare-turn';
import { turnContextOf, turnStateOf } from '../context/turn-context';
import { cutToTokens, tokensByRule } from '../markup/budget';
import { SentEscapes, textOfAnswer } from '../markup/escapes';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { Usage } from '../ports/message';
import {
  addUsage,
  judgeSpending,
  type Model,
  type ModelEvent,
  openAccount,
  type SpendingAccount,
  type SpendingLimits,
} from '../ports/model';
import { type RequestPlan, type RequestPurpose, withoutChat } from '../ports/request-plan';
import { foldMessages } from '../request/history';
import { exceedsWindow } from '../request/plan-request';
import { explainOverflow } from '../request/print-plan';
import type { Mention, Step } from '../session/entry';
import { MemoryLog, withFurther } from '../session/session-log';
import { callStopped } from '../tools/results';
import type { OutputPort, SubagentPort, Tool, ToolContext, ToolResult } from '../tools/tool';
import type { ChatChanges } from '../writing/chat-changes';
import { resultContextFor } from './result-context';
import { runSubagentTurn, type SubagentRequest, type SubagentTurn } from './run-subagent';
import { runTurn } from './run-turn';
import { taintByEntry, taintByResult, taintByTurn, taintedBy } from './taint-chat';
import type { TurnEvent, TurnInput, TurnPorts } from './turn-input';

/** The maximum characters of a result in a step. */
const shownCharacters = 600;

/** Runs a turn over a log in memory, with the same loop and assembler as a chat; the caller sees its last answer. */
async function runBackgroundTurn(
  ports: TurnPorts,
  place: ToolContext,
  request: SubagentRequest & Pick<SubagentsOf, 'conversation' | 'changes'> & { readonly account: SpendingAccount },
  signal: AbortSignal,
): Promise<SubagentTurn> {
  const { model, conversation, base, changes, account: shared } = request;
  const { description } = model;
  const limited = limitToolCalls(request.tools, { calls: request.subagentCalls, tokens: request.tokens });
  const { tools } = limited;
  const prepared = await raceAbort(
    prepareBackgroundTurn(ports, description, { conversation, tools, base }, signal),
    signal,
  );
  if (prepared === undefined) return { text: '', failure: callStopped(), steps: [], looked: [] };
  taintByTurn(changes, ports, { hooked: null, mentions: [], prepared });
  const log = new MemoryLog(conversation);
  log.append({ kind: 'user', text: request.opening, mentions: [] });
  const { before, after, turn } = prepared;
  log.append({ kind: 'turn-zone', before, after, mode: turn.mode, editor: turn.editor });
  const looked: SubagentTurn['looked'][number][] = [];
  const along = resultContextFor(ports, { log, contextWindow: description.contextWindow }, signal);
  const appendContext = taintedBy(changes, ports, along);
  const input: TurnInput = {
    model,
    tools,
    vault: ports.vault,
    place,
    sent: new SentEscapes(),
    hooks: ports.hooks,
    plan: (further) => prepared.plan(foldMessages(withFurther(log.entries, further))),
    spending: (plan) => judgeSpending(shared.spent, plan, description.prices, ports.settings()),
    appendContext: (result, earlier) => {
      if (!result.isError) looked.push(result);
      return appendContext(result, earlier);
    },
    record: (body) => {
      taintByEntry(changes, ports, body);
      if ('usage' in body) shared.add(body.usage);
      return Promise.resolve(succeed(log.append(body)));
    },
    signal,
  };
  let account: Account = { steps: [] };
  for await (const event of runTurn(input)) {
    if (event.type === 'request-planned') limited.planned(event.plan.totals.all);
    if (event.type === 'hook-reported') ports.note(event.words);
    account = advance(account, event);
  }
  const { steps, usage, failure } = account;
  return {
    text: lastWords(log),
    looked,
    steps: steps.map(({ title, text, isError }) => ({ title, text, isError })),
    ...(usage === undefined ? {} : { usage: { ...usage, model: description.id } }),
    ...(failure === undefined ? {} : { failure }),
  };
}

interface Account {
  readonly steps: readonly (Step & { readonly callId: string; readonly isOpen: boolean })[];
  readonly usage?: Usage | undefined;
  readonly failure?: Failure | undefined;
}

function advance(account: Account, event: TurnEvent): Account {
  const { steps } = account;
  switch (event.type) {
    case 'tool-call-started': {
      const step = { callId: event.call.id, title: event.title, text: '', isError: false, isOpen: true };
      return { ...account, steps: [...steps, step] };
    }
    case 'tool-call-ended': {
      const open = steps.findIndex(({ callId, isOpen }) => isOpen && callId === event.callId);
      const { isError } = event;
      const text = startWithEllipsis(event.text, shownCharacters);
      return {
        ...account,
        steps: steps.map((step, at) => (at === open ? { ...step, text, isError, isOpen: false } : step)),
      };
    }
    case 'answer-ended':
      return { ...account, usage: addUsage(account.usage, event.usage) };
    case 'failure':
      return { ...account, failure: event.failure };
    case 'turn-ended':
      return event.end === 'stopped' ? { ...account, failure: callStopped() } : account;
    default:
      return account;
  }
}

function lastWords({ entries }: MemoryLog): string {
  const last = entries.filter((entry) => entry.kind === 'assistant').at(-1);
  return last === undefined ? '' : textOfAnswer(last);
}

interface SubagentsOf {
  readonly conversation: string;
  readonly ports: TurnPorts;
  readonly model: Model;
  readonly prepared: Pick<PreparedTurn, 'prompt'>;
  readonly place: Omit<ToolContext, 'subagents'>;
  /** Subagents change nothing themselves, but the untrusted text that they read taints the chat. */
  readonly changes: ChatChanges | null;
  readonly spent: Spent;
}

/** Dollars by the log of a chat: those of all that is in it, and those of its subagents alone. */
interface Spent {
  readonly chat: () => number;
  readonly subagents: () => number;
}

/** Opens the port from a chat's tools to its subagents; each run has its own turn, and several can run at once. */
export function openSubagents({
  conversation,
  ports,
  model,
  prepared,
  place,
  changes,
  spent,
}: SubagentsOf): SubagentPort {
  const account = sharedAccount(spent);
  const { outputs, ...rest } = place;
  const inner: ToolContext = {
    ...rest,
    ...(outputs && { outputs: outputsFor(outputs) }),
    subagents: {
      run: () => {
        throw new Error('A sub-agent was offered a tool that starts another one.');
      },
    },
  };
  return {
    run: (name, task, signal) =>
      runSubagentTurn(
        {
          vault: ports.vault,
          agentFolder: () => ports.agentFolder(),
          tools: ports.tools,
          model,
          findModel: (id) => ports.model(id),
          systemPrompt: () => instructionsOf(prepared),
          readBody: (path, stop) => {
            taintByResult(changes, ports, { text: '', sources: [{ path }] });
            return readBody(ports, path, stop);
          },
          run: (request, stop) => {
            const inside = { conversation: `${conversation}/${request.name}`, changes, account };
            return runBackgroundTurn(ports, inner, { ...request, ...inside }, stop);
          },
        },
        name,
        task,
        signal,
      ),
  };
}

/** A subagent sees none of the results of the chat, so that it gets each text although the chat has it. */
function outputsFor(outputs: OutputPort): OutputPort {
  return {
    get tokens() {
      return outputs.tokens;
    },
    get matching() {
      return outputs.matching;
    },
    read: (handle) => outputs.read(handle),
  };
}

/**
 * Counts what the chat has cost, together with its subagents: what those of one answer cost is in the log of the chat
 * once all of its calls are done, while other requests of the chat may be paid.
 */
function sharedAccount({ chat, subagents }: Spent): SpendingAccount {
  const before = subagents();
  let added = 0;
  return {
    get spent() {
      return chat() + Math.max(0, added - (subagents() - before));
    },
    add: (usage) => void (added += usage?.cost ?? 0),
  };
}

/** Returns the chat's instructions without what it knows about the user's notes. */
function instructionsOf({ prompt }: Pick<PreparedTurn, 'prompt'>): string {
  return prompt.blocks
    .filter(({ zone, place, text }) => zone === 'instructions' && place === 'system' && text !== '')
    .map(({ text }) => text)
    .join('\n\n');
}

// Limits the tool calls of a subagent and the tokens of their results; a call over the limit returns a failure and is
// not run.

/** With fewer tokens than this, a result is not worth its frame. */
const minTokens = 100;
const notice = '[Cut here: no tokens are left for tool calls. Write the report now with what you have.]';

interface LimitedTools {
  readonly tools: readonly Tool[];
  /** Called with the tokens of the newest request. */
  planned(tokens: number): void;
}

/** @param limits calls in all, and the tokens of a request at which further calls fail */
function limitToolCalls(
  tools: readonly Tool[],
  limits: { readonly calls: number; readonly tokens: number },
): LimitedTools {
  let made = 0;
  let room = limits.tokens;
  const take = (result: ToolResult): Outcome<ToolResult> => {
    const size = tokensByRule(result.text);
    const left = room;
    room -= size;
    if (size <= left) return succeed(result);
    if (left < minTokens) return fail(subagentCallsUsed());
    return succeed({ ...result, text: `${cutToTokens(result.text, left - tokensByRule(notice)).text}\n${notice}` });
  };
  const limit = (tool: Tool): Tool => ({
    ...tool,
    run: async (args, vault, signal, place) => {
      made += 1;
      if (made > limits.calls || room < minTokens) return fail(subagentCallsUsed());
      const outcome = await tool.run(args, vault, signal, place);
      return outcome.ok ? take(outcome.value) : outcome;
    },
  });
  return { tools: tools.map(limit), planned: (tokens) => void (room = limits.tokens - tokens) };
}

function subagentCallsUsed(): Failure {
  return { kind: 'limit', words: words.subagents.subagentCallsUsed, remedy: words.subagents.lookUpsUsedRemedy };
}

// Runs one prompt without a chat, as a command does: no history, no tools, nothing stored (R013).

export interface OncePrompt {
  readonly model: Model;
  readonly text: string;
  readonly mentions?: readonly Mention[];
  /** What it is for. */
  readonly purpose?: RequestPurpose;
  /** Counts this prompt together with others against the spending limit; on its own if absent. */
  readonly account?: SpendingAccount;
}

/** Plans the request of such a prompt; no user is present to answer questions. */
export async function planPromptOnce(
  ports: ContextPorts,
  { model, text, purpose, mentions = [] }: OncePrompt,
  signal: AbortSignal,
): Promise<RequestPlan> {
  const { description } = model;
  const { servers: _ofChats, ...shared } = ports;
  const alone = { ...shared, tools: [], hooks: { active: [] } };
  const log = { conversation: withoutChat, entries: [] };
  const turn = turnContextOf(
    turnStateOf({ ports: alone, log, model: description, mentions, message: text }),
    description,
  );
  const prepared = await prepareTurn(alone, description, turn, signal, { interactive: false });
  const plan = await prepared.preview([], text);
  return purpose === undefined ? plan : { ...plan, purpose };
}

/**
 * Streams the answer. A prompt that does not fit, or that would cost more than the user's limit, is a failure, and
 * nothing is sent. Ends when the signal aborts.
 */
export async function* runPromptOnce(
  ports: ContextPorts & { settings(): SpendingLimits },
  prompt: OncePrompt,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const { model, account = openAccount() } = prompt;
  const plan = await planPromptOnce(ports, prompt, signal);
  const verdict = judgeSpending(account.spent, plan, model.description.prices, ports.settings(), 'window');
  const overflow = exceedsWindow(plan) ? explainOverflow(plan) : undefined;
  const failure = plan.blocked ?? overflow ?? (verdict?.type === 'refused' ? verdict.failure : undefined);
  if (failure !== undefined) {
    yield { type: 'failure', failure };
    return;
  }
  if (verdict?.type === 'notice') yield verdict;
  yield* untilAborted(countUsage(model.stream(plan, signal), account), signal);
}

/** Counts what an answer cost when its end is reported. */
async function* countUsage(
  events: AsyncIterable<ModelEvent>,
  account: SpendingAccount,
): AsyncGenerator<ModelEvent, void> {
  for await (const event of events) {
    if (event.type === 'finish') account.add(event.usage);
    yield event;
  }
}
