/** Plays a session with the plugin's own chat and keeps every request that it would send. */
import type { Message } from '../../../src/core/ports/message';
import type { Model, ModelDescription, ModelEvent } from '../../../src/core/ports/model';
import type { RequestPlan } from '../../../src/core/ports/request-plan';
import { listVault, type VaultListing } from '../../../src/core/prompt/listing/vault-listing';
import { defaultSettings } from '../../../src/core/settings/settings';
import { tools } from '../../../src/core/tools';
import { chatBench } from '../../support/chat-bench';
import type { FakeVault } from '../../support/fake-vault';
import { promptSettings, hostState } from '../../support/turn-world';
import { untilRested } from '../../support/until-rested';
import type { Session, SessionTurn } from './cache-sessions';

export interface Recorded {
  readonly turn: number;
  readonly plan: RequestPlan;
  /** The conversation alone: what was said and looked up. */
  readonly said: readonly Message[];
  /** Notes mentioned so far, with their texts as they are now. */
  readonly attached: readonly { readonly path: string; readonly text: string }[];
  readonly listing: VaultListing;
  readonly files: readonly string[];
  /** Why what was sent before this request was recorded to change; empty if it was not. */
  readonly rebuilt: readonly string[];
}

export const measured: ModelDescription = {
  id: 'anthropic/claude-sonnet-5',
  label: 'claude-sonnet-5',
  contextWindow: 1_000_000,
  outputLimit: 64_000,
  nativeTools: true,
  cachesPrompts: true,
  cacheMinimum: 1_024,
};

export interface RecordOptions {
  readonly model: ModelDescription;
  readonly tier: 'auto' | 5;
  /** Whether turns may be refused, as in small windows. */
  readonly mayFail?: boolean;
}

export async function recordSession(
  session: Session,
  vault: FakeVault,
  { model: description, tier, mayFail = false }: RecordOptions = { model: measured, tier: 5 },
): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  const mentioned = new Set<string>();
  const said: Message[] = [];
  let attached: Recorded['attached'] = [];
  let turn: SessionTurn | undefined;
  let at = -1;
  let round = 0;
  let rules = '';
  let rebuilds = 0;
  let shown = 0;
  const model: Model = {
    description,
    stream: async function* (plan): AsyncGenerator<ModelEvent> {
      await Promise.resolve();
      if (turn === undefined) throw new Error('Nothing was asked.');
      collect(plan);
      const calls = turn.rounds[round];
      round += 1;
      if (calls === undefined) {
        yield { type: 'text-delta', text: turn.answer };
        yield { type: 'finish', reason: 'complete', usage: { inputTokens: plan.totals.all, outputTokens: 100 } };
        return;
      }
      for (const [index, { name, input }] of calls.entries()) {
        const call = { type: 'tool-call', id: `c${at}-${round}-${index}`, name, argumentsText: JSON.stringify(input) };
        yield { type: 'tool-call', call: call as Extract<ModelEvent, { type: 'tool-call' }>['call'] };
      }
      yield { type: 'finish', reason: 'tool-calls' };
    },
  };
  const bench = chatBench({
    vault,
    model,
    settings: { ...defaultSettings, model: description.id, tier },
    ports: {
      tools,
      hostState: { ...hostState, settings: () => ({ ...promptSettings, additionalInstructions: rules }) },
    },
  });
  const chat = await bench.open();
  for (const [index, each] of session.turns.entries()) {
    [turn, at, round] = [each, index, 0];
    rules = each.instructions ?? rules;
    each.change?.(vault);
    for (const { id } of each.mentions) mentioned.add(id);
    attached = await Promise.all([...mentioned].map((path) => textOf(vault, path)));
    said.push({ role: 'user', parts: [{ type: 'text', text: each.question }] });
    const sent = await chat.send(each.question, each.mentions);
    if (!sent.ok) throw new Error(sent.failure.words);
    await untilRested(chat);
    const problem = chat.current.items.slice(shown).find((item) => item.type === 'failure');
    shown = chat.current.items.length;
    if (problem !== undefined && !(mayFail && problem.failure.kind === 'context-length')) {
      throw new Error(`Turn ${index + 1}: ${JSON.stringify(problem)}`);
    }
    said.push({ role: 'assistant', parts: [{ type: 'text', text: each.answer }] });
  }
  return recorded;

  function collect(plan: RequestPlan): void {
    // The calls and results of the previous rounds are at the end of the plan.
    const lastAssistant = plan.messages.at(-2);
    const last = plan.messages.at(-1);
    if (round > 0 && lastAssistant !== undefined && last !== undefined) said.push(lastAssistant, last);
    const all = bench.store.linesOf('c1');
    const rebuilt = all.slice(rebuilds).flatMap(reasonsIn);
    rebuilds = all.length;
    recorded.push({
      turn: at,
      plan,
      said: [...said],
      attached,
      listing: listVault(vault, { contextWindow: description.contextWindow, attached: [] }),
      files: vault.files().map(({ path }) => path),
      rebuilt,
    });
  }
}

/** Returns why the entry of a log changes what was sent: a new head, a summary, or parts in a shorter form. */
function reasonsIn(line: string): string[] {
  const { k: kind, b: body } = JSON.parse(line) as { k: string; b: { reasons?: string[]; forms?: unknown[] } };
  if (kind === 'prompt-rebuilt') return body.reasons ?? [];
  if (kind === 'context-forms') return [`${body.forms?.length ?? 0} parts shortened`];
  return kind === 'summary' ? ['summary'] : [];
}

async function textOf(vault: FakeVault, path: string): Promise<Recorded['attached'][number]> {
  const note = await vault.read(path);
  return { path, text: note.ok ? note.value.text : '' };
}
