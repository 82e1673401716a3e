/** Asks a model for a text outside the conversation: its words alone count, and calls are passed over. */
import { words } from '../../../text';
import { untilAborted } from '../../base/async';
import { fail, messageOf, type Outcome, succeed } from '../../ports/failure';
import type { Model } from '../../ports/model';
import type { RequestPlan } from '../../ports/request-plan';

/** Comes back at once when the signal fires. An answer without its terminal event may lack its end, so it is none. */
export async function askForText(model: Model, plan: RequestPlan, signal: AbortSignal): Promise<Outcome<string>> {
  let text = '';
  try {
    for await (const event of untilAborted(model.stream(plan, signal), signal)) {
      if (event.type === 'text-delta') text += event.text;
      if (event.type === 'failure') return fail(event.failure);
      if (event.type === 'finish') return event.reason === 'length' ? cutOff() : succeed(text);
    }
  } catch (thrown) {
    return fail({ kind: 'protocol', words: messageOf(thrown), remedy: words.failures.unexpectedRemedy });
  }
  return signal.aborted ? aborted() : cutOff();
}

function aborted(): Outcome<string> {
  return fail({ kind: 'aborted', words: words.status.refused.stopped, remedy: '' });
}

function cutOff(): Outcome<string> {
  return fail({
    kind: 'interrupted',
    words: words.failures.answerCutOff,
    remedy: words.failures.answerCutOffRemedy,
  });
}
