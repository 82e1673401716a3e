/** A chat whose model answers by what it is asked, so that a chat and its sub-agents can run side by side. */
import type { Chat } from '../../../../src/core/chat/chat';
import type { AnswerItem, ShownCall } from '../../../../src/core/chat/transcript';
import type { Model, ModelDescription, ModelEvent } from '../../../../src/core/ports/model';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { tools } from '../../../../src/core/tools';
import type { Tool } from '../../../../src/core/tools/tool';
import { type ChatBench, chatBench, rested, until } from '../../../support/chat-bench';
import { fakeVault } from '../../../support/fake-vault';
import { call, description, finish, say } from '../../../support/scripted-model';

export interface AnsweringModel extends Model {
  readonly plans: RequestPlan[];
}

/** Throws in the test when nothing fits. */
export type Answering = (plan: RequestPlan, signal: AbortSignal) => readonly ModelEvent[] | 'hang';

export function answeringModel(answer: Answering, changes: Partial<ModelDescription> = {}): AnsweringModel {
  const plans: RequestPlan[] = [];
  return {
    description: { ...description, contextWindow: 200_000, ...changes },
    plans,
    async *stream(plan, signal) {
      plans.push(plan);
      await Promise.resolve();
      const events = answer(plan, signal);
      if (events === 'hang') await new Promise(() => undefined);
      else yield* events;
    },
  };
}

const files = {
  'Boats/Heron.md': '# Heron\n\nHeron leaks at the keel.\n',
  'Boats/Whimbrel.md': 'Whimbrel is dry.\n',
};

export interface SubagentBench extends ChatBench {
  readonly model: AnsweringModel;
}

/** @param more notes besides the two boats */
export function subagentBench(
  answer: Answering,
  more: Record<string, string> = {},
  changes: Partial<ModelDescription> = {},
  offered: readonly Tool[] = tools,
): SubagentBench {
  const model = answeringModel(answer, changes);
  const vault = fakeVault({ ...files, ...more });
  const bench = chatBench({ vault, kit: { tools: offered, runs: [], maxAtOnce: 0 } });
  return Object.assign(bench, { model });
}

/** Checks whether a request comes from the sub-agent of this name, by its conversation id. */
export const isOf = (plan: RequestPlan, name: string): boolean => plan.conversationId.endsWith(`/${name}`);
export const isInner = (plan: RequestPlan): boolean => plan.conversationId.includes('/');
/** The results that the newest message of a request carries. */
export const resultsIn = ({ messages }: RequestPlan): string[] => {
  const last = messages.at(-1);
  return last?.role === 'tool' ? last.parts.map(({ text }) => text) : [];
};
export const usersIn = ({ messages }: RequestPlan): string[] =>
  messages.flatMap((message) => (message.role === 'user' ? message.parts.map(({ text }) => text) : []));

/** A chat that asks these sub-agents once, all together, and then answers. */
export function asking(tasks: Readonly<Record<string, string>>, inner: Answering): Answering {
  return (plan, signal) => {
    if (isInner(plan)) return inner(plan, signal);
    if (resultsIn(plan).length > 0) return [say('Answered.'), finish()];
    const calls = Object.entries(tasks).map(([name, task]) => call(name, 'run_subagent', { name, task }));
    return [...calls, finish('tool-calls')];
  };
}

export interface Asked {
  readonly chat: Chat;
  readonly answer: AnswerItem;
  /** The calls of the answer. */
  readonly calls: readonly ShownCall[];
  /** What the chat was given back, by the requests that were sent. */
  readonly results: readonly string[];
}

export async function ask(bench: SubagentBench): Promise<Asked> {
  const chat = await bench.open();
  await chat.send('Which boat leaks?', []);
  const { items } = await until(chat, rested);
  const answer = items.find((item) => item.type === 'answer');
  if (answer === undefined) throw new Error(`There is no answer: ${JSON.stringify(items)}`);
  const calls = answer.parts.filter((part): part is ShownCall => part.type === 'tool-call');
  const last = bench.model.plans.filter((plan) => !isInner(plan)).at(-1);
  return { chat, answer, calls, results: last === undefined ? [] : resultsIn(last) };
}
