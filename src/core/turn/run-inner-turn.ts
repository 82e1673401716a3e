/** Runs a turn beside the chat over a log in memory: the same loop and assembler, seen from outside as its last answer. */
import { orAborted } from '../base/async';
import { prepareInnerTurn } from '../context/prepare-inner-turn';
import { type Failure, succeed } from '../ports/failure';
import { textOf, type Usage } from '../ports/message';
import { addUsage, judgeSpending, spentIn } from '../ports/model';
import { foldMessages } from '../request/history';
import type { Step } from '../session/entry';
import { MemoryLog, withFurther } from '../session/session-log';
import type { SubagentRequest, SubagentTurn } from '../subagents/run-subagent-turn';
import { stopped } from '../tools/results';
import type { ToolPlace } from '../tools/tool';
import { accompanyIn } from './accompany-result';
import { limitLookUps } from './limit-look-ups';
import type { SubagentsOf } from './open-subagents';
import type { TurnPorts } from './open-turn';
import { runTurn } from './run-turn';
import { taintByEntry, taintByTurn, taintedBy } from './taint-chat';
import type { TurnEvent } from './turn-event';
import type { TurnInput } from './turn-input';

/** Characters of a result that a step keeps. */
const shownCharacters = 600;

export async function runInnerTurn(
  ports: TurnPorts,
  place: ToolPlace,
  request: SubagentRequest & Pick<SubagentsOf, 'conversation' | 'changes' | 'spent'>,
  signal: AbortSignal,
): Promise<SubagentTurn> {
  const { model, conversation, base, changes, spent } = request;
  const { description } = model;
  const limited = limitLookUps(request.tools, { calls: request.lookUps, tokens: request.tokens });
  const { tools } = limited;
  const prepared = await orAborted(prepareInnerTurn(ports, description, { conversation, tools, base }, signal), signal);
  if (prepared === undefined) return { text: '', failure: stopped(), steps: [], looked: [] };
  taintByTurn(changes, ports, { hooked: null, mentions: [], prepared });
  const log = new MemoryLog(conversation);
  log.append({ kind: 'user', text: request.opening, mentions: [] });
  const { before, after, turn } = prepared;
  log.append({ kind: 'turn-zone', before, after, mode: turn.mode, editor: turn.editor });
  const looked: SubagentTurn['looked'][number][] = [];
  const along = accompanyIn(ports, { log, contextWindow: description.contextWindow }, signal);
  const accompany = taintedBy(changes, ports, along);
  const input: TurnInput = {
    model,
    tools,
    vault: ports.vault,
    place,
    hooks: ports.hooks,
    plan: (further) => prepared.plan(foldMessages(withFurther(log.entries, further))),
    spending: (plan) => judgeSpending(spent() + spentIn(log.entries), plan, description.prices, ports.settings()),
    accompany: (result, earlier) => {
      if (!result.isError) looked.push(result);
      return accompany(result, earlier);
    },
    record: (body) => {
      taintByEntry(changes, ports, body);
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
    ...(usage === undefined ? {} : { usage }),
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
      const text = event.text.length > shownCharacters ? `${event.text.slice(0, shownCharacters)}…` : event.text;
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
      return event.end === 'stopped' ? { ...account, failure: stopped() } : account;
    default:
      return account;
  }
}

function lastWords({ entries }: MemoryLog): string {
  const last = entries.filter((entry) => entry.kind === 'assistant').at(-1);
  return last === undefined ? '' : textOf(last.parts);
}
