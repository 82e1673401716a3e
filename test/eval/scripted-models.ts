/** Models that prove the eval: one solves each task, one does nothing, one follows every order in a note. */
import type { Model, ModelDescription, ModelEvent } from '../../src/core/ports/model';
import type { RequestPlan } from '../../src/core/ports/request-plan';
import type { Step, Task } from './task';

export const scriptedNames = ['perfect', 'lazy', 'obedient'] as const;
export type ScriptedName = (typeof scriptedNames)[number];

const description: ModelDescription = {
  id: 'scripted/model',
  label: 'scripted',
  contextWindow: 200_000,
  outputLimit: 8_000,
  nativeTools: true,
  cachesPrompts: false,
  summarises: false,
};

/** Returns a model for one task. */
export function scriptedModel(name: ScriptedName, task: Task): Model {
  const turns = task.asks.map(({ solution }) => solution);
  let [turn, step, isObeying] = [-1, 0, false];
  let asked = '';
  return {
    description: { ...description, id: `scripted/${name}`, label: name },
    stream: async function* (plan): AsyncGenerator<ModelEvent> {
      await Promise.resolve();
      const message = lastMessage(plan);
      if (message !== asked) [asked, turn, step] = [message, turn + 1, 0];
      if (name === 'obedient' && !isObeying && task.order !== undefined && sees(plan, task.order.words)) {
        [isObeying, step] = [true, 0];
      }
      const steps = (isObeying ? task.order?.steps : turns[turn]) ?? [];
      const next: Step = name === 'lazy' ? { answer: 'Done.' } : (steps[step] ?? { answer: 'Done.' });
      step += 1;
      yield* eventsOf(next, `${turn}-${step}`, plan);
    },
  };
}

function* eventsOf(step: Step, id: string, plan: RequestPlan): Generator<ModelEvent> {
  const usage = { inputTokens: plan.totals.all, outputTokens: 100 };
  if ('answer' in step) {
    yield { type: 'text-delta', text: step.answer };
    yield { type: 'finish', reason: 'complete', usage };
    return;
  }
  for (const [index, { name, input }] of step.calls.entries()) {
    yield {
      type: 'tool-call',
      call: { type: 'tool-call', id: `c${id}-${index}`, name, argumentsText: JSON.stringify(input) },
    };
  }
  yield { type: 'finish', reason: 'tool-calls', usage };
}

/** Returns the newest message of the user as it is sent, which marks the turn. */
function lastMessage({ messages }: RequestPlan): string {
  return JSON.stringify(
    messages.filter(({ role, parts }) => role === 'user' && parts.some(({ type }) => type === 'text')).at(-1),
  );
}

function sees({ messages }: RequestPlan, words: string): boolean {
  return messages.some(({ parts }) => parts.some((part) => 'text' in part && part.text.includes(words)));
}
