import { requestText } from '../../../../../src/core/context/compaction/find-topic';
import type { Model, ModelEvent } from '../../../../../src/core/ports/model';
import type { RequestPlan } from '../../../../../src/core/ports/request-plan';
import { description } from '../../../../support/scripted-model';

it('F30 gives a model up that does not listen as soon as it is stopped, and closes its stream', async () => {
  let closed = false;
  const stream: AsyncIterator<ModelEvent> = {
    next: () => new Promise(() => undefined),
    return: () => {
      closed = true;
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  const model: Model = { description, stream: () => ({ [Symbol.asyncIterator]: () => stream }) };
  const abort = new AbortController();
  const asked = requestText(model, {} as RequestPlan, abort.signal);
  abort.abort();
  expect(await asked).toMatchObject({ ok: false, failure: { kind: 'aborted' } });
  expect(closed).toBe(true);
});

it('F25 reports a model that throws in its own words', async () => {
  const model: Model = {
    description,
    stream: () => {
      throw new Error('boom');
    },
  };
  expect(await requestText(model, {} as RequestPlan, new AbortController().signal)).toMatchObject({
    ok: false,
    failure: { kind: 'protocol', words: 'boom' },
  });
});
