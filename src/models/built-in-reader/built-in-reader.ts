/** The built-in reader: a Model that answers by quoting the vault, without a network, a key or a language model. */
import { yieldToEventLoop } from '../../core/base/async';
import { messageOf } from '../../core/ports/failure';
import type { Model, ModelEvent } from '../../core/ports/model';
import type { RequestPlan } from '../../core/ports/request-plan';
import { sentencesOf } from '../../core/search/passages';
import { words } from '../../text';
import { nextStep, type Step } from './next-step';
import { type ReaderRequest, readRequest } from './read-request';

export const builtInReaderId = 'reader/built-in';

/** Creates a deterministic model: equal plans give equal answers. */
export function createBuiltInReader(): Model {
  return {
    description: {
      id: builtInReaderId,
      label: words.reader.label,
      contextWindow: 200_000,
      outputLimit: 4_096,
      nativeTools: true,
      cachesPrompts: false,
      summarises: false,
    },
    stream,
  };
}

async function* stream(plan: RequestPlan, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  try {
    if (signal.aborted) return;
    const request = readRequest(plan);
    const step = await nextStep(request, signal);
    if (signal.aborted) return;
    if (step.type === 'call') yield* call(step, request);
    else yield* answer(step, request, signal);
  } catch (error) {
    const failure = { words: messageOf(error), remedy: words.reader.brokenRemedy };
    yield { type: 'failure', failure: { kind: 'protocol', ...failure } };
  }
}

function* call(step: Extract<Step, { type: 'call' }>, request: ReaderRequest): Generator<ModelEvent> {
  const id = `reader-${request.callCount + 1}`;
  const argumentsText = JSON.stringify(step.args);
  yield { type: 'tool-call', call: { type: 'tool-call', id, name: step.name, argumentsText } };
  yield { type: 'finish', reason: 'tool-calls' };
}

async function* answer(
  step: Extract<Step, { type: 'answer' }>,
  request: ReaderRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const [lead = '', ...rest] = step.blocks;
  const opening = step.isQuoting && request.isFirstAnswer ? `${lead} ${words.reader.honest}` : lead;
  for (const sentence of sentencesOf([opening, ...rest].join('\n\n'))) {
    yield { type: 'text-delta', text: sentence };
    await yieldToEventLoop();
    if (signal.aborted) return;
  }
  yield { type: 'finish', reason: 'complete' };
}
