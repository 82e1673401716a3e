/** A model that plays a script: one list of steps an answer, with hooks for faults and for looking at the requests. */
import type { Failure } from '../../src/core/ports/failure';
import type { StopReason, ToolCallPart } from '../../src/core/ports/message';
import type { Model, ModelDescription, ModelEvent } from '../../src/core/ports/model';
import type { RequestPlan, RequestTotals } from '../../src/core/ports/request-plan';

/** An event, something to do, or a wait for ever that no signal ends. */
export type Step = ModelEvent | (() => void | Promise<void>) | 'hang';

export interface ScriptedModel extends Model {
  /** The plans it was asked to answer, in order. */
  readonly plans: RequestPlan[];
  /** Signals it was given, one an answer. */
  readonly signals: AbortSignal[];
}

export const description: ModelDescription = {
  id: 'test/scripted',
  label: 'Scripted',
  contextWindow: 16_384,
  outputLimit: 2_048,
  nativeTools: true,
  cachesPrompts: false,
};

/** The totals of a plan that nobody counted. */
export const noTotals: RequestTotals = {
  ...{ instructions: 0, reference: 0, history: 0, turn: 0, tools: 0, all: 0 },
  ...{ reserve: 0, window: 1, exact: true },
};

/** Plays the answers one after the other; after the last it fails the test by throwing. */
export function scriptedModel(
  answers: readonly (readonly Step[])[],
  changes: Partial<ModelDescription> = {},
): ScriptedModel {
  const plans: RequestPlan[] = [];
  const signals: AbortSignal[] = [];
  return {
    description: { ...description, ...changes },
    plans,
    signals,
    async *stream(plan, signal) {
      const steps = answers[plans.length];
      plans.push(plan);
      signals.push(signal);
      if (steps === undefined) throw new Error(`The script has no answer ${plans.length}.`);
      for (const step of steps) {
        await Promise.resolve();
        if (step === 'hang') await new Promise(() => undefined);
        else if (typeof step === 'function') await step();
        else yield step;
      }
    },
  };
}

export function say(text: string): ModelEvent {
  return { type: 'text-delta', text };
}

export function think(text: string): ModelEvent {
  return { type: 'reasoning-delta', text };
}

export function call(id: string, name: string, args: unknown = {}): ModelEvent {
  const argumentsText = typeof args === 'string' ? args : JSON.stringify(args);
  const part: ToolCallPart = { type: 'tool-call', id, name, argumentsText };
  return { type: 'tool-call', call: part };
}

export function finish(reason: StopReason = 'complete'): ModelEvent {
  return { type: 'finish', reason, usage: { inputTokens: 10, outputTokens: 5 } };
}

export function breakOff(failure: Failure): ModelEvent {
  return { type: 'failure', failure };
}

/** Returns the room of models with every row answered by one model; for `jest.mock`. */
export function answeringWith<Ports extends readonly unknown[]>(
  actual: { openModels(...ports: Ports): object },
  answers: { readonly model: unknown },
): object {
  const open = (): object => ({ ok: true, value: answers.model });
  return { ...actual, openModels: (...ports: Ports) => ({ ...actual.openModels(...ports), open }) };
}
