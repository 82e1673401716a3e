/** A chat that fills its window: a model that answers at length, and what it says when it is asked for a summary. */
import type { Chat } from '../../../../../src/core/chat/chat';
import { snapshotPartNames } from '../../../../../src/core/context/compaction/snapshot';
import { textOf } from '../../../../../src/core/ports/message';
import type { Model, ModelDescription, ModelEvent } from '../../../../../src/core/ports/model';
import type { RequestPlan } from '../../../../../src/core/ports/request-plan';
import type { EntryBody, SessionEntry } from '../../../../../src/core/session/entry';
import { type ChatBench, chatBench, rested, until } from '../../../../support/chat-bench';
import { digest } from '../../../../support/memory-ports';
import { description, finish, say } from '../../../../support/scripted-model';
import { mergeShards } from '../../../../support/merge-shards';

type Answer = string | ModelEvent[] | 'hang';

export function snapshotText(over: Partial<Record<string, string>> = {}): string {
  const parts = snapshotPartNames.map((name) => `<${name}>\n${over[name] ?? `about ${name}`}\n</${name}>`);
  return `<scratchpad>thinking</scratchpad>\n<state_snapshot>\n${parts.join('\n')}\n</state_snapshot>`;
}

export interface LongModel extends Model {
  readonly plans: RequestPlan[];
  readonly summaryPlans: RequestPlan[];
  /** What it says to a request for a summary, one after the other; the last one again and again. */
  summaries: Answer[];
  /** What it says to a question. */
  reply: (question: string, turn: number) => Answer;
}

function isSummaryRequest({ messages }: RequestPlan): boolean {
  return messages.some(({ role, parts }) => role === 'user' && textOf(parts).includes('[End of the conversation]'));
}

export function longModel(changes: Partial<ModelDescription> = {}): LongModel {
  const model: LongModel = {
    description: { ...description, ...changes },
    plans: [],
    summaryPlans: [],
    summaries: [snapshotText()],
    reply: (_question, turn) => `Answer ${turn}. ${'The boat needs bronze bolts. '.repeat(60)}`,
    async *stream(plan) {
      const isSummary = isSummaryRequest(plan);
      (isSummary ? model.summaryPlans : model.plans).push(plan);
      const last = plan.messages.at(-1);
      const answer = isSummary
        ? (model.summaries[Math.min(model.summaryPlans.length, model.summaries.length) - 1] ?? '')
        : model.reply(last?.role === 'user' ? textOf(last.parts) : '', model.plans.length);
      if (answer === 'hang') await new Promise(() => undefined);
      if (typeof answer === 'string') {
        if (answer !== '') yield say(answer);
        yield finish();
      } else yield* answer as ModelEvent[];
    },
  };
  return model;
}

/** A model whose answers are so many times as long: a few turns fill its window. */
export const wordyModel = (times: number, changes: Partial<ModelDescription> = {}): LongModel =>
  Object.assign(longModel(changes), {
    reply: (_question: string, turn: number) => `Answer ${turn}. ${'The boat needs bronze bolts. '.repeat(60 * times)}`,
  });

export interface LongBench extends ChatBench {
  readonly model: LongModel;
}

export function longBench(model: LongModel = longModel(), changes: Partial<ChatBench> = {}): LongBench {
  return Object.assign(chatBench(changes), { model });
}

export async function ask(chat: Chat, text: string): Promise<void> {
  const sent = await chat.send(text, []);
  if (!sent.ok) throw new Error(sent.failure.words);
  await until(chat, rested);
}

/** Asks so many questions, one after the other. */
export async function talk(chat: Chat, turns: number, from = 1): Promise<void> {
  for (let turn = from; turn < from + turns; turn += 1) await ask(chat, `Question ${turn} about the boat?`);
}

/** All that is on disk and sound. */
export function entriesOf({ store }: ChatBench): readonly SessionEntry[] {
  const shards = [...(store.logs.get('c1') ?? [])].map(([name, text]) => ({ name, text }));
  return mergeShards(shards, digest).entries;
}

/** Entries on disk of one kind, in order. */
export function stored<Kind extends EntryBody['kind']>(bench: ChatBench, kind: Kind): (EntryBody & { kind: Kind })[] {
  return entriesOf(bench).filter((entry): entry is SessionEntry & { kind: Kind } => entry.kind === kind);
}

/** Opens a chat whose summary never comes, and talks until it is asked for. */
export async function askUntilSummarising(bench: LongBench): Promise<Chat> {
  bench.model.summaries = ['hang'];
  const chat = await bench.open();
  for (let turn = 1; turn <= 40 && bench.model.summaryPlans.length === 0; turn += 1) {
    await chat.send(`Question ${turn} about the boat?`, []);
    await until(chat, ({ running, summarising }) => !running || summarising);
  }
  expect(chat.current.summarising).toBe(true);
  return chat;
}
